import FootholdScene

extension CameraIntrinsics {
    /// What people should know where a session found these, which were given, not to fit what it saw.
    func doubt(found: CameraIntrinsics) -> String? {
        guard source == .calibrated || source == .metadata, found.source == .estimated else { return nil }
        let (given, seen) = (Int(fx.rounded()), Int(found.fx.rounded()))
        let fault =
            source == .metadata
            ? "the recording's own focal length of \(given) pixels does not fit its pictures"
            : "the calibration's focal length of \(given) pixels does not fit the pictures"
        return "\(fault): about \(seen) were found and used; 'foothold calibrate' measures it"
    }
}
