import FootholdScene

/// Changes that people made, for taking them back.
struct History: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case placed(StandingObject)
        case removed(StandingObject)
        /// Moved, turned, scaled or (nil) exchanged: how it was, and how it is.
        case altered(ObjectEvent.Kind?, before: StandingObject, after: StandingObject)
        /// Everything was taken away at once.
        case cleared([StandingObject])

        var kind: ObjectEvent.Kind? {
            switch self {
            case .placed: .placed
            case .removed, .cleared: .removed
            case .altered(let kind, _, _): kind
            }
        }

        var objectName: String {
            switch self {
            case .placed(let object), .removed(let object), .altered(_, _, let object): object.template.name
            case .cleared: ""
            }
        }

        /// The change with something done to all objects that it remembers.
        func mapped(_ alter: (inout StandingObject) -> Void) -> Change {
            func altered(_ object: StandingObject) -> StandingObject {
                var object = object
                alter(&object)
                return object
            }
            return switch self {
            case .placed(let object): .placed(altered(object))
            case .removed(let object): .removed(altered(object))
            case .altered(let kind, let before, let after):
                .altered(kind, before: altered(before), after: altered(after))
            case .cleared(let objects): .cleared(objects.map(altered))
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

    /// What stood on a surface that is gone stands on the one that it became part of.
    mutating func replaceSurface(_ id: Int, with new: Int?) {
        func replace(_ object: inout StandingObject) {
            guard object.surfaceID == id else { return }
            object.surfaceID = new
            if new == nil { object.basis = .instant }
        }
        done = done.map { $0.mapped(replace) }
        undone = undone.map { $0.mapped(replace) }
    }

    mutating func clear() {
        done = []
        undone = []
    }
}
