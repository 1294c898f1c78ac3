import Foundation
import FootholdScene

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
    /// The last surface state that it was reconciled with.
    var surfaceVersionNanoseconds: Int64 = .min
    /// How it is shown between two steps of the grid; nil while it is at rest or held fast.
    private var shown: Shown?

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
    var targetPose: Pose {
        var settled = upright
        settled.set(up: upright.targetUp)
        return Pose(
            rotation: settled.frame * Rotation(axis: .unitY, angleRadians: heading.target), position: motion.target)
    }

    private func rotation(heading: Double) -> Rotation {
        upright.frame * Rotation(axis: .unitY, angleRadians: heading)
    }

    var isAtRest: Bool {
        motion.isAtRest && upright.isAtRest && heading.isAtRest && size.isAtRest && compensation.isAtRest
    }

    /// The template's size times what people chose, without compensation.
    var scaledSize: SIMD3<Double> { template.size * exp(size.target) }

    /// Radius of the circle around its footprint.
    var reach: Double {
        let s = scaledSize
        return SIMD2(s.x, s.z).length / 2
    }

    var snapshot: PlacedObject {
        PlacedObject(
            id: id, name: template.name, model: template.model, size: template.size,
            scale: shown?.scale ?? exp(size.value + compensation.value), surfaceID: surfaceID, worldFromObject: worldFromObject,
            isProvisional: basis != .surface, isSelected: isSelected)
    }

    /// Sends it to a place with the limits that the purpose allows.
    mutating func move(to target: PlacementTarget, purpose newPurpose: Purpose) {
        motion.target = target.point
        upright.targetUp = target.normal.normalized
        surfaceID = target.surfaceID
        basis = target.basis
        purpose = newPurpose
        if !motion.isAtRest || !upright.isAtRest { isUnsettled = true }
    }

    /// Leaves it where it is, on nothing that is known.
    mutating func detach() {
        surfaceID = nil
        basis = .instant
        offEdgeNanoseconds = nil
        // What was on its way stops gently where it is nearly anyway.
        motion.target = motion.position + motion.velocity * 0.1
    }

    /// Goes over whole steps of the grid, and shows what the started one has done so far.
    ///
    /// - Parameter eye: where the camera is, for keeping the apparent size.
    mutating func advance(
        steps: Int, remainderSeconds: Double, eye: SIMD3<Double>?, configuration: PlacementConfiguration
    ) {
        for _ in 0..<steps { step(PointMotion.stepSeconds, eye: eye, configuration: configuration) }
        shown = nil
        guard !isAtRest, remainderSeconds > 0 else { return }
        var ahead = self
        ahead.step(remainderSeconds, eye: eye, configuration: configuration)
        shown = Shown(
            worldFromObject: ahead.gridPose, scale: exp(ahead.size.value + ahead.compensation.value))
    }

    /// Takes it elsewhere at once.
    mutating func jump(to point: SIMD3<Double>) {
        motion.jump(to: point)
        shown = nil
    }

    private mutating func step(_ dt: Double, eye: SIMD3<Double>?, configuration: PlacementConfiguration) {
        let limits =
            switch purpose {
            case .settling: configuration.settling
            case .nudging: configuration.nudging
            case .following: configuration.following
            case .dragging: configuration.dragging
            case .transferring: configuration.transferring
            }
        let before = motion.position
        motion.step(limits, braking: configuration.dragging.acceleration, dt: dt)
        if purpose == .settling, let eye {
            let near = before.distance(to: eye)
            let far = motion.position.distance(to: eye)
            if near > 0.05 && far > 0.05 {
                compensation.value = min(2, max(-2, compensation.value + log(far / near)))
            }
        }
        upright.step(configuration.tilting, dt: dt)
        let looks = attention?.attention.looksAtCamera ?? false
        let turning = isTwisted ? configuration.twisting : looks ? configuration.gazing : configuration.turning
        heading.step(turning, dt: dt)
        size.step(isTwisted ? configuration.twisting : configuration.resizing, dt: dt)
        // The size is let go of only when the place is nearly reached, so that one thing happens at a time.
        if motion.position.distance(to: motion.target) < 0.05 || purpose != .settling {
            compensation.step(configuration.resizing, dt: dt)
        }
    }

    /// Ends all motion at its goal at once.
    mutating func finishMotion() {
        jump(to: motion.target)
        upright.set(up: upright.targetUp)
        heading = ScalarMotion(heading.target)
        size = ScalarMotion(size.target)
        compensation = ScalarMotion(0)
    }

    /// How long until it comes to rest on its target, looking ahead no further than `horizon` steps.
    func stepsToLanding(horizon: Int, configuration: PlacementConfiguration) -> Int? {
        var ahead = motion
        for step in 0...horizon {
            if ahead.position.distance(to: ahead.target) < PlacementSession.landingDistance { return step }
            ahead.step(configuration.settling, braking: configuration.dragging.acceleration)
        }
        return nil
    }
}
