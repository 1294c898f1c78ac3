import FootholdScene

/// What a place offers (R3), as far as it is known.
public struct Suitability: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// Room for things as large as furniture.
        case room
        /// A top for small things.
        case tabletop
        /// No surface, but the camera's way is known: things can be placed at a fixed distance ahead.
        case instant
        /// Nothing yet.
        case none
    }

    public var kind: Kind
    /// What stands in the way of more; nil where nothing does, or where it can't be named.
    public var reason: HintCause?

    public init(kind: Kind, reason: HintCause? = nil) {
        self.kind = kind
        self.reason = reason
    }
}

/// Makes up its mind about a place as more of it becomes known: a better offer is made at once, a poorer one only when
/// it lasts.
struct SuitabilityJudge: Sendable {
    /// Square metres (as far as the metre is known) of level surface that furniture needs, and that a small thing does.
    private static let roomArea = 1.5
    private static let topArea = 0.03
    /// Seconds without a surface after which something else is offered, …
    private static let patience = 6.0
    /// … and for which a poorer judgement has to hold.
    private static let settling = 5.0

    /// Nil while it is too early to tell.
    private(set) var judgement: Suitability?
    private var start: Double?
    private var poorerSince: Double?

    mutating func update(_ result: FrameResult, cause: HintCause?) {
        if result.didReset { self = SuitabilityJudge() }
        let start = self.start ?? result.seconds
        self.start = start
        guard let now = judge(result, cause, waited: result.seconds - start) else { return }
        guard let old = judgement, Self.rank(now.kind) < Self.rank(old.kind) else {
            poorerSince = nil
            // The reason may change while the offer stays.
            judgement = now
            return
        }
        let since = poorerSince ?? result.seconds
        poorerSince = since
        if result.seconds - since >= Self.settling {
            judgement = now
            poorerSince = nil
        }
    }

    private static func rank(_ kind: Suitability.Kind) -> Int {
        switch kind {
        case .room: 3
        case .tabletop: 2
        case .instant: 1
        case .none: 0
        }
    }

    private func judge(_ result: FrameResult, _ cause: HintCause?, waited: Double) -> Suitability? {
        let tops = result.surfaces.filter { $0.alignment == .horizontal }
        let metre = result.scale.knownMetresPerUnit ?? 1
        let largest = (tops.map(\.area).max() ?? 0) * metre * metre
        if largest >= Self.roomArea { return Suitability(kind: .room) }
        if largest >= Self.topArea { return Suitability(kind: .tabletop) }
        guard waited >= Self.patience else { return nil }
        if result.worldFromCamera != nil, result.trackingState == .normal {
            return Suitability(kind: .instant, reason: cause ?? .searchingTooLong)
        }
        return Suitability(kind: .none, reason: cause)
    }
}
