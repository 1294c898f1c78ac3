/// A kind of object that can be placed: what it is called, how large it is, and what may be done to it.
public struct ObjectTemplate: Hashable, Sendable {
    /// Whether a pinch changes the object's size (R19).
    public enum Scaling: Hashable, Sendable {
        /// A thing with a real size, such as furniture: it refuses.
        case fixed
        /// A thing without one, such as a toy: it may be scaled within these factors.
        case limited(ClosedRange<Double>)

        /// The factors that are allowed.
        public var range: ClosedRange<Double> {
            switch self {
            case .fixed: 1...1
            case .limited(let range): range
            }
        }
    }

    /// Which surfaces it can stand on or hang from.
    public enum Alignment: String, Hashable, Sendable, Codable {
        case horizontal, vertical, any
    }

    /// What people call it: `chair`.
    public var name: String
    /// Which shape: `box`, `chair`, `cylinder`, or the path of a glTF/OBJ file.
    public var model: String
    /// Metres: width (x), height (y, away from the surface), depth (z) at scale 1.
    public var size: SIMD3<Double>
    public var scaling: Scaling
    public var alignment: Alignment

    public init(
        name: String, model: String, size: SIMD3<Double>, scaling: Scaling = .fixed, alignment: Alignment = .horizontal
    ) {
        self.name = name
        self.model = model
        self.size = size
        self.scaling = scaling
        self.alignment = alignment
    }

    public static let box = ObjectTemplate(
        name: "box", model: "box", size: SIMD3(0.2, 0.2, 0.2), scaling: .limited(0.25...4), alignment: .any)
    public static let chair = ObjectTemplate(name: "chair", model: "chair", size: SIMD3(0.5, 0.9, 0.5))
    public static let cylinder = ObjectTemplate(
        name: "cylinder", model: "cylinder", size: SIMD3(0.15, 0.2, 0.15), scaling: .limited(0.25...4))

    /// The shapes that need no file.
    public static let builtIn: [ObjectTemplate] = [.box, .chair, .cylinder]

    /// True when an object of this kind may be put on such a surface.
    public func fits(_ surface: PlaneAnchor.Alignment) -> Bool {
        switch alignment {
        case .any: surface != .horizontalDown
        case .horizontal: surface == .horizontal
        case .vertical: surface == .vertical
        }
    }

    /// True when it may be put where nothing but the slope is known; 20° are allowed for a rough estimate.
    func fits(normal: SIMD3<Double>) -> Bool {
        let up = normal.y
        return switch alignment {
        case .any: up > -0.5
        case .horizontal: up > 0.94
        case .vertical: abs(up) < 0.34
        }
    }
}
