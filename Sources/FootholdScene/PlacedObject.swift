/// A virtual object in the scene. Its local frame: Y up from the surface, origin in the middle of its underside.
public struct PlacedObject: Hashable, Sendable, Identifiable {
    public let id: Int
    public var name: String
    /// Which shape: `box`, `chair`, `cylinder`, or the path of a glTF/OBJ file.
    public var model: String
    /// Metres: width (x), height (y), depth (z) at scale 1.
    public var size: SIMD3<Double>
    /// What people chose, times how many of the world's units a metre is where that is known.
    public var scale: Double
    /// Nil while it stands on no known surface.
    public var surfaceID: Int?
    public var worldFromObject: Pose
    /// True until the surface under it is known.
    public var isProvisional: Bool
    public var isSelected: Bool

    public init(
        id: Int, name: String, model: String, size: SIMD3<Double>, scale: Double = 1, surfaceID: Int? = nil,
        worldFromObject: Pose, isProvisional: Bool, isSelected: Bool = false
    ) {
        self.id = id
        self.name = name
        self.model = model
        self.size = size
        self.scale = scale
        self.surfaceID = surfaceID
        self.worldFromObject = worldFromObject
        self.isProvisional = isProvisional
        self.isSelected = isSelected
    }
}

public struct ObjectEvent: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case placed, selected, moved, turned, scaled, settled, removed
    }

    public var kind: Kind
    public var object: PlacedObject

    public init(kind: Kind, object: PlacedObject) {
        self.kind = kind
        self.object = object
    }
}

/// A moment that a person can feel or hear (R7).
public struct FeedbackEvent: Hashable, Sendable {
    /// Each kind has one meaning.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Something touched down on a surface, or touched another object.
        case impact
        /// A choice was taken up: an object was picked, or a place for one.
        case selection
        /// What was asked for is done: taken back, exchanged, removed, begun anew.
        case success
        /// A movement is at its limit, or something was lost.
        case warning
        /// What was asked for is refused.
        case error
    }

    public var kind: Kind
    public var objectID: Int?
    /// When it is to be felt, on the frames' clock.
    public var dueNanoseconds: Int64
    /// 0…1.
    public var intensity: Double
    /// True for the announcement shortly before, so that sound and haptics can be prepared; the same event follows
    /// once more, false, when it happens. A movement that turns away at the last moment leaves it at the announcement.
    public var isHeadsUp: Bool

    public init(
        kind: Kind, objectID: Int?, dueNanoseconds: Int64 = 0, intensity: Double = 1, isHeadsUp: Bool = false
    ) {
        self.kind = kind
        self.objectID = objectID
        self.dueNanoseconds = dueNanoseconds
        self.intensity = intensity
        self.isHeadsUp = isHeadsUp
    }
}

/// The targeting indicator (R12): where the middle of the picture looks.
public enum Reticle: Hashable, Sendable {
    case hidden
    /// No surface yet: an open, flat trapezoid that faces the viewer at a fixed distance.
    case searching
    /// Lies on a surface; `isConfirmed` is false for an estimated plane. Y of the pose is the normal.
    case onSurface(worldFromReticle: Pose, alignment: PlaneAnchor.Alignment, isConfirmed: Bool)
    /// The target is not flat enough.
    case unsuitable(worldFromReticle: Pose)
}
