/// How well the camera's movement is known, in ARKit's words.
public enum TrackingState: Hashable, Sendable {
    case notAvailable
    case limited(Reason)
    case normal

    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The first views are being gathered.
        case initializing
        /// Lost, and looking for a place seen before.
        case relocalizing
        case excessiveMotion
        case insufficientFeatures
        case insufficientLight
        /// The camera turns without moving sideways, so no depth can be learned.
        case noTranslation
    }

    /// As written to files: `normal`, `limited` or `notAvailable`.
    public var name: String {
        switch self {
        case .notAvailable: "notAvailable"
        case .limited: "limited"
        case .normal: "normal"
        }
    }

    public var reason: Reason? {
        if case .limited(let reason) = self { reason } else { nil }
    }
}
