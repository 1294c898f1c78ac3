import Foundation
import Testing

/// A scene that is gone on with later: the world and the objects in it.
@Suite struct SavedWorldTests {
    private func lines(_ url: URL) throws -> [[String: Any]] {
        try String(contentsOf: url.appendingPathComponent("session.jsonl"), encoding: .utf8).split(separator: "\n").map
        {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func objectsStandWhereTheyStoodWhenTheSameRoomIsSeenAgain() throws {
        let folder = try TemporaryFolder()
        let sample = Clips.sample.path
        let first = try Command.run(
            ["process", sample, "--no-video", "--place", "chair@0.5,0.6@0.5", "--save-world", "desk", "--out", "one"],
            in: folder.url)
        #expect(first.status == 0 && first.errors == "", "\(first.errors)")
        #expect(first.output.contains("Saved the world to desk ("))
        #expect(folder.contents == ["desk", "one"])
        let second = try Command.run(
            ["process", sample, "--no-video", "--world", "desk", "--save-world", "desk", "--out", "two"],
            in: folder.url)
        #expect(second.status == 0 && second.errors == "", "\(second.errors)")
        #expect(second.output.contains("Found the place of desk again at "))

        let before = try lines(folder.file("one"))
        let after = try lines(folder.file("two"))
        let states = after.filter { $0["event"] as? String == "world" }
        #expect(states.map { $0["state"] as? String } == ["opened", "found"])
        #expect(states.map { $0["type"] as? String } == ["session", "session"])
        // The first pictures are enough.
        #expect(try #require(states.last?["t"] as? Double) < 0.5)
        let chairs = after.filter { $0["type"] as? String == "object" }
        #expect(chairs.first?["event"] as? String == "placed" && chairs.first?["t"] as? Double == 0)
        func place(_ lines: [[String: Any]]) throws -> [Double] {
            let last = try #require(lines.last { $0["type"] as? String == "object" })
            #expect(last["provisional"] as? Bool == false)
            #expect(last["id"] as? Int == 1)
            return Array(try #require(last["worldFromObject"] as? [Double])[12..<15])
        }
        let distance = zip(try place(before), try place(after)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
        // Of a scene of which the nearest is at about one metre.
        #expect(distance < 0.01, "\(distance)")
        // What is written takes the place of what was there, with nothing left over.
        #expect(folder.contents == ["desk", "one", "two"])
        try checkThatAnotherPlaceReplacesNothing(folder)
    }

    @Test(arguments: [
        (["--world", "nothing"], "--world nothing: there is no such file"),
        (["--world", "text"], "--world text: this is not a saved world"),
        (["--save-world", "folder"], "folder is not a file"),
        (["--save-world", "text"], "text: there is a file of that name, and it isn't a saved world"),
        (["--save-world", "missing/desk"], "missing/desk"),
    ])
    func whatCannotBeReadOrWrittenIsSaidBeforeTheWorkBegins(_ options: [String], _ words: String) throws {
        let folder = try TemporaryFolder()
        try Data("a letter".utf8).write(to: folder.file("text"))
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: true)
        let outcome = try Command.run(["process", Clips.sample.path, "--out", "results"] + options, in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(folder.contents == ["folder", "text"])
    }

    /// The world is the largest of what is written without a video.
    @Test func aWorldThatCannotBeWrittenDoesNotTakeTheResultsWithIt() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            [
                "-c", "ulimit -f 2000; exec \"$0\" process \"$1\" --no-video --save-world desk --out results",
                Command.folder.appendingPathComponent("foothold").path, Clips.sample.path,
            ], executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("results, but not the world: "), "\(outcome.errors)")
        #expect(folder.contents == ["results"])
        #expect(try lines(folder.file("results")).last?["event"] as? String == "ended")
    }

    private func checkThatAnotherPlaceReplacesNothing(_ folder: TemporaryFolder) throws {
        let saved = try Data(contentsOf: folder.file("desk"))
        // Seven grey pictures of the same camera, a second apart: nothing to recognise.
        let grey = folder.file("grey")
        try FileManager.default.createDirectory(at: grey, withIntermediateDirectories: true)
        for index in 0..<7 { try evenBitmap(640, 480).write(to: grey.appendingPathComponent("\(index).bmp")) }
        try Data(("t\n" + (0..<7).map { "\($0)\n" }.joined()).utf8).write(to: grey.appendingPathComponent("frames.csv"))
        try FileManager.default.copyItem(
            at: Clips.sample.appendingPathComponent("intrinsics.json"),
            to: grey.appendingPathComponent("intrinsics.json"))
        let second = try Command.run(
            ["process", "grey", "--no-video", "--world", "desk", "--save-world", "desk", "--out", "three"],
            in: folder.url)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.errors.contains("--world desk: the place was not recognised"))
        #expect(second.errors.contains("--save-world desk: it was left as it was"))
        #expect(try Data(contentsOf: folder.file("desk")) == saved)
        let lines = try lines(folder.file("three"))
        #expect(
            lines.filter { $0["event"] as? String == "world" }.map { $0["state"] as? String } == ["opened", "notFound"])
        #expect(lines.contains { $0["event"] as? String == "reset" })
        // Its objects are gone from this session.
        let objects = lines.filter { $0["type"] as? String == "object" }.map { $0["event"] as? String }
        #expect(objects == ["placed", "removed"])
    }

    /// A grey picture as a BMP file of 24 bits a pixel.
    private func evenBitmap(_ width: Int, _ height: Int) -> Data {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let size = width * height * 3
        let header: [[UInt8]] = [
            Array("BM".utf8), bytes(54 + size, 4), bytes(0, 4), bytes(54, 4), bytes(40, 4), bytes(width, 4),
            bytes(height, 4), bytes(1, 2), bytes(24, 2), bytes(0, 4), bytes(size, 4), bytes(0, 16),
        ]
        return Data(header.flatMap { $0 } + [UInt8](repeating: 90, count: size))
    }
}
