import FootholdRendering
import FootholdScene
import Testing

/// R1: the picture belongs to the scene.
@Suite struct CalmPictureTests {
    /// The busiest picture without objects: surfaces wherever one looks, words, progress and the indicator.
    private var busiest: Overlay {
        let wall = PlaneAnchor(
            id: 2, alignment: .vertical, classification: .wall,
            worldFromSurface: Pose(
                rotation: Rotation(axis: .unitX, angleRadians: .pi / 2), position: SIMD3(0, 1.5, -2)),
            extent: SIMD2(8, 4), boundary: [SIMD2(-4, -2), SIMD2(-4, 2), SIMD2(4, 2), SIMD2(4, -2)], confidence: 1,
            firstSeenNanoseconds: 0, lastUpdatedNanoseconds: 0)
        return Overlay(
            worldFromCamera: Cameras.looking(from: SIMD3(0, 1.2, 1), at: SIMD3(0, 0.4, -0.6)),
            intrinsics: Cameras.plain, surfaces: [Surfaces.floor(Surfaces.square(4)), wall],
            reticle: .onSurface(worldFromReticle: .identity, alignment: .horizontal, isConfirmed: true),
            hintText: "Tap where the chair should go. You can move it later.", progress: 0.8)
    }

    @Test func theOverlayLeavesMostOfThePictureToTheScene() throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let frame = Pictures.gray(120, width: 640, height: 480)
        let picture = try renderer.render(frame, overlay: busiest)
        #expect(picture.overlayOpacity > 0.02)
        #expect(picture.overlayOpacity < 0.18)
        // Pixels changed strongly are few, and outside the bottom they are fewer still.
        let bare = Pixels(try renderer.render(frame, overlay: Overlay(intrinsics: Cameras.plain)))
        let strong = Pixels(picture).changed(from: bare, by: 50)
        #expect(Double(strong.count) < 0.08 * 640 * 480)
        let middle = strong.filter { (160..<480).contains($0.x) && (120..<360).contains($0.y) }
        #expect(Double(middle.count) < 0.05 * 320 * 240)
    }

    @Test func onceAnObjectStandsTheGridStepsBack() throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let frame = Pictures.gray(120, width: 640, height: 480)
        var overlay = busiest
        overlay.hintText = nil
        overlay.progress = nil
        overlay.reticle = .hidden
        let before = try renderer.render(frame, overlay: overlay).overlayOpacity
        // Behind the camera: it stands, and covers nothing.
        overlay.objects = [Objects.make(.box, at: SIMD3(0, 0, 3))]
        let after = try renderer.render(frame, overlay: overlay).overlayOpacity
        #expect(after < 0.75 * before)
    }

    @Test func theSamePicturesAreDrawnEveryTime() throws {
        func run() throws -> [[UInt8]] {
            let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "ko")
            return try (0..<4).map { index in
                var overlay = busiest
                overlay.objects = [Objects.make(.chair, at: SIMD3(0.1 * Double(index), 0, -0.5))]
                let frame = Pictures.noise(
                    .yuv420p, width: 640, height: 480, isFullRange: false, seed: UInt64(index))
                return try renderer.render(frame, overlay: overlay).rgba()
            }
        }
        #expect(try run() == run())
    }

    @Test func nothingPilesUpOverTime() throws {
        let renderer = try OverlayRenderer(width: 160, height: 120, fontLanguage: "en")
        let camera = CameraIntrinsics.guess(width: 160, height: 120)
        func render(_ index: Int) throws {
            // Surfaces come, grow and go, objects too, words change, and the focal length is refined.
            var overlay = busiest
            overlay.intrinsics = camera
            overlay.intrinsics.fx += Double(index % 7)
            overlay.surfaces = (0..<3).map {
                Surfaces.floor(id: index / 5 + $0, Surfaces.square(1 + 0.001 * Double(index)))
            }
            overlay.objects = [Objects.make(.box, id: index / 10)]
            overlay.hintText = "Frame \(index)"
            _ = try renderer.render(
                Pictures.gray(100, width: 160, height: 120, index: index, nanoseconds: Int64(index) * 33_000_000),
                overlay: overlay)
        }
        var counts: [Int] = []
        for index in 0..<600 {
            try render(index)
            counts.append(renderer.cachedResourceCount)
        }
        #expect(counts.max()! < 300)
    }
}
