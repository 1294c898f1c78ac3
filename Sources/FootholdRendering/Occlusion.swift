import CGLES
import FootholdScene
import Foundation

/// Hides what is drawn behind what is real, by a depth map of the frame.
///
/// The depth map is coarse; its border is drawn along the picture's edges: around a pixel those cells count that are as
/// bright as it. The sum is `DepthMap.hiddenShare`. Besides, nothing that lies as low as the plane an object stands on
/// hides it: seen from above, what stands there can't be behind its own ground.
final class Occlusion {
    /// How far above an object's ground something real begins to hide it: shares of its depth, and deviations.
    private static let height = 0.012
    private static let heightDeviations = 2.0

    private let cells: GLuint
    private let brightness: GLuint
    private let picture: GLuint
    private let width: Int
    private let height: Int
    private var map: DepthMap?
    /// Where the cells look, x and y of each.
    private var rays: [SIMD2<Double>] = []
    private var raysOf: (lens: Lens, width: Int, height: Int, cellPixels: Int)?
    private var texels: [GLfloat] = []

    private enum Unit {
        static let cells = 1
        static let brightness = 2
        static let picture = 3
    }

    /// - Parameters:
    ///   - width: of the frames, pixels.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        cells = Texture.make(filter: GL_NEAREST)
        brightness = Texture.make(filter: GL_NEAREST)
        picture = Texture.make(filter: GL_LINEAR)
        glTexImage2D(
            gl(GL_TEXTURE_2D), 0, GL_R8, GLsizei(width), GLsizei(height), 0, gl(GL_RED), gl(GL_UNSIGNED_BYTE), nil)
    }

    /// GLSL: `float shownShare(float depth)`: how much of something at this depth behind the fragment's pixel is shown.
    static let shaderSource = """
        uniform highp sampler2D uCells;     // depth, deviation, ray
        uniform sampler2D uCellBrightness;
        uniform sampler2D uBrightness;      // of the picture
        uniform int uCellPixels;            // 0 where no depth is known
        uniform vec4 uGround;               // the plane it stands on: normal in the camera, and height of the camera
        float shownShare(float depth) {
            if (uCellPixels == 0) return 1.0;
            vec2 size = vec2(textureSize(uBrightness, 0));
            // The mean around the pixel, so that grain doesn't draw the border.
            vec4 around = vec4(gl_FragCoord.xy - 0.5, gl_FragCoord.xy + 0.5) / size.xyxy;
            float here = 63.75 * (texture(uBrightness, around.xy).r + texture(uBrightness, around.zy).r
                                  + texture(uBrightness, around.xw).r + texture(uBrightness, around.zw).r);
            vec2 place = (gl_FragCoord.xy - 0.5) / float(uCellPixels);
            ivec2 last = textureSize(uCells, 0) - 1;
            float sum = 0.0;
            float total = 1e-9;
            for (int k = 0; k < 9; k++) {
                ivec2 cell = ivec2(place + 0.5) + ivec2(k % 3, k / 3) - 1;
                if (any(lessThan(cell, ivec2(0))) || any(greaterThan(cell, last))) continue;
                vec2 away = (vec2(cell) - place) / \(Float(DepthMap.Hiding.reach));
                float unlike = (255.0 * texelFetch(uCellBrightness, cell, 0).r - here)
                    / \(Float(DepthMap.Hiding.brightness));
                float weight = exp(-dot(away, away) - unlike * unlike);
                total += weight;
                vec4 known = texelFetch(uCells, cell, 0);
                if (known.x <= 0.0) continue;
                float margin = \(Float(DepthMap.Hiding.margin)) * known.x
                    + \(Float(DepthMap.Hiding.deviations)) * known.y;
                float behind = clamp((depth - known.x) / margin - 1.0, 0.0, 1.0);
                float slope = dot(uGround.xyz, vec3(known.zw, 1.0));
                float rise = \(Float(Occlusion.height)) * known.x
                    + \(Float(Occlusion.heightDeviations)) * known.y * abs(slope);
                float above = clamp((slope * known.x + uGround.w) / rise - 1.0, 0.0, 1.0);
                sum += weight * behind * above;
            }
            return 1.0 - smoothstep(\(Float(DepthMap.Hiding.border.lowerBound)),
                                    \(Float(DepthMap.Hiding.border.upperBound)), sum / total);
        }
        """

    /// Takes in the depth of a frame with its picture, or that none is known.
    func take(_ map: DepthMap?, of luma: PixelBuffer.Plane, lens: Lens) {
        self.map = map
        guard let map else { return }
        lookAlong(lens, map)
        texels.removeAll(keepingCapacity: true)
        for index in map.depths.indices {
            let ray = rays[index]
            texels.append(map.depths[index])
            texels.append(map.deviations[index])
            texels.append(GLfloat(ray.x))
            texels.append(GLfloat(ray.y))
        }
        let (columns, rows) = (GLsizei(map.width), GLsizei(map.height))
        glPixelStorei(gl(GL_UNPACK_ALIGNMENT), 1)
        Texture.bind(cells, unit: Unit.cells)
        glTexImage2D(gl(GL_TEXTURE_2D), 0, GL_RGBA32F, columns, rows, 0, gl(GL_RGBA), gl(GL_FLOAT), texels)
        Texture.bind(brightness, unit: Unit.brightness)
        glTexImage2D(gl(GL_TEXTURE_2D), 0, GL_R8, columns, rows, 0, gl(GL_RED), gl(GL_UNSIGNED_BYTE), map.luma)
        Texture.bind(picture, unit: Unit.picture)
        glPixelStorei(gl(GL_UNPACK_ROW_LENGTH), GLint(luma.bytesPerRow))
        glTexSubImage2D(
            gl(GL_TEXTURE_2D), 0, 0, 0, GLsizei(width), GLsizei(height), gl(GL_RED), gl(GL_UNSIGNED_BYTE), luma.base)
        glPixelStorei(gl(GL_UNPACK_ROW_LENGTH), 0)
        glActiveTexture(gl(GL_TEXTURE0))
    }

    /// For a program with `shaderSource`, which is in use.
    ///
    /// - Parameter ground: the plane that what is drawn stands on; its local y is the normal.
    func setUniforms(of program: ShaderProgram, ground: Pose, view: View) {
        program.set("uCellPixels", map?.cellPixels ?? 0)
        program.set("uCells", Unit.cells)
        program.set("uCellBrightness", Unit.brightness)
        program.set("uBrightness", Unit.picture)
        let cameraFromGround = view.cameraFromWorld * ground
        let normal = cameraFromGround.rotation * .unitY
        let height = -normal.dot(cameraFromGround.position)
        // From below everything may hide it, its ground above all.
        let plane = height > 0 ? SIMD4(normal, height) : SIMD4(0, 0, 0, 1e6)
        program.set("uGround", plane)
    }

    private func lookAlong(_ lens: Lens, _ map: DepthMap) {
        if let known = raysOf, known == (lens, map.width, map.height, map.cellPixels) { return }
        raysOf = (lens, map.width, map.height, map.cellPixels)
        rays = (0..<(map.width * map.height)).map { index in
            lens.ray(SIMD2(Double(index % map.width), Double(index / map.width)) * Double(map.cellPixels))
        }
    }
}
