import FootholdPlacement
import Foundation
import Testing

/// R21: what happens doesn't depend on how often it is drawn.
@Suite struct FrameRateTests {
    /// Gestures one after the other at random, on one of two objects, as a script.
    private func script(_ random: inout SeededRandom) -> String {
        var events = [#"{"t": 0.2, "place": {"name": "box", "at": [320, 250]}}"#]
        // The second one comes once the floor is known.
        events.append(#"{"t": 2.4, "place": {"name": "cylinder", "at": [400, 330]}}"#)
        var places = [SIMD2(320.0, 246.0), SIMD2(400.0, 326.0)]
        var time = 4.0
        for _ in 0..<6 {
            let which = Int.random(in: 0...1, using: &random)
            let at = places[which]
            switch random.next() % 4 {
            case 0:
                let to = SIMD2(random.number(200...450), random.number(220...350))
                // Not where the other one is: then it would be pushed aside, and the script would miss it.
                guard to.distance(to: places[1 - which]) > 120 else { continue }
                events.append(
                    #"{"t": \#(time), "drag": [[\#(at.x), \#(at.y)], [\#(to.x), \#(to.y)]], "seconds": 0.7}"#)
                places[which] = to
            case 1:
                events.append(
                    #"{"t": \#(time), "turn": {"at": [\#(at.x), \#(at.y)], "degrees": \#(random.number(20...120))}}"#)
            case 2:
                events.append(
                    #"{"t": \#(time), "pinch": {"at": [\#(at.x), \#(at.y)], "scale": \#(random.number(1.3...1.6))}}"#)
            default:
                events.append(#"{"t": \#(time), "undo": true}, {"t": \#(time + 1), "redo": true}"#)
            }
            time += 3
        }
        return "{\"version\": 1, \"events\": [\(events.joined(separator: ", "))]}"
    }

    private func end(_ text: String, framesPerSecond: Double) throws -> World {
        var world = World(framesPerSecond: framesPerSecond)
        let script = try GestureScript(data: Data(text.utf8))
        var player = GesturePlayer(script: script, surface: TouchSurface(width: 640, height: 480, pixelsPerPoint: 1))
        while world.seconds < 24 {
            if world.seconds >= 1 - 1e-9 && world.surfaces.isEmpty { world.set(World.surface(half: SIMD2(2, 2))) }
            world.log += try player.play(on: &world.session, context: world.context)
            world.frame()
        }
        #expect(player.isFinished)
        return world
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func theSameTraceEndsInTheSameStateAtAnyFrameRate(_ seed: UInt64) throws {
        var random = SeededRandom(seed)
        let text = script(&random)
        let reference = try end(text, framesPerSecond: 30)
        #expect(reference.log.objectEvents.contains { $0.kind == .moved || $0.kind == .turned || $0.kind == .scaled })
        for rate in [15.0, 60, 120] {
            let other = try end(text, framesPerSecond: rate)
            let kinds = [reference, other].map { world in
                world.log.objectEvents.map { "\($0.kind) \($0.object.id)" }.sorted()
            }
            #expect(kinds[0] == kinds[1], "\(rate)")
            for (a, b) in zip(reference.session.objects, other.session.objects) {
                #expect(a.worldFromObject.position.distance(to: b.worldFromObject.position) < 0.001)
                let turned = a.worldFromObject.rotation.inverse * b.worldFromObject.rotation
                #expect(turned.angleRadians < 0.1 * .pi / 180)
                #expect(abs(a.scale - b.scale) < 1e-3)
            }
        }
    }
}
