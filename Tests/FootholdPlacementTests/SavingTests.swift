import FootholdPlacement
import Foundation
import Testing

@Suite struct SavingTests {
    /// Some objects, moved and turned at random, one of them attentive.
    private func world(seed: UInt64) -> World {
        var random = SeededRandom(seed)
        var world = World()
        let tilt = SIMD3(random.number(-0.05...0.05), 1, random.number(-0.05...0.05))
        world.set(World.surface(normal: tilt, half: SIMD2(1.5, 1.5)))
        for _ in 0..<3 {
            world.place(
                [.box, .chair, .cylinder].randomElement(using: &random)!,
                at: SIMD2(random.number(150...500), random.number(150...400)))
            world.run(0.2)
        }
        world.session.setAttention(Attention(noticesNearness: true, looksAtCamera: true), for: 2)
        world.turn(
            at: world.pixel(world.session.objects[0].worldFromObject.position), degrees: random.number(-180...180))
        world.pinch(at: world.pixel(world.session.objects[0].worldFromObject.position), scale: random.number(0.7...1.4))
        world.run(9)
        return world
    }

    private func difference(_ a: PlacedObject, _ b: PlacedObject) -> Double {
        a.worldFromObject.position.distance(to: b.worldFromObject.position)
            + (a.worldFromObject.rotation.inverse * b.worldFromObject.rotation).angleRadians + abs(a.scale - b.scale)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func aSavedSceneComesBackToTheSamePlacesHoweverOften(_ seed: UInt64) throws {
        let world = world(seed: seed)
        let bytes = try world.session.save().data()
        var other = World()
        other.seconds = 3
        for _ in 0..<3 {
            let data = other.session.objects.isEmpty ? bytes : try other.session.save().data()
            let scene = try SavedScene(data: data)
            other.log += other.session.restore(scene, atNanoseconds: other.nanoseconds)
            let again = try other.session.save().data()
            #expect(again == bytes)
            #expect(other.session.objects.allSatisfy { $0.isProvisional })
        }
        for (a, b) in zip(world.session.objects, other.session.objects) where a.id != 2 {
            #expect(difference(a, b) < 1e-7)
        }
        // The world is found again: its surface adopts them where they are.
        other.set(world.surfaces[0])
        other.run(5)
        #expect(other.session.objects.allSatisfy { !$0.isProvisional && $0.surfaceID == 1 })
        for (a, b) in zip(world.session.objects, other.session.objects) where a.id != 2 {
            #expect(difference(a, b) < 1e-6)
        }
    }

    @Test func whatIsAddedLaterHasAnIDOfItsOwn() throws {
        let saved = world(seed: 4).session.save()
        var other = World()
        other.log += other.session.restore(saved, atNanoseconds: 0)
        other.place(.box, at: SIMD2(100, 100))
        #expect(Set(other.session.objects.map(\.id)).count == 4)
    }

    @Test func attentionIsRestored() throws {
        let world = world(seed: 2)
        var other = World()
        other.camera = World.camera(at: SIMD3(0, 3, 6))
        other.log += other.session.restore(try SavedScene(data: world.session.save().data()), atNanoseconds: 0)
        other.frame()
        other.camera = World.camera(at: other.session.objects[1].worldFromObject.position + SIMD3(0, 0.3, 0.3))
        other.frame()
        #expect(other.log.attention.map(\.kind) == [.cameraNear] && other.log.attention.first?.objectID == 2)
    }

    @Test func aFileOfTheFirstVersionIsStillRead() throws {
        let old = """
            {"version": 1, "objects": [{"id": 3, "name": "chair", "model": "chair", "size": [0.45, 0.85, 0.5],
              "scaleRange": [1, 1], "alignment": "horizontal", "scale": 1, "position": [0.5, 0, -0.25],
              "rotation": [0, 0.6, 0, 0.8]}]}
            """
        let scene = try SavedScene(data: Data(old.utf8))
        var world = World()
        world.log += world.session.restore(scene, atNanoseconds: 0)
        #expect(world.object.id == 3 && world.object.name == "chair")
        #expect(world.object.worldFromObject.position == SIMD3(0.5, 0, -0.25))
        let again = try SavedScene(data: world.session.save().data())
        #expect(again.version == SavedScene.currentVersion && again.objects == scene.objects)
    }

    @Test func aDamagedSceneIsRefusedInOneLine() {
        func object(_ id: Int = 1, scale: String = "1", rotation: String = "[0, 0, 0, 1]") -> String {
            """
            {"id": \(id), "name": "box", "model": "box", "size": [1, 1, 1], "scaleRange": [0.5, 2],
             "alignment": "any", "scale": \(scale), "position": [0, 0, 0], "rotation": \(rotation)}
            """
        }
        let bodies = [
            "", "{}", #"{"version": 9, "objects": []}"#, #"{"version": 1, "objects": [{"id": 1}]}"#,
            #"{"version": 0, "objects": []}"#, #"{"version": "2", "objects": []}"#, "[]", "null",
            "{\"version\": 2, \"objects\": [\(object()), \(object())]}",
            "{\"version\": 2, \"objects\": [\(object(scale: "3"))]}",
            "{\"version\": 2, \"objects\": [\(object(scale: "1e999"))]}",
            "{\"version\": 2, \"objects\": [\(object(rotation: "[0, 0, 0, 0]"))]}",
            "{\"version\": 2, \"objects\": [\(object(rotation: "[0, 0, 1]"))]}",
            "{\"version\": 2, \"objects\": [\(object(Int.max))]}",
        ]
        for text in bodies {
            #expect {
                _ = try SavedScene(data: Data(text.utf8))
            } throws: { error in
                let line = "\(error)"
                return error is SavedScene.SceneError && !line.contains("\n") && line.contains("saved scene")
            }
        }
    }

    @Test func aTruncatedOrGarbledFileNeitherCrashesNorHalfRestores() throws {
        let bytes = try world(seed: 7).session.save().data()
        for length in 0..<bytes.count - 1 {
            #expect(throws: SavedScene.SceneError.self) { try SavedScene(data: bytes.prefix(length)) }
        }
        var random = SeededRandom(1)
        for _ in 0..<2000 {
            var garbled = bytes
            garbled[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            // What still makes sense is restored whole; anything else is refused.
            guard let scene = try? SavedScene(data: garbled) else { continue }
            var other = World()
            other.log += other.session.restore(scene, atNanoseconds: 0)
            other.run(0.1)
            #expect(other.session.objects.count == 3)
        }
    }

    @Test func aSceneIsWrittenWholeAndAMissingOneIsExplained() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("scene.json")
        let scene = world(seed: 3).session.save()
        try Data("something older".utf8).write(to: file)
        try scene.write(to: file)
        let read = try SavedScene(contentsOf: file)
        #expect(read == scene)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["scene.json"])
        #expect(throws: SavedScene.SceneError.self) {
            try SavedScene(contentsOf: folder.appendingPathComponent("no.json"))
        }
        #expect(throws: SavedScene.SceneError.self) {
            try scene.write(to: folder.appendingPathComponent("no/scene.json"))
        }
    }
}
