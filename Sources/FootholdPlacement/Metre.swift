import FootholdScene
import Foundation

/// How many of a world's units a metre is, by world: things with a real size stand there as large as they are (R2, B5).
struct KnownMetres: Hashable, Sendable {
    /// Natural logarithms.
    private var ofWorld: [Int: Double] = [:]

    /// Natural logarithm of the units in a metre; nil while the metre of that world is only assumed.
    subscript(world: Int) -> Double? {
        get { ofWorld[world] }
        set { ofWorld[world] = newValue }
    }
}

extension PlacementSession {
    /// What is told of a metre moves by less than this without anybody's size following, natural logarithm.
    private static let metreTolerance = 0.02

    /// Natural logarithm of the units in a metre of the present world; 0 while that is only assumed.
    var metre: Double { metres[worldID] ?? 0 }

    /// Eases objects to their real size once it's known how long the world's unit is, or known better; what grows into
    /// another gives way. Tells it when they have it.
    mutating func followMetre(_ context: PlacementContext) -> PlacementOutput {
        if let told = context.metresPerUnit, told > 0 {
            let units = -log(told)
            if metres[worldID].map({ abs($0 - units) > Self.metreTolerance }) ?? true { metres[worldID] = units }
        }
        var output = PlacementOutput()
        for index in standing.indices where standing[index].isResized && standing[index].metre.isAtRest {
            standing[index].isResized = false
            output.objectEvents.append(ObjectEvent(kind: .scaled, object: standing[index].snapshot))
        }
        guard let units = metres[worldID] else { return output }
        let wrong = standing.indices.filter { abs(standing[$0].metre.target - units) > Self.metreTolerance }
        for index in wrong {
            standing[index].metre.target = units
            standing[index].isResized = true
        }
        for index in wrong where !isHeld(standing[index].id) {
            _ = makeRoom(index, around: standing[index].motion.target, context)
        }
        return output
    }
}
