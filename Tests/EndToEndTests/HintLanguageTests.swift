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
}
