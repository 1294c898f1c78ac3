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
    /// What happened to objects in this frame; whatever eased or was corrected has `moved`.
    public var objectEvents: [ObjectEvent]
    public var feedback: [FeedbackEvent]
    /// The objects as they are to be drawn now.
    public var objects: [PlacedObject]
    /// The targeting indicator in the middle of the picture.
    public var reticle: Reticle
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

        public init() {}
    }

    /// The camera that tracking started with; `FrameResult.intrinsics` says what became of it.
    public let intrinsics: CameraIntrinsics
    private let world: WorldSession
    private var coach: Coach
    private var placement = PlacementSession()
    private var waitingTaps: [(template: ObjectTemplate, pixel: SIMD2<Double>)] = []
    /// What the engine needs at least, pixels.
    private static let smallestSide = 64
    /// Every object as the last event told it.
    private var toldObjects: [Int: PlacedObject] = [:]

    /// - Parameter source: what is known of the frames to come: their size, the camera, inertial readings. Where the
    ///   camera is unknown it is guessed from the picture's shape, and refined while tracking.
    /// - Throws: `UsageError` for pictures too small to see anything in, `TrackingError` for a camera that makes no
    ///   sense.
    public init(source: SourceInfo, options: Options = Options()) throws {
        guard min(source.width, source.height) >= Self.smallestSide else {
            throw UsageError(
                "\(source.name) has pictures of \(source.width)×\(source.height) pixels, too small to follow anything in: "
                    + "use a recording of at least 160×120")
        }
        intrinsics = source.intrinsics ?? .guess(width: source.width, height: source.height)
        world = try WorldSession(
            configuration: .init(intrinsics: intrinsics, wantsFeatures: options.wantsFeatures))
        coach = Coach(
            language: options.language, deviceWord: options.deviceWord, objectName: options.objectName)
        if !source.inertial.isEmpty { try world.add(source.inertial) }
    }

    /// A tap: puts an object where a pixel of the next frame points, at once, with the best that is known then.
    public func place(_ template: ObjectTemplate, atPixel pixel: SIMD2<Double>) {
        waitingTaps.append((template, pixel))
    }

    /// Takes in one frame. Losing track is a state in the result, not an error.
    public func process(_ frame: Frame) throws -> SceneFrame {
        let result = try world.process(frame)
        let context = PlacementContext(result, raycaster: world)
        var changes = PlacementOutput()
        for tap in waitingTaps { changes += placement.place(tap.template, atPixel: tap.pixel, context: context) }
        waitingTaps.removeAll()
        changes += placement.update(context)
        let objects = placement.objects
        let hintEvents = coach.update(
            result, context: CoachingContext(placedCount: objects.count, pendingCount: placement.pendingCount))
        return SceneFrame(
            result: result, hintEvents: hintEvents, hint: coach.currentHint, startProgress: coach.progress,
            objectEvents: withMovements(changes.objectEvents, objects), feedback: changes.feedback, objects: objects,
            reticle: placement.reticle)
    }

    /// Adds what no event tells: that an object is on its way, or went with its surface.
    private func withMovements(_ events: [ObjectEvent], _ objects: [PlacedObject]) -> [ObjectEvent] {
        var events = events
        for event in events { toldObjects[event.object.id] = event.object }
        for object in objects where toldObjects[object.id] != object {
            events.append(ObjectEvent(kind: .moved, object: object))
        }
        toldObjects = Dictionary(uniqueKeysWithValues: objects.map { ($0.id, $0) })
        return events
    }

    /// The surfaces known now, by id.
    public var surfaces: [PlaneAnchor] { world.surfaces }

    /// The objects as they are now, in the order in which they were placed.
    public var objects: [PlacedObject] { placement.objects }

    /// How long the engine took for a frame so far: its stages, and `engine` for all of them.
    public var stageTimings: [StageTiming] {
        world.timings.statistics.map { name, figures in
            StageTiming(
                name: name == "total" ? "engine" : name, mean: figures.mean, median: figures.median, p99: figures.p99)
        }
    }

    /// Refines the camera's path with everything that was seen. Call it once, after the last frame.
    public func finish() throws -> RefinedTrajectory { try world.finish() }
}
