import FootholdScene
import Foundation

/// An object in somebody's hand.
struct Manipulation: Hashable, Sendable {
    /// How far past its limits a size may be asked for before that counts as being at the limit, natural logarithm.
    static let give = 0.02
    /// A limit that was left for this long is felt again.
    static let limitSeconds = 0.3

    var objectID: Int
    /// How it was when it was picked up, for taking everything back.
    var before: StandingObject
    /// Set while one finger drags it.
    var drag: Drag?
    /// Heading and logarithm of the size when the turn or pinch was recognised.
    var headingBase: Double?
    var sizeBase: Double?
    /// Logarithm of the size that the fingers ask for.
    var sizeWish: Double?
    var hasMoved = false
    var hasTurned = false
    var hasScaled = false
    /// The limits that the object is at, so that each contact is felt once.
    var limits: Set<Limit> = []
    /// When each was met last, and when it was announced last.
    var met: [Limit: Int64] = [:]
    var announced: [Limit: Int64] = [:]
    var course: Course?

    enum Limit: Hashable, Sendable { case reach, size, contact }

    struct Drag: Hashable, Sendable {
        /// From the finger to the object's foot in the picture, as it was picked up.
        var offset: SIMD2<Double>
        var pixel: SIMD2<Double>
        /// Where the finger wants the object, in the world; other objects are not minded yet.
        var wish: SIMD3<Double>?
        /// The pixel that `wish` was found through, how much of the camera's trembling is in it, and when.
        var wishPixel = SIMD2<Double>.zero
        var lag = SIMD2<Double>.zero
        var wishNanoseconds: Int64 = 0
        /// Another surface under the finger, and since when.
        var candidateID: Int?
        var candidateNanoseconds: Int64 = 0
    }
}

extension PlacementSession {
    /// Carries out what a person meant by touching.
    ///
    /// A tap selects what it touches, or places ``templateForTaps``. A drag that begins on an object moves it over its
    /// surface, pinch and turn change the one between the fingers or the selected one. A shake offers undo: see
    /// ``PlacementOutput/offersUndo``.
    public mutating func handle(_ gesture: Gesture, context: PlacementContext) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        return tell(handled(gesture, context))
    }

    private mutating func handled(_ gesture: Gesture, _ context: PlacementContext) -> PlacementOutput {
        switch gesture {
        case .contact(let pixel): return contact(pixel, context)
        case .tap(let pixel): return tap(pixel, context)
        case .doubleTap(let pixel):
            guard let id = touched(pixel, context) else { return PlacementOutput() }
            var output = selecting(id)
            output.focusedID = id
            return output
        case .hold(let pixel): return touched(pixel, context).map { selecting($0) } ?? PlacementOutput()
        case .drag(let phase, let start, let pixel): return drag(phase, start, pixel, context)
        case .turn(let phase, let center, let radians): return turn(phase, center, radians, context)
        case .pinch(let phase, let center, let scale): return pinch(phase, center, scale, context)
        case .shake:
            var output = PlacementOutput()
            output.offersUndo = history.done.last != nil
            return output
        }
    }

    /// The object that a touch is on, by its id.
    public func object(at pixel: SIMD2<Double>, context: PlacementContext) -> Int? { touched(pixel, context) }

    /// The selected object; nil when there is none.
    public var selectedID: Int? { standing.first(where: \.isSelected)?.id }

    /// Selects one object, and deselects all others; nil deselects all.
    public mutating func select(_ id: Int?) -> PlacementOutput { tell(selecting(id)) }

    private mutating func selecting(_ id: Int?) -> PlacementOutput {
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

    /// A finger that comes down on an object will select it, whatever it does then.
    private mutating func contact(_ pixel: SIMD2<Double>, _ context: PlacementContext) -> PlacementOutput {
        var output = PlacementOutput()
        guard manipulation == nil, let id = touched(pixel, context), let index = index(of: id),
            !standing[index].isSelected
        else { return output }
        output.feedback.append(
            event(.selection, id, intensity: 0.5, dueIn: Int64(configuration.headsUpSeconds * 1e9)))
        return output
    }

    private func touched(_ pixel: SIMD2<Double>, _ context: PlacementContext) -> Int? {
        hitTest.object(at: pixel, among: standing, in: context)
    }

    private mutating func tap(_ pixel: SIMD2<Double>, _ context: PlacementContext) -> PlacementOutput {
        if let id = touched(pixel, context) { return selecting(id) }
        if let template = templateForTaps { return placing(template, atPixel: pixel, context) }
        return selecting(nil)
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
            output += selecting(id)
        }
        guard manipulation?.drag != nil else { return output }
        manipulation?.drag?.pixel = pixel
        output += hold(context, isLast: phase == .ended)
        switch phase {
        case .began, .changed: break
        case .ended: output += letGo()
        case .cancelled: takeBack()
        }
        return output
    }

    /// Keeps the held object under the finger, whatever the camera does meanwhile.
    ///
    /// - Parameter isLast: the finger lets go, so that nothing may lag behind it any more.
    mutating func hold(_ context: PlacementContext, isLast: Bool = false) -> PlacementOutput {
        guard let held = manipulation, let drag = held.drag, let index = index(of: held.objectID),
            let fingerRay = context.ray(through: drag.pixel + drag.offset)
        else { return PlacementOutput() }
        let template = standing[index].template
        var surface = surface(standing[index].surfaceID, in: context)
        // Onto another surface when the finger clearly is there.
        let seen = resolver.resolve(fingerRay, for: template, in: context)
        if let seen, seen.basis == .surface, seen.surfaceID != surface?.id {
            if drag.candidateID != seen.surfaceID {
                manipulation?.drag?.candidateID = seen.surfaceID
                manipulation?.drag?.candidateNanoseconds = now
            } else if seconds(since: drag.candidateNanoseconds) >= configuration.surfaceSwitchSeconds {
                surface = self.surface(seen.surfaceID, in: context)
                standing[index].surfaceID = seen.surfaceID
                standing[index].purpose = .transferring
                manipulation?.drag?.candidateID = nil
                manipulation?.drag?.wish = nil
            }
        } else {
            manipulation?.drag?.candidateID = nil
        }
        let pixel = steadied(context, isLast: isLast)
        guard let ray = context.ray(through: pixel) else { return PlacementOutput() }
        let normal = surface?.normal ?? standing[index].upright.targetUp
        let groundPoint = surface?.center ?? standing[index].motion.target
        guard var point = reach(ray, ground: groundPoint, normal: normal) else {
            return atLimit(.reach, .warning)
        }
        manipulation?.drag?.wish = point
        manipulation?.drag?.wishPixel = pixel
        var aim: Ray? = ray
        var output = PlacementOutput()
        var leaning = standing[index]
        leaning.upright.targetUp = normal
        guard
            let free = freePoint(
                for: leaning, at: point, on: ground(under: leaning, surface), outline: surface, isThorough: false)
        else { return atLimit(.contact, .impact, intensity: 0.4) }
        if free.distance(to: point) > 1e-9 {
            // Beside another object it is not where the finger points; then only the place itself counts.
            aim = nil
            point = free
            output += atLimit(.contact, .impact, intensity: 0.4)
        } else {
            leave(.contact)
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
        if camera.distance(to: point) > configuration.maximumDistance * 0.999 {
            output += atLimit(.reach, .warning)
        } else {
            leave(.reach)
        }
        return output
    }

    /// The pixel that the object's foot belongs under: the finger's, less what the camera trembled since. The finger's
    /// own movement is followed without any lag.
    private mutating func steadied(_ context: PlacementContext, isLast: Bool) -> SIMD2<Double> {
        guard var drag = manipulation?.drag else { return .zero }
        let wanted = drag.pixel + drag.offset
        defer {
            drag.wishNanoseconds = now
            manipulation?.drag = drag
        }
        guard !isLast, let wish = drag.wish, let camera = context.worldFromCamera,
            let seen = context.intrinsics.project(worldPoint: wish, worldFromCamera: camera)
        else {
            drag.lag = .zero
            return wanted
        }
        let decay = exp(-seconds(since: drag.wishNanoseconds) / configuration.steadyingSeconds)
        drag.lag = (drag.lag + seen - drag.wishPixel) * decay
        let largest = configuration.steadying * pixelsPerPoint
        if drag.lag.length > largest { drag.lag *= largest / drag.lag.length }
        return wanted + drag.lag
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

    /// Lets a limit be felt, once for each time that it is reached.
    private mutating func atLimit(
        _ limit: Manipulation.Limit, _ kind: FeedbackEvent.Kind, intensity: Double = 1
    ) -> PlacementOutput {
        guard let held = manipulation else { return PlacementOutput() }
        manipulation?.met[limit] = now
        guard manipulation?.limits.insert(limit).inserted == true else { return PlacementOutput() }
        var output = PlacementOutput()
        output.feedback.append(event(kind, held.objectID, intensity: intensity))
        return output
    }

    /// Forgets a limit that was left a while ago; trembling at it is not reaching it again.
    private mutating func leave(_ limit: Manipulation.Limit) {
        guard let met = manipulation?.met[limit], seconds(since: met) >= Manipulation.limitSeconds else { return }
        manipulation?.limits.remove(limit)
    }

    // MARK: Turning and scaling

    private mutating func grasp(_ center: SIMD2<Double>, _ context: PlacementContext) -> Int? {
        if let held = manipulation, held.drag == nil { return index(of: held.objectID) }
        guard let id = touched(center, context) ?? standing.first(where: \.isSelected)?.id,
            let index = index(of: id)
        else { return nil }
        manipulation = Manipulation(objectID: id, before: standing[index])
        standing[index].isTwisted = true
        // Fingers take over from whatever it was on its way to.
        standing[index].resting = nil
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
            output += selecting(standing[index].id)
        }
        guard let held = manipulation, let base = held.headingBase, let index = index(of: held.objectID) else {
            return output
        }
        // Clockwise on the picture is clockwise seen from above the surface; from below it is the other way round.
        let view = context.worldFromCamera.map { standing[index].motion.position - $0.position } ?? -.unitY
        let sense: Double = view.dot(standing[index].upright.up) < 0 ? -1 : 1
        let last = standing[index].heading.target
        standing[index].heading.target = base + sense * radians
        standing[index].isUnsettled = true
        manipulation?.hasTurned = true
        output += crowd(index, held, context) { $0.heading.target = last }
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
            output += selecting(standing[index].id)
        }
        guard let held = manipulation, let base = held.sizeBase, let index = index(of: held.objectID), scale > 0 else {
            return output
        }
        let range = standing[index].template.scaling.range
        let wanted = base + log(scale)
        manipulation?.sizeWish = wanted
        let allowed = min(log(range.upperBound), max(log(range.lowerBound), wanted))
        let excess = wanted - allowed
        let last = standing[index].size.target
        // Gives way a little, ever less, and springs back when let go.
        standing[index].size.target = allowed + configuration.elasticity * tanh(excess / 0.5)
        standing[index].isUnsettled = true
        if abs(excess) > Manipulation.give {
            output += atLimit(.size, Self.kind(atSizeLimitOf: standing[index].template))
        } else {
            leave(.size)
            output += crowd(index, held, context) { $0.size.target = last }
        }
        manipulation?.hasScaled = true
        return output + finish(phase)
    }

    /// What was turned or resized against another object gives way along its surface; where it can't, it stays as it was.
    private mutating func crowd(
        _ index: Int, _ held: Manipulation, _ context: PlacementContext, takeBack: (inout StandingObject) -> Void
    ) -> PlacementOutput {
        guard makeRoom(index, around: held.before.motion.target, context) else {
            takeBack(&standing[index])
            return atLimit(.contact, .impact, intensity: 0.4)
        }
        if standing[index].motion.target.distance(to: held.before.motion.target) > 1e-4 {
            return atLimit(.contact, .impact, intensity: 0.4)
        }
        leave(.contact)
        return PlacementOutput()
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
        standing[index].size.target = min(
            log(range.upperBound), max(log(range.lowerBound), standing[index].size.target))
        if held.hasMoved {
            standing[index].placedNanoseconds = now
            standing[index].surfaceVersionNanoseconds = .min
        }
        let before = held.before
        // What is too little to be seen has not happened.
        let hasMoved = held.hasMoved && standing[index].motion.target.distance(to: before.motion.target) > 1e-4
        let hasTurned = held.hasTurned && abs(standing[index].heading.target - before.heading.target) > 1e-4
        let hasScaled = held.hasScaled && abs(standing[index].size.target - before.size.target) > 1e-4
        if held.hasTurned, !hasTurned { standing[index].heading.target = before.heading.target }
        if held.hasScaled, !hasScaled { standing[index].size.target = before.size.target }
        let heading = standing[index].heading.target
        if hasTurned { standing[index].attention?.restHeading = heading }
        let after = standing[index]
        var kinds: [ObjectEvent.Kind] = []
        if hasMoved { kinds.append(.moved) }
        if hasTurned { kinds.append(.turned) }
        if hasScaled { kinds.append(.scaled) }
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
