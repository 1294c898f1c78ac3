import CGLES
import FootholdScene
import Foundation

/// Soft shadows on the plane that an object stands on.
///
/// Three parts: what the object takes from the lamp (its outline thrown along the light, softer than a lamp's point would
/// be), what it takes from the room's light around it, and the dark line of contact that makes it stand instead of
/// float. All depend on the object's shape and on the
/// light's direction only, so a picture of them is kept for each object until one of these changes.
final class ShadowPass {
    private static let resolution = 96
    /// How low the light may stand, as the tangent of its height over the plane: lower ones throw endless shadows.
    private static let lowestLight = 0.9

    private let castProgram: ShaderProgram
    private let blurProgram: ShaderProgram
    private let layProgram: ShaderProgram
    private let cast: Framebuffer
    private let halfBlurred: Framebuffer
    private let screen: ScreenQuad
    private var shadows: [Int: Shadow] = [:]

    private struct Shape: Hashable {
        var mesh: ObjectIdentifier
        var scale: SIMD3<Double>
        /// Towards the light, in the object's turned frame.
        var light: SIMD3<Double>
    }

    private struct Shadow {
        var shape: Shape
        var picture: Framebuffer
        /// The covered rectangle in the object's turned frame (x, z), metres.
        var low: SIMD2<Double>
        var high: SIMD2<Double>
    }

    init(screen: ScreenQuad) throws {
        self.screen = screen
        cast = try Framebuffer(width: Self.resolution, height: Self.resolution)
        halfBlurred = try Framebuffer(width: Self.resolution, height: Self.resolution)
        castProgram = try ShaderProgram(label: "shadow", vertex: Self.castVertex, fragment: Self.castFragment)
        blurProgram = try ShaderProgram(
            label: "shadow softness", vertex: ScreenQuad.vertexShader, fragment: Self.blurFragment)
        layProgram = try ShaderProgram(
            label: "shadow on surface", vertex: LensGrid.vertexShader,
            fragment: LensGrid.planeSource + Occlusion.shaderSource + Self.layFragment)
    }

    private static let castVertex = """
        layout(location = 0) in vec3 aPosition;
        uniform vec3 uScale;
        uniform vec2 uShift;    // along the plane per metre of height
        uniform vec4 uArea;     // corner, two over size
        uniform float uFalloff; // metres of height over which it weakens
        out float vStrength;
        void main() {
            vec3 p = aPosition * uScale;
            vec2 onPlane = p.xz + uShift * p.y;
            vStrength = exp(-max(p.y, 0.0) / uFalloff);
            gl_Position = vec4((onPlane - uArea.xy) * uArea.zw - 1.0, 0.0, 1.0);
        }
        """

    private static let castFragment = """
        in float vStrength;
        out vec4 oColor;
        void main() { oColor = vec4(vStrength); }
        """

    private static let blurFragment = """
        uniform sampler2D uPicture;
        uniform vec2 uStep;   // one texel along the blur's direction
        uniform vec3 uSigma;  // texels, by channel
        in vec2 vPixel;
        out vec4 oColor;
        void main() {
            vec3 sum = vec3(0.0);
            vec3 total = vec3(0.0);
            vec2 place = vPixel / vec2(textureSize(uPicture, 0));
            for (int i = -12; i <= 12; i++) {
                float away = 1.5 * float(i);  // texels; linear filtering fills the gaps
                vec3 weight = exp(-0.5 * away * away / (uSigma * uSigma));
                sum += weight * texture(uPicture, place + away * uStep).rgb;
                total += weight;
            }
            oColor = vec4(sum / total, 1.0);
        }
        """

    private static let layFragment = """
        uniform sampler2D uPicture;
        uniform vec4 uArea;  // corner, one over size
        uniform float uStrength;
        out vec4 oColor;
        void main() {
            vec2 local;
            float depth;
            bool isMet = meetPlane(local, depth);
            vec2 place = (local - uArea.xy) * uArea.zw;
            vec3 dark = texture(uPicture, place).rgb;
            if (!isMet || any(lessThan(place, vec2(0.0))) || any(greaterThan(place, vec2(1.0)))) discard;
            float shade = 1.0 - (1.0 - 0.42 * dark.r) * (1.0 - 0.50 * dark.g) * (1.0 - 0.30 * dark.b);
            oColor = vec4(0.0, 0.0, 0.0, shade * uStrength * shownShare(depth));
            // A little nearer than it is: the surface under it is only known roughly.
            gl_FragDepth = clipDepth(depth * 0.97 - 0.01);
        }
        """

    /// Draws over `target`, hidden by nearer surfaces in its depth.
    func draw(
        _ items: [ObjectPass.Item], view: View, lighting: Lighting, occlusion: Occlusion, grid: LensGrid,
        over target: Framebuffer
    ) {
        forget(allBut: items)
        for item in items where view.isAbove(item.object.worldFromObject) {
            guard let shadow = try? shadow(of: item, lighting: lighting) else { continue }
            target.bind()
            let worldFromObject = item.object.worldFromObject
            let outline = [
                shadow.low, SIMD2(shadow.high.x, shadow.low.y), shadow.high, SIMD2(shadow.low.x, shadow.high.y),
            ]
            guard let area = view.bounds(of: outline, on: worldFromObject) else { continue }
            layProgram.use()
            view.setPlane(worldFromObject, of: layProgram)
            occlusion.setUniforms(of: layProgram, ground: worldFromObject, view: view)
            let size = shadow.high - shadow.low
            layProgram.set("uArea", SIMD4(shadow.low.x, shadow.low.y, 1 / size.x, 1 / size.y))
            layProgram.set("uStrength", item.object.isProvisional ? 0.6 : 1)
            layProgram.set("uPicture", 0)
            Texture.bind(shadow.picture.texture)
            glEnable(gl(GL_DEPTH_TEST))
            glDepthFunc(gl(GL_LEQUAL))
            glDepthMask(GLboolean(GL_FALSE))
            glEnable(gl(GL_SCISSOR_TEST))
            glScissor(GLint(area.minX), GLint(area.minY), GLsizei(area.width), GLsizei(area.height))
            grid.draw()
            glDisable(gl(GL_SCISSOR_TEST))
            glDisable(gl(GL_DEPTH_TEST))
            glDepthFunc(gl(GL_LESS))
        }
    }

    var cachedCount: Int { shadows.count }

    private func forget(allBut items: [ObjectPass.Item]) {
        let ids = Set(items.map(\.object.id))
        for (id, shadow) in shadows where !ids.contains(id) {
            shadow.picture.delete()
            shadows[id] = nil
        }
    }

    private func shadow(of item: ObjectPass.Item, lighting: Lighting) throws -> Shadow {
        var light = item.object.worldFromObject.rotation.inverse * lighting.direction
        light.y = max(light.y, Self.lowestLight * SIMD2(light.x, light.z).length, 0.1)
        // Steps of a degree or so: a trembling estimate shall not tremble on the table.
        light = (light.normalized * 64).rounded(.toNearestOrEven) / 64
        let shape = Shape(mesh: ObjectIdentifier(item.mesh), scale: item.scale, light: light)
        if let known = shadows[item.object.id], known.shape == shape { return known }
        let picture =
            try shadows[item.object.id]?.picture
            ?? Framebuffer(width: Self.resolution, height: Self.resolution)
        let shadow = render(shape, item: item, into: picture)
        shadows[item.object.id] = shadow
        return shadow
    }

    private func render(_ shape: Shape, item: ObjectPass.Item, into picture: Framebuffer) -> Shadow {
        let low = item.mesh.low * shape.scale
        let high = item.mesh.high * shape.scale
        let shift = SIMD2(-shape.light.x, -shape.light.z) / max(shape.light.y, 0.1)
        let tip = shift * high.y
        let footprint = max(high.x - low.x, high.z - low.z)
        // Softness of the thrown outline, and of the contact.
        let soft = 0.05 * high.y + 0.02 * footprint
        let margin = SIMD2(repeating: max(3 * soft, 0.3 * footprint))
        let corner = SIMD2(low.x, low.z) + pointwiseMin(tip, .zero) - margin
        let far = SIMD2(high.x, high.z) + pointwiseMax(tip, .zero) + margin
        let size = far - corner

        glDisable(gl(GL_SCISSOR_TEST))
        cast.bind()
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
        castProgram.use()
        castProgram.set("uScale", shape.scale)
        castProgram.set("uArea", SIMD4(corner.x, corner.y, 2 / size.x, 2 / size.y))
        glBlendEquation(gl(GL_MAX))
        let (yes, no) = (GLboolean(GL_TRUE), GLboolean(GL_FALSE))
        glColorMask(yes, no, no, no)
        castProgram.set("uShift", shift)
        castProgram.set("uFalloff", 2.2 * high.y)
        item.mesh.drawShape()
        glColorMask(no, yes, no, no)
        castProgram.set("uShift", SIMD2<Double>.zero)
        castProgram.set("uFalloff", 0.12 * footprint)
        item.mesh.drawShape()
        glColorMask(no, no, yes, no)
        castProgram.set("uFalloff", 0.7 * footprint)
        item.mesh.drawShape()
        glColorMask(yes, yes, yes, yes)
        glBlendEquation(gl(GL_FUNC_ADD))

        glDisable(gl(GL_BLEND))
        blurProgram.use()
        blurProgram.set("uPicture", 0)
        let whole = PixelRect(minX: 0, minY: 0, maxX: Self.resolution, maxY: Self.resolution)
        let texel = 1 / Double(Self.resolution)
        for (source, goal, step, extent) in [
            (cast, halfBlurred, SIMD2(texel, 0), size.x), (halfBlurred, picture, SIMD2(0, texel), size.y),
        ] {
            goal.bind()
            let texelsPerMetre = Double(Self.resolution) / extent
            let sigma = SIMD3(soft, 0.035 * footprint, 0.13 * footprint) * texelsPerMetre
            blurProgram.set("uStep", step)
            blurProgram.set("uSigma", sigma.clamped(lowerBound: .one, upperBound: SIMD3(repeating: 7)))
            Texture.bind(source.texture)
            screen.draw(whole, with: blurProgram, width: Self.resolution, height: Self.resolution)
        }
        glEnable(gl(GL_BLEND))
        return Shadow(shape: shape, picture: picture, low: corner, high: far)
    }
}
