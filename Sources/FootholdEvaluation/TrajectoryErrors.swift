import Foundation

/// Figures of a list of errors.
public struct ErrorStatistics: Hashable, Sendable, Codable {
    public var rmse: Double
    public var mean: Double
    public var median: Double
    public var standardDeviation: Double
    public var min: Double
    public var max: Double

    /// Nil for an empty list.
    public init?(_ errors: [Double]) {
        guard !errors.isEmpty else { return nil }
        let sorted = errors.sorted()
        let count = Double(sorted.count)
        let average = sorted.reduce(0, +) / count
        let middle = sorted.count / 2
        mean = average
        rmse = (sorted.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        standardDeviation = (sorted.reduce(0) { $0 + ($1 - average) * ($1 - average) } / count).squareRoot()
        min = sorted[0]
        max = sorted[sorted.count - 1]
    }
}

/// How an estimate is laid over its reference before errors are measured.
public enum AlignmentKind: String, Hashable, Sendable, Codable {
    /// As it is.
    case none
    /// Rotation and translation.
    case se3
    /// Rotation, translation and scale.
    case sim3
    /// The same, turned as the orientations say: whether poses are right can't be told from positions alone.
    case sim3OfPoses
}

/// An estimated trajectory compared with a reference.
public struct TrajectoryComparison: Sendable {
    public let kind: AlignmentKind
    /// Takes the estimate's world to the reference's.
    public let referenceFromEstimate: Similarity
    /// Poses of the same moments, the estimate already aligned.
    public let pairs: [(estimate: Trajectory.Entry, reference: Trajectory.Entry)]

    /// - Parameter maximumDifference: seconds between poses that are taken to be of the same moment.
    /// - Returns: nil when fewer than three moments are shared, or the estimate does not move at all.
    public init?(
        estimate: Trajectory, reference: Trajectory, alignment kind: AlignmentKind,
        maximumDifference: Double = Trajectory.sameMoment
    ) {
        let association = estimate.association(with: reference, maximumDifference: maximumDifference)
        let own = association.map { estimate.entries[$0.index] }
        let partners = association.map { reference.entries[$0.referenceIndex] }
        guard own.count >= 3 else { return nil }
        var similarity = Similarity.identity
        if kind != .none {
            let (poses, partnerPoses) = (own.map(\.worldFromCamera), partners.map(\.worldFromCamera))
            let aligned =
                kind == .sim3OfPoses
                ? Similarity.aligning(poses, to: partnerPoses)
                : Similarity.aligning(
                    poses.map(\.position), to: partnerPoses.map(\.position), withScale: kind == .sim3)
            guard let aligned else { return nil }
            similarity = aligned
        }
        self.kind = kind
        referenceFromEstimate = similarity
        pairs = zip(own, partners).map { entry, partner in
            let moved = Trajectory.Entry(
                seconds: entry.seconds, worldFromCamera: similarity * entry.worldFromCamera)
            return (moved, partner)
        }
    }

    /// Distances between the positions (absolute trajectory error), metres.
    public var absoluteErrors: [Double] {
        pairs.map { $0.estimate.worldFromCamera.position.distance(to: $0.reference.worldFromCamera.position) }
    }

    /// Angles between the orientations, radians.
    public var absoluteRotationErrors: [Double] {
        pairs.map {
            ($0.reference.worldFromCamera.rotation.inverse * $0.estimate.worldFromCamera.rotation).angleRadians
        }
    }

    /// Relative pose errors between each pair of moments and the one `step` moments later, without overlap:
    /// translation in metres and rotation in radians.
    public func relativeErrors(step: Int = 1) -> [(translation: Double, rotation: Double)] {
        stride(from: 0, to: pairs.count - step, by: step).map { index in
            let (a, b) = (pairs[index], pairs[index + step])
            let moved = a.estimate.worldFromCamera.inverse * b.estimate.worldFromCamera
            let truth = a.reference.worldFromCamera.inverse * b.reference.worldFromCamera
            let error = truth.inverse * moved
            return (error.position.length, error.rotation.angleRadians)
        }
    }
}
