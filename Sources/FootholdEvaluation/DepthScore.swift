import Foundation

/// How right depth maps are, beside depth pictures of the truth, and what people would see of it.
public struct DepthScore: Sendable {
    /// Depth maps that were compared.
    public private(set) var maps = 0
    /// Share of the cells (with a true depth) that have one.
    public var knownShare: Double { share(errors.count, of: cells) }
    /// Of |depth ÷ true depth − 1|, over all cells that have one; nil without any.
    public var medianError: Double? { percentile(0.5) }
    public var ninetiethError: Double? { percentile(0.9) }
    /// Share of the cells with a depth whose depth is more than a tenth wrong.
    public var wrongShare: Double { share(errors.lazy.filter { $0 > 0.1 }.count, of: errors.count) }
    /// Of points a fifth behind what is real: how much of them is shown all the same.
    public var wronglyShown: Double { behind.count == 0 ? 0 : 1 - behind.hidden / Double(behind.count) }
    /// Of points a fifth before it: how much of them is hidden all the same.
    public var wronglyHidden: Double { before.count == 0 ? 0 : before.hidden / Double(before.count) }
    /// Share of errors within the deviation that is claimed.
    public var withinDeviation: Double { share(within, of: errors.count) }

    /// From one frame to the next, how much of what is shown of points a fifth behind what is real changes, though
    /// nothing moves but the camera.
    public var flicker: Double { flickering.count == 0 ? 0 : flickering.change / Double(flickering.count) }

    private var cells = 0
    private var errors: [Float] = []
    private var within = 0
    private var behind = (hidden: 0.0, count: 0)
    private var before = (hidden: 0.0, count: 0)
    private var flickering = (change: 0.0, count: 0)

    /// How far behind and before what is real the points are that people would see: shares of the depth.
    private static let distance = 0.2
    /// Every so many pixels each way there is one.
    private static let spacing = 4

    public init() {}

    /// - Parameters:
    ///   - scale: true metres in a metre of the map's world.
    ///   - luma: the picture that the map belongs to.
    public mutating func add(_ map: DepthMap, truth: DepthPicture, scale: Double, luma: PixelBuffer.Plane) {
        maps += 1
        for row in 0..<map.height {
            for column in 0..<map.width {
                let pixel = SIMD2(Double(column), Double(row)) * Double(map.cellPixels)
                guard let real = truth.depth(at: pixel, of: luma) else { continue }
                cells += 1
                guard let cell = map[column, row] else { continue }
                errors.append(Float(abs(cell.depth * scale / real - 1)))
                if abs(cell.depth * scale - real) <= cell.deviation * scale { within += 1 }
            }
        }
        for y in stride(from: 0, to: luma.height, by: Self.spacing) {
            for x in stride(from: 0, to: luma.width, by: Self.spacing) {
                let pixel = SIMD2(Double(x), Double(y))
                guard let real = truth.depth(at: pixel, of: luma) else { continue }
                let brightness = Double(luma.base[y * luma.bytesPerRow + x])
                func hidden(_ depth: Double) -> Double {
                    map.hiddenShare(at: pixel, depth: depth / scale, brightness: brightness)
                }
                behind.hidden += hidden(real * (1 + Self.distance))
                before.hidden += hidden(real * (1 - Self.distance))
                behind.count += 1
                before.count += 1
            }
        }
    }

    /// One picture as it was seen.
    public struct Seen {
        public var map: DepthMap
        public var luma: PixelBuffer.Plane
        /// True camera to world, with computer-vision axes.
        public var worldFromCamera: Pose

        public init(map: DepthMap, luma: PixelBuffer.Plane, worldFromCamera: Pose) {
            self.map = map
            self.luma = luma
            self.worldFromCamera = worldFromCamera
        }

        /// How much of a point (true metres, of this camera) is hidden; nil outside the picture.
        func hidden(_ point: SIMD3<Double>, camera: CameraIntrinsics, scale: Double) -> Double? {
            guard let pixel = camera.project(point), pixel.x > 0, pixel.y > 0, pixel.x < Double(luma.width - 1),
                pixel.y < Double(luma.height - 1)
            else { return nil }
            let brightness = luma.base[Int(pixel.y.rounded()) * luma.bytesPerRow + Int(pixel.x.rounded())]
            return map.hiddenShare(at: pixel, depth: point.z / scale, brightness: Double(brightness))
        }
    }

    /// Compares a frame that has a true depth picture with the one after it.
    public mutating func add(_ seen: Seen, next: Seen, truth: DepthPicture, camera: CameraIntrinsics, scale: Double) {
        let nextFromSeen = next.worldFromCamera.inverse * seen.worldFromCamera
        for y in stride(from: 0, to: seen.luma.height, by: Self.spacing) {
            for x in stride(from: 0, to: seen.luma.width, by: Self.spacing) {
                let pixel = SIMD2(Double(x), Double(y))
                guard let real = truth.depth(at: pixel, of: seen.luma) else { continue }
                // The ray is that of the real thing's point in both pictures, so that both ask the same question.
                let point = real * camera.unproject(pixel)
                let moved = nextFromSeen * point
                guard let now = seen.hidden(point * (1 + Self.distance), camera: camera, scale: scale),
                    let then = next.hidden(moved * (1 + Self.distance), camera: camera, scale: scale)
                else { continue }
                flickering.change += abs(then - now)
                flickering.count += 1
            }
        }
    }

    private func share(_ part: Int, of whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }

    private func percentile(_ share: Double) -> Double? {
        let sorted = errors.sorted()
        return sorted.isEmpty ? nil : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }
}
