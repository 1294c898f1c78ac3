import FootholdRendering
import FootholdScene
import Testing

@Suite struct ReticleDrawingTests {
    static let camera = Cameras.plain

    private func draw(_ reticle: Reticle, pose: Pose? = Cameras.looking(from: SIMD3(0, 1, 1), at: .zero)) throws
        -> (bare: Pixels, drawn: Pixels)
    {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let frame = Pictures.gray(90, width: 640, height: 480)
        var overlay = Overlay(worldFromCamera: pose, intrinsics: Self.camera)
        let bare = Pixels(try renderer.render(frame, overlay: overlay))
        overlay.reticle = reticle
        return (bare, Pixels(try renderer.render(frame, overlay: overlay)))
    }

    /// How many pixels of each row are white.
    private func rows(_ picture: Pixels) -> [Int: Int] {
        var result: [Int: Int] = [:]
        for y in 0..<picture.height {
            let count = (0..<picture.width).count { picture[$0, y].y > 200 }
            if count > 0 { result[y] = count }
        }
        return result
    }

    @Test func searchingShowsAnOpenFlatTrapezoidInTheMiddleEvenWithoutAPose() throws {
        let (bare, drawn) = try draw(.searching, pose: nil)
        let touched = drawn.changed(from: bare)
        #expect(touched.count > 100)
        #expect(touched.allSatisfy { abs($0.x - 320) < 80 && abs($0.y - 240) < 60 })
        // Open: no line crosses the vertical through the middle.
        #expect((180..<300).allSatisfy { drawn[320, $0].y < 150 })
        // A trapezoid: the lower corners are farther apart.
        let white = (0..<480).flatMap { y in (0..<640).filter { drawn[$0, y].y > 200 }.map { SIMD2($0, y) } }
        let top = white.map(\.y).min()!
        let bottom = white.map(\.y).max()!
        func spread(_ band: ClosedRange<Int>) -> Int {
            let xs = white.filter { band.contains($0.y) }.map(\.x)
            return xs.max()! - xs.min()!
        }
        #expect(spread(bottom - 8...bottom) > spread(top...top + 8) + 4)
        #expect(bottom - top < spread(bottom - 8...bottom), "flat")
    }

    @Test func onAHorizontalSurfaceItLiesClosed() throws {
        let (bare, drawn) = try draw(
            .onSurface(worldFromReticle: .identity, alignment: .horizontal, isConfirmed: true))
        #expect(drawn.changed(from: bare).count > 300)
        // Closed: walking from its middle, a line is met on every side.
        let directions = [SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1), SIMD2(2, 1), SIMD2(-1, 2)]
        for direction in directions {
            let path = (1..<60).map { SIMD2(320, 240) &+ direction &* SIMD2($0, $0) }
                .filter { (0..<640).contains($0.x) && (0..<480).contains($0.y) }
            #expect(path.contains { drawn[$0.x, $0.y].y > 160 }, "open towards \(direction)")
        }
    }

    @Test func onAVerticalSurfaceItStandsUpright() throws {
        // The same place, once on the floor and once on a wall facing the camera.
        let pose = Pose(position: SIMD3(0, 0, 1))
        let wall = Pose(rotation: Rotation(axis: .unitX, angleRadians: .pi / 2))
        let lying = Pose(position: SIMD3(0, -0.25, 0))
        let (bare, upright) = try draw(
            .onSurface(worldFromReticle: wall, alignment: .vertical, isConfirmed: true), pose: pose)
        let flat = try draw(
            .onSurface(worldFromReticle: lying, alignment: .horizontal, isConfirmed: true), pose: pose
        ).drawn
        func size(_ picture: Pixels) -> SIMD2<Int> {
            let touched = picture.changed(from: bare, by: 60)
            return touched.reduce(touched[0], pointwiseMax) &- touched.reduce(touched[0], pointwiseMin)
        }
        let (standing, lain) = (size(upright), size(flat))
        #expect(abs(standing.x - standing.y) <= 3, "a square seen from the front")
        #expect(lain.y * 2 < lain.x, "a square seen at a slant")
    }

    @Test func anUnsuitableTargetHasAnotherShapeAndColor() throws {
        let (bare, drawn) = try draw(.unsuitable(worldFromReticle: .identity))
        let touched = drawn.changed(from: bare, by: 40)
        #expect(touched.count > 200)
        let warm = touched.count { drawn[$0.x, $0.y].x - drawn[$0.x, $0.y].z > 40 }
        #expect(warm > 60, "amber, not white")
        #expect(drawn[320, 240].x > 180, "barred through its middle")
    }

    @Test func itIsAsWideInThePictureHoweverFarTheSurfaceIs() throws {
        let widths = try [0.5, 2.0, 6.0].map { distance -> Int in
            let wall = Pose(
                rotation: Rotation(axis: .unitX, angleRadians: .pi / 2), position: SIMD3(0, 0, -distance))
            let (bare, drawn) = try draw(
                .onSurface(worldFromReticle: wall, alignment: .vertical, isConfirmed: false), pose: .identity)
            let xs = drawn.changed(from: bare, by: 60).map(\.x)
            return xs.max()! - xs.min()!
        }
        #expect(widths.max()! - widths.min()! <= 2)
        #expect(widths[0] > 40 && widths[0] < 120)
    }

    @Test func withoutAPoseNothingOfTheWorldIsDrawn() throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let overlay = Overlay(
            intrinsics: Self.camera, surfaces: [Surfaces.floor(Surfaces.square(1))],
            objects: [Objects.make(.chair)],
            reticle: .onSurface(worldFromReticle: .identity, alignment: .horizontal, isConfirmed: true),
            trail: [.zero, SIMD3(0, 0, -2)], isDebug: true)
        let picture = try renderer.render(Pictures.gray(90, width: 640, height: 480), overlay: overlay)
        #expect(picture.overlayOpacity == 0)
    }
}
