import Dispatch
import FootholdCapture
import FootholdCoaching
import FootholdSynthesis
import FootholdTracking
import Foundation
import Synchronization

/// Whether people are told the right thing in time: made-up recordings of every failure, and calm ones, watched by a
/// whole session each.
public enum HintBenchmark {
    /// What goes wrong in a recording.
    public typealias Kind = FailureSequence.Kind

    /// One hint's time on the screen.
    public struct Showing: Hashable, Sendable, Encodable {
        public var cause: HintCause
        public var text: String
        public var shownSeconds: Double
        /// Nil when it was still there at the end.
        public var hiddenSeconds: Double?
    }

    /// One recording.
    public struct Sequence: Hashable, Sendable, Encodable {
        /// What goes wrong in it; `calm` for nothing.
        public var kind: String
        public var variant: String
        public var seed: UInt64
        public var durationSeconds: Double
        public var startSeconds: Double?
        public var endSeconds: Double?
        public var showings: [Showing]
        /// The cause that was named first while it went wrong; nil when none was.
        public var named: HintCause?
        /// From the failure's start until its right name was on the screen; nil when it never was.
        public var onsetSeconds: Double?
        /// The same from when it might be spoken of: what was on the screen when the failure began has to be readable
        /// first, and whoever turns on the spot is invited before being corrected.
        public var freeOnsetSeconds: Double?
        /// Hints about failures while nothing was wrong; none within half a second of a failure count.
        public var wrongHints: Int
        /// Share of the failure's frames in which the engine followed well and had a surface: nobody needed help.
        public var copedShare: Double
    }

    public struct Figures: Hashable, Sendable, Encodable {
        public var sequences: [Sequence]
        /// True cause → what was named first (`none` for nothing) → how often.
        public var confusion: [String: [String: Int]]
        /// Of the failures, 0…1.
        public var namedRightShare: Double
        /// The same without failures that the engine coped with and that nothing was said about.
        public var namedRightShareOfTroubled: Double
        public var medianOnsetSeconds: Double?
        public var worstOnsetSeconds: Double?
        public var medianFreeOnsetSeconds: Double?
        public var worstFreeOnsetSeconds: Double?
        public var wrongHintsPerCalmMinute: Double
        /// In failure sequences, outside of the failure and half a second around it.
        public var strayHints: Int
        public var shortestDisplaySeconds: Double?
        public var diagnosisMillisecondsPerFrame: Double
    }

    /// A hint may come up this long after its cause ended without being wrong: it was decided on while it lasted. And
    /// this long before its beginning, where a failure comes on gradually.
    private static let grace = 0.5

    /// What one recording told, frame by frame.
    public struct Run: Sendable {
        public var sequence: Sequence
        public var results: [FrameResult]
    }

    /// - Parameters:
    ///   - seeds: of the recordings; each kind of failure is made once of each.
    ///   - onProgress: called from several threads, one at a time.
    public static func run(
        seeds: Range<UInt64>, kinds: [FailureSequence.Kind] = FailureSequence.Kind.allCases,
        cancellation: Cancellation = Cancellation(),
        onProgress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> Figures {
        try figures(watch(seeds: seeds, kinds: kinds, cancellation: cancellation, onProgress: onProgress))
    }

    /// Watches all recordings, as many at once as there are processors.
    static func watch(
        seeds: Range<UInt64>, kinds: [FailureSequence.Kind], cancellation: Cancellation,
        onProgress: @Sendable (_ done: Int, _ total: Int) -> Void
    ) throws -> [Run] {
        let jobs = kinds.flatMap { kind in seeds.map { (kind, $0) } }
        let runs = Mutex<(found: [Run?], done: Int, error: (any Error)?)>(
            ([Run?](repeating: nil, count: jobs.count), 0, nil))
        DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
            guard !cancellation.isRequested, runs.withLock({ $0.error == nil }) else { return }
            let recording = FailureSequence(kind: jobs[index].0, seed: jobs[index].1)
            let result = Result { try watch(recording, cancellation: cancellation) }
            runs.withLock { runs in
                switch result {
                case .success(let run): runs.found[index] = run
                case .failure(let error): runs.error = error
                }
                runs.done += 1
                onProgress(runs.done, jobs.count)
            }
        }
        try cancellation.check()
        return try runs.withLock { runs in
            if let error = runs.error { throw error }
            return runs.found.compactMap { $0 }
        }
    }

    /// What a session says about one recording.
    static func watch(_ recording: FailureSequence, cancellation: Cancellation = Cancellation()) throws -> Run {
        var info = SourceInfo(
            name: recording.kind.rawValue, kind: .videoFile, width: recording.intrinsics.width,
            height: recording.intrinsics.height, nominalFrameRate: recording.framesPerSecond)
        info.intrinsics = recording.intrinsics
        var options = SceneSession.Options()
        options.deviceWord = "phone"
        options.objectName = "chair"
        let session = try SceneSession(source: info, options: options)
        var results: [FrameResult] = []
        var showings: [Showing] = []
        while let frame = recording.nextFrame() {
            try cancellation.check()
            let scene = try session.process(frame)
            results.append(scene.result)
            note(scene.hintEvents, scene.result.seconds, &showings)
        }
        return Run(sequence: judge(recording, showings, results), results: results)
    }

    static func note(_ events: [HintEvent], _ seconds: Double, _ showings: inout [Showing]) {
        for event in events {
            switch event {
            case .shown(let hint):
                showings.append(Showing(cause: hint.cause, text: hint.text, shownSeconds: seconds, hiddenSeconds: nil))
            case .hidden: showings[showings.count - 1].hiddenSeconds = seconds
            }
        }
    }

    static func judge(_ recording: FailureSequence, _ showings: [Showing], _ results: [FrameResult]) -> Sequence {
        var sequence = Sequence(
            kind: recording.kind.rawValue, variant: recording.variant, seed: recording.seed,
            durationSeconds: recording.duration, startSeconds: recording.interval?.lowerBound,
            endSeconds: recording.interval?.upperBound, showings: showings, named: nil, onsetSeconds: nil,
            freeOnsetSeconds: nil,
            wrongHints: 0, copedShare: 1)
        let failures = showings.filter { !HintScheduler.isInvitation($0.cause) }
        guard let interval = recording.interval else {
            sequence.wrongHints = failures.count
            return sequence
        }
        let around = (interval.lowerBound - grace)...(interval.upperBound + grace)
        sequence.named = failures.first { around.contains($0.shownSeconds) }?.cause
        let right = failures.first {
            around.contains($0.shownSeconds) && $0.cause.rawValue == recording.kind.rawValue
        }
        sequence.onsetSeconds = right.map { max(0, $0.shownSeconds - interval.lowerBound) }
        sequence.freeOnsetSeconds = right.map { right in
            let waits = showings.filter { earlier in
                earlier.shownSeconds < right.shownSeconds
                    && (earlier.shownSeconds < interval.lowerBound
                        || recording.kind == .noTranslation && HintScheduler.isInvitation(earlier.cause))
            }
            let free = waits.compactMap(\.hiddenSeconds).max() ?? 0
            return max(0, right.shownSeconds - max(interval.lowerBound, free))
        }
        sequence.wrongHints = failures.count { !around.contains($0.shownSeconds) }
        let inside = results.filter { interval.contains($0.seconds) }
        let well = inside.count {
            $0.trackingState == .normal && $0.diagnostics.inlierCount >= 40 && !$0.surfaces.isEmpty
        }
        sequence.copedShare = Double(well) / Double(max(1, inside.count))
        return sequence
    }

    static func figures(_ runs: [Run]) -> Figures {
        let sequences = runs.map(\.sequence)
        let failures = sequences.filter { $0.startSeconds != nil }
        let calm = sequences.filter { $0.startSeconds == nil }
        var confusion: [String: [String: Int]] = [:]
        for sequence in failures {
            confusion[sequence.kind, default: [:]][sequence.named?.rawValue ?? "none", default: 0] += 1
        }
        let right = failures.filter { $0.named?.rawValue == $0.kind }
        let troubled = failures.filter { $0.named != nil || $0.copedShare < 0.9 }
        let onsets = failures.compactMap(\.onsetSeconds).sorted()
        let freeOnsets = failures.compactMap(\.freeOnsetSeconds).sorted()
        let calmMinutes = calm.reduce(0) { $0 + $1.durationSeconds } / 60
        return Figures(
            sequences: sequences, confusion: confusion,
            namedRightShare: Double(right.count) / Double(max(1, failures.count)),
            namedRightShareOfTroubled: Double(right.count) / Double(max(1, troubled.count)),
            medianOnsetSeconds: onsets.isEmpty ? nil : onsets[onsets.count / 2], worstOnsetSeconds: onsets.last,
            medianFreeOnsetSeconds: freeOnsets.isEmpty ? nil : freeOnsets[freeOnsets.count / 2],
            worstFreeOnsetSeconds: freeOnsets.last,
            wrongHintsPerCalmMinute: calm.isEmpty ? 0 : Double(calm.reduce(0) { $0 + $1.wrongHints }) / calmMinutes,
            strayHints: failures.reduce(0) { $0 + $1.wrongHints },
            shortestDisplaySeconds: sequences.flatMap(\.showings).compactMap { showing in
                showing.hiddenSeconds.map { $0 - showing.shownSeconds }
            }.min(), diagnosisMillisecondsPerFrame: cost(runs))
    }

    /// What the coach takes for a frame, over all of the recordings once more.
    private static func cost(_ runs: [Run]) -> Double {
        let count = runs.reduce(0) { $0 + $1.results.count }
        guard count > 0 else { return 0 }
        let start = SteadyClock.seconds
        for run in runs {
            var coach = Coach(deviceWord: "phone", objectName: "chair")
            for result in run.results { _ = coach.update(result, context: CoachingContext()) }
        }
        return (SteadyClock.seconds - start) * 1000 / Double(count)
    }
}
