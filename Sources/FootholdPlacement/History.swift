import FootholdScene

/// Changes that people made, for taking them back.
struct History: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case placed(StandingObject)
        case removed(StandingObject)
        /// Moved, turned, scaled or (nil) exchanged: how it was, and how it is.
        case altered(ObjectEvent.Kind?, before: StandingObject, after: StandingObject)

        var kind: ObjectEvent.Kind? {
            switch self {
            case .placed: .placed
            case .removed: .removed
            case .altered(let kind, _, _): kind
            }
        }

        var objectName: String {
            switch self {
            case .placed(let object), .removed(let object), .altered(_, _, let object): object.template.name
            }
        }
    }

    private(set) var done: [Change] = []
    private(set) var undone: [Change] = []

    mutating func record(_ change: Change) {
        done.append(change)
        undone = []
    }

    mutating func takeBack() -> Change? {
        guard let change = done.popLast() else { return nil }
        undone.append(change)
        return change
    }

    mutating func putForth() -> Change? {
        guard let change = undone.popLast() else { return nil }
        done.append(change)
        return change
    }

    mutating func clear() {
        done = []
        undone = []
    }
}
