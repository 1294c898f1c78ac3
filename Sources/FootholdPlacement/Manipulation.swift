import Foundation
import FootholdScene

/// An object in somebody's hand.
struct Manipulation: Hashable, Sendable {
    var objectID: Int
    /// How it was when it was picked up, for taking everything back.
    var before: StandingObject
    /// Set while one finger drags it.
    var drag: Drag?
    /// Heading and logarithm of the size when the turn or pinch was recognised.
    var headingBase: Double?
    var sizeBase: Double?
    var hasMoved = false
    var hasTurned = false
    var hasScaled = false
    /// The limit that the object is at, so that each contact is felt once.
    var limit: Limit?

    enum Limit: Hashable, Sendable { case reach, size }

    struct Drag: Hashable, Sendable {
        /// From the finger to the object's foot in the picture, as it was picked up.
        var offset: SIMD2<Double>
        var pixel: SIMD2<Double>
        /// Another surface under the finger, and since when.
        var candidateID: Int?
        var candidateNanoseconds: Int64 = 0
    }
}

extension PlacementSession {
    /// Carries out what a person meant by touching.
    ///
    /// A tap selects what it touches, or places ``templateForTaps``. A drag that begins on an object moves it over its
    /// surface, pinch and turn change the one between the fingers or the selected one. A shake undoes nothing by
    /// itself: an app offers that.
    public mutating func handle(_ gesture: Gesture, context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        switch gesture {
        case .tap(let pixel): return tap(pixel, context)
        case .doubleTap(let pixel): return touched(pixel, context).map { select($0) } ?? PlacementOutput()
        case .hold(let pixel): return touched(pixel, context).map { select($0) } ?? PlacementOutput()
        case .drag(let phase, let start, let pixel): return drag(phase, start, pixel, context)
        case .turn(let phase, let center, let radians): return turn(phase, center, radians, context)
        case .pinch(let phase, let center, let scale): return pinch(phase, center, scale, context)
        case .shake: return PlacementOutput()
        }
    }

    /// The object that a touch is on, by its id.
    public func object(at pixel: SIMD2<Double>, context: PlacementContext) -> Int? { touched(pixel, context) }

    /// Selects one object, and deselects all others; nil deselects all.
    public mutating func select(_ id: Int?) -> PlacementOutput {
        var output = PlacementOutput()
        for index in standing.indices {
            let isSelected = standing[index].id == id
            guard standing[index].isSelected != isSelected else { continue }
            standing[index].isSelected = isSelected
            guard isSelected else { continue }
            output.objectEvents.append(ObjectEvent(kind: .selected, object: standing[index].snapshot))
            output.feedback.append(event(.selection, standing[index].id, intensity: 0.5))
        }
        return output
    }

    private func touched(_ pixel: SIMD2<Double>, _ context: PlacementContext) -> Int? {
        HitTest(configuration: configuration, pixelsPerPoint: pixelsPerPoint)
            .object(at: pixel, among: standing, in: context)
    }

    private mutating func tap(_ pixel: SIMD2<Double>, _ context: PlacementContext) -> PlacementOutput {
        if let id = touched(pixel, context) { return select(id) }
        if let template = templateForTaps { return place(template, atPixel: pixel, context: context) }
        return select(nil)
    }

    // MARK: Moving

    private mutating func drag(
        _ phase: Gesture.Phase, _ start: SIMD2<Double>, _ pixel: SIMD2<Double>, _ context: PlacementContext
    ) -> PlacementOutput {
        var output = PlacementOutput()
        if phase == .began {
            output += letGo()
            guard let camera = context.worldFromCamera, let id = touched(start, context), let index = index(of: id),
                let foot = context.intrinsics.project(
                    worldPoint: standing[index].worldFromObject.position, worldFromCamera: camera)
            else { return output }
            manipulation = Manipulation(objectID: id, before: standing[index])
            manipulation?.drag = Manipulation.Drag(offset: foot - start, pixel: pixel)
            output += select(id)
        }
        guard manipulation?.drag != nil else { return output }
        manipulation?.drag?.pixel = pixel
        output += hold(context)
        switch phase {
        case .began, .changed: break
        case .ended: output += letGo()
        case .cancelled: takeBack()
        }
        return output
    }

    /// Keeps the held object under the finger, whatever the camera does meanwhile.
    mutating func hold(_ context: PlacementContext) -> PlacementOutput {
        guard let held = manipulation, let drag = held.drag, let index = index(of: held.objectID),
            let ray = context.ray(through: drag.pixel + drag.offset)
        else { return PlacementOutput() }
        let template = standing[index].template
        var surface = surface(standing[index].surfaceID, in: context)
        // Onto another surface when the finger clearly is there.
        let seen = resolver.resolve(ray, for: template, in: context)
        if let seen, seen.basis == .surface, seen.surfaceID != surface?.id {
            if drag.candidateID != seen.surfaceID {
                manipulation?.drag?.candidateID = seen.surfaceID
                manipulation?.drag?.candidateNanoseconds = now
            } else if seconds(since: drag.candidateNanoseconds) >= configuration.surfaceSwitchSeconds {
                surface = self.surface(seen.surfaceID, in: context)
                standing[index].surfaceID = seen.surfaceID
                standing[index].purpose = .transferring
                manipulation?.drag?.candidateID = nil
            }
        } else {
            manipulation?.drag?.candidateID = nil
        }
        let normal = surface?.normal ?? standing[index].upright.targetUp
        let ground = surface?.center ?? standing[index].motion.target
        guard var point = reach(ray, ground: ground, normal: normal) else { return atLimit(.reach) }
        var aim: Ray? = ray
        if let surface {
            guard let free = freePoint(for: standing[index], at: point, on: surface) else { return atLimit(.reach) }
            // Beside another object it is not where the finger points; then only the place itself counts.
            if free != point { aim = nil }
            point = free
        }
        let isTransferring =
            standing[index].purpose == .transferring && standing[index].motion.position.distance(to: point) > 0.02
        let target = PlacementTarget(
            basis: surface == nil ? .instant : .extended, point: point, normal: normal, surfaceID: surface?.id)
        standing[index].move(to: target, purpose: isTransferring ? .transferring : .dragging)
        standing[index].aim = aim
        standing[index].offEdgeNanoseconds = nil
        manipulation?.hasMoved = true
        if let surface { checkSupport(index, surface) }
        let camera = context.worldFromCamera?.position ?? point
        guard camera.distance(to: point) > configuration.maximumDistance * 0.999 else {
            manipulation?.limit = nil
            return PlacementOutput()
        }
        return atLimit(.reach)
    }

    /// Where the finger's ray meets the ground, no further away than is sensible; nil above the horizon.
    private func reach(_ ray: Ray, ground: SIMD3<Double>, normal: SIMD3<Double>) -> SIMD3<Double>? {
        guard let distance = ray.distance(toPlaneThrough: ground, normal: normal),
            abs(ray.direction.dot(normal)) > 0.02
        else { return nil }
        if distance <= configuration.maximumDistance { return ray.point(at: distance) }
        // As far as is allowed in this direction, but on the ground.
        let height = (ray.origin - ground).dot(normal)
        let foot = ray.origin - normal * height
        let along = ray.point(at: distance) - foot
        let span = (configuration.maximumDistance * configuration.maximumDistance - height * height)
        guard span > 0 else { return nil }
        return foot + along.normalized * span.squareRoot()
    }

    private mutating func atLimit(_ limit: Manipulation.Limit) -> PlacementOutput {
        guard manipulation != nil, manipulation?.limit != limit else { return PlacementOutput() }
        manipulation?.limit = limit
        return feedback(.warning, manipulation?.objectID)
    }

    // MARK: Turning and scaling

    private mutating func grasp(_ center: SIMD2<Double>, _ context: PlacementContext) -> Int? {
        if let held = manipulation, held.drag == nil { return index(of: held.objectID) }
        guard let id = touched(center, context) ?? standing.first(where: \.isSelected)?.id,
            let index = index(of: id)
        else { return nil }
        manipulation = Manipulation(objectID: id, before: standing[index])
        standing[index].isTwisted = true
        return index
    }

    private mutating func turn(
        _ phase: Gesture.Phase, _ center: SIMD2<Double>, _ radians: Double, _ context: PlacementContext
    ) -> PlacementOutput {
        var output = PlacementOutput()
        if phase == .began {
            if manipulation?.drag != nil { output += letGo() }
            guard let index = grasp(center, context) else { return output }
            manipulation?.headingBase = standing[index].heading.target
        }
        guard let held = manipulation, let base = held.headingBase, let index = index(of: held.objectID) else {
            return output
        }
        // Clockwise on the picture is clockwise seen from above the surface; from below it is the other way round.
        let view = context.worldFromCamera.map { standing[index].motion.position - $0.position } ?? -.unitY
        let sense: Double = view.dot(standing[index].upright.up) < 0 ? -1 : 1
        standing[index].heading.target = base + sense * radians
        standing[index].isUnsettled = true
        manipulation?.hasTurned = true
        return output + finish(phase)
    }

    private mutating func pinch(
        _ phase: Gesture.Phase, _ center: SIMD2<Double>, _ scale: Double, _ context: PlacementContext
    ) -> PlacementOutput {
        var output = PlacementOutput()
        if phase == .began {
            if manipulation?.drag != nil { output += letGo() }
            guard let index = grasp(center, context) else { return output }
            manipulation?.sizeBase = standing[index].size.target
        }
        guard let held = manipulation, let base = held.sizeBase, let index = index(of: held.objectID), scale > 0 else {
            return output
        }
        let range = standing[index].template.scaling.range
        let wanted = base + log(scale)
        let allowed = min(log(range.upperBound), max(log(range.lowerBound), wanted))
        let excess = wanted - allowed
        // Gives way a little, ever less, and springs back when let go.
        standing[index].size.target = allowed + configuration.elasticity * tanh(excess / 0.5)
        standing[index].isUnsettled = true
        if abs(excess) > 0.02 {
            if held.limit != .size {
                manipulation?.limit = .size
                // Furniture refuses; a toy is merely at its limit.
                output += feedback(range.lowerBound == range.upperBound ? .error : .warning, held.objectID)
            }
        } else {
            manipulation?.limit = nil
        }
        manipulation?.hasScaled = true
        return output + finish(phase)
    }

    private mutating func finish(_ phase: Gesture.Phase) -> PlacementOutput {
        switch phase {
        case .began, .changed: return PlacementOutput()
        case .ended: return letGo()
        case .cancelled:
            takeBack()
            return PlacementOutput()
        }
    }

    // MARK: Letting go

    /// Ends whatever is going on, tells it, and remembers it as one change.
    mutating func letGo() -> PlacementOutput {
        guard let held = manipulation else { return PlacementOutput() }
        manipulation = nil
        var output = PlacementOutput()
        guard let index = index(of: held.objectID) else { return output }
        let range = standing[index].template.scaling.range
        standing[index].isTwisted = false
        standing[index].size.target = min(log(range.upperBound), max(log(range.lowerBound), standing[index].size.target))
        if held.hasMoved {
            standing[index].placedNanoseconds = now
            standing[index].surfaceVersionNanoseconds = .min
        }
        var after = standing[index]
        if held.hasTurned {
            after.attention?.restHeading = after.heading.target
            standing[index] = after
        }
        let before = held.before
        var kinds: [ObjectEvent.Kind] = []
        if held.hasMoved, after.motion.target.distance(to: before.motion.target) > 1e-4 { kinds.append(.moved) }
        if held.hasTurned, abs(after.heading.target - before.heading.target) > 1e-4 { kinds.append(.turned) }
        if held.hasScaled, abs(after.size.target - before.size.target) > 1e-4 { kinds.append(.scaled) }
        for kind in kinds { output.objectEvents.append(ObjectEvent(kind: kind, object: after.snapshot)) }
        if let kind = kinds.first { history.record(.altered(kind, before: before, after: after)) }
        if held.hasMoved, after.surfaceID != nil { output.feedback.append(event(.impact, after.id, intensity: 0.6)) }
        return output
    }

    /// Undoes what was going on, as if it had never begun.
    private mutating func takeBack() {
        guard let held = manipulation else { return }
        manipulation = nil
        guard let index = index(of: held.objectID) else { return }
        standing[index].isTwisted = false
        standing[index].rest(like: held.before)
    }
}

extension PlacementOutput {
    static func + (a: PlacementOutput, b: PlacementOutput) -> PlacementOutput {
        var sum = a
        sum += b
        return sum
    }
}
