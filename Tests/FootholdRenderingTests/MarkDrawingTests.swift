import FootholdRendering
import FootholdScene
import Testing

/// Hints in the scene: seen, on their surface, and never in the way (R1, R8).
@Suite struct MarkDrawingTests {
    private static let pose = Cameras.looking(from: SIMD3(0, 0.6, 0.7), at: .zero)

    private func draw(_ change: (inout Overlay) -> Void) throws -> Pixels {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        var overlay = Overlay(worldFromCamera: Self.pose, intrinsics: Cameras.plain)
        change(&overlay)
        return Pixels(try renderer.render(Pictures.gray(90, width: 640, height: 480), overlay: overlay))
    }

    private func place(of pixel: SIMD2<Int>) -> SIMD3<Double> {
        let ray = Cameras.plain.ray(through: SIMD2(Double(pixel.x), Double(pixel.y)), worldFromCamera: Self.pose)
        return ray.point(at: ray.distance(toPlaneThrough: .zero, normal: .unitY)!)
    }

    private func mark(_ shape: SceneMark.Shape, opacity: Double = 1, radius: Double = 0.15) -> SceneMark {
        SceneMark(shape: shape, worldFromMark: .identity, radius: radius, opacity: opacity)
    }

    @Test(arguments: [
        SceneMark.Shape.rotationRing, .movementArrows, .pulse(.impact), .pulse(.error), .pulse(.success),
    ])
    func aSignIsALineAroundTheObjectAndLeavesTheMiddleFree(_ shape: SceneMark.Shape) throws {
        let bare = try draw { _ in }
        let touched = try draw { $0.marks = [mark(shape)] }.changed(from: bare, by: 40)
        #expect(touched.count > 100)
        #expect(touched.allSatisfy { place(of: $0).length > 0.12 && place(of: $0).length < 0.22 })
        // Of all that it surrounds, it covers little.
        let around = touched.reduce(touched[0], pointwiseMax) &- touched.reduce(touched[0], pointwiseMin)
        #expect(Double(touched.count) < 0.13 * Double(around.x * around.y))
    }

    @Test func arrowsPointInFourDirections() throws {
        let bare = try draw { _ in }
        let touched = try draw { $0.marks = [mark(.movementArrows)] }.changed(from: bare, by: 60).map(place)
        for direction in [SIMD3<Double>.unitX, -.unitX, .unitZ, -.unitZ] {
            #expect(touched.contains { $0.normalized.dot(direction) > 0.99 && $0.length > 0.16 })
        }
        // Nothing between them.
        #expect(!touched.contains { abs(abs($0.x) - abs($0.z)) < 0.03 })
    }

    @Test func aFadingSignFades() throws {
        let bare = try draw { _ in }
        func strength(_ opacity: Double) throws -> Int {
            let drawn = try draw { $0.marks = [mark(.rotationRing, opacity: opacity)] }
            return drawn.changed(from: bare, by: 1).map { Int(drawn[$0.x, $0.y].y) - Int(bare[$0.x, $0.y].y) }.max()
                ?? 0
        }
        let strengths = try [0.0, 0.3, 0.6, 1].map(strength)
        #expect(strengths[0] == 0 && strengths[1] > 10)
        #expect(strengths == strengths.sorted())
    }

    @Test func aRefusalIsAmberAndASuccessIsNot() throws {
        let bare = try draw { _ in }
        func warmth(_ kind: FeedbackEvent.Kind) throws -> Int {
            let drawn = try draw { $0.marks = [mark(.pulse(kind))] }
            return drawn.changed(from: bare, by: 60).count { drawn[$0.x, $0.y].x > drawn[$0.x, $0.y].z + 40 }
        }
        #expect(try warmth(.error) > 60)
        #expect(try warmth(.impact) == 0)
        #expect(try warmth(.success) == 0)
    }

    @Test func theObjectHidesWhatIsBehindIt() throws {
        let object = Objects.make(.box)
        let without = try draw { $0.objects = [object] }
        let with = try draw {
            $0.objects = [object]
            $0.marks = [mark(.rotationRing)]
        }
        let alone = try draw { $0.marks = [mark(.rotationRing)] }
        let bare = try draw { _ in }
        #expect(with.changed(from: without, by: 40).count < alone.changed(from: bare, by: 40).count)
    }

    @Test func aFingerIsShownSeeThrough() throws {
        let bare = try draw { _ in }
        let drawn = try draw { $0.touches = [SIMD2(200, 150)] }
        let touched = drawn.changed(from: bare, by: 5)
        #expect(touched.count > 200 && touched.allSatisfy { abs($0.x - 200) < 30 && abs($0.y - 150) < 30 })
        #expect(drawn[200, 150].y < 220)
    }
}
