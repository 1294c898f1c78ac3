import Foothold
import Foundation
import Testing

@Suite struct HintLanguageTests {
    @Test func hintsComeInKorean() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["process", Clips.sample.path, "--language", "ko", "--no-video", "--out", "results"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let session = try String(contentsOf: folder.file("results/session.jsonl"), encoding: .utf8)
        let hints = try session.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.filter { $0["type"] as? String == "hint" }
        try #require(!hints.isEmpty)
        for hint in hints {
            #expect(hint["language"] as? String == "ko")
            #expect(try #require(hint["text"] as? String).unicodeScalars.contains { ("가"..."힣").contains($0) })
        }
    }

    /// Whoever gets no surface at all is told what may help, in their language.
    @Test(arguments: [
        ("en", "What may help: Plain walls and tables are hard to see."), ("ko-KR", "What may help: 민무늬 벽이나 탁자는"),
    ])
    func aRecordingInWhichNothingWasFoundEndsWithAdvice(_ language: String, _ advice: String) throws {
        let folder = try TemporaryFolder()
        let wall = folder.file("wall")
        try FileManager.default.createDirectory(at: wall, withIntermediateDirectories: true)
        let gray = [UInt8](repeating: 150, count: 320 * 240 * 4)
        for index in 0..<60 {
            let name = String(format: "%03d.png", index)
            try writePNG(path: wall.appendingPathComponent(name).path, rgba: gray, width: 320, height: 240)
        }
        let outcome = try Command.run(
            ["process", "wall", "--language", language, "--no-video", "--out", "results"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(advice), "\(outcome.output)")
    }
}
