/// How bright and what colour the room's light is, from the picture.
public struct LightEstimate: Hashable, Sendable {
    /// Mean luma, 0…1.
    public var intensity: Double
    /// Direction from which most light comes, in the world; nil while unknown.
    public var direction: SIMD3<Double>?
    /// Red, green and blue of the light, the largest 1; white while unknown.
    public var color: SIMD3<Double>

    public init(intensity: Double, direction: SIMD3<Double>? = nil, color: SIMD3<Double> = SIMD3(1, 1, 1)) {
        self.intensity = intensity
        self.direction = direction
        self.color = color
    }
}

/// Where the session's metre comes from, and how sure it is.
public struct ScaleEstimate: Hashable, Sendable {
    public enum Source: String, Hashable, Sendable {
        /// Nothing is known: a typical viewing distance was assumed.
        case assumed
        /// From inertial data.
        case inertial
        /// Told by the user (a camera height, a marker, a sheet of known size).
        case stated
    }

    public var source: Source
    /// 0…1.
    public var confidence: Double
    /// How many metres the unit of the world's coordinates is long, as inertial readings tell it; nil while they don't.
    /// Coordinates keep their unit when it becomes known.
    public var metresPerUnit: Double?

    public init(source: Source, confidence: Double, metresPerUnit: Double? = nil) {
        self.source = source
        self.confidence = confidence
        self.metresPerUnit = metresPerUnit
    }

    /// How many metres the unit of the world's coordinates is long, whoever tells it; nil while it is only assumed.
    public var knownMetresPerUnit: Double? { metresPerUnit ?? (source == .assumed ? nil : 1) }
}

/// What the engine saw in one frame, for coaching; all of it measured, none of it guessed.
public struct FrameDiagnostics: Hashable, Sendable {
    /// Mean luma 0…1, and the shares of pixels that are nearly black and nearly white.
    public var brightness: Double = 0
    public var darkShare: Double = 0
    public var brightShare: Double = 0
    /// Gradient energy relative to what a sharp, textured picture has; falls with blur and with lack of texture.
    public var sharpness: Double = 0
    /// Share of the picture's cells that hold a corner worth tracking.
    public var textureShare: Double = 0
    /// Mean absolute luma change to the last frame, 0…1.
    public var change: Double = 0
    /// Share of the picture's cells in which there is more to see than noise; known in every frame.
    public var detailShare: Double = 0
    /// How much the picture repeats itself one period further on, 0…1, as tiles and meshes do.
    public var repetition: Double = 0
    /// Points tracked from the last frame, and those of them that agree with the pose.
    public var trackedCount: Int = 0
    public var inlierCount: Int = 0
    /// Median movement of tracked points, in picture widths per second.
    public var flow: Double = 0
    /// Turning rate of the camera.
    public var angularSpeedRadiansPerSecond: Double = 0
    /// While initialising: median movement of points that turning alone doesn't explain, in pixels.
    public var parallaxPixels: Double = 0
    /// Root mean square of the reprojection error of the inliers, in pixels.
    public var reprojectionErrorPixels: Double = 0

    public init() {}
}

/// A feature for drawing with `--debug-overlay`.
public struct TrackedFeature: Hashable, Sendable {
    public var pixel: SIMD2<Double>
    /// Nil until its depth is known.
    public var pointInWorld: SIMD3<Double>?

    public init(pixel: SIMD2<Double>, pointInWorld: SIMD3<Double>?) {
        self.pixel = pixel
        self.pointInWorld = pointInWorld
    }
}

/// Everything that one frame told. The public camera axes: x right, y up, looking along −z.
public struct FrameResult: Sendable {
    public var frameIndex: Int
    public var timestampNanoseconds: Int64
    public var trackingState: TrackingState
    /// Nil where it is not known.
    public var worldFromCamera: Pose?
    /// The camera as known now (it may be refined while the session runs).
    public var intrinsics: CameraIntrinsics
    public var light: LightEstimate
    public var scale: ScaleEstimate
    public var diagnostics: FrameDiagnostics
    /// What changed in this frame.
    public var surfaceEvents: [SurfaceEvent]
    /// All surfaces known now, by id.
    public var surfaces: [PlaneAnchor]
    /// Empty unless asked for.
    public var features: [TrackedFeature]
    public var isKeyframe: Bool
    /// The session began a new world: earlier coordinates are void.
    public var didReset: Bool
    public var knownWorld: KnownWorld
    /// The world that the pose and the surfaces lie in; each new one has a larger number.
    public var worldID: Int
    /// This frame recognised a world that was left earlier, and went back to it as it was then.
    public var didReturn: Bool
    /// This frame found that two worlds are one: the one that is no more. Usually that is the newer one, and poses and
    /// surfaces have changed their frame with it.
    public var absorbed: AbsorbedWorld?
    /// This frame brought in line what had drifted apart. Surfaces have moved along; the pose follows within a second.
    public var correction: WorldCorrection?

    public init(
        frameIndex: Int, timestampNanoseconds: Int64, trackingState: TrackingState, worldFromCamera: Pose?,
        intrinsics: CameraIntrinsics, light: LightEstimate, scale: ScaleEstimate, diagnostics: FrameDiagnostics,
        surfaceEvents: [SurfaceEvent] = [], surfaces: [PlaneAnchor] = [], features: [TrackedFeature] = [],
        isKeyframe: Bool = false, didReset: Bool = false, knownWorld: KnownWorld = .none,
        worldID: Int = 1, didReturn: Bool = false, absorbed: AbsorbedWorld? = nil,
        correction: WorldCorrection? = nil
    ) {
        self.frameIndex = frameIndex
        self.timestampNanoseconds = timestampNanoseconds
        self.trackingState = trackingState
        self.worldFromCamera = worldFromCamera
        self.intrinsics = intrinsics
        self.light = light
        self.scale = scale
        self.diagnostics = diagnostics
        self.surfaceEvents = surfaceEvents
        self.surfaces = surfaces
        self.features = features
        self.isKeyframe = isKeyframe
        self.didReset = didReset
        self.knownWorld = knownWorld
        self.worldID = worldID
        self.didReturn = didReturn
        self.absorbed = absorbed
        self.correction = correction
    }

    /// Positions of this frame and of those before it don't lie in one frame of reference.
    public var didChangeCoordinates: Bool { didReset || didReturn || absorbed != nil }

    public var seconds: Double { Double(timestampNanoseconds) / 1e9 }
}
