/// Which words can be drawn with the fonts that are there.
public enum Lettering {
    /// True when a font holds every letter of a text; false without any font.
    ///
    /// - Parameter language: BCP 47, such as `en` or `ko`.
    public static func canDraw(_ text: String, language: String) -> Bool {
        guard let fonts = try? FontSet(language: language) else { return false }
        return Set(text.unicodeScalars).allSatisfy { $0.properties.isWhitespace || fonts.glyph(for: $0) != nil }
    }
}
