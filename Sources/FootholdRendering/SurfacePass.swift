import CGLES
import FootholdScene
import Foundation

/// Surfaces as a light, fine grid within their outline, fading towards its edge.
final class SurfacePass {
    /// Metres between the grid's lines.
    static let spacing = 0.1

    private let program: ShaderProgram
    private var fields: [Int: Field] = [:]
    private var anchors: [Int: Anchor] = [:]

    private struct Field {
        var outline: [SIMD2<Double>]
        var texture: GLuint
        var shape: DistanceField
    }

    /// Where a surface's grid was laid first, in the world. An engine moves a surface's origin as the surface grows;
    /// lines that followed it would swim.
    private struct Anchor {
        var point: SIMD3<Double>
        var axis: SIMD3<Double>
        var lastUse: Int
    }

    init() throws {
        program = try ShaderProgram(
            label: "surfaces", vertex: LensGrid.vertexShader, fragment: LensGrid.planeSource + Self.fragmentShader)
    }

    private static let fragmentShader = """
        uniform sampler2D uField;
        uniform vec4 uFieldBox;    // corner, one over size
        uniform float uFieldRange;
        uniform vec4 uGrid;        // origin; cosine and sine of its turn
        uniform float uSpacing;
        uniform float uFade;       // metres over which the edge fades
        uniform float uLineWidth;  // pixels
        uniform vec3 uTint;
        uniform vec3 uLine;
        uniform float uStrength;
        out vec4 oColor;

        // How much of the pixel the lines at whole numbers cover; they go before they crowd.
        float lines(vec2 c, vec2 perPixel) {
            vec2 away = abs(fract(c - 0.5) - 0.5) / perPixel;
            vec2 cover = clamp(0.5 * uLineWidth + 0.5 - away, 0.0, 1.0);
            cover *= 1.0 - smoothstep(1.0 / 30.0, 1.0 / 13.0, perPixel);
            return max(cover.x, cover.y);
        }

        void main() {
            vec2 local;
            float depth;
            bool isMet = meetPlane(local, depth);
            vec2 g = local - uGrid.xy;
            g = vec2(g.x * uGrid.z + g.y * uGrid.w, g.y * uGrid.z - g.x * uGrid.w) / uSpacing;
            vec2 dx = dFdx(g);
            vec2 dy = dFdy(g);
            vec2 perPixel = max(vec2(length(vec2(dx.x, dy.x)), length(vec2(dx.y, dy.y))), 1e-5);
            float inside = (texture(uField, (local - uFieldBox.xy) * uFieldBox.zw).r * 255.0 - 128.0)
                * uFieldRange / 127.0;
            if (!isMet || inside <= 0.0) discard;
            float edge = smoothstep(0.0, uFade, inside);
            float line = max(lines(g, perPixel), 0.8 * lines(g * 0.2, perPixel * 0.2));
            float fill = 0.07 * edge * uStrength;
            float drawn = 0.40 * line * edge * uStrength;
            oColor = vec4(uTint * fill, fill) * (1.0 - drawn) + vec4(uLine * drawn, drawn);
            gl_FragDepth = clipDepth(depth);
        }
        """

    /// Draws into the bound framebuffer, replacing what is there where a surface is nearer.
    ///
    /// - Parameter strength: by id, 0…1.
    func draw(
        _ surfaces: [PlaneAnchor], view: View, grid: LensGrid, lineWidth: Double, frameIndex: Int,
        strength: (PlaneAnchor) -> Double
    ) {
        forget(allBut: surfaces, frameIndex: frameIndex)
        program.use()
        program.set("uField", 0)
        program.set("uSpacing", Self.spacing)
        program.set("uLineWidth", lineWidth)
        glDisable(gl(GL_BLEND))
        glEnable(gl(GL_DEPTH_TEST))
        glDepthMask(GLboolean(GL_TRUE))
        for surface in surfaces where view.isAbove(surface.worldFromSurface) {
            guard let area = view.bounds(of: surface.boundary, on: surface.worldFromSurface),
                let field = field(of: surface)
            else { continue }
            view.setPlane(surface.worldFromSurface, of: program)
            let shape = field.shape
            program.set("uFieldBox", SIMD4(shape.origin.x, shape.origin.y, 1 / shape.size.x, 1 / shape.size.y))
            program.set("uFieldRange", shape.range)
            program.set("uFade", min(shape.range, max(0.03, 0.12 * min(surface.extent.x, surface.extent.y))))
            program.set("uGrid", gridPlacement(of: surface, frameIndex: frameIndex))
            let isVertical = surface.alignment == .vertical
            program.set("uTint", isVertical ? SIMD3(0.42, 0.30, 0.78) : SIMD3(0.10, 0.42, 0.80))
            program.set("uLine", isVertical ? SIMD3(0.88, 0.83, 1.0) : SIMD3(0.80, 0.94, 1.0))
            program.set("uStrength", strength(surface))
            Texture.bind(field.texture)
            glScissor(GLint(area.minX), GLint(area.minY), GLsizei(area.width), GLsizei(area.height))
            glEnable(gl(GL_SCISSOR_TEST))
            grid.draw()
        }
        glDisable(gl(GL_SCISSOR_TEST))
        glDisable(gl(GL_DEPTH_TEST))
        glEnable(gl(GL_BLEND))
    }

    var cachedCount: Int { fields.count + anchors.count }

    private func field(of surface: PlaneAnchor) -> Field? {
        if let field = fields[surface.id], field.outline == surface.boundary { return field }
        if let old = fields.removeValue(forKey: surface.id) { Texture.delete(old.texture) }
        guard let shape = DistanceField(surface.boundary) else { return nil }
        let texture = Texture.makeGray(shape.texels, width: shape.width, height: shape.height)
        let field = Field(outline: surface.boundary, texture: texture, shape: shape)
        fields[surface.id] = field
        return field
    }

    /// The grid's origin in local (x, z) and the cosine and sine of its turn.
    private func gridPlacement(of surface: PlaneAnchor, frameIndex: Int) -> SIMD4<Double> {
        let pose = surface.worldFromSurface
        var anchor =
            anchors[surface.id] ?? Anchor(point: pose.position, axis: pose.rotation * .unitX, lastUse: frameIndex)
        anchor.lastUse = frameIndex
        anchors[surface.id] = anchor
        let origin = pose.inverse * anchor.point
        let axis = pose.rotation.inverse * anchor.axis
        let direction = SIMD2(axis.x, axis.z)
        let length = direction.length
        guard length > 0.1 else { return SIMD4(origin.x, origin.z, 1, 0) }
        return SIMD4(origin.x, origin.z, direction.x / length, direction.y / length)
    }

    /// Frees what belongs to surfaces that are gone; anchors stay a while, for when a surface comes back.
    private func forget(allBut surfaces: [PlaneAnchor], frameIndex: Int) {
        let ids = Set(surfaces.map(\.id))
        for (id, field) in fields where !ids.contains(id) {
            Texture.delete(field.texture)
            fields[id] = nil
        }
        if anchors.count > 256 { anchors = anchors.filter { frameIndex - $0.value.lastUse < 300 } }
    }
}
