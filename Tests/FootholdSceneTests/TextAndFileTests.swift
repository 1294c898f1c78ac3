import FootholdScene
import Foundation
import Testing

@Suite struct ShownTextTests {
    @Test func namesThatAreTooLongAreCutInTheirMiddle() {
        let long = ShownText.name("begin" + String(repeating: "x", count: 60_000) + "end")
        #expect(long.count == 80)
        #expect(long.hasPrefix("beginxxx") && long.hasSuffix("xxxend") && long.contains("…"))
        #expect(ShownText.name("chair 의자") == "chair 의자")
    }

    @Test func nothingThatATerminalWouldObeyIsShown() {
        #expect(ShownText.name("a\u{1B}[2Jb\u{7}\u{0}c") == "a?[2Jb??c")
        #expect(ShownText.line("one\r\ntwo\nthree") == "one two three")
    }

    @Test func linesKeepPathsAndCutWhatNobodyReads() {
        let path = "/home-of-somebody/" + String(repeating: "folder/", count: 20) + "file"
        #expect(ShownText.line("cannot write \(path): no") == "cannot write \(path): no")
        let line = ShownText.line("no \(String(repeating: "x", count: 5000)) there")
        #expect(line.count < 100 && line.hasPrefix("no xxx") && line.hasSuffix("xxx there"))
        #expect(ShownText.line(String(repeating: "word ", count: 5000)).count <= 1500)
    }
}

@Suite struct RegularFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")

    @Test func plainFilesAreReadAndNothingElseIsOpened() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        try data.write(to: URL(fileURLWithPath: path("file")))
        try Data().write(to: URL(fileURLWithPath: path("empty")))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "file")
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        #expect(try RegularFile.bytes(path("file")) == data)
        #expect(try RegularFile.bytes(path("link")) == data)
        #expect(try RegularFile.bytes(path("empty")) == Data())
        for (name, failure) in [
            ("pipe", RegularFile.Failure.notAFile), ("", .notAFile), ("missing", .missing), ("file/inside", .missing),
            ("file\0", .missing),
        ] {
            #expect(throws: failure) { try RegularFile.bytes(path("") + "/" + name) }
        }
        #expect(throws: RegularFile.Failure.notAFile) { try RegularFile.bytes("/dev/null") }
        #expect(throws: RegularFile.Failure.missing) { try RegularFile.bytes("") }
        for count in [0, 24, 100_001] {
            #expect(try RegularFile.beginning(path("file"), count: count) == data.prefix(count))
        }
        #expect(try RegularFile.beginning(path("empty"), count: 24) == Data())
        #expect(throws: RegularFile.Failure.notAFile) { try RegularFile.beginning(path("pipe"), count: 24) }
        #expect(throws: RegularFile.Failure.missing) { try RegularFile.beginning(path("missing"), count: 24) }
        #expect(throws: RegularFile.Failure.tooLarge) { try RegularFile.bytes(path("file"), atMost: 99_999) }
    }
}
