import FootholdPlacement
import FootholdScene
import Foundation
import Testing

/// Parts of the world are brought in line after the camera came round to where it was before.
@Suite struct CorrectionTests {
    /// A box that has come to rest on a surface.
    private func worldWithBox() -> World {
        var world = World()
        world.set(World.surface(half: SIMD2(2, 2)))
        world.frame()
        world.place(.box, at: SIMD2(380, 300))
        world.run(2)
        return world
    }

    @Test func objectsGoAlongWithTheirPartOfTheWorldWithoutAJump() {
        var world = worldWithBox()
        let before = world.object
        // What stands here moves by half a metre and a twentieth of a turn; what was seen from far away doesn't.
        let turn = Rotation(axis: .unitY, angleRadians: .pi / 10)
        let near = WorldCorrection.Part(
            position: SIMD3(0, 1, 1), scale: 1.1, pose: Pose(rotation: turn, position: SIMD3(0.4, 0.1, -0.3)))
        let far = WorldCorrection.Part(position: SIMD3(30, 1, 0))
        let goal = near.point(before.worldFromObject.position)
        world.correction = WorldCorrection(parts: [far, near])
        world.set(World.surface(center: SIMD3(0.4, 0.1, -0.3), half: SIMD2(2.2, 2.2)))
        let start = world.trail.count - 1
        world.run(4)
        #expect(world.object.worldFromObject.position.distance(to: goal) < 0.002)
        let turned = before.worldFromObject.rotation.inverse * world.object.worldFromObject.rotation
        #expect(abs(turned.angleRadians - .pi / 10) < 0.01)
        #expect(abs(world.object.scale / before.scale - 1.1) < 0.01)
        #expect(world.object.surfaceID == 1 && world.count(.removed) == 0)
        // A metre and a half a second at most.
        let path = world.trail[start...].map { $0.objects[0].worldFromObject.position }
        let steps = zip(path, path.dropFirst()).map { $0.distance(to: $1) }
        #expect(steps.max()! < 1.6 / 30)
    }

    @Test func whatStandsWhereNothingMovedStays() {
        var world = worldWithBox()
        let before = world.object
        let moved = WorldCorrection.Part(position: SIMD3(30, 1, 0), pose: Pose(position: SIMD3(1, 0, 0)))
        world.correction = WorldCorrection(parts: [WorldCorrection.Part(position: SIMD3(0, 1, 1)), moved])
        world.run(2)
        #expect(world.object.worldFromObject.position.distance(to: before.worldFromObject.position) < 1e-9)
    }
}
