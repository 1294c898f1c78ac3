/// Vector operations that the standard library's SIMD types lack.
extension SIMD3 where Scalar == Double {
    public static let unitX = SIMD3(1, 0, 0)
    public static let unitY = SIMD3(0, 1, 0)
    public static let unitZ = SIMD3(0, 0, 1)

    public func dot(_ other: Self) -> Double { (self * other).sum() }

    public func cross(_ other: Self) -> Self {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    public var lengthSquared: Double { dot(self) }
    public var length: Double { lengthSquared.squareRoot() }

    /// The vector of length one in the same direction; zero stays zero.
    public var normalized: Self {
        let length = self.length
        return length > 0 ? self / length : .zero
    }

    public func distance(to other: Self) -> Double { (self - other).length }

    /// A unit vector perpendicular to this one (which must not be zero).
    public var anyPerpendicular: Self {
        cross(abs(x) < 0.9 * length ? .unitX : .unitY).normalized
    }
}

extension SIMD2 where Scalar == Double {
    public func dot(_ other: Self) -> Double { (self * other).sum() }
    public var length: Double { dot(self).squareRoot() }
    public func distance(to other: Self) -> Double { (self - other).length }
    /// The z component of the cross product: positive when `other` lies counter-clockwise of this vector.
    public func cross(_ other: Self) -> Double { x * other.y - y * other.x }
}
