import FootholdRendering
import FootholdScene
import Testing

@Suite struct SurfaceDrawingTests {
    static let ell: [SIMD2<Double>] = [
        SIMD2(-0.6, -0.5), SIMD2(0.6, -0.5), SIMD2(0.6, 0.0), SIMD2(0.0, 0.0), SIMD2(0.0, 0.5), SIMD2(-0.6, 0.5),
    ]
    static let pose = Cameras.looking(from: SIMD3(0.1, 0.9, 0.8), at: .zero)

    @Test(arguments: [Cameras.plain, Cameras.barrel, Cameras.fisheye])
    func aSurfaceIsDrawnWithinItsConcaveOutlineOnly(camera: CameraIntrinsics) throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let frame = Pictures.gray(110, width: 640, height: 480)
        var overlay = Overlay(worldFromCamera: Self.pose, intrinsics: camera)
        let bare = Pixels(try renderer.render(frame, overlay: overlay))
        overlay.surfaces = [Surfaces.floor(Self.ell, center: SIMD2(-0.1, 0.05), turnRadians: 0.7)]
        let drawn = Set(Pixels(try renderer.render(frame, overlay: overlay)).changed(from: bare, by: 2))
        var insideCount = 0
        var missed = 0
        for y in 0..<480 {
            for x in 0..<640 {
                let ray = camera.ray(through: SIMD2(Double(x), Double(y)), worldFromCamera: Self.pose)
                guard let distance = ray.distance(toPlaneThrough: .zero, normal: .unitY) else {
                    #expect(!drawn.contains(SIMD2(x, y)))
                    continue
                }
                let hit = ray.point(at: distance)
                let point = SIMD2(hit.x, hit.z)
                let gap = Polygon.nearestPoint(Self.ell, to: point)!.distance(to: point)
                if Polygon.contains(Self.ell, point) {
                    guard gap > 0.1 else { continue }
                    insideCount += 1
                    if !drawn.contains(SIMD2(x, y)) { missed += 1 }
                } else if drawn.contains(SIMD2(x, y)) {
                    #expect(gap < 0.02, "drawn \(gap) m outside the outline at (\(x), \(y))")
                }
            }
        }
        #expect(insideCount > 5000)
        #expect(missed == 0)
    }

    @Test func theGridStaysInPlaceWhenASurfacesOriginMoves() throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        var overlay = Overlay(worldFromCamera: Self.pose, intrinsics: Cameras.plain)
        overlay.surfaces = [Surfaces.floor(Self.ell)]
        let before = Pixels(
            try renderer.render(Pictures.gray(110, width: 640, height: 480), overlay: overlay))
        overlay.surfaces = [Surfaces.floor(Self.ell, center: SIMD2(0.037, -0.141), turnRadians: 0.3)]
        let after = Pixels(
            try renderer.render(Pictures.gray(110, width: 640, height: 480, index: 1), overlay: overlay))
        // The outline is sampled anew, so its soft edge may differ by a trace.
        #expect(after.changed(from: before, by: 6).count < 60)
    }

    @Test func linesAreTenCentimetresApart() throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        // Straight down from 1 m: 52.5 px for 10 cm.
        let pose = Pose(rotation: Rotation(axis: .unitX, angleRadians: -.pi / 2), position: SIMD3(0, 1, 0))
        let overlay = Overlay(
            worldFromCamera: pose, intrinsics: Cameras.plain, surfaces: [Surfaces.floor(Surfaces.square(0.6))])
        let picture = Pixels(try renderer.render(Pictures.gray(60, width: 640, height: 480), overlay: overlay))
        // Between two lines that run along the row, only lines across it are met.
        let row = (0..<640).map { picture[$0, 266].y }
        let base = row.sorted()[320]
        let peaks = (1..<639).filter { row[$0] > base + 12 && row[$0] >= row[$0 - 1] && row[$0] > row[$0 + 1] }
        #expect(peaks.count >= 9)
        for (a, b) in zip(peaks, peaks.dropFirst()) { #expect(abs(Double(b - a) - 52.5) <= 1) }
    }

    @Test func horizontalAndVerticalSurfacesAreTintedDifferently() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        var overlay = Overlay(worldFromCamera: Self.pose, intrinsics: .guess(width: 320, height: 240))
        let frame = Pictures.gray(128, width: 320, height: 240)
        func tint(_ alignment: PlaneAnchor.Alignment) throws -> SIMD3<Int> {
            overlay.surfaces = [Surfaces.floor(Surfaces.square(0.5), alignment: alignment)]
            let picture = Pixels(try renderer.render(frame, overlay: overlay))
            return (100..<140).reduce(SIMD3.zero) { $0 &+ picture[$1 + 40, 120] }
        }
        let difference = try tint(.horizontal) &- tint(.vertical)
        #expect(difference.y > 40, "horizontal ones are greener, vertical ones more violet")
    }

    @Test func aSurfaceSeenFromBehindIsNotDrawn() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let overlay = Overlay(
            worldFromCamera: Cameras.looking(from: SIMD3(0.1, -0.9, 0.8), at: .zero),
            intrinsics: .guess(width: 320, height: 240), surfaces: [Surfaces.floor(Self.ell)])
        let picture = try renderer.render(Pictures.gray(128, width: 320, height: 240), overlay: overlay)
        #expect(picture.overlayOpacity == 0)
    }

    @Test func aNearerSurfaceHidesTheGridOfAFartherOne() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let frame = Pictures.gray(110, width: 320, height: 240)
        let pose = Pose(rotation: Rotation(axis: .unitX, angleRadians: -.pi / 2), position: SIMD3(0, 1.5, 0))
        var table = Surfaces.floor(id: 2, Surfaces.square(0.3))
        table.worldFromSurface.position.y = 0.7
        let floor = Surfaces.floor(id: 1, Surfaces.square(2), turnRadians: 0.4)
        func middle(_ surfaces: [PlaneAnchor]) throws -> [SIMD3<Int>] {
            let overlay = Overlay(
                worldFromCamera: pose, intrinsics: .guess(width: 320, height: 240), surfaces: surfaces)
            let picture = Pixels(try renderer.render(frame, overlay: overlay))
            return (100..<220).map { picture[$0, 127] }
        }
        let tableAlone = try middle([table])
        #expect(try middle([floor, table]) == tableAlone)
        #expect(try middle([table, floor]) == tableAlone)
        #expect(try middle([floor]) != tableAlone)
    }

    @Test func aNewSurfaceComesInSoftly() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let overlay = Overlay(
            worldFromCamera: Self.pose, intrinsics: .guess(width: 320, height: 240),
            surfaces: [Surfaces.floor(Self.ell)])
        let opacities = try [Int64(0), 200_000_000, 400_000_000, 600_000_000, 900_000_000].map {
            try renderer.render(Pictures.gray(128, width: 320, height: 240, nanoseconds: $0), overlay: overlay)
                .overlayOpacity
        }
        #expect(opacities[0] > 0)
        #expect(opacities[0] < opacities[1] && opacities[1] < opacities[2] && opacities[2] < opacities[3])
        #expect(opacities[3] == opacities[4])
    }
}
