import FootholdPlacement
import Foundation
import Testing

@Suite struct PlacingTests {
    @Test func aTapOnAKnownSurfacePlacesExactlyThereAtOnce() {
        var world = World()
        world.set(World.surface())
        let pixel = SIMD2(400.0, 260.0)
        world.place(.box, at: pixel)
        let object = world.object
        #expect(!object.isProvisional && object.surfaceID == 1)
        #expect(abs(object.worldFromObject.position.y) < 1e-9)
        #expect(world.pixel(object.worldFromObject.position).distance(to: pixel) < 1e-6)
        #expect(world.log.objectEvents.map(\.kind) == [.placed, .settled])
        #expect(world.log.feedback.map(\.kind) == [.impact])
        world.run(1)
        #expect(world.object == object)
    }

    @Test func aPlacedObjectFacesTheCamera() {
        var world = World()
        world.camera = World.camera(at: SIMD3(1.2, 1.5, 1.1))
        world.set(World.surface())
        world.place(.box, at: SIMD2(320, 240))
        let forward = world.object.worldFromObject.rotation * .unitZ
        let towards = world.camera!.position - world.object.worldFromObject.position
        let flat = SIMD3(towards.x, 0, towards.z).normalized
        #expect(forward.dot(flat) > 1 - 1e-9)
    }

    @Test func onAWallTheObjectStandsUpright() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0.4, 1, 2), lookingAt: SIMD3(0, 1, 0))
        world.set(World.surface(center: SIMD3(0, 1, 0), normal: .unitZ))
        world.place(ObjectTemplate(name: "picture", model: "box", size: SIMD3(0.4, 0.03, 0.3), alignment: .vertical))
        #expect(lean(world.object, from: .unitZ) < 1e-12)
        #expect((world.object.worldFromObject.rotation * -.unitZ).dot(.unitY) > 1 - 1e-12)
    }

    @Test func anObjectForFloorsIsNotPutOnAWallNorBehindIt() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 1, 2), lookingAt: SIMD3(0, 0.6, 0))
        world.set(World.surface(id: 1, center: SIMD3(0, 1, 0), normal: .unitZ, half: SIMD2(3, 3)))
        world.set(World.surface(id: 2, center: .zero, half: SIMD2(8, 8)))
        world.place(.chair)
        #expect(world.object.isProvisional && world.object.surfaceID == nil)
        #expect(world.object.worldFromObject.position.z > 0)
    }

    @Test func beforeAnythingIsKnownATapPlacesAtAComfortableDistance() {
        var world = World()
        world.place(.chair, at: SIMD2(300, 200))
        let object = world.object
        #expect(object.isProvisional && object.surfaceID == nil)
        #expect(world.log.objectEvents.map(\.kind) == [.placed])
        #expect(world.pixel(object.worldFromObject.position).distance(to: SIMD2(300, 200)) < 1e-6)
        let distance = object.worldFromObject.position.distance(to: world.camera!.position)
        let heightInPicture = 520 * 0.9 / distance
        #expect(heightInPicture < 0.5 * 480 && distance < 4.1)
        #expect(lean(object, from: .unitY) < 1e-12)
    }

    @Test func anInstantPlaceGoesByTheDepthOfTheScene() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 0.3, 0.8))
        world.set(World.surface(half: SIMD2(0.2, 0.2)))
        world.place(.box, at: SIMD2(620, 2))
        let distance = world.object.worldFromObject.position.distance(to: world.camera!.position)
        #expect((0.3...1.0).contains(distance))
    }

    @Test func aTapBeforeTheCameraIsKnownIsCarriedOutThroughTheSamePixel() {
        var world = World()
        world.camera = nil
        world.place(.box, at: SIMD2(410, 270))
        world.run(0.5)
        #expect(world.session.objects.isEmpty && world.session.pendingCount == 1)
        world.camera = World.camera(at: SIMD3(0.3, 1.2, 1.5))
        world.frame()
        #expect(world.session.pendingCount == 0)
        #expect(world.pixel(world.object.worldFromObject.position).distance(to: SIMD2(410, 270)) < 1e-6)
        #expect(world.count(.placed) == 1)
    }

    @Test func aProvisionalObjectEasesAlongTheRayOfTheTapWithoutAJump() {
        var world = World()
        let pixel = SIMD2(350.0, 250.0)
        world.place(.box, at: pixel)
        world.run(1)
        let before = world.object.worldFromObject.position
        world.set(World.surface(center: SIMD3(0, -0.6, 0), half: SIMD2(2, 2)))
        let start = world.trail.count
        world.run(6)
        let object = world.object
        #expect(!object.isProvisional && object.surfaceID == 1)
        #expect(abs(object.worldFromObject.position.y + 0.6) < 1e-9)
        #expect(object.worldFromObject.position.distance(to: before) > 0.3)
        #expect(abs(object.scale - 1) < 1e-9)
        var apparent: Double?
        for entry in world.trail[start...] {
            let seen = entry.objects[0]
            #expect(world.pixel(seen.worldFromObject.position).distance(to: pixel) < 0.01)
            let size = seen.scale / seen.worldFromObject.position.distance(to: world.camera!.position)
            if let apparent { #expect(abs(log(size / apparent)) < 0.8 / 30 + 0.001) }
            apparent = size
        }
        #expect(world.largestSpeed() <= world.session.configuration.settling.speed + 1e-6)
        #expect(world.count(.settled) == 1)
        #expect(world.log.feedback.filter { $0.kind == .impact && !$0.isHeadsUp }.count == 1)
    }

    @Test func anImpactIsAnnouncedOnceShortlyBefore() throws {
        var world = World()
        world.place(.box)
        world.set(World.surface(center: SIMD3(0, -0.6, 0), half: SIMD2(2, 2)))
        world.run(5)
        let ahead = world.log.feedback.filter { $0.kind == .impact && $0.isHeadsUp }
        let felt = try #require(world.log.feedback.first { $0.kind == .impact && !$0.isHeadsUp })
        #expect(ahead.count == 1)
        let announced = try #require(ahead.first)
        #expect(abs(announced.dueNanoseconds - felt.dueNanoseconds) < 50_000_000)
    }

    @Test func anEstimatedPlaneIsUsedUntilTheSurfaceIsFound() {
        var world = World()
        world.estimates = [
            RaycastResult(
                target: .estimatedPlane, distance: 2,
                pointInWorld: world.context.worldFromCamera!.position
                    + (-world.camera!.position).normalized * 2, normal: .unitY, surfaceID: nil, confidence: 0.8)
        ]
        world.place(.box, at: SIMD2(319.5, 239.5))
        #expect(world.object.isProvisional && world.object.surfaceID == nil)
        #expect(abs(world.object.worldFromObject.position.distance(to: world.camera!.position) - 2) < 1e-9)
        world.run(0.3)
        world.set(World.surface())
        world.run(3)
        #expect(!world.object.isProvisional && world.object.worldFromObject.position.length < 1e-6)
    }

    @Test func anObjectPastTheEdgeIsNudgedInGently() {
        var world = World()
        world.set(World.surface(half: SIMD2(0.5, 0.5)))
        world.place(.box, at: world.pixel(SIMD3(0.8, 0, 0)))
        #expect(world.object.isProvisional && world.object.surfaceID == 1)
        world.run(0.5)
        #expect(abs(world.object.worldFromObject.position.x - 0.8) < 1e-6)
        world.run(5)
        let point = world.object.worldFromObject.position
        #expect(world.surfaces[0].contains(localPoint: SIMD2(point.x, point.z)) && point.x > 0.35)
        #expect(!world.object.isProvisional)
        #expect(world.largestSpeed() <= world.session.configuration.nudging.speed + 1e-6)
    }

    @Test func anEdgeThatGrowsInTimeLeavesTheObjectWhereItIs() {
        var world = World()
        world.set(World.surface(half: SIMD2(0.5, 0.5)))
        world.place(.box, at: world.pixel(SIMD3(0.8, 0, 0)))
        world.run(0.5)
        world.set(World.surface(half: SIMD2(1.2, 1.2)))
        world.run(3)
        #expect(abs(world.object.worldFromObject.position.x - 0.8) < 1e-6)
        #expect(!world.object.isProvisional)
    }

    @Test func nothingIsPlacedFarAwayAtAGrazingAngle() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 0.2, 1.5), lookingAt: SIMD3(0, 0.15, 0))
        world.set(World.surface(half: SIMD2(0.5, 0.5)))
        world.place(.box, at: SIMD2(320, 232))
        #expect(world.object.surfaceID == nil && world.object.isProvisional)
    }

    @Test func aNewObjectMakesRoomForTheOneThatStandsThere() {
        var world = World()
        world.set(World.surface(half: SIMD2(1.5, 1.5)))
        world.place(.chair, at: SIMD2(320, 240))
        world.place(.chair, at: SIMD2(330, 245))
        world.run(1)
        let a = world.session.objects[0].worldFromObject.position
        let b = world.session.objects[1].worldFromObject.position
        #expect(a.distance(to: b) >= 0.5 && a.distance(to: b) < 0.9)
    }

    @Test func whereThereIsNoRoomPlacingIsRefusedAndSaysSo() {
        var world = World()
        world.set(World.surface(half: SIMD2(0.3, 0.3)))
        world.place(.chair)
        world.log = PlacementOutput()
        world.place(.chair)
        #expect(world.session.objects.count == 1)
        #expect(world.log.objectEvents.isEmpty && world.log.feedback.map(\.kind) == [.error])
    }
}
