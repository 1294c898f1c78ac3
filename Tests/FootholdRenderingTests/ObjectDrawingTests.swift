import FootholdRendering
import FootholdScene
import Testing

@Suite struct ObjectDrawingTests {
    static let pose = Cameras.looking(from: SIMD3(0, 0.5, 0.7), at: SIMD3(0, 0.05, 0))

    private func draw(_ change: (inout Overlay) -> Void) throws -> Pixels {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        var overlay = Overlay(worldFromCamera: Self.pose, intrinsics: Cameras.plain)
        change(&overlay)
        return Pixels(try renderer.render(Pictures.gray(170, width: 640, height: 480), overlay: overlay))
    }

    private func brightness(_ pixel: SIMD3<Int>) -> Int { pixel.x + pixel.y + pixel.z }

    @Test func builtInModelsHaveTheirStatedSizes() throws {
        let renderer = try OverlayRenderer(width: 64, height: 64, fontLanguage: "en")
        #expect(BuiltInModel.sizes.count == 3)
        for model in BuiltInModel.allCases {
            let info = try renderer.loadModel(path: model.rawValue)
            #expect(info.size.distance(to: model.size) < 1e-4)
            #expect(info.triangleCount > 500 && info.triangleCount < 8000)
            #expect(BuiltInModel.sizes[model.rawValue] == model.size)
        }
    }

    @Test func anObjectIsDrawnAtItsSize() throws {
        // Seen from straight ahead, 2 m before its front: 0.2 m are 52.5 px there.
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        let overlay = Overlay(
            worldFromCamera: Pose(position: SIMD3(0, 0.1, 2.1)), intrinsics: Cameras.plain,
            objects: [Objects.make(.box)])
        let picture = Pixels(try renderer.render(Pictures.gray(128, width: 640, height: 480), overlay: overlay))
        let columns = (0..<640).filter { picture[$0, 240].x - picture[$0, 240].z > 20 }
        #expect(abs(Double(columns.count) - 52.5) <= 1.5)
    }

    @Test func aShadowDarkensTheSurfaceAtTheObjectsFootAndNowhereElse() throws {
        let bare = try draw { _ in }
        let drawn = try draw { $0.objects = [Objects.make(.box, scale: 0.5)] }
        let dark = drawn.changed(from: bare).filter { brightness(drawn[$0.x, $0.y]) < brightness(bare[$0.x, $0.y]) }
        let gray = dark.filter { abs(drawn[$0.x, $0.y].x - drawn[$0.x, $0.y].z) < 4 }
        #expect(gray.count > 1500)
        for pixel in gray {
            let ray = Cameras.plain.ray(
                through: SIMD2(Double(pixel.x), Double(pixel.y)), worldFromCamera: Self.pose)
            let place = ray.point(at: ray.distance(toPlaneThrough: .zero, normal: .unitY)!)
            #expect(place.length < 0.3)
        }
        // Beside its foot it is darker than farther away.
        let near = Cameras.plain.project(worldPoint: SIMD3(0.054, 0, 0.02), worldFromCamera: Self.pose)!
        let far = Cameras.plain.project(worldPoint: SIMD3(0.08, 0, 0), worldFromCamera: Self.pose)!
        func level(_ p: SIMD2<Double>) -> Int { brightness(drawn[Int(p.x.rounded()), Int(p.y.rounded())]) }
        #expect(level(near) < level(far) - 15)
        #expect(level(far) < brightness(bare[0, 0]))
    }

    @Test func lightComesFromItsDirectionInItsColorAndStrength() throws {
        // A cup seen from the front: its left or its right side is the bright one.
        func cup(_ light: LightEstimate) throws -> Pixels {
            try draw {
                $0.objects = [Objects.make(.cylinder, scale: 2)]
                $0.light = light
            }
        }
        let rows = 225..<245
        func side(_ picture: Pixels, _ x: Int) -> SIMD3<Int> { rows.reduce(SIMD3.zero) { $0 &+ picture[x, $1] } }
        let left = try cup(LightEstimate(intensity: 0.45, direction: SIMD3(-1, 0.4, 0.2)))
        let right = try cup(LightEstimate(intensity: 0.45, direction: SIMD3(1, 0.4, 0.2)))
        #expect(brightness(side(left, 280)) > brightness(side(left, 360)) + 400)
        #expect(brightness(side(right, 360)) > brightness(side(right, 280)) + 400)
        let dim = try cup(LightEstimate(intensity: 0.15, direction: SIMD3(-1, 0.4, 0.2)))
        #expect(brightness(side(dim, 280)) < brightness(side(left, 280)) - 400)
        let warm = try cup(
            LightEstimate(intensity: 0.3, direction: SIMD3(-1, 0.4, 0.2), color: SIMD3(1, 0.8, 0.55)))
        let white = try cup(LightEstimate(intensity: 0.3, direction: SIMD3(-1, 0.4, 0.2)))
        let (w, n) = (side(warm, 300), side(white, 300))
        #expect(w.x - w.z > n.x - n.z + 200)
    }

    @Test func aProvisionalObjectLetsTheRoomShineThrough() throws {
        let bare = try draw { _ in }
        let solid = try draw { $0.objects = [Objects.make(.box)] }
        let light = try draw { $0.objects = [Objects.make(.box, isProvisional: true)] }
        let inside = solid.changed(from: bare).filter { solid[$0.x, $0.y].x - solid[$0.x, $0.y].z > 60 }
        #expect(inside.count > 3000)
        func saturation(_ p: Pixels) -> Int { inside.reduce(0) { $0 + p[$1.x, $1.y].x - p[$1.x, $1.y].z } }
        #expect(Double(saturation(light)) < 0.9 * Double(saturation(solid)))
        #expect(Double(saturation(light)) > 0.6 * Double(saturation(solid)))
    }

    @Test func aSelectedObjectHasARingOnItsSurface() throws {
        let plain = try draw { $0.objects = [Objects.make(.box, scale: 0.5)] }
        let selected = try draw {
            $0.objects = [Objects.make(.box, scale: 0.5, isSelected: true)]
            $0.marks = [SceneMark(shape: .rotationRing, worldFromMark: .identity, radius: 0.088)]
        }
        let ring = selected.changed(from: plain, by: 40)
        #expect(ring.count > 200)
        for pixel in ring {
            let ray = Cameras.plain.ray(
                through: SIMD2(Double(pixel.x), Double(pixel.y)), worldFromCamera: Self.pose)
            let place = ray.point(at: ray.distance(toPlaneThrough: .zero, normal: .unitY)!)
            #expect(place.length > 0.06 && place.length < 0.12)
        }
    }

    @Test func edgesAreSmooth() throws {
        let bare = try draw { _ in }
        let drawn = try draw { $0.objects = [Objects.make(.box)] }
        // Along a slanted silhouette there are pixels between the object's colour and the room's.
        let solid = drawn.changed(from: bare).filter { drawn[$0.x, $0.y].x - drawn[$0.x, $0.y].z > 60 }
        let soft = drawn.changed(from: bare).filter { (12...45).contains(drawn[$0.x, $0.y].x - drawn[$0.x, $0.y].z) }
        #expect(solid.count > 3000)
        #expect(soft.count > 100)
    }

    @Test func debugDrawingShowsFeaturesAndTheTrailOnlyWhenAsked() throws {
        let features = [
            TrackedFeature(pixel: SIMD2(100, 50), pointInWorld: .zero),
            TrackedFeature(pixel: SIMD2(200, 60), pointInWorld: nil),
        ]
        let trail = [SIMD3(-0.2, 0, -0.3), SIMD3(0.2, 0, -0.3)]
        let bare = try draw { _ in }
        let without = try draw {
            $0.features = features
            $0.trail = trail
        }
        #expect(without.changed(from: bare).isEmpty)
        let with = try draw {
            $0.features = features
            $0.trail = trail
            $0.isDebug = true
        }
        #expect(with[100, 50].y > with[100, 50].z + 40, "known depth is green")
        #expect(with[200, 60].x > with[200, 60].z + 60, "unknown depth is amber")
        let line = Cameras.plain.project(worldPoint: SIMD3(0.02, 0, -0.3), worldFromCamera: Self.pose)!
        let onLine = (-2...2).contains { offset in
            let p = with[Int(line.x.rounded()), Int(line.y.rounded()) + offset]
            return p.x > p.y + 40
        }
        #expect(onLine)
    }
}
