import CFootholdKernels
import Foundation
import Testing

/// A picture known everywhere, so that it can be sampled under any motion exactly.
struct Scene {
    private let waves: [(kx: Double, ky: Double, phase: Double, amplitude: Double)]

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        waves = (0..<40).map { _ in
            let frequency = Double.random(in: 0.03...0.7, using: &generator)
            let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
            return (
                frequency * cos(angle), frequency * sin(angle), Double.random(in: 0..<(2 * .pi), using: &generator),
                Double.random(in: 2...9, using: &generator)
            )
        }
    }

    func value(_ x: Double, _ y: Double) -> Double {
        waves.reduce(128) { $0 + $1.amplitude * sin($1.kx * x + $1.ky * y + $1.phase) }
    }

    /// The scene seen so that the picture's pixel p shows the scene's point `source(p)`.
    func picture(
        width: Int = 200, height: Int = 150, gain: Double = 1, offset: Double = 0,
        source: (SIMD2<Double>) -> SIMD2<Double> = { $0 }
    ) -> TestPicture {
        let picture = TestPicture(width: width, height: height, stride: width)
        for y in 0..<height {
            for x in 0..<width {
                let place = source(SIMD2(Double(x), Double(y)))
                let value = 128 + gain * (value(place.x, place.y) - 128) + offset
                picture[x, y] = UInt8(min(max(value, 0), 255).rounded())
            }
        }
        return picture
    }
}

@Suite struct KLTTests {
    static var options: fh_klt_options {
        var options = fh_klt_options()
        fh_klt_options_default(&options)
        return options
    }

    static func track(
        _ from: TestPyramid, _ to: TestPyramid, _ points: [fh_point], predictions: [fh_point]? = nil,
        steps: [Float]? = nil, _ options: fh_klt_options
    ) -> (points: [fh_point], results: [fh_klt_result]) {
        var found = predictions ?? points
        var results = [fh_klt_result](repeating: fh_klt_result(), count: points.count)
        var (a, b, options) = (from.pyramid, to.pyramid, options)
        let status = fh_klt_track(&a, &b, points, steps, &found, &results, Int32(points.count), &options)
        precondition(status == FH_KERNEL_OK)
        return (found, results)
    }

    private static func grid(_ spacing: Int = 20, margin: Int = 30) -> [fh_point] {
        stride(from: margin, to: 150 - margin, by: spacing).flatMap { y in
            stride(from: margin, to: 200 - margin, by: spacing).map { fh_point(x: Float($0) + 0.3, y: Float(y) - 0.4) }
        }
    }

    @Test(arguments: [5, 7, 8, 9, 11, 15, 16, 17, 21, 24, 31] as [Int32])
    func everyInstructionSetTracksExactlyLikeTheReference(window: Int32) {
        let seed = UInt64(window) &* 6151
        var generator = SeededGenerator(seed: seed)
        for content in Content.allCases {
            let first = TestPicture(width: 97, height: 70, stride: 99, content: content, using: &generator)
            let second = TestPicture(width: 97, height: 70, stride: 101)
            for y in 0..<70 {
                for x in 0..<97 { second[x, y] = first[max(x - 2, 0), min(y + 1, 69)] }
            }
            let (from, to) = (TestPyramid(first), TestPyramid(second))
            // Everywhere, the edges and beyond included.
            let points = (0..<120).map { _ in
                fh_point(x: .random(in: -2...98, using: &generator), y: .random(in: -2...71, using: &generator))
            }
            let predictions = points.map {
                fh_point(
                    x: $0.x + .random(in: -4...6, using: &generator), y: $0.y + .random(in: -4...4, using: &generator))
            }
            let steps = points.flatMap { _ in
                [1, 0, 0, 1].map { Float($0) + .random(in: -0.3...0.3, using: &generator) }
            }
            for brightness in [FH_BRIGHTNESS_FIXED, FH_BRIGHTNESS_OFFSET, FH_BRIGHTNESS_GAIN_OFFSET] {
                var options = Self.options
                options.window = window
                options.brightness = Int32(brightness)
                options.max_forward_backward = 1
                for matrices in [nil, steps] {
                    let reference = withInstructionSet("SCALAR") {
                        Self.track(from, to, points, predictions: predictions, steps: matrices, options)
                    }
                    for name in instructionSets {
                        let tracked = withInstructionSet(name) {
                            Self.track(from, to, points, predictions: predictions, steps: matrices, options)
                        }
                        #expect(
                            bytes(of: tracked.points) == bytes(of: reference.points),
                            "\(name), \(content), brightness \(brightness), seed \(seed)")
                        #expect(
                            bytes(of: tracked.results) == bytes(of: reference.results),
                            "\(name), \(content), brightness \(brightness), seed \(seed)")
                    }
                }
            }
        }
    }

    @Test(arguments: [(0.0, 0.0), (0.37, -0.61), (6.2, 3.9), (-14.5, 9.25)])
    func aShiftIsFoundToAFewHundredthsOfAPixel(dx: Double, dy: Double) {
        let scene = Scene(seed: 1)
        let from = TestPyramid(scene.picture())
        let to = TestPyramid(scene.picture { $0 - SIMD2(dx, dy) })
        let points = Self.grid()
        for window in [8, 9, 15, 21] as [Int32] {
            var options = Self.options
            options.window = window
            let (found, results) = Self.track(from, to, points, options)
            let errors = zip(found, points).map { hypot(Double($0.x - $1.x) - dx, Double($0.y - $1.y) - dy) }
            #expect(results.allSatisfy { $0.status == FH_TRACK_FOUND && $0.correlation > 0.99 })
            #expect(errors.reduce(0, +) / Double(errors.count) < 0.025, "window \(window)")
            #expect(errors.max()! < 0.12, "window \(window)")
        }
    }

    @Test func gainAndOffsetDoNotMoveThePoints() {
        let scene = Scene(seed: 2)
        let from = TestPyramid(scene.picture())
        let to = TestPyramid(scene.picture(gain: 0.7, offset: 25) { $0 - SIMD2(2.6, -1.3) })
        let points = Self.grid()
        var options = Self.options
        options.window = 15
        let (found, results) = Self.track(from, to, points, options)
        for (index, point) in points.enumerated() {
            #expect(hypot(found[index].x - point.x - 2.6, found[index].y - point.y + 1.3) < 0.05)
            #expect(abs(results[index].gain - 0.7) < 0.03)
            #expect(results[index].residual < 1)
        }
    }

    @Test func aWarpedTemplateFollowsRotationAndScale() {
        let scene = Scene(seed: 3)
        let center = SIMD2(100.0, 75.0)
        let angle = 0.4
        let scale = 1.25
        // Scene offset = step · picture offset.
        let step = [cos(angle) / scale, -sin(angle) / scale, sin(angle) / scale, cos(angle) / scale]
        let from = TestPyramid(scene.picture())
        let to = TestPyramid(
            scene.picture {
                let d = $0 - center
                return center + SIMD2(step[0] * d.x + step[1] * d.y, step[2] * d.x + step[3] * d.y)
            })
        let points = [fh_point(x: 100, y: 75), fh_point(x: 110.5, y: 70.25), fh_point(x: 88, y: 83)]
        let truth = points.map { point -> SIMD2<Double> in
            let d = SIMD2(Double(point.x), Double(point.y)) - center
            let determinant = step[0] * step[3] - step[1] * step[2]
            return center
                + SIMD2(step[3] * d.x - step[1] * d.y, -step[2] * d.x + step[0] * d.y) / determinant
        }
        let predictions = truth.map { fh_point(x: Float($0.x) + 1.5, y: Float($0.y) - 1) }
        let steps = points.flatMap { _ in step.map(Float.init) }
        var options = Self.options
        options.window = 15
        options.coarsest_level = 1
        options.max_forward_backward = 0.2
        let (found, results) = Self.track(from, to, points, predictions: predictions, steps: steps, options)
        for index in points.indices {
            #expect(results[index].status == FH_TRACK_FOUND)
            #expect(hypot(Double(found[index].x) - truth[index].x, Double(found[index].y) - truth[index].y) < 0.06)
            #expect(results[index].correlation > 0.98)
        }
    }

    @Test func aPredictionReplacesTheSearchFromCoarseLevels() {
        let scene = Scene(seed: 4)
        let from = TestPyramid(scene.picture())
        let to = TestPyramid(scene.picture { $0 - SIMD2(25, -18) })
        let points = [fh_point(x: 90, y: 80), fh_point(x: 120, y: 100)]
        let predictions = points.map { fh_point(x: $0.x + 24, y: $0.y - 17) }
        var options = Self.options
        options.coarsest_level = 1
        options.max_forward_backward = 0.5
        let (found, results) = Self.track(from, to, points, predictions: predictions, options)
        for (index, point) in points.enumerated() {
            #expect(results[index].status == FH_TRACK_FOUND)
            #expect(hypot(found[index].x - point.x - 25, found[index].y - point.y + 18) < 0.05)
            #expect(results[index].forward_backward < 0.1)
        }
    }

    @Test func tellsWhyAPointIsNotFound() {
        let scene = Scene(seed: 5)
        let first = scene.picture()
        // Flat in the upper left, unlike in the lower right.
        let second = scene.picture()
        for y in 0..<60 {
            for x in 0..<60 { (first[x, y], second[x, y]) = (90, 90) }
        }
        let other = Scene(seed: 6).picture()
        for y in 90..<150 {
            for x in 120..<200 { second[x, y] = other[x, y] }
        }
        let (from, to) = (TestPyramid(first), TestPyramid(second))
        let points = [
            fh_point(x: 100, y: 75), fh_point(x: 20, y: 20), fh_point(x: -1, y: 20), fh_point(x: 200, y: 20),
            fh_point(x: .nan, y: 20), fh_point(x: 160, y: 120),
        ]
        var options = Self.options
        options.window = 15
        options.min_eigenvalue = 1
        options.min_correlation = 0.8
        let (found, results) = Self.track(from, to, points, options)
        #expect(results[0].status == FH_TRACK_FOUND)
        #expect(results[1].status == FH_TRACK_FLAT)
        #expect(results[2].status == FH_TRACK_OUTSIDE)
        #expect(results[3].status == FH_TRACK_OUTSIDE)
        #expect(results[4].status == FH_TRACK_OUTSIDE)
        #expect(results[5].status == FH_TRACK_UNLIKE || results[5].status == FH_TRACK_DIVERGED)
        #expect(found[1] == points[1] && found[2] == points[2] && found[3] == points[3])
    }

    @Test func aPointThatDoesNotReturnIsInconsistent() {
        let scene = Scene(seed: 7)
        let first = scene.picture()
        // The place is covered by something else: whatever is found there leads elsewhere on the way back.
        let second = scene.picture()
        let cover = Scene(seed: 8).picture()
        for y in 50..<110 {
            for x in 70..<140 { second[x, y] = cover[x, y] }
        }
        var options = Self.options
        options.max_forward_backward = 0.5
        let points = (0..<5).map { fh_point(x: 92 + Float($0) * 6, y: 80) }
        let (_, results) = Self.track(TestPyramid(first), TestPyramid(second), points, options)
        #expect(results.allSatisfy { $0.status != FH_TRACK_FOUND })
        #expect(results.contains { $0.status == FH_TRACK_INCONSISTENT })
    }

    @Test func wrongOptionsAreRefused() {
        let pyramid = TestPyramid(Scene(seed: 9).picture(width: 40, height: 40))
        var picture = pyramid.pyramid
        var point = fh_point(x: 20, y: 20)
        var found = point
        var result = fh_klt_result()
        for change in [
            { (o: inout fh_klt_options) in o.window = 4 }, { $0.window = 32 }, { $0.max_iterations = 0 },
            { $0.epsilon = -1 }, { $0.brightness = 3 }, { $0.coarsest_level = -1 }, { $0.finest_level = 7 },
        ] {
            var options = Self.options
            change(&options)
            #expect(
                fh_klt_track(&picture, &picture, &point, nil, &found, &result, 1, &options) == FH_KERNEL_BAD_ARGUMENT)
        }
    }
}
