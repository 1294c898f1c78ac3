import Foothold
import Foundation
import Testing

/// `foothold camera` with cameras of many kinds, all of which work.
@Suite struct CameraTests {
    @Test func aSessionHasTheFilesOfARecordingAndSaysHowTheCameraDid() throws {
        let session = try CameraSession([:], ["--out", "out", "--place", "cylinder@0.46,0.7@1"], seconds: 3)
        #expect(session.outcome.status == 0, "\(session.messages)")
        let names = try FileManager.default.contentsOfDirectory(atPath: session.folder.file("out").path).sorted()
        #expect(
            names == [
                "scene.glb", "session.jsonl", "summary.json", "surfaces.json", "trajectory.tum",
                "trajectory_refined.tum",
            ])
        #expect(
            try session.lines("frame", in: "out/session.jsonl").contains { $0["trackingState"] as? String == "normal" })
        #expect(try session.lines("object", in: "out/session.jsonl").contains { $0["event"] as? String == "placed" })
        #expect(try session.count("captured") >= 45)
        #expect(try session.count("tracked") + session.count("replaced") <= session.count("captured"))
        #expect(try #require(try session.capture()["latencyMedianMilliseconds"] as? Double) > 0)
        #expect(session.outcome.output.contains("Results are in out"))
        #expect(session.messages.contains("Fake camera (/dev/video9), 320×240 GREY at 30 frames a second"))
    }

    static let formats: [[String: String]] = [
        ["format": "GREY", "stride": "352"], ["format": "NV12", "stride": "384"], ["format": "YU12", "stride": "328"],
        ["format": "YUYV"], ["format": "UYVY", "stride": "704"], ["format": "GREY", "stride": "320", "says": "0"],
        ["format": "YUYV", "says": "320"], ["format": "GREY", "silent": "psi"], ["format": "GREY", "buffers": "2"],
        ["format": "GREY", "eagain": "3"],
    ]

    private static let sessions = Result {
        try CameraSession.all(formats.map { .init(settings: $0, says: []) }) { _ in
            ["--record", "session.nut", "--duration", "2"]
        }
    }

    /// Odd rows, planes, packed chroma, few buffers: the luma that is tracked is the luma that the sensor gave.
    @Test(arguments: formats.indices)
    func everyFormatGivesTheSensorsLuma(number: Int) throws {
        let session = try Self.sessions.get()[number]
        #expect(session.outcome.status == 0, "\(session.messages)")
        let pictures = try FakeCamera.pictures.get()
        let numbers = try session.recorded().map {
            try #require(pictures.firstIndex(of: $0.luma), "a picture of the sensor")
        }
        #expect(numbers.count >= 3)
        #expect(numbers == numbers.sorted())
    }

    @Test func compressedPicturesAreDecoded() throws {
        let session = try CameraSession(
            ["format": "MJPG", "width": "160", "height": "120"], ["--out", "out", "--format", "mjpeg"], seconds: 1.2)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(try session.count("captured") >= 15)
        #expect(try session.count("tracked") >= 3)
        #expect(try session.count("damaged") == 0)
    }

    /// B2 and R29: what was seen can be seen again, exactly.
    @Test(arguments: ["NV12", "GREY"])
    func aRecordingIsReplayedWithTheSameFramesByteForByte(format: String) throws {
        let calibration = Clips.sample.appendingPathComponent("intrinsics.json").path
        let session = try CameraSession(
            ["format": format, "gap": "7"],
            ["--record", "session.nut", "--out", "live", "--camera", calibration], seconds: 2.5)
        #expect(session.outcome.status == 0, "\(session.messages)")
        let replay = try Command.run(
            ["process", "session.nut", "--no-video", "--out", "replay"], in: session.folder.url)
        #expect(replay.status == 0, "\(replay.errors)")
        func frames(_ name: String) throws -> [Substring] {
            try String(contentsOf: session.folder.file("\(name)/session.jsonl"), encoding: .utf8)
                .split(separator: "\n").filter { $0.contains("\"type\":\"frame\"") }
        }
        let live = try frames("live")
        #expect(live.count > 10)
        #expect(try frames("replay") == live)
        for name in ["trajectory.tum", "trajectory_refined.tum", "surfaces.json"] {
            #expect(
                try Data(contentsOf: session.folder.file("live/\(name)"))
                    == Data(contentsOf: session.folder.file("replay/\(name)")), "\(name)")
        }
    }

    @Test func eventsComeWhileTheSessionRuns() throws {
        let session = try CameraSession([:], ["--events", "-", "--out", "out"], seconds: 2)
        #expect(session.outcome.status == 0, "\(session.messages)")
        let written = try String(contentsOf: session.folder.file("out/session.jsonl"), encoding: .utf8)
        #expect(session.outcome.output == written)
        #expect(try session.lines("session").compactMap { $0["event"] as? String }.first == "started")
        // What is for people goes where it doesn't disturb programs.
        #expect(session.messages.contains("Followed the camera"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsItInOrder(signal: Int32) throws {
        let session = try CameraSession(
            [:], ["--events", "-", "--out", "out", "--record", "session.nut"], seconds: nil
        ) {
            usleep(1_500_000)
            kill($0.processIdentifier, signal)
        }
        #expect(session.outcome.reason == .exit)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(try session.lines("session").last?["event"] as? String == "ended")
        #expect(try session.recorded().count == session.count("tracked"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func aSecondSignalEndsTheReviewAndKeepsEverything(signal: Int32) throws {
        let session = try CameraSession(
            [:], ["--events", "-", "--out", "out", "--record", "session.nut", "--save-world", "desk.world"],
            seconds: nil
        ) {
            usleep(4_000_000)
            kill($0.processIdentifier, signal)
            // Two that come together count as one.
            usleep(50_000)
            kill($0.processIdentifier, signal)
        }
        #expect(session.outcome.reason == .exit)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(session.messages.contains("looking at everything once more was stopped"), "\(session.messages)")
        #expect(session.folder.contents == ["desk.world", "out", "session.nut"])
        #expect(try session.recorded().count == session.count("tracked"))
        let events = try session.lines("session", in: "out/session.jsonl").compactMap { $0["event"] as? String }
        #expect(events.suffix(2) == ["reviewed", "ended"])
        #expect(try session.lines("session").compactMap { $0["event"] as? String } == events)
        // Its surfaces are those of the lines.
        var known: Set<Int> = []
        for line in try session.lines("surface", in: "out/session.jsonl") {
            let id = try #require(line["id"] as? Int)
            if ["added", "updated"].contains(line["event"] as? String) {
                known.insert(id)
            } else {
                known.remove(id)
            }
        }
        let written = try JSONSerialization.jsonObject(
            with: Data(contentsOf: session.folder.file("out/surfaces.json")))
        let surfaces = try #require((written as? [String: Any])?["surfaces"] as? [[String: Any]])
        #expect(Set(surfaces.compactMap { $0["id"] as? Int }) == known)
        #expect(!known.isEmpty)
    }

    /// Whoever asks a third time wants it now; it may be done already.
    @Test func aThirdSignalEndsItAtOnce() throws {
        let session = try CameraSession([:], ["--out", "out"], seconds: nil) {
            usleep(3_000_000)
            for _ in 0..<3 {
                kill($0.processIdentifier, SIGINT)
                usleep(20_000)
            }
        }
        #expect(session.outcome.reason == .exit)
        if session.outcome.status == 0 {
            #expect(session.folder.contents == ["out"])
        } else {
            #expect(session.outcome.status == 1)
            #expect(session.messages.contains("stopped at once"), "\(session.messages)")
            #expect(session.folder.contents.isEmpty)
        }
    }

    @Test func aTerminalThatClosesDoesNotEndIt() throws {
        let session = try CameraSession([:], ["--out", "out"], seconds: 2) {
            usleep(800_000)
            kill($0.processIdentifier, SIGHUP)
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(try session.count("captured") >= 30)
    }

    @Test func aReaderThatGoesAwayDoesNotEndIt() throws {
        let pipe = Pipe()
        let session = try CameraSession([:], ["--events", "-", "--out", "out"], seconds: 2.5, output: pipe) { _ in
            try pipe.fileHandleForWriting.close()
            usleep(500_000)
            try pipe.fileHandleForReading.close()
        }
        #expect(session.outcome.reason == .exit)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(session.messages.contains("nobody reads the events any more"))
        #expect(try session.count("captured") >= 30)
    }

    @Test func aReaderThatReadsNothingDoesNotHoldItUp() throws {
        let pipe = Pipe()
        let start = Date()
        let session = try CameraSession([:], ["--events", "-", "--out", "out"], seconds: 2.5, output: pipe)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(Date().timeIntervalSince(start) < 15)
        #expect(try session.count("captured") >= 30)
    }

    @Test func exposureAndFocusAreHeldAndLetGo() throws {
        let folder = try TemporaryFolder()
        let session = try CameraSession(
            ["controls": folder.file("controls").path], ["--lock-exposure"], seconds: 3.5)
        #expect(session.outcome.status == 0, "\(session.messages)")
        let set = try String(contentsOf: folder.file("controls"), encoding: .utf8).split(separator: "\n")
        // Autofocus off, and the lens left where it was; then exposure, gain and white balance.
        #expect(
            set.starts(with: ["9a090c=0", "9a090a=40", "9a0901=1", "9a0902=157", "980912=0", "980913=1", "98090c=0"]))
        #expect(set.suffix(4) == ["98090c=1", "980912=1", "9a0901=3", "9a090c=1"])
    }

    @Test func aRememberedCalibrationIsUsedWithoutAsking() throws {
        let folder = try TemporaryFolder()
        let store = CalibrationStore(folder: folder.file("foothold/cameras").path)
        let mode = CameraMode(format: .grey, width: 320, height: 240)
        let camera = CameraDescription(
            path: "/dev/video9", name: "Fake camera", bus: "usb-fake-1", driver: "fake", modes: [mode])
        let intrinsics = CameraIntrinsics(width: 320, height: 240, fx: 250.125, fy: 250.5, cx: 159.5, cy: 119.5)
        let file = try store.remember(intrinsics.calibrationText(), for: camera, mode: mode)
        let session = try CameraSession(
            [:], ["--events", "-"], seconds: 1, environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(session.messages.contains(file))
        let used = try #require(try session.lines("session").first { $0["event"] as? String == "camera" })
        #expect(used["fx"] as? Double == 250.125)
        #expect(used["source"] as? String == "calibrated")
        // Another socket is another camera.
        let other = try CameraSession(
            ["bus": "usb-fake-2"], ["--events", "-"], seconds: 1, environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(other.messages.contains("angle of view isn't known"))
    }
}
