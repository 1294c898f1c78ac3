import FootholdScene

/// Everything to draw over one frame.
public struct Overlay: Sendable {
    /// Public camera axes (x right, y up, looking along −z). Nil while it isn't known: then only the hint, the progress
    /// and the searching reticle are drawn.
    public var worldFromCamera: Pose?
    /// For the frame's size; scaled when it is for another.
    public var intrinsics: CameraIntrinsics
    public var surfaces: [PlaneAnchor]
    public var objects: [PlacedObject]
    public var reticle: Reticle
    /// One line of words; line breaks become spaces.
    public var hintText: String?
    public var light: LightEstimate
    /// How far getting started has come, 0…1; nil when there is nothing to show.
    public var progress: Double?
    /// Signs around objects, drawn on their surfaces.
    public var marks: [SceneMark]
    /// Where fingers are on the picture, pixels.
    public var touches: [SIMD2<Double>]
    /// What lies how deep in this frame: it hides objects behind real things. Nil hides nothing.
    public var depthMap: DepthMap?
    /// Drawn only with `isDebug`.
    public var features: [TrackedFeature]
    /// Where the camera has been, in the world. Drawn only with `isDebug`.
    public var trail: [SIMD3<Double>]
    public var isDebug: Bool

    public init(
        worldFromCamera: Pose? = nil, intrinsics: CameraIntrinsics, surfaces: [PlaneAnchor] = [],
        objects: [PlacedObject] = [], reticle: Reticle = .hidden, hintText: String? = nil,
        light: LightEstimate = LightEstimate(intensity: 0.5), progress: Double? = nil, marks: [SceneMark] = [],
        touches: [SIMD2<Double>] = [], depthMap: DepthMap? = nil, features: [TrackedFeature] = [],
        trail: [SIMD3<Double>] = [],
        isDebug: Bool = false
    ) {
        self.worldFromCamera = worldFromCamera
        self.intrinsics = intrinsics
        self.surfaces = surfaces
        self.objects = objects
        self.reticle = reticle
        self.hintText = hintText
        self.light = light
        self.progress = progress
        self.marks = marks
        self.touches = touches
        self.depthMap = depthMap
        self.features = features
        self.trail = trail
        self.isDebug = isDebug
    }
}
