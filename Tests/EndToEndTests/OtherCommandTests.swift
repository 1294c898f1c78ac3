import Foothold
import Foundation
import Testing

/// The commands beside `process`.
@Suite struct OtherCommandTests {
    let folder = try! TemporaryFolder()

    private func json(_ arguments: [String]) throws -> [String: Any] {
        let outcome = try Command.run(arguments + ["--json"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.output)")
    }

    @Test func versionIsOneLine() throws {
        let outcome = try Command.run(["version"], in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: "\n").count == 1)
        #expect(outcome.output.wholeMatch(of: /foothold \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(arguments: [
        [], ["--help"], ["process", "--help"], ["evaluate", "--help"], ["bench", "pipeline", "--help"],
        ["bench", "kernels", "--help"], ["bench", "placement", "--help"], ["help"], ["help", "bench", "worlds"],
    ])
    func helpGoesToStandardOutput(arguments: [String]) throws {
        let outcome = try Command.run(arguments, in: folder.url)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("USAGE"))
        #expect(outcome.errors == "")
    }

    @Test(arguments: [["fly"], ["help", "fly"], ["help", "bench", "fly"]])
    func anUnknownCommandIsBadUsage(arguments: [String]) throws {
        let outcome = try Command.run(arguments, in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("'fly'"))
    }

    @Test func evaluateScoresTheSampleAgainstItsTruth() throws {
        let all = try #require(try json(["evaluate", Clips.sample.path])["sequences"] as? [[String: Any]])
        try #require(all.count == 1)
        let accuracy = try #require(all[0]["sim3"] as? [String: Any])
        let absolute = try #require(accuracy["absolute"] as? [String: Any])
        // Centimetres over a path of metres, on a clip that is easy to follow.
        #expect(try #require(absolute["rmse"] as? Double) < 0.01)
        let surfaces = try #require(all[0]["surfaces"] as? [String: Any])
        #expect(try #require(surfaces["recall"] as? Double) > 0)
        #expect(folder.contents == [])
    }

    @Test func evaluateWritesATableBesideTheGoals() throws {
        let (parent, recordings) = (try TemporaryFolder(), try TemporaryFolder())
        try FileManager.default.createSymbolicLink(
            at: parent.file("first"), withDestinationURL: try Clips.shortSample(in: recordings.url))
        let outcome = try Command.run(["evaluate", parent.url.path, "--out", "kept"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = outcome.output.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count == 4)
        #expect(rows.contains { $0.hasPrefix("| first") } && rows.contains { $0.hasPrefix("| goal") })
        #expect(FileManager.default.fileExists(atPath: folder.file("kept/first/annotated.mp4").path))
    }

    @Test func evaluateTellsWhatWasFinishedWhenAnotherFails() throws {
        let broken = folder.file("broken")
        try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: false)
        try Data().write(to: broken.appendingPathComponent("video.mp4"))
        let whole = try Clips.shortSample(in: folder.url)
        let outcome = try Command.run(["evaluate", whole.path, broken.path], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("| goal"))
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    }

    /// A copy of the sample in a folder of its own, with one file replaced.
    private func sample(in folder: URL, replacing name: String, with text: String) throws -> URL {
        let copy = folder.appendingPathComponent("desk")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Clips.sample, to: copy)
        try Data(text.utf8).write(to: copy.appendingPathComponent(name))
        return copy
    }

    @Test func evaluateSaysWhatOfARecordingItCannotUse() throws {
        let folder = try TemporaryFolder()
        let copy = try Clips.shortSample(in: folder.url)
        try Data("a letter\n".utf8).write(to: copy.appendingPathComponent("imu.csv"))
        let outcome = try Command.run(["evaluate", copy.path], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1)
        #expect(outcome.errors.contains("desk: going on without inertial data: "), "\(outcome.errors)")
    }

    /// Nothing is run, which standard output would tell of.
    @Test func evaluateRefusesBrokenTruthAndTwoOfOneName() throws {
        let folder = try TemporaryFolder()
        let broken = try sample(in: folder.file("a"), replacing: "planes.json", with: "{\"planes\": 3}")
        let truth = try Command.run(["evaluate", broken.path], in: folder.url)
        #expect(truth.status == 2 && truth.output == "")
        #expect(truth.errors.contains("planes.json"), "\(truth.errors)")
        let twice = try Command.run(["evaluate", Clips.sample.path, broken.path, "--out", "kept"], in: folder.url)
        #expect(twice.status == 2 && twice.output == "")
        #expect(twice.errors.contains("two recordings are called desk"), "\(twice.errors)")
        #expect(folder.contents == ["a"])
    }

    /// They would have been scored as if they had been stretched to fit.
    @Test(arguments: [["evaluate"], ["bench", "depth"]])
    func depthPicturesOfAnotherShapeAreRefused(command: [String]) throws {
        let folder = try TemporaryFolder()
        let clip = try sample(in: folder.url, replacing: "notes.txt", with: "")
        try FileManager.default.createDirectory(
            at: clip.appendingPathComponent("depth"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: Command.root.appendingPathComponent("Tests/FootholdEvaluationTests/Fixtures/depth_filters.png"),
            to: clip.appendingPathComponent("depth/00010.png"))
        let outcome = try Command.run(command + [clip.path], in: folder.url)
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("00010.png (it has 23×10 pixels, another shape than the camera's 640×480)"),
            "\(outcome.errors)")
        // The truth's camera is another than the one that is given.
        try FileManager.default.removeItem(at: clip.appendingPathComponent("depth/00010.png"))
        guard command == ["evaluate"] else { return }
        let camera = clip.appendingPathComponent("intrinsics.json")
        try FileManager.default.moveItem(at: camera, to: folder.file("camera.json"))
        try Data(#"{"width": 480, "height": 640, "fx": 520, "fy": 520, "cx": 240, "cy": 320}"#.utf8).write(to: camera)
        let other = try Command.run(["evaluate", clip.path, "--camera", "camera.json"], in: folder.url)
        #expect(other.status == 2 && other.output == "")
        #expect(other.errors.contains("it is for 480×640 pictures and the recording has 640×480"), "\(other.errors)")
    }

    /// Its folder of results would have replaced the recording, or would have been written into it.
    @Test func evaluateRefusesToWriteIntoTheRecording() throws {
        let folder = try TemporaryFolder()
        let copy = try sample(in: folder.file("a"), replacing: "notes.txt", with: "mine")
        for out in ["a", "a/desk"] {
            let outcome = try Command.run(["evaluate", copy.path, "--out", out], in: folder.url)
            #expect(outcome.status == 2 && outcome.output == "")
            #expect(outcome.errorLines.count == 1)
            #expect(outcome.errors.contains("into the recording"), "\(outcome.errors)")
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: copy.path)
        #expect(kept.contains("notes.txt") && kept.contains("video.mp4") && !kept.contains("desk"))
    }

    @Test(arguments: [["worlds"], ["depth", "--worlds", "1"]]) func benchSaysThatNoSituationIsCalledSo(
        _ bench: [String]
    ) throws {
        let outcome = try Command.run(["bench"] + bench + ["--only", "zzz"], in: folder.url)
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(outcome.errors.contains("no situation's name holds “zzz”"), "\(outcome.errors)")
    }

    @Test func benchTellsWhatWasFinishedWhenAnotherFails() throws {
        let outcome = try Command.run(["bench", "pipeline", Clips.sampleVideo.path, "nowhere.mp4"], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("| video.mp4 640×480 | 270 "), "\(outcome.output)")
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    }

    @Test func evaluateNeedsAFolderWithASequence() throws {
        for arguments in [["nowhere"], [folder.url.path], []] {
            let outcome = try Command.run(["evaluate"] + arguments, in: folder.url)
            #expect(outcome.status == 2)
            #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        }
    }

    @Test func benchMeasuresTheEngineBesideDecoding() throws {
        let pipelines = try #require(
            try json(["bench", "pipeline", Clips.sampleVideo.path])["pipelines"] as? [[String: Any]])
        try #require(pipelines.count == 1)
        let engine = try #require(pipelines[0]["engine"] as? [String: Any])
        let mean = try #require(engine["meanMilliseconds"] as? Double)
        #expect(mean > 0)
        #expect(try #require(engine["p99Milliseconds"] as? Double) >= mean / 2)
        for key in ["frames", "decodeMillisecondsPerFrame", "framesPerSecond", "peakMemoryBytes"] {
            #expect(try #require(pipelines[0][key] as? Double, "\(key)") > 0)
        }
    }

    @Test func benchMeasuresTheKernelsBesideTheirReferenceAndOpenCV() throws {
        let measured = try json(["bench", "kernels", "--quick"])
        #expect(!(try #require(measured["simd"] as? String)).isEmpty)
        let kernels = try #require(measured["kernels"] as? [[String: Any]])
        #expect(kernels.count > 20)
        for kernel in kernels {
            let name = try #require(kernel["name"] as? String)
            #expect(kernel["size"] is String, "\(name)")
            #expect(try #require(kernel["medianMilliseconds"] as? Double, "\(name)") > 0)
            #expect(try #require(kernel["ratioToScalar"] as? Double, "\(name)") > 0)
            // Null where OpenCV has nothing of the kind, and there all the same.
            let ratio = try #require(kernel["ratioToOpenCV"], "\(name)")
            #expect(ratio is NSNull ? kernel["openCV"] is NSNull : (ratio as? Double ?? 0) > 0, "\(name)")
        }
        let accuracy = try #require(measured["trackingAccuracy"] as? [[String: Any]])
        let shifted = try #require(accuracy.first { ($0["motion"] as? String)?.hasPrefix("shift") == true })
        #expect(try #require(shifted["withinTenth"] as? Double) > 0.9)
        #expect(try #require(shifted["openCVWithinTenth"] as? Double) > 0.9)
    }

    @Test func benchMeasuresWhatPlacedObjectsCost() throws {
        let rows = try #require(
            try json(["bench", "placement", "--objects", "50"])["placement"] as? [[String: Any]])
        #expect(rows.count == 4)
        for row in rows {
            #expect(row["objects"] as? Int == 50)
            #expect(try #require(row["meanMilliseconds"] as? Double) > 0)
        }
        let folder = try TemporaryFolder()
        let refused = try Command.run(["bench", "placement", "--objects", "0"], in: folder.url)
        #expect(refused.status == 2 && refused.errors.contains("--objects"))
    }

    @Test func doctorTriesOutWhatTheTestsNeed() throws {
        let report = try json(["doctor"])
        let items = try #require(report["items"] as? [[String: Any]])
        let good = items.filter { $0["status"] as? String == "good" }.compactMap { $0["id"] as? String }
        #expect(Set(good).isSuperset(of: ["recordings.h264", "drawing", "encoding", "words", "letters.en"]))
        for item in items where item["status"] as? String == "missing" {
            // What is missing comes with what to do: a command, or words that say it.
            let text = try #require(item["text"] as? String)
            #expect(item["command"] != nil || text.contains(": "), "\(text)")
        }
        #expect(!(try #require(report["simd"] as? String)).isEmpty)
        #expect(report["canTrack"] as? Bool == true)
    }

    /// A folder for temporary files that is gone is no missing encoder.
    @Test func doctorTriesAnotherFolderWhereTheUsualOneIsGone() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["doctor"], in: folder.url, environment: ["TMPDIR": folder.file("nowhere").path])
        #expect(outcome.status == 0 && outcome.output.contains("✓ H.264 videos can be written"), "\(outcome.output)")
        #expect(folder.contents == [])
    }

    @Test func hintsListsEveryWordThatMayBeSaid() throws {
        let listing = try json(["hints", "--language", "ko_KR.UTF-8"])
        let texts = try ["hints", "places", "changes"].flatMap { part in
            try #require(listing[part] as? [[String: Any]], "\(part)").flatMap { entry in
                ["short", "fuller", "text"].compactMap { entry[$0] as? String }
            }
        }
        let said = Set(texts)
        for (key, message) in HintCatalogue.messages(language: "ko")
        where !key.hasPrefix("object") && !key.hasPrefix("device") && !message.contains("{") {
            #expect(said.contains(message), "\(key)")
        }
        #expect(said.contains("의자 이동 취소") && said.contains("의자를 놓을 곳을 눌러 주세요."))
    }

    /// What can't be said changes nothing of what is done, nor of how it ends.
    @Test(arguments: [("2> /dev/full", "process nothing.mp4"), ("2> >(true)", "evaluate nothing")])
    func aLostMessageChangesNoStatus(redirection: String, arguments: String) throws {
        let program = Command.folder.appendingPathComponent("foothold").path
        let outcome = try Command.run(
            ["-c", "sleep 0.1; \"$0\" \(arguments) \(redirection)", program],
            executable: URL(fileURLWithPath: "/bin/bash"), in: folder.url)
        #expect(outcome.reason == .exit)
        #expect(outcome.status == 2)
    }

    @Test func anAnswerThatNobodyGotIsNoSuccess() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["-c", "\"$0\" hints > /dev/full", Command.folder.appendingPathComponent("foothold").path],
            executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url)
        #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    }
}
