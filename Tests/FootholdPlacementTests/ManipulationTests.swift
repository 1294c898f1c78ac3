import FootholdPlacement
import Foundation
import Testing

extension World {
    mutating func handle(_ gesture: Gesture) { log += session.handle(gesture, context: context) }

    /// Drags from one pixel to another at the frame rate.
    mutating func drag(from start: SIMD2<Double>, to end: SIMD2<Double>, seconds duration: Double = 0.5) {
        handle(.drag(.began, start: start, at: start))
        let count = max(1, Int(duration * framesPerSecond))
        for step in 1...count {
            handle(.drag(.changed, start: start, at: start + (end - start) * (Double(step) / Double(count))))
            frame()
        }
        handle(.drag(.ended, start: start, at: end))
    }

    mutating func turn(at center: SIMD2<Double>, degrees: Double, seconds duration: Double = 0.5) {
        handle(.turn(.began, at: center, radians: 0))
        let count = max(1, Int(duration * framesPerSecond))
        for step in 1...count {
            handle(.turn(.changed, at: center, radians: degrees * .pi / 180 * Double(step) / Double(count)))
            frame()
        }
        handle(.turn(.ended, at: center, radians: degrees * .pi / 180))
    }

    mutating func pinch(at center: SIMD2<Double>, scale: Double, seconds duration: Double = 0.5) {
        handle(.pinch(.began, at: center, scale: 1))
        let count = max(1, Int(duration * framesPerSecond))
        for step in 1...count {
            handle(.pinch(.changed, at: center, scale: pow(scale, Double(step) / Double(count))))
            frame()
        }
        handle(.pinch(.ended, at: center, scale: scale))
    }

    var pixelOfObject: SIMD2<Double> { pixel(object.worldFromObject.position) }
}

@Suite struct ManipulationTests {
    private func world(_ template: ObjectTemplate = .box, framesPerSecond: Double = 30) -> World {
        var world = World(framesPerSecond: framesPerSecond)
        world.set(World.surface(half: SIMD2(1.2, 1.2)))
        world.place(template)
        world.run(0.2)
        world.log = PlacementOutput()
        return world
    }

    @Test func aDragKeepsTheOffsetToTheFingerAndStaysOnTheSurface() {
        var world = world()
        let foot = world.pixelOfObject
        let grip = foot + SIMD2(6, -20)
        let way = SIMD2(90.0, 40.0)
        world.drag(from: grip, to: grip + way)
        world.run(0.5)
        #expect(world.pixelOfObject.distance(to: foot + way) < 0.5)
        #expect(world.trail.allSatisfy { abs($0.objects[0].worldFromObject.position.y) < 1e-9 })
        #expect(world.count(.moved) == 1 && world.count(.selected) == 1)
    }

    @Test func aDragThatBeginsBesideEverythingMovesNothing() {
        var world = world()
        let before = world.object.worldFromObject
        world.drag(from: SIMD2(60, 60), to: SIMD2(300, 300))
        world.run(0.3)
        #expect(world.object.worldFromObject == before)
    }

    @Test func aFarSmallObjectCanBeTouchedNearby() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 2, 6))
        world.set(World.surface(half: SIMD2(2, 2)))
        world.place(ObjectTemplate(name: "cup", model: "cylinder", size: SIMD3(0.08, 0.1, 0.08)))
        world.frame()
        let pixel = world.pixelOfObject
        #expect(world.session.object(at: pixel + SIMD2(17, 0), context: world.context) == 1)
        #expect(world.session.object(at: pixel + SIMD2(34, 0), context: world.context) == nil)
    }

    @Test func ofTwoObjectsTheOneThatIsHitWins() {
        var world = World()
        world.set(World.surface(half: SIMD2(2, 2)))
        world.place(.box, at: world.pixel(SIMD3(-0.15, 0, 0)))
        world.place(.box, at: world.pixel(SIMD3(0.15, 0, 0)))
        world.frame()
        #expect(world.session.object(at: world.pixel(SIMD3(-0.12, 0.05, 0)), context: world.context) == 1)
        #expect(world.session.object(at: world.pixel(SIMD3(0.12, 0.05, 0)), context: world.context) == 2)
    }

    @Test func anObjectGoesToAnotherSurfaceWithTheFinger() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 1.6, 2.4), lookingAt: SIMD3(0, 0.3, 0))
        world.set(World.surface(id: 1, center: SIMD3(-0.6, 0, 0.4), half: SIMD2(0.6, 0.8)))
        world.set(World.surface(id: 2, center: SIMD3(0.7, 0.5, 0), half: SIMD2(0.5, 0.5)))
        world.place(.box, at: world.pixel(SIMD3(-0.5, 0, 0.4)))
        world.run(0.2)
        world.drag(from: world.pixelOfObject, to: world.pixel(SIMD3(0.7, 0.5, 0)), seconds: 0.8)
        world.run(2)
        #expect(world.object.surfaceID == 2 && !world.object.isProvisional)
        #expect(world.object.worldFromObject.position.distance(to: SIMD3(0.7, 0.5, 0)) < 0.02)
        #expect(world.largestSpeed() <= world.session.configuration.dragging.speed)
    }

    @Test func draggingTowardsTheHorizonStopsAtASensibleDistanceAndIsFeltOnce() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 1.4, 1.8), lookingAt: SIMD3(0, 0.9, 0))
        world.set(World.surface(half: SIMD2(20, 20)))
        world.place(.box, at: world.pixel(SIMD3(0, 0, 0)))
        world.run(0.2)
        world.log = PlacementOutput()
        world.drag(from: world.pixelOfObject, to: SIMD2(320, 20), seconds: 1)
        world.run(1.5)
        let distance = world.object.worldFromObject.position.distance(to: world.camera!.position)
        #expect(distance <= world.session.configuration.maximumDistance + 1e-6 && distance > 6)
        #expect(world.log.feedback.count { $0.kind == .warning && !$0.isHeadsUp } == 1)
    }

    @Test func aTurnIsAboutTheNormalAloneAndFollowsTheFingers() {
        var world = world()
        let before = world.object.worldFromObject
        world.turn(at: world.pixelOfObject, degrees: 75)
        world.run(3)
        let after = world.object.worldFromObject
        let difference = before.rotation.inverse * after.rotation
        #expect(abs(difference.angleRadians - 75 * .pi / 180) < 1e-6)
        // Clockwise seen from above is negative about the axis that points up.
        #expect(difference.y < 0)
        #expect(lean(world.object, from: .unitY) < 1e-12)
        #expect(after.position.distance(to: before.position) < 1e-12)
        #expect(world.count(.turned) == 1)
    }

    @Test func furnitureRefusesToBeScaledVisiblyAndSaysSo() {
        var world = world(.chair)
        world.handle(.pinch(.began, at: world.pixelOfObject, scale: 1))
        var largest = 1.0
        for step in 1...15 {
            world.handle(.pinch(.changed, at: world.pixelOfObject, scale: 1 + Double(step) / 15))
            world.frame()
            largest = max(largest, world.object.scale)
        }
        world.handle(.pinch(.ended, at: world.pixelOfObject, scale: 2))
        world.run(1.5)
        #expect(largest > 1.01 && largest < 1.08)
        #expect(abs(world.object.scale - 1) < 1e-9)
        #expect(world.log.feedback.count { $0.kind == .error && !$0.isHeadsUp } == 1)
        #expect(world.count(.scaled) == 0 && world.session.undoableChange?.kind == .placed)
    }

    @Test func aToyIsScaledWithinItsLimits() {
        var world = world(.box)
        world.pinch(at: world.pixelOfObject, scale: 2)
        world.run(3)
        #expect(abs(world.object.scale - 2) < 1e-6)
        world.pinch(at: world.pixelOfObject, scale: 5)
        world.run(3)
        #expect(abs(world.object.scale - 4) < 1e-6)
        #expect(world.count(.scaled) == 2 && world.log.feedback.contains { $0.kind == .warning })
    }

    @Test func standardGesturesKeepTheirMeaning() {
        var world = world()
        let pixel = world.pixelOfObject
        // A tap selects, and one beside everything deselects.
        world.handle(.tap(at: pixel))
        #expect(world.session.selectedID == 1 && world.log.focusedID == nil)
        world.handle(.tap(at: SIMD2(80, 400)))
        #expect(world.session.selectedID == nil && world.session.objects.count == 1)
        // Touch and hold picks up; a double tap focuses.
        world.handle(.hold(at: pixel))
        #expect(world.session.selectedID == 1)
        world.handle(.tap(at: SIMD2(80, 400)))
        world.handle(.doubleTap(at: pixel))
        #expect(world.session.selectedID == 1 && world.log.focusedID == 1)
        #expect(world.count(.selected) == 3 && world.log.feedback.count { $0.kind == .selection } == 3)
        // With something in hand, a tap beside everything places it.
        world.session.templateForTaps = .cylinder
        world.handle(.tap(at: SIMD2(420, 330)))
        #expect(world.session.objects.map { $0.name } == ["box", "cylinder"])
    }

    @Test func aCancelledDragLeavesNoTrace() {
        var world = world()
        let before = world.object.worldFromObject
        let pixel = world.pixelOfObject
        world.handle(.drag(.began, start: pixel, at: pixel))
        for step in 1...10 {
            world.handle(.drag(.changed, start: pixel, at: pixel + SIMD2(Double(step) * 8, 0)))
            world.frame()
        }
        world.handle(.drag(.cancelled, start: pixel, at: pixel))
        world.run(4)
        #expect(world.object.worldFromObject.position.distance(to: before.position) < 1e-6)
        #expect(world.count(.moved) == 0 && world.session.undoableChange?.kind == .placed)
    }

    @Test func trackingLostAndFoundDuringADragDoesNotDropTheObject() {
        var world = world()
        let pixel = world.pixelOfObject
        let camera = world.camera
        world.handle(.drag(.began, start: pixel, at: pixel))
        world.frame()
        world.camera = nil
        for step in 1...10 {
            world.handle(.drag(.changed, start: pixel, at: pixel + SIMD2(Double(step) * 6, 0)))
            world.frame()
        }
        world.camera = camera
        world.run(0.4)
        world.handle(.drag(.ended, start: pixel, at: pixel + SIMD2(60, 0)))
        world.run(0.5)
        #expect(world.pixelOfObject.distance(to: pixel + SIMD2(60, 0)) < 0.5)
        #expect(world.largestSpeed() <= world.session.configuration.dragging.speed)
    }
}
