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

    @Test func removingCanBeUndoneAndResetClearsEverything() {
        var world = world()
        world.log += world.session.remove(world.object.id, context: world.context)
        #expect(world.session.objects.isEmpty)
        world.log += world.session.undo(world.context)
        #expect(world.session.objects.count == 1)
        let output = world.session.reset()
        #expect(output.objectEvents.map(\.kind) == [.removed])
        #expect(world.session.objects.isEmpty && world.session.undoableChange == nil)
    }

    @Test func aSavedSceneComesBackToTheSamePlaces() throws {
        var world = world()
        world.place(.chair, at: world.pixel(SIMD3(0.8, 0, 0.2)))
        world.turn(at: world.pixel(SIMD3(0, 0, 0)), degrees: 33)
        world.run(2)
        let saved = world.session.save()
        let before = world.session.objects
        var other = World()
        other.seconds = 3
        other.log += other.session.restore(try SavedScene(data: saved.data()), atNanoseconds: other.nanoseconds)
        #expect(other.session.objects.allSatisfy { $0.isProvisional })
        #expect(zip(before, other.session.objects).allSatisfy { difference($0, $1) < 1e-9 })
        // Restoring twice is the same as once.
        let first = other.session.objects
        other.log += other.session.restore(saved, atNanoseconds: other.nanoseconds)
        #expect(other.session.objects == first)
        let again = try other.session.save().data()
        let bytes = try saved.data()
        #expect(again == bytes)
        other.set(World.surface(id: 7, center: SIMD3(0, 0.01, 0), half: SIMD2(2, 2)))
        other.run(4)
        #expect(other.session.objects.allSatisfy { !$0.isProvisional && $0.surfaceID == 7 })
    }

    @Test func aDamagedSceneIsRefusedInOneLine() {
        for text in ["", "{}", #"{"version": 9, "objects": []}"#, #"{"version": 1, "objects": [{"id": 1}]}"#] {
            #expect { _ = try SavedScene(data: Data(text.utf8)) } throws: { error in
                let text = "\(error)"
                return error is SavedScene.SceneError && !text.contains("\n") && text.contains("saved scene")
            }
        }
    }

    @Test func aScriptThatCannotBePlayedSaysWhereAndWhy() {
        let scripts = [
            ("nonsense", "not valid JSON"), (#"{"version": 2, "events": []}"#, "version 2"),
            (#"{"version": 1, "events": [{"tap": [1, 2]}]}"#, "“t” is missing in events, event 1"),
            (#"{"version": 1, "events": [{"t": 1, "tap": [1]}]}"#, "event 1"),
            (#"{"version": 1, "events": [{"t": 1, "undo": true}, {"t": 1}]}"#, "event 2"),
            (#"{"version": 1, "events": [{"t": 1, "undo": true, "redo": true}]}"#, "exactly one thing"),
        ]
        for (text, expected) in scripts {
            #expect { _ = try GestureScript(data: Data(text.utf8)) } throws: { "\($0)".contains(expected) }
        }
    }
}
