/// The lines of `session.jsonl` as bytes, for whoever sends them somewhere else too. Lines must be asked for in time
/// order. Used by one thread at a time.
public struct SessionLineFormatter: Sendable {
    private var json = JSONText()
    private var intrinsics: CameraIntrinsics?

    public init() {}

    /// The frame, and what changed about the camera, the world and the surfaces in it.
    public mutating func text(_ result: FrameResult) -> [UInt8] {
        let time = result.timestampNanoseconds
        if result.intrinsics != intrinsics { json.cameraLine(result.intrinsics, nanoseconds: time) }
        intrinsics = result.intrinsics
        if result.didReset { json.sessionLine(.reset, nanoseconds: time) }
        if result.didReturn { json.sessionLine(.returned, nanoseconds: time) }
        if let absorbed = result.absorbed { json.sessionLine(.joined(absorbed), nanoseconds: time) }
        json.frameLine(result)
        for event in result.surfaceEvents { json.surfaceLines(event, nanoseconds: time) }
        return taken()
    }

    public mutating func text(_ event: SurfaceEvent, timestampNanoseconds: Int64) -> [UInt8] {
        json.surfaceLines(event, nanoseconds: timestampNanoseconds)
        return taken()
    }

    public mutating func text(_ event: HintEvent, timestampNanoseconds: Int64) -> [UInt8] {
        json.hintLine(event, nanoseconds: timestampNanoseconds)
        return taken()
    }

    public mutating func text(_ event: ObjectEvent, timestampNanoseconds: Int64) -> [UInt8] {
        json.objectLine(event, nanoseconds: timestampNanoseconds)
        return taken()
    }

    public mutating func text(_ event: FeedbackEvent, timestampNanoseconds: Int64) -> [UInt8] {
        json.feedbackLine(event, nanoseconds: timestampNanoseconds)
        return taken()
    }

    public mutating func text(_ event: SessionEvent, timestampNanoseconds: Int64) -> [UInt8] {
        json.sessionLine(event, nanoseconds: timestampNanoseconds)
        return taken()
    }

    /// The answer to a command that came while the session ran.
    public mutating func text(_ answer: CommandAnswer, timestampNanoseconds: Int64) -> [UInt8] {
        json.answerLine(answer, nanoseconds: timestampNanoseconds)
        return taken()
    }

    private mutating func taken() -> [UInt8] {
        defer { json.removeAll() }
        return json.bytes
    }
}

/// What came of a command.
public struct CommandAnswer: Hashable, Sendable {
    /// What tells commands apart, in the form in which it came.
    public enum ID: Hashable, Sendable {
        case text(String)
        /// As JSON writes it.
        case number(String)
        case truth(Bool)
    }

    /// As it was given with the command; nil when there was none.
    public var id: ID?
    /// `place`, `undo`, …; empty when it could not be read.
    public var command: String
    public var isDone: Bool
    /// Why not, or what there is to say beside.
    public var message: String?
    /// The object that it was about.
    public var objectID: Int?
    /// How the camera does, when that was asked.
    public var capture: CaptureMeasurements?

    public init(
        id: ID? = nil, command: String, isDone: Bool, message: String? = nil, objectID: Int? = nil,
        capture: CaptureMeasurements? = nil
    ) {
        self.id = id
        self.command = command
        self.isDone = isDone
        self.message = message
        self.objectID = objectID
        self.capture = capture
    }
}
