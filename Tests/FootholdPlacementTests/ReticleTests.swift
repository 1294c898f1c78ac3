import FootholdPlacement
import Foundation
import Testing

/// R12: the targeting indicator tells what the middle of the picture looks at.
@Suite struct ReticleTests {
    private enum Shape: Equatable {
        case hidden, searching
        case surface(PlaneAnchor.Alignment, Bool)
        case unsuitable
    }

    private func shape(_ world: World) -> Shape {
        switch world.session.reticle {
        case .hidden: .hidden
        case .searching: .searching
        case .onSurface(_, let alignment, let isConfirmed): .surface(alignment, isConfirmed)
        case .unsuitable: .unsuitable
        }
    }

    @Test func itSearchesUntilASurfaceIsFoundAndThenLiesOnIt() throws {
        var world = World()
        world.run(0.5)
        #expect(shape(world) == .searching)
        world.set(World.surface())
        world.run(0.5)
        #expect(shape(world) == .surface(.horizontal, true))
        guard case .onSurface(let pose, _, _) = world.session.reticle else { return }
        #expect(abs(pose.position.y) < 1e-3 && (pose.rotation * .unitY).dot(.unitY) > 1 - 1e-9)
        #expect(world.pixel(pose.position).distance(to: SIMD2(319.5, 239.5)) < 0.5)
    }

    @Test func onAWallItStandsUpright() {
        var world = World()
        world.camera = World.camera(at: SIMD3(0.4, 1, 2), lookingAt: SIMD3(0, 1, 0))
        world.set(World.surface(center: SIMD3(0, 1, 0), normal: .unitZ))
        world.run(0.5)
        #expect(shape(world) == .surface(.vertical, true))
    }

    @Test func whatIsNotFlatEnoughHasAShapeOfItsOwn() {
        var world = World()
        world.set(World.surface(normal: SIMD3(0, 1, 1)))
        world.run(0.5)
        #expect(shape(world) == .unsuitable)
    }

    @Test func aGuessedPlaneShowsThatItIsOne() {
        var world = World()
        world.estimates = [
            RaycastResult(
                target: .estimatedPlane, distance: 2, pointInWorld: .zero, normal: .unitY, surfaceID: nil,
                confidence: 0.8)
        ]
        world.run(0.5)
        #expect(shape(world) == .surface(.horizontal, false))
    }

    @Test func aSurfaceThatFlickersDoesNotMakeItFlicker() {
        var world = World()
        world.set(World.surface())
        world.run(0.5)
        var changes = 0
        var last = shape(world)
        for index in 0..<60 {
            world.surfaces = index % 3 == 0 ? [] : [World.surface()]
            world.frame()
            if shape(world) != last { changes += 1 }
            last = shape(world)
        }
        #expect(changes == 0)
    }

    @Test func itMakesRoomForWhatIsInHandOrInItsPlace() {
        var world = World()
        world.set(World.surface(half: SIMD2(2, 2)))
        world.run(0.5)
        world.place(.box, at: SIMD2(319.5, 239.5))
        world.frame()
        #expect(shape(world) == .hidden)
        world.drag(from: world.pixelOfObject, to: SIMD2(480, 300))
        world.run(0.5)
        #expect(shape(world) == .surface(.horizontal, true))
        world.handle(.drag(.began, start: world.pixelOfObject, at: world.pixelOfObject))
        world.frame()
        #expect(shape(world) == .hidden)
    }
}
