import FootholdScene
import Foundation

/// Things with a real size are as large as they are in a world whose unit somebody knows (R2, B5).
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
