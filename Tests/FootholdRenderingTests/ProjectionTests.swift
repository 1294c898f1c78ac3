import FootholdRendering
import FootholdScene
import Testing

@Suite struct ProjectionTests {
    static let pixels: [SIMD2<Double>] = [
        SIMD2(320, 240), SIMD2(12, 10), SIMD2(627, 12), SIMD2(11, 468), SIMD2(628.4, 467.3), SIMD2(100.5, 400.25),
    ]

    @Test(arguments: [Cameras.plain, Cameras.barrel, Cameras.fisheye])
    func aTinyObjectAppearsWhereTheCameraModelProjectsIt(camera: CameraIntrinsics) throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let worldFromCamera = Cameras.looking(from: SIMD3(0.4, 1.3, 0.9), at: SIMD3(0, 0.2, -0.7))
        for pixel in Self.pixels {
            let direction = camera.unproject(pixel)
            for depth in [0.6, 3.0] {
                let p = direction * depth
                let world = worldFromCamera * SIMD3(p.x, -p.y, -p.z)
                // About four pixels wide, its middle on the point.
                let scale = 4 / 525.0 * p.length / 0.2
                let box = Objects.make(.box, at: world - SIMD3(0, 0.1 * scale, 0), scale: scale)
                let overlay = Overlay(
                    worldFromCamera: worldFromCamera, intrinsics: camera, objects: [box],
                    light: LightEstimate(intensity: 0.4))
                let picture = try renderer.render(Pictures.gray(128, width: 640, height: 480), overlay: overlay)
                let seen = Pixels(picture).middleOfColor()
                let expected = try #require(camera.project(worldPoint: world, worldFromCamera: worldFromCamera))
                #expect(seen.weight > 100, "nothing drawn at \(pixel)")
                #expect(seen.middle.distance(to: expected) < 0.5, "at \(expected), drawn at \(seen.middle)")
            }
        }
    }

    @Test func intrinsicsOfAnotherSizeAreScaledToTheFrame() throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let double = Cameras.barrel.scaled(toWidth: 1280, height: 960)
        var overlay = Overlay(worldFromCamera: .identity, intrinsics: Cameras.barrel)
        overlay.objects = [Objects.make(.box, at: SIMD3(0.3, -0.4, -1.2))]
        let frame = Pictures.gray(100, width: 640, height: 480)
        let one = Pixels(try renderer.render(frame, overlay: overlay))
        overlay.intrinsics = double
        let other = Pixels(try renderer.render(frame, overlay: overlay))
        #expect(one.largestDifference(from: other) <= 2)
    }

    @Test func theNearerObjectHidesTheFartherOneInWhateverOrder() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let camera = CameraIntrinsics.guess(width: 320, height: 240)
        let frame = Pictures.gray(60, width: 320, height: 240)
        func color(box: Double, cup: Double, isBoxFirst: Bool) throws -> SIMD3<Int> {
            let objects = [
                Objects.make(.box, id: 1, at: SIMD3(0, -0.1, -box)),
                Objects.make(.cylinder, id: 2, at: SIMD3(0, -0.15, -cup), scale: 3),
            ]
            let overlay = Overlay(
                worldFromCamera: .identity, intrinsics: camera, objects: isBoxFirst ? objects : objects.reversed())
            return Pixels(try renderer.render(frame, overlay: overlay))[160, 120]
        }
        for isBoxFirst in [true, false] {
            let boxInFront = try color(box: 0.7, cup: 1.2, isBoxFirst: isBoxFirst)
            let cupInFront = try color(box: 1.2, cup: 0.7, isBoxFirst: isBoxFirst)
            #expect(boxInFront.x - boxInFront.z > 40, "the box is warm in colour")
            #expect(abs(cupInFront.x - cupInFront.z) < 25, "the cup is white")
        }
    }

    @Test(arguments: [Cameras.plain, Cameras.barrel, Cameras.fisheye])
    func whatReachesBehindTheCameraIsCutOffThere(camera: CameraIntrinsics) throws {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let frame = Pictures.gray(128, width: 640, height: 480)
        // Level above a floor that goes on behind: nothing of the floor may appear above the horizon.
        let pose = Pose(position: SIMD3(0, 1, 0))
        var overlay = Overlay(worldFromCamera: pose, intrinsics: camera)
        let bare = Pixels(try renderer.render(frame, overlay: overlay))
        overlay.surfaces = [Surfaces.floor(Surfaces.square(5))]
        let floor = Pixels(try renderer.render(frame, overlay: overlay)).changed(from: bare)
        let horizon = camera.project(SIMD3(0, 0, 1))!.y
        #expect(floor.count > 20_000)
        #expect(floor.allSatisfy { Double($0.y) > horizon - 12 })

        // A chair that the camera stands in, and one behind it.
        overlay.surfaces = []
        overlay.objects = [Objects.make(.chair, at: SIMD3(0, 0.5, 0))]
        let inside = Pixels(try renderer.render(frame, overlay: overlay)).changed(from: bare)
        #expect(inside.count > 1000)
        overlay.objects = [Objects.make(.chair, at: SIMD3(0.2, 0, 3)), Objects.make(.box, id: 2, at: SIMD3(4, 1, 1))]
        let behind = Pixels(try renderer.render(frame, overlay: overlay))
        #expect(behind.changed(from: bare).isEmpty)
    }
}
