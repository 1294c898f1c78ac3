import FootholdExport
import Foundation
import Testing

@Suite struct WholeFileTests {
    @Test func aFileAppearsWholeAndTakesThePlaceOfAnEarlierOne() throws {
        let scratch = try Scratch()
        let url = scratch.url.appendingPathComponent("world")
        for text in ["first", "second, which is longer", ""] {
            try WholeFile.write(Data(text.utf8), to: url)
            #expect(try String(contentsOf: url, encoding: .utf8) == text)
            #expect(scratch.names == ["world"])
        }
        let mode = try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
        #expect(mode == 0o644)
    }

    @Test func askingWhetherItCanBeWrittenLeavesNothing() throws {
        let scratch = try Scratch()
        let url = scratch.url.appendingPathComponent("world")
        try WholeFile.checkWritable(url)
        #expect(scratch.names.isEmpty)
        try WholeFile.write(Data([1, 2, 3]), to: url)
        try WholeFile.checkWritable(url)
        #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
    }

    @Test func whatIsNoFileIsRefused() throws {
        let scratch = try Scratch()
        for url in [scratch.url, URL(fileURLWithPath: "/dev/full"), URL(fileURLWithPath: "/dev/null")] {
            let error = #expect(throws: ExportError.self) { try WholeFile.write(Data([1]), to: url) }
            #expect(error == .targetIsNoFile(path: url.resolvingSymlinksInPath().path))
            #expect(throws: ExportError.self) { try WholeFile.checkWritable(url) }
        }
        let missing = scratch.url.appendingPathComponent("missing/world")
        #expect(throws: ExportError.self) { try WholeFile.write(Data([1]), to: missing) }
        #expect(scratch.names.isEmpty)
    }

    @Test func aLinkIsFollowedAndStays() throws {
        let scratch = try Scratch()
        let (link, target) = (scratch.url.appendingPathComponent("link"), scratch.url.appendingPathComponent("target"))
        try WholeFile.write(Data([1]), to: target)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        try WholeFile.write(Data([2]), to: link)
        #expect(try Data(contentsOf: target) == Data([2]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
    }
}
