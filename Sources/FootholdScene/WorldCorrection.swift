/// The camera had come round to where it was before and had drifted meanwhile: how the world's parts moved so that it
/// fits together again.
public struct WorldCorrection: Hashable, Sendable {
    /// What is seen from one place: x' = scale · (pose's rotation) · x + (pose's position).
    public struct Part: Hashable, Sendable {
        /// Where it was seen from, before.
        public var position: SIMD3<Double>
        public var scale: Double
        public var pose: Pose

        public init(position: SIMD3<Double>, scale: Double = 1, pose: Pose = .identity) {
            self.position = position
            self.scale = scale
            self.pose = pose
        }

        public func point(_ point: SIMD3<Double>) -> SIMD3<Double> { pose * (point * scale) }
    }

    /// At least one.
    public var parts: [Part]

    /// - Parameter parts: at least one.
    public init(parts: [Part]) {
        precondition(!parts.isEmpty, "a correction moves something")
        self.parts = parts
    }

    /// The part that a place belongs to, as it was before.
    public func part(near place: SIMD3<Double>) -> Part {
        parts.min { $0.position.distance(to: place) < $1.position.distance(to: place) }!
    }
}
