import CFootholdEngineChecks
import Testing

/// The first map, from made-up tracks with noise, drifting tracks and lost ones.
@Suite struct FirstMapTests {
    private func attempt(
        _ motion: fh_check_motion, seed: UInt64, modelError: Double = 0.004
    ) -> fh_check_first_map_report {
        var report = fh_check_first_map_report()
        #expect(fh_check_first_map(Int32(motion.rawValue), seed, modelError, &report) == 0)
        return report
    }

    struct Movement: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var motion: fh_check_motion
        /// Degrees.
        var directionBound: Double
        var depthBound: Double
        /// Frames, on average, until there is a map; the camera moves by 7 mm a frame.
        var framesBound: Double
    }

    static let movements = [
        Movement(
            testDescription: "sideways before a room", motion: FH_CHECK_MOTION_GENERAL, directionBound: 4,
            depthBound: 0.08, framesBound: 8),
        // A plane tells turning from moving badly, so the direction is less sure.
        Movement(
            testDescription: "sideways before a plane", motion: FH_CHECK_MOTION_PLANAR, directionBound: 25,
            depthBound: 0.15, framesBound: 16),
        Movement(
            testDescription: "forwards", motion: FH_CHECK_MOTION_FORWARD, directionBound: 6, depthBound: 0.08,
            framesBound: 14),
    ]

    @Test
    func aCameraThatIsKnownWorseIsGivenMoreParallax() {
        var (later, both) = (0, 0)
        for seed in UInt64(1)...20 {
            let known = attempt(FH_CHECK_MOTION_FORWARD, seed: seed)
            let unknown = attempt(FH_CHECK_MOTION_FORWARD, seed: seed, modelError: 0.05)
            if unknown.succeeded_at > 0 { #expect(unknown.parallax_share >= 0.3, "seed \(seed)") }
            guard known.succeeded_at > 0 else { continue }
            both += 1
            if unknown.succeeded_at == 0 || unknown.succeeded_at > known.succeeded_at { later += 1 }
        }
        #expect(both >= 15)
        #expect(later * 2 > both, "\(later) of \(both)")
    }

    @Test(arguments: movements)
    func findsTheMapInNineteenOfTwentyStarts(movement: Movement) {
        let seeds = UInt64(1)...50
        var (succeeded, frames) = (0, 0)
        var refused: [UInt64] = []
        for seed in seeds {
            let report = attempt(movement.motion, seed: seed)
            guard report.succeeded_at > 0 else {
                refused.append(seed)
                continue
            }
            frames += Int(report.succeeded_at)
            let isRight =
                report.direction_error_degrees < movement.directionBound && report.rotation_error_degrees < 1
                && report.median_depth_error < movement.depthBound && report.wrong_share < 0.05
            if isRight { succeeded += 1 }
            // A wrong map is worse than none: not one start may be upside down.
            #expect(report.direction_error_degrees < 45, "seed \(seed)")
            #expect(report.median_depth_error < 0.25, "seed \(seed)")
            #expect(abs(report.median_depth - 1) < 1e-6, "seed \(seed)")
        }
        #expect(succeeded * 20 >= seeds.count * 19, "\(succeeded) of \(seeds.count) right; none for \(refused)")
        let mean = Double(frames) / Double(seeds.count - refused.count)
        #expect(mean < movement.framesBound)
    }

    /// Less than a twentieth of the picture's movement is parallax, but no lens could feign it. Where some tracks go their
    /// own way, nothing is begun with.
    @Test func findsTheMapWhileTheCameraMostlyTurns() {
        let begun = (UInt64(1)...50).map { attempt(FH_CHECK_MOTION_SWINGING, seed: $0) }.filter { $0.succeeded_at > 0 }
        #expect(begun.count >= 20)
        for report in begun {
            #expect(report.parallax_share < 0.03)
            #expect(report.direction_error_degrees < 5 && report.rotation_error_degrees < 0.5)
            #expect(report.median_depth_error < 0.15 && report.wrong_share < 0.05)
        }
    }

    @Test(arguments: UInt64(1)...8)
    func promisesNoMoreAboutDepthsThanItKeeps(seed: UInt64) {
        let report = attempt(FH_CHECK_MOTION_GENERAL, seed: seed)
        #expect(report.succeeded_at > 0)
        #expect(report.variance_ratio < 6)
    }

    @Test(arguments: [FH_CHECK_MOTION_TURNING, FH_CHECK_MOTION_PLANAR_TURNING])
    func refusesTurningAlone(motion: fh_check_motion) {
        for seed in UInt64(1)...12 {
            let report = attempt(motion, seed: seed)
            #expect(report.succeeded_at == 0, "seed \(seed)")
            // Said to be turning once it moves at all.
            #expect(report.status_counts.3 > 40, "seed \(seed)")
        }
    }

    /// What a lens that nobody knows does to a turn isn't taken for things at several depths.
    @Test func refusesTurningBehindAnUnknownLens() {
        for seed in UInt64(1)...12 {
            let report = attempt(FH_CHECK_MOTION_TURNING_BENT, seed: seed)
            #expect(report.succeeded_at == 0, "seed \(seed)")
            // It looks like parallax, though.
            #expect(report.status_counts.4 > 0, "seed \(seed)")
        }
    }

    @Test(arguments: [FH_CHECK_MOTION_STILL, FH_CHECK_MOTION_MOVING_THING])
    func refusesAStandingCamera(motion: fh_check_motion) {
        for seed in UInt64(1)...12 {
            let report = attempt(motion, seed: seed)
            #expect(report.succeeded_at == 0, "seed \(seed)")
            #expect(report.status_counts.2 == 45, "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(1)...5)
    func smoothFieldsLeaveTheirNoiseAndDepthsMore(seed: UInt64) {
        // The median length of two normal variables is 1.18 deviations.
        #expect(abs(fh_check_beyond_smooth_flow(seed, 0) - 1.18 * 0.3) < 0.1)
        #expect(abs(fh_check_beyond_smooth_flow(seed, 6) - 3) < 0.5)
    }

    @Test(arguments: [0, 0.3, 0.7, 1])
    func stillShareCountsPlacesAndNotPoints(moving: Double) {
        // Cells are whole, so the share may miss by one of 144.
        #expect(abs(fh_check_still_share(1, moving) - (1 - moving)) < 0.01)
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension fh_check_motion: @retroactive CustomTestStringConvertible {
    public var testDescription: String { "motion \(rawValue)" }
}
