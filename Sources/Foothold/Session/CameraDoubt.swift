import FootholdScene

extension CameraIntrinsics {
    /// What people should know where a session found these, which were given, not to fit what it saw.
    func doubt(found: CameraIntrinsics) -> String? {
        guard source == .calibrated || source == .metadata, found.source == .estimated else { return nil }
        func whole(_ pixels: Double) -> Int { Int(pixels.rounded()) }
        let owner = source == .metadata ? "the recording's own" : "the calibration's"
        let isFocal = abs(found.fx / fx - 1) > 0.005
        let (what, given, seen) =
            isFocal
            ? ("focal length", "\(whole(fx)) pixels", "\(whole(found.fx))")
            : ("principal point", "(\(whole(cx)), \(whole(cy)))", "(\(whole(found.cx)), \(whole(found.cy)))")
        return "\(owner) \(what) of \(given) does not fit the pictures: about \(seen) was found and used; "
            + "'foothold calibrate' measures it"
    }
}
