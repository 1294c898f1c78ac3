import FootholdRendering
import FootholdScene
import Testing

@Suite struct HintDrawingTests {
    static let sizes = [(640, 480), (364, 674), (1280, 720), (160, 120)]

    /// The smallest rectangle around the pixels, as (low, high).
    private func extent(_ pixels: [SIMD2<Int>]) -> (low: SIMD2<Int>, high: SIMD2<Int>)? {
        guard let first = pixels.first else { return nil }
        return pixels.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    }

    private func draw(
        _ text: String?, progress: Double? = nil, size: (Int, Int) = (640, 480), language: String = "en"
    ) throws -> (bare: Pixels, drawn: Pixels) {
        let renderer = try OverlayRenderer(width: size.0, height: size.1, fontLanguage: language)
        let frame = Pictures.gray(128, width: size.0, height: size.1)
        var overlay = Overlay(intrinsics: .guess(width: size.0, height: size.1))
        let bare = Pixels(try renderer.render(frame, overlay: overlay))
        overlay.hintText = text
        overlay.progress = progress
        return (bare, Pixels(try renderer.render(frame, overlay: overlay)))
    }

    private func ink(_ picture: Pixels) -> [SIMD2<Int>] {
        (0..<picture.height).flatMap { y in
            (0..<picture.width).filter { picture[$0, y].y > 190 }.map { SIMD2($0, y) }
        }
    }

    @Test(arguments: sizes)
    func wordsStayInTheBottomOfThePictureAndWithinItsWidth(size: (Int, Int)) throws {
        for text in ["Tap", "Plain walls and tables are hard to see. Add light, or look at a rug or some books."] {
            let (bare, drawn) = try draw(text, progress: 0.5, size: size)
            let touched = try #require(extent(drawn.changed(from: bare)))
            #expect(touched.low.y >= size.1 * 7 / 10)
            #expect(touched.low.x >= 1 && touched.high.x <= size.0 - 2)
            #expect(touched.high.y <= size.1 - 2)
            let words = try #require(extent(ink(try draw(text, size: size).drawn)))
            #expect(abs(words.low.x + words.high.x - size.0) <= 8, "in the middle")
        }
    }

    @Test func longWordsAreSetSmallerOnTheSameOneLine() throws {
        let short = try #require(extent(ink(try draw("Tag", size: (364, 674)).drawn)))
        let long = try #require(
            extent(
                ink(
                    try draw(
                        "Plain walls and tables are hard to see. Add light, or look at a rug or some books.",
                        size: (364, 674)
                    ).drawn)))
        #expect(long.high.x - long.low.x > 300)
        #expect(long.high.y - long.low.y <= short.high.y - short.low.y)
        #expect(long.high.y - long.low.y >= 6, "still to be read")
    }

    @Test func wordsThatCannotFitEndInAnEllipsisWithinThePicture() throws {
        let text = String(repeating: "look around slowly ", count: 20)
        let words = try #require(extent(ink(try draw(text, size: (364, 674)).drawn)))
        #expect(words.low.x > 0 && words.high.x < 363)
        #expect(words.high.y - words.low.y < 20)
    }

    @Test func lineBreaksBecomeSpaces() throws {
        let broken = try draw("Tap where\nthe chair should go").drawn
        let whole = try draw("Tap where the chair should go").drawn
        #expect(broken.rgba == whole.rgba)
    }

    /// A font without Hangul would give nothing, or the same hollow box for each.
    @Test(arguments: ["ko", "en"])
    func koreanSyllablesAreDrawnEachWithItsOwnShape(language: String) throws {
        var seen: [[SIMD2<Int>]] = []
        for text in ["가", "힣", "닭", "을", "쪽"] {
            let shape = ink(try draw(text, language: language).drawn)
            #expect(shape.count > 20, "\(text) is missing")
            #expect(!seen.contains(shape), "\(text) looks like another syllable")
            seen.append(shape)
        }
    }

    @Test func decomposedKoreanIsDrawnAsSyllables() throws {
        let composed = try draw("각", language: "ko").drawn
        let decomposed = try draw("\u{1100}\u{1161}\u{11A8}", language: "ko").drawn
        #expect(composed.rgba == decomposed.rgba)
    }

    @Test func wordsWithNothingToSeeDrawNothing() throws {
        for text in ["", "   ", "\n"] {
            let (bare, drawn) = try draw(text)
            #expect(drawn.changed(from: bare).isEmpty)
        }
    }

    @Test func progressGrowsAsAThinLineAtTheBottom() throws {
        var widths: [Int] = []
        for progress in [0.25, 0.5, 1.0, 7.0] {
            let (bare, drawn) = try draw(nil, progress: progress)
            let touched = try #require(extent(drawn.changed(from: bare)))
            #expect(touched.low.y > 480 * 9 / 10)
            #expect(touched.high.y - touched.low.y < 12)
            let line = try #require(extent(ink(drawn)))
            widths.append(line.high.x - line.low.x)
        }
        #expect(widths[0] < widths[1] && widths[1] < widths[2])
        #expect(widths[2] == widths[3], "more than all is all")
    }
}
