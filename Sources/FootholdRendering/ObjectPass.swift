import CGLES
import FootholdScene
import Foundation

/// Objects as lit solids with smooth edges.
final class ObjectPass {
    private let program: ShaderProgram
    private let copyProgram: ShaderProgram
    private let samples: Framebuffer
    private let resolved: Framebuffer
    private let screen: ScreenQuad
    private let white: GLuint

    static let provisionalOpacity = 0.8

    init(width: Int, height: Int, screen: ScreenQuad) throws {
        self.screen = screen
        program = try ShaderProgram(
            label: "objects", vertex: Lens.shaderSource + Self.vertexShader,
            fragment: Occlusion.shaderSource + Self.fragmentShader)
        copyProgram = try ShaderProgram(
            label: "copy", vertex: ScreenQuad.vertexShader,
            fragment: """
                uniform sampler2D uPicture;
                in vec2 vPixel;
                out vec4 oColor;
                void main() { oColor = texelFetch(uPicture, ivec2(vPixel), 0); }
                """)
        samples = try Framebuffer(width: width, height: height, hasDepth: true, samples: 4)
        resolved = try Framebuffer(width: width, height: height)
        white = Texture.make(filter: GL_NEAREST)
        glTexImage2D(
            gl(GL_TEXTURE_2D), 0, GL_RGBA8, 1, 1, 0, gl(GL_RGBA), gl(GL_UNSIGNED_BYTE), [255, 255, 255, 255] as [UInt8])
    }

    private static let vertexShader = """
        layout(location = 0) in vec3 aPosition;
        layout(location = 1) in vec3 aNormal;
        layout(location = 2) in vec4 aColor;
        layout(location = 3) in vec2 aTexture;
        uniform mat3 uCameraFromObject;  // rotation, to computer-vision axes
        uniform vec3 uOrigin;            // of the object, in the camera
        uniform vec3 uScale;
        // At the centroid: beyond a silhouette normals would turn away from the eye.
        centroid out vec3 vNormal;       // in the object's turned frame
        centroid out vec3 vToEye;
        centroid out vec4 vColor;
        out vec2 vTexture;
        centroid out float vDepth;      // in front of the camera
        void main() {
            vec3 local = aPosition * uScale;
            vec3 inCamera = uCameraFromObject * local + uOrigin;
            vNormal = aNormal / uScale;
            vToEye = -inCamera * uCameraFromObject;
            vColor = aColor;
            vTexture = aTexture;
            vDepth = inCamera.z;
            gl_Position = clipFromCamera(inCamera);
        }
        """

    private static let fragmentShader = """
        centroid in vec3 vNormal;
        centroid in vec3 vToEye;
        centroid in vec4 vColor;
        in vec2 vTexture;
        centroid in float vDepth;
        uniform sampler2D uPicture;
        uniform vec3 uToLight;
        uniform vec3 uUp;
        uniform vec3 uLight;
        uniform float uGloss;
        uniform float uOpacity;
        uniform float uGlow;
        out vec4 oColor;
        void main() {
            vec3 n = normalize(vNormal);
            vec3 v = normalize(vToEye);
            if (!gl_FrontFacing) n = -n;
            vec4 base = texture(uPicture, vTexture);
            // Squares and roots stand for the sRGB curve: near enough for shading, and far cheaper.
            vec3 albedo = vColor.rgb * base.rgb;
            albedo *= albedo;
            float open = vColor.a;
            // Light from a window or a lamp is wide: it reaches a little beyond the terminator.
            float wrap = 0.18;
            float direct = max(0.0, (dot(n, uToLight) + wrap) / (1.0 + wrap));
            float above = 0.5 + 0.5 * dot(n, uUp);
            vec3 ambient = mix(vec3(0.22, 0.20, 0.18), vec3(0.42, 0.44, 0.47), above) * open;
            vec3 color = albedo * uLight * (ambient + 0.78 * direct * mix(0.55, 1.0, open));
            vec3 h = normalize(uToLight + v);
            float away = 1.0 - max(dot(n, v), 0.0);
            float grazing = away * away * away * away * away;
            float shine = pow(max(dot(n, h), 0.0), mix(12.0, 70.0, uGloss)) * mix(0.05, 0.35, uGloss);
            color += uLight * (shine * step(0.0, dot(n, uToLight)) + 0.10 * uGloss * grazing * above) * open;
            color += uGlow * grazing;
            // Bright parts bend towards white instead of being cut off.
            color = color / (1.0 + max(color - 0.8, 0.0));
            oColor = vec4(sqrt(clamp(color, 0.0, 1.0)), 1.0) * uOpacity * shownShare(vDepth);
        }
        """

    /// An object with its mesh and what of the picture it covers.
    struct Item {
        let object: PlacedObject
        let mesh: GPUMesh
        let scale: SIMD3<Double>
        let area: PixelRect
        let distance: Double
    }

    /// Draws over `target`, nearer objects over farther ones.
    func draw(_ items: [Item], view: View, lighting: Lighting, occlusion: Occlusion, over target: Framebuffer) {
        guard let first = items.first else { return }
        let area = items.dropFirst().reduce(first.area) { $0.union($1.area) }
        samples.bind()
        glEnable(gl(GL_SCISSOR_TEST))
        glScissor(GLint(area.minX), GLint(area.minY), GLsizei(area.width), GLsizei(area.height))
        glDepthMask(GLboolean(GL_TRUE))
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT))
        glEnable(gl(GL_DEPTH_TEST))
        program.use()
        view.lens.setUniforms(of: program, width: samples.width, height: samples.height)
        program.set("uPicture", 0)
        program.set("uLight", lighting.color)
        // Solid ones first; what shows through comes last, far before near.
        let ordered = items.sorted {
            if $0.object.isProvisional != $1.object.isProvisional { return $1.object.isProvisional }
            return $0.distance > $1.distance
        }
        for item in ordered { draw(item, view: view, lighting: lighting, occlusion: occlusion) }
        glDisable(gl(GL_DEPTH_TEST))
        samples.resolve(to: resolved, within: area)
        target.bind()
        copyProgram.use()
        copyProgram.set("uPicture", 0)
        Texture.bind(resolved.texture)
        screen.draw(area, with: copyProgram, width: target.width, height: target.height)
        glDisable(gl(GL_SCISSOR_TEST))
    }

    private func draw(_ item: Item, view: View, lighting: Lighting, occlusion: Occlusion) {
        let worldFromObject = item.object.worldFromObject
        let cameraFromObject = view.cameraFromWorld * worldFromObject
        let objectFromWorld = worldFromObject.rotation.inverse
        let isProvisional = item.object.isProvisional
        occlusion.setUniforms(of: program, ground: worldFromObject, view: view)
        program.set("uCameraFromObject", columns: cameraFromObject.rotation.columns)
        program.set("uOrigin", cameraFromObject.position)
        program.set("uScale", item.scale)
        program.set("uToLight", objectFromWorld * lighting.direction)
        program.set("uUp", objectFromWorld * .unitY)
        program.set("uGloss", item.mesh.gloss)
        program.set("uOpacity", isProvisional ? Self.provisionalOpacity : 1)
        program.set("uGlow", isProvisional ? 0.5 : 0)
        if isProvisional {
            // Depth first, so that only the nearest side shows and the inside doesn't.
            let no = GLboolean(GL_FALSE)
            glColorMask(no, no, no, no)
            item.mesh.drawShape()
            let yes = GLboolean(GL_TRUE)
            glColorMask(yes, yes, yes, yes)
            glDepthFunc(gl(GL_LEQUAL))
            item.mesh.draw(untextured: white)
            glDepthFunc(gl(GL_LESS))
        } else {
            item.mesh.draw(untextured: white)
        }
    }
}
