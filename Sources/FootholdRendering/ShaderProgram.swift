import CGLES

/// OpenGL's headers give constants as `Int32` where its functions take `GLenum`.
@inline(__always) func gl(_ constant: Int32) -> GLenum { GLenum(bitPattern: constant) }

/// A linked pair of shaders with its uniforms by name. The context must be current for every call.
final class ShaderProgram {
    private let name: GLuint
    private var locations: [String: GLint] = [:]

    /// - Parameter label: names the program in an error.
    init(label: String, vertex: String, fragment: String) throws {
        let header = "#version 300 es\nprecision highp float;\nprecision highp int;\n"
        name = glCreateProgram()
        for (kind, source) in [(GL_VERTEX_SHADER, vertex), (GL_FRAGMENT_SHADER, fragment)] {
            let shader = try Self.compile(gl(kind), header + source, label)
            glAttachShader(name, shader)
            glDeleteShader(shader)
        }
        glLinkProgram(name)
        var isLinked: GLint = 0
        glGetProgramiv(name, gl(GL_LINK_STATUS), &isLinked)
        guard isLinked != 0 else { throw Self.error(label) }
        var count: GLint = 0
        glGetProgramiv(name, gl(GL_ACTIVE_UNIFORMS), &count)
        for index in 0..<GLuint(count) {
            var buffer = [GLchar](repeating: 0, count: 128)
            var size: GLint = 0
            var type: GLenum = 0
            var length: GLsizei = 0
            glGetActiveUniform(name, index, GLsizei(buffer.count), &length, &size, &type, &buffer)
            let uniform = String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            locations[uniform] = glGetUniformLocation(name, buffer)
        }
    }

    func use() { glUseProgram(name) }

    // A uniform that the compiler found unused has location −1, which OpenGL ignores.
    private func location(_ uniform: String) -> GLint { locations[uniform] ?? -1 }

    func set(_ uniform: String, _ value: Int) { glUniform1i(location(uniform), GLint(value)) }
    func set(_ uniform: String, _ value: Double) { glUniform1f(location(uniform), GLfloat(value)) }
    func set(_ uniform: String, _ v: SIMD2<Double>) { glUniform2f(location(uniform), GLfloat(v.x), GLfloat(v.y)) }
    func set(_ uniform: String, _ v: SIMD3<Double>) {
        glUniform3f(location(uniform), GLfloat(v.x), GLfloat(v.y), GLfloat(v.z))
    }
    func set(_ uniform: String, _ v: SIMD4<Double>) {
        glUniform4f(location(uniform), GLfloat(v.x), GLfloat(v.y), GLfloat(v.z), GLfloat(v.w))
    }

    /// Four whole numbers.
    func set(_ uniform: String, _ v: [Int]) {
        glUniform4i(location(uniform), GLint(v[0]), GLint(v[1]), GLint(v[2]), GLint(v[3]))
    }

    /// A 3×3 matrix by its columns.
    func set(_ uniform: String, columns c: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) {
        let values: [GLfloat] = [c.0.x, c.0.y, c.0.z, c.1.x, c.1.y, c.1.z, c.2.x, c.2.y, c.2.z].map { GLfloat($0) }
        glUniformMatrix3fv(location(uniform), 1, GLboolean(GL_FALSE), values)
    }

    func delete() { glDeleteProgram(name) }

    private static func compile(_ kind: GLenum, _ source: String, _ label: String) throws -> GLuint {
        let shader = glCreateShader(kind)
        source.withCString { text in
            var pointer: UnsafePointer<GLchar>? = text
            glShaderSource(shader, 1, &pointer, nil)
        }
        glCompileShader(shader)
        var isCompiled: GLint = 0
        glGetShaderiv(shader, gl(GL_COMPILE_STATUS), &isCompiled)
        guard isCompiled != 0 else {
            var log = [GLchar](repeating: 0, count: 1024)
            var length: GLsizei = 0
            glGetShaderInfoLog(shader, GLsizei(log.count), &length, &log)
            let text = String(decoding: log.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw error("\(label): \(text.split(separator: "\n").first ?? "")")
        }
        return shader
    }

    private static func error(_ detail: String) -> RenderingError {
        RenderingError(
            "The picture can't be drawn: this machine's OpenGL refuses a shader (\(detail)). "
                + "Update its graphics driver, or run with --no-video.")
    }
}
