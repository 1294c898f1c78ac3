import CFreeType
import Foundation

/// One line of words as a picture of their coverage.
struct TextLine {
    /// One byte a pixel, rows packed.
    let pixels: [UInt8]
    let width: Int
    let height: Int
    /// The font's size, in pixels.
    let size: Double
    /// Rows from the top to the line that letters stand on.
    let baseline: Int

    /// Words that are too long are squeezed to no less than this share of their width.
    private static let narrowest = 0.85

    /// Sets the words at `size` or, where they don't fit the width, at a smaller one down to `smallest`, then narrower;
    /// words that don't fit even then end in an ellipsis.
    ///
    /// Nil for words without anything to see.
    init?(_ text: String, fonts: FontSet, size: Double, smallest: Double, maximumWidth: Int) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            .trimmingCharacters(in: .whitespaces).precomposedStringWithCanonicalMapping
        guard !line.isEmpty else { return nil }
        let limit = Double(maximumWidth)
        var size = size
        var layout = Layout(line, fonts: fonts, size: size)
        if layout.width > limit {
            size = max(smallest, size * limit / layout.width)
            layout = Layout(line, fonts: fonts, size: size)
        }
        if layout.width > limit {
            let squeeze = max(Self.narrowest, limit / layout.width)
            layout = Layout(line, fonts: fonts, size: size, squeeze: squeeze)
        }
        var kept = Substring(line)
        while layout.width > limit + 1, !kept.isEmpty {
            kept = kept.dropLast()
            let shortened = kept.trimmingCharacters(in: .whitespaces) + "…"
            layout = Layout(shortened, fonts: fonts, size: size, squeeze: Self.narrowest)
        }
        guard layout.width >= 1 else { return nil }
        let drawn = layout.draw()
        pixels = drawn.pixels
        width = drawn.width
        height = drawn.height
        baseline = drawn.baseline
        self.size = size
    }

    /// Where each glyph goes.
    private struct Layout {
        var glyphs: [(face: FT_Face, index: FT_UInt, x: Double)] = []
        var width = 0.0
        var ascent = 0.0
        var descent = 0.0
        let size: Double
        /// Share of the usual width.
        let squeeze: Double

        init(_ text: String, fonts: FontSet, size: Double, squeeze: Double = 1) {
            self.size = size
            self.squeeze = squeeze
            var previous: (face: FT_Face, index: FT_UInt)?
            for character in text.unicodeScalars {
                // A character that no font has is left out: a hollow box would tell nobody anything.
                guard let glyph = fonts.glyph(for: character) else { continue }
                Self.setSize(size, of: glyph.face)
                if let previous, previous.face == glyph.face {
                    var kerning = FT_Vector()
                    FT_Get_Kerning(
                        glyph.face, previous.index, glyph.index, FT_UInt(FT_KERNING_UNFITTED.rawValue), &kerning)
                    width += squeeze * Double(kerning.x) / 64
                }
                guard FT_Load_Glyph(glyph.face, glyph.index, TextLine.loadFlags) == 0 else { continue }
                glyphs.append((glyph.face, glyph.index, width))
                width += squeeze * Double(glyph.face.pointee.glyph.pointee.linearHoriAdvance) / 65536
                let metrics = glyph.face.pointee.size.pointee.metrics
                ascent = max(ascent, Double(metrics.ascender) / 64)
                descent = max(descent, -Double(metrics.descender) / 64)
                previous = glyph
            }
        }

        static func setSize(_ size: Double, of face: FT_Face) {
            FT_Set_Char_Size(face, 0, FT_F26Dot6((size * 64).rounded()), 72, 72)
        }

        func draw() -> (pixels: [UInt8], width: Int, height: Int, baseline: Int) {
            // A pixel at each side for what leans out of its advance.
            let columns = Int(width.rounded(.up)) + 2
            let baseline = Int(ascent.rounded(.up))
            let rows = baseline + Int(descent.rounded(.up))
            var pixels = [UInt8](repeating: 0, count: columns * rows)
            for glyph in glyphs {
                Self.setSize(size, of: glyph.face)
                // Rendered at its fraction of a pixel, so that letters keep their distances at small sizes.
                let left = glyph.x + 1
                var shift = FT_Vector(x: FT_Pos(((left - left.rounded(.down)) * 64).rounded()), y: 0)
                var matrix = FT_Matrix(xx: FT_Fixed((squeeze * 65536).rounded()), xy: 0, yx: 0, yy: 65536)
                FT_Set_Transform(glyph.face, &matrix, &shift)
                defer { FT_Set_Transform(glyph.face, nil, nil) }
                guard FT_Load_Glyph(glyph.face, glyph.index, TextLine.loadFlags) == 0,
                    let slot = glyph.face.pointee.glyph, FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) == 0
                else { continue }
                let bitmap = slot.pointee.bitmap
                guard let buffer = bitmap.buffer else { continue }
                let firstColumn = Int(left.rounded(.down)) + Int(slot.pointee.bitmap_left)
                let firstRow = baseline - Int(slot.pointee.bitmap_top)
                for row in 0..<Int(bitmap.rows) where (0..<rows).contains(firstRow + row) {
                    for column in 0..<Int(bitmap.width) where (0..<columns).contains(firstColumn + column) {
                        let place = (firstRow + row) * columns + firstColumn + column
                        let value = buffer[row * Int(bitmap.pitch) + column]
                        pixels[place] = max(pixels[place], value)
                    }
                }
            }
            return (pixels, columns, rows, baseline)
        }
    }

    // Unhinted: the sub-pixel places above would fight with a grid fit.
    private static let loadFlags = FT_Int32(FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)
}
