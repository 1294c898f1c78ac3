import CFootholdV4L2

/// Holds still what a camera would change by itself, and lets it go again.
///
/// Focus that follows the scene moves the focal length, and exposure that does makes surfaces change their looks.
struct CameraControls {
    private var restore: [(control: Int32, value: Int64)] = []

    /// Switches the autofocus off, where the camera has one, leaving the lens where it is.
    mutating func holdFocus(_ device: CameraDevice) -> Bool { hold(FH_V4L2_FOCUS_AUTO, FH_V4L2_FOCUS, off: 0, device) }

    /// Keeps exposure, gain and white balance as the camera has chosen them. Says which of them could be held.
    mutating func holdLight(_ device: CameraDevice) -> [String] {
        let manual = Int64(FH_V4L2_EXPOSURE_MANUAL)
        return [
            ("exposure", hold(FH_V4L2_EXPOSURE_AUTO, FH_V4L2_EXPOSURE, off: manual, device)),
            ("gain", hold(FH_V4L2_GAIN_AUTO, FH_V4L2_GAIN, off: 0, device)),
            ("white balance", hold(FH_V4L2_WHITE_BALANCE_AUTO, nil, off: 0, device)),
        ].compactMap { $1 ? $0 : nil }
    }

    /// Gives back to the camera what was held.
    mutating func letGo(_ device: CameraDevice) {
        for (control, value) in restore.reversed() { fh_v4l2_set_control(device.handle, control, value) }
        restore = []
    }

    /// - Parameter value: the control that the automatic one governs; it is read first and set after, since some
    ///   cameras fall back to a value of their own.
    private mutating func hold<Name: BinaryInteger>(
        _ automatic: Name, _ value: Name?, off: Int64, _ device: CameraDevice
    ) -> Bool {
        var state = fh_v4l2_control()
        guard fh_v4l2_get_control(device.handle, Int32(automatic), &state) == 0 else { return false }
        guard state.value != off else { return true }
        var present: Int64?
        if let value {
            var governed = fh_v4l2_control()
            if fh_v4l2_get_control(device.handle, Int32(value), &governed) == 0 { present = governed.value }
        }
        guard fh_v4l2_set_control(device.handle, Int32(automatic), off) == 0 else { return false }
        restore.append((Int32(automatic), state.value))
        if let present, let value { fh_v4l2_set_control(device.handle, Int32(value), present) }
        return true
    }
}
