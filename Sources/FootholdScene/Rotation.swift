import Foundation

/// A rotation in space, held as a unit quaternion (x, y, z, w; w the real part, as in TUM trajectory files).
public struct Rotation: Hashable, Sendable {
    public var x, y, z, w: Double

    public static let identity = Rotation(unchecked: 0, 0, 0, 1)

    private init(unchecked x: Double, _ y: Double, _ z: Double, _ w: Double) {
        (self.x, self.y, self.z, self.w) = (x, y, z, w)
    }

    /// Normalises the four numbers; all zero gives the identity.
    public init(x: Double, y: Double, z: Double, w: Double) {
        let norm = (x * x + y * y + z * z + w * w).squareRoot()
        self = norm > 0 ? Rotation(unchecked: x / norm, y / norm, z / norm, w / norm) : .identity
    }

    public init(axis: SIMD3<Double>, angleRadians: Double) {
        let a = axis.normalized * sin(angleRadians / 2)
        self.init(x: a.x, y: a.y, z: a.z, w: cos(angleRadians / 2))
    }

    /// The rotation whose matrix has these orthonormal, right-handed columns.
    public init(columns c0: SIMD3<Double>, _ c1: SIMD3<Double>, _ c2: SIMD3<Double>) {
        // Shepperd's method: divide by the largest of the four, for accuracy.
        let trace = c0.x + c1.y + c2.z
        if trace > 0 {
            let s = (trace + 1).squareRoot() * 2
            self.init(x: (c1.z - c2.y) / s, y: (c2.x - c0.z) / s, z: (c0.y - c1.x) / s, w: s / 4)
        } else if c0.x > c1.y && c0.x > c2.z {
            let s = (1 + c0.x - c1.y - c2.z).squareRoot() * 2
            self.init(x: s / 4, y: (c1.x + c0.y) / s, z: (c2.x + c0.z) / s, w: (c1.z - c2.y) / s)
        } else if c1.y > c2.z {
            let s = (1 + c1.y - c0.x - c2.z).squareRoot() * 2
            self.init(x: (c1.x + c0.y) / s, y: s / 4, z: (c2.y + c1.z) / s, w: (c2.x - c0.z) / s)
        } else {
            let s = (1 + c2.z - c0.x - c1.y).squareRoot() * 2
            self.init(x: (c2.x + c0.z) / s, y: (c2.y + c1.z) / s, z: s / 4, w: (c0.y - c1.x) / s)
        }
    }

    /// The smallest rotation that takes one direction to another.
    public init(from: SIMD3<Double>, to: SIMD3<Double>) {
        let a = from.normalized
        let b = to.normalized
        let d = a.dot(b)
        if d < -1 + 1e-12 {
            self.init(axis: a.anyPerpendicular, angleRadians: .pi)
        } else {
            let c = a.cross(b)
            self.init(x: c.x, y: c.y, z: c.z, w: 1 + d)
        }
    }

    public var inverse: Rotation { Rotation(unchecked: -x, -y, -z, w) }

    public static func * (a: Rotation, b: Rotation) -> Rotation {
        Rotation(
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
    }

    public static func * (rotation: Rotation, vector: SIMD3<Double>) -> SIMD3<Double> {
        let q = SIMD3(rotation.x, rotation.y, rotation.z)
        let t = 2 * q.cross(vector)
        return vector + rotation.w * t + q.cross(t)
    }

    /// Columns of the rotation matrix.
    public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        (self * .unitX, self * .unitY, self * .unitZ)
    }

    /// The angle of the rotation, 0…π.
    public var angleRadians: Double { 2 * atan2(SIMD3(x, y, z).length, abs(w)) }

    /// Spherical interpolation along the shorter way; `fraction` 0 gives this rotation, 1 the other.
    public func interpolated(to other: Rotation, fraction: Double) -> Rotation {
        let difference = inverse * other
        let sign: Double = difference.w < 0 ? -1 : 1
        let vector = SIMD3(difference.x, difference.y, difference.z) * sign
        let angle = difference.angleRadians
        guard angle > 1e-12 else { return other }
        return self * Rotation(axis: vector, angleRadians: angle * fraction)
    }
}
