import FootholdScene
import Foundation

/// Objects keep out of each other's way: by where they are put, and by the way that they take there.
extension PlacementSession {
    /// What stands higher than this above the ground, or reaches less far above it, is in nobody's way. Metres.
    private static let clearance = 0.005
    /// What reaches deeper into another than this is past sliding along it. Metres.
    private static let deepest = 0.03
    /// How far a way keeps off what it leads around.
    private static let berth = 0.012

    /// What the object will cover when it has come to rest.
    func footprint(of object: StandingObject, on worldFromGround: Pose) -> Footprint {
        Footprint(size: object.scaledSize, worldFromObject: object.targetPose, on: worldFromGround)
    }

    /// The ground under an object: its surface, or the plane that it would stand on.
    func ground(under object: StandingObject, _ surface: PlaneAnchor?) -> Pose {
        surface?.worldFromSurface ?? object.targetPose
    }

    /// The footprints of what stands within reach of a point of the ground, other than one object.
    func obstacles(
        for object: StandingObject, near point: SIMD3<Double>, on worldFromGround: Pose, within range: Double
    ) -> [Footprint] {
        let height = object.scaledSize.y
        let reach = object.reach + range
        var found: [Footprint] = []
        for index in standing.indices where standing[index].id != object.id {
            let limit = reach + standing[index].span
            guard (standing[index].motion.target - point).lengthSquared < limit * limit else { continue }
            if let footprint = obstacle(standing[index], on: worldFromGround, height: height) {
                found.append(footprint)
            }
        }
        return found
    }

    /// What an object covers of the layer between the ground and a height above it; nil when it is not in there.
    private func obstacle(_ object: StandingObject, on worldFromGround: Pose, height: Double) -> Footprint? {
        let size = object.scaledSize
        let pose = object.targetPose
        let groundFromObject = worldFromGround.inverse * pose
        let isUpright = (groundFromObject.rotation * .unitY).y > 0.98
        if isUpright {
            let foot = groundFromObject.position.y
            guard foot < height - Self.clearance, foot + size.y > Self.clearance else { return nil }
            return Footprint(size: size, worldFromObject: pose, on: worldFromGround)
        }
        var corners: [SIMD3<Double>] = []
        for x in [-size.x / 2, size.x / 2] {
            for y in [0, size.y] {
                for z in [-size.z / 2, size.z / 2] { corners.append(groundFromObject * SIMD3(x, y, z)) }
            }
        }
        guard let low = corners.map(\.y).min(), let high = corners.map(\.y).max(), low < height - Self.clearance,
            high > Self.clearance
        else { return nil }
        return Footprint(around: corners.map { SIMD2($0.x, $0.z) })
    }

    // MARK: Where there is room

    /// The nearest place on the ground where the object stands in no other one's way, within the outline when the wish
    /// was; nil when there is none within a metre or so.
    ///
    /// - Parameters:
    ///   - outline: of the surface, when the ground is one.
    ///   - isThorough: also look further around when pushing aside leads nowhere.
    func freePoint(
        for object: StandingObject, at point: SIMD3<Double>, on worldFromGround: Pose, outline: PlaneAnchor?,
        isThorough: Bool = true
    ) -> SIMD3<Double>? {
        let others = obstacles(for: object, near: point, on: worldFromGround, within: 1)
        guard !others.isEmpty else { return point }
        var mover = object
        mover.resting = nil
        mover.motion.target = point
        mover.upright.targetUp = worldFromGround.rotation * .unitY
        var footprint = footprint(of: mover, on: worldFromGround)
        let wish = footprint.center
        let wasInside = outline?.contains(localPoint: wish) ?? false
        func isFree(_ center: SIMD2<Double>) -> Bool {
            footprint.center = center
            return others.allSatisfy { footprint.separation(from: $0) == nil }
                && (!wasInside || outline?.contains(localPoint: center) ?? true)
        }
        if isFree(wish) { return point }
        func inWorld(_ center: SIMD2<Double>) -> SIMD3<Double> { worldFromGround * SIMD3(center.x, 0, center.y) }
        footprint.center = wish
        for _ in 0..<24 {
            let pushes = others.compactMap { footprint.separation(from: $0) }
            guard let push = pushes.max(by: { $0.length < $1.length }) else { break }
            footprint.center += push * (1 + 1e-3 / max(1e-3, push.length))
        }
        let pushed = footprint.center
        if isFree(pushed) { return inWorld(pushed) }
        guard isThorough else { return nil }
        // Pushing led back and forth, or over the edge: the nearest of the places around.
        let step = max(0.02, 0.5 * footprint.halfExtent.min())
        for ring in 1...24 {
            for spoke in 0..<16 {
                let angle = Double(spoke) * .pi / 8
                let candidate = wish + SIMD2(cos(angle), sin(angle)) * (step * Double(ring))
                if isFree(candidate) { return inWorld(candidate) }
            }
            if step * Double(ring) > 1 { break }
        }
        return nil
    }

    /// Sees to it that an object that was turned, resized or exchanged where it stands is in nobody's way: it gives way
    /// along its surface. False when there is no room.
    mutating func makeRoom(_ index: Int, around anchor: SIMD3<Double>, _ context: PlacementContext) -> Bool {
        let object = standing[index]
        let surface = surface(object.surfaceID, in: context)
        guard
            let free = freePoint(
                for: object, at: anchor, on: ground(under: object, surface), outline: surface, isThorough: false)
        else { return false }
        guard free.distance(to: object.motion.target) > 1e-6 else { return true }
        standing[index].move(
            to: PlacementTarget(
                basis: object.basis, point: free, normal: object.upright.targetUp, surfaceID: object.surfaceID),
            purpose: .nudging)
        standing[index].aim = nil
        return true
    }

    // MARK: The way there

    /// Leads what slides over a surface around what stands there.
    mutating func findWays(_ context: PlacementContext) {
        guard standing.count > 1 else { return }
        var lookups = 0
        for index in standing.indices {
            let object = standing[index]
            switch object.purpose {
            case .dragging, .nudging, .transferring: break
            case .settling, .following: continue
            }
            guard !object.motion.isAtRest, lookups < 16 else {
                standing[index].detour = []
                continue
            }
            lookups += 1
            standing[index].detour = detour(
                for: object, on: ground(under: object, surface(object.surfaceID, in: context)))
        }
    }

    /// Where to head first on the way to the object's target; empty when the straight way is free.
    private func detour(for object: StandingObject, on worldFromGround: Pose) -> [SIMD3<Double>] {
        let inverse = worldFromGround.inverse
        let start = inverse * object.motion.position
        let end = inverse * object.motion.target
        let way = SIMD2(end.x - start.x, end.z - start.z)
        // Between two levels there is nothing to go around.
        guard abs(start.y) < 0.02, abs(end.y) < 0.02, way.length > 0.01 else { return [] }
        var from = SIMD2(start.x, start.z)
        let to = SIMD2(end.x, end.z)
        var mover = footprint(of: object, on: worldFromGround)
        mover.center = from
        let range = way.length
        let others = obstacles(for: object, near: object.motion.position, on: worldFromGround, within: range)
            .compactMap { obstacle -> Footprint? in
                // Out of what it brushes it goes the shortest way; what it is deep in it may leave in any direction.
                if let push = mover.separation(from: obstacle) {
                    guard push.length < Self.deepest else { return nil }
                    mover.center += push * (1 + 1e-3 / max(1e-3, push.length))
                }
                // Sliding along something is not running into it.
                var obstacle = obstacle
                obstacle.halfExtent -= SIMD2(repeating: 1e-3)
                return obstacle.halfExtent.min() > 0 ? obstacle : nil
            }
        let origin = from
        from = mover.center
        func inWorld(_ points: [SIMD2<Double>]) -> [SIMD3<Double>] {
            let isOut = from.distance(to: origin) < 3e-3
            return ((isOut ? [] : [from]) + points).map { worldFromGround * SIMD3($0.x, 0, $0.y) }
        }
        guard !others.isEmpty, let obstacle = firstMet(mover, from, to, others) else { return inWorld([]) }
        let reach = SIMD2(
            obstacle.halfExtent.x + mover.radius(along: obstacle.axisX) + Self.berth,
            obstacle.halfExtent.y + mover.radius(along: obstacle.axisZ) + Self.berth)
        let corners = [SIMD2(-1.0, -1.0), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)].map {
            obstacle.center + obstacle.axisX * ($0.x * reach.x) + obstacle.axisZ * ($0.y * reach.y)
        }
        var best: (length: Double, corners: [SIMD2<Double>])?
        for (index, corner) in corners.enumerated() where firstMet(mover, from, corner, [obstacle]) == nil {
            var way = [corner]
            if firstMet(mover, corner, to, [obstacle]) != nil {
                let next = [corners[(index + 1) % 4], corners[(index + 3) % 4]]
                func length(_ second: SIMD2<Double>) -> Double { corner.distance(to: second) + second.distance(to: to) }
                way.append(length(next[0]) <= length(next[1]) ? next[0] : next[1])
            }
            let points = [from] + way + [to]
            let length = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
            // A corner that is reached is done with.
            if from.distance(to: corner) < 0.01 { way.removeFirst() }
            if length < best?.length ?? .infinity { best = (length, way) }
        }
        return inWorld(best?.corners ?? [])
    }

    /// The obstacle that is met first on a straight way.
    private func firstMet(
        _ mover: Footprint, _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ others: [Footprint]
    ) -> Footprint? {
        var mover = mover
        let step = max(0.01, 0.3 * mover.halfExtent.min())
        let count = min(64, max(1, Int((from.distance(to: to) / step).rounded(.up))))
        for index in 1...count {
            mover.center = from + (to - from) * (Double(index) / Double(count))
            if let met = others.first(where: { mover.separation(from: $0) != nil }) { return met }
        }
        return nil
    }
}
