import CGLES
import FootholdScene

/// A model in the graphics memory.
final class GPUMesh {
    let low: SIMD3<Double>
    let high: SIMD3<Double>
    let gloss: Double
    let triangleCount: Int
    private let parts: [Part]
    private let vertexArray: GLuint
    private let buffers: [GLuint]

    private struct Part {
        var firstIndex: Int
        var indexCount: Int
        var texture: GLuint?
    }

    init(_ meshes: [Mesh]) {
        let bounds = meshes.bounds
        low = SIMD3<Double>(bounds.low)
        high = SIMD3<Double>(bounds.high)
        gloss = meshes.first?.gloss ?? 0
        var whole = Mesh()
        var parts: [Part] = []
        for mesh in meshes {
            parts.append(
                Part(
                    firstIndex: whole.indices.count, indexCount: mesh.indices.count,
                    texture: mesh.texture.map(Self.upload)))
            whole.append(mesh)
        }
        self.parts = parts
        triangleCount = whole.indices.count / 3
        var floats: [GLfloat] = []
        floats.reserveCapacity(whole.vertices.count * 12)
        for v in whole.vertices {
            floats += [
                v.position.x, v.position.y, v.position.z, v.normal.x, v.normal.y, v.normal.z,
                v.color.x, v.color.y, v.color.z, v.color.w, v.textureCoordinate.x, v.textureCoordinate.y,
            ]
        }
        (vertexArray, buffers) = VertexArray.make(
            vertices: floats, indices: whole.indices, attributeSizes: [3, 3, 4, 2])
    }

    var size: SIMD3<Double> { high - low }

    /// Without binding textures.
    func drawShape() {
        glBindVertexArray(vertexArray)
        glDrawElements(gl(GL_TRIANGLES), GLsizei(triangleCount * 3), gl(GL_UNSIGNED_INT), nil)
    }

    /// - Parameter untextured: the texture to bind for parts that have none.
    func draw(untextured: GLuint) {
        glBindVertexArray(vertexArray)
        for part in parts {
            Texture.bind(part.texture ?? untextured)
            glDrawElements(
                gl(GL_TRIANGLES), GLsizei(part.indexCount), gl(GL_UNSIGNED_INT),
                UnsafeRawPointer(bitPattern: part.firstIndex * MemoryLayout<UInt32>.size))
        }
    }

    private static func upload(_ picture: Mesh.Picture) -> GLuint {
        let texture = Texture.make(filter: GL_LINEAR)
        glTexImage2D(
            gl(GL_TEXTURE_2D), 0, GL_RGBA8, GLsizei(picture.width), GLsizei(picture.height), 0, gl(GL_RGBA),
            gl(GL_UNSIGNED_BYTE), picture.pixels)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_WRAP_S), GL_REPEAT)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_WRAP_T), GL_REPEAT)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_MIN_FILTER), GL_LINEAR_MIPMAP_LINEAR)
        glGenerateMipmap(gl(GL_TEXTURE_2D))
        return texture
    }
}
