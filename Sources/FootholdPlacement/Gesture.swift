import FootholdScene

/// One finger at one moment, as a screen reports it.
public struct Touch: Hashable, Sendable {
    public enum Phase: String, Hashable, Sendable, Codable {
        case began, moved, ended, cancelled
    }

    /// The same from `began` to `ended` or `cancelled`.
    public var id: Int
    /// Where on the picture, in its pixels.
    public var pixel: SIMD2<Double>
    public var timestampNanoseconds: Int64
    public var phase: Phase

    public init(id: Int, pixel: SIMD2<Double>, timestampNanoseconds: Int64, phase: Phase) {
        self.id = id
        self.pixel = pixel
        self.timestampNanoseconds = timestampNanoseconds
        self.phase = phase
    }
}

/// The picture as it is touched: its size and how large a point (1/163 inch, a bit more than 0.15 mm) is on it.
public struct TouchSurface: Hashable, Sendable {
    public var width: Int
    public var height: Int
    public var pixelsPerPoint: Double

    public init(width: Int, height: Int, pixelsPerPoint: Double) {
        self.width = width
        self.height = height
        self.pixelsPerPoint = pixelsPerPoint
    }

    /// A picture that fills the short side of a phone, which is about 390 points.
    public init(width: Int, height: Int) {
        self.init(width: width, height: height, pixelsPerPoint: max(1, Double(min(width, height))) / 390)
    }
}

/// What a person means by touching. Pixels are the picture's; angles grow clockwise as seen on the picture.
public enum Gesture: Hashable, Sendable {
    public enum Phase: String, Hashable, Sendable {
        case began, changed, ended
        /// Taken back: nothing of it should remain.
        case cancelled
    }

    /// The first finger came down; what it means is not known yet. For preparing what may follow.
    case contact(at: SIMD2<Double>)
    case tap(at: SIMD2<Double>)
    /// Comes after the `tap` of its first touch.
    case doubleTap(at: SIMD2<Double>)
    case drag(Phase, start: SIMD2<Double>, at: SIMD2<Double>)
    /// `scale` relative to where the gesture was recognised, 1 then.
    case pinch(Phase, at: SIMD2<Double>, scale: Double)
    /// `radians` relative to where the gesture was recognised, 0 then.
    case turn(Phase, at: SIMD2<Double>, radians: Double)
    /// A finger that rests; a `drag` may follow from it.
    case hold(at: SIMD2<Double>)
    case shake

    /// What kind it is, for counting.
    public var name: String {
        switch self {
        case .contact: "contact"
        case .tap: "tap"
        case .doubleTap: "doubleTap"
        case .drag: "drag"
        case .pinch: "pinch"
        case .turn: "turn"
        case .hold: "hold"
        case .shake: "shake"
        }
    }
}

/// Where the border between one gesture and another runs. Lengths in points, times in seconds.
public struct GestureThresholds: Hashable, Sendable {
    /// Touches that begin this near to the picture's edge belong to the system.
    public var edge = 12.0
    /// A finger within this distance has not moved.
    public var slop = 10.0
    /// A touch this long is no tap any more but a hold.
    public var holdSeconds = 0.5
    /// The second of two taps begins this soon after the first ended, and this near to it.
    public var doubleTapSeconds = 0.3
    public var doubleTapDistance = 44.0
    /// Two fingers have pinched or turned when they moved this far against each other.
    public var twoFingerTravel = 18.0
    /// One of pinch and turn wins when it is this many times the other; until they have moved `bothTravel`, …
    public var dominance = 1.6
    /// … when both are clearly meant.
    public var bothTravel = 44.0

    public init() {}
}
