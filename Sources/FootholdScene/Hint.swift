/// Why a person is being helped (R26). The raw value is what files say.
public enum HintCause: String, Hashable, Sendable, CaseIterable, Codable {
    case lookAround = "look_around"
    case ready
    case insufficientLight = "insufficient_light"
    case excessiveMotion = "excessive_motion"
    case insufficientFeatures = "insufficient_features"
    case hardSurfaces = "hard_surfaces"
    case searchingTooLong = "searching_too_long"
    case noTranslation = "no_translation"
    case viewBlocked = "view_blocked"
    case relocalizing
    case startOver = "start_over"
    case tooBright = "too_bright"
    case repeatedPattern = "repeated_pattern"
    case tooClose = "too_close"
    /// The picture has stopped changing.
    case frozen
    /// The recording itself is too coarse or too blurred.
    case lowQuality = "low_quality"
    /// Somebody moves fast and doesn't look where they go.
    case mindStep = "mind_step"
    /// An object is selected, and the signs around it had no answer.
    case handleObject = "handle_object"
}

/// A line of friendly words on the screen.
public struct Hint: Hashable, Sendable, Identifiable {
    public let id: Int
    public var cause: HintCause
    public var text: String
    /// BCP 47, such as `en` or `ko`.
    public var language: String

    public init(id: Int, cause: HintCause, text: String, language: String) {
        self.id = id
        self.cause = cause
        self.text = text
        self.language = language
    }
}

public enum HintEvent: Hashable, Sendable {
    case shown(Hint)
    case hidden(Hint)
}
