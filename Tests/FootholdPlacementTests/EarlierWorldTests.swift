import FootholdPlacement
import Foundation
import Testing

/// Objects of worlds that are left and met again.
@Suite struct EarlierWorldTests {
    /// A box on a surface of world 1.
    private func settled() -> World {
        var world = World()
        world.set(World.surface(half: SIMD2(2, 2)))
        world.frame()
        world.place(.box, at: SIMD2(380, 300))
        world.run(2)
        return world
    }

    /// The world is given up, and another begins.
    private func lose(_ world: inout World, next: Int) {
        world.camera = nil
        world.surfaces = []
        world.didReset = true
        world.worldID = next
    }

    private func seeFirstAgain(_ world: inout World) {
        world.camera = World.camera()
        world.surfaces = [World.surface(half: SIMD2(2, 2))]
        world.worldID = 1
        world.didReturn = true
    }

    /// World 1 is lost for long and given up; world 2 has a surface of its own.
    private func elsewhere(_ world: inout World) {
        lose(&world, next: 2)
        world.run(3)
        world.camera = World.camera(at: SIMD3(7, 1, 8), lookingAt: SIMD3(7, 0, 6))
        world.set(World.surface(id: 2, center: SIMD3(7, 0, 6), half: SIMD2(2, 2)))
        world.run(0.2)
    }

    /// And a box of its own.
    private func standElsewhere(_ world: inout World) {
        elsewhere(&world)
        world.place(.box)
        world.run(1)
    }

    @Test func objectsAreBackWhereTheyStoodWhenTheirWorldIs() {
        var world = settled()
        let before = world.object
        #expect(!before.isProvisional)
        elsewhere(&world)
        #expect(world.session.objects.isEmpty && world.count(.removed) == 1)
        world.place(.box)
        world.run(1)
        #expect(world.session.objects.map(\.id) == [2])

        seeFirstAgain(&world)
        let placed = world.count(.placed)
        world.run(1)
        #expect(world.session.objects.map(\.id) == [1])
        #expect(world.object.worldFromObject.position.distance(to: before.worldFromObject.position) < 1e-9)
        #expect(world.object.surfaceID == 1 && !world.object.isProvisional)
        #expect(world.count(.placed) == placed + 1 && world.count(.removed) == 2)
    }

    @Test func whenTwoWorldsMeetTheObjectsOfBothStandInOne() {
        var world = settled()
        let before = world.object
        standElsewhere(&world)
        let placed = world.session.objects[0]
        // World 2 is twice as large in world 1, a quarter turn away.
        let turn = Rotation(axis: .unitY, angleRadians: .pi / 2)
        let absorbed = AbsorbedWorld(id: 2, scale: 2, pose: Pose(rotation: turn, position: SIMD3(-20, 0.3, 14)))
        world.camera = world.camera.map(absorbed.pose)
        world.surfaces = [
            World.surface(half: SIMD2(2, 2)),
            World.surface(id: 2, center: absorbed.point(SIMD3(7, 0, 6)), half: SIMD2(4, 4)),
        ]
        let pixel = world.pixel(absorbed.point(placed.worldFromObject.position))
        world.worldID = 1
        world.absorbed = absorbed
        world.run(1)
        let objects = world.session.objects
        #expect(objects.map(\.id) == [1, 2])
        #expect(objects[0].worldFromObject.position.distance(to: before.worldFromObject.position) < 1e-9)
        // The other is seen where it was, as large as it was.
        let there = objects[1].worldFromObject.position
        #expect(there.distance(to: absorbed.point(placed.worldFromObject.position)) < 1e-6)
        #expect(world.pixel(there).distance(to: pixel) < 1e-3)
        #expect(abs(objects[1].scale / placed.scale - 2) < 1e-9)
        #expect(objects[1].surfaceID == 2 && !objects[1].isProvisional)
    }

    @Test func anEarlierWorldThatBecomesPartOfThePresentOneBringsItsObjects() {
        var world = settled()
        let before = world.object
        elsewhere(&world)
        let absorbed = AbsorbedWorld(id: 1, scale: 0.5, pose: Pose(position: SIMD3(7, 0.1, 6)))
        world.absorbed = absorbed
        world.surfaces.append(World.surface(id: 1, center: absorbed.point(.zero), half: SIMD2(1, 1)))
        world.run(1)
        #expect(world.session.objects.map(\.id) == [1])
        let expected = absorbed.point(before.worldFromObject.position)
        #expect(world.object.worldFromObject.position.distance(to: expected) < 1e-6)
        #expect(world.object.surfaceID == 1)
    }

    @Test func whatAPersonTookAwayStaysAway() {
        var world = settled()
        // Lost only a moment: the object is taken along, and removed there.
        lose(&world, next: 2)
        world.run(0.4)
        world.camera = World.camera()
        world.run(0.2)
        #expect(world.session.objects.map(\.id) == [1])
        world.log += world.session.remove(1, context: world.context)
        world.run(0.2)
        world.worldID = 1
        world.didReturn = true
        world.surfaces = [World.surface(half: SIMD2(2, 2))]
        world.run(1)
        #expect(world.session.objects.isEmpty)
    }

    @Test func aWorldThatIsFoundAgainBeforeAnotherBeganChangesNothing() {
        var world = settled()
        let before = world.object
        lose(&world, next: 2)
        world.run(5)
        seeFirstAgain(&world)
        world.run(1)
        #expect(world.session.objects == [before])
        #expect(world.count(.removed) == 0)
    }

    @Test func ofTwoLostWorldsTheOneThatIsBackHasOnlyItsOwn() {
        var world = settled()
        let before = world.object
        standElsewhere(&world)
        #expect(world.session.objects.map(\.id) == [2])
        // The second is lost as well, and the first is seen before a third began.
        lose(&world, next: 3)
        world.run(1)
        seeFirstAgain(&world)
        world.run(1)
        #expect(world.session.objects == [before])
        // The other is where it was when its world is back, too.
        world.camera = World.camera(at: SIMD3(7, 1, 8), lookingAt: SIMD3(7, 0, 6))
        world.surfaces = [World.surface(id: 2, center: SIMD3(7, 0, 6), half: SIMD2(2, 2))]
        world.worldID = 2
        world.didReturn = true
        world.run(1)
        #expect(world.session.objects.map(\.id) == [2] && world.object.surfaceID == 2)
    }

    @Test func objectsOfASavedWorldThatIsSeenLateComeBack() throws {
        let saved = settled().session.save()
        var world = World()
        world.log += world.session.restore(saved, atNanoseconds: 0)
        world.camera = nil
        world.run(5)
        // In the frame that gives the saved world up a new one begins.
        world.log += world.session.giveUpRestored()
        elsewhere(&world)
        #expect(world.session.objects.isEmpty)
        seeFirstAgain(&world)
        world.run(1)
        #expect(world.session.objects.map(\.id) == [1])
        #expect(world.session.save() == saved)
    }
}
