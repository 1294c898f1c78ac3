import FootholdPlacement
import Foundation
import Testing

@Suite struct PropertyTests {
    /// A random life: surfaces that shift, tilt, grow, shrink, merge and vanish; a camera that wanders; every gesture.
    private func live(seed: UInt64, seconds: Double, framesPerSecond: Double? = nil) -> World {
        var random = SeededRandom(seed)
        let rate = [15.0, 30, 60].randomElement(using: &random)!
        var world = World(framesPerSecond: framesPerSecond ?? rate)
        world.set(World.surface(half: SIMD2(1.2, 1.2)))
        func somewhere() -> SIMD2<Double> { SIMD2(random.number(60...580), random.number(120...440)) }
        world.place(.box, at: SIMD2(330, 250))
        while world.seconds < seconds {
            let spot =
                world.session.objects.randomElement(using: &random).map {
                    World.intrinsics.project(worldPoint: $0.worldFromObject.position, worldFromCamera: world.camera!)
                        ?? somewhere()
                } ?? somewhere()
            switch random.next() % 11 {
            case 0: world.drag(from: spot, to: somewhere(), seconds: random.number(0.1...0.8))
            case 1: world.turn(at: spot, degrees: random.number(-200...200), seconds: random.number(0.1...0.8))
            case 2: world.pinch(at: spot, scale: random.number(0.3...3), seconds: random.number(0.1...0.8))
            case 3 where world.session.objects.count < 5: world.place(.box, at: somewhere())
            case 4: world.log += world.session.undo(world.context)
            case 5: world.log += world.session.redo(world.context)
            case 6:
                let tilt = SIMD3(random.number(-0.03...0.03), 1, random.number(-0.03...0.03)).normalized
                world.set(
                    World.surface(
                        center: SIMD3(0, random.number(-0.02...0.02), 0), normal: tilt,
                        half: SIMD2(random.number(0.9...1.6), random.number(0.9...1.6))))
            case 7:
                world.camera = World.camera(
                    at: SIMD3(random.number(-0.6...0.6), random.number(1.1...1.7), random.number(1.4...2.2)))
            case 8 where world.surfaces.count == 1:
                world.set(
                    World.surface(
                        id: 2, center: SIMD3(random.number(-0.8...0.8), 0.3, random.number(-0.5...0.5)),
                        half: SIMD2(0.3, 0.3)))
            case 9 where world.surfaces.count == 2:
                world.surfaces.removeLast()
                world.events.append(.removed(id: 2))
            default: break
            }
            world.run(random.number(0.05...0.5))
        }
        return world
    }

    @Test(arguments: 1...16 as ClosedRange<UInt64>)
    func afterAnyLifeObjectsStandUprightOnTheirSurfacesWithinTheirOutline(_ seed: UInt64) {
        var world = live(seed: seed, seconds: 25)
        world.run(16)
        for object in world.session.objects {
            guard let surface = world.surfaces.first(where: { $0.id == object.surfaceID }) else {
                #expect(object.isProvisional)
                continue
            }
            #expect(lean(object, from: surface.normal) < 1e-6)
            let local = surface.worldFromSurface.inverse * object.worldFromObject.position
            #expect(abs(local.y) < 1e-6)
            #expect(!object.isProvisional && surface.contains(localPoint: SIMD2(local.x, local.z)))
            for other in world.session.objects where other.id > object.id && other.surfaceID == object.surfaceID {
                #expect(overlap(object, other) < 2e-3, "\(object.id) in \(other.id)")
            }
        }
        // Frames lie between the steps of the grid, which costs acceleration × step² in the measurement.
        #expect(world.largestSpeed() <= world.session.configuration.dragging.speed + 0.05)
        // Lengths and axes stay those of a rotation.
        for object in world.session.objects {
            let r = object.worldFromObject.rotation
            #expect(abs(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w - 1) < 1e-9)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func nothingEverJumps(_ seed: UInt64) {
        let world = live(seed: seed, seconds: 20)
        let limit = world.session.configuration.dragging
        for (a, b) in zip(world.trail, world.trail.dropFirst()) {
            for object in b.objects {
                guard let before = a.objects.first(where: { $0.id == object.id }) else { continue }
                let elapsed = b.seconds - a.seconds
                let distance = object.worldFromObject.position.distance(to: before.worldFromObject.position)
                #expect(distance <= limit.speed * elapsed + 2e-3)
                let turned = before.worldFromObject.rotation.inverse * object.worldFromObject.rotation
                #expect(turned.angleRadians <= (world.session.configuration.twisting.speed + 1) * elapsed + 4e-3)
                #expect(abs(log(object.scale / before.scale)) <= 14.0 * elapsed + 4e-3)
            }
        }
    }

    /// At the grid's own rate, speeds are seen as they are.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func speedNeverChangesAtOnce(_ seed: UInt64) {
        let world = live(seed: seed, seconds: 12, framesPerSecond: 250)
        let largest = world.session.configuration.dragging.acceleration
        let step = 1.0 / 250
        for ((a, b), c) in zip(zip(world.trail, world.trail.dropFirst()), world.trail.dropFirst(2)) {
            for object in c.objects {
                guard let middle = b.objects.first(where: { $0.id == object.id }),
                    let first = a.objects.first(where: { $0.id == object.id })
                else { continue }
                let before = middle.worldFromObject.position - first.worldFromObject.position
                let after = object.worldFromObject.position - middle.worldFromObject.position
                // What arrives gives up a last speed below the acceleration of one step.
                #expect((after - before).length / (step * step) <= 2 * largest + 1e-3)
            }
        }
    }

    @Test(arguments: [SIMD3(0.0, 0, 1), SIMD3(0.6, 0, 0.8), SIMD3(0.01, 0.02, 1)])
    func onAWallEveryGestureTurnsAboutTheWallsNormalOnly(_ normal: SIMD3<Double>) {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededRandom(seed)
            var world = World()
            let up = normal.normalized
            world.camera = World.camera(at: SIMD3(0, 1, 0) + up * 2, lookingAt: SIMD3(0, 1, 0))
            world.set(World.surface(center: SIMD3(0, 1, 0), normal: up, half: SIMD2(2, 2)))
            world.place(
                ObjectTemplate(
                    name: "picture", model: "box", size: SIMD3(0.4, 0.03, 0.3), scaling: .limited(0.5...2),
                    alignment: .vertical))
            for _ in 0..<8 {
                let spot = world.pixelOfObject
                switch random.next() % 4 {
                case 0: world.drag(from: spot, to: SIMD2(random.number(200...440), random.number(150...330)))
                case 1: world.turn(at: spot, degrees: random.number(-200...200))
                case 2: world.pinch(at: spot, scale: random.number(0.7...1.4))
                default: world.log += world.session.undo(world.context)
                }
                guard !world.session.objects.isEmpty else { break }
                #expect(world.trail.allSatisfy { $0.objects.allSatisfy { lean($0, from: up) < 1e-6 } })
                #expect(
                    world.trail.allSatisfy {
                        $0.objects.allSatisfy { abs(($0.worldFromObject.position - SIMD3(0, 1, 0)).dot(up)) < 1e-6 }
                    })
            }
        }
    }

    @Test func theSameLifeIsLivedTheSameWayTwice() {
        let a = live(seed: 3, seconds: 15)
        let b = live(seed: 3, seconds: 15)
        #expect(a.session.objects == b.session.objects && a.log == b.log && a.session.marks == b.session.marks)
    }

    /// What an object does while a surface changes in the middle of a gesture.
    @Test(arguments: ["shrinks", "grows", "tilts", "moves", "merges", "vanishes", "tracking is lost"])
    func whateverHappensToTheSurfaceDuringADragTheObjectStaysInHand(_ event: String) {
        var world = World()
        world.set(World.surface(half: SIMD2(1.2, 1.2)))
        world.place(.box)
        world.run(0.5)
        world.trail = []
        let start = world.pixelOfObject
        let camera = world.camera
        world.handle(.drag(.began, start: start, at: start))
        for step in 1...40 {
            if step == 15 {
                switch event {
                case "shrinks": world.set(World.surface(half: SIMD2(0.15, 1.2)))
                case "grows": world.set(World.surface(half: SIMD2(3, 3)))
                case "tilts": world.set(World.surface(normal: SIMD3(0.06, 1, 0.03), half: SIMD2(1.2, 1.2)))
                case "moves": world.set(World.surface(center: SIMD3(0, 0.04, 0), half: SIMD2(1.2, 1.2)))
                case "merges":
                    let into = World.surface(id: 7, center: SIMD3(0, 0.01, 0), half: SIMD2(2, 2))
                    world.surfaces = [into]
                    world.events = [.merged(id: 1, into: into)]
                case "vanishes":
                    world.surfaces = []
                    world.events = [.removed(id: 1)]
                default: world.camera = nil
                }
            }
            if step == 25 { world.camera = camera }
            world.handle(.drag(.changed, start: start, at: start + SIMD2(2.5 * Double(step), 0)))
            world.frame()
        }
        world.run(0.3)
        #expect(world.pixelOfObject.distance(to: start + SIMD2(100, 0)) < 1, "under the finger")
        world.handle(.drag(.ended, start: start, at: start + SIMD2(100, 0)))
        world.run(14)
        #expect(world.largestSpeed() <= world.session.configuration.dragging.speed)
        if let surface = world.surfaces.first {
            let local = surface.worldFromSurface.inverse * world.object.worldFromObject.position
            #expect(abs(local.y) < 1e-6 && surface.contains(localPoint: SIMD2(local.x, local.z)))
            #expect(lean(world.object, from: surface.normal) < 1e-6 && !world.object.isProvisional)
        } else {
            #expect(world.object.isProvisional)
        }
    }

    @Test func anObjectsHeadingIsNotAlignedToTheEdge() {
        // R14: the same tap on the same place of a square floor, however the square lies.
        let headings = [0.0, 0.3, 0.7].map { turn -> SIMD3<Double> in
            var world = World()
            var surface = World.surface()
            surface.worldFromSurface.rotation = Rotation(axis: .unitY, angleRadians: turn)
            world.set(surface)
            world.place(.box, at: SIMD2(380, 260))
            world.run(3)
            return world.object.worldFromObject.rotation * .unitZ
        }
        #expect(headings.allSatisfy { $0.distance(to: headings[0]) < 1e-9 })
    }

    @Test func aThousandObjectsFollowTheirFloorInAFewFrames() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0, 4, 3))
        world.set(World.surface(half: SIMD2(40, 40)))
        let pin = ObjectTemplate(name: "pin", model: "box", size: SIMD3(0.01, 0.05, 0.01))
        for index in 0..<1000 {
            world.place(pin, at: SIMD2(20 + 600 * Double(index % 40) / 40, 140 + 320 * Double(index / 40) / 25))
        }
        #expect(world.session.objects.count == 1000)
        world.run(7)
        world.set(World.surface(center: SIMD3(0, 0.004, 0), half: SIMD2(40, 40)))
        world.run(3)
        #expect(world.session.objects.allSatisfy { abs($0.worldFromObject.position.y - 0.004) < 1e-9 })
    }
}
