import CGLES

/// A rectangle of the picture's pixels.
final class ScreenQuad {
    private let vertexArray: GLuint
    private let buffers: [GLuint]

    /// Gives the fragment its pixel: centres are at a half, as OpenGL counts.
    static let vertexShader = """
        layout(location = 0) in vec2 aCorner;
        uniform vec4 uArea;  // pixels: left, top, right, bottom
        uniform vec2 uSize;
        out vec2 vPixel;
        void main() {
            vPixel = mix(uArea.xy, uArea.zw, aCorner);
            gl_Position = vec4(vPixel * 2.0 / uSize - 1.0, 0.0, 1.0);
        }
        """

    init() {
        (vertexArray, buffers) = VertexArray.make(
            vertices: [0, 0, 1, 0, 0, 1, 1, 1], indices: [0, 1, 2, 2, 1, 3], attributeSizes: [2])
    }

    /// `program` is in use and was made with `vertexShader`.
    func draw(_ area: PixelRect, with program: ShaderProgram, width: Int, height: Int) {
        program.set("uArea", SIMD4(Double(area.minX), Double(area.minY), Double(area.maxX), Double(area.maxY)))
        program.set("uSize", SIMD2(Double(width), Double(height)))
        glBindVertexArray(vertexArray)
        glDrawElements(gl(GL_TRIANGLES), 6, gl(GL_UNSIGNED_INT), nil)
    }
}
