/// A rigid transform. Names say both frames: `worldFromCamera` takes camera coordinates to world coordinates.
public struct Pose: Hashable, Sendable {
    public var rotation: Rotation
    /// Metres.
    public var position: SIMD3<Double>

    public static let identity = Pose(rotation: .identity, position: .zero)

    public init(rotation: Rotation = .identity, position: SIMD3<Double> = .zero) {
        self.rotation = rotation
        self.position = position
    }

    public var inverse: Pose {
        let r = rotation.inverse
        return Pose(rotation: r, position: -(r * position))
    }

    public static func * (a: Pose, b: Pose) -> Pose {
        Pose(rotation: a.rotation * b.rotation, position: a.rotation * b.position + a.position)
    }

    public static func * (pose: Pose, point: SIMD3<Double>) -> SIMD3<Double> {
        pose.rotation * point + pose.position
    }

    /// The 4×4 matrix, column by column (as in `session.jsonl` and glTF).
    public var matrixColumns: [Double] {
        let (c0, c1, c2) = rotation.columns
        return [
            c0.x, c0.y, c0.z, 0, c1.x, c1.y, c1.z, 0, c2.x, c2.y, c2.z, 0,
            position.x, position.y, position.z, 1,
        ]
    }

    /// The same camera with the axes of computer-vision files (x right, y down, z forward) in place of the public
    /// ones (x right, y up, looking along −z), or the other way round: the change is its own inverse.
    public var flippingCameraAxes: Pose {
        Pose(rotation: rotation * Rotation(x: 1, y: 0, z: 0, w: 0), position: position)
    }

    /// Moves along the straight line and the shortest rotation; `fraction` 0 gives this pose, 1 the other.
    public func interpolated(to other: Pose, fraction: Double) -> Pose {
        Pose(
            rotation: rotation.interpolated(to: other.rotation, fraction: fraction),
            position: position + (other.position - position) * fraction)
    }
}
