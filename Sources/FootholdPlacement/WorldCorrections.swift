import FootholdScene
import Foundation

extension PlacementSession {
    /// Takes objects along with the part of the world that they stand in, gently.
    mutating func followCorrection(_ context: PlacementContext) {
        guard let correction = context.correction else { return }
        // What could be taken back or done again knows places as they were.
        history.clear()
        for index in standing.indices where !isHeld(standing[index].id) {
            standing[index].follow(correction.part(near: standing[index].motion.target))
        }
    }
}

extension StandingObject {
    /// Sends it to where it stood beside everything around it.
    mutating func follow(_ part: WorldCorrection.Part) {
        let point = part.point(motion.target)
        aim = aim.map { Ray(origin: part.point($0.origin), direction: part.pose.rotation * $0.direction) }
        // Of the turn, what goes about its own upright.
        let up = upright.targetUp
        let turn = part.pose.rotation
        heading.target += 2 * atan2(SIMD3(turn.x, turn.y, turn.z).dot(up), turn.w)
        metre.target += log(part.scale)
        move(
            to: PlacementTarget(basis: basis, point: point, normal: turn * up, surfaceID: surfaceID),
            purpose: .settling)
    }
}
