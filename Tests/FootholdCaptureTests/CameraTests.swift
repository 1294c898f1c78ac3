import FootholdCapture
import Foundation
import Testing

/// Choosing a camera's mode.
@Suite struct CameraModeTests {
    private func mode(_ format: CameraFormat, _ width: Int, _ height: Int, _ rate: UInt32) -> CameraMode {
        CameraMode(format: format, width: width, height: height, interval: .init(1, rate))
    }

    /// What a usual USB camera offers.
    private var webcam: [CameraMode] {
        [
            mode(.yuyv, 640, 480, 30), mode(.yuyv, 640, 480, 15), mode(.yuyv, 320, 240, 30), mode(.yuyv, 1280, 720, 10),
            mode(.yuyv, 1920, 1080, 5), mode(.mjpg, 640, 480, 30), mode(.mjpg, 1280, 720, 30),
            mode(.mjpg, 1920, 1080, 30),
        ]
    }

    @Test func lumaThatNeedNotBeDecodedGoesFirst() {
        #expect(CameraModeChooser.best(webcam, wish: .init()) == mode(.yuyv, 640, 480, 30))
        let withGrey = webcam + [mode(.nv12, 640, 480, 30), mode(.grey, 640, 480, 30)]
        #expect(CameraModeChooser.best(withGrey, wish: .init()) == mode(.grey, 640, 480, 30))
    }

    @Test func compressedPicturesGoBeforeTooFew() {
        let modes = [mode(.yuyv, 640, 480, 5), mode(.mjpg, 640, 480, 30)]
        #expect(CameraModeChooser.best(modes, wish: .init()) == modes[1])
    }

    @Test func theQuickerOfEqualsIsTaken() {
        let modes = [mode(.grey, 640, 480, 30), mode(.grey, 640, 480, 60)]
        #expect(CameraModeChooser.best(modes, wish: .init()) == modes[1])
    }

    @Test func whatTheUserNamesIsTakenAndNothingElse() {
        #expect(
            CameraModeChooser.best(webcam, wish: .init(width: 1280, height: 720)) == mode(.mjpg, 1280, 720, 30))
        #expect(
            CameraModeChooser.best(webcam, wish: .init(width: 1280, height: 720, format: .yuyv))
                == mode(.yuyv, 1280, 720, 10))
        #expect(CameraModeChooser.best(webcam, wish: .init(rate: 15)) == mode(.yuyv, 640, 480, 15))
        #expect(CameraModeChooser.best(webcam, wish: .init(rate: 90)) == nil)
        #expect(CameraModeChooser.best(webcam, wish: .init(width: 800, height: 600)) == nil)
    }

    @Test func theOrderOfTheOffersDoesNotMatter() {
        #expect(
            CameraModeChooser.best(webcam.reversed(), wish: .init()) == CameraModeChooser.best(webcam, wish: .init()))
    }

    @Test(arguments: [("gray", CameraFormat.grey), ("YUY2", .yuyv), ("mjpeg", .mjpg), ("i420", .yu12), ("nv12", .nv12)])
    func formatsHaveTheNamesThatPeopleUse(name: String, format: CameraFormat) {
        #expect(CameraFormat(named: name) == format)
    }
}

/// Recordings of what a camera saw.
extension CaptureTests {
    @Suite struct CameraRecordingTests {
        private func info(_ width: Int, _ height: Int) -> SourceInfo {
            SourceInfo(name: "camera", kind: .camera, width: width, height: height, nominalFrameRate: 60)
        }

        private func picture(_ format: PixelBuffer.Format, _ width: Int, _ height: Int, seed: Int) -> PixelBuffer {
            PixelPool().make(format: format, width: width, height: height, isFullRange: false) { planes in
                for (number, plane) in planes.enumerated() {
                    let rows = number == 0 ? height : (height + 1) / 2
                    let bytes = number == 0 ? width : format == .nv12 ? (width + 1) / 2 * 2 : (width + 1) / 2
                    for y in 0..<rows {
                        for x in 0..<bytes {
                            plane.base[y * plane.bytesPerRow + x] = UInt8(
                                truncatingIfNeeded: (x * 7 + y * 13 + number * 31) * (seed + 1) >> 1)
                        }
                    }
                }
            }
        }

        /// Uneven to the nanosecond, with a pause of minutes.
        private let times: [Int64] = [
            0, 16_666_667, 16_666_668, 50_000_001, 200_123_456_789, 200_123_456_790, 86_400_000_000_123,
        ]

        @Test(arguments: [PixelBuffer.Format.gray8, .yuv420p, .nv12], [[96, 72], [98, 74], [97, 73]])
        func picturesAndTimesComeBackExactly(format: PixelBuffer.Format, size: [Int]) throws {
            let folder = try TemporaryFolder()
            let path = folder.file("session.nut")
            var info = info(size[0], size[1])
            info.intrinsics = CameraIntrinsics(
                width: size[0], height: size[1], fx: 80.1 / 3, fy: 1e2 / 3, cx: 48.000000001, cy: 36.7,
                distortion: .radialTangential(k1: 0.1, k2: -0.02, p1: 1e-5, p2: 3.3e-4, k3: 0))
            let recording = try CameraRecording(path: path, info: info)
            let frames = times.enumerated().map { index, time in
                Frame(index: index, timestampNanoseconds: time, pixels: picture(format, size[0], size[1], seed: index))
            }
            for frame in frames { try recording.append(frame) }
            try recording.finish()
            let source = try FrameSources.open(path)
            #expect(source.info.intrinsics == info.intrinsics)
            #expect(source.info.nominalFrameRate == 60)
            let read = try source.allFrames()
            #expect(read.map(\.timestampNanoseconds) == times)
            #expect(read.map(\.index) == Array(times.indices))
            for (read, frame) in zip(read, frames) { #expect(read.pixels.plane(0) == frame.pixels.plane(0)) }
            #expect(source.notices == [])
        }

        @Test func aRecordingThatBreaksOffCanBeReadUpToThere() throws {
            let folder = try TemporaryFolder()
            let path = folder.file("session.nut")
            let recording = try CameraRecording(path: path, info: info(96, 72))
            for index in 0..<20 {
                try recording.append(
                    Frame(
                        index: index, timestampNanoseconds: Int64(index) * 33_000_001,
                        pixels: picture(.gray8, 96, 72, seed: index)))
            }
            // Not finished: the machine has lost its power.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            try folder.write(bytes.dropLast(bytes.count / 10), "broken.nut")
            let read = try FrameSources.open(folder.file("broken.nut")).allFrames()
            #expect(read.count >= 16)
            #expect(read.map(\.timestampNanoseconds) == read.indices.map { Int64($0) * 33_000_001 })
        }

        /// A pipe would hold up whoever opens it, and what goes into a device can't be replayed.
        @Test func nothingButAPlainFileIsRecordedTo() throws {
            let folder = try TemporaryFolder()
            try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
            for path in [folder.path, folder.file("pipe"), folder.file("missing/session.nut")] {
                let error = try #require(throws: CaptureError.self) {
                    try CameraRecording(path: path, info: info(96, 72))
                }
                #expect(error.kind == .unwritable)
                #expect(error.isOneFriendlyLine)
            }
        }

        @Test func aRecordingWithoutPicturesLeavesNothing() throws {
            let folder = try TemporaryFolder()
            let path = folder.file("session.nut")
            try CameraRecording(path: path, info: info(96, 72)).finish()
            #expect(!FileManager.default.fileExists(atPath: path))
            // What was there before stays.
            try folder.write("precious", "session.nut")
            try CameraRecording(path: path, info: info(96, 72)).finish()
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }
}

@Suite struct CalibrationStoreTests {
    private let mode = CameraMode(format: .yuyv, width: 640, height: 480)

    private func camera(_ bus: String) -> CameraDescription {
        CameraDescription(path: "/dev/video0", name: "HD Webcam: C/../270", bus: bus, driver: "uvcvideo", modes: [])
    }

    @Test func aCalibrationBelongsToASocketAndAMode() throws {
        let folder = try TemporaryFolder()
        let store = CalibrationStore(folder: folder.file("cameras"))
        let intrinsics = CameraIntrinsics(width: 640, height: 480, fx: 600, fy: 601, cx: 320, cy: 240)
        let path = try store.remember(intrinsics.calibrationText(), for: camera("usb-1"), mode: mode)
        #expect(store.file(for: camera("usb-1"), mode: mode) == path)
        #expect(store.file(for: camera("usb-2"), mode: mode) == nil)
        var other = mode
        other.width = 1280
        #expect(store.file(for: camera("usb-1"), mode: other) == nil)
        // No name leads out of the folder.
        #expect(
            URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path == folder.file("cameras"))
    }

    @Test func theUsersFolderIsWhereTheDesktopStandardSays() {
        #expect(CalibrationStore().folder.hasSuffix("/foothold/cameras"))
    }
}
