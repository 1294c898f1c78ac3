import Foothold
import Foundation
import Testing

/// The files that a live session reads and writes: none is lost, and none holds it up.
@Suite struct CameraFilesTests {
    /// What the refused command may name: a file, two links to it, and a pipe.
    private func folderWithFiles() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try Data("precious".utf8).write(to: folder.file("file"))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: "file")
        try FileManager.default.createSymbolicLink(atPath: folder.file("ahead").path, withDestinationPath: "later")
        try FileManager.default.linkItem(at: folder.file("file"), to: folder.file("twin"))
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        try #require(mkfifo(folder.file("pipe").path, 0o600) == 0)
        return folder
    }

    @Test(arguments: [
        (["--record", "new", "--save-world", "new"], "--record and --save-world are the same file"),
        (["--record", "new", "--save-world", "./folder/../new"], "are the same file"),
        (["--record", "link", "--save-world", "file"], "are the same file"),
        (["--record", "twin", "--save-world", "file"], "are the same file"),
        (["--record", "ahead", "--save-world", "later"], "are the same file"),
        (["--record", "new", "--out", "new"], "--out and --record are the same file"),
        (["--record", "folder/new", "--out", "folder"], "lies in the folder of --out"),
        (["--save-world", "results/new", "--out", "results"], "lies in the folder of --out"),
        (["--world", "file", "--record", "file"], "--world and --record are the same file"),
        (["--camera", "file", "--save-world", "link"], "--camera and --save-world are the same file"),
        (["--place", "file@0.5,0.5", "--record", "file"], "--place and --record are the same file"),
        (["--record", ""], "--record has an empty name"), (["--out", ""], "--out has an empty name"),
        (["--world", ""], "--world has an empty name"), (["--save-world", ""], "--save-world has an empty name"),
        (["--record", "new/"], "--record new/ is the name of a folder"),
        (["--record", "-"], "can't go to standard output"), (["--record", "folder"], "cannot record to folder"),
        (["--record", "pipe"], "cannot record to pipe"), (["--record", "missing/new"], "cannot record to missing/new"),
        (["--save-world", "pipe"], "pipe is not a file"),
        (["--world", "pipe"], "--world pipe: this is a folder, device"),
        (["--world", "file"], "this is not a saved world"), (["--camera", "pipe"], "device or pipe"),
        (["--place", "pipe@0.5,0.5"], "device or pipe"), (["--place", "folder@0.5,0.5"], "is a folder"),
    ])
    func whatWouldLoseAFileOrWaitForOneIsRefused(_ options: [String], _ words: String) throws {
        let folder = try folderWithFiles()
        let before = folder.contents
        let outcome = try Command.run(
            ["camera", "--duration", "1"] + options, in: folder.url, environment: FakeCamera.environment([:]))
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(folder.contents == before)
        #expect(try String(contentsOf: folder.file("file"), encoding: .utf8) == "precious")
    }

    @Test func whereStandardOutputGoesIsNotRecordedTo() throws {
        let folder = try TemporaryFolder()
        let events = folder.file("events")
        let outcome = try Command.run(
            [
                "-c", "exec \"$0\" camera --duration 1 --events - --record events > events",
                Command.folder.appendingPathComponent("foothold").path,
            ],
            executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url, environment: FakeCamera.environment([:]))
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("standard output and --record are the same file"), "\(outcome.errors)")
        #expect(try Data(contentsOf: events).isEmpty)
    }

    @Test(arguments: [SIGINT, SIGTERM, 0])
    func theEndMayComeBeforeTheFirstPicture(signal: Int32) throws {
        let session = try CameraSession(
            ["stall": "0"], ["--events", "-", "--out", "out", "--record", "new.nut", "--save-world", "new.world"],
            seconds: signal == 0 ? 0.2 : nil,
            whileRunning: signal == 0
                ? nil
                : {
                    usleep(700_000)
                    kill($0.processIdentifier, signal)
                })
        #expect(session.outcome.reason == .exit)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(
            session.messages.contains("before the first picture of /dev/video9 had come, so nothing was written"),
            "\(session.messages)")
        #expect(try session.lines("session").last?["event"] as? String == "ended")
        #expect(session.folder.contents.isEmpty)
    }

    @Test func aWorldThatCannotBeSavedIsSaidNotToBe() throws {
        let session = try CameraSession(["black": "0"], ["--save-world", "new.world"], seconds: 1.5)
        #expect(session.outcome.status == 0, "\(session.messages)")
        #expect(
            session.messages.contains("--save-world new.world: nothing of the room is known yet"),
            "\(session.messages)")
        #expect(!session.outcome.output.contains("Saved the world"))
        #expect(session.folder.contents.isEmpty)
    }

    @Test func aWorldOfAnotherCameraIsRefusedInOneLine() throws {
        let first = try CameraSession([:], ["--save-world", "desk.world"], seconds: 2.5)
        #expect(first.outcome.status == 0, "\(first.messages)")
        #expect(first.outcome.output.contains("Saved the world to desk.world"), "\(first.outcome.output)")
        let other = try Command.run(
            ["camera", "--duration", "1", "--world", "desk.world"], in: first.folder.url,
            environment: FakeCamera.environment(["width": "160", "height": "120"]))
        #expect(other.status == 2)
        #expect(other.errorLines.count == 1, "\(other.errors)")
        #expect(other.errors.contains("another camera or picture size"), "\(other.errors)")
    }

    @Test func aFullDiskUnderTheEventsIsSaidToBeFull() throws {
        var environment = try FakeCamera.fullDisk(after: 3000, in: "/out")
        environment["LD_PRELOAD"]! += ":" + (try FakeCamera.environment([:])["LD_PRELOAD"]!)
        let session = try CameraSession([:], ["--events", "-"], seconds: 2, environment: environment)
        #expect(session.outcome.status == 1, "\(session.messages)")
        #expect(session.messages.contains("no space left on the disk for the events"), "\(session.messages)")
        #expect(!session.messages.contains("nobody reads"))
        #expect(session.messages.contains("the events are not whole"))
    }

    @Test func aFullDiskUnderTheAnswersIsSaidToo() throws {
        var environment = try FakeCamera.fullDisk(after: 0, in: "/out")
        environment["LD_PRELOAD"]! += ":" + (try FakeCamera.environment([:])["LD_PRELOAD"]!)
        let input = Pipe()
        let session = try CameraSession([:], [], seconds: 2, environment: environment, input: input) { _ in
            input.fileHandleForWriting.write(Data("{\"command\": \"status\"}\n".utf8))
        }
        #expect(session.outcome.status == 1, "\(session.messages)")
        #expect(session.messages.contains("no space left on the disk for the answers"), "\(session.messages)")
    }

    @Test func aFullDiskEndsTheRecordingAndNotTheSession() throws {
        var environment = try FakeCamera.fullDisk(after: 400_000, in: "session.nut")
        environment["LD_PRELOAD"]! += ":" + (try FakeCamera.environment([:])["LD_PRELOAD"]!)
        let session = try CameraSession(
            [:], ["--record", "session.nut", "--out", "out"], seconds: 2.5, environment: environment)
        #expect(session.outcome.status == 1)
        let said = "no space left on the disk for session.nut: the recording ends here"
        // Said once, and the end says what came of it.
        #expect(session.messages.components(separatedBy: said).count == 2, "\(session.messages)")
        #expect(session.messages.contains("what was recorded before can be replayed; the session goes on"))
        #expect(session.messages.contains("the recording is not whole"))
        #expect(try session.count("captured") >= 30)
        let (recorded, tracked) = (try session.count("recorded"), try session.count("tracked"))
        #expect(recorded > 0 && recorded < tracked)
        #expect(try session.recorded().count >= recorded)
    }

    @Test func aDiskThatIsFullFromTheStartLeavesNoEmptyRecording() throws {
        var environment = try FakeCamera.fullDisk(after: 0, in: "session.nut")
        environment["LD_PRELOAD"]! += ":" + (try FakeCamera.environment([:])["LD_PRELOAD"]!)
        let session = try CameraSession([:], ["--record", "session.nut"], seconds: 1.5, environment: environment)
        #expect(session.outcome.status == 1)
        #expect(session.messages.contains("no space left on the disk for session.nut: the recording ends here; the"))
        #expect(session.folder.contents.isEmpty)
    }

    /// What is opened first would take the place of a stream that isn't there, and be written or read as that.
    @Test func streamsThatAreClosedDoNoHarm() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            [
                "-c", "exec \"$0\" camera --duration 1.5 --events - --record session.nut <&- >&- 2>&-",
                Command.folder.appendingPathComponent("foothold").path,
            ], executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url, environment: FakeCamera.environment([:]))
        #expect(outcome.status == 0)
        let source = try FrameSources.open(folder.file("session.nut").path)
        var count = 0
        while let frame = try source.nextFrame() {
            let luma = frame.pixels.luma
            #expect(luma.width == FakeCamera.width && luma.height == FakeCamera.height)
            count += 1
        }
        #expect(count > 5)
        #expect(source.notices == [])
    }

    @Test func aFileThatMayNotGrowIsToldLikeAFullDisk() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            [
                "-c", "ulimit -f 3000; exec \"$0\" camera --duration 4 --record session.nut",
                Command.folder.appendingPathComponent("foothold").path,
            ], executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url, environment: FakeCamera.environment([:]))
        #expect(outcome.reason == .exit)
        #expect(outcome.status == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("no space left on the disk for session.nut"), "\(outcome.errors)")
    }

    @Test func aWorkingFolderThatIsGoneIsNoEndlessLoop() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            [
                "-c",
                "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" camera --duration 1 --record a --save-world b",
                Command.folder.appendingPathComponent("foothold").path,
            ], executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url, environment: FakeCamera.environment([:]))
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("no such file or directory"), "\(outcome.errors)")
        #expect(folder.contents.isEmpty)
    }
}
