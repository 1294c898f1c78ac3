import CFootholdEngineChecks
import Foundation
import Testing

/// Estimators that are told the truth, with and without noise, must find it.
@Suite struct EstimatorTests {
    // MARK: The camera's pose from points

    @Test(arguments: UInt64(1)...6)
    func poseIsExactWithoutNoise(seed: UInt64) {
        var report = fh_check_pose_report()
        fh_check_pose(seed, 0, 0, &report)
        #expect(report.succeeded == 1)
        #expect(report.inlier_count == 200)
        #expect(report.rotation_error_rad < 1e-9)
        #expect(report.position_error_m < 1e-9)
        #expect(report.rms_pixels < 1e-6)
    }

    @Test(arguments: UInt64(1)...12)
    func poseWithstandsAThirdOfOutliers(seed: UInt64) {
        var report = fh_check_pose_report()
        fh_check_pose(seed, 0.5, 0.3, &report)
        #expect(report.succeeded == 1)
        #expect(report.false_inliers == 0)
        #expect(report.false_outliers <= 2)
        // 0.05° and 2.5 mm, from points at 2.5 m.
        #expect(report.rotation_error_rad < 0.001)
        #expect(report.position_error_m < 0.0025)
        #expect(report.rms_pixels < 0.8)
    }

    @Test(arguments: [0, 0.05])
    func poseErrorsAreAsLargeAsTheCovarianceSays(depthDeviation: Double) {
        var (smallest, largest, consistency) = (0.0, 0.0, 0.0)
        #expect(fh_check_pose_covariance(3, 200, depthDeviation, &smallest, &largest, &consistency) == 0)
        #expect(smallest > 0.7)
        #expect(largest < 1.4)
        #expect(consistency > 0.7)
        #expect(consistency < 1.5)
    }

    @Test(arguments: [(0, 1), (1, 1), (3, 1), (5, 1), (6, 0), (8, 0)])
    func poseOfTooFewPointsIsRefusedAndLeftAlone(count: Int, expected: Int) {
        #expect(fh_check_pose_with_few_points(2, Int32(count)) == Int32(expected))
    }

    // MARK: Bundle adjustment

    private func adjust(_ seed: UInt64, _ change: (inout fh_check_bundle_options) -> Void) -> fh_check_bundle_report {
        var options = fh_check_bundle_options()
        options.huber_pixels = 1
        options.max_iterations = 40
        options.fixed_poses = 2
        options.prior_noise_pixels = 1
        change(&options)
        var report = fh_check_bundle_report()
        fh_check_bundle(seed, &options, &report)
        return report
    }

    @Test(arguments: UInt64(1)...4)
    func bundleAdjustmentFindsTheExactWorldAgain(seed: UInt64) {
        let report = adjust(seed) { _ in }
        #expect(report.initial_cost > 1e4)
        #expect(report.final_cost < 1e-12)
        #expect(report.rotation_error_rad < 1e-6)
        #expect(report.position_error_m < 1e-6)
        #expect(report.worst_depth_error < 1e-6)
        #expect(report.fixed_motion == 0)
        #expect(report.log_focal_sigma == .infinity)
    }

    @Test(arguments: UInt64(1)...4)
    func bundleAdjustmentWithstandsATenthOfOutliers(seed: UInt64) {
        let robust = adjust(seed) {
            $0.noise_pixels = 0.3
            $0.outlier_share = 0.1
        }
        #expect(robust.rotation_error_rad < 0.002)
        #expect(robust.position_error_m < 0.004)
        #expect(robust.median_depth_error < 0.003)
        #expect(robust.noise_pixels > 0.25)
        #expect(robust.noise_pixels < 0.4)
        let plain = adjust(seed) {
            $0.noise_pixels = 0.3
            $0.outlier_share = 0.1
            $0.huber_pixels = 1e6
        }
        #expect(robust.rotation_error_rad < 0.3 * plain.rotation_error_rad)
        #expect(robust.position_error_m < 0.3 * plain.position_error_m)
    }

    @Test(arguments: UInt64(1)...4)
    func fixedPosesStayWhereTheyAreWhileDepthsImprove(seed: UInt64) {
        let report = adjust(seed) {
            $0.noise_pixels = 0.3
            $0.fixed_poses = 10
        }
        #expect(report.fixed_motion == 0)
        #expect(report.position_error_m == 0)
        #expect(report.median_depth_error < 0.001)
        #expect(report.worst_depth_error < 0.01)
    }

    @Test(arguments: UInt64(1)...4)
    func aFocalLengthThatIsFivePercentOffIsFound(seed: UInt64) {
        let exact = adjust(seed) { $0.focal_error = 0.05 }
        #expect(abs(exact.focal_error) < 1e-6)
        #expect(exact.position_error_m < 1e-6)
        let noisy = adjust(seed) {
            $0.focal_error = -0.05
            $0.noise_pixels = 0.3
        }
        #expect(abs(noisy.focal_error) < 0.005)
        // The claimed deviation is for noise of one pixel.
        #expect(abs(noisy.focal_error) < 3.5 * 0.3 * noisy.log_focal_sigma)
    }

    @Test(arguments: UInt64(1)...3)
    func whatIsKnownOfTheFocalLengthBeforehandCountsByItsSpread(seed: UInt64) {
        func found(_ sigma: Double) -> fh_check_bundle_report {
            adjust(seed) {
                $0.focal_error = 0.05
                $0.noise_pixels = 0.3
                $0.prior_noise_pixels = 0.3
                $0.focal_prior_sigma = sigma
            }
        }
        let free = found(0)
        let held = found(free.log_focal_sigma / 100)
        let halved = found(free.log_focal_sigma)
        #expect(abs(held.focal_error - 0.05) < 0.001)
        // An equally sure prior meets the observations half way, and both together are surer by √2.
        #expect(abs(halved.focal_error - 0.5 * (free.focal_error + 0.05)) < 0.3 * 0.05)
        #expect(abs(halved.log_focal_sigma * 2.0.squareRoot() / free.log_focal_sigma - 1) < 0.15)
    }

    @Test(arguments: UInt64(1)...3)
    func aRollingShuttersReadoutIsFound(seed: UInt64) {
        let exact = adjust(seed) { $0.readout = 0.02 }
        #expect(exact.final_cost < 1e-12)
        #expect(abs(exact.readout - 0.02) < 1e-8)
        #expect(exact.position_error_m < 1e-6)
        let noisy = adjust(seed) {
            $0.readout = 0.02
            $0.noise_pixels = 0.3
            $0.prior_noise_pixels = 0.3
            $0.focal_error = 0.03
        }
        #expect(abs(noisy.readout - 0.02) < 4 * noisy.readout_sigma)
        #expect(noisy.readout_sigma < 0.004)
    }

    @Test(arguments: UInt64(1)...3)
    func askingForAReadoutNeitherMovesAnythingNorFeignsOne(seed: UInt64) {
        let none = adjust(seed) {
            $0.noise_pixels = 0.3
            $0.prior_noise_pixels = 0.3
        }
        #expect(none.readout_sigma == .infinity)
        let asked = adjust(seed) {
            $0.noise_pixels = 0.3
            $0.prior_noise_pixels = 0.3
            $0.readout = 0.02
            $0.probe_readout = 1
        }
        // A step of Gauss and Newton's towards the truth, from a map that is bent to do without.
        #expect(abs(asked.readout - 0.02) < 0.008)
        #expect(asked.readout > 4 * asked.readout_sigma)
    }

    @Test(arguments: UInt64(1)...3)
    func askingForAnotherCameraNeitherMovesAnythingNorFeignsOne(seed: UInt64) {
        func asked(
            _ error: Double = 0, center: Double = 0, bend: Double = 0, probe: Int32 = 1
        ) -> fh_check_bundle_report {
            adjust(seed) {
                $0.noise_pixels = 0.3
                $0.prior_noise_pixels = 0.3
                $0.focal_error = error
                ($0.center_x, $0.center_y) = (center, -center)
                $0.bend = bend
                $0.probe_camera = probe
            }
        }
        let unasked = asked(probe: 0)
        #expect(unasked.log_focal_sigma == .infinity && unasked.log_focal_step == 0)
        let right = asked()
        #expect(right.focal_error == 0)
        #expect(right.final_cost == unasked.final_cost && right.position_error_m == unasked.position_error_m)
        #expect(abs(right.log_focal_step) < 4 * right.log_focal_sigma)
        #expect(max(abs(right.center_x), abs(right.center_y)) < 4 * right.center_sigma)
        #expect(abs(right.bend) < 4 * right.bend_sigma)
        // A step of Gauss and Newton's towards the truth, from a map that is bent to do with what is wrong.
        let long = asked(0.03)
        #expect(abs(long.focal_error - 0.03) < 1e-12)
        #expect(long.log_focal_step < -4 * long.log_focal_sigma)
        #expect(abs(exp(long.log_focal_step) * 1.03 - 1) < 0.012)
        let bent = asked(bend: -0.05)
        #expect(bent.bend < -4 * bent.bend_sigma)
        let aside = asked(center: 12)
        #expect(abs(aside.center_x - 12) < 4 && abs(aside.center_y + 12) < 4)
        #expect(min(aside.center_x, -aside.center_y) > 4 * aside.center_sigma)
    }

    @Test(arguments: UInt64(1)...3, [0.03, -0.12])
    func howMuchALensBendsThePictureIsFound(seed: UInt64, bend: Double) {
        let exact = adjust(seed) {
            $0.bend = bend
            $0.bend_excess = 0.01
            $0.focal_error = 0.05
        }
        #expect(exact.final_cost < 1e-12)
        #expect(abs(exact.bend - bend) < 1e-8)
        #expect(abs(exact.bend_excess - 0.01) < 1e-8)
        #expect(abs(exact.focal_error) < 1e-6)
        let noisy = adjust(seed) {
            $0.bend = bend
            $0.noise_pixels = 0.3
            $0.prior_noise_pixels = 0.3
            $0.bend_excess_prior_sigma = 0.001
            $0.focal_error = 0.03
        }
        #expect(abs(noisy.bend - bend) < 4 * noisy.bend_sigma)
        #expect(noisy.bend_sigma < 0.004)
        // Beside an equally sure belief in none, half of it.
        let held = adjust(seed) {
            $0.bend = bend
            $0.noise_pixels = 0.3
            $0.prior_noise_pixels = 0.3
            $0.bend_prior_sigma = noisy.bend_sigma
            $0.bend_excess_prior_sigma = 0.001
            $0.focal_error = 0.03
        }
        #expect(abs(held.bend / bend - 0.5) < 0.25)
    }

    @Test(arguments: UInt64(1)...3)
    func thePrincipalPointIsFound(seed: UInt64) {
        func off(_ report: fh_check_bundle_report) -> Double {
            max(abs(report.center_x - 6), abs(report.center_y + 9))
        }
        let exact = adjust(seed) {
            ($0.center_x, $0.center_y) = (6, -9)
            $0.bend = -0.05
            $0.focal_error = 0.05
        }
        #expect(exact.final_cost < 1e-12)
        #expect(off(exact) < 1e-4)
        #expect(abs(exact.bend + 0.05) < 1e-6)
        func noisy(prior: Double = 0) -> fh_check_bundle_report {
            adjust(seed) {
                ($0.center_x, $0.center_y) = (6, -9)
                $0.noise_pixels = 0.3
                $0.prior_noise_pixels = 0.3
                $0.center_prior_sigma = prior
                $0.focal_error = 0.03
            }
        }
        let free = noisy()
        #expect(off(free) < 4 * free.center_sigma)
        #expect(free.center_sigma < 3)
        // Beside a far surer belief in the middle, it stays there.
        let held = noisy(prior: 0.02 * free.center_sigma)
        #expect(abs(held.center_x) + abs(held.center_y) < 0.5)
    }

    @Test(arguments: UInt64(1)...3)
    func askingForABendMovesNothingAndFeignsNone(seed: UInt64) {
        func asked(_ bend: Double, probe: Int32) -> fh_check_bundle_report {
            adjust(seed) {
                $0.noise_pixels = 0.3
                $0.prior_noise_pixels = 0.3
                $0.focal_error = 0.03
                $0.bend = bend
                $0.probe_bend = probe
            }
        }
        let unasked = asked(0, probe: 0)
        #expect(unasked.bend_sigma == .infinity)
        let none = asked(0, probe: 1)
        #expect(none.focal_error == unasked.focal_error)
        #expect(abs(none.log_focal_sigma / unasked.log_focal_sigma - 1) < 1e-6)
        #expect(abs(none.bend) < 4 * none.bend_sigma)
        let some = asked(-0.05, probe: 1)
        #expect(some.bend < -4 * some.bend_sigma)
    }

    @Test(arguments: UInt64(1)...3)
    func depthErrorsAreAsLargeAsTheirVarianceSays(seed: UInt64) {
        let ratio = fh_check_bundle_depth_variance(seed)
        #expect(ratio > 0.85)
        #expect(ratio < 1.15)
    }

    @Test func aWindowOfSteadySizeAllocatesNothing() {
        #expect(adjust(1) { $0.noise_pixels = 0.3 }.second_run_allocations == 0)
        #expect(
            adjust(1) {
                $0.focal_error = 0.05
                $0.noise_pixels = 0.3
            }.second_run_allocations == 0)
    }

    // MARK: Frames after the fact

    @Test func refinedPosesFollowTheMapAsItBecame() {
        var report = fh_check_log_report()
        fh_check_frame_log(1, &report)
        #expect(report.returned == report.logged)
        #expect(report.kept_order == 1)
        #expect(report.kept_order_together == 1)
        // From their own sights, whatever was thought of them then.
        #expect(report.refined_error_m < 1e-6)
        // Without sights, along with their keyframe.
        #expect(report.following_error_m < 1e-9)
        // What another point is seen as now says nothing about then.
        #expect(report.reused_error_m < 1e-9)
        #expect(report.after_clear == 0)
    }
}
