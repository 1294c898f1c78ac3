import FootholdScene
import FootholdTracking
import Testing

/// What a session says of a picture by itself.
@Suite struct PictureTests {
    /// Bright dots a third as wide as they are apart, which is `period` pixels.
    private func diagnostics(period: Int, width: Int = 320, height: Int = 240) throws -> FrameDiagnostics {
        let luma: [UInt8] = (0..<(width * height)).map { index in
            let (x, y) = (index % width, index / width)
            return x % period < period / 3 && y % period < period / 3 ? 190 : UInt8(100 + (index &* 7919 >> 5) % 3)
        }
        let intrinsics = CameraIntrinsics.guess(width: width, height: height)
        let session = try WorldSession(configuration: .init(intrinsics: intrinsics))
        let pixels = PixelBuffer(copyingLuma: luma, width: width, height: height)
        return try session.process(Frame(index: 0, timestampNanoseconds: 0, pixels: pixels)).diagnostics
    }

    /// A small picture is taken as it is: dots that vanish in a picture half or a quarter as wide are neither noise nor
    /// an empty wall.
    @Test(arguments: [(6, 320, 240), (9, 320, 240), (12, 640, 480), (24, 1280, 960)])
    func fineDotsAreDetailThatRepeatsItself(_ period: Int, _ width: Int, _ height: Int) throws {
        let d = try diagnostics(period: period, width: width, height: height)
        #expect(d.repetition > 0.8, "repetition \(d.repetition)")
        #expect(d.detailShare > 0.5, "detail \(d.detailShare)")
    }

    /// Luma within 16…235, as most recordings have it, measured.
    private func ofRecording(_ luma: [UInt8], width: Int = 320, height: Int = 240) throws -> FrameDiagnostics {
        let session = try WorldSession(configuration: .init(intrinsics: .guess(width: width, height: height)))
        return try luma.withUnsafeBufferPointer { memory in
            let plane = PixelBuffer.Plane(
                base: try #require(memory.baseAddress), width: width, height: height, bytesPerRow: width)
            let pixels = PixelBuffer(
                format: .gray8, width: width, height: height, planes: [plane], isFullRange: false, release: {})
            return try session.process(Frame(index: 0, timestampNanoseconds: 0, pixels: pixels)).diagnostics
        }
    }

    @Test func whiteIsWhiteAndBlackIsBlackInARecordingThatKeepsToVideoRange() throws {
        let white = try ofRecording([UInt8](repeating: 235, count: 320 * 240))
        #expect(white.brightness > 1 - 1e-6 && white.brightShare == 1 && white.darkShare == 0)
        let black = try ofRecording([UInt8](repeating: 16, count: 320 * 240))
        #expect(black.brightness < 1e-6 && black.darkShare == 1 && black.brightShare == 0)
    }

    @Test func theSameViewHasTheSameLightWhateverItsRange() throws {
        // A slope from black to white, in patches that outlast being looked at in a smaller size.
        let full: [UInt8] = (0..<320 * 240).map { index in
            let step = (index % 320) / 8
            return UInt8(step * 255 / 39)
        }
        let video: [UInt8] = full.map { level in
            let value = 16 + Double(level) * 219 / 255
            return UInt8(value.rounded())
        }
        let session = try WorldSession(configuration: .init(intrinsics: .guess(width: 320, height: 240)))
        let pixels = PixelBuffer(copyingLuma: full, width: 320, height: 240)
        let a = try session.process(Frame(index: 0, timestampNanoseconds: 0, pixels: pixels)).diagnostics
        let b = try ofRecording(video)
        #expect(a.darkShare > 0.04 && a.brightShare > 0.04)
        #expect(abs(a.brightness - b.brightness) < 0.005)
        #expect(abs(a.darkShare - b.darkShare) < 0.02 && abs(a.brightShare - b.brightShare) < 0.02)
    }
}
