import FootholdScene

extension HintCause {
    /// When it is spoken of, in a few words for developers.
    public var situation: String {
        switch self {
        case .lookAround: "no surface was found yet"
        case .ready: "something can be placed"
        case .insufficientLight: "too dark"
        case .excessiveMotion: "moving too fast, or shaking"
        case .insufficientFeatures: "too little to see, such as a plain wall"
        case .hardSurfaces: "a mirror, glass or something shiny fills the view"
        case .searchingTooLong: "ten seconds without a surface, and nothing else is wrong"
        case .noTranslation: "turning on the spot at the beginning"
        case .viewBlocked: "something covers the lens"
        case .relocalizing: "the place was lost, and it can't be told why"
        case .startOver: "it stays bad although it was said what to do, twice"
        case .tooBright: "glare, or light from behind"
        case .repeatedPattern: "the same pattern again and again, such as tiles"
        case .tooClose: "right in front of a surface"
        case .frozen: "the picture doesn't change any more"
        case .lowQuality: "the recording itself is too coarse or too blurred"
        case .mindStep: "walking fast without looking there"
        case .handleObject: "an object is selected, and the signs around it had no answer for six seconds"
        }
    }
}
