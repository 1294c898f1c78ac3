import FootholdScene
import Foundation

/// One piece of evidence: where a measure lies relative to a threshold, and what that is worth.
public struct Evidence: Hashable, Sendable {
    public enum Side: Hashable, Sendable { case above, below }

    public var measure: Measure
    public var side: Side
    public var threshold: Double
    /// How far past the threshold the evidence is about three quarters of its full worth.
    public var width: Double
    /// Worth in log-odds when it clearly holds; as much against when it clearly doesn't, unless `isOneSided`.
    public var weight: Double
    /// True when its absence proves nothing.
    public var isOneSided: Bool

    static func above(
        _ measure: Measure, _ threshold: Double, width: Double, weight: Double, oneSided: Bool = false
    ) -> Evidence {
        Evidence(
            measure: measure, side: .above, threshold: threshold, width: width, weight: weight, isOneSided: oneSided)
    }

    static func below(
        _ measure: Measure, _ threshold: Double, width: Double, weight: Double, oneSided: Bool = false
    ) -> Evidence {
        Evidence(
            measure: measure, side: .below, threshold: threshold, width: width, weight: weight, isOneSided: oneSided)
    }

    /// The engine's own word.
    static func says(_ measure: Measure, weight: Double) -> Evidence {
        above(measure, 0.5, width: 0.1, weight: weight, oneSided: true)
    }

    /// Log-odds for the cause.
    func worth(_ measures: MeasureSet) -> Double {
        let distance = (measures[measure] - threshold) / width
        let degree = tanh(side == .above ? distance : -distance)
        return weight * (isOneSided ? max(0, degree) : degree)
    }
}

/// What speaks for one cause.
public struct DiagnosticRule: Hashable, Sendable {
    public var cause: HintCause
    /// Log-odds before anything was measured.
    public var prior: Double
    public var evidence: [Evidence]
}

/// What is wrong, how sure that is, and why.
public struct Diagnosis: Hashable, Sendable {
    /// Nil when nothing is, or nothing that can be named.
    public var cause: HintCause?
    /// 0…1 for `cause`; for no cause, how sure it is that there is none.
    public var confidence: Double
    /// Every cause's log-odds, the likeliest first.
    public var ranking: [Score]

    public init(cause: HintCause?, confidence: Double, ranking: [Score]) {
        self.cause = cause
        self.confidence = confidence
        self.ranking = ranking
    }

    public struct Score: Hashable, Sendable {
        public var cause: HintCause
        public var logOdds: Double

        public init(cause: HintCause, logOdds: Double) {
            self.cause = cause
            self.logOdds = logOdds
        }
    }
}

/// Weighs evidence: every cause has a sum of log-odds, and the likeliest cause wins if it is likelier than not.
///
/// All rules need trouble to begin with, so that a picture that is dark, plain or moving is nobody's business as long
/// as all goes well in it.
public struct Diagnostician: Sendable {
    public let rules: [DiagnosticRule]
    private var tracker = MeasureTracker()
    /// The measures of the last frame, for tracing a diagnosis.
    public private(set) var measures = MeasureSet()

    public init(rules: [DiagnosticRule] = Diagnostician.standardRules) { self.rules = rules }

    public mutating func update(_ result: FrameResult) -> Diagnosis {
        measures = tracker.update(result)
        var ranking = rules.map { rule in
            Diagnosis.Score(
                cause: rule.cause, logOdds: rule.evidence.reduce(rule.prior) { $0 + $1.worth(measures) })
        }
        ranking.sort { $0.logOdds > $1.logOdds }
        guard let best = ranking.first else { return Diagnosis(cause: nil, confidence: 1, ranking: []) }
        let confidence = 1 / (1 + exp(-best.logOdds))
        return best.logOdds > 0
            ? Diagnosis(cause: best.cause, confidence: confidence, ranking: ranking)
            : Diagnosis(cause: nil, confidence: 1 - confidence, ranking: ranking)
    }

    /// What each piece of evidence for a cause was worth in the last frame.
    public func trace(_ cause: HintCause) -> [(evidence: Evidence, value: Double, worth: Double)] {
        rules.filter { $0.cause == cause }.flatMap(\.evidence).map { ($0, measures[$0.measure], $0.worth(measures)) }
    }
}
