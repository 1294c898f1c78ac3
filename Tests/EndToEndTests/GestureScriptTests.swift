import Foothold
import Foundation
import Testing

/// `--gestures`: the sample's script, and scripts that something is wrong with.
@Suite struct GestureScriptTests {
    @Test func theSampleScriptPlacesScalesDragsTurnsIsRefusedAndUndoes() throws {
        let folder = try TemporaryFolder()
        let script = Clips.sample.appendingPathComponent("gestures.json")
        let outcome = try Command.run(
            ["process", Clips.sample.path, "--gestures", script.path, "--out", "results", "--no-video"], in: folder.url)
        #expect(outcome.status == 0 && outcome.errors == "")
        let text = try String(contentsOf: folder.file("results/session.jsonl"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        func objects(_ name: String, _ event: String) -> [[String: Any]] {
            lines.filter {
                $0["type"] as? String == "object" && $0["name"] as? String == name && $0["event"] as? String == event
            }
        }
        for event in ["placed", "selected", "scaled", "moved", "turned", "settled"] {
            #expect(!objects("box", event).isEmpty, "\(event)")
        }
        #expect(!objects("cylinder", "placed").isEmpty && objects("cylinder", "scaled").isEmpty)
        #expect(objects("cylinder", "removed").count == 1, "undone")
        // The refusal is felt once, and the box is where and how it was before the drag.
        let feedback = lines.filter { $0["type"] as? String == "feedback" }
        let refusals = feedback.filter { $0["kind"] as? String == "error" && $0["isHeadsUp"] as? Bool == false }
        #expect(refusals.count == 1)
        #expect(feedback.allSatisfy { $0["due"] is Double && $0["intensity"] is Double })
        #expect(feedback.contains { $0["isHeadsUp"] as? Bool == true })
        let scale = try #require(objects("box", "scaled").first?["scale"] as? Double)
        #expect(scale > 0.5 && scale < 0.75)
        let last = try #require(objects("box", "moved").last)
        let before = try #require(
            objects("box", "moved").last { ($0["t"] as? Double ?? 9) < 2.2 } ?? objects("box", "scaled").last)
        func axis(_ line: [String: Any]) throws -> SIMD3<Double> {
            let m = try #require(line["worldFromObject"] as? [Double])
            return SIMD3(m[8], m[9], m[10])
        }
        #expect(try axis(last).dot(try axis(before)) > cos(0.03), "turned back")
    }

    @Test(arguments: [
        ("nonsense", "not valid JSON"),
        (#"{"version": 1, "events": [{"t": 1}]}"#, "event 1"),
        (#"{"version": 1, "events": [{"t": 1, "place": {"name": "sofa", "at": [1, 2]}}]}"#, "sofa"),
        (#"{"version": 7, "events": []}"#, "version 7"),
        (
            #"{"version": 1, "events": [{"t": 1, "undo": true}, {"t": 2, "tap": [700, 90]}]}"#,
            "event 2 can't be played: it begins at [700.0, 90.0], outside of the picture, which is 640×480"
        ),
    ])
    func aScriptThatCannotBePlayedIsRefusedBeforeTheWorkBegins(_ text: String, _ expected: String) throws {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: folder.file("script.json"))
        let outcome = try Command.run(
            ["process", Clips.sampleVideo.path, "--gestures", "script.json", "--out", "results"], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1 && outcome.errors.contains("--gestures"))
        #expect(outcome.errors.contains(expected))
        #expect(folder.contents == ["script.json"])
    }

    @Test func aScriptThatIsMissingIsExplained() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["process", Clips.sampleVideo.path, "--gestures", "none.json", "--out", "results"], in: folder.url)
        #expect(outcome.status == 2 && outcome.errorLines.count == 1 && outcome.errors.contains("none.json"))
    }
}
