import FootholdScene

extension CameraIntrinsics {
    /// What people should know where a session found these, which were given, not to fit what it saw.
    func doubt(found: CameraIntrinsics) -> String? {
        guard source == .calibrated || source == .metadata, found.source == .estimated else { return nil }
        let owner = source == .metadata ? "the recording's own" : "the calibration's"
        func whole(_ pixels: Double) -> Int { Int(pixels.rounded()) }
        // What moves the picture's corners most is the matter with it.
        let corner = 0.5 * (Double(width * width + height * height)).squareRoot()
        let byFocal = abs(found.fx / fx - 1) * corner
        let byCenter = (SIMD2(found.cx, found.cy) - SIMD2(cx, cy)).length
        let byLens = found.bend(at: corner)
        let doesNotFit: String
        switch max(byFocal, byCenter, byLens) {
        case byFocal:
            doesNotFit =
                "\(owner) focal length of \(whole(fx)) pixels does not fit the pictures: "
                + "about \(whole(found.fx)) was found and used"
        case byCenter:
            doesNotFit =
                "\(owner) principal point of (\(whole(cx)), \(whole(cy))) does not fit the pictures: "
                + "about (\(whole(found.cx)), \(whole(found.cy))) was found and used"
        default:
            doesNotFit =
                "the lens bends the pictures, which \(owner) numbers don't tell: by about \(whole(byLens)) pixels at "
                + "the corners, which was found and used"
        }
        return doesNotFit + "; 'foothold calibrate' measures it"
    }

    /// How far the lens moves what it would show so many pixels from the principal point.
    private func bend(at pixels: Double) -> Double {
        let place = SIMD2(pixels / fx, 0)
        return (distort(place) - place).length * fx
    }
}
