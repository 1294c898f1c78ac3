import CFootholdEngine

extension SIMD3 where Scalar == Double {
    init(_ tuple: (Double, Double, Double)) { self.init(tuple.0, tuple.1, tuple.2) }
}

extension Pose {
    /// As the engine gives it, with the camera's computer-vision axes.
    init(_ pose: fh_pose) {
        let q = pose.quaternion
        self.init(rotation: Rotation(x: q.0, y: q.1, z: q.2, w: q.3), position: SIMD3(pose.position))
    }
}

extension fh_camera {
    init(_ intrinsics: CameraIntrinsics) {
        self.init()
        width = Int32(clamping: intrinsics.width)
        height = Int32(clamping: intrinsics.height)
        (fx, fy, cx, cy) = (intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy)
        switch intrinsics.distortion {
        case .none:
            distortion = Int32(FH_DISTORTION_NONE.rawValue)
        case .radialTangential(let k1, let k2, let p1, let p2, let k3):
            distortion = Int32(FH_DISTORTION_RADIAL_TANGENTIAL.rawValue)
            coefficients = (k1, k2, p1, p2, k3)
        case .fisheye(let k1, let k2, let k3, let k4):
            distortion = Int32(FH_DISTORTION_FISHEYE.rawValue)
            coefficients = (k1, k2, k3, k4, 0)
        }
    }
}

extension CameraIntrinsics.Distortion {
    fileprivate init(_ model: Int32, _ k: (Double, Double, Double, Double, Double)) {
        switch model {
        case Int32(FH_DISTORTION_RADIAL_TANGENTIAL.rawValue):
            self = .radialTangential(k1: k.0, k2: k.1, p1: k.2, p2: k.3, k3: k.4)
        case Int32(FH_DISTORTION_FISHEYE.rawValue): self = .fisheye(k1: k.0, k2: k.1, k3: k.2, k4: k.3)
        default: self = .none
        }
    }
}

extension TrackingState {
    init(state: Int32, reason: Int32) {
        switch (state, reason) {
        case (Int32(FH_TRACKING_NORMAL.rawValue), _): self = .normal
        case (Int32(FH_TRACKING_LIMITED.rawValue), Int32(FH_REASON_RELOCALIZING.rawValue)):
            self = .limited(.relocalizing)
        case (Int32(FH_TRACKING_LIMITED.rawValue), Int32(FH_REASON_EXCESSIVE_MOTION.rawValue)):
            self = .limited(.excessiveMotion)
        case (Int32(FH_TRACKING_LIMITED.rawValue), Int32(FH_REASON_INSUFFICIENT_FEATURES.rawValue)):
            self = .limited(.insufficientFeatures)
        case (Int32(FH_TRACKING_LIMITED.rawValue), Int32(FH_REASON_INSUFFICIENT_LIGHT.rawValue)):
            self = .limited(.insufficientLight)
        case (Int32(FH_TRACKING_LIMITED.rawValue), Int32(FH_REASON_NO_TRANSLATION.rawValue)):
            self = .limited(.noTranslation)
        case (Int32(FH_TRACKING_LIMITED.rawValue), _): self = .limited(.initializing)
        default: self = .notAvailable
        }
    }
}

extension KnownWorld {
    init(_ state: Int32) {
        switch state {
        case Int32(FH_KNOWN_WORLD_SOUGHT.rawValue): self = .sought
        case Int32(FH_KNOWN_WORLD_FOUND.rawValue): self = .found
        default: self = .none
        }
    }
}

extension PlaneAnchor {
    init(_ surface: fh_surface) {
        let alignment: Alignment =
            switch surface.alignment {
            case Int32(FH_ALIGNMENT_HORIZONTAL_UP.rawValue): .horizontal
            case Int32(FH_ALIGNMENT_HORIZONTAL_DOWN.rawValue): .horizontalDown
            case Int32(FH_ALIGNMENT_VERTICAL.rawValue): .vertical
            default: .other
            }
        let classification: Classification =
            switch surface.classification {
            case Int32(FH_CLASS_FLOOR.rawValue): .floor
            case Int32(FH_CLASS_WALL.rawValue): .wall
            case Int32(FH_CLASS_CEILING.rawValue): .ceiling
            case Int32(FH_CLASS_TABLE.rawValue): .table
            case Int32(FH_CLASS_SEAT.rawValue): .seat
            default: .unknown
            }
        let coordinates = UnsafeBufferPointer(start: surface.boundary, count: 2 * Int(surface.boundary_count))
        let boundary = stride(from: 0, to: coordinates.count, by: 2).map {
            SIMD2(coordinates[$0], coordinates[$0 + 1])
        }
        self.init(
            id: Int(surface.id), alignment: alignment, classification: classification,
            worldFromSurface: Pose(surface.world_from_surface),
            localCenter: SIMD2(surface.center_x, surface.center_z),
            extent: SIMD2(surface.extent_x, surface.extent_z), boundary: boundary, confidence: surface.confidence,
            firstSeenNanoseconds: surface.first_seen_ns, lastUpdatedNanoseconds: surface.last_updated_ns)
    }
}

extension FrameResult {
    init(frame: Frame, result: fh_frame_result, camera: CameraIntrinsics) {
        var intrinsics = camera
        (intrinsics.fx, intrinsics.fy) = (result.fx, result.fy)
        (intrinsics.cx, intrinsics.cy) = (result.cx, result.cy)
        intrinsics.distortion = CameraIntrinsics.Distortion(result.distortion, result.coefficients)
        let isFound = camera.source == .guessed && result.fx != camera.fx
        if isFound || result.is_camera_doubted != 0 { intrinsics.source = .estimated }
        var diagnostics = FrameDiagnostics()
        diagnostics.brightness = result.brightness
        diagnostics.darkShare = result.dark_share
        diagnostics.brightShare = result.bright_share
        diagnostics.sharpness = result.sharpness
        diagnostics.textureShare = result.texture_share
        diagnostics.change = result.change
        diagnostics.detailShare = result.detail_share
        diagnostics.repetition = result.repetition
        diagnostics.trackedCount = Int(result.tracked_count)
        diagnostics.inlierCount = Int(result.inlier_count)
        diagnostics.flow = result.flow
        diagnostics.angularSpeedRadiansPerSecond = result.angular_speed
        diagnostics.parallaxPixels = result.parallax_pixels
        diagnostics.reprojectionErrorPixels = result.reprojection_error_pixels
        VideoRange.widen(&diagnostics, of: frame.pixels)
        self.init(
            frameIndex: frame.index, timestampNanoseconds: frame.timestampNanoseconds,
            trackingState: TrackingState(state: result.tracking_state, reason: result.limited_reason),
            worldFromCamera: result.has_pose != 0 ? Pose(result.world_from_camera).flippingCameraAxes : nil,
            intrinsics: intrinsics, light: LightEstimate(intensity: diagnostics.brightness),
            scale: ScaleEstimate(
                source: result.scale_source == Int32(FH_SCALE_INERTIAL.rawValue)
                    ? .inertial : result.scale_source == Int32(FH_SCALE_STATED.rawValue) ? .stated : .assumed,
                confidence: result.scale_confidence,
                metresPerUnit: result.metres_per_unit > 0 ? result.metres_per_unit : nil),
            diagnostics: diagnostics, isKeyframe: result.is_keyframe != 0, didReset: result.did_reset != 0,
            knownWorld: KnownWorld(result.known_world), worldID: Int(result.world_id),
            didReturn: result.did_return != 0,
            absorbed: result.absorbed_world_id == 0
                ? nil
                : AbsorbedWorld(
                    id: Int(result.absorbed_world_id), scale: result.absorbed_scale,
                    pose: Pose(result.world_from_absorbed)))
    }
}
