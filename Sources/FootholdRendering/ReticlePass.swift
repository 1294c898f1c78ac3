import CGLES
import FootholdScene
import Foundation

/// What lies flat as a drawn sign: the targeting indicator, and the ring around a selected object.
final class ReticlePass {
    private let program: ShaderProgram

    /// The shader's shapes.
    private enum Shape: Int {
        /// Corners only, the sides' middles open.
        case openSquare = 0
        /// A closed square.
        case square = 1
        /// A circle with a bar: not here.
        case barredCircle = 2
        /// A circle with two arrow heads along it: can be turned.
        case turningRing = 3
        /// Four arrow heads that point outwards: can be moved.
        case arrows = 4
        case circle = 5
    }

    init() throws {
        program = try ShaderProgram(
            label: "reticle", vertex: LensGrid.vertexShader, fragment: LensGrid.planeSource + Self.fragmentShader)
    }

    private static let fragmentShader = """
        uniform int uShape;
        uniform float uRadius;     // metres: half a side, or a circle's radius
        uniform float uLineWidth;  // pixels
        uniform vec3 uColor;
        uniform float uFill;
        uniform float uOpacity;
        out vec4 oColor;

        float squareEdge(vec2 p, float radius) {
            float corner = 0.16 * radius;
            vec2 q = abs(p) - (radius - corner);
            return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - corner;
        }

        // How far the pixel is from the place where a distance is zero, in pixels. The distance's own slope on the
        // screen makes lines equally wide however the plane is turned.
        float pixels(float signedDistance) {
            return abs(signedDistance) / max(length(vec2(dFdx(signedDistance), dFdy(signedDistance))), 1e-7);
        }

        void main() {
            vec2 p;
            float depth;
            bool isMet = meetPlane(p, depth);
            float perPixel = max(max(length(dFdx(p)), length(dFdy(p))), 1e-7);
            float edge = uShape <= 1 ? squareEdge(p, uRadius) : length(p) - uRadius;
            float px = pixels(edge);
            float open = 1.0;
            if (uShape == 0) open = clamp((min(abs(p.x), abs(p.y)) - 0.42 * uRadius) / perPixel + 0.5, 0.0, 1.0);
            if (uShape == 2) {
                float bar = pixels(p.y - p.x);
                px = min(px, max(bar, edge / perPixel));
            }
            if (uShape == 3) {
                // Heads at both sides that point along the ring.
                vec2 q = p.x < 0.0 ? -p : p;
                q -= vec2(uRadius, 0.0);
                q.y -= 0.06 * uRadius;
                float head = max(abs(q.x) + 0.60 * q.y, -q.y - 0.13 * uRadius);
                px = min(px, max(head, 0.0) / perPixel);
            }
            if (uShape == 4) {
                // A chevron towards each side, so that little is covered.
                vec2 q = abs(p);
                if (q.y > q.x) q = q.yx;
                float along = q.x - 1.17 * uRadius;
                float arm = 0.17 * uRadius;
                px = q.y > arm ? 1e4 : abs(along + q.y) * 0.7071 / perPixel;
                edge = 1e4;
            }
            float line = clamp(0.5 * uLineWidth + 0.5 - px, 0.0, 1.0) * open;
            float halo = exp(-0.5 * px * px / (uLineWidth * uLineWidth * 1.2)) * open * 0.28;
            float fill = clamp(0.5 - edge / perPixel, 0.0, 1.0) * uFill;
            if (!isMet || length(p) > 2.0 * uRadius) discard;
            vec4 color = vec4(0.0, 0.0, 0.0, halo);
            color = vec4(uColor * fill, fill) + color * (1.0 - fill);
            oColor = (vec4(uColor * line, line) * 0.95 + color * (1.0 - 0.95 * line)) * uOpacity;
            gl_FragDepth = clipDepth(depth);
        }
        """

    private static let white = SIMD3(1.0, 1.0, 1.0)
    private static let green = SIMD3(0.62, 0.95, 0.70)
    private static let amber = SIMD3(1.0, 0.80, 0.42)

    /// Blends over the bound framebuffer.
    ///
    /// - Parameter view: nil while no pose is known; then only the searching shape is drawn.
    func draw(_ reticle: Reticle, view: View?, lens: Lens, grid: LensGrid, lineWidth: Double) {
        switch reticle {
        case .hidden:
            return
        case .searching:
            // A square that lies as if on a table before the viewer: seen, a flat trapezoid in the picture's middle.
            let fixed = View(lens: lens, worldFromCamera: .identity)
            let middle = lens.ray(
                SIMD2(Double(lens.intrinsics.width - 1) / 2, Double(lens.intrinsics.height - 1) / 2))
            let pose = Pose(
                rotation: Rotation(axis: .unitX, angleRadians: 38 * .pi / 180),
                position: SIMD3(middle.x, -middle.y, -1))
            draw(
                .openSquare, at: pose, radius: Self.radius(at: 1, lens), fill: 0, color: Self.white, view: fixed,
                grid: grid, lineWidth: lineWidth)
        case .onSurface(let worldFromReticle, _, let isConfirmed):
            guard let view else { return }
            let radius = Self.radius(at: view.eye.distance(to: worldFromReticle.position), lens)
            draw(
                .square, at: worldFromReticle, radius: radius, fill: isConfirmed ? 0.16 : 0,
                color: Self.white, view: view, grid: grid, lineWidth: isConfirmed ? lineWidth : 0.7 * lineWidth)
        case .unsuitable(let worldFromReticle):
            guard let view else { return }
            let radius = 0.8 * Self.radius(at: view.eye.distance(to: worldFromReticle.position), lens)
            draw(
                .barredCircle, at: worldFromReticle, radius: radius, fill: 0, color: Self.amber, view: view,
                grid: grid, lineWidth: lineWidth)
        }
    }

    /// A sign around an object or where something happened: lines only, no fill.
    func draw(_ mark: SceneMark, view: View, grid: LensGrid, lineWidth: Double) {
        guard mark.opacity > 0.01, mark.radius > 0 else { return }
        let shape: Shape
        var color = Self.white
        switch mark.shape {
        case .rotationRing: shape = .turningRing
        case .movementArrows: shape = .arrows
        case .pulse(let kind):
            shape = .circle
            switch kind {
            case .impact, .selection: break
            case .success: color = Self.green
            case .warning, .error: color = Self.amber
            }
        }
        draw(
            shape, at: mark.worldFromMark, radius: mark.radius, fill: 0, color: color, opacity: min(1, mark.opacity),
            view: view, grid: grid, lineWidth: lineWidth)
    }

    /// Half the indicator's side: as wide in the picture however far away it is, about a seventh of its shorter side.
    private static func radius(at distance: Double, _ lens: Lens) -> Double {
        let pixels = 0.075 * Double(min(lens.intrinsics.width, lens.intrinsics.height))
        return pixels / lens.intrinsics.fx * max(distance, 0.05)
    }

    private func draw(
        _ shape: Shape, at worldFromPlane: Pose, radius: Double, fill: Double, color: SIMD3<Double>,
        opacity: Double = 1, view: View, grid: LensGrid, lineWidth: Double
    ) {
        // Seen from either side: an indicator on a guessed plane may face away.
        let pose =
            view.isAbove(worldFromPlane)
            ? worldFromPlane
            : worldFromPlane * Pose(rotation: Rotation(x: 1, y: 0, z: 0, w: 0))
        let r = 1.3 * radius
        let outline = [SIMD2(-r, -r), SIMD2(-r, r), SIMD2(r, r), SIMD2(r, -r)]
        guard let area = view.bounds(of: outline, on: pose, margin: 4 * lineWidth) else { return }
        program.use()
        view.setPlane(pose, of: program)
        program.set("uShape", shape.rawValue)
        program.set("uRadius", radius)
        program.set("uLineWidth", lineWidth)
        program.set("uColor", color)
        program.set("uFill", fill)
        program.set("uOpacity", opacity)
        glEnable(gl(GL_SCISSOR_TEST))
        glScissor(GLint(area.minX), GLint(area.minY), GLsizei(area.width), GLsizei(area.height))
        grid.draw()
        glDisable(gl(GL_SCISSOR_TEST))
    }
}
