/// The objects that need no file. A `PlacedObject.model` names one by its raw value; anything else is a file's path.
public enum BuiltInModel: String, CaseIterable, Sendable {
    case box, chair, cylinder

    /// Metres: width (x), height (y), depth (z).
    public var size: SIMD3<Double> {
        switch self {
        case .box: SIMD3(0.2, 0.2, 0.2)
        case .chair: SIMD3(0.45, 0.85, 0.5)
        case .cylinder: SIMD3(0.08, 0.1, 0.08)
        }
    }

    /// Sizes by name, for handing to rooms that don't know about drawing.
    public static var sizes: [String: SIMD3<Double>] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.size) })
    }
}
