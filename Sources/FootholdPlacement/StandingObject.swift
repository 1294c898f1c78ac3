import FootholdScene
import Foundation

/// An object with everything that moves it: where it is shown, where it is going, and why.
struct StandingObject: Hashable, Sendable {
    /// Why an object that isn't at rest moves; decides how fast it may.
    enum Purpose: Hashable, Sendable {
        case settling, nudging, following, dragging, transferring
    }

    let id: Int
    var template: ObjectTemplate
    var motion: PointMotion
    var upright: UprightMotion
    /// Radians about the surface's normal, on top of the frame that `upright` carries along.
    var heading = ScalarMotion(0)
    /// Natural logarithm of the size that people chose.
    var size = ScalarMotion(0)
    /// Natural logarithm of the world's units in a metre, as far as its size goes by that.
    var metre = ScalarMotion(0)
    /// Natural logarithm of the factor that hides a change of distance from the eye, on its way to 0.
    var compensation = ScalarMotion(0)
    var purpose = Purpose.settling
    var surfaceID: Int?
    var basis: PlacementTarget.Basis
    /// The ray of the touch that put it here, while its meaning may still be refined.
    var aim: Ray?
    var isSelected = false
    /// True while two fingers turn or resize it.
    var isTwisted = false
    /// Nil for objects that don't mind the camera.
    var attention: AttentionState?

    /// When it was put here, for the time that refinement lasts.
    var placedNanoseconds: Int64
    var resolvedNanoseconds: Int64
    /// Since when too little of it is supported by its surface; nil while it is well supported.
    var offEdgeNanoseconds: Int64?
    /// Set while a correction is under way whose end is to be told.
    var isUnsettled = true
    /// Set until it has touched down on a surface for the first time since it was put there.
    var isAirborne = true
    var hasAnnouncedImpact = false
    /// Set while it goes to its real size, which is to be told.
    var isResized = false
    /// The last surface state that it was reconciled with.
    var surfaceVersionNanoseconds: Int64 = .min
    /// Where to head first, one after the other, around what stands in the way.
    var detour: [SIMD3<Double>] = []
    /// How it is to stand, to the last bit, once it has come to rest: undo takes back exactly.
    var resting: Resting?
    /// How it is shown between two steps of the grid; nil while it is at rest or held fast.
    private var shown: Shown?

    /// A frame and the heading on top of it.
    struct Resting: Hashable, Sendable {
        var upright: UprightMotion
        var heading: Double

        var rotation: Rotation { upright.frame * Rotation(axis: .unitY, angleRadians: heading) }
    }

    private struct Shown: Hashable, Sendable {
        var worldFromObject: Pose
        var scale: Double
    }

    init(id: Int, template: ObjectTemplate, target: PlacementTarget, frame: Rotation, aim: Ray?, now: Int64) {
        self.id = id
        self.template = template
        motion = PointMotion(target.point)
        upright = UprightMotion(frame: frame, up: target.normal)
        surfaceID = target.surfaceID
        basis = target.basis
        self.aim = aim
        placedNanoseconds = now
        resolvedNanoseconds = now
    }

    var worldFromObject: Pose { shown?.worldFromObject ?? gridPose }

    private var gridPose: Pose {
        Pose(rotation: rotation(heading: heading.value), position: motion.position)
    }

    /// Where it will be when everything has come to rest.
    var targetPose: Pose { Pose(rotation: settled.rotation, position: motion.target) }

    /// How it will stand when it has come to rest.
    var settled: Resting {
        if let resting { return resting }
        guard !upright.isAtRest else { return Resting(upright: upright, heading: heading.target) }
        var settled = upright
        settled.set(up: upright.targetUp)
        return Resting(upright: settled, heading: heading.target)
    }

    private func rotation(heading: Double) -> Rotation {
        heading == 0 ? upright.frame : upright.frame * Rotation(axis: .unitY, angleRadians: heading)
    }

    var isAtRest: Bool {
        motion.isAtRest && upright.isAtRest && heading.isAtRest && size.isAtRest && metre.isAtRest
            && compensation.isAtRest
    }

    /// True when nobody would see that it still moves: the rest is what its surface is corrected by.
    var isSettled: Bool {
        motion.position.distance(to: motion.target) < PlacementSession.landingDistance
            && motion.velocity.length < 0.02 && upright.up.distance(to: upright.targetUp) < 0.01
            && abs(heading.value - heading.target) < 0.01 && abs(size.value - size.target) < 0.005
            && abs(metre.value - metre.target) < 0.005 && abs(compensation.value) < 0.005
    }

    /// The template's size times what people chose, in the world's unit, without compensation.
    var scaledSize: SIMD3<Double> {
        let factor = size.target + metre.target
        return factor == 0 ? template.size : template.size * exp(factor)
    }

    private var shownScale: Double { exp(size.value + metre.value + compensation.value) }

    /// Radius of the circle around its footprint.
    var reach: Double {
        let s = scaledSize
        return SIMD2(s.x, s.z).length / 2
    }

    /// Radius of the sphere around it, about its foot.
    var span: Double {
        let s = scaledSize
        return SIMD3(s.x / 2, s.y, s.z / 2).length
    }

    var snapshot: PlacedObject {
        PlacedObject(
            id: id, name: template.name, model: template.model, size: template.size,
            scale: shown?.scale ?? shownScale, surfaceID: surfaceID,
            worldFromObject: worldFromObject,
            isProvisional: basis != .surface, isSelected: isSelected)
    }

    /// Sends it to a place with the limits that the purpose allows.
    mutating func move(to target: PlacementTarget, purpose newPurpose: Purpose) {
        let normal = target.normal.normalized
        if normal != upright.targetUp {
            // How it is to stand was meant for another slope.
            resting = nil
            upright.targetUp = normal
        }
        motion.target = target.point
        detour = []
        surfaceID = target.surfaceID
        basis = target.basis
        purpose = newPurpose
        // Millimetres with a surface that is corrected are nothing to tell.
        let isSlight = newPurpose == .following && motion.position.distance(to: motion.target) < 0.01
        if !isSlight, !motion.isAtRest || !upright.isAtRest { isUnsettled = true }
    }

    /// Leaves it where it is, on nothing that is known.
    mutating func detach() {
        surfaceID = nil
        basis = .instant
        offEdgeNanoseconds = nil
        // What was led by the surface stops gently where it is nearly anyway.
        if purpose == .following || purpose == .settling { motion.target = motion.position + motion.velocity * 0.1 }
    }

    /// Goes over whole steps of the grid, and shows what the started one has done so far.
    ///
    /// - Parameter eye: where the camera is, for keeping the apparent size.
    mutating func advance(
        steps: Int, remainderSeconds: Double, eye: SIMD3<Double>?, configuration: PlacementConfiguration
    ) {
        for _ in 0..<steps {
            step(PointMotion.stepSeconds, eye: eye, configuration: configuration)
            if isAtRest { break }
        }
        shown = nil
        guard !isAtRest else {
            if let resting {
                upright = resting.upright
                heading = ScalarMotion(resting.heading)
                self.resting = nil
            }
            return
        }
        guard remainderSeconds > 0 else { return }
        // The started step is shown, and taken back.
        let grid = (motion, upright, heading, size, metre, compensation, detour)
        step(remainderSeconds, eye: eye, configuration: configuration)
        shown = Shown(worldFromObject: gridPose, scale: shownScale)
        (motion, upright, heading, size, metre, compensation, detour) = grid
    }

    /// Takes it elsewhere at once.
    mutating func jump(to point: SIMD3<Double>) {
        motion.jump(to: point)
        shown = nil
    }

    /// How fast it may move for what it moves for.
    func limits(_ configuration: PlacementConfiguration) -> MotionLimits {
        var limits =
            switch purpose {
            case .settling: configuration.settling
            case .nudging: configuration.nudging
            case .following: configuration.following
            case .dragging: configuration.dragging
            case .transferring: configuration.transferring
            }
        // Around corners it goes at a pace at which it can turn.
        if !detour.isEmpty { limits.speed = min(limits.speed, configuration.detourSpeed) }
        return limits
    }

    private mutating func step(_ dt: Double, eye: SIMD3<Double>?, configuration: PlacementConfiguration) {
        let before = motion.position
        motion.step(
            limits(configuration), braking: configuration.dragging.acceleration, towards: detour.first, dt: dt)
        if let corner = detour.first, motion.position.distance(to: corner) < 0.01 { detour.removeFirst() }
        if purpose == .settling, let eye {
            let near = before.distance(to: eye)
            let far = motion.position.distance(to: eye)
            if near > 0.05 && far > 0.05 {
                compensation.value = min(2, max(-2, compensation.value + log(far / near)))
            }
        }
        upright.step(configuration.tilting, dt: dt)
        if !heading.isAtRest {
            let looks = attention?.attention.looksAtCamera ?? false
            let turning = isTwisted ? configuration.twisting : looks ? configuration.gazing : configuration.turning
            heading.step(turning, dt: dt)
        }
        if !size.isAtRest { size.step(isTwisted ? configuration.twisting : configuration.resizing, dt: dt) }
        if !metre.isAtRest { metre.step(configuration.resizing, dt: dt) }
        // The size is let go of only when the place is nearly reached, so that one thing happens at a time.
        guard !compensation.isAtRest else { return }
        if motion.position.distance(to: motion.target) < 0.05 || purpose != .settling {
            compensation.step(configuration.resizing, dt: dt)
        }
    }

    /// Ends all motion at its goal at once.
    mutating func finishMotion() {
        let end = settled
        jump(to: motion.target)
        upright = end.upright
        heading = ScalarMotion(end.heading)
        size = ScalarMotion(size.target)
        metre = ScalarMotion(metre.target)
        compensation = ScalarMotion(0)
        resting = nil
        detour = []
    }

    /// How long until it comes to rest on its target, looking ahead no further than `horizon` steps.
    func stepsToLanding(horizon: Int, configuration: PlacementConfiguration) -> Int? {
        var ahead = motion
        let limits = limits(configuration)
        // What can't be near by then needs no closer look.
        let farthest = Double(horizon) * PointMotion.stepSeconds * max(limits.speed, ahead.velocity.length)
        guard ahead.position.distance(to: ahead.target) <= farthest + PlacementSession.landingDistance else {
            return nil
        }
        for step in 0...horizon {
            if ahead.position.distance(to: ahead.target) < PlacementSession.landingDistance { return step }
            ahead.step(limits, braking: configuration.dragging.acceleration, towards: nil)
        }
        return nil
    }
}
