import FootholdScene
import FootholdTracking
import Testing

/// A camera that stands still is told to, whatever its picture's noise says and whatever moves before it.
@Suite struct StillCameraTests {
    private static let stands = 50..<95

    /// Which picture of the desk a frame shows: the camera stops for a second and a half, and goes on from there.
    private static func shown(_ index: Int) -> Int {
        stands.contains(index) ? stands.lowerBound : index < stands.lowerBound ? index : index - stands.count + 1
    }

    private static let run = Result {
        var run = try Run(.desk) { index in
            let pixels = Recording.desk.frames[shown(index)].pixels
            return stands.contains(index) ? noisy(pixels, seed: UInt64(index), boardAt: (index - 65) * 14) : pixels
        }
        run.recording.truth = run.results.map { Recording.desk.truth[shown($0.frameIndex)] }
        return run
    }

    /// The picture with noise of two grey levels, and a chequered board before it.
    private static func noisy(_ pixels: PixelBuffer, seed: UInt64, boardAt left: Int) -> PixelBuffer {
        let luma = pixels.luma
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        var picture = [UInt8]()
        picture.reserveCapacity(luma.width * luma.height)
        for y in 0..<luma.height {
            for x in 0..<luma.width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // The sum of four even numbers is near enough to a bell.
                var sum = 0.0
                for part in 0..<4 { sum += Double((state >> UInt64(16 * part)) & 0xFFFF) / 65536 }
                let isBoard = x >= left && x < left + 60
                let square = ((x - left) / 6 + y / 6) % 2
                let level = isBoard ? 60 + 120 * square : Int(luma.base[y * luma.bytesPerRow + x])
                picture.append(UInt8(min(max(Double(level) + (sum - 2) * 3.5, 0), 255)))
            }
        }
        return PixelBuffer(copyingLuma: picture, width: luma.width, height: luma.height)
    }

    /// How far what is seen one unit ahead moves in the picture from one frame to the next, pixels.
    private func movement(_ a: FrameResult, _ b: FrameResult) throws -> Double {
        let from = try #require(a.worldFromCamera)
        let to = try #require(b.worldFromCamera)
        let corners: [SIMD3<Double>] = [SIMD3(-0.5, -0.4, -1), SIMD3(0, 0, -1), SIMD3(0.5, 0.4, -1)]
        var most = 0.0
        for point in corners {
            let seen = to.inverse * (from * point)
            most = max(most, (seen * (-1 / seen.z) - point).length * b.intrinsics.fx)
        }
        return most
    }

    @Test func itsPoseHardlyTrembles() throws {
        let results = try Self.run.get().results
        let standing = results[(Self.stands.lowerBound + 20)..<Self.stands.upperBound]
        var steps: [Double] = []
        for (a, b) in zip(standing, standing.dropFirst()) { steps.append(try movement(a, b)) }
        #expect(steps.max()! < 0.02)
        let first = try #require(standing.first)
        let last = try #require(standing.last)
        #expect(try movement(first, last) < 0.1)
    }

    @Test func itIsFollowedAtOnceWhenItMovesOn() throws {
        let run = try Self.run.get()
        #expect(run.results[Self.stands.lowerBound...].allSatisfy { $0.worldFromCamera != nil })
        #expect(run.trajectoryError < 0.005)
        let after = run.results[Self.stands.upperBound...].compactMap { result in
            result.worldFromCamera.map { (result.frameIndex, $0) }
        }
        #expect(run.trajectoryError(after) < 0.005)
    }
}
