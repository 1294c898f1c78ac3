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
}
