import FootholdPlacement
import Foundation
import Testing

@Suite struct SurfaceChangeTests {
    private func settled(half: SIMD2<Double> = SIMD2(1, 1)) -> World {
        var world = World()
        world.set(World.surface(half: half))
        world.place(.box)
        // Past the time in which a placing is still refined.
        world.run(7)
        world.trail = []
        world.log = PlacementOutput()
        return world
    }

    @Test func aSmallCorrectionTakesTheObjectAlongSlowly() {
        var world = settled()
        world.set(World.surface(center: SIMD3(0, 0.03, 0)))
        world.run(0.5)
        #expect(world.object.worldFromObject.position.y < 0.01)
        world.run(7)
        #expect(abs(world.object.worldFromObject.position.y - 0.03) < 1e-9)
        #expect(world.largestSpeed() <= 0.0080001)
        #expect(!world.object.isProvisional)
    }

    @Test func aLargeCorrectionLeavesTheObjectWhereItIs() {
        var world = settled()
        let before = world.object.worldFromObject.position
        world.set(World.surface(center: SIMD3(0, 0.3, 0)))
        world.run(5)
        #expect(world.object.worldFromObject.position.distance(to: before) < 1e-9)
        #expect(world.object.isProvisional && world.object.surfaceID == nil)
    }

    @Test func growingDoesNotMoveTheObject() {
        var world = settled()
        let before = world.object
        world.set(World.surface(center: SIMD3(0.8, 0, 0.4), half: SIMD2(2, 2)))
        world.run(2)
        #expect(world.object.worldFromObject.position.distance(to: before.worldFromObject.position) < 1e-9)
    }

    @Test func aTiltIsFollowedUntilUpIsTheNormalExactly() {
        var world = settled()
        let normal = SIMD3(0.05, 1, -0.03).normalized
        world.set(World.surface(normal: normal))
        world.frame()
        #expect(lean(world.object, from: .unitY) < 0.01)
        world.run(4)
        #expect(lean(world.object, from: normal) < 1e-9)
    }

    @Test func aMergedSurfaceHandsItsObjectsOver() {
        var world = settled()
        let into = World.surface(id: 9, center: SIMD3(0.3, 0.01, 0), half: SIMD2(3, 3), version: world.nanoseconds)
        world.surfaces = [into]
        world.events = [.merged(id: 1, into: into)]
        world.run(4)
        #expect(world.object.surfaceID == 9 && !world.object.isProvisional)
        #expect(abs(world.object.worldFromObject.position.y - 0.01) < 1e-9)
    }

    @Test func aSurfaceThatVanishesLeavesTheObjectUntilOneNearbyAdoptsIt() {
        var world = settled()
        let before = world.object.worldFromObject.position
        world.surfaces = []
        world.events = [.removed(id: 1)]
        world.run(2)
        #expect(world.object.isProvisional && world.object.surfaceID == nil)
        #expect(world.object.worldFromObject.position.distance(to: before) < 1e-9)
        world.set(World.surface(id: 4, center: SIMD3(0, -0.02, 0)))
        world.run(5)
        #expect(world.object.surfaceID == 4 && !world.object.isProvisional)
        #expect(abs(world.object.worldFromObject.position.y + 0.02) < 1e-9)
    }

    @Test func aSurfaceThatShrinksALittleDropsNothingAndOneThatShrinksMuchNudges() {
        var world = settled()
        let before = world.object.worldFromObject.position
        world.set(World.surface(half: SIMD2(0.06, 1)))
        world.run(3)
        #expect(world.object.worldFromObject.position.distance(to: before) < 1e-6)
        world.set(World.surface(center: SIMD3(0.8, 0, 0), half: SIMD2(0.4, 1)))
        world.run(5)
        let point = world.object.worldFromObject.position
        #expect(point.x > 0.4 && point.x < 0.6 && abs(point.y) < 1e-9)
    }

    @Test func anObjectSeenAMomentAgoIsTakenToTheNewWorldAtTheSamePlaceInThePicture() {
        var world = settled()
        world.session = PlacementSession()
        world.place(.box, at: SIMD2(380, 260))
        world.run(0.5)
        let pixel = world.pixel(world.object.worldFromObject.position)
        world.camera = nil
        world.surfaces = []
        world.didReset = true
        world.run(0.6)
        world.camera = World.camera(at: SIMD3(5, 3, 7), lookingAt: SIMD3(5, 0, 0))
        world.frame()
        #expect(world.pixel(world.object.worldFromObject.position).distance(to: pixel) < 1e-6)
        #expect(world.object.isProvisional && lean(world.object, from: .unitY) < 1e-9)
        world.set(World.surface(id: 2, center: SIMD3(5, 0.4, 0), half: SIMD2(9, 9)))
        world.run(6)
        #expect(!world.object.isProvisional && abs(world.object.worldFromObject.position.y - 0.4) < 1e-9)
    }

    @Test func afterALongGapANewWorldRemovesTheObjectsAndSaysSo() {
        var world = settled()
        world.camera = nil
        world.didReset = true
        world.run(3)
        world.camera = World.camera()
        world.run(0.2)
        #expect(world.session.objects.isEmpty)
        #expect(world.count(.removed) == 1)
        #expect(world.log.feedback.map(\.kind) == [.warning])
    }
}
