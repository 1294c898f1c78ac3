import FootholdScene

/// An object in somebody's hand.
struct Manipulation: Hashable, Sendable {
    var objectID: Int
}

extension PlacementSession {
    mutating func hold(_ context: PlacementContext) -> PlacementOutput { PlacementOutput() }
}
