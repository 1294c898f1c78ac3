import FootholdScene
import Foundation

/// A camera's projection, continued beyond what its distortion model holds for.
///
/// Polynomial distortion turns back on itself outside the picture, which would fold what lies outside into it. From
/// `limit` (a radius in normalised coordinates) outwards the model is therefore continued in a straight line, which also
/// gives a meaning to points beside and behind the camera.
struct Lens: Hashable {
    let intrinsics: CameraIntrinsics
    /// Infinite without distortion.
    let limit: Double
    /// How much the distorted radius grows per radius beyond the limit.
    let slope: Double

    static let near = 0.02
    static let far = 200.0

    var isDistorted: Bool { intrinsics.distortion != .none }

    init(_ intrinsics: CameraIntrinsics) {
        self.intrinsics = intrinsics
        guard intrinsics.distortion != .none else {
            (limit, slope) = (.infinity, 1)
            return
        }
        // The radius by steps of its angle, while its image still grows at a twentieth of the middle's rate.
        let step = 1e-3
        var angle = step
        var growth = 1.0
        while angle + step < 1.55 {
            let (r0, r1) = (tan(angle), tan(angle + step))
            let d0 = Self.radius(intrinsics, r0)
            let d1 = Self.radius(intrinsics, r1)
            let next = (d1 - d0) / (r1 - r0)
            // A fisheye's image grows by the angle, not by its tangent.
            let rate = if case .fisheye = intrinsics.distortion { (d1 - d0) / step } else { next }
            if rate < 0.05 { break }
            growth = next
            angle += step
        }
        limit = tan(angle)
        slope = max(growth, 1e-3)
    }

    private static func radius(_ intrinsics: CameraIntrinsics, _ r: Double) -> Double {
        // Along a diagonal, so that the tangential terms have their say.
        intrinsics.distort(SIMD2(r, r) / 2.0.squareRoot()).length
    }

    /// The pixel of a point in the camera (computer-vision axes) with z > 0, or of its continuation.
    func project(_ p: SIMD3<Double>) -> SIMD2<Double> {
        let xy = SIMD2(p.x, p.y)
        let distorted: SIMD2<Double>
        let radius = xy.length / p.z
        if !isDistorted {
            distorted = xy / p.z
        } else if radius <= limit {
            distorted = intrinsics.distort(xy / p.z)
        } else {
            let edge = xy * (limit / xy.length)
            distorted = intrinsics.distort(edge) + (xy / p.z - edge) * slope
        }
        return SIMD2(intrinsics.fx * distorted.x + intrinsics.cx, intrinsics.fy * distorted.y + intrinsics.cy)
    }

    /// The direction (x/z, y/z) that a pixel looks in.
    func ray(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        let direction = intrinsics.unproject(pixel)
        let ray = SIMD2(direction.x, direction.y)
        guard isDistorted else { return ray }
        let wanted = SIMD2((pixel.x - intrinsics.cx) / intrinsics.fx, (pixel.y - intrinsics.cy) / intrinsics.fy)
        if ray.length <= limit && intrinsics.distort(ray).distance(to: wanted) < 1e-4 { return ray }
        let edge = wanted * (limit / max(wanted.length, 1e-9))
        return edge + (wanted - intrinsics.distort(edge)) / slope
    }

    /// GLSL: `vec4 clipFromCamera(vec3)` for points with computer-vision axes; row 0 of the target is the picture's top.
    static let shaderSource = """
        uniform vec4 uFocal;      // fx, fy, cx, cy
        uniform vec2 uSize;       // of the picture, pixels
        uniform int uModel;       // 0 none, 1 radial and tangential, 2 fisheye
        uniform vec4 uLens;       // k1 k2 p1 p2, or k1 k2 k3 k4
        uniform float uLens5;     // k3
        uniform vec2 uLimit;      // the model's largest radius, and its slope beyond
        uniform vec2 uClipDepth;  // clip z = x * z + y

        vec2 bend(vec2 p) {
            float r2 = dot(p, p);
            if (uModel == 1) {
                float radial = 1.0 + r2 * (uLens.x + r2 * (uLens.y + r2 * uLens5));
                return p * radial + vec2(2.0 * uLens.z * p.x * p.y + uLens.w * (r2 + 2.0 * p.x * p.x),
                                         uLens.z * (r2 + 2.0 * p.y * p.y) + 2.0 * uLens.w * p.x * p.y);
            }
            float r = sqrt(r2);
            if (r < 1e-6) return p;
            float a = atan(r);
            float a2 = a * a;
            return p * (a * (1.0 + a2 * (uLens.x + a2 * (uLens.y + a2 * (uLens.z + a2 * uLens.w)))) / r);
        }

        vec4 clipFromCamera(vec3 c) {
            vec2 xy = c.xy;
            if (uModel != 0) {
                float r = length(c.xy);
                if (c.z > 0.0 && r <= uLimit.x * c.z) {
                    xy = bend(c.xy / c.z) * c.z;
                } else {
                    vec2 edge = c.xy * (uLimit.x / max(r, 1e-9));
                    xy = bend(edge) * c.z + (c.xy - edge * c.z) * uLimit.y;
                }
            }
            vec2 pixel = uFocal.xy * xy + (uFocal.zw + 0.5) * c.z;
            return vec4(pixel * 2.0 / uSize - c.z, uClipDepth.x * c.z + uClipDepth.y, c.z);
        }
        """

    /// `near` and `far` map to clip depths of −1 and 1 after division.
    static var clipDepth: SIMD2<Double> {
        SIMD2((far + near) / (far - near), -2 * far * near / (far - near))
    }

    func setUniforms(of program: ShaderProgram, width: Int, height: Int) {
        program.set("uFocal", SIMD4(intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy))
        program.set("uSize", SIMD2(Double(width), Double(height)))
        program.set("uClipDepth", Self.clipDepth)
        program.set("uLimit", SIMD2(min(limit, 1e6), slope))
        switch intrinsics.distortion {
        case .none:
            program.set("uModel", 0)
        case .radialTangential(let k1, let k2, let p1, let p2, let k3):
            program.set("uModel", 1)
            program.set("uLens", SIMD4(k1, k2, p1, p2))
            program.set("uLens5", k3)
        case .fisheye(let k1, let k2, let k3, let k4):
            program.set("uModel", 2)
            program.set("uLens", SIMD4(k1, k2, k3, k4))
        }
    }

    /// The pixels around a closed outline given in camera coordinates; nil when all of it is outside the picture.
    func bounds(of outline: [SIMD3<Double>], margin: Double = 2) -> PixelRect? {
        let clipped = Self.clipToNear(outline)
        guard let last = clipped.last else { return nil }
        // Straight edges are seen bent: points between their ends catch the bulge.
        let pieces = isDistorted ? 8 : 1
        var pixels: [SIMD2<Double>] = []
        var a = last
        for b in clipped {
            for piece in 0..<pieces {
                pixels.append(project(a + (b - a) * (Double(piece) / Double(pieces))))
            }
            a = b
        }
        return PixelRect.around(
            pixels, margin: isDistorted ? margin + 6 : margin, width: intrinsics.width, height: intrinsics.height)
    }

    /// The part of a closed outline in front of the near plane.
    private static func clipToNear(_ outline: [SIMD3<Double>]) -> [SIMD3<Double>] {
        guard var a = outline.last else { return [] }
        var result: [SIMD3<Double>] = []
        for b in outline {
            if (a.z > near) != (b.z > near) {
                result.append(a + (b - a) * ((near - a.z) / (b.z - a.z)))
            }
            if b.z > near { result.append(b) }
            a = b
        }
        return result
    }
}
