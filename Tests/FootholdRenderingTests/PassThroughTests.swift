import FootholdRendering
import FootholdScene
import Testing

@Suite struct PassThroughTests {
    @Test(arguments: [PixelBuffer.Format.gray8, .yuv420p, .nv12], [(64, 48), (37, 21), (1, 1)])
    func withoutAnOverlayTheFramesBytesAreKept(format: PixelBuffer.Format, size: (Int, Int)) throws {
        let (width, height) = size
        let renderer = try OverlayRenderer(width: width, height: height, fontLanguage: "en")
        let frame = Pictures.noise(format, width: width, height: height, isFullRange: false)
        let overlay = Overlay(intrinsics: .guess(width: width, height: height))
        let picture = try renderer.render(frame, overlay: overlay)
        #expect(picture.overlayOpacity == 0)
        #expect(!picture.isFullRange)
        let planes = picture.planes
        for y in 0..<height {
            for x in 0..<width {
                let source = frame.pixels.luma
                #expect(planes[0].base[y * planes[0].bytesPerRow + x] == source.base[y * source.bytesPerRow + x])
            }
        }
        for y in 0..<planes[1].height {
            for x in 0..<planes[1].width {
                let expected = chroma(frame.pixels, x, y)
                #expect(planes[1].base[y * planes[1].bytesPerRow + x] == expected.u)
                #expect(planes[2].base[y * planes[2].bytesPerRow + x] == expected.v)
            }
        }
    }

    private func chroma(_ pixels: PixelBuffer, _ x: Int, _ y: Int) -> (u: UInt8, v: UInt8) {
        switch pixels.format {
        case .gray8:
            return (128, 128)
        case .yuv420p:
            let place = y * pixels.planes[1].bytesPerRow + x
            return (pixels.planes[1].base[place], pixels.planes[2].base[place])
        case .nv12:
            let place = y * pixels.planes[1].bytesPerRow + 2 * x
            return (pixels.planes[1].base[place], pixels.planes[1].base[place + 1])
        }
    }

    /// Against the standards' own formulas in floating point, BT.601 and BT.709.
    @Test(arguments: [PixelBuffer.ColorMatrix.bt601, .bt709], [true, false])
    func colorsFollowTheFramesMatrixAndRange(matrix: PixelBuffer.ColorMatrix, isFullRange: Bool) throws {
        let renderer = try OverlayRenderer(width: 32, height: 32, fontLanguage: "en")
        let frame = Pictures.noise(.yuv420p, width: 32, height: 32, isFullRange: isFullRange, matrix: matrix)
        let overlay = Overlay(intrinsics: .guess(width: 32, height: 32))
        let seen = Pixels(try renderer.render(frame, overlay: overlay))
        let (kr, kb) = matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
        for y in 0..<32 {
            for x in 0..<32 {
                let luma = frame.pixels.luma
                let c = chroma(frame.pixels, x / 2, y / 2)
                let raw = Double(luma.base[y * luma.bytesPerRow + x])
                let l = isFullRange ? raw : (raw - 16) * 255 / 219
                let scale = isFullRange ? 1 : 255.0 / 224
                let (u, v) = ((Double(c.u) - 128) * scale, (Double(c.v) - 128) * scale)
                let red = l + 2 * (1 - kr) * v
                let blue = l + 2 * (1 - kb) * u
                let green = (l - kr * red - kb * blue) / (1 - kr - kb)
                let expected = [red, green, blue].map { min(255, max(0, $0)) }
                let pixel = seen[x, y]
                let worst = zip(expected, [pixel.x, pixel.y, pixel.z]).map { abs($0 - Double($1)) }.max()!
                #expect(worst <= 2, "\(expected) became \(pixel)")
            }
        }
    }

    @Test func anOverlayLooksTheSameOverEveryKindOfFrame() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let overlay = Overlay(
            worldFromCamera: .identity, intrinsics: .guess(width: 320, height: 240),
            objects: [Objects.make(.box, at: SIMD3(0, -0.1, -0.6))])
        var colors: [SIMD3<Int>] = []
        for matrix in [PixelBuffer.ColorMatrix.bt601, .bt709] {
            for isFullRange in [true, false] {
                let frame = Pictures.noise(
                    .nv12, width: 320, height: 240, isFullRange: isFullRange, matrix: matrix)
                colors.append(Pixels(try renderer.render(frame, overlay: overlay))[160, 130])
            }
        }
        for color in colors {
            let difference = color &- colors[0]
            #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) <= 4)
            #expect(color.x - color.z > 40)
        }
    }

    @Test func aFrameOfAnotherSizeIsRefusedInOneLine() throws {
        let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
        let error = #expect(throws: RenderingError.self) {
            try renderer.render(
                Pictures.gray(0, width: 48, height: 64), overlay: Overlay(intrinsics: .guess(width: 48, height: 64)))
        }
        #expect(error?.message.contains("64×48 to 48×64") == true)
        #expect(error?.message.contains("\n") == false)
        #expect(throws: RenderingError.self) { try OverlayRenderer(width: 0, height: 10, fontLanguage: "en") }
    }

    @Test func aPictureStaysAsItIsWhileTheNextIsDrawn() throws {
        let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
        let overlay = Overlay(intrinsics: .guess(width: 64, height: 48))
        let first = try renderer.render(Pictures.gray(40, width: 64, height: 48), overlay: overlay)
        let before = first.rgba()
        for level in UInt8(41)..<60 {
            _ = try renderer.render(Pictures.gray(level, width: 64, height: 48), overlay: overlay)
        }
        #expect(first.rgba() == before)
    }
}
