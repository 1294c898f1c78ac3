import CFootholdKernels
import Testing

@Suite struct AffineTests {
    private struct Sampled: Equatable {
        var values: [Int16]
        var outside: Int32
    }

    private static func sample(
        _ picture: TestPicture, _ center: fh_point, step: [Float], columns: Int32, rows: Int32, stride: Int32
    ) -> Sampled {
        var image = picture.image
        var sampled = Sampled(values: [Int16](repeating: -1, count: Int(rows * stride)), outside: -1)
        let status = fh_affine_sample(
            &image, center, step, columns, rows, &sampled.values, stride, &sampled.outside)
        precondition(status == FH_KERNEL_OK)
        return sampled
    }

    @Test func wholePixelsAndHalvesAreExact() {
        // Grey levels 10 x + 3 y, without wrapping.
        let picture = TestPicture(width: 12, height: 9, stride: 13) { x, y in 10 * x + 3 * y }
        for name in instructionSets {
            withInstructionSet(name) {
                let straight = Self.sample(
                    picture, fh_point(x: 5, y: 4), step: [1, 0, 0, 1], columns: 3, rows: 5, stride: 4)
                for row in 0..<5 {
                    for column in 0..<3 {
                        let level = 10 * (4 + column) + 3 * (2 + row)
                        #expect(straight.values[row * 4 + column] == Int16(64 * level))
                    }
                    #expect(straight.values[row * 4 + 3] == -1, "beyond the piece nothing is written")
                }
                #expect(straight.outside == 0)
                // A quarter turn, between pixels.
                let turned = Self.sample(
                    picture, fh_point(x: 5.5, y: 4.5), step: [0, -1, 1, 0], columns: 3, rows: 1, stride: 3)
                let middle: Int16 = 64 * 55 + 32 * 27
                #expect(turned.values == [middle - 192, middle, middle + 192])
            }
        }
    }

    @Test func placesOutsideRepeatTheEdgeAndAreCounted() {
        let picture = TestPicture(width: 4, height: 3, stride: 4) { x, y in 20 * x + y }
        for name in instructionSets {
            withInstructionSet(name) {
                let sampled = Self.sample(
                    picture, fh_point(x: 3, y: 2), step: [1, 0, 0, 1], columns: 3, rows: 3, stride: 3)
                #expect(sampled.values == [41, 61, 61, 42, 62, 62, 42, 62, 62].map { Int16(64 * $0) })
                #expect(sampled.outside == 5)
            }
        }
    }

    @Test func everyInstructionSetSamplesTheSame() {
        let seed: UInt64 = 31
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let width = Int.random(in: 1...40, using: &generator)
            let height = Int.random(in: 1...40, using: &generator)
            let picture = TestPicture(
                width: width, height: height, stride: width + Int.random(in: 0...3, using: &generator),
                content: Content.allCases.randomElement(using: &generator)!, using: &generator)
            let center = fh_point(
                x: .random(in: -9...Float(width + 9), using: &generator),
                y: .random(in: -9...Float(height + 9), using: &generator))
            let step = (0..<4).map { _ in Float.random(in: -2...2, using: &generator) }
            let columns = Int32.random(in: 1...FH_AFFINE_MAX_SIDE, using: &generator)
            let rows = Int32.random(in: 1...FH_AFFINE_MAX_SIDE, using: &generator)
            let stride = columns + Int32.random(in: 0...5, using: &generator)
            let run = { Self.sample(picture, center, step: step, columns: columns, rows: rows, stride: stride) }
            let reference = withInstructionSet("SCALAR", run)
            #expect(reference.outside >= 0 && reference.outside <= columns * rows)
            for name in instructionSets {
                #expect(withInstructionSet(name, run) == reference, "\(name), seed \(seed)")
            }
        }
    }

    @Test func argumentsOutOfRangeAreRefused() {
        let picture = TestPicture(width: 8, height: 8, stride: 8) { x, _ in x }
        var image = picture.image
        var values = [Int16](repeating: 0, count: 64)
        let step: [Float] = [1, 0, 0, 1]
        let center = fh_point(x: 3, y: 3)
        func refused(
            _ image: inout fh_image, center: fh_point = center, step: [Float] = step, columns: Int32 = 3,
            rows: Int32 = 3, stride: Int32 = 3
        ) -> Bool {
            fh_affine_sample(&image, center, step, columns, rows, &values, stride, nil) == FH_KERNEL_BAD_ARGUMENT
        }
        #expect(!refused(&image))
        #expect(refused(&image, columns: 0) && refused(&image, rows: FH_AFFINE_MAX_SIDE + 1))
        #expect(refused(&image, columns: 4, stride: 3))
        #expect(refused(&image, center: fh_point(x: .nan, y: 3)) && refused(&image, step: [1, 0, .infinity, 1]))
        var empty = fh_image(data: image.data, width: 0, height: 8, stride: 8)
        #expect(refused(&empty))
        withExtendedLifetime(picture) {}
    }
}
