import FootholdEvaluation
import Foundation

/// Runs one recording and scores the result against its truth.
public struct EvaluationJob: Sendable {
    public struct Options: Sendable {
        /// Placed on the way, to see how well and how steadily objects stand: one before anything is known, one later.
        public var placements = [
            PlacementRequest(name: "cylinder", location: .fraction(SIMD2(0.65, 0.6)), seconds: 0),
            PlacementRequest(name: "box", location: .fraction(SIMD2(0.5, 0.6)), seconds: 3),
        ]
        /// Poses by frame index (`frame,px,py,pz,qx,qy,qz,qw`) to compare with instead of the folder's truth.
        public var reference: String?
        public var cameraFile: String?
        /// Where the run's results are kept, one folder a recording; nil keeps nothing.
        public var resultsFolder: String?

        public init() {}
    }

    private let input: URL
    private let options: Options
    /// Results that nobody asked for are in here until they are scored.
    private let scratch = FileManager.default.temporaryDirectory
        .appendingPathComponent("foothold-evaluation-\(UUID().uuidString)", isDirectory: true)

    /// - Parameter input: a sequence, TUM RGB-D or EuRoC folder; with a reference, any recording.
    public init(input: URL, options: Options = Options()) {
        self.input = input
        self.options = options
    }

    /// What the recording is called, in tables and in the folder of results.
    public var name: String { input.standardizedFileURL.deletingPathExtension().lastPathComponent }

    /// Removes what was written so far; for when the process must end at once. From any thread.
    public var abandon: @Sendable () -> Void { { [scratch] in try? FileManager.default.removeItem(at: scratch) } }

    /// - Parameter onNotice: one line for people about the recording, such as that its inertial data can't be used.
    /// - Throws: what `ProcessJob` and `Evaluator` throw.
    public func run(
        cancellation: Cancellation = Cancellation(), onNotice: (String) -> Void = { _ in },
        onProgress: (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws -> EvaluationReport {
        try checkResultsFolder()
        let (truth, score) = try scoring(cancellation)
        defer { abandon() }
        let parent = options.resultsFolder.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? scratch
        let output = parent.appendingPathComponent(name, isDirectory: true)
        var process = ProcessJob.Options()
        process.placements = options.placements
        process.cameraFile = options.cameraFile
        // What is measured is measured on one.
        process.hasTwoThreads = false
        process.needsReview = true
        process.writesVideo = options.resultsFolder != nil
        do {
            let job = try ProcessJob(input: input.path, output: output.path, options: process)
            do {
                try truth?.check(width: job.info.width, height: job.info.height)
            } catch {
                job.abandon()
                throw error
            }
            let report = try job.run(cancellation: cancellation, onProgress: onProgress)
            // That a short recording ends before the second object is no news.
            for notice in report.notices where !notice.hasPrefix("--place ") { onNotice("\(name): \(notice)") }
            return try score(output)
        } catch let error where error is StoppedError || error as? EvaluationError == .stopped {
            throw StoppedError("stopped before \(ShownText.name(name)) was scored")
        }
    }

    /// Results replace a folder of their name: that mustn't be the recording, nor lie in it.
    private func checkResultsFolder() throws(UsageError) {
        guard let folder = options.resultsFolder else { return }
        let results = FileClaims.canonical(URL(fileURLWithPath: folder).appendingPathComponent(name).path)
        let recording = FileClaims.canonical(input.path)
        if results == recording || results.hasPrefix(recording + "/") {
            throw UsageError(
                "--out \(ShownText.name(folder)) would put results into the recording: choose another folder")
        }
    }

    /// How a folder of results is scored; a folder's own truth is read now, so that what is wrong with it is said before
    /// the work.
    private func scoring(
        _ cancellation: Cancellation
    ) throws -> (truth: SequenceTruth?, score: (URL) throws -> EvaluationReport) {
        if let reference = options.reference {
            let file = URL(fileURLWithPath: reference)
            guard try !TrajectoryReader.frameIndexedCSV(at: file, seconds: { Double($0) }).entries.isEmpty else {
                throw EvaluationError.nothingToCompare(path: reference, reason: "it holds no pose")
            }
            return (nil, { try Evaluator.evaluate(outputFolder: $0, referenceTrajectory: file) })
        }
        let truth = try SequenceTruth.load(input)
        return (
            truth,
            {
                try Evaluator.evaluate(
                    record: SessionRecord.load($0), truth: truth, isStopped: { cancellation.isRequested })
            }
        )
    }
}
