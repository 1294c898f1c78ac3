/// Lines of TUM trajectory files: `t tx ty tz qx qy qz qw`, camera to world, the world's Y up, the camera's axes those
/// of computer vision (x right, y down, z forward).
enum TrajectoryText {
    /// - Parameter worldFromCamera: with the public axes (looking along −z).
    static func appendLine(nanoseconds: Int64, worldFromCamera: Pose, to bytes: inout [UInt8]) {
        let pose = worldFromCamera.flippingCameraAxes
        let (p, q) = (pose.position, pose.rotation)
        DecimalText.append(secondsFromNanoseconds: nanoseconds, keepingZeros: true, to: &bytes)
        for value in [p.x, p.y, p.z, q.x, q.y, q.z, q.w] {
            bytes.append(UInt8(ascii: " "))
            DecimalText.append(value, decimals: 9, keepingZeros: true, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    static func isWritable(_ pose: Pose) -> Bool {
        let (p, q) = (pose.position, pose.rotation)
        return [p.x, p.y, p.z, q.x, q.y, q.z, q.w].allSatisfy(\.isFinite)
    }
}
