import Foundation

/// A rectangle with its baked picture. The picture is made when it is first seen.
final class QuadInk {
    let quad: Quad
    /// How much of the light falls on it.
    let light: Float
    private let detail: TextureDetail
    private(set) lazy var texture = BakedTexture(
        PatternPainter(quad.pattern, width: quad.width, height: quad.height), detail: detail, shadows: contactShadows)

    init(_ quad: Quad, world: World, detail: TextureDetail) {
        self.quad = quad
        light =
            quad.glow.map { Float($0) }
            ?? Lighting(direction: SIMD3<Float>(world.lightDirection)).light(on: SIMD3<Float>(quad.normal))
        self.detail = detail
    }

    private var contactShadows: [BakedTexture.ContactShadow] {
        quad.shadows.map { foot in
            BakedTexture.ContactShadow(
                center: SIMD2(Float(quad.width / 2 + foot.center.x), Float(quad.height / 2 - foot.center.y)),
                halfSize: SIMD2<Float>(foot.halfSize), cosine: Float(cos(foot.angleRadians)),
                sine: Float(-sin(foot.angleRadians)))
        }
    }
}

/// A round body with its baked picture.
final class BodyInk {
    let body: RoundBody
    let lighting: Lighting
    private let detail: TextureDetail
    /// Metres of the picture around and along the body.
    let size: SIMD2<Float>
    private(set) lazy var texture = BakedTexture(
        PatternPainter(body.pattern, width: Double(size.x), height: Double(size.y)), detail: detail, shadows: [])

    init(_ body: RoundBody, world: World, detail: TextureDetail) {
        self.body = body
        lighting = Lighting(direction: SIMD3<Float>(world.lightDirection))
        self.detail = detail
        let around = 2 * Double.pi * body.radius
        let along: Double =
            switch body.form {
            case .sphere: Double.pi * body.radius
            case .cylinder(let height): height
            }
        size = SIMD2(Float(around), Float(along))
    }
}

/// Light from all around, a little more from above, and from one direction.
struct Lighting {
    let direction: SIMD3<Float>

    /// For a surface that looks along `normal`.
    func light(on normal: SIMD3<Float>) -> Float {
        0.42 + 0.12 * normal.y + 0.46 * max(0, (normal * direction).sum())
    }
}

/// A rectangle as one camera sees it. For a direction d with z = 1, the inverse depth and the place on the rectangle
/// times the inverse depth are linear in d.
///
/// Plain numbers only; the rectangle's ink must outlive it.
struct QuadView {
    let id: Int32
    let depth: SIMD3<Float>
    let right: SIMD3<Float>
    let up: SIMD3<Float>
    let halfWidth: Float
    let halfHeight: Float
    private let texture: TextureSampler
    private let light: Float

    init(_ ink: QuadInk, id: Int32, cameraFromWorld: Pose) {
        let quad = ink.quad
        let center = cameraFromWorld * quad.center
        let normal = cameraFromWorld.rotation * quad.normal
        // Points on the plane: normal · (d z) = normal · center, so 1/z is normal · d / (normal · center).
        let inverse = normal / normal.dot(center)
        let r = cameraFromWorld.rotation * quad.right
        let u = cameraFromWorld.rotation * quad.up
        self.id = id
        depth = SIMD3<Float>(inverse)
        right = SIMD3<Float>(r - inverse * center.dot(r))
        up = SIMD3<Float>(u - inverse * center.dot(u))
        halfWidth = Float(quad.width / 2)
        halfHeight = Float(quad.height / 2)
        texture = ink.texture.sampler
        light = ink.light / 255
    }

    /// 0 where the direction misses the rectangle.
    func inverseDepth(_ x: Float, _ y: Float) -> Float {
        let inverse = x * depth.x + y * depth.y + depth.z
        let (u, v) = (x * right.x + y * right.y + right.z, x * up.x + y * up.y + up.z)
        return abs(u) <= inverse * halfWidth && abs(v) <= inverse * halfHeight ? inverse : 0
    }

    /// Metres from the rectangle's centre along right and up, where the direction meets its plane.
    func place(_ x: Float, _ y: Float) -> SIMD2<Float> {
        let z = 1 / (x * depth.x + y * depth.y + depth.z)
        return SIMD2(x * right.x + y * right.y + right.z, x * up.x + y * up.y + up.z) * z
    }

    /// - Parameter stepX, stepY: how much the direction changes from pixel to pixel.
    func brightness(_ x: Float, _ y: Float, _ inverse: Float, stepX: Float, stepY: Float) -> Float {
        let z = 1 / inverse
        let u = (x * right.x + y * right.y + right.z) * z
        let v = (x * up.x + y * up.y + up.z) * z
        let acrossX = SIMD2((right.x - u * depth.x), -(up.x - v * depth.x)) * (z * stepX)
        let acrossY = SIMD2((right.y - u * depth.y), -(up.y - v * depth.y)) * (z * stepY)
        // The picture's first row is at the top.
        return light * texture.sample(u + halfWidth, halfHeight - v, acrossX: acrossX, acrossY: acrossY)
    }
}

/// A round body as one camera sees it. Plain numbers only; the body's ink must outlive it.
struct BodyView {
    let id: Int32
    private let lighting: Lighting
    /// Of the picture around and along the body, in metres.
    private let size: SIMD2<Float>
    private let texture: TextureSampler
    private let axes: (x: SIMD3<Float>, y: SIMD3<Float>, z: SIMD3<Float>)
    /// From the body's origin.
    private let eye: SIMD3<Float>
    private let radius: Float
    /// Nil for a sphere.
    private let height: Float?

    /// - Parameters:
    ///   - worldFromCamera: with computer-vision axes.
    ///   - origin: where the body is now.
    init(_ ink: BodyInk, id: Int32, worldFromCamera: Pose, origin: SIMD3<Double>) {
        self.id = id
        lighting = ink.lighting
        size = ink.size
        texture = ink.texture.sampler
        let (x, y, z) = worldFromCamera.rotation.columns
        axes = (SIMD3<Float>(x), SIMD3<Float>(y), SIMD3<Float>(z))
        eye = SIMD3<Float>(worldFromCamera.position - origin)
        radius = Float(ink.body.radius)
        if case .cylinder(let height) = ink.body.form { self.height = Float(height) } else { height = nil }
    }

    private func direction(_ x: Float, _ y: Float) -> SIMD3<Float> { axes.x * x + axes.y * y + axes.z }

    /// 0 where the direction misses the body.
    func inverseDepth(_ x: Float, _ y: Float) -> Float {
        let d = direction(x, y)
        guard let height else {
            let a = (d * d).sum()
            let b = (d * eye).sum()
            let c = (eye * eye).sum() - radius * radius
            let discriminant = b * b - a * c
            guard discriminant >= 0 else { return 0 }
            let z = (-b - discriminant.squareRoot()) / a
            return z > 0.02 ? 1 / z : 0
        }
        if d.y < 0, eye.y > height {
            let z = (height - eye.y) / d.y
            let (px, pz) = (eye.x + z * d.x, eye.z + z * d.z)
            if px * px + pz * pz <= radius * radius { return z > 0.02 ? 1 / z : 0 }
        }
        let a = d.x * d.x + d.z * d.z
        let b = d.x * eye.x + d.z * eye.z
        let c = eye.x * eye.x + eye.z * eye.z - radius * radius
        let discriminant = b * b - a * c
        guard discriminant >= 0, a > 0 else { return 0 }
        let z = (-b - discriminant.squareRoot()) / a
        let y = eye.y + z * d.y
        return z > 0.02 && y >= 0 && y <= height ? 1 / z : 0
    }

    func brightness(_ x: Float, _ y: Float, _ inverse: Float, step: Float) -> Float {
        let point = eye + direction(x, y) / inverse
        let footprint = step / inverse
        var normal = point / radius
        var along = point.y
        if let height {
            if point.y > height - 1e-4 {
                // The top shows the middle of the picture, laid flat.
                let at = SIMD2(point.x + size.x / 2, point.z + size.y / 2)
                return sampled(at, footprint, .init(0, 1, 0))
            }
            normal.y = 0
            along = height - point.y
        } else {
            along = radius * acos(max(-1, min(1, normal.y)))
        }
        let around = (atan2(normal.x, normal.z) / (2 * Float.pi) + 0.5) * size.x
        return sampled(SIMD2(around, along), footprint, normal)
    }

    private func sampled(_ at: SIMD2<Float>, _ footprint: Float, _ normal: SIMD3<Float>) -> Float {
        let value = texture.sample(at.x, at.y, acrossX: SIMD2(footprint, 0), acrossY: SIMD2(0, footprint))
        return value / 255 * lighting.light(on: normal)
    }
}
