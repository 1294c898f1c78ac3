import Foothold
import Foundation
import Testing

/// The whole way on the sample clip, as `make demo` goes it.
@Suite struct ProcessTests {
    /// One run that several tests look at.
    final class SampleRun: Sendable {
        let folder: TemporaryFolderBox
        let outcome: Command.Outcome
        var results: URL { folder.folder.file("results") }

        /// Shared between threads, and only read.
        final class TemporaryFolderBox: @unchecked Sendable {
            let folder: TemporaryFolder
            init() throws { folder = try TemporaryFolder() }
        }

        init() throws {
            folder = try TemporaryFolderBox()
            outcome = try Command.run(
                ["process", Clips.sample.path, "--place", "chair@0.5,0.6@0.5", "--out", "results"],
                in: folder.folder.url)
        }

        func text(_ name: String) throws -> String {
            try String(contentsOf: results.appendingPathComponent(name), encoding: .utf8)
        }

        func object(_ name: String) throws -> [String: Any] {
            let data = try Data(contentsOf: results.appendingPathComponent(name))
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        /// The lines of `session.jsonl`.
        func lines(ofType type: String? = nil) throws -> [[String: Any]] {
            try text("session.jsonl").split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }.filter { type == nil || $0["type"] as? String == type }
        }
    }

    static let shared = Result { try SampleRun() }
    var run: SampleRun { get throws { try Self.shared.get() } }

    @Test func endsWellAndQuietlyWhenPiped() throws {
        let outcome = try run.outcome
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("results"))
        #expect(try run.folder.folder.contents == ["results"])
    }

    @Test func aCalibrationThatDoesNotFitIsSaidSo() throws {
        let folder = try TemporaryFolder()
        let given = Clips.sample.appendingPathComponent("intrinsics.json")
        var camera = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: given)) as? [String: Any])
        for key in ["fx", "fy"] { camera[key] = 1.05 * (try #require(camera[key] as? Double)) }
        try JSONSerialization.data(withJSONObject: camera).write(to: folder.file("camera.json"))
        let outcome = try Command.run(
            ["process", Clips.sampleVideo.path, "--camera", "camera.json", "--no-video", "--out", "results"],
            in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("546 pixels does not fit"))
        let summary = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.file("results/summary.json")))
        let used = try #require((summary as? [String: Any])?["camera"] as? [String: Any])
        #expect(used["source"] as? String == "estimated")
        #expect(abs(try #require(used["fx"] as? Double) / 520 - 1) < 0.01)
    }

    @Test func everyFileIsThere() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: run.results.path).sorted()
        #expect(
            names == [
                "annotated.mp4", "scene.glb", "session.jsonl", "summary.json", "surfaces.json", "trajectory.tum",
                "trajectory_refined.tum",
            ])
    }

    @Test func sessionLinesAreInTimeOrderAndHaveATypeEach() throws {
        let lines = try run.lines()
        let times = try lines.map { try #require($0["t"] as? Double) }
        #expect(times == times.sorted())
        let types = Set(try lines.map { try #require($0["type"] as? String) })
        #expect(types.isSubset(of: ["frame", "surface", "hint", "object", "feedback", "session"]))
        #expect(types.isSuperset(of: ["frame", "surface", "object", "session"]))
    }

    @Test func theCameraIsFollowedAndASurfaceFound() throws {
        let summary = try run.object("summary.json")
        let frames = try #require(summary["frames"] as? Int)
        let first = try #require(summary["secondsToFirstTracking"] as? Double)
        let tracked = try #require(summary["trackedFrames"] as? Int)
        #expect(first <= 1.5)
        let source = try FrameSources.open(Clips.sample.path)
        let possible = Double(frames) - first * source.info.nominalFrameRate
        #expect(Double(tracked) >= 0.97 * possible)
        #expect(try #require(summary["secondsToFirstSurface"] as? Double) < 6)
        let surfaces = try #require(try run.object("surfaces.json")["surfaces"] as? [[String: Any]])
        #expect(surfaces.contains { $0["alignment"] as? String == "horizontal" })
        for surface in surfaces {
            let normal = try #require(surface["normal"] as? [Double])
            #expect(abs(normal.reduce(0) { $0 + $1 * $1 } - 1) < 1e-6)
            let boundary = try #require(surface["boundary"] as? [[Double]])
            #expect(boundary.count >= 3 && boundary.allSatisfy { $0.count == 3 })
        }
    }

    @Test func trajectoriesHaveOneLineForEachTrackedFrame() throws {
        let tracked = try #require(try run.object("summary.json")["trackedFrames"] as? Int)
        for name in ["trajectory.tum", "trajectory_refined.tum"] {
            let rows = try run.text(name).split(separator: "\n").map {
                $0.split(separator: " ").compactMap { Double($0) }
            }
            #expect(rows.count == tracked, "\(name)")
            for row in rows {
                try #require(row.count == 8)
                #expect(abs(row[4...].reduce(0) { $0 + $1 * $1 } - 1) < 1e-6)
            }
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0[0] < $1[0] })
        }
    }

    @Test func theChairStandsOnASurface() throws {
        let events = try run.lines(ofType: "object")
        #expect(events.first?["event"] as? String == "placed")
        #expect(events.allSatisfy { $0["name"] as? String == "chair" })
        let last = try #require(events.last)
        #expect(last["provisional"] as? Bool == false)
        #expect((last["worldFromObject"] as? [Double])?.count == 16)
    }

    /// After the last frame all is looked at once more; what the lines tell comes to what is in the file.
    @Test func theReviewComesAfterAllFramesAndTellsOfTheSurfacesInTheFile() throws {
        let lines = try run.lines()
        let start = try #require(lines.firstIndex { $0["event"] as? String == "reviewed" })
        let lastFrame = try #require(lines.lastIndex { $0["type"] as? String == "frame" })
        #expect(start > lastFrame)
        let end = try #require(lines[lastFrame]["t"] as? Double)
        for line in lines[start...] { #expect(try #require(line["t"] as? Double) > end) }
        #expect(lines.last?["event"] as? String == "ended")
        var outlines: [Int: Int] = [:]
        for line in lines where line["type"] as? String == "surface" {
            let id = try #require(line["id"] as? Int)
            switch line["event"] as? String {
            case "added", "updated": outlines[id] = try #require(line["boundary"] as? [[Double]]).count
            default: outlines[id] = nil
            }
        }
        let surfaces = try #require(try run.object("surfaces.json")["surfaces"] as? [[String: Any]])
        var written: [Int: Int] = [:]
        for surface in surfaces {
            written[try #require(surface["id"] as? Int)] = (surface["boundary"] as? [[Double]])?.count
        }
        #expect(outlines == written)
        #expect(lines[start...].contains { $0["type"] as? String == "surface" })
    }

    @Test func theChairStandsOnItsSurfaceAsItIsAfterTheReview() throws {
        let chair = try #require(try run.lines(ofType: "object").last)
        let surfaces = try #require(try run.object("surfaces.json")["surfaces"] as? [[String: Any]])
        let surface = try #require(surfaces.first { $0["id"] as? Int == chair["surface"] as? Int })
        let normal = try #require(surface["normal"] as? [Double])
        let center = try #require(surface["center"] as? [Double])
        let base = try #require(chair["worldFromObject"] as? [Double])[12..<15]
        let height = zip(zip(base, center).map { $0 - $1 }, normal).reduce(0) { $0 + $1.0 * $1.1 }
        #expect(abs(height) < 1e-3)
    }

    @Test func theVideoShowsEveryFrame() throws {
        let frames = try #require(try run.object("summary.json")["frames"] as? Int)
        let video = try FrameSources.open(run.results.appendingPathComponent("annotated.mp4").path)
        let sample = try FrameSources.open(Clips.sample.path)
        #expect((video.info.width, video.info.height) == (sample.info.width, sample.info.height))
        var (shown, given) = (0, 0)
        while try video.nextFrame() != nil { shown += 1 }
        while try sample.nextFrame() != nil { given += 1 }
        #expect(shown == frames)
        #expect(given == frames)
    }

    @Test func theSceneIsABinaryGLTF() throws {
        let data = try Data(contentsOf: run.results.appendingPathComponent("scene.glb"))
        #expect(data.prefix(4) == Data("glTF".utf8))
        let length = data[8..<12].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length == data.count)
    }

    @Test func theSummaryTellsWhatWasMeasured() throws {
        let summary = try run.object("summary.json")
        for key in ["decodeMillisecondsPerFrame", "startUpSeconds", "reviewSeconds", "wallSeconds", "peakMemoryBytes"] {
            #expect(try #require(summary[key] as? Double, "\(key)") > 0)
        }
        let stages = try #require(summary["stages"] as? [[String: Any]])
        #expect(stages.contains { $0["name"] as? String == "engine" })
        for stage in stages {
            for key in ["meanMilliseconds", "medianMilliseconds", "p99Milliseconds"] {
                #expect(stage[key] is Double)
            }
        }
    }

    /// Neither timing nor drawing has any influence on what is found.
    @Test func anotherRunGivesTheSameBytes() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["process", Clips.sample.path, "--place", "chair@0.5,0.6@0.5", "--out", "again", "--no-video"],
            in: folder.url)
        #expect(outcome.status == 0)
        for name in ["session.jsonl", "trajectory.tum", "trajectory_refined.tum", "surfaces.json", "scene.glb"] {
            let again = try Data(contentsOf: folder.file("again").appendingPathComponent(name))
            #expect(try again == Data(contentsOf: run.results.appendingPathComponent(name)), "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("again/annotated.mp4").path))
    }

    @Test func whatAnIndexLeadsOutOfTheFileForIsSaidToBeLostAndTheRestIsProcessed() throws {
        let folder = try TemporaryFolder()
        var data = try Data(contentsOf: Clips.sampleVideo)
        let table = try #require(data.range(of: Data("stco".utf8))).upperBound
        // Behind its flags and its length is where the first five parts begin, of which this is the third.
        data.replaceSubrange(table + 16..<table + 20, with: [0x7F, 0xFF, 0xFF, 0xF0])
        try data.write(to: folder.file("desk.mp4"))
        let outcome = try Command.run(["process", "desk.mp4", "--no-video", "--out", "results"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let summary = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.file("results/summary.json")))
        let frames = try #require((summary as? [String: Any])?["frames"] as? Int)
        #expect((100..<260).contains(frames))
        let words = "\(270 - frames) of about 270 frames could not be read and were skipped: \"desk.mp4\" is damaged"
        #expect(outcome.errorLines.filter { $0.contains(words) }.count == 1, "\(outcome.errors)")
    }
}
