import CGLES
import FootholdScene

/// A mesh over the whole picture that knows each pixel's viewing ray.
///
/// What lies flat on a surface is drawn through it: each pixel's ray is met with the plane, so that lines bend as the
/// lens bends them and nothing needs clipping at the camera. Without distortion rays are linear in the pixel and one
/// cell is exact; with distortion cells are small enough for an error below 0.1 px.
final class LensGrid {
    private let vertexArray: GLuint
    private let buffers: [GLuint]
    private let indexCount: Int

    static let vertexShader = """
        layout(location = 0) in vec2 aPosition;
        layout(location = 1) in vec2 aRay;
        out vec2 vRay;
        void main() {
            vRay = aRay;
            gl_Position = vec4(aPosition, 0.0, 1.0);
        }
        """

    /// GLSL: `bool meetPlane(out vec2 local, out float depth)`: where the pixel's ray meets the plane from above, in the
    /// plane's (x, z), and how far in front of the camera. `clipDepth` is for `gl_FragDepth`.
    static let planeSource = """
        in vec2 vRay;
        uniform mat3 uPlaneFromCamera;  // rotation; the camera with computer-vision axes
        uniform vec3 uCameraInPlane;
        uniform vec2 uClipDepth;
        bool meetPlane(out vec2 local, out float depth) {
            vec3 d = uPlaneFromCamera * vec3(vRay, 1.0);
            depth = -uCameraInPlane.y / (d.y < 0.0 ? min(d.y, -1e-6) : 1e-6);
            local = uCameraInPlane.xz + depth * d.xz;
            return depth > \(Lens.near) && depth < \(Lens.far);
        }
        float clipDepth(float depth) {
            return clamp((uClipDepth.x + uClipDepth.y / depth) * 0.5 + 0.5, 0.0, 1.0);
        }
        """

    init(lens: Lens) {
        let width = lens.intrinsics.width
        let height = lens.intrinsics.height
        let columns = lens.isDistorted ? max(1, (width + 15) / 16) : 1
        let rows = lens.isDistorted ? max(1, (height + 15) / 16) : 1
        var vertices: [GLfloat] = []
        vertices.reserveCapacity((columns + 1) * (rows + 1) * 4)
        for row in 0...rows {
            for column in 0...columns {
                let across = Double(column) / Double(columns)
                let down = Double(row) / Double(rows)
                let ray = lens.ray(SIMD2(across * Double(width) - 0.5, down * Double(height) - 0.5))
                vertices += [GLfloat(across * 2 - 1), GLfloat(down * 2 - 1), GLfloat(ray.x), GLfloat(ray.y)]
            }
        }
        var indices: [UInt32] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let a = UInt32(row * (columns + 1) + column)
                let c = a + UInt32(columns + 1)
                indices += [a, a + 1, c, c, a + 1, c + 1]
            }
        }
        indexCount = indices.count
        (vertexArray, buffers) = VertexArray.make(
            vertices: vertices, indices: indices, attributeSizes: [2, 2])
    }

    func draw() {
        glBindVertexArray(vertexArray)
        glDrawElements(gl(GL_TRIANGLES), GLsizei(indexCount), gl(GL_UNSIGNED_INT), nil)
    }

    func delete() { VertexArray.delete(vertexArray, buffers) }
}

enum VertexArray {
    /// - Parameters:
    ///   - vertices: interleaved.
    ///   - attributeSizes: how many numbers each attribute of a vertex has, by its location.
    static func make(
        vertices: [GLfloat], indices: [UInt32], attributeSizes: [Int]
    ) -> (vertexArray: GLuint, buffers: [GLuint]) {
        var vertexArray: GLuint = 0
        glGenVertexArrays(1, &vertexArray)
        glBindVertexArray(vertexArray)
        var buffers: [GLuint] = [0, 0]
        glGenBuffers(2, &buffers)
        glBindBuffer(gl(GL_ARRAY_BUFFER), buffers[0])
        glBufferData(gl(GL_ARRAY_BUFFER), GLsizeiptr(vertices.count * 4), vertices, gl(GL_STATIC_DRAW))
        glBindBuffer(gl(GL_ELEMENT_ARRAY_BUFFER), buffers[1])
        glBufferData(gl(GL_ELEMENT_ARRAY_BUFFER), GLsizeiptr(indices.count * 4), indices, gl(GL_STATIC_DRAW))
        let stride = attributeSizes.reduce(0, +) * 4
        var offset = 0
        for (location, size) in attributeSizes.enumerated() {
            glVertexAttribPointer(
                GLuint(location), GLint(size), gl(GL_FLOAT), GLboolean(GL_FALSE), GLsizei(stride),
                UnsafeRawPointer(bitPattern: offset))
            glEnableVertexAttribArray(GLuint(location))
            offset += size * 4
        }
        return (vertexArray, buffers)
    }

    static func delete(_ vertexArray: GLuint, _ buffers: [GLuint]) {
        var name = vertexArray
        glDeleteVertexArrays(1, &name)
        glDeleteBuffers(GLsizei(buffers.count), buffers)
    }
}
