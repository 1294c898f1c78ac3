import CEGL
import CGLES

/// An OpenGL ES 3 context without a window.
///
/// It belongs to no thread: `perform` makes it current for the length of a call, so that an owner may move between
/// threads as long as calls don't overlap.
final class GLContext {
    private let display: EGLDisplay
    private let context: EGLContext

    /// Mesa without any window system first (it works on machines without a GPU); then every device that EGL knows.
    init() throws {
        for display in Self.displays() {
            guard eglInitialize(display, nil, nil) == EGLBoolean(EGL_TRUE) else { continue }
            if let context = Self.makeContext(display) {
                self.display = display
                self.context = context
                return
            }
        }
        throw RenderingError(
            "The picture can't be drawn here because OpenGL ES 3 isn't available: "
                + "install libegl-mesa0 and libgl1-mesa-dri, or run with --no-video.")
    }

    deinit {
        eglDestroyContext(display, context)
    }

    func perform<Result>(_ body: () throws -> Result) throws -> Result {
        guard eglMakeCurrent(display, nil, nil, context) == EGLBoolean(EGL_TRUE) else {
            throw RenderingError(
                "The picture can't be drawn: another thread is drawing with the same renderer. Use one per thread.")
        }
        defer { eglMakeCurrent(display, nil, nil, nil) }
        return try body()
    }

    private static func displays() -> [EGLDisplay] {
        var result: [EGLDisplay] = []
        if let display = eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_SURFACELESS_MESA), nil, nil) {
            result.append(display)
        }
        typealias QueryDevices =
            @convention(c) (EGLint, UnsafeMutablePointer<EGLDeviceEXT?>?, UnsafeMutablePointer<EGLint>)
            -> EGLBoolean
        guard let address = eglGetProcAddress("eglQueryDevicesEXT") else { return result }
        let queryDevices = unsafeBitCast(address, to: QueryDevices.self)
        var count: EGLint = 0
        guard queryDevices(0, nil, &count) == EGLBoolean(EGL_TRUE), count > 0 else { return result }
        var devices = [EGLDeviceEXT?](repeating: nil, count: Int(count))
        guard queryDevices(count, &devices, &count) == EGLBoolean(EGL_TRUE) else { return result }
        for device in devices.prefix(Int(count)) {
            if let display = eglGetPlatformDisplay(EGLenum(EGL_PLATFORM_DEVICE_EXT), device, nil) {
                result.append(display)
            }
        }
        return result
    }

    /// A context that can be current without a surface, or nil.
    private static func makeContext(_ display: EGLDisplay) -> EGLContext? {
        guard eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGLBoolean(EGL_TRUE) else { return nil }
        let wanted = [EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE]
        var config: EGLConfig?
        var count: EGLint = 0
        guard eglChooseConfig(display, wanted, &config, 1, &count) == EGLBoolean(EGL_TRUE), count > 0 else {
            return nil
        }
        let version = [EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE]
        guard let context = eglCreateContext(display, config, nil, version) else { return nil }
        guard eglMakeCurrent(display, nil, nil, context) == EGLBoolean(EGL_TRUE) else {
            eglDestroyContext(display, context)
            return nil
        }
        eglMakeCurrent(display, nil, nil, nil)
        return context
    }
}
