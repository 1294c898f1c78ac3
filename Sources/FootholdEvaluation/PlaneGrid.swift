/// A plane's outline cut into small squares, for measuring areas that polygons share or that a camera has seen.
public struct PlaneGrid: Sendable {
    public let plane: TruePlane
    /// Side of a square in metres.
    public let cellSize: Double
    public let columns: Int
    public let rows: Int
    private let origin: SIMD2<Double>
    private let axes: (SIMD3<Double>, SIMD3<Double>)
    /// The cells whose centre lies within the plane's outline.
    public let inside: [Bool]

    /// - Parameter cellSize: nil chooses 2 cm, and finer where the plane is small.
    public init(_ plane: TruePlane, cellSize: Double? = nil) {
        let x = plane.normal.anyPerpendicular
        let y = plane.normal.cross(x)
        let outline = plane.polygon.map { SIMD2(($0 - plane.point).dot(x), ($0 - plane.point).dot(y)) }
        let size = cellSize ?? min(0.02, max(0.004, abs(Polygon.signedArea(outline)).squareRoot() / 60))
        var lower = outline.first ?? .zero
        var upper = lower
        for point in outline {
            lower = pointwiseMin(lower, point)
            upper = pointwiseMax(upper, point)
        }
        self.plane = plane
        self.cellSize = size
        axes = (x, y)
        origin = lower
        columns = max(1, Int(((upper.x - lower.x) / size).rounded(.up)))
        rows = max(1, Int(((upper.y - lower.y) / size).rounded(.up)))
        inside = Self.rasterise(outline, origin: lower, cellSize: size, columns: columns, rows: rows)
    }

    public var cellArea: Double { cellSize * cellSize }

    /// A point's coordinates along the plane (its distance from the plane is lost).
    public func local(_ point: SIMD3<Double>) -> SIMD2<Double> {
        SIMD2((point - plane.point).dot(axes.0), (point - plane.point).dot(axes.1))
    }

    /// The middle of a cell in the world.
    public func center(column: Int, row: Int) -> SIMD3<Double> {
        let x = origin.x + (Double(column) + 0.5) * cellSize
        let y = origin.y + (Double(row) + 0.5) * cellSize
        return plane.point + x * axes.0 + y * axes.1
    }

    /// The cell that holds a point of the plane; nil outside the grid.
    public func cell(holding point: SIMD3<Double>) -> Int? {
        let p = (local(point) - origin) / cellSize
        guard p.x >= 0, p.y >= 0, p.x < Double(columns), p.y < Double(rows) else { return nil }
        return Int(p.y) * columns + Int(p.x)
    }

    /// Whether a point lies this close to the plane, within its outline.
    public func holds(_ point: SIMD3<Double>, within distance: Double) -> Bool {
        guard abs(plane.signedDistance(of: point)) <= distance, let cell = cell(holding: point) else { return false }
        return inside[cell]
    }

    /// The cells within another outline, laid flat onto the plane along its normal.
    public func mask(of polygon: [SIMD3<Double>]) -> [Bool] {
        Self.rasterise(polygon.map(local), origin: origin, cellSize: cellSize, columns: columns, rows: rows)
    }

    public func area(_ mask: [Bool]) -> Double { Double(mask.reduce(0) { $0 + ($1 ? 1 : 0) }) * cellArea }

    /// Cells whose centre lies within the outline (even–odd rule), line by line.
    private static func rasterise(
        _ outline: [SIMD2<Double>], origin: SIMD2<Double>, cellSize: Double, columns: Int, rows: Int
    ) -> [Bool] {
        var mask = [Bool](repeating: false, count: columns * rows)
        guard outline.count > 2 else { return mask }
        var crossings: [Double] = []
        for row in 0..<rows {
            let y = origin.y + (Double(row) + 0.5) * cellSize
            crossings.removeAll(keepingCapacity: true)
            var a = outline[outline.count - 1]
            for b in outline {
                if (a.y > y) != (b.y > y) { crossings.append(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)) }
                a = b
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let first = ((crossings[pair] - origin.x) / cellSize - 0.5).rounded(.up)
                let last = ((crossings[pair + 1] - origin.x) / cellSize - 0.5).rounded(.down)
                let from = Int(min(Double(columns), max(0, first)))
                let to = Int(max(-1, min(Double(columns - 1), last)))
                if from <= to { for column in from...to { mask[row * columns + column] = true } }
            }
        }
        return mask
    }
}
