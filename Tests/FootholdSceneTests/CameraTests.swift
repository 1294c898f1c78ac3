import FootholdScene
import Foundation
import Testing

@Suite struct CameraTests {
    static let lenses: [CameraIntrinsics.Distortion] = [
        .none, .radialTangential(k1: -0.28, k2: 0.09, p1: 0.0006, p2: -0.0004, k3: -0.01),
        .fisheye(k1: 0.05, k2: -0.02, k3: 0.004, k4: -0.001),
    ]

    private func camera(_ distortion: CameraIntrinsics.Distortion) -> CameraIntrinsics {
        CameraIntrinsics(
            width: 640, height: 480, fx: 450, fy: 455, cx: 322, cy: 236, distortion: distortion)
    }

    @Test(arguments: lenses)
    func aPixelsDirectionIsSeenAtThatPixel(distortion: CameraIntrinsics.Distortion) throws {
        let camera = camera(distortion)
        for y in stride(from: 0.0, to: 480, by: 37) {
            for x in stride(from: 0.0, to: 640, by: 37) {
                let direction = camera.unproject(SIMD2(x, y))
                #expect(direction.z == 1)
                let pixel = try #require(camera.project(direction * 3))
                #expect(pixel.distance(to: SIMD2(x, y)) < 1e-6)
            }
        }
    }

    @Test(arguments: lenses)
    func resizedCamerasLookTheSameWay(distortion: CameraIntrinsics.Distortion) {
        let camera = camera(distortion)
        let half = camera.scaled(toWidth: 320, height: 240)
        #expect((half.width, half.height) == (320, 240))
        // The corners of the picture's area, half a pixel outside the outer pixels' centres.
        let corner = camera.unproject(SIMD2(-0.5, -0.5))
        #expect(corner.distance(to: half.unproject(SIMD2(-0.5, -0.5))) < 1e-9)
        #expect(camera.unproject(SIMD2(639.5, 479.5)).distance(to: half.unproject(SIMD2(319.5, 239.5))) < 1e-9)
    }

    @Test func raysAndProjectionsOfWorldPointsBelongTogether() throws {
        let camera = camera(Self.lenses[1])
        let pose = Pose(rotation: Rotation(axis: SIMD3(0.2, 1, 0.1), angleRadians: 0.9), position: SIMD3(1, 2, 3))
        let ray = camera.ray(through: SIMD2(500, 100), worldFromCamera: pose)
        #expect(ray.origin == pose.position)
        #expect(abs(ray.direction.length - 1) < 1e-12)
        let pixel = try #require(camera.project(worldPoint: ray.point(at: 4.2), worldFromCamera: pose))
        #expect(pixel.distance(to: SIMD2(500, 100)) < 1e-6)
        #expect(camera.project(worldPoint: ray.point(at: -1), worldFromCamera: pose) == nil)
    }

    @Test func rightIsRightAndUpIsUpInThePicture() throws {
        let camera = camera(.none)
        let middle = try #require(camera.project(worldPoint: SIMD3(0, 0, -2), worldFromCamera: .identity))
        #expect(middle == SIMD2(322, 236))
        let right = try #require(camera.project(worldPoint: SIMD3(0.1, 0, -2), worldFromCamera: .identity))
        let up = try #require(camera.project(worldPoint: SIMD3(0, 0.1, -2), worldFromCamera: .identity))
        #expect(right.x > middle.x)
        #expect(up.y < middle.y)
    }

    @Test func aGuessSeesSixtyFiveDegreesAcrossTheLongerSide() {
        for (width, height) in [(1920, 1080), (1080, 1920)] {
            let guess = CameraIntrinsics.guess(width: width, height: height)
            #expect(guess.source == .guessed)
            #expect(abs(2 * atan(960 / guess.fx) * 180 / .pi - 58) < 1e-9)
            #expect(guess.cx == Double(width - 1) / 2)
            #expect(guess.cy == Double(height - 1) / 2)
        }
    }

    @Test func aPixelBufferGivesItsMemoryBackOnce() {
        final class Counter: @unchecked Sendable { var count = 0 }
        let counter = Counter()
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 12)
        memory.initialize(repeating: 7, count: 12)
        defer { memory.deallocate() }
        do {
            let buffer = PixelBuffer(
                format: .gray8, width: 4, height: 3,
                planes: [.init(base: UnsafePointer(memory), width: 4, height: 3, bytesPerRow: 4)], isFullRange: true,
                release: { counter.count += 1 })
            let frame = Frame(index: 3, timestampNanoseconds: 1_500_000_000, pixels: buffer)
            #expect(frame.seconds == 1.5)
            #expect(frame.pixels.luma.base[5] == 7)
            #expect(counter.count == 0)
        }
        #expect(counter.count == 1)
    }

    @Test func copiedLumaIsItsOwn() {
        var luma = [UInt8](0..<12)
        let buffer = PixelBuffer(copyingLuma: luma, width: 4, height: 3)
        luma[5] = 99
        #expect(buffer.luma.base[5] == 5)
        #expect(buffer.luma.bytesPerRow == 4)
        #expect(buffer.colorMatrix == .bt601)
        #expect(PixelBuffer.ColorMatrix.assumed(width: 1920, height: 1080) == .bt709)
    }
}
