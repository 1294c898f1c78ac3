import CFootholdEngine
import Testing

/// The C boundary with arguments that make no sense: a status, never a crash.
@Suite struct BoundaryTests {
    private static let width: Int32 = 96
    private static let height: Int32 = 80

    private func sane() -> fh_session_config {
        var config = fh_session_config()
        config.struct_size = UInt32(MemoryLayout<fh_session_config>.size)
        config.camera.width = Self.width
        config.camera.height = Self.height
        (config.camera.fx, config.camera.fy) = (80, 80)
        (config.camera.cx, config.camera.cy) = (47.5, 39.5)
        return config
    }

    private func status(_ change: (inout fh_session_config) -> Void) -> fh_status {
        var config = sane()
        change(&config)
        var session: OpaquePointer?
        let status = fh_session_create(&config, &session)
        #expect((session != nil) == (status == 0))
        fh_session_destroy(session)
        return fh_status(UInt32(status))
    }

    /// A session, and luma of the right size with some texture.
    private func withSession<Result>(
        _ change: (inout fh_session_config) -> Void = { _ in }, _ body: (OpaquePointer, [UInt8]) throws -> Result
    ) throws -> Result {
        var config = sane()
        change(&config)
        var session: OpaquePointer?
        #expect(fh_session_create(&config, &session) == 0)
        let handle = try #require(session)
        defer { fh_session_destroy(handle) }
        // Blocks of random brightness: noise would be smoothed away.
        let luma = (0..<Int(Self.width * Self.height)).map { index -> UInt8 in
            let block = index % Int(Self.width) / 7 + 100 * (index / Int(Self.width) / 7)
            return UInt8(truncatingIfNeeded: (block &* 2_654_435_761) >> 13)
        }
        return try body(handle, luma)
    }

    @Test func everyStatusHasItsOwnText() {
        let texts = (0...8).map { String(cString: fh_status_text($0)) }
        #expect(Set(texts).count == 9)
        #expect(texts.allSatisfy { !$0.isEmpty })
        for unknown in [Int32(-1), 99, .max, .min] { #expect(!String(cString: fh_status_text(unknown)).isEmpty) }
    }

    @Test func destroyingNothingIsAllowed() { fh_session_destroy(nil) }

    @Test func nullsAreRefused() throws {
        var config = sane()
        var session: OpaquePointer?
        #expect(fh_session_create(nil, &session) == 1)
        #expect(fh_session_create(&config, nil) == 1)
        #expect(fh_session_reset(nil) == 1)
        #expect(fh_session_finish(nil) == 1)
        var result = fh_frame_result()
        var sample = fh_imu_sample()
        var hit = fh_ray_hit()
        var count = 0
        var bytes: UnsafePointer<UInt8>?
        #expect(fh_session_save_world(nil, nil, 0, &bytes, &count) == 1)
        #expect(fh_session_load_world(nil, [0], 1) == 1)
        #expect(fh_world_attachment(nil, 5, &bytes, &count) == 1)
        #expect(fh_world_attachment([0], 1, nil, &count) == 1)
        #expect(fh_world_attachment([0], 1, &bytes, nil) == 1)
        #expect(fh_session_add_imu(nil, &sample, 1) == 1)
        #expect(fh_session_process(nil, [0], Self.width, Self.height, Self.width, 0, &result) == 1)
        #expect(fh_session_surface_events(nil, nil, 0, &count) == 1)
        #expect(fh_session_surfaces(nil, nil, 0, &count) == 1)
        #expect(fh_session_features(nil, nil, 0, &count) == 1)
        #expect(fh_session_trajectory(nil, nil, 0, &count) == 1)
        #expect(fh_session_raycast_points(nil, [0, 0, 0], [0, 0, 1], &hit) == 1)
        try withSession { handle, luma in
            #expect(fh_session_process(handle, nil, Self.width, Self.height, Self.width, 0, &result) == 1)
            #expect(fh_session_process(handle, luma, Self.width, Self.height, Self.width, 0, nil) == 1)
            #expect(fh_session_add_imu(handle, nil, 3) == 1)
            #expect(fh_session_add_imu(handle, nil, 0) == 0)
            #expect(fh_session_raycast_points(handle, nil, [0, 0, 1], &hit) == 1)
            #expect(fh_session_raycast_points(handle, [0, 0, 0], nil, &hit) == 1)
            #expect(fh_session_raycast_points(handle, [0, 0, 0], [0, 0, 1], nil) == 1)
            #expect(fh_session_surface_events(handle, nil, 0, nil) == 1)
            #expect(fh_session_surface_events(handle, nil, 5, &count) == 1)
            #expect(fh_session_surfaces(handle, nil, 0, nil) == 1)
            #expect(fh_session_surfaces(handle, nil, 5, &count) == 1)
            #expect(fh_session_features(handle, nil, 0, nil) == 1)
            #expect(fh_session_features(handle, nil, 5, &count) == 1)
            #expect(fh_session_trajectory(handle, nil, 0, nil) == 1)
            #expect(fh_session_trajectory(handle, nil, 5, &count) == 1)
            #expect(fh_session_save_world(handle, nil, 3, &bytes, &count) == 1)
            #expect(fh_session_save_world(handle, nil, 0, nil, &count) == 1)
            #expect(fh_session_save_world(handle, nil, 0, &bytes, nil) == 1)
            #expect(fh_session_load_world(handle, nil, 5) == 1)
        }
    }

    @Test func aConfigurationOfAnotherSizeIsRefused() {
        #expect(status { $0.struct_size = 0 } == FH_INVALID_ARGUMENT)
        #expect(status { $0.struct_size -= 8 } == FH_INVALID_ARGUMENT)
        #expect(status { $0.struct_size = .max } == FH_INVALID_ARGUMENT)
        #expect(status { _ in } == FH_OK)
    }

    @Test func camerasThatMakeNoSenseAreRefused() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(status { $0.camera.fx = value } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.fy = value } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.cx = value } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.cy = value } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.coefficients.2 = value } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.coefficients.4 = value } == FH_INVALID_ARGUMENT)
        }
        for value in [0.0, -80] {
            #expect(status { $0.camera.fx = value } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.fy = value } == FH_INVALID_ARGUMENT)
        }
        for size in [Int32(-5), 0, 1, 63, 16385, .max, .min] {
            #expect(status { $0.camera.width = size } == FH_INVALID_ARGUMENT)
            #expect(status { $0.camera.height = size } == FH_INVALID_ARGUMENT)
        }
        for model in [Int32(-1), 3, .max] {
            #expect(status { $0.camera.distortion = model } == FH_INVALID_ARGUMENT)
        }
    }

    struct OddCamera: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout fh_camera) -> Void
    }

    static let oddCameras = [
        OddCamera(testDescription: "almost no focal length") { ($0.fx, $0.fy) = (1e-300, 1e-300) },
        OddCamera(testDescription: "an endless focal length") { ($0.fx, $0.fy) = (1e300, 1e300) },
        OddCamera(testDescription: "a centre far outside") { ($0.cx, $0.cy) = (1e300, -1e300) },
        OddCamera(testDescription: "a very uneven pixel") { ($0.fx, $0.fy) = (1e-3, 1e6) },
        OddCamera(testDescription: "a wild radial lens") {
            $0.distortion = 1
            $0.coefficients = (1e10, -1e12, 5, -5, 1e15)
        },
        OddCamera(testDescription: "a wild fisheye") {
            $0.distortion = 2
            $0.coefficients = (-1e10, 1e12, 1e3, -1e15, 0)
        },
    ]

    /// Finite but absurd: nothing can be tracked, and nothing may break.
    @Test(arguments: oddCameras)
    func absurdCamerasDoNotBreakIt(camera: OddCamera) throws {
        let changed = { (config: inout fh_session_config) in camera.change(&config.camera) }
        try withSession(changed) { handle, luma in
            var result = fh_frame_result()
            for frame in 0..<6 as Range<Int64> {
                let shifted = Array(luma[Int(frame)...] + luma[..<Int(frame)])
                let status = fh_session_process(
                    handle, shifted, Self.width, Self.height, Self.width, frame * 33_000_000, &result)
                #expect(status == 0)
            }
            #expect(fh_session_finish(handle) == 0)
        }
    }

    @Test func framesOfAnotherSizeAreRefusedAndChangeNothing() throws {
        try withSession { handle, luma in
            let (w, h) = (Self.width, Self.height)
            var result = fh_frame_result()
            for (width, height, stride) in [
                (w - 1, h, w), (w, h + 1, w), (h, w, h), (0, 0, 0), (-w, h, w), (w, h, w - 1), (w, h, -w), (w, h, 0),
            ] {
                #expect(fh_session_process(handle, luma, width, height, stride, 5, &result) == 1)
            }
            // The time of a refused frame is still free.
            #expect(fh_session_process(handle, luma, w, h, w, 5, &result) == 0)
        }
    }

    @Test func timeMustAdvance() throws {
        try withSession { handle, luma in
            var result = fh_frame_result()
            func process(_ time: Int64) -> Int32 {
                fh_session_process(handle, luma, Self.width, Self.height, Self.width, time, &result)
            }
            #expect(process(-100) == 0)
            #expect(process(-100) == 1)
            #expect(process(-101) == 1)
            #expect(process(-99) == 0)
            #expect(process(.max) == 1)
            #expect(process(.min) == 1)
            #expect(process(-98) == 0)
        }
    }

    /// A time from the first to the last of them is a number too.
    @Test func timesAreWithinAHundredYearsOrTwo() throws {
        let most = Int64.max / 2 - 3
        for (first, last) in [(-most, most), (.min, .min + 1), (.max - 1, .max)] {
            try withSession { handle, luma in
                let isSane = first == -most
                for time in [first, last] {
                    var sample = fh_imu_sample(timestamp_ns: time, gyro: (0, 0, 0), accel: (0, -9.81, 0))
                    #expect((fh_session_add_imu(handle, &sample, 1) == 0) == isSane)
                    var result = fh_frame_result()
                    let status = fh_session_process(
                        handle, luma, Self.width, Self.height, Self.width, time, &result)
                    #expect((status == 0) == isSane)
                }
            }
        }
    }

    @Test func countsComeWithoutBuffersAndBuffersAreNeverOverrun() throws {
        try withSession { handle, luma in
            var result = fh_frame_result()
            #expect(fh_session_process(handle, luma, Self.width, Self.height, Self.width, 0, &result) == 0)
            var count = -1
            #expect(fh_session_features(handle, nil, 0, &count) == 0)
            try #require(count > 4)
            var untouched = fh_feature()
            untouched.x = -12345
            var features = [fh_feature](repeating: untouched, count: count + 2)
            var again = 0
            #expect(fh_session_features(handle, &features, 3, &again) == 0)
            #expect(again == count)
            #expect(features[2].x >= 0)
            #expect(features[3...].allSatisfy { $0.x == -12345 })
            #expect(fh_session_surfaces(handle, nil, 0, &count) == 0)
            #expect(count == 0)
            #expect(fh_session_surface_events(handle, nil, 0, &count) == 0)
            #expect(count == 0)
            #expect(fh_session_trajectory(handle, nil, 0, &count) == 0)
            #expect(count == 0)
        }
    }

    @Test func everythingAnswersBeforeTheFirstFrame() throws {
        try withSession { handle, _ in
            var count = -1
            #expect(fh_session_features(handle, nil, 0, &count) == 0)
            #expect(count == 0)
            var hit = fh_ray_hit()
            #expect(fh_session_raycast_points(handle, [0, 0, 0], [0, 0, 1], &hit) == 0)
            #expect(hit.found == 0)
            #expect(fh_session_raycast_points(handle, [.nan, 0, 0], [0, .infinity, 0], &hit) == 0)
            #expect(hit.found == 0)
            #expect(fh_session_reset(handle) == 0)
            #expect(fh_session_finish(handle) == 0)
        }
    }

    @Test func depthIsRefusedWithoutAPoseAndWithASizeOfAnotherVersion() throws {
        try withSession { handle, luma in
            var map = fh_depth_map()
            map.struct_size = UInt32(MemoryLayout<fh_depth_map>.size)
            #expect(fh_session_depth_map(nil, &map) == 1)
            #expect(fh_session_depth_map(handle, nil) == 1)
            #expect(fh_session_depth_map(handle, &map) == Int32(FH_NO_WORLD.rawValue))
            var result = fh_frame_result()
            #expect(fh_session_process(handle, luma, Self.width, Self.height, Self.width, 0, &result) == 0)
            #expect(fh_session_depth_map(handle, &map) == Int32(FH_NO_WORLD.rawValue))
            #expect(map.depth == nil)
            map.struct_size -= 1
            #expect(fh_session_depth_map(handle, &map) == 1)
        }
    }

    @Test func paddedRowsGiveTheSameResultAsPackedOnes() throws {
        let (w, h) = (Int(Self.width), Int(Self.height))
        func features(_ stride: Int) throws -> [Double] {
            try withSession { handle, luma in
                var padded = [UInt8](repeating: 255, count: stride * h)
                for row in 0..<h {
                    padded.replaceSubrange(row * stride..<row * stride + w, with: luma[row * w..<(row + 1) * w])
                }
                var result = fh_frame_result()
                #expect(fh_session_process(handle, padded, Self.width, Self.height, Int32(stride), 0, &result) == 0)
                var count = 0
                #expect(fh_session_features(handle, nil, 0, &count) == 0)
                var features = [fh_feature](repeating: fh_feature(), count: count)
                #expect(fh_session_features(handle, &features, count, &count) == 0)
                return features.flatMap { [$0.x, $0.y] } + [result.brightness, result.sharpness]
            }
        }
        let packed = try features(w)
        #expect(packed.count > 10)
        #expect(try features(w + 13) == packed)
    }
}
