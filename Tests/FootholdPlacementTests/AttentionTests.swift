import FootholdPlacement
import Foundation
import Testing

@Suite struct AttentionTests {
    private func world(_ attention: Attention) -> World {
        var world = World()
        world.set(World.surface(half: SIMD2(3, 3)))
        world.camera = World.camera(at: SIMD3(0, 0.6, 2))
        world.place(.box, at: world.pixel(.zero))
        world.session.setAttention(attention, for: 1)
        world.run(0.2)
        return world
    }

    @Test func comingNearIsToldOnceHoweverMuchTheCameraTrembles() {
        var world = world(Attention(noticesNearness: true))
        for step in 0..<60 {
            let tremble = 0.05 * (step % 2 == 0 ? 1.0 : -1.0)
            let distance = 2 - 1.4 * Double(step) / 59
            world.camera = World.camera(at: SIMD3(0, 0.3, distance + tremble))
            world.frame()
        }
        #expect(world.log.attention.map(\.kind) == [.cameraNear])
        world.camera = World.camera(at: SIMD3(0, 0.6, 2))
        world.run(0.2)
        #expect(world.log.attention.map(\.kind) == [.cameraNear, .cameraAway])
    }

    @Test func anObjectTurnsToLookAtTheCameraCalmlyAndUpright() {
        var world = world(Attention(looksAtCamera: true))
        world.camera = World.camera(at: SIMD3(1.6, 0.6, 1.2))
        world.run(5)
        let forward = world.object.worldFromObject.rotation * .unitZ
        #expect(forward.dot(SIMD3(1.6, 0, 1.2).normalized) > 0.9995)
        #expect(lean(world.object, from: .unitY) < 1e-12)
        for (a, b) in zip(world.trail, world.trail.dropFirst()) {
            let turned = a.objects[0].worldFromObject.rotation.inverse * b.objects[0].worldFromObject.rotation
            #expect(turned.angleRadians <= world.session.configuration.gazing.speed / 30 + 1e-3)
        }
    }

    @Test func beingLookedAtIsToldOnceHoweverMuchTheGazeTrembles() {
        var world = world(Attention(noticesGaze: true))
        let position = SIMD3(0, 0.6, 2.0)
        func look(_ offset: Double) {
            world.camera = World.camera(at: position, lookingAt: SIMD3(2 * tan(offset), 0.1, 0))
            world.frame()
        }
        // Past it, shortly on it, and past it again: nothing.
        for _ in 0..<10 { look(0.5) }
        for _ in 0..<6 { look(0) }
        for _ in 0..<10 { look(0.5) }
        #expect(world.log.attention.isEmpty)
        // Trembling about the border.
        for step in 0..<90 { look(step % 2 == 0 ? 0.10 : 0.13) }
        #expect(world.log.attention.map { $0.kind } == [.lookedAt])
        for _ in 0..<10 { look(0.5) }
        #expect(world.log.attention.map { $0.kind } == [.lookedAt, .lookedAway])
    }

    @Test func aSmallStepOfTheCameraIsNotAnswered() {
        var world = world(Attention(looksAtCamera: true))
        let before = world.object.worldFromObject
        world.camera = World.camera(at: SIMD3(0.3, 0.6, 2))
        world.run(2)
        #expect(world.object.worldFromObject == before)
    }

    @Test func behindItsBackItLooksNoFurtherThanItsRange() {
        var world = world(Attention(looksAtCamera: true))
        let before = world.object.worldFromObject
        world.camera = World.camera(at: SIMD3(0.2, 0.6, -2))
        world.run(6)
        let turned = before.rotation.inverse * world.object.worldFromObject.rotation
        #expect(abs(turned.angleRadians - world.session.configuration.gazeRange) < 1e-3)
    }
}
