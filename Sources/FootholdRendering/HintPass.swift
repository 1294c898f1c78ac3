import CGLES
import FootholdScene
import Foundation

/// The line of words near the picture's bottom, on a soft dark pill, the thin line of progress under it, and where
/// fingers are.
final class HintPass {
    private let program: ShaderProgram
    private let screen: ScreenQuad
    private let fonts: FontSet
    private let width: Int
    private let height: Int
    private var current: (text: String, line: TextLine?, texture: GLuint)?

    init(width: Int, height: Int, fontLanguage: String, screen: ScreenQuad) throws {
        self.width = width
        self.height = height
        self.screen = screen
        fonts = try FontSet(language: fontLanguage)
        program = try ShaderProgram(label: "hint", vertex: ScreenQuad.vertexShader, fragment: Self.fragmentShader)
    }

    private static let fragmentShader = """
        uniform sampler2D uText;
        uniform ivec4 uTextArea;   // left, top, width, height; no width for none
        uniform vec4 uPill;        // left, top, right, bottom
        uniform float uFeather;    // pixels over which the pill's edge fades
        uniform vec4 uColor;       // of the pill, multiplied by alpha
        in vec2 vPixel;
        out vec4 oColor;
        void main() {
            vec2 middle = 0.5 * (uPill.xy + uPill.zw);
            vec2 half_ = 0.5 * (uPill.zw - uPill.xy);
            float radius = min(half_.x, half_.y);
            vec2 q = abs(vPixel - middle) - (half_ - radius);
            float distance = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
            vec4 color = uColor * (1.0 - smoothstep(-0.5 * uFeather, 0.5 * uFeather, distance));
            ivec2 place = ivec2(vPixel) - uTextArea.xy;
            if (place.x >= 0 && place.y >= 0 && place.x < uTextArea.z && place.y < uTextArea.w) {
                float ink = texelFetch(uText, place, 0).r * 0.97;
                color = vec4(ink) + color * (1.0 - ink);
            }
            oColor = color;
        }
        """

    /// Sizes that follow from the picture's.
    private struct Measures {
        let textSize, smallestText, padding: Double
        let maximumTextWidth, bottom: Int
        let barHeight, barWidth, feather: Double

        init(width: Int, height: Int) {
            let shorter = Double(min(width, height))
            textSize = max(11, 0.042 * shorter)
            smallestText = max(9, 0.62 * textSize)
            padding = 0.95 * textSize
            maximumTextWidth = Int(0.97 * Double(width) - 1.3 * textSize)
            barHeight = max(2, (0.006 * shorter).rounded())
            feather = max(2, 0.28 * textSize)
            // Room for the line of progress under the pill, also in a small picture.
            let below = max(0.045 * Double(height) + 0.25 * textSize, 0.4 * textSize + barHeight + 5)
            bottom = height - Int(below.rounded())
            barWidth = (0.30 * shorter).rounded()
        }
    }

    /// Blends over the bound framebuffer.
    func draw(text: String?, progress: Double?, touches: [SIMD2<Double>]) {
        let measures = Measures(width: width, height: height)
        program.use()
        program.set("uText", 0)
        for touch in touches { drawTouch(touch, measures) }
        if let text { drawText(text, measures) }
        if let progress { drawProgress(progress.clamped(to: 0...1), measures) }
    }

    private func drawText(_ text: String, _ measures: Measures) {
        if current?.text != text {
            if let current, current.line != nil { Texture.delete(current.texture) }
            let line = TextLine(
                text, fonts: fonts, size: measures.textSize, smallest: measures.smallestText,
                maximumWidth: max(8, measures.maximumTextWidth))
            let texture = line.map { Texture.makeGray($0.pixels, width: $0.width, height: $0.height) } ?? 0
            current = (text, line, texture)
        }
        guard let current, let line = current.line else { return }
        // The pill keeps its height when long words are set smaller.
        let pillHeight = Int((1.9 * measures.textSize).rounded())
        let left = (width - line.width) / 2
        // Nor does it leave the picture.
        let padding = min(Int(measures.padding.rounded()), left - Int(measures.feather.rounded(.up)) - 2)
        let top = measures.bottom - pillHeight
        // Capitals are about 0.72 of the size high: centred on half of that.
        let textTop = top + pillHeight / 2 + Int((0.36 * line.size).rounded()) - line.baseline
        Texture.bind(current.texture)
        program.set("uTextArea", [left, textTop, line.width, line.height])
        drawPill(
            SIMD4(
                Double(left - padding), Double(top), Double(left + line.width + padding), Double(measures.bottom)),
            color: SIMD4(0.015, 0.02, 0.03, 0.52), feather: measures.feather)
    }

    /// A fingertip, see-through: what it touches stays in sight.
    private func drawTouch(_ pixel: SIMD2<Double>, _ measures: Measures) {
        program.set("uTextArea", [0, 0, 0, 0])
        let radius = 0.8 * measures.textSize
        let disc = SIMD4(pixel.x - radius, pixel.y - radius, pixel.x + radius, pixel.y + radius)
        drawPill(disc, color: SIMD4(0.30, 0.30, 0.30, 0.34), feather: 0.35 * radius)
    }

    private func drawProgress(_ progress: Double, _ measures: Measures) {
        program.set("uTextArea", [0, 0, 0, 0])
        let left = (Double(width) - measures.barWidth) / 2
        let top = Double(measures.bottom) + (0.4 * measures.textSize).rounded()
        let bottom = top + measures.barHeight
        drawPill(
            SIMD4(left - 1, top - 1, left + measures.barWidth + 1, bottom + 1), color: SIMD4(0.16, 0.16, 0.16, 0.42),
            feather: 2)
        let filled = max(measures.barHeight, progress * measures.barWidth)
        drawPill(SIMD4(left, top, left + filled, bottom), color: SIMD4(0.92, 0.92, 0.92, 0.92), feather: 1)
    }

    private func drawPill(_ pill: SIMD4<Double>, color: SIMD4<Double>, feather: Double) {
        program.set("uPill", pill)
        program.set("uColor", color)
        program.set("uFeather", feather)
        let corners = [SIMD2(pill.x, pill.y), SIMD2(pill.z, pill.w)]
        guard let area = PixelRect.around(corners, margin: feather, width: width, height: height) else { return }
        screen.draw(area, with: program, width: width, height: height)
    }
}
