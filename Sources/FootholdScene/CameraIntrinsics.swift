import Foundation

/// A pinhole camera with lens distortion. Pixels: the centre of the top-left pixel is (0, 0).
public struct CameraIntrinsics: Hashable, Sendable {
    /// OpenCV's models: `radialTangential` k1 k2 p1 p2 k3, `fisheye` (equidistant, Kannala–Brandt) k1…k4.
    public enum Distortion: Hashable, Sendable {
        case none
        case radialTangential(k1: Double, k2: Double, p1: Double, p2: Double, k3: Double)
        case fisheye(k1: Double, k2: Double, k3: Double, k4: Double)
    }

    /// Where the numbers come from, for telling people how far to trust them.
    public enum Source: String, Hashable, Sendable, Codable {
        case calibrated, metadata, estimated, guessed
    }

    public var width: Int
    public var height: Int
    public var fx, fy, cx, cy: Double
    public var distortion: Distortion
    public var source: Source

    public init(
        width: Int, height: Int, fx: Double, fy: Double, cx: Double, cy: Double,
        distortion: Distortion = .none, source: Source = .calibrated
    ) {
        self.width = width
        self.height = height
        (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
        self.distortion = distortion
        self.source = source
    }

    /// Degrees that a guess sees across the longer side.
    public static let guessedView = 58.0
    /// Degrees that it sees across the longer side, without its lens.
    public var view: Double { 2 * atan(0.5 * Double(max(width, height)) / fx) * 180 / .pi }

    /// A guess from the picture's shape alone: a phone's main camera sees about 58° across the longer side
    /// in video, where stabilisation cuts the edges off.
    public static func guess(width: Int, height: Int) -> CameraIntrinsics {
        let focal = Double(max(width, height)) / (2 * tan(guessedView * Double.pi / 360))
        return CameraIntrinsics(
            width: width, height: height, fx: focal, fy: focal,
            cx: Double(width - 1) / 2, cy: Double(height - 1) / 2, source: .guessed)
    }

    /// Whether pictures of a size may be this camera's, resized: they have the same shape, but for what rounding to whole
    /// pixels changes (one part in a hundred).
    public func fits(width otherWidth: Int, height otherHeight: Int) -> Bool {
        let sx = Double(otherWidth) / Double(width)
        let sy = Double(otherHeight) / Double(height)
        return abs(sx / sy - 1) < 0.01
    }

    /// The same camera for a picture resized to another size.
    public func scaled(toWidth newWidth: Int, height newHeight: Int) -> CameraIntrinsics {
        let sx = Double(newWidth) / Double(width)
        let sy = Double(newHeight) / Double(height)
        var result = self
        result.width = newWidth
        result.height = newHeight
        result.fx *= sx
        result.fy *= sy
        // The pixel's centre is at whole numbers, so its edge is at -0.5.
        result.cx = (cx + 0.5) * sx - 0.5
        result.cy = (cy + 0.5) * sy - 0.5
        return result
    }

    /// The pixel where a point is seen. `pointInCamera` has computer-vision axes (x right, y down, z forward);
    /// nil when it is behind the camera.
    public func project(_ pointInCamera: SIMD3<Double>) -> SIMD2<Double>? {
        guard pointInCamera.z > 1e-9 else { return nil }
        let undistorted = SIMD2(pointInCamera.x / pointInCamera.z, pointInCamera.y / pointInCamera.z)
        let d = distort(undistorted)
        return SIMD2(fx * d.x + cx, fy * d.y + cy)
    }

    /// The direction (z = 1, computer-vision axes) that a pixel looks in.
    public func unproject(_ pixel: SIMD2<Double>) -> SIMD3<Double> {
        let distorted = SIMD2((pixel.x - cx) / fx, (pixel.y - cy) / fy)
        if case .none = distortion { return SIMD3(distorted.x, distorted.y, 1) }
        // Newton with a numerical Jacobian: robust for every model, and rarely called.
        var estimate = distorted
        for _ in 0..<20 {
            let error = distort(estimate) - distorted
            if error.length < 1e-12 { break }
            let h = 1e-6
            let dx = (distort(estimate + SIMD2(h, 0)) - distort(estimate - SIMD2(h, 0))) / (2 * h)
            let dy = (distort(estimate + SIMD2(0, h)) - distort(estimate - SIMD2(0, h))) / (2 * h)
            let determinant = dx.x * dy.y - dy.x * dx.y
            guard abs(determinant) > 1e-12 else { break }
            estimate -= SIMD2(dy.y * error.x - dy.x * error.y, dx.x * error.y - dx.y * error.x) / determinant
        }
        return SIMD3(estimate.x, estimate.y, 1)
    }

    /// Applies the lens to normalised image coordinates.
    public func distort(_ p: SIMD2<Double>) -> SIMD2<Double> {
        switch distortion {
        case .none:
            return p
        case .radialTangential(let k1, let k2, let p1, let p2, let k3):
            let r2 = p.dot(p)
            let radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            return SIMD2(
                p.x * radial + 2 * p1 * p.x * p.y + p2 * (r2 + 2 * p.x * p.x),
                p.y * radial + p1 * (r2 + 2 * p.y * p.y) + 2 * p2 * p.x * p.y)
        case .fisheye(let k1, let k2, let k3, let k4):
            let r = p.length
            guard r > 1e-9 else { return p }
            let theta = atan(r)
            let t2 = theta * theta
            let distorted = theta * (1 + t2 * (k1 + t2 * (k2 + t2 * (k3 + t2 * k4))))
            return p * (distorted / r)
        }
    }

    /// The ray in the world through a pixel. `worldFromCamera` has the public camera axes (looking along −z).
    public func ray(through pixel: SIMD2<Double>, worldFromCamera: Pose) -> Ray {
        let d = unproject(pixel)
        return Ray(origin: worldFromCamera.position, direction: worldFromCamera.rotation * SIMD3(d.x, -d.y, -d.z))
    }

    /// The pixel where a world point is seen, or nil behind the camera. `worldFromCamera` has the public axes.
    public func project(worldPoint: SIMD3<Double>, worldFromCamera: Pose) -> SIMD2<Double>? {
        let p = worldFromCamera.inverse * worldPoint
        return project(SIMD3(p.x, -p.y, -p.z))
    }
}
