/// A sign that lies flat around an object or where something happened: hints in the scene, which come before words
/// (R8), and what can be seen of a feedback event (R7). Thin lines only, so that the picture belongs to the scene (R1).
public struct SceneMark: Hashable, Sendable {
    public enum Shape: Hashable, Sendable {
        /// A circle with two arrow heads along it: the object can be turned.
        case rotationRing
        /// Four arrow heads that point away from the object: it can be moved.
        case movementArrows
        /// A circle that widens and fades: the visible counterpart of a feedback event.
        case pulse(FeedbackEvent.Kind)
    }

    public var shape: Shape
    /// Y is the surface's normal, the origin the middle of the mark.
    public var worldFromMark: Pose
    /// Metres, to the circle's line or to the arrows' feet.
    public var radius: Double
    /// 0…1.
    public var opacity: Double
    /// The object that it belongs to; nil for a place where nothing stands.
    public var objectID: Int?

    public init(shape: Shape, worldFromMark: Pose, radius: Double, opacity: Double = 1, objectID: Int? = nil) {
        self.shape = shape
        self.worldFromMark = worldFromMark
        self.radius = radius
        self.opacity = opacity
        self.objectID = objectID
    }
}
