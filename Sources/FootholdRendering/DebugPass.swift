import CGLES
import FootholdScene

/// For developers: tracked features as dots, and the camera's way as a line.
final class DebugPass {
    private let program: ShaderProgram
    private let vertexArray: GLuint
    private let buffer: GLuint

    init() throws {
        program = try ShaderProgram(
            label: "points", vertex: Lens.shaderSource + Self.vertexShader, fragment: Self.fragmentShader)
        var names: (GLuint, GLuint) = (0, 0)
        glGenVertexArrays(1, &names.0)
        glGenBuffers(1, &names.1)
        (vertexArray, buffer) = names
        glBindVertexArray(vertexArray)
        glBindBuffer(gl(GL_ARRAY_BUFFER), buffer)
        glVertexAttribPointer(0, 4, gl(GL_FLOAT), GLboolean(GL_FALSE), 16, nil)
        glEnableVertexAttribArray(0)
    }

    private static let vertexShader = """
        layout(location = 0) in vec4 aPoint;  // a pixel and whether its depth is known; or a point in the camera
        uniform bool uIsPixel;
        uniform float uPointSize;
        out float vKnown;
        void main() {
            vKnown = uIsPixel ? aPoint.z : 1.0;
            gl_PointSize = uPointSize;
            gl_Position = uIsPixel
                ? vec4((aPoint.xy + 0.5) * 2.0 / uSize - 1.0, 0.0, 1.0) : clipFromCamera(aPoint.xyz);
        }
        """

    private static let fragmentShader = """
        in float vKnown;
        uniform bool uIsPixel;
        uniform vec3 uColor;
        uniform vec3 uOtherColor;
        out vec4 oColor;
        void main() {
            if (uIsPixel && length(gl_PointCoord - 0.5) > 0.5) discard;
            float alpha = 0.85;
            oColor = vec4(mix(uOtherColor, uColor, vKnown) * alpha, alpha);
        }
        """

    func draw(features: [TrackedFeature], trail: [SIMD3<Double>], view: View?, lens: Lens, width: Int, height: Int) {
        program.use()
        lens.setUniforms(of: program, width: width, height: height)
        program.set("uIsPixel", 1)
        program.set("uPointSize", max(3, Double(min(width, height)) / 120))
        program.set("uColor", SIMD3(0.35, 0.95, 0.55))
        program.set("uOtherColor", SIMD3(1.0, 0.75, 0.25))
        draw(
            features.map { SIMD4<Float>(Float($0.pixel.x), Float($0.pixel.y), $0.pointInWorld == nil ? 0 : 1, 0) },
            as: GL_POINTS)
        guard let view else { return }
        program.set("uIsPixel", 0)
        program.set("uColor", SIMD3(1.0, 0.45, 0.65))
        draw(trail.map { SIMD4<Float>(SIMD3<Float>(view.cameraFromWorld * $0), 0) }, as: GL_LINE_STRIP)
    }

    private func draw(_ points: [SIMD4<Float>], as kind: Int32) {
        guard !points.isEmpty else { return }
        glBindVertexArray(vertexArray)
        glBindBuffer(gl(GL_ARRAY_BUFFER), buffer)
        points.withUnsafeBytes {
            glBufferData(gl(GL_ARRAY_BUFFER), $0.count, $0.baseAddress, gl(GL_STREAM_DRAW))
        }
        glDrawArrays(gl(kind), 0, GLsizei(points.count))
    }
}
