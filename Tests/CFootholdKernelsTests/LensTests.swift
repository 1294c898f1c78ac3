import CFootholdKernels
import Foundation
import Testing

@Suite struct LensTests {
    private static let lenses: [(name: String, lens: fh_lens)] = [
        ("none", fh_lens(model: Int32(FH_LENS_NONE), fx: 500, fy: 510, cx: 320, cy: 240, k: (0, 0, 0, 0, 0))),
        (
            "radial",
            fh_lens(
                model: Int32(FH_LENS_RADIAL_TANGENTIAL), fx: 500, fy: 510, cx: 320, cy: 240,
                k: (-0.28, 0.09, 0.0012, -0.0008, -0.01))
        ),
        (
            "fisheye",
            fh_lens(
                model: Int32(FH_LENS_FISHEYE), fx: 200, fy: 202, cx: 320, cy: 240, k: (-0.03, 0.012, -0.005, 0.001, 0))
        ),
    ]

    /// The models as their papers state them, with the C library's functions.
    private static func distort(_ lens: fh_lens, _ x: Double, _ y: Double) -> (Double, Double) {
        let (k0, k1, k2, k3, k4) = lens.k
        let r2 = x * x + y * y
        switch Int(lens.model) {
        case FH_LENS_RADIAL_TANGENTIAL:
            let radial = 1 + k0 * r2 + k1 * r2 * r2 + k4 * r2 * r2 * r2
            return (
                x * radial + 2 * k2 * x * y + k3 * (r2 + 2 * x * x), y * radial + k2 * (r2 + 2 * y * y) + 2 * k3 * x * y
            )
        case FH_LENS_FISHEYE:
            let r = r2.squareRoot()
            guard r > 0 else { return (x, y) }
            let t = atan(r)
            let d = t * (1 + k0 * pow(t, 2) + k1 * pow(t, 4) + k2 * pow(t, 6) + k3 * pow(t, 8))
            return (x * d / r, y * d / r)
        default: return (x, y)
        }
    }

    private static func run(
        _ function: (UnsafePointer<fh_lens>, UnsafePointer<Double>, Int32, UnsafeMutablePointer<Double>) -> Int32,
        _ lens: fh_lens, _ input: [Double]
    ) -> [Double] {
        var lens = lens
        // Fenced on both sides in turn.
        let source = FencedMemory(byteCount: input.count * 8, at: .last)
        let target = FencedMemory(byteCount: input.count * 8, at: .last)
        let values = source.base.assumingMemoryBound(to: Double.self)
        let results = target.base.assumingMemoryBound(to: Double.self)
        for (index, value) in input.enumerated() { values[index] = value }
        precondition(function(&lens, values, Int32(input.count / 2), results) == FH_KERNEL_OK)
        return withExtendedLifetime((source, target)) { (0..<input.count).map { results[$0] } }
    }

    private static func randomPoints(_ count: Int, _ reach: Double, _ generator: inout SeededGenerator) -> [Double] {
        (0..<2 * count).map { _ in Double.random(in: -reach...reach, using: &generator) }
    }

    @Test func pixelsAreThoseOfTheModels() {
        var generator = SeededGenerator(seed: 41)
        for (name, lens) in Self.lenses {
            let points = Self.randomPoints(200, name == "fisheye" ? 6 : 0.7, &generator)
            let pixels = Self.run(fh_lens_distort, lens, points)
            for i in 0..<200 {
                let meant = Self.distort(lens, points[2 * i], points[2 * i + 1])
                #expect(abs(pixels[2 * i] - (lens.fx * meant.0 + lens.cx)) < 1e-9, "\(name)")
                #expect(abs(pixels[2 * i + 1] - (lens.fy * meant.1 + lens.cy)) < 1e-9, "\(name)")
            }
        }
    }

    @Test func undistortingTakesBackWhatTheLensDid() {
        var generator = SeededGenerator(seed: 42)
        for (name, lens) in Self.lenses {
            let points = Self.randomPoints(300, name == "fisheye" ? 4 : 0.6, &generator) + [0, 0, 1e-12, 0]
            let back = Self.run(fh_lens_undistort, lens, Self.run(fh_lens_distort, lens, points))
            for (a, b) in zip(points, back) { #expect(abs(a - b) < 1e-11, "\(name)") }
        }
    }

    @Test(arguments: 0...40)
    func everyInstructionSetGivesTheReferencesBits(count: Int) {
        let seed = UInt64(count) &* 433
        var generator = SeededGenerator(seed: seed)
        for (name, lens) in Self.lenses {
            let points = Self.randomPoints(count, 3, &generator)
            // Far outside as well, where nothing can be undistorted.
            let pixels = points.map { 320 + 300 * $0 }
            let reference = withInstructionSet("SCALAR") {
                (Self.run(fh_lens_distort, lens, points), Self.run(fh_lens_undistort, lens, pixels))
            }
            for set in instructionSets {
                let (distorted, undistorted) = withInstructionSet(set) {
                    (Self.run(fh_lens_distort, lens, points), Self.run(fh_lens_undistort, lens, pixels))
                }
                #expect(distorted == reference.0, "\(set), \(name), seed \(seed)")
                // What isn't a number isn't one everywhere.
                let same = zip(undistorted, reference.1).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
                #expect(same, "\(set), \(name), seed \(seed)")
            }
        }
    }

    @Test func whatTheModelCannotProduceIsNotANumber() {
        let radial = Self.lenses[1].lens
        let fisheye = Self.lenses[2].lens
        for set in instructionSets {
            withInstructionSet(set) {
                #expect(Self.run(fh_lens_undistort, radial, [5000, 5000]).allSatisfy { $0.isNaN })
                #expect(Self.run(fh_lens_undistort, fisheye, [5000, 240, 320, 240])[0].isNaN)
                #expect(Self.run(fh_lens_undistort, fisheye, [5000, 240, 320, 240])[2...] == [0, 0])
            }
        }
    }

    @Test func projectionDividesByDepthAndTellsWhatIsBehind() {
        var lens = Self.lenses[0].lens
        let points: [Double] = [1, -2, 4, 1, 1, 0, 3, 3, -1]
        var pixels = [Double](repeating: 0, count: 6)
        var inFront = [UInt8](repeating: 9, count: 3)
        #expect(fh_lens_project(&lens, points, 3, &pixels, &inFront) == FH_KERNEL_OK)
        #expect(inFront == [1, 0, 0])
        #expect(pixels[0] == 445 && pixels[1] == -15)
        #expect(pixels[2...].allSatisfy { $0.isNaN })
        lens.fx = 0
        #expect(fh_lens_project(&lens, points, 3, &pixels, &inFront) == FH_KERNEL_BAD_ARGUMENT)
        lens.fx = 1
        lens.model = 3
        #expect(fh_lens_distort(&lens, points, 3, &pixels) == FH_KERNEL_BAD_ARGUMENT)
    }
}
