import CFootholdEngine
import CFootholdEngineChecks
import Testing

/// Derivatives against central differences, and the laws that rotations and lenses keep.
@Suite struct DerivativeTests {
    @Test func reprojectionDerivativesAreThoseOfCentralDifferences() {
        var report = fh_check_jacobian_report()
        fh_check_reprojection_jacobians(1, 1000, &report)
        #expect(report.trials > 900)
        #expect(report.by_host < 1e-7)
        #expect(report.by_target < 1e-7)
        #expect(report.by_inverse_depth < 1e-7)
        #expect(report.by_log_focal < 1e-7)
        #expect(report.by_host_pixel < 1e-7)
    }

    @Test func rollingShuttersMovePixelsAsCentralDifferencesSay() {
        #expect(fh_check_row_rate(1, 500) < 1e-6)
    }

    @Test func lensesMovePixelsAsCentralDifferencesSay() {
        var roundTrip = 0.0
        var unchanged = 0.0
        #expect(fh_check_lens_rates(1, 500, &roundTrip, &unchanged) < 1e-6)
        #expect(roundTrip < 1e-9)
        #expect(unchanged < 1e-12)
    }

    @Test func distancesFromCirclesChangeAsCentralDifferencesSay() {
        #expect(fh_check_circle_derivative(1, 500) < 1e-8)
    }

    @Test func poseInformationIsThatOfCentralDifferences() {
        let error = fh_check_pose_information(1, 40)
        #expect(error >= 0)
        #expect(error < 1e-6)
    }

    @Test func rotationsKeepTheirLaws() {
        var report = fh_check_rotation_report()
        fh_check_rotation_laws(1, 3000, &report)
        #expect(report.log_of_exp < 1e-12)
        #expect(report.exp_of_log < 1e-12)
        #expect(report.orthonormality < 1e-12)
        #expect(report.addition < 1e-12)
        #expect(report.series < 1e-12)
        #expect(report.inverse < 1e-12)
        #expect(report.composition < 1e-12)
        #expect(report.cross < 1e-12)
    }

    struct Lens: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var model: fh_distortion
        var focal: Double
        var coefficients: [Double]
    }

    static let lenses = [
        Lens(testDescription: "no lens", model: FH_DISTORTION_NONE, focal: 500, coefficients: [0, 0, 0, 0, 0]),
        Lens(
            testDescription: "barrel", model: FH_DISTORTION_RADIAL_TANGENTIAL, focal: 450,
            coefficients: [-0.28, 0.09, 0.0006, -0.0004, -0.01]),
        Lens(
            testDescription: "pincushion, off centre", model: FH_DISTORTION_RADIAL_TANGENTIAL, focal: 500,
            coefficients: [0.12, -0.2, 0.004, 0.006, 0.05]),
        Lens(
            testDescription: "fisheye, 130° across", model: FH_DISTORTION_FISHEYE, focal: 280,
            coefficients: [-0.02, 0.01, -0.004, 0.0008, 0]),
        Lens(
            testDescription: "fisheye, strong", model: FH_DISTORTION_FISHEYE, focal: 350,
            coefficients: [0.08, -0.03, 0.01, -0.002, 0]),
    ]

    @Test(arguments: lenses)
    func lensesAreOpenCVsAndAreUndoneOverTheWholePicture(lens: Lens) {
        var report = fh_check_lens_report()
        #expect(fh_check_lens(Int32(lens.model.rawValue), lens.coefficients, lens.focal, &report) == 0)
        #expect(report.round_trip < 1e-6)
        #expect(report.against_opencv < 1e-9)
        #expect(report.scaled < 1e-6)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func turningIsFoundExactlyAndInSpiteOfAThirdThatMoves(seed: UInt64) {
        var (exact, withMovers, residual) = (1.0, 1.0, 1.0)
        fh_check_rotation_fit(seed, 40, &exact, &withMovers, &residual)
        #expect(exact < 1e-9)
        // A thousandth of a pixel: the step before the last leaves that much.
        #expect(residual < 2e-3)
        // A tenth of a pixel.
        #expect(withMovers < 3e-4)
    }

    @Test func warpOfAPatchThatFacesTheCameraIsExact() {
        #expect(fh_check_affine_warp(1, 100) < 1e-9)
    }
}
