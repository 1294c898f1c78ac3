import FootholdScene

/// What the coach needs to know beside the frame.
public struct CoachingContext: Hashable, Sendable {
    /// Objects that stand in the scene, provisional ones too.
    public var placedCount: Int
    /// Taps that wait to be carried out.
    public var pendingCount: Int
    /// What will be placed next; the coach's own when nil.
    public var objectName: String?
    /// How long the signs around the selected object have waited for an answer; nil where there are none.
    public var unansweredHintSeconds: Double?
    /// The object that they are around.
    public var selectedName: String?

    public init(
        placedCount: Int = 0, pendingCount: Int = 0, objectName: String? = nil, unansweredHintSeconds: Double? = nil,
        selectedName: String? = nil
    ) {
        self.unansweredHintSeconds = unansweredHintSeconds
        self.selectedName = selectedName
        self.placedCount = placedCount
        self.pendingCount = pendingCount
        self.objectName = objectName
    }
}

/// Notices why it doesn't go well, and says in friendly words what to do: one line at a time, in time, and not for
/// longer than it helps.
///
/// Feed it every frame in order; it has no clock of its own. The same frames give the same hints.
public struct Coach: Sendable {
    public let catalogue: HintCatalogue
    public let deviceWord: String
    public let objectName: String?
    /// What is on the screen now.
    public private(set) var currentHint: Hint?
    /// What was made of the last frame, for tracing.
    public private(set) var diagnosis = Diagnosis(cause: nil, confidence: 1, ranking: [])
    /// How getting started goes, and what it still needs.
    public private(set) var gettingStarted = GettingStarted()

    private static let certainty = 0.9
    /// How long the first invitation waits for doubts to go, seconds.
    private static let doubtSeconds = 0.8
    /// The signs around an object come before words (R8): words follow when they had no answer for this long, seconds.
    private static let unanswered = 6.0
    /// Picture widths per second above which nobody aims.
    private static let calmFlow = 0.8
    private var place = SuitabilityJudge()
    private var diagnostician: Diagnostician
    private var scheduler: HintScheduler
    private var nextID = 1
    private var startSeconds: Double?

    /// - Parameters:
    ///   - language: BCP 47; English where there are no words in it.
    ///   - deviceWord: `phone`, `tablet`, `camera`, or a word of one's own.
    ///   - objectName: what people are going to place, such as `chair`.
    public init(
        language: String = "en", deviceWord: String = "camera", objectName: String? = nil,
        timing: HintTiming = HintTiming(), rules: [DiagnosticRule] = Diagnostician.standardRules
    ) {
        catalogue = HintCatalogue(language: language)
        self.deviceWord = deviceWord
        self.objectName = objectName
        diagnostician = Diagnostician(rules: rules)
        scheduler = HintScheduler(timing: timing)
    }

    /// What the place offers, and why not more; nil while it is too early to tell (R3).
    public var suitability: Suitability? { place.judgement }

    /// What is said of it; nil where there is nothing to add, in a room that suits.
    public var suitabilityText: String? {
        place.judgement.flatMap { catalogue.text(for: $0, objectName: objectName) }
    }

    /// Getting started, 0…1 (R11).
    public var progress: Double { gettingStarted.progress }

    /// Takes in one frame, and says what appears and disappears because of it, in this order: hidden, shown.
    public mutating func update(_ result: FrameResult, context: CoachingContext) -> [HintEvent] {
        diagnosis = diagnostician.update(result)
        gettingStarted.update(result, diagnostician.measures)
        place.update(result, cause: diagnosis.cause)
        startSeconds = startSeconds ?? result.seconds
        let name = context.objectName ?? objectName
        let timing = scheduler.timing
        func text(_ cause: HintCause, _ level: HintCatalogue.Level) -> String {
            catalogue.text(
                for: cause, level: level, objectName: cause == .handleObject ? context.selectedName : name,
                deviceWord: deviceWord)
        }
        let wanted = wanted(result, context)
        let changes = scheduler.update(
            seconds: result.seconds, wanted: wanted, isCertain: wanted == diagnosis.cause && isCertain
        ) { timing.reading(text($0, $1)) }
        return changes.compactMap { change in
            switch change {
            case .hide:
                defer { currentHint = nil }
                return currentHint.map(HintEvent.hidden)
            case .show(let cause, let level):
                let hint = Hint(id: nextID, cause: cause, text: text(cause, level), language: catalogue.language)
                nextID += 1
                currentHint = hint
                return .shown(hint)
            }
        }
    }

    /// What is wrong is beyond doubt, and not something that first movements will mend by themselves.
    private var isCertain: Bool { mayBecomeCertain && diagnosis.confidence >= Self.certainty }

    private var mayBecomeCertain: Bool {
        guard let cause = diagnosis.cause else { return false }
        return cause != .searchingTooLong
    }

    /// The most useful thing to say: what is wrong, otherwise what to do next.
    private func wanted(_ result: FrameResult, _ context: CoachingContext) -> HintCause? {
        // Nobody is corrected in the first seconds, they are invited; but an invitation to look around in the dark
        // would only delay what helps.
        let elapsed = result.seconds - (startSeconds ?? 0)
        if elapsed < scheduler.timing.quiet && result.surfaces.isEmpty && !isCertain {
            // The invitation would be in the way of what may soon be beyond doubt.
            return elapsed < Self.doubtSeconds && mayBecomeCertain ? nil : .lookAround
        }
        if let cause = diagnosis.cause { return cause }
        if result.surfaces.isEmpty { return .lookAround }
        if let waited = context.unansweredHintSeconds, waited >= Self.unanswered { return .handleObject }
        // Nobody aims while the picture rushes by, or sways.
        let measures = diagnostician.measures
        let isCalm =
            currentHint?.cause == .ready || measures[.flow] < Self.calmFlow && measures[.trouble] < 0.5
        let canPlace = result.worldFromCamera != nil && context.placedCount == 0 && context.pendingCount == 0
        return canPlace && isCalm ? .ready : nil
    }
}
