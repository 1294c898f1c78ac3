/// A rotation, a translation and a scale: takes points of one world to another.
public struct Similarity: Hashable, Sendable {
    public var scale: Double
    public var rotation: Rotation
    public var translation: SIMD3<Double>

    public static let identity = Similarity(scale: 1, rotation: .identity, translation: .zero)

    public init(scale: Double, rotation: Rotation, translation: SIMD3<Double>) {
        self.scale = scale
        self.rotation = rotation
        self.translation = translation
    }

    public static func * (similarity: Similarity, point: SIMD3<Double>) -> SIMD3<Double> {
        similarity.scale * (similarity.rotation * point) + similarity.translation
    }

    /// The pose with its position and its axes taken along; the camera itself does not grow.
    public static func * (similarity: Similarity, pose: Pose) -> Pose {
        Pose(rotation: similarity.rotation * pose.rotation, position: similarity * pose.position)
    }

    public var inverse: Similarity {
        let r = rotation.inverse
        return Similarity(scale: 1 / scale, rotation: r, translation: -(r * translation) / scale)
    }

    /// The similarity that brings points nearest to their partners in the least-squares sense.
    ///
    /// The rotation is Horn's ("Closed-form solution of absolute orientation using unit quaternions", 1987), the scale
    /// Umeyama's ("Least-squares estimation of transformation parameters between two point patterns", 1991).
    /// - Parameters:
    ///   - points: at least three, of the same number as `partners`.
    ///   - withScale: false keeps the scale at 1.
    /// - Returns: nil for fewer than three points or points that all coincide.
    public static func aligning(
        _ points: [SIMD3<Double>], to partners: [SIMD3<Double>], withScale: Bool
    ) -> Similarity? {
        precondition(points.count == partners.count, "points and partners come in pairs")
        guard points.count >= 3 else { return nil }
        let count = Double(points.count)
        let center = points.reduce(.zero, +) / count
        let partnerCenter = partners.reduce(.zero, +) / count
        // Columns of the sum of outer products (point − center)(partner − its center)ᵀ, by the partner's coordinate.
        var (sx, sy, sz) = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
        for (point, partner) in zip(points, partners) {
            let a = point - center
            let b = partner - partnerCenter
            sx += a * b.x
            sy += a * b.y
            sz += a * b.z
        }
        let matrix: [[Double]] = [
            [sx.x + sy.y + sz.z, sz.y - sy.z, sx.z - sz.x, sy.x - sx.y],
            [sz.y - sy.z, sx.x - sy.y - sz.z, sy.x + sx.y, sx.z + sz.x],
            [sx.z - sz.x, sy.x + sx.y, sy.y - sx.x - sz.z, sz.y + sy.z],
            [sy.x - sx.y, sx.z + sz.x, sz.y + sy.z, sz.z - sx.x - sy.y],
        ]
        let q = SymmetricEigen.largestEigenvector(of: matrix)
        return Similarity(
            turning: Rotation(x: q[1], y: q[2], z: q[3], w: q[0]), points, to: partners, withScale: withScale)
    }

    /// The same for poses, turned by the mean of what their orientations differ by (Markley et al., "Averaging
    /// quaternions", 2007): positions on a nearly straight path leave open how the whole is turned about it.
    /// - Returns: nil for fewer than three poses or positions that all coincide.
    public static func aligning(_ poses: [Pose], to partners: [Pose]) -> Similarity? {
        precondition(poses.count == partners.count, "poses and partners come in pairs")
        guard poses.count >= 3 else { return nil }
        var matrix = [[Double]](repeating: [0, 0, 0, 0], count: 4)
        for (pose, partner) in zip(poses, partners) {
            let turn = partner.rotation * pose.rotation.inverse
            let q = [turn.x, turn.y, turn.z, turn.w]
            for row in 0..<4 {
                for column in 0..<4 { matrix[row][column] += q[row] * q[column] }
            }
        }
        let q = SymmetricEigen.largestEigenvector(of: matrix)
        return Similarity(
            turning: Rotation(x: q[0], y: q[1], z: q[2], w: q[3]), poses.map(\.position),
            to: partners.map(\.position), withScale: true)
    }

    /// Given how to turn, the size and the place that fit best; nil where the points say nothing about them.
    private init?(turning: Rotation, _ points: [SIMD3<Double>], to partners: [SIMD3<Double>], withScale: Bool) {
        let count = Double(points.count)
        let center = points.reduce(.zero, +) / count
        let partnerCenter = partners.reduce(.zero, +) / count
        let spread = points.reduce(0.0) { $0 + ($1 - center).lengthSquared }
        guard spread > 1e-18 else { return nil }
        var scale = 1.0
        if withScale {
            let agreement = zip(points, partners).reduce(0.0) {
                $0 + (turning * ($1.0 - center)).dot($1.1 - partnerCenter)
            }
            scale = agreement / spread
            guard scale > 0 else { return nil }
        }
        self.init(scale: scale, rotation: turning, translation: partnerCenter - scale * (turning * center))
    }
}

/// Eigenvectors of small symmetric matrices by cyclic Jacobi rotations.
enum SymmetricEigen {
    static func largestEigenvector(of matrix: [[Double]]) -> [Double] {
        var a = matrix
        let n = a.count
        var vectors = (0..<n).map { row in (0..<n).map { $0 == row ? 1.0 : 0.0 } }
        let size = a.joined().reduce(0) { $0 + $1 * $1 }
        for _ in 0..<60 {
            var offDiagonal = 0.0
            for p in 0..<n { for q in (p + 1)..<n { offDiagonal += a[p][q] * a[p][q] } }
            if offDiagonal <= size * 1e-32 { break }
            for p in 0..<(n - 1) {
                for q in (p + 1)..<n where a[p][q] != 0 { rotate(&a, &vectors, p, q) }
            }
        }
        let best = (0..<n).max { a[$0][$0] < a[$1][$1] } ?? 0
        return vectors.map { $0[best] }
    }

    /// Makes a[p][q] zero.
    private static func rotate(_ a: inout [[Double]], _ vectors: inout [[Double]], _ p: Int, _ q: Int) {
        let theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
        let t = (theta >= 0 ? 1.0 : -1.0) / (abs(theta) + (theta * theta + 1).squareRoot())
        let c = 1 / (t * t + 1).squareRoot()
        let s = t * c
        for k in a.indices {
            let (kp, kq) = (a[k][p], a[k][q])
            (a[k][p], a[k][q]) = (c * kp - s * kq, s * kp + c * kq)
        }
        for k in a.indices {
            let (pk, qk) = (a[p][k], a[q][k])
            (a[p][k], a[q][k]) = (c * pk - s * qk, s * pk + c * qk)
        }
        for k in vectors.indices {
            let (kp, kq) = (vectors[k][p], vectors[k][q])
            (vectors[k][p], vectors[k][q]) = (c * kp - s * kq, s * kp + c * kq)
        }
    }
}
