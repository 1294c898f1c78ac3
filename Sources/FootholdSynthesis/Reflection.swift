import Foundation

/// How a flat thing throws light back, like a mirror, a polished top or a pane of glass.
struct Reflection: Hashable, Sendable {
    /// Share of the light that it throws back; the rest shows its own picture, or what is behind it.
    var share: Double
    /// Standard deviation of the slopes of a surface that isn't quite even, radians.
    var ripple = 0.0
    /// Metres from one bump to the next.
    var rippleLength = 0.12
    /// Glass: what is behind it is seen through it.
    var isSeeThrough = false
}

/// Draws what mirrors show: for each mirror, the world once more from the camera reflected in the mirror's plane.
///
/// A mirror within a mirror shows only its own picture. Used by one thread at a time.
final class Reflector {
    /// Of the last look, with the public camera axes.
    var worldFromCamera = Pose.identity
    private let renderer: SceneRenderer
    private var picture: [Float]

    /// - Parameter inks: the painted things of the renderer whose pictures get the reflections.
    init(world: World, intrinsics: CameraIntrinsics, sharing inks: (quads: [QuadInk], bodies: [BodyInk])) {
        renderer = SceneRenderer(world: world, intrinsics: intrinsics.flippedLeftToRight, sharing: inks)
        picture = [Float](repeating: 0, count: intrinsics.width * intrinsics.height)
    }

    /// - Parameters:
    ///   - base: the picture without reflections, at full weight.
    ///   - main: has looked already.
    func addReflections(to base: inout [Float], seenBy main: SceneRenderer) {
        let cameraFromWorld = worldFromCamera.flippingCameraAxes.inverse
        for (index, ink) in main.quads.enumerated() {
            guard let reflection = ink.quad.reflection,
                (worldFromCamera.position - ink.quad.center).dot(ink.quad.normal) > 0.005
            else { continue }
            let id = Int32(index + 1)
            let view = QuadView(ink, id: id, cameraFromWorld: cameraFromWorld)
            let pixels = covered(by: view, isSeeThrough: reflection.isSeeThrough, in: main)
            guard !pixels.isEmpty else { continue }
            renderer.look(from: worldFromCamera.reflected(in: ink.quad), beyond: ink)
            for at in picture.indices { picture[at] = 0 }
            renderer.shade(into: &picture, weight: 1)
            let share = Float(reflection.share)
            for pixel in pixels {
                let at = pixel.row * main.width + pixel.column
                let bend = slope(at: view.place(pixel.x, pixel.y), of: reflection, seed: ink.quad.pattern.seed)
                // A slope turns the ray by twice its angle. The picture is the wrong way round.
                let column = Float(main.width - 1 - pixel.column) - 2 * bend.x * Float(main.intrinsics.fx)
                let row = Float(pixel.row) + 2 * bend.y * Float(main.intrinsics.fy)
                base[at] += share * (sample(column, row, main.width, main.height) - base[at])
            }
        }
    }

    private struct Pixel {
        var row: Int
        var column: Int
        /// The direction through it.
        var x: Float
        var y: Float
    }

    /// Where the mirror is what is seen.
    private func covered(by view: QuadView, isSeeThrough: Bool, in main: SceneRenderer) -> [Pixel] {
        var result: [Pixel] = []
        for row in 0..<main.height {
            for column in 0..<main.width {
                let (at, k) = (row * main.lanes + column / 8, column % 8)
                let (x, y) = (main.directionX[at][k], main.directionY[at][k])
                let isSeen =
                    isSeeThrough
                    ? view.inverseDepth(x, y) > main.inverseDepth[at][k] : main.identity[at][k] == view.id
                if isSeen { result.append(Pixel(row: row, column: column, x: x, y: y)) }
            }
        }
        return result
    }

    private func slope(at place: SIMD2<Float>, of reflection: Reflection, seed: UInt32) -> SIMD2<Float> {
        guard reflection.ripple > 0 else { return .zero }
        let p = place / Float(reflection.rippleLength)
        // Two octaves have a standard deviation of about 0.3.
        let scale = Float(reflection.ripple) / 0.3
        return SIMD2(
            ValueNoise.octaves(p.x, p.y, seed &+ 71, count: 2), ValueNoise.octaves(p.x, p.y, seed &+ 72, count: 2))
            * scale
    }

    private func sample(_ column: Float, _ row: Float, _ width: Int, _ height: Int) -> Float {
        let x = min(max(column, 0), Float(width - 1) - 0.001)
        let y = min(max(row, 0), Float(height - 1) - 0.001)
        let (ix, iy) = (Int(x), Int(y))
        let (tx, ty) = (x - Float(ix), y - Float(iy))
        let at = iy * width + ix
        let top = picture[at] + (picture[at + 1] - picture[at]) * tx
        let bottom = picture[at + width] + (picture[at + width + 1] - picture[at + width]) * tx
        return top + (bottom - top) * ty
    }
}

extension CameraIntrinsics {
    /// The camera whose picture is this one's with left and right exchanged.
    fileprivate var flippedLeftToRight: CameraIntrinsics {
        var result = self
        result.cx = Double(width - 1) - cx
        if case .radialTangential(let k1, let k2, let p1, let p2, let k3) = distortion {
            result.distortion = .radialTangential(k1: k1, k2: k2, p1: p1, p2: -p2, k3: k3)
        }
        return result
    }
}

extension Pose {
    /// A camera behind the mirror, whose picture with left and right exchanged is what the mirror shows.
    fileprivate func reflected(in mirror: Quad) -> Pose {
        let n = mirror.normal
        func turned(_ v: SIMD3<Double>) -> SIMD3<Double> { v - n * (2 * n.dot(v)) }
        let (x, y, z) = rotation.columns
        return Pose(
            rotation: Rotation(columns: -1 * turned(x), turned(y), turned(z)),
            position: mirror.center + turned(position - mirror.center))
    }
}
