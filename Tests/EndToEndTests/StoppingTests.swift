import Foothold
import Foundation
import Testing

/// Who stops `foothold process` amid the recording gets nothing; after the last frame nothing is lost any more.
@Suite struct StoppingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a person at the keyboard sends, and what a system that shuts down sends.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func stoppingHalfWayLeavesNothing(signal: Int32) throws {
        let outcome = try Command.run(
            ["process", Clips.sampleVideo.path, "--out", "results"], in: folder.url
        ) { process in
            waitUntilBegun(process)
            kill(process.processIdentifier, signal)
        }
        #expect(outcome.reason == .exit)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("stopped") && outcome.errors.contains("results"))
        #expect(folder.contents == [])
    }

    /// Who asks a second time wants it now; one of the two answers is told, and nothing is left in either case.
    @Test func askingTwiceEndsItWithOneLine() throws {
        let outcome = try Command.run(
            ["process", Clips.sampleVideo.path, "--out", "results"], in: folder.url
        ) { process in
            waitUntilBegun(process)
            kill(process.processIdentifier, SIGINT)
            usleep(2000)
            kill(process.processIdentifier, SIGINT)
        }
        #expect(outcome.reason == .exit)
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("stopped"))
        #expect(folder.contents == [])
    }

    /// Every frame was followed by then: minutes of work, in a long recording.
    @Test(arguments: [SIGINT, SIGTERM])
    func stoppingTheLookAtEverythingKeepsAll(signal: Int32) throws {
        let outcome = try Command.run(
            ["process", Clips.sample.path, "--out", "results", "--save-world", "desk.world"], in: folder.url
        ) { process in
            try waitForReview(process)
            kill(process.processIdentifier, signal)
        }
        #expect(outcome.reason == .exit)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("looking at everything once more was stopped"), "\(outcome.errors)")
        #expect(outcome.output.contains("Saved the world to desk.world"), "\(outcome.output)")
        #expect(folder.contents == ["desk.world", "results"])
        let results = folder.file("results")
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: results.path)) == [
                "annotated.mp4", "scene.glb", "session.jsonl", "summary.json", "surfaces.json", "trajectory.tum",
                "trajectory_refined.tum",
            ])
        let lines = try String(contentsOf: results.appendingPathComponent("session.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.last?.contains("\"ended\"") == true)
        #expect(lines.contains { $0.contains("\"reviewed\"") })
    }

    /// Who asks again wants it now; it may be done already.
    @Test func askingAgainInTheLookAtEverythingEndsIt() throws {
        let outcome = try Command.run(
            ["process", Clips.sampleVideo.path, "--out", "results", "--no-video"], in: folder.url
        ) { process in
            try waitForReview(process)
            kill(process.processIdentifier, SIGINT)
            usleep(5000)
            kill(process.processIdentifier, SIGINT)
        }
        #expect(outcome.reason == .exit)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        if outcome.status == 0 {
            #expect(folder.contents == ["results"])
        } else {
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("stopped at once"), "\(outcome.errors)")
            #expect(folder.contents == [])
        }
    }

    @Test func nothingIsMissedWhereTheLookAtEverythingIsOverAlready() throws {
        var options = ProcessJob.Options()
        options.writesVideo = false
        let job = try ProcessJob(input: Clips.sample.path, output: folder.file("results").path, options: options)
        let stop = Cancellation()
        var last = 0
        let report = try job.run(cancellation: stop) { done, total in
            last = done
            // The path is still to be refined.
            if done == total { stop.request() }
        }
        #expect(stop.isRequested && last > report.totals.frames)
        #expect(report.notices == [])
        #expect(folder.contents == ["results"])
    }

    /// Scores of surfaces that aren't as well known as they could be would be scores of something else.
    @Test func aStoppedEvaluationScoresNothing() throws {
        var options = EvaluationJob.Options()
        options.resultsFolder = folder.file("kept").path
        let stop = Cancellation()
        let recordings = try TemporaryFolder()
        let clip = try Clips.shortSample(in: recordings.url)
        let frames = try #require(try FrameSources.open(clip.path).info.estimatedFrameCount)
        #expect(throws: StoppedError.self) {
            try EvaluationJob(input: clip, options: options).run(
                cancellation: stop,
                onProgress: { done, _ in
                    if done > frames { stop.request() }
                })
        }
        #expect(stop.isRequested)
        #expect(folder.contents == [])
    }

    /// All frames are in the file of lines, and so nothing but the work of the end is left.
    private func waitForReview(_ process: Process) throws {
        let count = try #require(try FrameSources.open(Clips.sample.path).info.estimatedFrameCount)
        let deadline = Date().addingTimeInterval(120)
        while frameLines < count, process.isRunning, Date() < deadline { usleep(20_000) }
        #expect(frameLines == count && process.isRunning)
    }

    private var frameLines: Int {
        folder.contents.map { name in
            let lines = try? String(
                contentsOf: folder.file(name).appendingPathComponent("session.jsonl"), encoding: .utf8)
            return lines.map { $0.components(separatedBy: "\"type\":\"frame\"").count - 1 } ?? 0
        }.max() ?? 0
    }

    /// Results have begun to be written, so the work is on its way.
    private func waitUntilBegun(_ process: Process) {
        let deadline = Date().addingTimeInterval(60)
        while !hasBegun, process.isRunning, Date() < deadline { usleep(5000) }
        #expect(hasBegun && process.isRunning)
    }

    private var hasBegun: Bool {
        folder.contents.contains { name in
            let video = folder.file(name).appendingPathComponent("annotated.mp4")
            let size = (try? FileManager.default.attributesOfItem(atPath: video.path))?[.size] as? NSNumber
            return (size?.intValue ?? 0) > 0
        }
    }
}
