import FootholdPlacement
import Foundation
import Testing

/// Things have their real size where somebody knows how long the world's unit is.
@Suite struct MetreTests {
    /// An object that has come to rest on a surface, before anything is known of the metre.
    private func world(_ template: ObjectTemplate = .box) -> World {
        var world = World()
        world.set(World.surface(half: SIMD2(3, 3)))
        world.frame()
        world.place(template, at: SIMD2(380, 300))
        world.run(2)
        return world
    }

    @Test(arguments: [0.5, 1.6]) func anObjectIsEasedToItsRealSizeWhereItStands(metresPerUnit: Double) {
        var world = world(.chair)
        let before = world.object
        #expect(before.scale == 1)
        let start = world.trail.count - 1
        world.metresPerUnit = metresPerUnit
        world.run(4)
        #expect(abs(world.object.scale * metresPerUnit - 1) < 1e-9)
        #expect(world.object.worldFromObject == before.worldFromObject)
        let sizes = world.trail[start...].map { log($0.objects[0].scale) }
        let steps = zip(sizes, sizes.dropFirst()).map { abs($0 - $1) }
        #expect(steps.max()! <= world.session.configuration.resizing.speed / 30 + 1e-9)
        // It's told once, when it is as large as it will be.
        let told = world.log.objectEvents.filter { $0.kind == .scaled }
        #expect(told.map(\.object.scale) == [world.object.scale])
        #expect(world.session.undoableChange?.kind == .placed)
    }

    @Test func whatIsPlacedAfterwardsHasItsRealSizeAtOnce() {
        var world = world()
        world.metresPerUnit = 1.6
        world.run(1)
        world.place(.cylinder, at: SIMD2(250, 300))
        #expect(abs(world.session.objects[1].scale * 1.6 - 1) < 1e-9)
        // A little better known is no reason to resize anything, and known to be wrong is.
        world.run(3)
        world.metresPerUnit = 1.59
        world.run(3)
        #expect(abs(world.object.scale * 1.6 - 1) < 1e-9)
        world.metresPerUnit = 1.5
        world.run(3)
        #expect(world.session.objects.allSatisfy { abs($0.scale * 1.5 - 1) < 1e-9 })
    }

    @Test func whatIsTakenBackHasItsRealSizeToo() {
        var world = world()
        world.log += world.session.remove(1, context: world.context)
        world.metresPerUnit = 1.6
        world.run(1)
        world.log += world.session.undo(world.context)
        #expect(abs(world.object.scale * 1.6 - 1) < 1e-9)
    }

    @Test func aToysLimitsAreOfItsRealSize() {
        var world = world()
        world.metresPerUnit = 0.5
        world.run(3)
        world.pinch(at: world.pixelOfObject, scale: 9)
        world.run(3)
        #expect(abs(world.object.scale / 2 - 4) < 1e-6)
    }

    @Test func whatGrowsIntoAnotherGivesWay() {
        var world = world()
        world.place(.box, at: world.pixel(world.object.worldFromObject.position + SIMD3(0.25, 0, 0)))
        world.run(2)
        world.metresPerUnit = 0.5
        world.run(4)
        let objects = world.session.objects
        #expect(objects.allSatisfy { abs($0.scale / 2 - 1) < 1e-9 })
        #expect(overlap(objects[0], objects[1]) < 1e-3)
    }

    @Test func anotherWorldHasAUnitOfItsOwn() {
        var world = world()
        world.metresPerUnit = 0.5
        world.run(3)
        world.metresPerUnit = nil
        world.didReset = true
        world.worldID = 2
        world.frame()
        world.place(.cylinder, at: SIMD2(100, 400))
        #expect(world.session.objects[1].scale == 1)
        // What is taken over looks as before until something is known.
        #expect(abs(world.object.scale - 2) < 1e-9)
        world.metresPerUnit = 1.25
        world.run(4)
        #expect(world.session.objects.allSatisfy { abs($0.scale * 1.25 - 1) < 1e-9 })
    }

    @Test func aWorldThatBecomesPartOfAnotherTakesItsMetreAlong() {
        var world = world()
        world.metresPerUnit = 0.5
        world.run(3)
        world.metresPerUnit = nil
        world.worldID = 2
        world.absorbed = AbsorbedWorld(id: 1, scale: 3)
        world.camera = world.camera.map { Pose(rotation: $0.rotation, position: $0.position * 3) }
        world.surfaces = [World.surface(half: SIMD2(9, 9))]
        world.run(1)
        #expect(abs(world.object.scale - 6) < 1e-9)
        world.place(.cylinder, at: SIMD2(100, 400))
        #expect(abs(world.session.objects[1].scale - 6) < 1e-9)
    }

    @Test func sizesAndTheMetreAreKeptWithTheScene() throws {
        var world = world(.chair)
        world.metresPerUnit = 1.6
        world.run(3)
        let scene = try SavedScene(data: world.session.save().data())
        #expect(abs((scene.metresPerUnit ?? 0) - 1.6) < 1e-9 && scene.objects.first?.scale == 1)
        var other = World()
        other.log += other.session.restore(scene, atNanoseconds: 0)
        other.set(World.surface(half: SIMD2(3, 3)))
        other.run(1)
        #expect(abs(other.object.scale * 1.6 - 1) < 1e-8)
        other.place(.cylinder, at: SIMD2(250, 300))
        #expect(abs(other.session.objects[1].scale * 1.6 - 1) < 1e-8)
        #expect(other.session.save().objects[0] == scene.objects[0])
    }

    @Test func whatWentAlongWithACorrectionCanBeReadAgain() throws {
        var world = world(.chair)
        world.correction = WorldCorrection(parts: [.init(position: SIMD3(0, 1, 1), scale: 1.1)])
        world.run(3)
        let scene = try SavedScene(data: world.session.save().data())
        var other = World()
        other.log += other.session.restore(scene, atNanoseconds: 0)
        #expect(abs(other.object.scale - 1.1) < 1e-8)
    }

    @Test(arguments: [0, -1, 1e9]) func aSavedMetreThatCannotBeIsRefused(metresPerUnit: Double) throws {
        let scene = SavedScene(objects: [], metresPerUnit: metresPerUnit)
        #expect(throws: SavedScene.SceneError.self) { try SavedScene(data: scene.data()) }
    }

    @Test func nearIsNearInMetres() {
        func isTold(metresPerUnit: Double?) -> Bool {
            var world = world()
            world.session.setAttention(Attention(noticesNearness: true), for: 1)
            world.metresPerUnit = metresPerUnit
            world.camera = World.camera(at: world.object.worldFromObject.position + SIMD3(0, 0.3, 1))
            world.run(0.2)
            return world.log.attention.map(\.kind) == [.cameraNear]
        }
        #expect(!isTold(metresPerUnit: nil) && isTold(metresPerUnit: 0.5))
    }

    @Test func aComfortableDistanceIsOfTheRealSize() {
        func distance(metresPerUnit: Double?) -> Double {
            var world = World()
            world.metresPerUnit = metresPerUnit
            world.frame()
            world.place(.chair)
            return world.object.worldFromObject.position.distance(to: world.camera!.position)
        }
        #expect(abs(distance(metresPerUnit: 0.8) * 0.8 - distance(metresPerUnit: nil)) < 1e-9)
    }
}
