import CFootholdCalibration
import FootholdScene
import Foundation

/// Calibrates a camera from pictures of a board. One thread at a time.
public final class CameraCalibrator {
    /// What one picture brought.
    public enum Outcome: Hashable, Sendable {
        case notSeen
        /// Seen, but moving too fast to be measured well.
        case moving
        /// Seen, and much like a view that is there already.
        case known
        /// Kept.
        case kept
    }

    /// A camera, and how far to trust it.
    public struct Result: Hashable, Sendable {
        public var intrinsics: CameraIntrinsics
        /// Root mean square distance between seen and computed corners, pixels.
        public var errorPixels: Double
        /// Standard deviation of the focal length, pixels.
        public var focalDeviationPixels: Double
        public var viewCount: Int
        /// Views that did not fit to the others.
        public var leftOutCount: Int

        /// The calibration file's text, with what was found out about its quality.
        public var text: String {
            intrinsics.calibrationText(notes: [
                ("reprojection_error_pixels", "\(errorPixels)"), ("views", "\(viewCount)"),
                ("focal_length_deviation_pixels", "\(focalDeviationPixels)"),
            ])
        }
    }

    public private(set) var coverage = CalibrationCoverage()
    /// Pictures that showed the board.
    public private(set) var seenCount = 0
    private let handle: OpaquePointer
    private let width: Int
    private let height: Int
    private let checksMovement: Bool

    /// Between two pictures a corner may move by this share of the picture's width, or the board is blurred.
    private static let mostMovement = 0.006

    /// - Parameter checksMovement: false for single pictures that have nothing to do with each other.
    /// - Throws: `CaptureError` for a board that makes no sense.
    public init(board: CalibrationBoard, width: Int, height: Int, checksMovement: Bool = true) throws {
        var description = board.cBoard
        var created: OpaquePointer?
        guard fh_calibrator_create(&description, Int32(width), Int32(height), &created) == 0, let created else {
            throw CaptureError(
                .badCalibration,
                "there is no such board: it has 3 to 20 squares each way, and with markers at most 50 of them, "
                    + "4, 5 or 6 bits wide")
        }
        handle = created
        self.width = width
        self.height = height
        self.checksMovement = checksMovement
    }

    deinit { fh_calibrator_destroy(handle) }

    /// Looks for the board in a picture, and keeps the view when it shows something new.
    public func look(at pixels: PixelBuffer) throws -> Outcome {
        let luma = pixels.luma
        guard luma.width == width, luma.height == height else { return .notSeen }
        var view = fh_board_view()
        try check(fh_calibrator_look(handle, luma.base, Int32(luma.bytesPerRow), &view))
        guard view.is_found != 0 else { return .notSeen }
        seenCount += 1
        if checksMovement, view.movement < 0 || view.movement > Self.mostMovement * Double(width) { return .moving }
        let seen = CalibrationCoverage.View(
            centerX: view.center_x, centerY: view.center_y, spanX: view.span_x, spanY: view.span_y,
            tiltX: view.tilt_x, tiltY: view.tilt_y)
        guard coverage.isNew(seen) else { return .known }
        try check(fh_calibrator_keep(handle))
        coverage.add(seen)
        return .kept
    }

    /// The camera that the kept views tell.
    /// - Throws: `CaptureError` when they tell none.
    public func solve() throws -> Result {
        var found = fh_calibration()
        let status = fh_calibrator_solve(handle, &found)
        guard Int(status) != Int(FH_CALIBRATION_NO_SOLUTION) else {
            throw CaptureError(
                .badCalibration,
                "\(coverage.views.count) views of the board are too few or too much alike to calibrate with: show it from "
                    + "more sides, near and far, tilted and not")
        }
        try check(status)
        let d = found.distortion
        return Result(
            intrinsics: CameraIntrinsics(
                width: Int(found.width), height: Int(found.height), fx: found.fx, fy: found.fy, cx: found.cx,
                cy: found.cy,
                distortion: .radialTangential(k1: d.0, k2: d.1, p1: d.2, p2: d.3, k3: d.4)),
            errorPixels: found.error, focalDeviationPixels: found.focal_deviation, viewCount: Int(found.view_count),
            leftOutCount: Int(found.left_out_count))
    }

    private func check(_ status: Int32) throws {
        guard Int(status) != Int(FH_CALIBRATION_OK) else { return }
        throw Int(status) == Int(FH_CALIBRATION_OUT_OF_MEMORY)
            ? CaptureError(.outOfMemory, "there is not enough memory to calibrate: close other programs")
            : CaptureError(.badCalibration, "looking for the board failed: try other pictures of it")
    }
}
