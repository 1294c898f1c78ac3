import FootholdPlacement
import Foundation
import Testing

/// Hints in the scene (R8) and the visible side of feedback (R7).
@Suite struct MarkTests {
    private func world(_ template: ObjectTemplate = .box) -> World {
        var world = World()
        world.set(World.surface(half: SIMD2(1.2, 1.2)))
        world.place(template)
        world.run(1)
        world.log = PlacementOutput()
        return world
    }

    private func opacity(_ world: World, _ shape: SceneMark.Shape) -> Double {
        world.session.marks.first { $0.shape == shape }?.opacity ?? 0
    }

    @Test func nothingIsDrawnAroundWhatNobodyTouches() {
        #expect(world().session.marks.isEmpty)
    }

    @Test func aSelectedObjectHasARingAndArrowsThatComeAndGoSoftly() {
        var world = world()
        world.log += world.session.select(1)
        var last = 0.0
        for _ in 0..<10 {
            world.frame()
            let now = opacity(world, .rotationRing)
            #expect(now >= last && now - last <= 1 / 30 / 0.2 + 1e-6)
            last = now
        }
        #expect(last == 1 && opacity(world, .movementArrows) == 1)
        let ring = world.session.marks.first { $0.shape == .rotationRing }!
        #expect(ring.worldFromMark == world.object.worldFromObject)
        // Around the object and not over it.
        #expect(ring.radius > SIMD2(0.1, 0.1).length)
        world.log += world.session.select(nil)
        world.frame()
        #expect(opacity(world, .rotationRing) > 0 && opacity(world, .rotationRing) < 1)
        world.run(1)
        #expect(world.session.marks.isEmpty)
    }

    @Test func whileOneThingIsDoneTheInvitationToAnotherStepsBack() {
        var world = world()
        let pixel = world.pixelOfObject
        world.handle(.drag(.began, start: pixel, at: pixel))
        world.run(0.5)
        #expect(opacity(world, .rotationRing) == 0 && opacity(world, .movementArrows) == 1)
        world.handle(.drag(.ended, start: pixel, at: pixel))
        world.handle(.turn(.began, at: pixel, radians: 0))
        world.run(0.5)
        #expect(opacity(world, .rotationRing) == 1 && opacity(world, .movementArrows) == 0)
        world.handle(.turn(.ended, at: pixel, radians: 0.5))
        world.run(0.5)
        #expect(opacity(world, .rotationRing) == 1 && opacity(world, .movementArrows) == 1)
    }

    @Test func howLongAHintHasWaitedIsToldUntilSomebodyResponds() throws {
        var world = world()
        #expect(world.session.unansweredHintSeconds == nil)
        world.log += world.session.select(1)
        world.run(4)
        #expect(abs(try #require(world.session.unansweredHintSeconds) - 4) < 0.1)
        world.turn(at: world.pixelOfObject, degrees: 20)
        world.run(0.5)
        #expect(try #require(world.session.unansweredHintSeconds) < 0.6)
    }

    @Test func whatCanBeFeltCanBeSeenForAMoment() throws {
        var world = World()
        world.set(World.surface(half: SIMD2(0.3, 0.3)))
        world.place(.chair)
        let landing = try #require(world.session.marks.first { $0.shape == .pulse(.impact) })
        #expect(landing.objectID == 1 && landing.opacity > 0.5)
        // Refused: there is nothing to draw it around but the place.
        world.place(.chair)
        #expect(world.log.feedback.last?.kind == .error)
        let refusal = try #require(world.session.marks.first { $0.shape == .pulse(.error) })
        #expect(refusal.objectID == nil && abs(refusal.worldFromMark.position.y) < 1e-9)
        world.run(1)
        #expect(world.session.marks.isEmpty)
    }

    @Test func aKindOfFeedbackThatIsSwitchedOffIsSeenButNotTold() {
        var world = World()
        world.session.feedbackKinds.remove(.impact)
        world.set(World.surface())
        world.place(.box)
        #expect(world.log.feedback.isEmpty)
        #expect(world.session.marks.contains { $0.shape == .pulse(.impact) })
    }

    // MARK: Announcements

    /// Announcements and events of one kind, in order, as seconds when told and due.
    private func told(_ world: World, _ kind: FeedbackEvent.Kind) -> [FeedbackEvent] {
        world.log.feedback.filter { $0.kind == kind }
    }

    private func expectAnnouncedOnce(_ events: [FeedbackEvent], within seconds: Double = 0.08) {
        #expect(events.map { $0.isHeadsUp } == [true, false], "\(events)")
        guard events.count == 2 else { return }
        #expect(abs(Double(events[0].dueNanoseconds - events[1].dueNanoseconds)) / 1e9 < seconds)
    }

    @Test func aFingerThatComesDownAnnouncesTheSelection() {
        var world = world()
        var recognizer = GestureRecognizer(surface: TouchSurface(width: 640, height: 480, pixelsPerPoint: 1))
        let pixel = world.pixelOfObject
        for (phase, time) in [(Touch.Phase.began, 1.0), (.ended, 1.12)] {
            world.seconds = time
            let touch = Touch(id: 1, pixel: pixel, timestampNanoseconds: Int64(time * 1e9), phase: phase)
            for gesture in recognizer.update(touch) { world.handle(gesture) }
        }
        expectAnnouncedOnce(told(world, .selection))
    }

    @Test func theLimitOfTheReachIsAnnounced() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 1.4, 1.8), lookingAt: SIMD3(0, 0.9, 0))
        world.set(World.surface(half: SIMD2(20, 20)))
        world.place(.box, at: world.pixel(SIMD3(0, 0, 0)))
        world.run(0.2)
        world.log = PlacementOutput()
        world.drag(from: world.pixelOfObject, to: SIMD2(320, 20), seconds: 2)
        world.run(0.5)
        expectAnnouncedOnce(told(world, .warning))
    }

    @Test(arguments: [true, false]) func theLimitOfTheSizeIsAnnounced(_ isFurniture: Bool) {
        var world = world(isFurniture ? .chair : .box)
        world.pinch(at: world.pixelOfObject, scale: isFurniture ? 1.5 : 6, seconds: 1.5)
        // A refusal comes right after the fingers begin: there is hardly time to announce it.
        expectAnnouncedOnce(told(world, isFurniture ? .error : .warning))
    }

    @Test func touchingAnotherObjectIsAnnouncedAndFeltOnce() {
        var world = world()
        world.place(.box, at: world.pixel(SIMD3(0.6, 0, 0)))
        world.run(1)
        world.log = PlacementOutput()
        let pixel = world.pixelOfObject
        world.handle(.drag(.began, start: pixel, at: pixel))
        let end = world.pixel(SIMD3(0.5, 0, 0))
        for step in 1...45 {
            world.handle(.drag(.changed, start: pixel, at: pixel + (end - pixel) * (Double(step) / 45)))
            world.frame()
        }
        // Trembling there is no second contact.
        for step in 1...30 {
            world.handle(.drag(.changed, start: pixel, at: end + SIMD2(0.4 * sin(Double(step)), 0)))
            world.frame()
        }
        expectAnnouncedOnce(told(world, .impact))
    }
}
