import FootholdEvaluation
import Foundation
import Testing

@Suite struct PlaneGridTests {
    /// A plane in a general position, so that nothing lines up with the grid.
    private let pose = Pose(
        rotation: Rotation(axis: SIMD3(0.3, -1, 0.6), angleRadians: 0.9), position: SIMD3(0.4, -2, 1.3))

    private func world(_ points: [SIMD2<Double>]) -> [SIMD3<Double>] { points.map { pose * SIMD3($0.x, 0, $0.y) } }

    private func grid(_ outline: [SIMD2<Double>], cellSize: Double = 0.005) -> PlaneGrid {
        PlaneGrid(
            TruePlane(
                id: 0, label: "plane", normal: pose.rotation * .unitY, point: pose.position,
                polygon: world(outline), area: abs(Polygon.signedArea(outline)), seenDepthFrames: nil),
            cellSize: cellSize)
    }

    private func shared(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> Double {
        let grid = grid(a)
        return grid.area(zip(grid.inside, grid.mask(of: world(b))).map { $0 && $1 })
    }

    private let square = [SIMD2(0.0, 0), SIMD2(1.0, 0), SIMD2(1.0, 1), SIMD2(0.0, 1)]

    @Test func areasOfOutlinesAreExactToTheCell() {
        let ell = [SIMD2(0.0, 0), SIMD2(2.0, 0), SIMD2(2.0, 1), SIMD2(1.0, 1), SIMD2(1.0, 2), SIMD2(0.0, 2)]
        #expect(abs(grid(square).area(grid(square).inside) - 1) < 0.005)
        #expect(abs(grid(ell).area(grid(ell).inside) - 3) < 0.01)
    }

    @Test func sharedAreasMatchExactCases() {
        // Half a square, a corner, a diamond within, an outline far away, and a concave one over the edge.
        #expect(abs(shared(square, square.map { $0 + SIMD2(0.5, 0) }) - 0.5) < 0.005)
        #expect(abs(shared(square, square.map { $0 + SIMD2(0.75, 0.75) }) - 0.0625) < 0.003)
        let diamond = [SIMD2(0.5, 0.0), SIMD2(1.0, 0.5), SIMD2(0.5, 1.0), SIMD2(0.0, 0.5)]
        #expect(abs(shared(square, diamond) - 0.5) < 0.005)
        #expect(shared(square, square.map { $0 + SIMD2(3, 0) }) == 0)
        let arrow = [SIMD2(-1.0, 0.0), SIMD2(1.0, 0.0), SIMD2(0.0, 0.5), SIMD2(1.0, 1.0), SIMD2(-1.0, 1.0)]
        // Right of x = 0: the square less the triangle (1,0) (0,0.5) (1,1), which holds a half.
        #expect(abs(shared(square, arrow) - 0.5) < 0.005)
    }

    @Test func windingDoesNotMatter() {
        let other = square.map { $0 * 0.6 + SIMD2(0.2, 0.1) }
        #expect(shared(square, other) == shared(square, other.reversed()))
    }
}
