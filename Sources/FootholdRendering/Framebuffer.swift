import CGLES

/// A place to draw to: RGBA, optionally with depth and several samples a pixel.
final class Framebuffer {
    let width: Int
    let height: Int
    private let name: GLuint
    private var renderbuffers: [GLuint] = []
    /// 0 for a multi-sampled one, which can only be resolved.
    let texture: GLuint

    init(width: Int, height: Int, hasDepth: Bool = false, samples: Int = 1) throws {
        self.width = width
        self.height = height
        var framebuffer: GLuint = 0
        glGenFramebuffers(1, &framebuffer)
        glBindFramebuffer(gl(GL_FRAMEBUFFER), framebuffer)
        name = framebuffer
        if samples > 1 {
            texture = 0
            renderbuffers.append(
                Self.attachRenderbuffer(gl(GL_RGBA8), gl(GL_COLOR_ATTACHMENT0), width, height, samples))
        } else {
            texture = Texture.make(filter: GL_LINEAR)
            glTexStorage2D(gl(GL_TEXTURE_2D), 1, gl(GL_RGBA8), GLsizei(width), GLsizei(height))
            glFramebufferTexture2D(gl(GL_FRAMEBUFFER), gl(GL_COLOR_ATTACHMENT0), gl(GL_TEXTURE_2D), texture, 0)
        }
        if hasDepth {
            renderbuffers.append(
                Self.attachRenderbuffer(gl(GL_DEPTH_COMPONENT24), gl(GL_DEPTH_ATTACHMENT), width, height, samples))
        }
        guard glCheckFramebufferStatus(gl(GL_FRAMEBUFFER)) == gl(GL_FRAMEBUFFER_COMPLETE) else {
            throw RenderingError(
                "The picture can't be drawn: \(width)×\(height) pixels are more than this machine's OpenGL can hold.")
        }
    }

    func bind() {
        glBindFramebuffer(gl(GL_FRAMEBUFFER), name)
        glViewport(0, 0, GLsizei(width), GLsizei(height))
    }

    /// Averages the samples within the rectangle into another framebuffer of the same size.
    func resolve(to target: Framebuffer, within area: PixelRect) {
        glBindFramebuffer(gl(GL_READ_FRAMEBUFFER), name)
        glBindFramebuffer(gl(GL_DRAW_FRAMEBUFFER), target.name)
        let (x0, y0) = (GLint(area.minX), GLint(area.minY))
        let (x1, y1) = (GLint(area.maxX), GLint(area.maxY))
        glBlitFramebuffer(x0, y0, x1, y1, x0, y0, x1, y1, GLbitfield(GL_COLOR_BUFFER_BIT), gl(GL_NEAREST))
    }

    func delete() {
        var framebuffer = name
        glDeleteFramebuffers(1, &framebuffer)
        glDeleteRenderbuffers(GLsizei(renderbuffers.count), renderbuffers)
        if texture != 0 { Texture.delete(texture) }
    }

    private static func attachRenderbuffer(
        _ format: GLenum, _ attachment: GLenum, _ width: Int, _ height: Int, _ samples: Int
    ) -> GLuint {
        var renderbuffer: GLuint = 0
        glGenRenderbuffers(1, &renderbuffer)
        glBindRenderbuffer(gl(GL_RENDERBUFFER), renderbuffer)
        glRenderbufferStorageMultisample(
            gl(GL_RENDERBUFFER), samples > 1 ? GLsizei(samples) : 0, format, GLsizei(width), GLsizei(height))
        glFramebufferRenderbuffer(gl(GL_FRAMEBUFFER), attachment, gl(GL_RENDERBUFFER), renderbuffer)
        return renderbuffer
    }
}

enum Texture {
    /// A new texture, bound, clamped at its edges.
    static func make(filter: Int32) -> GLuint {
        var texture: GLuint = 0
        glGenTextures(1, &texture)
        glBindTexture(gl(GL_TEXTURE_2D), texture)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_MIN_FILTER), filter)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_MAG_FILTER), filter)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_WRAP_S), GL_CLAMP_TO_EDGE)
        glTexParameteri(gl(GL_TEXTURE_2D), gl(GL_TEXTURE_WRAP_T), GL_CLAMP_TO_EDGE)
        return texture
    }

    /// One byte a texel, rows packed.
    static func makeGray(_ pixels: [UInt8], width: Int, height: Int) -> GLuint {
        let texture = make(filter: GL_LINEAR)
        glPixelStorei(gl(GL_UNPACK_ALIGNMENT), 1)
        glTexImage2D(
            gl(GL_TEXTURE_2D), 0, GL_R8, GLsizei(width), GLsizei(height), 0, gl(GL_RED), gl(GL_UNSIGNED_BYTE), pixels)
        return texture
    }

    static func bind(_ texture: GLuint, unit: Int = 0) {
        glActiveTexture(gl(GL_TEXTURE0) + GLenum(unit))
        glBindTexture(gl(GL_TEXTURE_2D), texture)
    }

    static func delete(_ texture: GLuint) {
        var name = texture
        glDeleteTextures(1, &name)
    }
}
