import CFontconfig
import CFreeType
import Foundation

/// The fonts that a language is written in, best first, and their glyphs.
///
/// Fontconfig names the fonts; a character that the first lacks is taken from the next that has it.
final class FontSet {
    private let library: FT_Library
    private let files: [(path: String, index: Int)]
    private var faces: [Int: FT_Face] = [:]

    /// Files past this many are hardly ever more than symbols.
    private static let searchDepth = 40

    /// - Parameter language: BCP 47, such as `en` or `ko`.
    init(language: String) throws {
        files = Self.findFiles(language: language)
        guard !files.isEmpty else {
            throw RenderingError(
                "No font was found for words on the picture: install fonts-dejavu-core (and fonts-nanum).")
        }
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0, let library else {
            throw RenderingError("Fonts can't be read: FreeType didn't start. Reinstall libfreetype6.")
        }
        self.library = library
    }

    deinit {
        for face in faces.values { FT_Done_Face(face) }
        FT_Done_FreeType(library)
    }

    /// A character's place: which face, which glyph of it. Nil when no font has it.
    func glyph(for character: Unicode.Scalar) -> (face: FT_Face, index: FT_UInt)? {
        for file in files.indices {
            guard let face = face(file) else { continue }
            let index = FT_Get_Char_Index(face, FT_ULong(character.value))
            if index != 0 { return (face, index) }
        }
        return nil
    }

    /// The face that gives the line its height.
    var mainFace: FT_Face? { files.indices.lazy.compactMap { self.face($0) }.first }

    private func face(_ file: Int) -> FT_Face? {
        if let known = faces[file] { return known }
        var face: FT_Face?
        guard FT_New_Face(library, files[file].path, FT_Long(files[file].index), &face) == 0, let face,
            FT_Select_Charmap(face, FT_ENCODING_UNICODE) == 0
        else { return nil }
        faces[file] = face
        return face
    }

    private static func findFiles(language: String) -> [(path: String, index: Int)] {
        guard let config = FcInitLoadConfigAndFonts() else { return [] }
        defer { FcConfigDestroy(config) }
        let pattern = FcPatternCreate()
        defer { FcPatternDestroy(pattern) }
        FcPatternAddString(pattern, FC_FAMILY, "sans-serif")
        FcPatternAddString(pattern, FC_LANG, String(language.prefix { $0 != "-" && $0 != "_" }))
        FcPatternAddBool(pattern, FC_SCALABLE, FcBool(1))
        FcConfigSubstitute(config, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let sorted = FcFontSort(config, pattern, FcBool(1), nil, &result) else { return [] }
        defer { FcFontSetDestroy(sorted) }
        let fonts = UnsafeBufferPointer(start: sorted.pointee.fonts, count: Int(sorted.pointee.nfont))
        return fonts.prefix(searchDepth).compactMap { font in
            var file: UnsafeMutablePointer<FcChar8>?
            guard FcPatternGetString(font, FC_FILE, 0, &file) == FcResultMatch, let file else { return nil }
            var index: Int32 = 0
            _ = FcPatternGetInteger(font, FC_INDEX, 0, &index)
            return (String(cString: file), Int(index))
        }
    }
}
