import FootholdScene
import Foundation

/// Puts objects where people mean, and keeps them there.
///
/// A pure state machine: it has no clock and no threads, and the same calls with the same contexts give the same
/// outputs. Call ``place(_:atPixel:context:)`` when a person taps, and ``update(_:)`` once for every frame.
///
/// - A place that is not known yet is taken provisionally, and the object is eased to the true one as soon as it is
///   known: along the ray of the tap, keeping its size on the screen at first (R13).
/// - A surface that is corrected by less than 5 cm takes its objects along, slowly; when it moves further, or
///   vanishes, its objects stay where they are, provisionally, until a surface within 5 cm adopts them. In the first
///   seconds after placing, a correction of any size is followed along the ray of the tap.
/// - When the session begins a new world, objects that were seen a moment ago are taken over to it, provisionally,
///   at the same place in the picture; after a longer gap they are removed, and an event says so.
///   The history of changes is void then. When an earlier world is recognised, its objects are back where they stood;
///   when two worlds turn out to be one, the objects of both stand in it.
public struct PlacementSession: Sendable {
    /// An object is said to have landed this close to its place, metres.
    static let landingDistance = 0.002
    /// Provisional objects that are looked up again in one frame, and how often one is.
    private static let lookupsPerFrame = 16
    private static let lookupIntervalNanoseconds: Int64 = 100_000_000

    public let configuration: PlacementConfiguration
    public let pixelsPerPoint: Double
    public private(set) var templates: [ObjectTemplate]
    /// Where the middle of the picture looks, for the targeting indicator; as of the last ``update(_:)``.
    public internal(set) var reticle = Reticle.searching
    /// Taps that wait for the camera's place.
    public var pendingCount: Int { queue.count }

    /// What a tap beside all objects places; nil when it only deselects.
    public var templateForTaps: ObjectTemplate?
    /// The kinds of feedback that are told (R7). What a kind shows in the scene stays when it is switched off.
    public var feedbackKinds = Set(FeedbackEvent.Kind.allCases)

    var standing: [StandingObject] = []
    var history = History()
    var manipulation: Manipulation?
    var nextID = 1
    var now: Int64 = 0
    var marking = Marking()
    /// Objects as they were restored, by id.
    var restored: [Int: SavedScene.Object] = [:]
    /// Where placing was refused last, for showing it.
    var refusedAt: Pose?
    /// Where bringing objects in line with their surfaces goes on.
    var followStart = 0
    private var queue: [QueuedTap] = []
    private var reticleTracker = ReticleTracker()
    /// The last camera and when, for carrying objects over to a new world.
    private var lastCamera: (pose: Pose, nanoseconds: Int64)?
    var carry: [CarriedObject]?
    /// The world that the objects' coordinates lie in.
    var worldID = 1
    var left = LeftObjects()
    /// By world, the natural logarithm of its units in a metre; none while that is only assumed.
    var metres: [Int: Double] = [:]
    /// The time that all motion has reached.
    private var advancedTo: Int64?
    private var lookupStart = 0

    private struct QueuedTap: Hashable, Sendable {
        var template: ObjectTemplate
        var pixel: SIMD2<Double>
        /// True when its feedback was given already.
        var isFelt = false
    }

    struct CarriedObject: Hashable, Sendable {
        var id: Int
        var cameraFromObject: Pose
        var sinceNanoseconds: Int64
    }

    /// - Parameters:
    ///   - templates: what can be placed by name.
    ///   - pixelsPerPoint: how large a point (1/163 inch) is on the picture, for the size of fingertips.
    public init(
        templates: [ObjectTemplate] = ObjectTemplate.builtIn, pixelsPerPoint: Double = 1,
        configuration: PlacementConfiguration = .init()
    ) {
        self.templates = templates
        self.pixelsPerPoint = pixelsPerPoint
        self.configuration = configuration
    }

    /// All objects as they are to be drawn now, in the order in which they were placed.
    public var objects: [PlacedObject] { standing.map(\.snapshot) }

    public func template(named name: String) -> ObjectTemplate? { templates.first { $0.name == name } }

    var hitTest: HitTest { HitTest(configuration: configuration, pixelsPerPoint: pixelsPerPoint) }

    var resolver: TargetResolver { TargetResolver(configuration: configuration, unitsPerMetre: exp(metre)) }

    // MARK: Placing

    /// Puts an object where a pixel points, at once, with the best that is known.
    ///
    /// Before the camera's place is known the tap is kept, and carried out through the same pixel as soon as it is.
    /// Where something stands already the object is put beside it; a place without room around it is refused with an
    /// `error` feedback and a pulse in the scene.
    public mutating func place(
        _ template: ObjectTemplate, atPixel pixel: SIMD2<Double>, context: PlacementContext
    ) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        return tell(placing(template, atPixel: pixel, context))
    }

    /// Puts an object where a raycast has met something. Nothing is placed while the camera's place is unknown.
    public mutating func place(
        _ template: ObjectTemplate, at hit: RaycastResult, context: PlacementContext
    ) -> PlacementOutput {
        now = max(now, context.timestampNanoseconds)
        guard let camera = context.worldFromCamera else { return tell(feedback(.error, nil)) }
        let basis: PlacementTarget.Basis =
            switch hit.target {
            case .existingPlaneGeometry: .surface
            case .existingPlaneInfinite: .extended
            case .estimatedPlane: .estimated
            }
        let target = PlacementTarget(
            basis: basis, point: hit.pointInWorld, normal: hit.normal.normalized, surfaceID: hit.surfaceID)
        let aim = Ray(origin: camera.position, direction: hit.pointInWorld - camera.position)
        return tell(put(template, at: target, aim: aim, camera: camera, context))
    }

    mutating func placing(
        _ template: ObjectTemplate, atPixel pixel: SIMD2<Double>, _ context: PlacementContext
    ) -> PlacementOutput {
        guard context.worldFromCamera != nil, carry == nil, !context.didReset else {
            queue.append(QueuedTap(template: template, pixel: pixel, isFelt: true))
            return feedback(.selection, nil)
        }
        return placeNow(QueuedTap(template: template, pixel: pixel), context)
    }

    private mutating func placeNow(_ tap: QueuedTap, _ context: PlacementContext) -> PlacementOutput {
        guard let camera = context.worldFromCamera, let ray = context.ray(through: tap.pixel) else {
            return PlacementOutput()
        }
        let target =
            resolver.resolve(ray, for: tap.template, in: context)
            ?? resolver.instant(ray, for: tap.template, in: context)
        return put(tap.template, at: target, aim: ray, camera: camera, context, isFelt: tap.isFelt)
    }

    /// - Parameter isFelt: the tap's own feedback was given already.
    private mutating func put(
        _ template: ObjectTemplate, at target: PlacementTarget, aim: Ray, camera: Pose, _ context: PlacementContext,
        isFelt: Bool = false
    ) -> PlacementOutput {
        let frame = TargetResolver.facing(normal: target.normal, at: target.point, camera: camera)
        var object = StandingObject(
            id: nextID, template: template, target: target, frame: frame, aim: aim, now: now)
        object.metre = ScalarMotion(metre)
        let surface = surface(target.surfaceID, in: context)
        guard
            let free = freePoint(
                for: object, at: target.point, on: ground(under: object, surface), outline: surface)
        else {
            refusedAt = object.targetPose
            return feedback(.error, nil)
        }
        if free.distance(to: target.point) > 1e-9 {
            object.jump(to: free)
            // Pushed aside by another object: that is where it is meant to be now.
            object.aim = Ray(origin: camera.position, direction: free - camera.position)
        }
        nextID += 1
        var output = PlacementOutput()
        if basisIsKnown(object) {
            object.isAirborne = false
            object.isUnsettled = false
            output.feedback.append(event(.impact, object.id))
        } else if !isFelt {
            output.feedback.append(event(.selection, object.id))
        }
        standing.append(object)
        history.record(.placed(object))
        output.objectEvents.append(ObjectEvent(kind: .placed, object: object.snapshot))
        if !object.isUnsettled { output.objectEvents.append(ObjectEvent(kind: .settled, object: object.snapshot)) }
        return output
    }

    func basisIsKnown(_ object: StandingObject) -> Bool { object.basis == .surface }

    // MARK: Every frame

    /// Brings everything to the time of a frame: carries out what waited, corrects what is better known now, and
    /// moves what is on its way.
    public mutating func update(_ context: PlacementContext) -> PlacementOutput {
        var output = PlacementOutput()
        now = max(now, context.timestampNanoseconds)
        if context.didReset { beginNewWorld() }
        output += followWorlds(context)
        followCorrection(context)
        if let camera = context.worldFromCamera {
            output += carryOver(camera: camera)
            if !queue.isEmpty {
                let taps = queue
                queue = []
                for tap in taps { output += placeNow(tap, context) }
            }
            lastCamera = (camera, now)
        }
        if carry == nil {
            output += reconcile(context)
            output += followMetre(context)
            refineProvisional(context)
            output += hold(context)
            output += foresee(context)
            output += attend(context)
            findWays(context)
        }
        advance(from: advancedTo ?? now, eye: context.worldFromCamera?.position)
        advancedTo = now
        output += announce()
        advanceMarks()
        let isElsewhere = manipulation != nil || carry != nil && context.worldFromCamera == nil
        // It tells where something can be put, which is not where something stands.
        reticle = reticleTracker.update(
            context, resolver: resolver,
            isHidden: isElsewhere || hitTest.isCovered(context.pictureCenter, by: standing, in: context))
        return tell(output)
    }

    /// Takes everything that is on its way to where it goes at once, where nobody watches.
    public mutating func finishMotions() {
        for index in standing.indices where !standing[index].isAtRest { standing[index].finishMotion() }
    }

    /// Moves everything that isn't at rest over the steps of the fixed grid between two times.
    private mutating func advance(from: Int64, eye: SIMD3<Double>?) {
        let step = PointMotion.stepNanoseconds
        // After a gap nobody watches the movement: two seconds of it bring everything home or nearly so.
        let steps = min(500, Int(now / step - from / step))
        let remainder = Double(now % step) / 1e9
        for index in standing.indices where !standing[index].isAtRest {
            standing[index].advance(
                steps: steps, remainderSeconds: remainder, eye: eye, configuration: configuration)
        }
    }

    /// Tells what landed and what came to rest.
    private mutating func announce() -> PlacementOutput {
        var output = PlacementOutput()
        for index in standing.indices where standing[index].isUnsettled {
            let object = standing[index]
            if object.isAirborne, object.basis == .surface {
                let steps = object.stepsToLanding(
                    horizon: Int(Int64(configuration.headsUpSeconds * 1e9) / PointMotion.stepNanoseconds),
                    configuration: configuration)
                if steps == 0 {
                    standing[index].isAirborne = false
                    output.feedback.append(event(.impact, object.id))
                } else if let steps, !object.hasAnnouncedImpact {
                    standing[index].hasAnnouncedImpact = true
                    output.feedback.append(
                        event(.impact, object.id, dueIn: Int64(steps) * PointMotion.stepNanoseconds))
                }
            }
            if object.isSettled, object.basis == .surface, !isHeld(object.id) {
                standing[index].isUnsettled = false
                output.objectEvents.append(ObjectEvent(kind: .settled, object: standing[index].snapshot))
            }
        }
        return output
    }

    /// Looks up provisional objects again whose tap's ray may mean something better by now.
    private mutating func refineProvisional(_ context: PlacementContext) {
        guard context.worldFromCamera != nil, !standing.isEmpty else { return }
        var lookups = 0
        for offset in standing.indices {
            let index = (lookupStart + offset) % standing.count
            let object = standing[index]
            guard object.basis != .surface, !isHeld(object.id),
                !context.surfaceEvents.isEmpty || now - object.resolvedNanoseconds >= Self.lookupIntervalNanoseconds
            else { continue }
            lookups += 1
            if lookups > Self.lookupsPerFrame {
                lookupStart = index
                return
            }
            standing[index].resolvedNanoseconds = now
            if let aim = object.aim,
                let target = resolver.resolve(aim, for: object.template, in: context),
                target.basis.rawValue > object.basis.rawValue
                    || target.basis == object.basis && target.basis == .estimated
            {
                settle(index, to: target, context)
            } else if object.aim == nil || object.basis == .instant {
                adopt(index, context)
            }
        }
    }

    private mutating func settle(_ index: Int, to target: PlacementTarget, _ context: PlacementContext) {
        var target = target
        if let surface = surface(target.surfaceID, in: context),
            let free = freePoint(
                for: standing[index], at: target.point, on: surface.worldFromSurface, outline: surface)
        {
            target.point = free
        }
        standing[index].move(to: target, purpose: .settling)
    }

    /// A surface that turns up close under an object that stands on nothing becomes its surface.
    private mutating func adopt(_ index: Int, _ context: PlacementContext) {
        let object = standing[index]
        let point = object.motion.target
        let near = context.surfaces.filter {
            object.template.fits($0.alignment) && abs($0.height(of: point)) <= configuration.adoptionDistance
                && $0.normal.dot(object.upright.targetUp) > 0.9 && $0.contains(localPoint: $0.localPoint(point))
        }.min { abs($0.height(of: point)) < abs($1.height(of: point)) }
        guard let near else { return }
        let foot = point - near.normal * near.height(of: point)
        let free = freePoint(for: object, at: foot, on: near.worldFromSurface, outline: near) ?? foot
        standing[index].move(
            to: PlacementTarget(basis: .surface, point: free, normal: near.normal, surfaceID: near.id),
            purpose: free.distance(to: foot) > 1e-9 ? .nudging : .following)
    }

    // MARK: A new world

    private mutating func beginNewWorld() {
        history.clear()
        manipulation = nil
        for index in standing.indices { standing[index].isTwisted = false }
        // A reset while still carrying keeps the first one's poses: those were the last that meant anything.
        if carry == nil {
            leaveWorld()
            carry = lastCamera.map { last in
                let inverse = last.pose.inverse
                return standing.map {
                    CarriedObject(
                        id: $0.id, cameraFromObject: inverse * $0.worldFromObject, sinceNanoseconds: last.nanoseconds)
                }
            }
        }
        for index in standing.indices {
            standing[index].detach()
            standing[index].aim = nil
        }
    }

    private mutating func carryOver(camera: Pose) -> PlacementOutput {
        guard let carried = carry else { return PlacementOutput() }
        carry = nil
        var output = PlacementOutput()
        for entry in carried {
            guard let index = standing.firstIndex(where: { $0.id == entry.id }) else { continue }
            if Double(now - entry.sinceNanoseconds) / 1e9 > configuration.resetGapSeconds {
                let gone = standing.remove(at: index)
                left.absent.insert(gone.id)
                output.objectEvents.append(ObjectEvent(kind: .removed, object: gone.snapshot))
                output.feedback.append(event(.warning, gone.id))
                continue
            }
            let pose = camera * entry.cameraFromObject
            let template = standing[index].template
            let direction = pose.position - camera.position
            let carriedUp = pose.rotation * .unitY
            // Gravity is known in the new world as it was in the old one: what stood upright does so again.
            let up = abs(carriedUp.y) > 0.7 ? SIMD3.unitY * (carriedUp.y < 0 ? -1 : 1) : carriedUp
            let target = PlacementTarget(basis: .instant, point: pose.position, normal: up, surfaceID: nil)
            var object = StandingObject(
                id: entry.id, template: template, target: target, frame: pose.rotation,
                aim: direction.length > 0 ? Ray(origin: camera.position, direction: direction) : nil, now: now)
            object.size = ScalarMotion(standing[index].size.target)
            object.metre = ScalarMotion(standing[index].metre.target)
            object.isSelected = standing[index].isSelected
            object.isAirborne = false
            standing[index] = object
        }
        return output
    }

    mutating func clearQueue() { queue = [] }

    /// The last word on what a call tells: shows it in the scene, and leaves out what nobody wants to feel.
    mutating func tell(_ output: PlacementOutput) -> PlacementOutput {
        mark(output.feedback)
        var output = output
        output.feedback.removeAll { !feedbackKinds.contains($0.kind) }
        return output
    }

    // MARK: Small helpers

    func surface(_ id: Int?, in context: PlacementContext) -> PlaneAnchor? {
        guard let id else { return nil }
        return context.surfaces.first { $0.id == id }
    }

    func isHeld(_ id: Int) -> Bool { manipulation?.objectID == id }

    func index(of id: Int) -> Int? { standing.firstIndex { $0.id == id } }

    /// A feedback event that is due now, or announced ahead.
    func event(
        _ kind: FeedbackEvent.Kind, _ objectID: Int?, intensity: Double = 1, dueIn: Int64 = 0
    ) -> FeedbackEvent {
        FeedbackEvent(
            kind: kind, objectID: objectID, dueNanoseconds: now + dueIn, intensity: intensity, isHeadsUp: dueIn > 0)
    }

    func feedback(_ kind: FeedbackEvent.Kind, _ objectID: Int?) -> PlacementOutput {
        var output = PlacementOutput()
        output.feedback.append(event(kind, objectID))
        return output
    }
}
