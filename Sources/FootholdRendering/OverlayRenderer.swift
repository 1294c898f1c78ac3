import CGLES
import FootholdScene
import Foundation

/// Draws what a person looks at: the camera's picture with surfaces, objects, the targeting indicator and a hint.
///
/// Headless: OpenGL ES 3 through EGL, with or without a GPU. The overlay is drawn by itself and laid over the camera's
/// picture in the picture's own colours, so that what isn't drawn on stays as it was recorded, byte for byte.
///
/// One thread at a time; it may be another one each time.
public final class OverlayRenderer {
    public let width: Int
    public let height: Int

    private let context: GLContext
    private let canvas: Framebuffer
    private let surfacePass: SurfacePass
    private let shadowPass: ShadowPass
    private let objectPass: ObjectPass
    private let occlusion: Occlusion
    private let reticlePass: ReticlePass
    private let hintPass: HintPass
    private let debugPass: DebugPass
    private let pool: PicturePool
    private let readBack: UnsafeMutablePointer<UInt8>
    private var meshes: [String: GPUMesh] = [:]
    private var lens: Lens?
    private var grid: LensGrid?

    /// - Parameters:
    ///   - width: of the frames, pixels.
    ///   - fontLanguage: BCP 47, such as `en` or `ko`: whose fonts are preferred for the hint.
    /// - Throws: `RenderingError` where OpenGL ES 3 or a font is missing.
    public init(width: Int, height: Int, fontLanguage: String) throws {
        guard width > 0, height > 0 else {
            throw RenderingError("A picture of \(width)×\(height) pixels can't be drawn: both must be at least 1.")
        }
        self.width = width
        self.height = height
        let context = try GLContext()
        self.context = context
        (canvas, surfacePass, shadowPass, objectPass, occlusion, reticlePass, hintPass, debugPass) = try context.perform
        {
            glBlendFunc(gl(GL_ONE), gl(GL_ONE_MINUS_SRC_ALPHA))
            glEnable(gl(GL_BLEND))
            // The picture's top row is row 0, which mirrors every triangle.
            glFrontFace(gl(GL_CW))
            glPixelStorei(gl(GL_PACK_ALIGNMENT), 1)
            let screen = ScreenQuad()
            return (
                try Framebuffer(width: width, height: height, hasDepth: true), try SurfacePass(),
                try ShadowPass(screen: screen), try ObjectPass(width: width, height: height, screen: screen),
                Occlusion(width: width, height: height),
                try ReticlePass(),
                try HintPass(width: width, height: height, fontLanguage: fontLanguage, screen: screen),
                try DebugPass()
            )
        }
        pool = PicturePool(width: width, height: height)
        readBack = .allocate(capacity: width * height * 4)
    }

    deinit { readBack.deallocate() }

    /// Draws the frame's picture and the overlay.
    ///
    /// - Throws: `RenderingError` when the frame has another size than the renderer, or an object's model can't be read.
    public func render(_ frame: Frame, overlay: Overlay) throws -> RenderedPicture {
        let pixels = frame.pixels
        guard pixels.width == width, pixels.height == height else {
            throw RenderingError(
                "The picture changed its size from \(width)×\(height) to \(pixels.width)×\(pixels.height): "
                    + "make a renderer for the new size.")
        }
        try context.perform {
            try draw(overlay, frame: frame)
            glReadPixels(0, 0, GLsizei(width), GLsizei(height), gl(GL_RGBA), gl(GL_UNSIGNED_BYTE), readBack)
        }
        return RenderedPicture(frame: pixels, overlay: readBack, storage: pool.take())
    }

    /// Reads a model file, so that objects can be made of it; its size is what `PlacedObject.size` should hold.
    ///
    /// - Parameter path: a glTF or OBJ file, or the name of a `BuiltInModel`.
    /// - Throws: `RenderingError` when there is no such file or it can't be read.
    public func loadModel(path: String) throws -> ModelInfo {
        let mesh = try context.perform { try self.mesh(path) }
        return ModelInfo(size: mesh.size, triangleCount: mesh.triangleCount)
    }

    /// How many things are kept for later frames. It stays bounded while a session runs.
    public var cachedResourceCount: Int { meshes.count + surfacePass.cachedCount + shadowPass.cachedCount }

    // MARK: - Drawing

    private func draw(_ overlay: Overlay, frame: Frame) throws {
        let (lens, grid) = prepareLens(overlay.intrinsics)
        let view = overlay.worldFromCamera.map { View(lens: lens, worldFromCamera: $0) }
        let lineWidth = max(1, Double(min(width, height)) / 400)
        canvas.bind()
        glDisable(gl(GL_SCISSOR_TEST))
        glDepthMask(GLboolean(GL_TRUE))
        glClearColor(0, 0, 0, 0)
        glClear(GLbitfield(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT))
        if let view {
            let items = try overlay.objects.compactMap { try item($0, view: view) }
            let lighting = Lighting(overlay.light)
            // Once something stands, the picture belongs to it: the grid steps back.
            let calm = overlay.objects.contains { !$0.isProvisional } ? 0.6 : 1.0
            surfacePass.draw(
                overlay.surfaces, view: view, grid: grid, lineWidth: 1.1 * lineWidth, frameIndex: frame.index
            ) { surface in
                calm * Self.appearance(surface, at: frame.timestampNanoseconds)
            }
            occlusion.take(items.isEmpty ? nil : overlay.depthMap, of: frame.pixels.luma, lens: lens)
            shadowPass.draw(
                items, view: view, lighting: lighting, occlusion: occlusion, grid: grid, over: canvas)
            for mark in overlay.marks { reticlePass.draw(mark, view: view, grid: grid, lineWidth: 1.4 * lineWidth) }
            objectPass.draw(items, view: view, lighting: lighting, occlusion: occlusion, over: canvas)
        }
        reticlePass.draw(overlay.reticle, view: view, lens: lens, grid: grid, lineWidth: 1.9 * lineWidth)
        if overlay.isDebug {
            debugPass.draw(
                features: overlay.features, trail: overlay.trail, view: view, lens: lens, width: width, height: height)
        }
        hintPass.draw(text: overlay.hintText, progress: overlay.progress, touches: overlay.touches)
    }

    /// A new surface comes in softly over half a second.
    private static func appearance(_ surface: PlaneAnchor, at timestampNanoseconds: Int64) -> Double {
        let age = Double(timestampNanoseconds - surface.firstSeenNanoseconds) / 1e9
        return 0.2 + 0.8 * (age / 0.5).clamped(to: 0...1)
    }

    private func prepareLens(_ intrinsics: CameraIntrinsics) -> (Lens, LensGrid) {
        var wanted = intrinsics
        if wanted.width != width || wanted.height != height { wanted = wanted.scaled(toWidth: width, height: height) }
        if let lens, let grid, lens.intrinsics == wanted { return (lens, grid) }
        grid?.delete()
        let newLens = Lens(wanted)
        let newGrid = LensGrid(lens: newLens)
        (lens, grid) = (newLens, newGrid)
        return (newLens, newGrid)
    }

    /// Nil when the object is outside the picture.
    private func item(_ object: PlacedObject, view: View) throws -> ObjectPass.Item? {
        let mesh = try mesh(object.model)
        // A flat model's missing dimension can't be stretched.
        let stretch = object.size / mesh.size.replacing(with: SIMD3(repeating: 1), where: mesh.size .< 1e-6)
        let scale = stretch.replacing(with: SIMD3(repeating: 1), where: mesh.size .< 1e-6) * object.scale
        let cameraFromObject = view.cameraFromWorld * object.worldFromObject
        var area: PixelRect?
        let (low, high) = (mesh.low * scale, mesh.high * scale)
        // A box's outline on the screen is within that of its faces.
        for (axis, side) in [(0, low), (0, high), (1, low), (1, high), (2, low), (2, high)] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3)
            let corners = [(low, low), (high, low), (high, high), (low, high)].map { across, along in
                var corner = side
                corner[u] = across[u]
                corner[v] = along[v]
                return cameraFromObject * corner
            }
            if let face = view.lens.bounds(of: corners) { area = face.union(area) }
        }
        guard let area else { return nil }
        let middle = object.worldFromObject * ((low + high) / 2)
        return ObjectPass.Item(
            object: object, mesh: mesh, scale: scale, area: area, distance: view.eye.distance(to: middle))
    }

    private func mesh(_ model: String) throws -> GPUMesh {
        if let known = meshes[model] { return known }
        let parts = try BuiltInModel(rawValue: model).map { [$0.makeMesh()] } ?? ModelFile.load(path: model)
        let uploaded = GPUMesh(parts)
        meshes[model] = uploaded
        return uploaded
    }
}
