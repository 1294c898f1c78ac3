/// What placement needs to know about one frame.
public struct PlacementContext {
    public var timestampNanoseconds: Int64
    public var trackingState: TrackingState
    /// The public camera axes; nil while the camera's place is unknown.
    public var worldFromCamera: Pose?
    public var intrinsics: CameraIntrinsics
    /// All surfaces known now.
    public var surfaces: [PlaneAnchor]
    /// What changed since the last frame.
    public var surfaceEvents: [SurfaceEvent]
    /// Answers where a ray meets something real.
    public var raycaster: any Raycasting
    /// A new world began in this frame: earlier coordinates are void.
    public var didReset: Bool
    /// The world that coordinates lie in.
    public var worldID: Int
    /// This frame went back to an earlier world.
    public var didReturn: Bool
    /// The world that became part of the present one in this frame.
    public var absorbed: AbsorbedWorld?
    /// What moved in this frame because the world's parts had drifted from each other.
    public var correction: WorldCorrection?
    /// How long the world's unit is; nil while it's only assumed to be a metre.
    public var metresPerUnit: Double?

    public init(
        timestampNanoseconds: Int64, trackingState: TrackingState, worldFromCamera: Pose?,
        intrinsics: CameraIntrinsics, surfaces: [PlaneAnchor], surfaceEvents: [SurfaceEvent] = [],
        raycaster: (any Raycasting)? = nil, didReset: Bool = false, worldID: Int = 1,
        didReturn: Bool = false, absorbed: AbsorbedWorld? = nil,
        correction: WorldCorrection? = nil, metresPerUnit: Double? = nil
    ) {
        self.timestampNanoseconds = timestampNanoseconds
        self.trackingState = trackingState
        self.worldFromCamera = worldFromCamera
        self.intrinsics = intrinsics
        self.surfaces = surfaces
        self.surfaceEvents = surfaceEvents
        self.raycaster = raycaster ?? SurfaceRaycaster(surfaces: surfaces)
        self.didReset = didReset
        self.worldID = worldID
        self.didReturn = didReturn
        self.absorbed = absorbed
        self.correction = correction
        self.metresPerUnit = metresPerUnit
    }

    /// - Parameter raycaster: the session's, which knows single points too; the result's surfaces alone when nil.
    public init(_ result: FrameResult, raycaster: (any Raycasting)? = nil) {
        self.init(
            timestampNanoseconds: result.timestampNanoseconds, trackingState: result.trackingState,
            worldFromCamera: result.worldFromCamera, intrinsics: result.intrinsics, surfaces: result.surfaces,
            surfaceEvents: result.surfaceEvents, raycaster: raycaster, didReset: result.didReset,
            worldID: result.worldID, didReturn: result.didReturn, absorbed: result.absorbed,
            correction: result.correction, metresPerUnit: result.scale.knownMetresPerUnit)
    }

    /// The ray through a pixel, when the camera's place is known.
    func ray(through pixel: SIMD2<Double>) -> Ray? {
        worldFromCamera.map { intrinsics.ray(through: pixel, worldFromCamera: $0) }
    }

    var pictureCenter: SIMD2<Double> {
        SIMD2(Double(intrinsics.width - 1) / 2, Double(intrinsics.height - 1) / 2)
    }
}

/// A change that was taken back or done again.
public struct ChangeNotice: Hashable, Sendable {
    /// Nil for a change of variant.
    public var kind: ObjectEvent.Kind?
    /// Empty for all objects.
    public var objectName: String
    public var isRedo: Bool

    public init(kind: ObjectEvent.Kind?, objectName: String, isRedo: Bool) {
        self.kind = kind
        self.objectName = objectName
        self.isRedo = isRedo
    }
}

/// What a call changed, in the order in which it happened.
public struct PlacementOutput: Hashable, Sendable {
    public var objectEvents: [ObjectEvent] = []
    public var feedback: [FeedbackEvent] = []
    public var attention: [AttentionEvent] = []
    /// The device was shaken, and there is something to take back: offer ``PlacementSession/undoableChange``.
    public var offersUndo = false

    /// An object was tapped twice: an app may bring it closer, or tell more about it (R23).
    public var focusedID: Int?
    /// What was taken back or done again, for saying it.
    public var changes: [ChangeNotice] = []

    public init() {}

    public static func += (a: inout PlacementOutput, b: PlacementOutput) {
        a.objectEvents += b.objectEvents
        a.feedback += b.feedback
        a.attention += b.attention
        a.focusedID = b.focusedID ?? a.focusedID
        a.changes += b.changes
        a.offersUndo = a.offersUndo || b.offersUndo
    }
}
