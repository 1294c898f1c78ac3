import FootholdCapture
import FootholdCoaching
import FootholdExport
import FootholdPlacement
import FootholdTracking

/// What one frame told, all of it: the camera, the world, the words for the person, and the objects.
public struct SceneFrame: Sendable {
    public var result: FrameResult
    /// Hints that came or went in this frame.
    public var hintEvents: [HintEvent]
    /// The hint to show now.
    public var hint: Hint?
    /// How far getting started has come, 0…1; 1 once there is a surface.
    public var startProgress: Double
    /// What getting started still needs, and which movement helps most now.
    public var gettingStarted = GettingStarted()
    /// What the place offers; nil while it is too early to tell.
    public var suitability: Suitability?
    /// What the session as a whole has to tell with this frame: what the place offers, when that has changed.
    public var sessionEvents: [SessionEvent] = []
    /// What happened to objects in this frame; whatever eased or was corrected has `moved`.
    public var objectEvents: [ObjectEvent]
    public var feedback: [FeedbackEvent]
    /// The objects as they are to be drawn now.
    public var objects: [PlacedObject]
    /// The targeting indicator in the middle of the picture.
    public var reticle: Reticle
    /// The signs around objects: what can be done with them, and what just happened.
    public var marks: [SceneMark] = []
    /// Objects that noticed the camera coming, going or looking.
    public var attention: [AttentionEvent] = []
    /// What was just taken back or done again, such as “Undo Move Chair”; for a moment, and only while there is no
    /// hint: one line of words at a time.
    public var caption: String?
    /// The device was shaken, and this can be taken back: offer it.
    public var undoOffer: String?
    /// An object that was tapped twice: an app may bring it closer.
    public var focusedID: Int?
    /// Where fingers are on the picture.
    public var touches: [SIMD2<Double>] = []
    /// What lies how deep in the picture, for hiding objects; filled only with `Options.wantsDepth`, and while the
    /// camera's place is known.
    public var depthMap: DepthMap?
}

/// World tracking, coaching and placement for one source: a frame in, everything that it told out.
///
/// The same frames and the same taps give the same results, bit for bit. Not thread-safe: use one session from one
/// thread at a time.
public final class SceneSession {
    public struct Options: Sendable {
        /// BCP 47; `en` and `ko` have words, and an unknown language gets English ones.
        public var language = "en"
        /// What hints call the device: `phone`, `tablet`, `camera` or a word of your own.
        public var deviceWord = "camera"
        /// What the hints invite people to place.
        public var objectName: String?
        /// Fill in `FrameResult.features`.
        public var wantsFeatures = false
        /// Fill in `SceneFrame.depthMap` while there are objects.
        public var wantsDepth = false
        /// What can be placed by name.
        public var templates = ObjectTemplate.builtIn
        /// Touches to play over the frames as if a person had touched the picture.
        public var gestures: GestureScript?
        /// As `WorldSession.Configuration`'s.
        public var hasTwoThreads = false
        public var refinedFrameLimit: Int?

        public init() {}
    }

    /// The camera that tracking started with; `FrameResult.intrinsics` says what became of it.
    public let intrinsics: CameraIntrinsics
    let world: WorldSession
    private var coach: Coach
    var placement: PlacementSession
    /// Makes gestures of the touches of a screen.
    var recognizer: GestureRecognizer
    /// The last frame, which commands between frames go by.
    var context: PlacementContext?
    /// From the last frame but one to the last.
    private(set) var frameNanoseconds: Int64 = 0
    /// What commands between frames changed; the next frame tells it.
    var told = PlacementOutput()
    private var player: GesturePlayer?
    private let wantsDepth: Bool
    private var shakes = ShakeDetector()
    private var inertial: ArraySlice<InertialSample>
    private var waitingChanges: [Change] = []
    private var caption: (text: String, sinceNanoseconds: Int64)?
    /// Something that a person wants done to the scene.
    public typealias Change = (inout PlacementSession, PlacementContext) -> PlacementOutput
    /// What the engine needs at least, pixels.
    private static let smallestSide = 64
    private static let captionNanoseconds: Int64 = 2_000_000_000
    private var movements = Movements()
    /// As of the last frame.
    var toldWorld = KnownWorld.none
    /// A world was opened since.
    var isWorldOpened = false
    private var toldSuitability: Suitability.Kind?

    /// - Parameter source: what is known of the frames to come: their size, the camera, inertial readings. Where the
    ///   camera is unknown it is guessed from the picture's shape, and refined while tracking.
    /// - Throws: `UsageError` for pictures too small to see anything in, `TrackingError` for a camera that makes no
    ///   sense, `GestureScript.ScriptError` for a script with a touch that begins outside of the pictures.
    public init(source: SourceInfo, options: Options = Options()) throws {
        guard min(source.width, source.height) >= Self.smallestSide else {
            throw UsageError(
                "\(source.name) has pictures of \(source.width)×\(source.height) pixels, too small to follow anything in: "
                    + "use a recording of at least 160×120")
        }
        intrinsics = source.intrinsics ?? .guess(width: source.width, height: source.height)
        var configuration = WorldSession.Configuration(
            intrinsics: intrinsics, wantsFeatures: options.wantsFeatures)
        configuration.hasTwoThreads = options.hasTwoThreads
        configuration.refinedFrameLimit = options.refinedFrameLimit
        world = try WorldSession(configuration: configuration)
        coach = Coach(
            language: options.language, deviceWord: options.deviceWord, objectName: options.objectName)
        try options.gestures?.check(width: source.width, height: source.height)
        let surface = TouchSurface(width: source.width, height: source.height)
        placement = PlacementSession(templates: options.templates, pixelsPerPoint: surface.pixelsPerPoint)
        recognizer = GestureRecognizer(surface: surface)
        player = options.gestures.map { GesturePlayer(script: $0, surface: surface) }
        wantsDepth = options.wantsDepth
        inertial = source.inertial[...]
        if !source.inertial.isEmpty { try world.add(source.inertial) }
    }

    /// A tap: puts an object where a pixel of the next frame points, at once, with the best that is known then.
    public func place(_ template: ObjectTemplate, atPixel pixel: SIMD2<Double>) {
        change { $0.place(template, atPixel: pixel, context: $1) }
    }

    /// Does something to the scene as the next frame shows it.
    public func change(_ change: @escaping Change) { waitingChanges.append(change) }

    /// Whether the next frame will change the scene.
    var hasWaitingChanges: Bool { !waitingChanges.isEmpty }

    /// Forgets the world and everything in it, and starts over with the next frame.
    public func reset() throws {
        try world.reset()
        toldWorld = .none
        // What could be undone belongs to the world that is gone.
        change { $0.restore(SavedScene(objects: []), atNanoseconds: $1.timestampNanoseconds) }
    }

    /// Takes in one frame. Losing track is a state in the result, not an error.
    public func process(_ frame: Frame) throws -> SceneFrame {
        let result = try world.process(frame)
        let context = PlacementContext(result, raycaster: world)
        if let before = self.context { frameNanoseconds = context.timestampNanoseconds - before.timestampNanoseconds }
        self.context = context
        var changes = told
        told = PlacementOutput()
        let worldEvents = follow(result.knownWorld, &changes)
        for change in waitingChanges { changes += change(&placement, context) }
        waitingChanges.removeAll()
        for gesture in recognizer.advance(to: frame.timestampNanoseconds) + shaken(until: frame.timestampNanoseconds) {
            changes += placement.handle(gesture, context: context)
        }
        changes += try player?.play(on: &placement, context: context) ?? PlacementOutput()
        changes += placement.update(context)
        let objects = placement.objects
        let hintEvents = coach.update(
            result, context: coachingContext(objects))
        if let change = changes.changes.last { caption = (title(change), frame.timestampNanoseconds) }
        if let caption, frame.timestampNanoseconds - caption.sinceNanoseconds > Self.captionNanoseconds {
            self.caption = nil
        }
        return SceneFrame(
            result: result, hintEvents: hintEvents, hint: coach.currentHint, startProgress: coach.progress,
            gettingStarted: coach.gettingStarted, suitability: coach.suitability,
            sessionEvents: worldEvents + suitabilityEvents(),
            objectEvents: objectEvents(of: changes), feedback: changes.feedback,
            objects: objects, reticle: placement.reticle, marks: placement.marks, attention: changes.attention,
            caption: coach.currentHint == nil ? caption?.text : nil,
            undoOffer: changes.offersUndo ? undoTitle : nil, focusedID: changes.focusedID,
            touches: player?.touches ?? [],
            depthMap: wantsDepth && !objects.isEmpty ? try world.depthMap() : nil)
    }

    /// What happened to objects, and those that moved without an event.
    func objectEvents(of changes: PlacementOutput) -> [ObjectEvent] {
        movements.added(to: changes.objectEvents, placement.objects)
    }

    /// Told when it has changed.
    private func suitabilityEvents() -> [SessionEvent] {
        guard let suitability = coach.suitability, suitability.kind != toldSuitability else { return [] }
        toldSuitability = suitability.kind
        return [
            .suitability(
                kind: suitability.kind.rawValue, reason: suitability.reason?.rawValue, text: coach.suitabilityText)
        ]
    }

    private func coachingContext(_ objects: [PlacedObject]) -> CoachingContext {
        CoachingContext(
            placedCount: objects.count, pendingCount: placement.pendingCount,
            unansweredHintSeconds: placement.unansweredHintSeconds,
            selectedName: objects.first { $0.isSelected }?.name)
    }

    /// Shakes of the device that the inertial readings up to a time tell of.
    private func shaken(until nanoseconds: Int64) -> [Gesture] {
        var gestures: [Gesture] = []
        while let sample = inertial.first, sample.timestampNanoseconds <= nanoseconds {
            _ = inertial.popFirst()
            if let shake = shakes.update(sample) { gestures.append(shake) }
        }
        return gestures
    }

    func title(_ change: ChangeNotice) -> String {
        coach.catalogue.changeTitle(change.kind, isRedo: change.isRedo, objectName: change.objectName)
    }

    /// The surfaces known now, by id.
    public var surfaces: [PlaneAnchor] { world.surfaces }

    /// The objects as they are now, in the order in which they were placed.
    public var objects: [PlacedObject] { placement.objects }

    /// When the first touch of the script that was not played yet is due; nil when all of it was played.
    public var unplayedNanoseconds: Int64? { player?.nextNanoseconds }

    /// How long the engine took for a frame so far: its stages, and `engine` for all of them.
    public var stageTimings: [StageTiming] {
        world.timings.statistics.map { name, figures in
            StageTiming(name: name == "total" ? "engine" : name, figures)
        }
    }

    /// Refines the camera's path with everything that was seen. Call it once, after the last frame.
    public func finish() throws -> RefinedTrajectory { try world.finish() }
}

/// Adds to what happened what no event tells: that an object is on its way, or went with its surface.
struct Movements {
    /// Every object as the last event told it, in the order of ids.
    private var told: [PlacedObject] = []

    mutating func added(to events: [ObjectEvent], _ objects: [PlacedObject]) -> [ObjectEvent] {
        defer { told = objects }
        guard told != objects || !events.isEmpty else { return events }
        var latest: [Int: PlacedObject] = [:]
        for event in events { latest[event.object.id] = event.object }
        var events = events
        var place = 0
        for object in objects {
            // Both lists are in the order of ids.
            while place < told.count, told[place].id < object.id { place += 1 }
            let known = latest[object.id] ?? (place < told.count && told[place].id == object.id ? told[place] : nil)
            if known != object { events.append(ObjectEvent(kind: .moved, object: object)) }
        }
        return events
    }
}

extension StageTiming {
    init(name: String, _ figures: TimeSeries.Statistics) {
        self.init(name: name, mean: figures.mean, median: figures.median, p99: figures.p99)
    }
}
