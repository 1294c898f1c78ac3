import Foothold
import Foundation
import Testing

/// What goes wrong with cameras: each is said in one line, and a session that can go on does.
@Suite struct CameraTroubleTests {
    /// A camera, how the command is called, and what it says.
    struct Scenario: Sendable, CustomTestStringConvertible {
        var settings: [String: String]
        var arguments: [String] = []
        var seconds = 1.0
        var says: [String]
        var interrupts = false

        var testDescription: String { "\(settings) \(arguments)" }
    }

    static let refusals = [
        Scenario(
            settings: ["path": "/dev/nothing"], says: ["looked at /dev/video0 to /dev/video63", "foothold process"]),
        Scenario(
            settings: [:], arguments: ["/dev/video3"], says: ["no camera at /dev/video3", "/dev/video9 (Fake camera)"]),
        Scenario(
            settings: ["wrong": "\(EACCES)@open"], arguments: ["/dev/video9"], says: ["may not be used", "usermod -aG"]),
        Scenario(settings: ["wrong": "\(EACCES)@open"], says: ["may not be used", "usermod -aG"]),
        Scenario(settings: ["wrong": "\(EBUSY)@open"], arguments: ["/dev/video9"], says: ["in use"]),
        Scenario(settings: ["wrong": "\(EBUSY)@format"], says: ["in use"]),
        Scenario(settings: ["wrong": "\(EBUSY)@stream"], says: ["in use"]),
        Scenario(settings: [:], arguments: ["/dev/null"], says: ["no camera that gives pictures"]),
        Scenario(
            settings: [:], arguments: ["--size", "1280x720", "--rate", "30"],
            says: ["has no 1280×720 at 30 frames a second", "320×240 GREY"]),
        Scenario(settings: [:], arguments: ["--size", "1280x720", "--rate", "1e30"], says: ["has no 1280×720"]),
        Scenario(settings: [:], arguments: ["--place", "chair@0.5,0.5@1e10"], says: ["a million seconds"]),
        Scenario(settings: [:], arguments: ["/tmp"], says: ["/tmp is no camera that gives pictures"]),
        Scenario(settings: [:], arguments: ["/etc/passwd"], says: ["/etc/passwd is no camera that gives pictures"]),
        Scenario(settings: [:], arguments: ["/etc/passwd/camera"], says: ["no camera at /etc/passwd/camera"]),
        Scenario(settings: [:], arguments: [""], says: ["the camera's name is empty"]),
        Scenario(
            settings: ["wrong": "\(ENOSPC)@stream"], says: ["no room left for its pictures", "a smaller --size"]),
        Scenario(
            settings: ["wrong": "\(EIO)@stream"], says: ["cannot be used (input/output error)", "plug it in again"]),
        Scenario(settings: ["wrong": "\(ENODEV)@stream"], says: ["went away while it was being started"]),
        Scenario(settings: [:], arguments: ["--duration", "-1"], says: ["--duration is a number of seconds above 0"]),
        Scenario(settings: [:], arguments: ["--rate", "-5"], says: ["--rate is a number of frames a second above 0"]),
        Scenario(
            settings: [:], arguments: ["--place", String(repeating: "x", count: 5000) + "@1,1"],
            says: ["xxx…xxx", "doesn't exist"]),
        Scenario(settings: ["format": "RGB3"], says: ["in a form that can be read"]),
        Scenario(
            settings: ["claims": "160x120"], arguments: ["--size", "320x240"],
            says: ["offers 320×240", "gives 160×120"]),
        Scenario(settings: ["claims": "9x9"], says: ["9×9"]),
        Scenario(settings: [:], arguments: ["--place", "chair@900,10"], says: ["outside the picture"]),
        Scenario(settings: [:], arguments: ["--camera", "missing.json"], says: ["missing.json"]),
    ]

    private static let refused = Result { try CameraSession.all(refusals) { $0.arguments } }

    /// Refused before anything has begun: one line, status 2, nothing left.
    @Test(arguments: refusals.indices)
    func aCameraThatCannotBeUsedIsRefused(number: Int) throws {
        let session = try Self.refused.get()[number]
        #expect(session.outcome.status == 2, "\(session.messages)")
        #expect(session.outcome.errorLines.count == 1, "\(session.messages)")
        for words in Self.refusals[number].says { #expect(session.messages.contains(words), "\(session.messages)") }
        #expect(session.folder.contents.isEmpty)
    }

    static let troubles = [
        Scenario(
            settings: ["away": "0.8-1.6"], seconds: 3.5,
            says: ["was unplugged: plug it in again", "gives pictures again"], interrupts: true),
        Scenario(
            settings: ["away": "0.8-1.6", "back": "/dev/video11"], seconds: 3.5,
            says: ["was unplugged", "/dev/video9 (now /dev/video11) gives pictures again"], interrupts: true),
        Scenario(
            settings: ["away": "0.8-1.6", "held": "1.5-2.6"], seconds: 4.5,
            says: ["was unplugged", "is in use", "close that to go on; waiting for it", "gives pictures again"],
            interrupts: true),
        Scenario(
            settings: ["away": "0.8-1.6", "held": "1.5-2.6", "by": "\(EACCES)"], seconds: 4.5,
            says: ["was unplugged", "may not be used by this user", "gives pictures again"], interrupts: true),
        Scenario(
            settings: ["stall": "0.6-3.2"], seconds: 5.5,
            says: ["no picture from /dev/video9 for 2 s: starting it again", "gives pictures again"], interrupts: true),
        Scenario(
            settings: ["fail": "0.8"], seconds: 3,
            says: ["reports an error (input/output error)", "gives pictures again"],
            interrupts: true),
        Scenario(
            settings: ["change": "0.8"], seconds: 3.5, says: ["another program set /dev/video9 to 176×144"],
            interrupts: true),
        Scenario(
            settings: ["away": "0.8-1.6", "lack": "1.5-2.6"], seconds: 4.5,
            says: ["was unplugged", "no room left for its pictures", "waiting for it", "gives pictures again"],
            interrupts: true),
        Scenario(settings: ["freeze": "0.5-3.2"], seconds: 4.5, says: ["stands still", "moves again"]),
        Scenario(
            settings: ["black": "0.5-3.2"], seconds: 4.5,
            says: ["is black: take the lens cap off", "sees something again"]),
        Scenario(
            settings: ["rate": "30", "real": "12"], seconds: 4.5, says: ["promises 30 frames a second and gives 1"]),
        Scenario(settings: ["clock": "wild"], seconds: 2, says: ["dates its pictures wrongly"]),
        Scenario(settings: ["clock": "none"], seconds: 2, says: []),
        Scenario(
            settings: ["claims": "304x240"], seconds: 2,
            says: ["offers 320×240 GREY at 15 frames a second and gives 304×240 GREY, which is used"]),
    ]

    private static let lived = Result {
        try CameraSession.all(troubles, settings: ["rate": "15"]) {
            ["--events", "-", "--out", "out", "--duration", "\($0.seconds)"]
        }
    }

    /// Said while the session runs, which goes on, with pictures at its end: status 0.
    @Test(arguments: troubles.indices)
    func aSessionOutlivesIt(number: Int) throws {
        let scenario = Self.troubles[number]
        let session = try Self.lived.get()[number]
        #expect(session.outcome.status == 0, "\(session.messages)")
        for words in scenario.says { #expect(session.messages.contains(words), "\(session.messages)") }
        let frames = try session.lines("frame").compactMap { $0["t"] as? Double }
        #expect(try #require(frames.last) > scenario.seconds - 1.2)
        #expect(frames == frames.sorted() && Set(frames).count == frames.count)
        let events = try session.lines("session").compactMap { $0["event"] as? String }
        #expect(events.contains("interrupted") == scenario.interrupts)
        #expect(events.filter { $0 == "interrupted" }.count == events.filter { $0 == "resumed" }.count)
        if !scenario.says.isEmpty, scenario.settings["claims"] == nil { #expect(events.contains("trouble")) }
        #expect(events.last == "ended")
    }

    @Test func aCameraThatReturnsWithAnotherSizeIsWaitedFor() throws {
        let session = try CameraSession(
            ["away": "0.8-1.4", "width2": "160", "height2": "120"], ["--events", "-", "--out", "out"], seconds: 3)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(
            session.messages.contains("/dev/video9 now gives 160×120 GREY and the session needs 320×240: set it back"),
            "\(session.messages)")
        #expect(!session.messages.contains("gives pictures again"))
        let troubles = try session.lines("session").compactMap { $0["kind"] as? String }
        #expect(troubles.contains("otherSize"))
        #expect(try #require(try session.lines("frame").last?["t"] as? Double) < 1.2)
    }

    @Test func damagedCutOffAndLostPicturesAreCountedAndNeverTracked() throws {
        let session = try CameraSession(
            ["error": "9", "short": "7", "gap": "5"], ["--out", "out", "--record", "session.nut"], seconds: 2.5)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(try session.count("damaged") >= 10)
        #expect(try session.count("lost") >= 8)
        let pictures = try FakeCamera.pictures.get()
        #expect(try session.recorded().allSatisfy { pictures.contains($0.luma) })
    }

    @Test func aCameraOfNothingButDamagedPicturesIsSaidToBeOne() throws {
        let session = try CameraSession(["short": "1"], ["--out", "out"], seconds: 3)
        #expect(session.outcome.status == 1)
        #expect(session.messages.contains("all pictures of /dev/video9 come damaged or cut off"))
        #expect(session.messages.contains("gave no picture at all"))
        #expect(session.folder.contents.isEmpty)
    }

    @Test func aSizeThatTheDriverOnlyClaimsGivesNoPictures() throws {
        // It says 640×480 and fills a quarter of that.
        let session = try CameraSession(["claims": "640x480"], [], seconds: 2.8)
        #expect(session.outcome.status == 1)
        #expect(session.messages.contains("gives 640×480"))
        #expect(session.messages.contains("damaged or cut off"))
    }

    @Test func waitingForACameraCanBeStopped() throws {
        let session = try CameraSession(["away": "1"], ["--events", "-", "--out", "out"], seconds: nil) {
            usleep(2_500_000)
            kill($0.processIdentifier, SIGTERM)
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(session.messages.contains("was unplugged"))
        #expect(try session.lines("session").last?["event"] as? String == "ended")
    }

    @Test(arguments: [100, 100_000]) func aFullDiskInTheOutputEndsTheSessionAndLeavesNothingHalf(bytes: Int) throws {
        var environment = try FakeCamera.fullDisk(after: bytes, in: "results")
        environment["LD_PRELOAD"]! += ":" + (try FakeCamera.environment([:])["LD_PRELOAD"]!)
        let session = try CameraSession(
            [:], ["--out", "results", "--record", "kept.nut"], seconds: 20, environment: environment)
        #expect(session.outcome.status == 1, "\(session.messages)")
        #expect(session.messages.contains("no space left on the disk for"), "\(session.messages)")
        #expect(session.messages.contains("free some space"), "\(session.messages)")
        // What was recorded elsewhere is whole.
        #expect(session.folder.contents == ["kept.nut"])
        #expect(try FrameSources.open(session.folder.file("kept.nut").path).nextFrame() != nil)
    }

    /// Another program is named where the system lets us see it; a device that every system has stands for the camera,
    /// opened for reading alone.
    @Test func aBusyCameraSaysWhoHasIt() throws {
        let node = "/dev/random"
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/bin/sleep")
        holder.arguments = ["60"]
        holder.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: node))
        try holder.run()
        holder.standardInput = nil
        defer { holder.terminate() }
        let session = try CameraSession(["path": node, "wrong": "\(EBUSY)@open"], [node], seconds: 1)
        #expect(session.outcome.status == 2)
        #expect(session.outcome.errorLines.count == 1, "\(session.messages)")
        #expect(
            session.messages.contains("\(node) is in use by sleep (process \(holder.processIdentifier)): close that"),
            "\(session.messages)")
    }

    /// Its lines wait for it in memory up to a bound; what is beyond is left out, counted and said.
    @Test func aSlowReaderIsToldWhatItMissed() throws {
        let (input, output) = (Pipe(), Pipe())
        let seen = Seen()
        let session = try CameraSession(
            [:], ["--events", "-", "--out", "out"], seconds: nil, input: input, output: output
        ) {
            process in
            try output.fileHandleForWriting.close()
            let line = "{\"command\": \"status\"}\n"
            input.fileHandleForWriting.write(Data(String(repeating: line, count: 6000).utf8))
            usleep(1_500_000)
            let group = DispatchGroup()
            group.enter()
            Thread.detachNewThread {
                seen.text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                group.leave()
            }
            usleep(1_500_000)
            kill(process.processIdentifier, SIGTERM)
            group.wait()
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        let said = session.messages.components(
            separatedBy: "the reader of the events is too slow: some lines are left out")
        #expect(said.count == 2, "\(session.messages)")
        let lines = seen.text.split(separator: "\n")
        let missing = try lines.filter { $0.contains("\"event\":\"linesDropped\"") }.map { line in
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(event?["count"] as? Int)
        }
        #expect(missing.reduce(0, +) == (try session.count("linesDropped")))
        #expect(missing.reduce(0, +) > 0)
        #expect(lines.last?.contains("\"event\":\"ended\"") == true)
    }

    private final class Seen: @unchecked Sendable { var text = "" }
}
