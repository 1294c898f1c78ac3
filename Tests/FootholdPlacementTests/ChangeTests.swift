import FootholdPlacement
import Foundation
import Testing

@Suite struct ChangeTests {
    private func world() -> World {
        var world = World()
        world.set(World.surface(half: SIMD2(1.5, 1.5)))
        world.place(.box)
        world.run(0.3)
        return world
    }

    private func difference(_ a: PlacedObject, _ b: PlacedObject) -> Double {
        let turned = a.worldFromObject.rotation.inverse * b.worldFromObject.rotation
        return a.worldFromObject.position.distance(to: b.worldFromObject.position) + turned.angleRadians
            + abs(a.scale - b.scale)
    }

    @Test func undoTakesBackAndRedoRepeatsEveryKindOfChangeExactly() {
        var world = world()
        let changes: [(inout World) -> Void] = [
            { $0.drag(from: $0.pixelOfObject, to: $0.pixelOfObject + SIMD2(80, 30)) },
            { $0.turn(at: $0.pixelOfObject, degrees: -110) },
            { $0.pinch(at: $0.pixelOfObject, scale: 1.7) },
        ]
        for change in changes {
            let before = world.object
            change(&world)
            world.run(2)
            let after = world.object
            #expect(difference(before, after) > 0.05)
            world.log += world.session.undo(world.context)
            world.run(3)
            #expect(difference(before, world.object) < 1e-6)
            world.log += world.session.redo(world.context)
            world.run(3)
            #expect(difference(after, world.object) < 1e-6)
        }
        #expect(world.largestSpeed() <= world.session.configuration.dragging.speed)
    }

    @Test func undoOfPlacingRemovesAndRedoBringsBackTheSameObject() {
        var world = world()
        let before = world.object
        world.log += world.session.undo(world.context)
        #expect(world.session.objects.isEmpty && world.count(.removed) == 1)
        world.log += world.session.redo(world.context)
        #expect(difference(world.object, before) < 1e-9 && world.object.id == before.id)
        #expect(world.session.redoableChange == nil)
    }

    @Test func aGestureIsOneChangeAndSaysItsName() {
        var world = world()
        world.drag(from: world.pixelOfObject, to: world.pixelOfObject + SIMD2(80, 30), seconds: 1)
        world.run(0.5)
        #expect(world.session.undoableChange?.kind == .moved)
        #expect(world.session.undoableChange?.objectName == "box")
        world.log += world.session.undo(world.context)
        #expect(world.session.undoableChange?.kind == .placed)
    }

    @Test func aNewChangeEndsWhatCouldBeRedone() {
        var world = world()
        world.turn(at: world.pixelOfObject, degrees: 40)
        world.log += world.session.undo(world.context)
        world.run(1)
        #expect(world.session.redoableChange?.kind == .turned)
        world.turn(at: world.pixelOfObject, degrees: 20)
        #expect(world.session.redoableChange == nil)
    }

    @Test func aVariantIsExchangedInItsPlace() {
        var world = world()
        let before = world.object
        world.log += world.session.exchange(before.id, for: .cylinder, context: world.context)
        world.run(0.5)
        #expect(world.object.name == "cylinder" && world.object.id == before.id)
        #expect(difference(world.object, before) < 1e-9)
        world.log += world.session.undo(world.context)
        #expect(world.object.name == "box")
    }

    @Test func removingCanBeUndoneAndStartingOverClearsEverythingAndSaysSo() {
        var world = world()
        world.log += world.session.remove(world.object.id, context: world.context)
        #expect(world.session.objects.isEmpty)
        world.log += world.session.undo(world.context)
        #expect(world.session.objects.count == 1)
        let output = world.session.reset()
        #expect(output.objectEvents.map(\.kind) == [.removed] && output.feedback.map(\.kind) == [.success])
        #expect(world.session.objects.isEmpty)
        // R24: every change can be taken back, this one too.
        world.log += world.session.undo(world.context)
        #expect(world.session.objects.count == 1)
        // In a new world nothing is left to go back to.
        world.didReset = true
        world.frame()
        #expect(world.session.undoableChange == nil)
    }

    @Test func undoIsTheExactInverseAndRedoTheExactRepetition() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed)
            var world = world()
            world.set(World.surface(normal: SIMD3(random.number(-0.04...0.04), 1, 0.01), half: SIMD2(2, 2)))
            world.run(8)
            var states = [world.session.save()]
            for _ in 0..<4 {
                switch random.next() % 4 {
                case 0:
                    world.drag(from: world.pixelOfObject, to: SIMD2(random.number(330...440), random.number(250...330)))
                case 1: world.turn(at: world.pixelOfObject, degrees: random.number(5...300))
                case 2: world.pinch(at: world.pixelOfObject, scale: random.number(1.1...1.4))
                default:
                    let variant = world.object.name == "box" ? ObjectTemplate.cylinder : .box
                    world.log += world.session.exchange(1, for: variant, context: world.context)
                }
                world.run(3)
                states.append(world.session.save())
            }
            let last = world.session.objects
            for state in states.dropLast().reversed() {
                world.log += world.session.undo(world.context)
                // Effective at once: that is where it goes from now on, …
                #expect(world.session.save() == state, "seed \(seed)")
                world.run(4)
                // … and where it stands then.
                #expect(world.session.save() == state, "seed \(seed)")
            }
            for state in states.dropFirst() {
                world.log += world.session.redo(world.context)
                world.run(4)
                #expect(world.session.save() == state, "seed \(seed)")
            }
            #expect(zip(last, world.session.objects).allSatisfy { $0.worldFromObject == $1.worldFromObject })
        }
    }

    @Test func undoGoesBackToASurfaceThatBecamePartOfAnother() {
        var world = world()
        world.run(7)
        let before = world.object.worldFromObject.position
        world.drag(from: world.pixelOfObject, to: world.pixelOfObject + SIMD2(90, 20))
        world.run(1)
        let into = World.surface(id: 5, half: SIMD2(3, 3), version: world.nanoseconds)
        world.surfaces = [into]
        world.events = [.merged(id: 1, into: into)]
        world.run(1)
        world.log += world.session.undo(world.context)
        world.run(3)
        #expect(world.object.surfaceID == 5 && !world.object.isProvisional)
        #expect(world.object.worldFromObject.position.distance(to: before) < 1e-9)
    }

    @Test func undoGoesBackEvenWhenTheSurfaceIsGone() {
        var world = world()
        world.run(7)
        let before = world.object.worldFromObject.position
        world.drag(from: world.pixelOfObject, to: world.pixelOfObject + SIMD2(90, 20))
        world.run(1)
        world.surfaces = []
        world.events = [.removed(id: 1)]
        world.frame()
        world.log += world.session.undo(world.context)
        world.run(3)
        #expect(world.object.isProvisional && world.object.worldFromObject.position.distance(to: before) < 1e-9)
    }

    @Test func everyUndoSaysWhatItTookBack() {
        var world = world()
        world.turn(at: world.pixelOfObject, degrees: 40)
        world.run(1)
        world.log = PlacementOutput()
        world.log += world.session.undo(world.context)
        world.log += world.session.redo(world.context)
        #expect(world.log.changes.map(\.kind) == [.turned, .turned])
        #expect(world.log.changes.map(\.isRedo) == [false, true])
        #expect(world.log.feedback.map(\.kind) == [.success, .success])
    }

    @Test func shakingOffersUndoOnlyWhenThereIsSomethingToTakeBack() {
        var world = World()
        world.handle(.shake)
        #expect(!world.log.offersUndo)
        world.set(World.surface())
        world.place(.box)
        world.handle(.shake)
        #expect(world.log.offersUndo && world.session.objects.count == 1)
    }

    @Test func aLargerVariantGivesWayToWhatStandsBesideIt() {
        var world = world()
        world.place(.box, at: world.pixel(SIMD3(0.3, 0, 0)))
        world.log += world.session.exchange(1, for: .chair, context: world.context)
        world.run(3)
        #expect(world.session.objects[0].name == "chair")
        #expect(overlap(world.session.objects[0], world.session.objects[1]) < 1e-3)
    }

    @Test(arguments: [
        #""tap": [640, 10]"#, #""tap": [-1, 10]"#, #""doubleTap": [10, 480]"#, #""hold": [10, -0.6]"#,
        #""drag": [[700, 10], [10, 10]]"#, #""place": {"name": "box", "at": [10, 1e9]}"#,
        #""touch": {"id": 1, "at": [10, 479.5], "phase": "began"}"#,
        // One of the two fingers.
        #""pinch": {"at": [30, 200], "scale": 2}"#, #""turn": {"at": [620, 200], "degrees": 10}"#,
    ])
    func aScriptThatBeginsOutsideOfThePictureIsRefused(event: String) throws {
        let text = #"{"version": 1, "events": [{"t": 5, "tap": [1, 1]}, {"t": 1, \#(event)}]}"#
        let script = try GestureScript(data: Data(text.utf8))
        #expect { try script.check(width: 640, height: 480) } throws: {
            "\($0)".contains("event 2 can't be played: it begins at [")
                && "\($0)".hasSuffix("outside of the picture, which is 640×480")
        }
    }

    @Test(arguments: [
        #""tap": [-0.5, 479.4]"#, #""drag": [[10, 10], [700, -90]]"#,
        #""touch": {"id": 1, "at": [900, 10], "phase": "moved"}"#,
        #""touch": {"id": 1, "at": [900, 10], "phase": "ended"}"#, #""pinch": {"at": [100, 200], "scale": 9}"#,
        #""undo": true"#, #""exchange": "box""#,
    ])
    func fingersMayLeaveThePicture(event: String) throws {
        let text = #"{"version": 1, "events": [{"t": 1, \#(event)}]}"#
        try GestureScript(data: Data(text.utf8)).check(width: 640, height: 480)
    }

    @Test func aScriptThatCannotBePlayedSaysWhereAndWhy() {
        let scripts = [
            ("nonsense", "not valid JSON"), (#"{"version": 2, "events": []}"#, "version 2"),
            (#"{"version": 1, "events": [{"tap": [1, 2]}]}"#, "“t” is missing in events, event 1"),
            (#"{"version": 1, "events": [{"t": 1, "tap": [1]}]}"#, "event 1"),
            (#"{"version": 1, "events": [{"t": 1, "undo": true}, {"t": 1}]}"#, "event 2"),
            (#"{"version": 1, "events": [{"t": 1, "undo": true, "redo": true}]}"#, "exactly one thing"),
            (#"{"version": 1, "events": [{"t": 1, "drag": []}]}"#, "“drag” needs a point"),
            (#"{"version": 1, "events": [{"t": 1, "tap": [1, 1], "seconds": 1e12}]}"#, "less than an hour"),
            (
                #"{"version": 1, "events": [{"t": 1, "touch": {"id": 1, "at": [1, 1], "phase": "up"}}]}"#,
                "event 1, touch, phase is not one"
            ),
            ("[]", "it must be an object with “version” and “events”"), ("{}", "“version” is missing"),
        ]
        for (text, expected) in scripts {
            #expect { _ = try GestureScript(data: Data(text.utf8)) } throws: { "\($0)".contains(expected) }
        }
    }
}
