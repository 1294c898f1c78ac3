import CFootholdKernels
import Foundation
import Testing

@Suite struct PyramidTests {
    private typealias Filter = @Sendable (TestPicture, UnsafeMutablePointer<UInt8>, Int32) -> Int32

    private static let filters: [(name: String, size: @Sendable (Int) -> Int, run: Filter)] = [
        (
            "half by Gaussian", { ($0 + 1) / 2 },
            { picture, out, stride in
                withScratch(fh_gaussian_scratch_size(Int32(picture.width))) { scratch, size in
                    var image = picture.image
                    return fh_halve_gaussian(&image, out, stride, scratch, size)
                }
            }
        ),
        (
            "half by mean", { $0 / 2 },
            { picture, out, stride in
                var image = picture.image
                return fh_halve_mean(&image, out, stride)
            }
        ),
        (
            "blur", { $0 },
            { picture, out, stride in
                withScratch(fh_gaussian_scratch_size(Int32(picture.width))) { scratch, size in
                    var image = picture.image
                    return fh_blur_gaussian(&image, out, stride, scratch, size)
                }
            }
        ),
    ]

    private static func withScratch<Result>(_ size: Int, _ body: (UnsafeMutableRawPointer, Int) -> Result) -> Result {
        let memory = FencedMemory(byteCount: size, at: .last)
        return body(memory.base, size)
    }

    @Test(arguments: 1...70)
    func everyInstructionSetFiltersLikeTheReferenceAndStaysInside(width: Int) {
        let seed = UInt64(width) &* 7919
        var generator = SeededGenerator(seed: seed)
        for (index, content) in Content.allCases.enumerated() {
            let height = Int.random(in: 1...9, using: &generator)
            let stride = width + Int.random(in: 0...6, using: &generator)
            let fence: FencedMemory.Side = index % 2 == 0 ? .last : .first
            let picture = TestPicture(
                width: width, height: height, stride: stride, fence: fence, content: content, using: &generator)
            for filter in Self.filters {
                let size = (width: filter.size(width), height: filter.size(height))
                guard size.width > 0, size.height > 0 else { continue }
                var expected: [UInt8]?
                for name in instructionSets.reversed() {
                    var output = GuardedOutput(width: size.width, height: size.height, extra: width % 3)
                    let status = withInstructionSet(name) {
                        output.withPixels { filter.run(picture, $0, Int32(size.width + width % 3)) }
                    }
                    #expect(status == FH_KERNEL_OK)
                    #expect(output.guardsAreIntact, "\(filter.name), \(name), \(width)×\(height), seed \(seed)")
                    let reference = expected ?? output.pixels
                    expected = reference
                    #expect(output.pixels == reference, "\(filter.name), \(name), \(width)×\(height), seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 15, 16, 17, 24, 25, 26, 49, 64, 70])
    func everyLevelIsTheHalfOfTheOneBeforeWithAMirroredBorder(width: Int) throws {
        var generator = SeededGenerator(seed: UInt64(width))
        for height in [1, 2, 9, 30, 57] {
            let picture = TestPicture(
                width: width, height: height, stride: width + 3, content: .noise, using: &generator)
            let reference = withInstructionSet("SCALAR") { TestPyramid(picture) }
            #expect(bytes(of: reference.level(0).pixels) == bytes(of: picture.pixels))
            for index in 0..<Int(reference.pyramid.level_count) {
                let level = reference.level(index)
                try expectMirroredBorder(level)
                guard index > 0 else { continue }
                let before = reference.level(index - 1)
                var output = GuardedOutput(width: Int(level.width), height: Int(level.height), extra: 0)
                let status = Self.withScratch(fh_gaussian_scratch_size(before.width)) { scratch, size in
                    withUnsafePointer(to: before) { source in
                        output.withPixels { fh_halve_gaussian(source, $0, level.width, scratch, size) }
                    }
                }
                #expect(status == FH_KERNEL_OK)
                #expect(output.pixels == level.pixels)
            }
            for name in instructionSets {
                let pyramid = withInstructionSet(name) { TestPyramid(picture) }
                #expect(pyramid.pyramid.level_count == reference.pyramid.level_count)
                for index in 0..<Int(reference.pyramid.level_count) {
                    #expect(pyramid.borderedPixels(index) == reference.borderedPixels(index), "\(name)")
                }
            }
        }
    }

    private func expectMirroredBorder(_ level: fh_image) throws {
        let border = Int(FH_PYRAMID_BORDER)
        let width = Int(level.width)
        let height = Int(level.height)
        #expect(Int(bitPattern: level.data) % 64 == 0)
        #expect(level.stride % 64 == 0)
        func mirrored(_ index: Int, _ count: Int) -> Int {
            guard count > 1 else { return 0 }
            let place = abs(index) % (2 * (count - 1))
            return place < count ? place : 2 * (count - 1) - place
        }
        for y in -border..<height + border {
            for x in -border..<width + border {
                let seen = level.data[y * Int(level.stride) + x]
                let meant = level.data[mirrored(y, height) * Int(level.stride) + mirrored(x, width)]
                try #require(seen == meant, "at \(x), \(y) of \(width)×\(height)")
            }
        }
    }

    @Test func levelsEndBeforeASideFallsBelowEight() {
        var generator = SeededGenerator(seed: 5)
        let picture = TestPicture(width: 64, height: 33, stride: 64, content: .noise, using: &generator)
        let pyramid = TestPyramid(picture, levels: 8)
        #expect(pyramid.pyramid.level_count == 3)
        #expect(pyramid.level(2).width == 16)
        #expect(pyramid.level(2).height == 9)
    }

    @Test func halvingGivesThePixelsOfOpenCVsPyrDown() throws {
        let picture = StoredVectors.picture()
        var output = GuardedOutput(width: 24, height: 17, extra: 0)
        var image = picture.image
        let status = Self.withScratch(fh_gaussian_scratch_size(image.width)) { scratch, size in
            output.withPixels { fh_halve_gaussian(&image, $0, 24, scratch, size) }
        }
        #expect(status == FH_KERNEL_OK)
        #expect(output.pixels == StoredVectors.pyrDown)
    }

    @Test func wrongArgumentsAreRefused() {
        let picture = TestPicture(width: 16, height: 16, stride: 16)
        var image = picture.image
        var out = [UInt8](repeating: 0, count: 256)
        var scratch = [UInt8](repeating: 0, count: 4096)
        #expect(fh_halve_gaussian(&image, &out, 8, &scratch, 10) == FH_KERNEL_TOO_SMALL)
        #expect(fh_halve_gaussian(&image, &out, 7, &scratch, 4096) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_halve_gaussian(nil, &out, 8, &scratch, 4096) == FH_KERNEL_BAD_ARGUMENT)
        image.stride = 15
        #expect(fh_halve_mean(&image, &out, 8) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_pyramid_memory_size(0, 5, 1) == 0)
        #expect(fh_pyramid_memory_size(5, 5, 9) == 0)
        var pyramid = fh_pyramid()
        #expect(fh_pyramid_build(picture.data, 16, 16, 16, 1, &scratch, 100, &pyramid) == FH_KERNEL_TOO_SMALL)
        #expect(fh_pyramid_build(picture.data, 16, 16, 15, 1, &scratch, 4096, &pyramid) == FH_KERNEL_BAD_ARGUMENT)
    }
}

extension fh_image {
    fileprivate var pixels: [UInt8] {
        (0..<Int(height)).flatMap { y in (0..<Int(width)).map { data[y * Int(stride) + $0] } }
    }
}
