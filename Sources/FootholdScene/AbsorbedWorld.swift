/// A world that was found to be part of the present one: after the camera had lost its way for long it began a new
/// world, and later saw a place that both know.
public struct AbsorbedWorld: Hashable, Sendable {
    /// The world that is no more.
    public var id: Int
    /// How it lies in the present one: x' = scale · (pose's rotation) · x + (pose's position).
    public var scale: Double
    public var pose: Pose

    public init(id: Int, scale: Double = 1, pose: Pose = .identity) {
        self.id = id
        self.scale = scale
        self.pose = pose
    }

    /// A point of that world in the present one.
    public func point(_ point: SIMD3<Double>) -> SIMD3<Double> { pose * (point * scale) }

    /// The same as a 4×4 matrix, column by column.
    public var matrixColumns: [Double] {
        var columns = pose.matrixColumns
        for column in 0..<3 {
            for row in 0..<3 { columns[4 * column + row] *= scale }
        }
        return columns
    }

    /// A pose in that world in the present one.
    public func pose(_ other: Pose) -> Pose {
        Pose(rotation: pose.rotation * other.rotation, position: point(other.position))
    }
}
