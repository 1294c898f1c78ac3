import FootholdScene
import Foundation

extension PlacementSession {
    /// Objects that are brought in line with their changed surface in one frame.
    private static let followsPerFrame = 100

    /// Brings objects in line with what became of their surfaces.
    mutating func reconcile(_ context: PlacementContext) -> PlacementOutput {
        for event in context.surfaceEvents {
            switch event {
            case .merged(let id, let into):
                history.replaceSurface(id, with: into.id)
                for index in standing.indices where standing[index].surfaceID == id {
                    standing[index].surfaceID = into.id
                    standing[index].surfaceVersionNanoseconds = .min
                }
            case .removed(let id):
                history.replaceSurface(id, with: nil)
                for index in standing.indices where standing[index].surfaceID == id { standing[index].detach() }
            case .added, .updated:
                break
            }
        }
        guard !standing.isEmpty else { return PlacementOutput() }
        var surfaces: [Int: PlaneAnchor] = [:]
        for surface in context.surfaces { surfaces[surface.id] = surface }
        var lookups = 0
        for offset in standing.indices {
            let index = (followStart + offset) % standing.count
            if standing[index].aim != nil, standing[index].basis == .surface, !isRecent(standing[index]) {
                standing[index].aim = nil
            }
            guard let id = standing[index].surfaceID else { continue }
            guard let surface = surfaces[id] else {
                // Gone without an event: the same as removed.
                standing[index].detach()
                continue
            }
            guard !isHeld(standing[index].id) else { continue }
            if standing[index].surfaceVersionNanoseconds != surface.lastUpdatedNanoseconds {
                // What a tap may still come to mean elsewhere costs more.
                lookups += isRecent(standing[index]) ? 10 : 1
                // With hundreds of objects on one surface, the rest follows in the next frames.
                if lookups > Self.followsPerFrame {
                    followStart = index
                    return PlacementOutput()
                }
                standing[index].surfaceVersionNanoseconds = surface.lastUpdatedNanoseconds
                follow(index, surface)
            }
            if standing[index].offEdgeNanoseconds != nil { nudgeIfDue(index, surface) }
        }
        followStart = 0
        return PlacementOutput()
    }

    /// Takes an object along with its surface, or leaves it when the surface went too far.
    private mutating func follow(_ index: Int, _ surface: PlaneAnchor) {
        let object = standing[index]
        let height = surface.height(of: object.motion.target)
        let isRecent = isRecent(object)
        var point = object.motion.target - surface.normal * height
        if isRecent, let aim = object.aim,
            -aim.direction.dot(surface.normal) >= sin(configuration.minimumGrazingAngleRadians),
            let distance = aim.distance(toPlaneThrough: surface.center, normal: surface.normal)
        {
            point = aim.point(at: distance)
            // A tap may come to mean a place where somebody stands already.
            if point.distance(to: object.motion.target) > 1e-6 {
                point = freePoint(for: object, at: point, on: surface.worldFromSurface, outline: surface) ?? point
            }
        }
        if abs(height) > configuration.adoptionDistance && !isRecent {
            standing[index].detach()
            return
        }
        let target = PlacementTarget(
            basis: object.basis, point: point, normal: surface.normal, surfaceID: surface.id)
        guard
            point.distance(to: object.motion.target) > 1e-9
                || surface.normal.distance(to: object.upright.targetUp) > 1e-9
        else {
            // Nothing but the outline changed.
            checkSupport(index, surface)
            return
        }
        // What is still on its way keeps its pace; what stood is moved so slowly that nobody sees it.
        let isOnItsWay =
            object.purpose != .following && object.motion.position.distance(to: object.motion.target) > 0.01
        let isSmall = abs(height) <= configuration.adoptionDistance
        standing[index].move(to: target, purpose: isOnItsWay ? object.purpose : isSmall ? .following : .settling)
        checkSupport(index, surface)
    }

    /// Notes whether an object has enough of its surface under it.
    mutating func checkSupport(_ index: Int, _ surface: PlaneAnchor) {
        let footprint = footprint(of: standing[index], on: surface.worldFromSurface)
        var isSupported = surface.contains(localPoint: footprint.center)
        // Far from the edge nothing needs counting.
        if isSupported, let edge = Polygon.nearestPoint(surface.boundary, to: footprint.center),
            edge.distance(to: footprint.center) < footprint.halfExtent.length
        {
            isSupported = footprint.support(in: surface.boundary) >= configuration.minimumSupport
        }
        if isSupported {
            standing[index].offEdgeNanoseconds = nil
            standing[index].basis = .surface
        } else if standing[index].offEdgeNanoseconds == nil {
            standing[index].offEdgeNanoseconds = now
        }
    }

    /// Moves an object that lies past the edge back onto its surface, after the edge had time to grow.
    private mutating func nudgeIfDue(_ index: Int, _ surface: PlaneAnchor) {
        guard let since = standing[index].offEdgeNanoseconds,
            seconds(since: since) >= configuration.nudgeDelaySeconds
        else { return }
        let footprint = footprint(of: standing[index], on: surface.worldFromSurface)
        let inside = Polygon.pointWithin(
            surface.boundary, near: footprint.center, inset: footprint.halfExtent.min() * 0.6)
        let wanted = surface.worldFromSurface * SIMD3(inside.x, 0, inside.y)
        let point =
            freePoint(for: standing[index], at: wanted, on: surface.worldFromSurface, outline: surface) ?? wanted
        standing[index].aim = nil
        standing[index].offEdgeNanoseconds = nil
        standing[index].move(
            to: PlacementTarget(basis: .surface, point: point, normal: surface.normal, surfaceID: surface.id),
            purpose: .nudging)
    }

    /// True in the first seconds after placing, while the tap may still turn out to mean another place.
    private func isRecent(_ object: StandingObject) -> Bool {
        seconds(since: object.placedNanoseconds) <= configuration.refinementSeconds
    }

    func seconds(since nanoseconds: Int64) -> Double { Double(now - nanoseconds) / 1e9 }
}
