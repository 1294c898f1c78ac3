import CFootholdKernels
import Foundation
import Testing

/// A map with the memory that it lives in.
private final class TestRemap {
    private(set) var remap = fh_remap()
    private let memory: FencedMemory

    init(from source: fh_lens, width: Int, height: Int, to target: fh_lens, width newWidth: Int, height newHeight: Int)
    {
        let size = fh_remap_memory_size(Int32(newWidth), Int32(newHeight))
        memory = FencedMemory(byteCount: size, at: .last)
        var (source, target) = (source, target)
        let status = fh_remap_build(
            &source, Int32(width), Int32(height), &target, Int32(newWidth), Int32(newHeight), memory.base, size, &remap)
        precondition(status == FH_KERNEL_OK)
    }

    func draw(_ picture: TestPicture, extra: Int) -> GuardedOutput {
        var out = GuardedOutput(width: Int(remap.width), height: Int(remap.height), extra: extra)
        let stride = Int32(out.stride)
        var (image, map) = (picture.image, remap)
        let status = out.withPixels { pixels in
            withExtendedLifetime((picture, self)) { fh_remap_apply(&map, &image, pixels, stride) }
        }
        precondition(status == FH_KERNEL_OK)
        return out
    }
}

private func pinhole(_ focal: Double, _ cx: Double, _ cy: Double) -> fh_lens {
    fh_lens(model: Int32(FH_LENS_NONE), fx: focal, fy: focal, cx: cx, cy: cy, k: (0, 0, 0, 0, 0))
}

@Suite struct RemapTests {
    @Test(arguments: 1...70)
    func everyInstructionSetDrawsLikeTheReference(width: Int) {
        let seed = UInt64(width) &* 7919
        var generator = SeededGenerator(seed: seed)
        for content in Content.allCases {
            // Sources down to 2×2, wholly and partly seen, ending at a fence.
            let (w, h) = (Int.random(in: 2...40, using: &generator), Int.random(in: 2...30, using: &generator))
            let picture = TestPicture(width: w, height: h, stride: w + 3, content: content, using: &generator)
            let source = fh_lens(
                model: Int32(FH_LENS_RADIAL_TANGENTIAL), fx: 0.8 * Double(w), fy: 0.8 * Double(w), cx: Double(w) / 2,
                cy: Double(h) / 2, k: (-0.2, 0.05, 0.001, -0.002, 0))
            let target = pinhole(Double.random(in: 10...60, using: &generator), Double(width) / 2, 4)
            let map = TestRemap(from: source, width: w, height: h, to: target, width: width, height: 9)
            let reference = withInstructionSet("SCALAR") { map.draw(picture, extra: 1) }
            for name in instructionSets {
                let drawn = withInstructionSet(name) { map.draw(picture, extra: 1) }
                #expect(drawn.bytes == reference.bytes, "\(name), \(content), seed \(seed)")
                #expect(drawn.guardsAreIntact, "\(name), \(content), seed \(seed)")
            }
        }
    }

    @Test func theSameLensGivesTheSamePicture() {
        var generator = SeededGenerator(seed: 5)
        let picture = TestPicture(width: 37, height: 22, stride: 40, content: .noise, using: &generator)
        let lens = pinhole(30, 18, 11)
        let map = TestRemap(from: lens, width: 37, height: 22, to: lens, width: 37, height: 22)
        for name in instructionSets {
            #expect(withInstructionSet(name) { map.draw(picture, extra: 0) }.pixels == picture.pixels, "\(name)")
        }
    }

    @Test func pixelsBetweenPixelsAreBlendedAndThoseOutsideAreBlack() {
        let picture = TestPicture(width: 40, height: 30, stride: 40)
        for y in 0..<30 {
            for x in 0..<40 { picture[x, y] = UInt8(4 * x + y) }
        }
        // The result's pixel (x, y) shows the source's (x + 10.25, y - 2.5).
        let map = TestRemap(
            from: pinhole(100, 10.25, -2.5), width: 40, height: 30, to: pinhole(100, 0, 0), width: 40, height: 30)
        let drawn = map.draw(picture, extra: 0).pixels
        for y in 0..<30 {
            for x in 0..<40 {
                let (sx, sy) = (Double(x) + 10.25, Double(y) - 2.5)
                let expected = sx <= 39 && sy >= 0 ? (4 * sx + sy + 0.5).rounded(.down) : 0
                #expect(drawn[y * 40 + x] == UInt8(expected), "\(x), \(y)")
            }
        }
    }

    @Test func aDistortedPictureIsStraightened() {
        // A straight line in the world, seen through a lens that bends it.
        var lens = fh_lens(
            model: Int32(FH_LENS_RADIAL_TANGENTIAL), fx: 150, fy: 150, cx: 100, cy: 75, k: (-0.3, 0.1, 0, 0, 0))
        let picture = TestPicture(width: 200, height: 150, stride: 200)
        for y in 0..<150 {
            for x in 0..<200 {
                let pixel = [Double(x), Double(y)]
                var point = [0.0, 0.0]
                #expect(fh_lens_undistort(&lens, pixel, 1, &point) == FH_KERNEL_OK)
                picture[x, y] = point[1] > -0.3 ? 200 : 40
            }
        }
        let map = TestRemap(from: lens, width: 200, height: 150, to: pinhole(150, 100, 75), width: 200, height: 150)
        let drawn = map.draw(picture, extra: 0).pixels
        for x in stride(from: 30, to: 170, by: 10) {
            let edge = (0..<149).first { drawn[$0 * 200 + x] < 120 && drawn[($0 + 1) * 200 + x] >= 120 }
            #expect(edge.map { abs($0 - 29) <= 1 } ?? false, "column \(x)")
        }
    }

    @Test func wrongArgumentsAreRefused() {
        var lens = pinhole(10, 5, 5)
        var remap = fh_remap()
        var memory = [UInt8](repeating: 0, count: fh_remap_memory_size(8, 8))
        #expect(fh_remap_build(&lens, 1, 8, &lens, 8, 8, &memory, memory.count, &remap) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_remap_build(&lens, 8, 8, &lens, 8, 8, &memory, 100, &remap) == FH_KERNEL_TOO_SMALL)
        #expect(fh_remap_build(nil, 8, 8, &lens, 8, 8, &memory, memory.count, &remap) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_remap_memory_size(0, 4) == 0)
        let map = TestRemap(from: lens, width: 8, height: 8, to: lens, width: 8, height: 8)
        var image = TestPicture(width: 9, height: 8, stride: 9).image
        var other = map.remap
        #expect(fh_remap_apply(&other, &image, &memory, 8) == FH_KERNEL_BAD_ARGUMENT)
    }
}
