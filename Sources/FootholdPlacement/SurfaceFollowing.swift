import Foundation
import FootholdScene

extension PlacementSession {
    /// Brings objects in line with what became of their surfaces.
    mutating func reconcile(_ context: PlacementContext) -> PlacementOutput {
        for event in context.surfaceEvents {
            switch event {
            case .merged(let id, let into):
                for index in standing.indices where standing[index].surfaceID == id {
                    standing[index].surfaceID = into.id
                    standing[index].surfaceVersionNanoseconds = .min
                }
            case .removed(let id):
                for index in standing.indices where standing[index].surfaceID == id { standing[index].detach() }
            case .added, .updated:
                break
            }
        }
        guard !standing.isEmpty else { return PlacementOutput() }
        var surfaces: [Int: PlaneAnchor] = [:]
        for surface in context.surfaces { surfaces[surface.id] = surface }
        for index in standing.indices {
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
                standing[index].surfaceVersionNanoseconds = surface.lastUpdatedNanoseconds
                follow(index, surface)
            }
            if standing[index].offEdgeNanoseconds != nil { nudgeIfDue(index, surface) }
        }
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
        }
        if abs(height) > configuration.adoptionDistance && !isRecent {
            standing[index].detach()
            return
        }
        let target = PlacementTarget(
            basis: object.basis, point: point, normal: surface.normal, surfaceID: surface.id)
        // What is still on its way keeps its pace; what stood is moved so slowly that nobody sees it.
        let isOnItsWay = !object.motion.isAtRest && object.purpose != .following
        let isSmall = abs(height) <= configuration.adoptionDistance
        standing[index].move(to: target, purpose: isOnItsWay ? object.purpose : isSmall ? .following : .settling)
        checkSupport(index, surface)
    }

    /// Notes whether an object has enough of its surface under it.
    mutating func checkSupport(_ index: Int, _ surface: PlaneAnchor) {
        let footprint = footprint(of: standing[index], on: surface)
        let isSupported =
            surface.contains(localPoint: footprint.center)
            && footprint.support(in: surface.boundary) >= configuration.minimumSupport
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
        let footprint = footprint(of: standing[index], on: surface)
        let inside = Polygon.pointWithin(
            surface.boundary, near: footprint.center, inset: footprint.halfExtent.min() * 0.6)
        let wanted = surface.worldFromSurface * SIMD3(inside.x, 0, inside.y)
        let point = freePoint(for: standing[index], at: wanted, on: surface) ?? wanted
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

    /// What the object will cover when it has come to rest.
    func footprint(of object: StandingObject, on surface: PlaneAnchor) -> Footprint {
        Footprint(size: object.scaledSize, worldFromObject: object.targetPose, on: surface)
    }

    /// The nearest place on the surface where the object stands in no other one's way, within the outline where the
    /// wish was; nil when there is none within a metre or so.
    func freePoint(
        for object: StandingObject, at point: SIMD3<Double>, on surface: PlaneAnchor
    ) -> SIMD3<Double>? {
        let reach = object.reach
        let neighbours = standing.filter {
            $0.id != object.id && $0.surfaceID == surface.id
                && $0.motion.target.distance(to: point) < reach + $0.reach + 1
        }
        guard !neighbours.isEmpty else { return point }
        var mover = object
        mover.motion.target = point
        mover.upright.targetUp = surface.normal
        var footprint = footprint(of: mover, on: surface)
        let wish = footprint.center
        let others = neighbours.map { self.footprint(of: $0, on: surface) }
        let wasInside = surface.contains(localPoint: wish)
        for _ in 0..<24 {
            let pushes = others.compactMap { footprint.separation(from: $0) }
            guard let push = pushes.max(by: { $0.length < $1.length }) else {
                guard !wasInside || surface.contains(localPoint: footprint.center) else { return nil }
                return footprint.center == wish
                    ? point : surface.worldFromSurface * SIMD3(footprint.center.x, 0, footprint.center.y)
            }
            footprint.center += push * (1 + 1e-3 / max(1e-3, push.length))
        }
        return nil
    }
}
