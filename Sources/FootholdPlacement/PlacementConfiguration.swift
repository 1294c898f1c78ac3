/// How fast something that people watch may move.
public struct MotionLimits: Hashable, Sendable {
    /// Per second: metres, radians or natural logarithms of a size, by what moves.
    public var speed: Double
    /// Per second squared.
    public var acceleration: Double
    /// How eagerly the last bit is closed, per second.
    public var response: Double

    public init(speed: Double, acceleration: Double, response: Double) {
        self.speed = speed
        self.acceleration = acceleration
        self.response = response
    }
}

/// Every number that placement goes by. Lengths are metres of the session's scale.
public struct PlacementConfiguration: Hashable, Sendable {
    /// Nothing is placed on a surface further away than this.
    public var maximumDistance = 10.0
    /// The endless continuation of a surface counts only this far past its edge, …
    public var maximumExtension = 1.0
    /// … and only where the ray meets it at this angle or steeper.
    public var minimumGrazingAngleRadians = 0.14
    /// An estimated plane below this confidence is not used.
    public var minimumEstimateConfidence = 0.3
    /// Where an object is put while nothing at all is known: the nearest and the farthest comfortable distance.
    public var comfortableDistance = 0.6...4.0
    /// The share of the picture's shorter side that an object should fill at most when put there.
    public var comfortableShare = 0.45

    /// A surface closer than this to an object takes it along or adopts it.
    public var adoptionDistance = 0.05
    /// How long after placing a surface found late or corrected still moves the object along the ray of the tap.
    public var refinementSeconds = 6.0
    /// How long an object is left past an edge, which may still grow, before it is nudged in.
    public var nudgeDelaySeconds = 2.0
    /// Objects rest with at least this share of their underside on the surface.
    public var minimumSupport = 0.5
    /// Objects of an ended world are taken to the new one after a gap up to this long, and removed after a longer one.
    public var resetGapSeconds = 2.0

    /// From a provisional place to the true one.
    public var settling = MotionLimits(speed: 1.5, acceleration: 5, response: 6)
    /// Back from beyond an edge or out of another object, and for undo.
    public var nudging = MotionLimits(speed: 0.6, acceleration: 2.5, response: 6)
    /// With a surface that was corrected a little.
    public var following = MotionLimits(speed: 0.008, acceleration: 0.04, response: 3)
    /// Under a finger.
    public var dragging = MotionLimits(speed: 8, acceleration: 100, response: 60)
    /// Turning by itself (corrections, undo) and tilting with a surface.
    public var turning = MotionLimits(speed: 2.5, acceleration: 10, response: 8)
    public var tilting = MotionLimits(speed: 0.8, acceleration: 4, response: 6)
    /// Changes of the size on the screen.
    public var resizing = MotionLimits(speed: 0.8, acceleration: 3, response: 6)

    /// From one surface to another under a finger.
    public var transferring = MotionLimits(speed: 4, acceleration: 30, response: 14)
    /// Around other objects, at most, metres per second.
    public var detourSpeed = 1.5
    /// Turning and resizing under two fingers.
    public var twisting = MotionLimits(speed: 14, acceleration: 250, response: 60)

    /// An attentive object that looks at the camera turns at most this fast, …
    public var gazing = MotionLimits(speed: 1.2, acceleration: 3, response: 4)
    /// … this far to either side of how it was put down, …
    public var gazeRange = 2.1
    /// … and only once the camera is this far off its line of sight, radians.
    public var gazeTolerance = 0.3
    /// The camera is near from the one distance on, and away again from the other.
    public var nearDistance = 0.8
    public var awayDistance = 1.0

    /// Somebody looks at an object whose middle is this near to the picture's middle, as an angle, for so long; and no
    /// longer once it is further away than the second angle.
    public var lookedAtAngle = 0.09
    public var lookedAwayAngle = 0.14
    public var lookSeconds = 0.4

    /// How far an object under a resting finger may lag behind a trembling camera, in points, and how fast the lag
    /// goes, seconds.
    public var steadying = 2.0
    public var steadyingSeconds = 0.2
    /// How long before it is due a feedback is announced.
    public var headsUpSeconds = 0.15

    /// An object goes to another surface when the finger has been on that for this long.
    public var surfaceSwitchSeconds = 0.12
    /// Touches count as on an object that looks smaller than this, in points, as if it were this large.
    public var minimumTouchSize = 44.0
    /// How far past an object's outline a touch still counts as on it, in points.
    public var touchSlop = 8.0
    /// How much an object yields to a pinch that it refuses, natural logarithm.
    public var elasticity = 0.06

    public init() {}
}
