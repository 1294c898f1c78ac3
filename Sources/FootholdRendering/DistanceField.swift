import FootholdScene

/// How far each place of a polygon's plane is within the outline, as a small picture.
///
/// It makes concave outlines as easy as convex ones, and gives the distance that a soft edge needs.
struct DistanceField {
    /// Rows packed; 128 is the outline, 255 is `range` metres inside, 0 as far outside.
    let texels: [UInt8]
    let width: Int
    let height: Int
    /// The corner of the covered rectangle, and its size; metres in local (x, z).
    let origin: SIMD2<Double>
    let size: SIMD2<Double>
    let range: Double

    static let resolution = 96

    /// Nil when the outline encloses nothing.
    init?(_ outline: [SIMD2<Double>]) {
        guard outline.count > 2, abs(Polygon.signedArea(outline)) > 1e-8 else { return nil }
        let low = outline.reduce(outline[0], pointwiseMin)
        let high = outline.reduce(outline[0], pointwiseMax)
        let texel = max(high.x - low.x, high.y - low.y) / Double(Self.resolution - 4)
        // Two texels around the outline are outside, so that the border stays so when clamped.
        let corner = low - 2 * texel
        origin = corner
        width = min(Self.resolution, Int(((high.x - low.x) / texel).rounded(.up)) + 4)
        height = min(Self.resolution, Int(((high.y - low.y) / texel).rounded(.up)) + 4)
        size = SIMD2(Double(width), Double(height)) * texel
        range = max(0.1, 3 * texel)

        var texels = [UInt8](repeating: 0, count: width * height)
        let points = outline.map { SIMD2<Float>(Float($0.x - corner.x), Float($0.y - corner.y)) }
        let scale = Float(127 / range)
        for row in 0..<height {
            let y = (Float(row) + 0.5) * Float(texel)
            for column in 0..<width {
                let distance = Self.signedDistance(SIMD2((Float(column) + 0.5) * Float(texel), y), points)
                texels[row * width + column] = UInt8((128 + distance * scale).clamped(to: 0...255).rounded())
            }
        }
        self.texels = texels
    }

    /// Positive inside (even–odd rule).
    private static func signedDistance(_ p: SIMD2<Float>, _ outline: [SIMD2<Float>]) -> Float {
        var nearest = Float.infinity
        var isInside = false
        var a = outline[outline.count - 1]
        for b in outline {
            let edge = b - a
            let offset = p - a
            let squared = (edge * edge).sum()
            let t = squared > 0 ? ((offset * edge).sum() / squared).clamped(to: 0...1) : 0
            let gap = offset - edge * t
            nearest = min(nearest, (gap * gap).sum())
            if (a.y > p.y) != (b.y > p.y), p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
            a = b
        }
        return isInside ? nearest.squareRoot() : -nearest.squareRoot()
    }
}
