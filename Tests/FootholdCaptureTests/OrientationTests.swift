import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    @Suite struct OrientationTests {
        /// What a display matrix says: the stored pixel (x, y) is shown at (a·x + c·y, b·x + d·y), up to a shift.
        struct Matrix: CustomTestStringConvertible {
            var a, b, c, d: Int
            var degrees: Int
            var testDescription: String { "[\(a) \(b); \(c) \(d)]" }
        }

        static let all = [
            Matrix(a: 1, b: 0, c: 0, d: 1, degrees: 0), Matrix(a: 0, b: 1, c: -1, d: 0, degrees: 90),
            Matrix(a: -1, b: 0, c: 0, d: -1, degrees: 180), Matrix(a: 0, b: -1, c: 1, d: 0, degrees: 270),
            Matrix(a: -1, b: 0, c: 0, d: 1, degrees: 0), Matrix(a: 0, b: -1, c: -1, d: 0, degrees: 90),
            Matrix(a: 1, b: 0, c: 0, d: -1, degrees: 180), Matrix(a: 0, b: 1, c: 1, d: 0, degrees: 270),
        ]

        @Test func aRecordingHeldUprightIsShownUpright() throws {
            let source = try #require(try Fixture.open("portrait.mp4") as? VideoFileSource)
            #expect((source.info.width, source.info.height) == (120, 160))
            #expect(source.info.rotationDegrees == 90)
            let frames = try source.allFrames()
            #expect(frames.map { $0.pixels.number() } == [0, 1, 2])
            #expect(frames.allSatisfy { $0.pixels.format == .yuv420p && showsQuarters($0.pixels) })
            #expect(source.copiedFrameCount == 3)
        }

        @Test(arguments: all, ["odd.mov", "plain.mp4"])
        func everyPixelOfEveryPlaneGoesWhereTheMatrixSays(matrix: Matrix, name: String) throws {
            let folder = try TemporaryFolder()
            let path = try folder.write(try patched(Fixture.bytes(name), matrix), name)
            let source = try FrameSources.open(path)
            #expect(source.info.rotationDegrees == matrix.degrees)
            let shown = try #require(try source.nextFrame()).pixels
            let stored = try #require(try Fixture.open(name).nextFrame()).pixels
            for index in 0..<3 {
                let from = stored.planes[index]
                let to = shown.planes[index]
                let swaps = matrix.a == 0
                try #require(to.width == (swaps ? from.height : from.width))
                try #require(to.height == (swaps ? from.width : from.height))
                let shiftX = matrix.a + matrix.c < 0 ? to.width - 1 : 0
                let shiftY = matrix.b + matrix.d < 0 ? to.height - 1 : 0
                var wrong = 0
                for y in 0..<from.height {
                    for x in 0..<from.width {
                        let shownX = matrix.a * x + matrix.c * y + shiftX
                        let shownY = matrix.b * x + matrix.d * y + shiftY
                        if to.base[shownY * to.bytesPerRow + shownX] != from.base[y * from.bytesPerRow + x] {
                            wrong += 1
                        }
                    }
                }
                #expect(wrong == 0)
            }
        }

        /// The calibration is for 160×120 pictures, as they are stored.
        @Test(arguments: all.filter { $0.a == 0 })
        func aCalibrationForTheStoredPictureFollowsTheMatrix(matrix: Matrix) throws {
            let folder = try TemporaryFolder()
            let camera = try folder.write(
                """
                {"width": 160, "height": 120, "fx": 150, "fy": 151, "cx": 85, "cy": 55,
                 "distortion_model": "radtan", "k1": 0.1, "k2": -0.2, "p1": 0.01, "p2": -0.02, "k3": 0.03}
                """, "camera.json")
            let options = CaptureOptions(cameraFile: camera)
            let stored = try #require(try Fixture.open("plain.mp4", options).info.intrinsics)
            let path = try folder.write(try patched(Fixture.bytes("plain.mp4"), matrix), "turned.mp4")
            let shown = try #require(try FrameSources.open(path, options: options).info.intrinsics)
            #expect((shown.width, shown.height) == (120, 160))
            // What is seen at a stored pixel is seen where that pixel is shown.
            for point in [SIMD3(0.3, -0.2, 1), SIMD3(-0.1, -0.25, 1), SIMD3(0, 0, 1)] {
                let (b, c) = (Double(matrix.b), Double(matrix.c))
                let from = try #require(stored.project(point))
                let to = try #require(shown.project(SIMD3(c * point.y, b * point.x, point.z)))
                #expect(abs(to.x - (c * from.y + (c < 0 ? 119 : 0))) < 1e-9)
                #expect(abs(to.y - (b * from.x + (b < 0 ? 159 : 0))) < 1e-9)
            }
        }

        /// The shape can't tell then, and what was calibrated from such a recording is for what it shows.
        @Test(arguments: all.filter { $0.a != 0 })
        func aCalibrationOfTheShownShapeIsForTheShownPicture(matrix: Matrix) throws {
            let folder = try TemporaryFolder()
            let camera = try folder.write(
                #"{"width": 160, "height": 120, "fx": 150, "fy": 151, "cx": 85, "cy": 55}"#, "camera.json")
            let path = try folder.write(try patched(Fixture.bytes("plain.mp4"), matrix), "turned.mp4")
            let source = try FrameSources.open(path, options: CaptureOptions(cameraFile: camera))
            let shown = try #require(source.info.intrinsics)
            #expect((shown.cx, shown.cy) == (85, 55))
        }

        /// A mirrored room turns the other way round than the sensor says.
        @Test(arguments: all)
        func inertialDataIsLeftOutWhereThePictureIsMirrored(matrix: Matrix) throws {
            let folder = try TemporaryFolder()
            try folder.write(try patched(Fixture.bytes("plain.mp4"), matrix), "video.mp4")
            let readings = "t,gx,gy,gz,ax,ay,az\n0,1,2,3,0,-9.8,0\n0.1,1,2,3,0,-9.8,0\n"
            try folder.write(readings, "imu.csv")
            let isMirrored = matrix.a * matrix.d - matrix.b * matrix.c < 0
            let source = try FrameSources.open(folder.path)
            #expect(source.info.inertial.isEmpty == isMirrored)
            #expect(source.notices.count == (isMirrored ? 1 : 0))
            #expect(
                source.notices.allSatisfy {
                    $0.contains("going on without inertial data: the inertial data in \"imu.csv\"")
                })
            // Who asks for it is told.
            let given = try folder.write(readings, "given.csv")
            let options = CaptureOptions(inertialFile: given)
            guard isMirrored else {
                _ = try FrameSources.open(folder.file("video.mp4"), options: options)
                return
            }
            let error = try captureError(opening: folder.file("video.mp4"), options)
            #expect(error.kind == .badInertial)
            #expect(error.isOneFriendlyLine && error.description.contains("mirrored"))
        }

        @Test func aMatrixThatIsNoQuarterTurnIsIgnored() throws {
            let folder = try TemporaryFolder()
            var data = try Fixture.bytes("plain.mp4")
            write([46341, 46341, 0, -46341, 46341, 0], into: &data)
            let source = try FrameSources.open(try folder.write(data, "askew.mp4"))
            #expect(source.info.rotationDegrees == 0)
            #expect((source.info.width, source.info.height) == (160, 120))
        }

        @Test func aPictureTurnedByItsExifTagIsShownUpright() throws {
            let folder = try TemporaryFolder()
            // Orientation 6: to be turned by 90° clockwise.
            try folder.write(try withExif(Fixture.bytes("picture.jpg"), orientation: 6, focalLength35mm: 28), "1.jpg")
            let source = try FrameSources.open(folder.path)
            #expect((source.info.width, source.info.height) == (48, 64))
            let pixels = try #require(try source.nextFrame()).pixels
            let quarters = pixels.quarters
            // 40 90 / 140 200 turned.
            let plain = try #require(try FrameSources.open(Fixture.path("picture.jpg")).nextFrame()).pixels.quarters
            #expect(quarters == [plain[2], plain[0], plain[3], plain[1]])
            let intrinsics = try #require(source.info.intrinsics)
            #expect(intrinsics.source == .metadata)
            #expect(abs(intrinsics.fx - 28 * 80 / 43.2666) < 0.01)
        }

        private func patched(_ data: Data, _ m: Matrix) -> Data {
            var data = data
            write([m.a << 16, m.b << 16, 0, m.c << 16, m.d << 16, 0], into: &data)
            return data
        }

        /// Replaces the first six numbers of the (first) track header's matrix.
        private func write(_ numbers: [Int], into data: inout Data) {
            guard let header = data.range(of: Data("tkhd".utf8)) else {
                Issue.record("no track header")
                return
            }
            // Version, times, track, duration, layer and volume come before it.
            var position = header.upperBound + 40
            for number in numbers {
                let bits = UInt32(bitPattern: Int32(number))
                for shift in [24, 16, 8, 0] {
                    data[position] = UInt8(truncatingIfNeeded: bits >> UInt32(shift))
                    position += 1
                }
            }
        }

        /// Adds an EXIF block with an orientation and a 35 mm equivalent focal length.
        private func withExif(_ jpeg: Data, orientation: UInt8, focalLength35mm: UInt8) -> Data {
            let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
            let directory: [UInt8] =
                [0, 2]
                + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
                + [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]
                + [0, 0, 0, 0]
            let exif: [UInt8] = [0, 1] + [0xA4, 0x05, 0, 3, 0, 0, 0, 1, 0, focalLength35mm, 0, 0] + [0, 0, 0, 0]
            let body = Array("Exif".utf8) + [0, 0] + header + directory + exif
            let block: [UInt8] = [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
            return jpeg.prefix(2) + Data(block) + jpeg.dropFirst(2)
        }
    }
}
