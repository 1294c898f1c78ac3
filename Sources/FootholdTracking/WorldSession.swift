import CFootholdEngine

/// The engine failed in a way that can't be helped by looking again.
public struct TrackingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(status: Int32, doing action: String) {
        description = "couldn't \(action): \(String(cString: fh_status_text(status)))"
    }
}

/// Follows the camera through the frames of one source and finds the surfaces around it.
///
/// Frames go in one at a time, in time order; everything that a frame told comes out as a `FrameResult`. The same
/// frames give the same results, bit for bit. Not thread-safe: use one session from one thread at a time.
public final class WorldSession: Raycasting {
    public struct Configuration: Sendable {
        /// The camera of the frames as they are handed over. Where its source is `guessed` or `estimated`, the focal
        /// length isn't trusted, and tracking starts only with parallax that a wrong one can't feign.
        /// One without distortion from another source is believed until what is seen surely says otherwise; frames' results
        /// then say `estimated`.
        public var intrinsics: CameraIntrinsics
        /// Fill in `FrameResult.features`.
        public var wantsFeatures: Bool
        /// Look for surfaces on a thread of the session's own. The results are the same, bit for bit.
        public var hasTwoThreads = false
        /// After so many frames the path isn't kept for refining any more, for sessions that run for days; nil keeps it.
        public var refinedFrameLimit: Int?

        public init(intrinsics: CameraIntrinsics, wantsFeatures: Bool = false) {
            self.intrinsics = intrinsics
            self.wantsFeatures = wantsFeatures
        }
    }

    /// The present world's surfaces, by id.
    public private(set) var surfaces: [PlaneAnchor] = []
    /// Measured times of every frame, by stage.
    public private(set) var timings = StageTimings()

    private let configuration: Configuration
    let handle: OpaquePointer
    private var surfaceBuffer: [fh_surface] = []
    private var featureBuffer: [fh_feature] = []

    /// - Throws: `TrackingError` for a camera that makes no sense.
    public init(configuration: Configuration) throws {
        self.configuration = configuration
        var config = fh_session_config()
        config.struct_size = UInt32(MemoryLayout<fh_session_config>.size)
        let source = configuration.intrinsics.source
        config.focal_is_guess = source == .guessed || source == .estimated ? 1 : 0
        config.camera = fh_camera(configuration.intrinsics)
        config.has_two_threads = configuration.hasTwoThreads ? 1 : 0
        config.path_frames = UInt32(clamping: configuration.refinedFrameLimit ?? 0)
        var created: OpaquePointer?
        let status = fh_session_create(&config, &created)
        guard status == 0, let created else {
            throw TrackingError(status: status, doing: "start looking with this camera")
        }
        handle = created
    }

    deinit { fh_session_destroy(handle) }

    /// Hands over inertial readings, in time order, before the frames that they precede.
    public func add(_ samples: [InertialSample]) throws {
        let converted = samples.map { sample in
            let w = sample.angularVelocity
            let a = sample.acceleration
            return fh_imu_sample(
                timestamp_ns: sample.timestampNanoseconds, gyro: (w.x, w.y, w.z), accel: (a.x, a.y, a.z))
        }
        let status = fh_session_add_imu(handle, converted, converted.count)
        guard status == 0 else { throw TrackingError(status: status, doing: "use the motion sensor's readings") }
    }

    /// Takes in one frame. Losing track is a state in the result, not an error.
    /// - Throws: `TrackingError` when the frame isn't of the size that was configured, or time runs backwards.
    public func process(_ frame: Frame) throws -> FrameResult {
        let luma = frame.pixels.luma
        var out = fh_frame_result()
        let status = fh_session_process(
            handle, luma.base, Int32(luma.width), Int32(luma.height), Int32(luma.bytesPerRow),
            frame.timestampNanoseconds, &out)
        guard status == 0 else { throw TrackingError(status: status, doing: "follow frame \(frame.index)") }
        timings.add(out)
        var result = FrameResult(frame: frame, result: out, camera: configuration.intrinsics)
        result.correction = correction()
        if out.surface_event_count > 0 || out.did_reset != 0 || out.did_return != 0 {
            result.surfaceEvents = try updateSurfaces(eventCount: Int(out.surface_event_count))
        }
        result.surfaces = surfaces
        if configuration.wantsFeatures { result.features = features() }
        return result
    }

    /// Forgets the world and starts over. Surface ids go on counting.
    public func reset() throws {
        let status = fh_session_reset(handle)
        guard status == 0 else { throw TrackingError(status: status, doing: "start over") }
        surfaces = []
    }

    /// The surfaces that the ray meets, nearest first; for `.estimatedPlane`, without asking any of them, a plane through
    /// the points around the ray.
    public func raycast(_ query: RaycastQuery) -> [RaycastResult] {
        guard query.target == .estimatedPlane else { return SurfaceRaycaster(surfaces: surfaces).raycast(query) }
        let origin = [query.ray.origin.x, query.ray.origin.y, query.ray.origin.z]
        let direction = [query.ray.direction.x, query.ray.direction.y, query.ray.direction.z]
        var hit = fh_ray_hit()
        guard fh_session_raycast_points(handle, origin, direction, &hit) == 0, hit.found != 0 else { return [] }
        return [
            RaycastResult(
                target: .estimatedPlane, distance: hit.distance, pointInWorld: SIMD3(hit.position),
                normal: SIMD3(hit.normal), surfaceID: nil, confidence: hit.confidence)
        ]
    }

    /// Refines everything that was seen. Call it once, after the last frame.
    public func finish() throws -> RefinedTrajectory {
        let status = fh_session_finish(handle)
        guard status == 0 else { throw TrackingError(status: status, doing: "refine the camera's path") }
        var count = 0
        _ = fh_session_trajectory(handle, nil, 0, &count)
        var entries = [fh_trajectory_entry](repeating: fh_trajectory_entry(), count: count)
        _ = fh_session_trajectory(handle, &entries, count, &count)
        return RefinedTrajectory(
            entries: entries.map { entry in
                RefinedTrajectory.Entry(
                    frameIndex: Int(entry.frame_index), timestampNanoseconds: entry.timestamp_ns,
                    worldFromCamera: Pose(entry.world_from_camera).flippingCameraAxes)
            })
    }

    func updateSurfaces(eventCount: Int) throws -> [SurfaceEvent] {
        let before = Dictionary(uniqueKeysWithValues: surfaces.map { ($0.id, $0) })
        var count = 0
        _ = fh_session_surfaces(handle, nil, 0, &count)
        if surfaceBuffer.count < count {
            surfaceBuffer = [fh_surface](repeating: fh_surface(), count: count)
        }
        _ = fh_session_surfaces(handle, &surfaceBuffer, surfaceBuffer.count, &count)
        surfaces = surfaceBuffer[..<count].map(PlaneAnchor.init)
        let now = Dictionary(uniqueKeysWithValues: surfaces.map { ($0.id, $0) })
        var events = [fh_surface_event](repeating: fh_surface_event(), count: eventCount)
        var actual = 0
        _ = fh_session_surface_events(handle, &events, events.count, &actual)
        return events.compactMap { event in
            let id = Int(event.id)
            switch event.kind {
            case Int32(FH_SURFACE_ADDED.rawValue): return now[id].map { .added($0) }
            case Int32(FH_SURFACE_UPDATED.rawValue): return now[id].map { .updated($0) }
            case Int32(FH_SURFACE_MERGED.rawValue): return now[Int(event.into)].map { .merged(id: id, into: $0) }
            default: return before[id] != nil ? .removed(id: id) : nil
            }
        }
    }

    private func correction() -> WorldCorrection? {
        var count = 0
        _ = fh_session_correction(handle, nil, 0, &count)
        guard count > 0 else { return nil }
        var parts = [fh_corrected_part](repeating: fh_corrected_part(), count: count)
        _ = fh_session_correction(handle, &parts, count, &count)
        return WorldCorrection(
            parts: parts.map { part in
                WorldCorrection.Part(
                    position: SIMD3(part.position.0, part.position.1, part.position.2), scale: part.scale,
                    pose: Pose(part.change))
            })
    }

    private func features() -> [TrackedFeature] {
        var count = 0
        _ = fh_session_features(handle, nil, 0, &count)
        if featureBuffer.count < count {
            featureBuffer = [fh_feature](repeating: fh_feature(), count: count)
        }
        _ = fh_session_features(handle, &featureBuffer, featureBuffer.count, &count)
        return featureBuffer[..<count].map { feature in
            TrackedFeature(
                pixel: SIMD2(feature.x, feature.y),
                pointInWorld: feature.has_position != 0 ? SIMD3(feature.position) : nil)
        }
    }
}

/// Where the camera was, as known after everything was seen. The public camera axes.
public struct RefinedTrajectory: Sendable {
    public struct Entry: Hashable, Sendable {
        public var frameIndex: Int
        public var timestampNanoseconds: Int64
        public var worldFromCamera: Pose
    }

    /// In time order; frames without a pose are missing.
    public var entries: [Entry]
}
