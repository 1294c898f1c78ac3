/// Whole pixels of the picture; the maximum is not included. Row 0 is the picture's top row.
struct PixelRect: Hashable {
    var minX, minY, maxX, maxY: Int

    var width: Int { maxX - minX }
    var height: Int { maxY - minY }

    func union(_ other: PixelRect?) -> PixelRect {
        guard let other else { return self }
        return PixelRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY),
            maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
    }

    /// The smallest rectangle around the points (pixel coordinates) with a margin, within the picture; nil outside it.
    static func around(_ points: some Sequence<SIMD2<Double>>, margin: Double, width: Int, height: Int) -> PixelRect? {
        var low = SIMD2(Double.infinity, Double.infinity)
        var high = -low
        for point in points where point.x.isFinite && point.y.isFinite {
            low = pointwiseMin(low, point)
            high = pointwiseMax(high, point)
        }
        // Clamped before the conversion: points near the horizon are far outside.
        let x0 = Int((low.x - margin).rounded(.down).clamped(to: 0...Double(width)))
        let y0 = Int((low.y - margin).rounded(.down).clamped(to: 0...Double(height)))
        let x1 = Int((high.x + margin).rounded(.up).clamped(to: -1...Double(width - 1))) + 1
        let y1 = Int((high.y + margin).rounded(.up).clamped(to: -1...Double(height - 1))) + 1
        guard x0 < x1, y0 < y1 else { return nil }
        return PixelRect(minX: x0, minY: y0, maxX: x1, maxY: y1)
    }
}

extension Comparable {
    func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
