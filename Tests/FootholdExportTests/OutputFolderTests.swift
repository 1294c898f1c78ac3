import FootholdExport
import Foundation
import Testing

@Suite struct OutputFolderTests {
    private func write(_ text: String, named name: String, in folder: OutputFolder) throws {
        let file = try StreamedFile(at: folder.url(for: name))
        try file.write(text)
        try file.close()
    }

    @Test func nothingAppearsUnderTheFinalNameBeforeCommit() throws {
        let scratch = try Scratch()
        let folder = try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        try write("{}\n", named: "session.jsonl", in: folder)
        #expect(!scratch.names.contains("out"))
        try folder.commit()
        #expect(scratch.names == ["out"])
        #expect(
            try String(contentsOf: scratch.url.appendingPathComponent("out/session.jsonl"), encoding: .utf8) == "{}\n")
    }

    @Test func discardingRemovesEveryTraceIncludingParentsThatWereMade() throws {
        let scratch = try Scratch()
        let folder = try OutputFolder(at: scratch.url.appendingPathComponent("a/b/out"))
        try write("{}\n", named: "session.jsonl", in: folder)
        #expect(scratch.names == ["a"])
        folder.discard()
        #expect(scratch.names.isEmpty)
        try folder.commit()
        #expect(scratch.names.isEmpty)
    }

    @Test func whatAKilledRunLeftGoesAndNothingElse() throws {
        let scratch = try Scratch()
        try scratch.write("{", to: ".out.unfinished-aB3dE6/session.jsonl")
        try scratch.write("{", to: ".out.unfinished-stRang/notes.txt")
        try scratch.write("{", to: ".other.unfinished-aB3dE6/session.jsonl")
        try scratch.write("{", to: ".out.unfinished-aB3dE6-earlier/session.jsonl")
        try scratch.write("{", to: ".out.unfinished-a-file")
        try scratch.write("mine", to: ".out.unfinished-fOlder/session.jsonl/notes.txt")
        let stillWritten = try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        try write("{}\n", named: "session.jsonl", in: stillWritten)
        let folder = try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        try write("{}\n", named: "session.jsonl", in: folder)
        let ours = [stillWritten, folder].map(\.workingFolder.lastPathComponent)
        let others = [
            ".out.unfinished-stRang", ".other.unfinished-aB3dE6", ".out.unfinished-aB3dE6-earlier",
            ".out.unfinished-a-file", ".out.unfinished-fOlder",
        ]
        #expect(Set(scratch.names) == Set(others + ours))
    }

    @Test func aFolderThatIsForgottenRemovesItself() throws {
        let scratch = try Scratch()
        do { _ = try OutputFolder(at: scratch.url.appendingPathComponent("out")) }
        #expect(scratch.names.isEmpty)
    }

    @Test func anEarlierOutputIsReplacedAsAWhole() throws {
        let scratch = try Scratch()
        try scratch.write("old", to: "out/session.jsonl")
        try scratch.write("old", to: "out/scene.glb")
        let folder = try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        try write("new", named: "session.jsonl", in: folder)
        try folder.commit()
        #expect(scratch.names == ["out"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.url.appendingPathComponent("out").path)
        #expect(kept == ["session.jsonl"])
    }

    @Test func anEmptyFolderIsFilled() throws {
        let scratch = try Scratch()
        let target = scratch.url.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let folder = try OutputFolder(at: target)
        try write("new", named: "session.jsonl", in: folder)
        try folder.commit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["session.jsonl"])
    }

    @Test func aFolderWithOtherFilesIsRefusedAndLeftAlone() throws {
        let scratch = try Scratch()
        try scratch.write("mine", to: "out/notes.txt")
        let target = scratch.url.appendingPathComponent("out")
        let error = #expect(throws: ExportError.self) { try OutputFolder(at: target) }
        #expect(error == .targetHoldsOtherFiles(path: target.resolvingSymlinksInPath().path, example: "notes.txt"))
        #expect(scratch.names == ["out"])
    }

    /// The system has some everywhere.
    @Test func aMountPointIsRefused() throws {
        let error = #expect(throws: ExportError.self) { try OutputFolder(at: URL(fileURLWithPath: "/proc")) }
        #expect(error == .targetIsAMountPoint(path: "/proc"))
    }

    @Test func filesThatAppearWhileRunningAreNotLost() throws {
        let scratch = try Scratch()
        let target = scratch.url.appendingPathComponent("out")
        let folder = try OutputFolder(at: target)
        try scratch.write("mine", to: "out/notes.txt")
        #expect(throws: ExportError.self) { try folder.commit() }
        folder.discard()
        #expect(scratch.names == ["out"])
        #expect(FileManager.default.fileExists(atPath: target.appendingPathComponent("notes.txt").path))
    }

    @Test func aFileInTheWayIsNamed() throws {
        let scratch = try Scratch()
        try scratch.write("mine", to: "out")
        let error = #expect(throws: ExportError.self) {
            try OutputFolder(at: scratch.url.appendingPathComponent("out"))
        }
        #expect(error?.description.contains("is a file, not a folder") == true)
        #expect(throws: ExportError.self) { try OutputFolder(at: scratch.url.appendingPathComponent("out/deeper")) }
    }

    @Test func aLinkToNowhereIsNamedBeforeTheWork() throws {
        let scratch = try Scratch()
        let link = scratch.url.appendingPathComponent("out")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "nowhere")
        let error = #expect(throws: ExportError.self) { try OutputFolder(at: link) }
        #expect(error?.description.contains("is a link to something that isn't there") == true)
        #expect(scratch.names == ["out"])
    }

    @Test func aPlaceThatCannotBeWrittenSaysSoInOneLine() throws {
        // Not even root can make folders in /proc.
        let error = #expect(throws: ExportError.self) { try OutputFolder(at: URL(fileURLWithPath: "/proc/out")) }
        let text = try #require(error?.description)
        #expect(text.contains("/proc/out"))
        #expect(!text.contains("\n"))
    }

    @Test func aFullDiskIsReportedAsSuch() throws {
        let file = try StreamedFile(at: URL(fileURLWithPath: "/dev/full"))
        try file.write("x")
        let error = #expect(throws: ExportError.self) { try file.close() }
        #expect(error == .diskFull(path: "/dev/full"))
    }
}
