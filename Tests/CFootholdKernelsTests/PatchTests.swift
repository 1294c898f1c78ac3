import CFootholdKernels
import Foundation
import Testing

@Suite struct PatchTests {
    private static let options = fh_align_options(
        max_iterations: 20, epsilon: 0.01, max_shift: 6, min_eigenvalue: 1, min_correlation: 0.8)

    private static func align(
        _ patch: fh_template, _ pyramid: TestPyramid, from start: fh_point, _ options: fh_align_options = options
    ) -> (position: fh_point, result: fh_align_result) {
        var (patch, picture, options, position) = (patch, pyramid.pyramid, options, start)
        var result = fh_align_result()
        precondition(fh_patch_align(&patch, &picture, 0, &options, &position, &result) == FH_KERNEL_OK)
        return (position, result)
    }

    private static func sample(
        _ picture: TestPicture, _ center: fh_point, step: [Float]? = nil, window: Int32 = 11,
        brightness: Int = FH_BRIGHTNESS_GAIN_OFFSET
    ) -> fh_template {
        var image = picture.image
        var patch = fh_template()
        precondition(fh_template_sample(&image, center, step, window, Int32(brightness), &patch) == FH_KERNEL_OK)
        return patch
    }

    @Test func aStoredPatchIsFoundAgainUnderRotationAndBrightness() {
        let scene = Scene(seed: 11)
        // What a host kept: a small picture around scene point (100, 75), its centre at (13, 13).
        let host = scene.picture(width: 27, height: 27) { $0 + SIMD2(87, 62) }
        let angle = -0.5
        let step = [cos(angle), -sin(angle), sin(angle), cos(angle)]
        let seen = scene.picture(gain: 1.2, offset: -15) {
            let d = $0 - SIMD2(61.4, 82.7)
            return SIMD2(100, 75) + SIMD2(step[0] * d.x + step[1] * d.y, step[2] * d.x + step[3] * d.y)
        }
        let pyramid = TestPyramid(seen)
        for name in instructionSets {
            withInstructionSet(name) {
                let patch = Self.sample(host, fh_point(x: 13, y: 13), step: step.map(Float.init))
                #expect(patch.outside_count == 0)
                #expect(patch.min_eigenvalue > 1)
                let (position, result) = Self.align(patch, pyramid, from: fh_point(x: 62.9, y: 81.2))
                #expect(result.status == FH_TRACK_FOUND)
                #expect(hypot(position.x - 61.4, position.y - 82.7) < 0.05)
                #expect(abs(result.gain - 1.2) < 0.04)
                #expect(result.correlation > 0.99)
            }
        }
    }

    @Test func everyInstructionSetSamplesAndAlignsTheSame() {
        let seed: UInt64 = 12
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            let content = Content.allCases.randomElement(using: &generator)!
            let side = Int.random(in: 1...40, using: &generator)
            let picture = TestPicture(
                width: side, height: side, stride: side + 1, content: content, using: &generator)
            let pyramid = TestPyramid(
                TestPicture(width: 60, height: 50, stride: 61, content: content, using: &generator))
            let center = fh_point(
                x: .random(in: -3...Float(side + 3), using: &generator),
                y: .random(in: -3...Float(side + 3), using: &generator))
            let step = (0..<4).map { _ in Float.random(in: -1.5...1.5, using: &generator) }
            let window = Int32.random(in: FH_WINDOW_MIN...FH_WINDOW_MAX, using: &generator)
            let brightness = Int.random(in: 0...2, using: &generator)
            let start = fh_point(x: .random(in: 0...59, using: &generator), y: .random(in: 0...49, using: &generator))
            var options = Self.options
            options.min_eigenvalue = 0
            let run = {
                let patch = Self.sample(picture, center, step: step, window: window, brightness: brightness)
                return (patch, Self.align(patch, pyramid, from: start, options))
            }
            let reference = withInstructionSet("SCALAR", run)
            for name in instructionSets {
                let (patch, aligned) = withInstructionSet(name, run)
                #expect(patch.min_eigenvalue == reference.0.min_eigenvalue, "\(name), seed \(seed)")
                #expect(patch.standard_deviation == reference.0.standard_deviation)
                #expect(patch.outside_count == reference.0.outside_count)
                let used = Int(window * patch.row_stride) * MemoryLayout<Int16>.size
                #expect(bytes(of: patch.value).prefix(used) == bytes(of: reference.0.value).prefix(used))
                #expect(bytes(of: patch.gradient_x).prefix(used) == bytes(of: reference.0.gradient_x).prefix(used))
                #expect(bytes(of: patch.gradient_y).prefix(used) == bytes(of: reference.0.gradient_y).prefix(used))
                #expect(aligned.position == reference.1.position, "\(name), seed \(seed)")
                #expect(bytes(of: aligned.result) == bytes(of: reference.1.result), "\(name), seed \(seed)")
            }
        }
    }

    @Test func samplesOutsideTheSourceAreCounted() {
        var generator = SeededGenerator(seed: 13)
        let picture = TestPicture(width: 20, height: 20, stride: 20, content: .noise, using: &generator)
        #expect(Self.sample(picture, fh_point(x: 9, y: 9)).outside_count == 0)
        // The window's left three columns, rim included, of thirteen rows.
        #expect(Self.sample(picture, fh_point(x: 3, y: 9)).outside_count == 3 * 13)
    }

    @Test func aFlatTemplateAndAPlaceOutsideAreRefused() {
        let flat = TestPicture(width: 30, height: 30, stride: 30)
        let pyramid = TestPyramid(Scene(seed: 14).picture())
        let center = fh_point(x: 15, y: 15)
        #expect(Self.align(Self.sample(flat, center), pyramid, from: center).result.status == FH_TRACK_FLAT)
        let patch = Self.sample(Scene(seed: 14).picture(), fh_point(x: 60, y: 60))
        for start in [fh_point(x: -3, y: 10), fh_point(x: 10, y: 152), fh_point(x: .infinity, y: 3)] {
            let (position, result) = Self.align(patch, pyramid, from: start)
            #expect(result.status == FH_TRACK_OUTSIDE)
            #expect(position == start)
        }
    }

    @Test func aSearchIsGivenUpBeyondItsReach() {
        let scene = Scene(seed: 15)
        let patch = Self.sample(scene.picture(), fh_point(x: 100, y: 75), window: 21)
        var options = Self.options
        options.max_shift = 1
        let start = fh_point(x: 103, y: 75)
        let (position, result) = Self.align(patch, TestPyramid(scene.picture()), from: start, options)
        #expect(result.status == FH_TRACK_DIVERGED)
        #expect(position == start)
    }
}
