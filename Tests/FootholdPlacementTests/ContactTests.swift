import FootholdPlacement
import Foundation
import Testing

@Suite struct ContactTests {
    /// Boxes in a row along x, half a metre apart.
    private func row(_ count: Int) -> World {
        var world = World()
        world.camera = World.camera(at: SIMD3(0.4, 2.2, 1.6), lookingAt: SIMD3(0.4, 0, 0))
        world.set(World.surface(half: SIMD2(3, 3)))
        for index in 0..<count { world.place(.box, at: world.pixel(SIMD3(0.5 * Double(index), 0, 0))) }
        world.run(1)
        world.trail = []
        world.log = PlacementOutput()
        return world
    }

    private func deepest(_ world: World) -> Double {
        world.trail.flatMap { entry in
            entry.objects.flatMap { a in entry.objects.filter { $0.id > a.id }.map { overlap(a, $0) } }
        }.max() ?? 0
    }

    @Test func anObjectIsLedAroundWhatStandsInItsWay() {
        var world = row(3)
        world.framesPerSecond = 120
        let start = world.pixelOfObject
        world.drag(from: start, to: world.pixel(SIMD3(1.5, 0, 0)), seconds: 1)
        world.run(1)
        #expect(world.object.worldFromObject.position.distance(to: SIMD3(1.5, 0, 0)) < 0.01)
        #expect(deepest(world) < 0.01)
        #expect(world.largestSpeed() <= world.session.configuration.dragging.speed)
        #expect(world.trail.allSatisfy { abs($0.objects[0].worldFromObject.position.y) < 1e-9 })
    }

    @Test func undoTakesTheWayAroundToo() {
        var world = row(2)
        let start = world.object.worldFromObject.position
        world.drag(from: world.pixelOfObject, to: world.pixel(SIMD3(1.1, 0, 0)), seconds: 1)
        world.run(1)
        world.log += world.session.undo(world.context)
        world.run(6)
        #expect(world.object.worldFromObject.position.distance(to: start) < 1e-9)
        #expect(deepest(world) < 0.015)
    }

    @Test func aDragOntoAnotherObjectStopsBesideIt() {
        var world = row(2)
        world.drag(from: world.pixelOfObject, to: world.pixel(SIMD3(0.5, 0, 0)), seconds: 1)
        world.run(2)
        #expect(overlap(world.session.objects[0], world.session.objects[1]) == 0)
        let distance = world.object.worldFromObject.position.distance(to: SIMD3(0.5, 0, 0))
        #expect(distance > 0.15 && distance < 0.32)
    }

    @Test func turningAndScalingGiveWayAlongTheSurface() {
        var world = row(1)
        world.place(.box, at: world.pixel(SIMD3(0.22, 0, 0)))
        world.run(1)
        world.trail = []
        world.turn(at: world.pixelOfObject, degrees: 45)
        world.run(3)
        #expect(overlap(world.session.objects[0], world.session.objects[1]) < 1e-3)
        world.pinch(at: world.pixelOfObject, scale: 1.6)
        world.run(3)
        #expect(abs(world.object.scale - 1.6) < 1e-3)
        #expect(overlap(world.session.objects[0], world.session.objects[1]) < 1e-3)
        #expect(world.log.feedback.contains { $0.kind == .impact && $0.objectID == 1 })
    }

    @Test func whatStandsHigherOrLowerIsInNobodysWay() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 2.5, 1.5))
        world.set(World.surface(id: 1, half: SIMD2(2, 2)))
        world.place(.cylinder, at: world.pixel(.zero))
        // A table above it.
        world.set(World.surface(id: 2, center: SIMD3(0, 0.75, 0), half: SIMD2(0.4, 0.4)))
        world.place(.box, at: world.pixel(SIMD3(0, 0.75, 0)))
        world.run(1)
        let (a, b) = (world.session.objects[0], world.session.objects[1])
        #expect(b.surfaceID == 2)
        let offset = b.worldFromObject.position - a.worldFromObject.position
        #expect(SIMD2(offset.x, offset.z).length < 1e-6)
    }

    @Test func twoTapsOnTheSameSpotBeforeAnythingIsKnownDoNotEndUpInEachOther() {
        var world = World()
        for _ in 0..<3 { world.place(.box, at: SIMD2(330, 260)) }
        world.run(0.5)
        world.set(World.surface(center: SIMD3(0, -0.4, 0), half: SIMD2(2, 2)))
        world.run(6)
        let objects = world.session.objects
        #expect(objects.count == 3 && objects.allSatisfy { !$0.isProvisional })
        for (a, b) in [(0, 1), (0, 2), (1, 2)] { #expect(overlap(objects[a], objects[b]) < 1e-3) }
    }

    @Test func aCrowdedPlaceIsLeftForTheNearestFreeOneAround() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 2.4, 1.2))
        world.set(World.surface(half: SIMD2(2, 2)))
        for index in 0..<14 {
            world.place(.box, at: SIMD2(320 + 3 * Double(index % 3), 240 + 2 * Double(index / 3)))
        }
        world.run(2)
        let objects = world.session.objects
        #expect(objects.count == 14)
        for a in objects {
            for b in objects where b.id > a.id { #expect(overlap(a, b) < 1e-3, "\(a.id) and \(b.id)") }
        }
    }

    // MARK: A trembling camera

    @Test func underARestingFingerAnObjectStandsStillThoughTheCameraTrembles() {
        var random = SeededRandom(9)
        var world = World()
        // A low view over a floor: a hair's breadth in the picture is a hand's breadth on the ground.
        let base = World.camera(at: SIMD3(0, 0.9, 2.5), lookingAt: SIMD3(0, 0.4, 0))
        world.camera = base
        world.set(World.surface(half: SIMD2(4, 4)))
        world.place(.box, at: world.pixel(SIMD3(0, 0, -1)))
        world.run(0.3)
        let pixel = world.pixelOfObject
        world.handle(.drag(.began, start: pixel, at: pixel))
        var raw: [Double] = []
        world.trail = []
        for _ in 0..<90 {
            var camera = base
            camera.rotation = base.rotation * Rotation(axis: .unitX, angleRadians: random.number(-0.5...0.5) / 520)
            world.camera = camera
            raw.append(
                World.intrinsics.ray(through: pixel, worldFromCamera: camera)
                    .point(
                        at: World.intrinsics.ray(through: pixel, worldFromCamera: camera)
                            .distance(toPlaneThrough: .zero, normal: .unitY)!
                    ).z)
            world.frame()
        }
        func jitter(_ values: [Double]) -> Double {
            let steps = zip(values, values.dropFirst()).map { $1 - $0 }
            return (steps.map { $0 * $0 }.reduce(0, +) / Double(steps.count)).squareRoot()
        }
        let shown = world.trail.map { $0.objects[0].worldFromObject.position.z }
        #expect(jitter(shown) < 0.3 * jitter(raw))
    }

    @Test func aMovingFingerIsFollowedWithoutLagThoughTheCameraTrembles() {
        var random = SeededRandom(10)
        var world = World(framesPerSecond: 60)
        let base = World.camera()
        world.camera = base
        world.set(World.surface(half: SIMD2(4, 4)))
        world.place(.box)
        world.run(0.3)
        let start = world.pixelOfObject
        world.handle(.drag(.began, start: start, at: start))
        for step in 1...60 {
            var camera = base
            camera.rotation = base.rotation * Rotation(axis: .unitX, angleRadians: random.number(-0.5...0.5) / 520)
            world.camera = camera
            let finger = start + SIMD2(2 * Double(step), 0)
            world.handle(.drag(.changed, start: start, at: finger))
            world.frame()
            // The way that the object itself needs to follow is a frame's worth.
            if step > 10 {
                #expect(world.pixelOfObject.distance(to: finger) < 2 * 2.5 + world.session.configuration.steadying)
            }
        }
    }
}
