import FootholdRendering
import FootholdScene

/// Frames and pictures for looking at single pixels.
enum Pictures {
    static func gray(_ level: UInt8, width: Int, height: Int, index: Int = 0, nanoseconds: Int64 = 1_000_000_000)
        -> Frame
    {
        let pixels = PixelBuffer(
            copyingLuma: [UInt8](repeating: level, count: width * height), width: width, height: height)
        return Frame(index: index, timestampNanoseconds: nanoseconds, pixels: pixels)
    }

    /// Noise within the range's limits, from a seed.
    static func noise(
        _ format: PixelBuffer.Format, width: Int, height: Int, isFullRange: Bool,
        matrix: PixelBuffer.ColorMatrix = .bt601, seed: UInt64 = 1
    ) -> Frame {
        var state = seed
        func next(_ low: Int, _ high: Int) -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(low + Int(state >> 33) % (high - low + 1))
        }
        let (cw, ch) = ((width + 1) / 2, (height + 1) / 2)
        // Rows are padded, as decoders pad them.
        let sizes: [(width: Int, height: Int, stride: Int)] =
            switch format {
            case .gray8: [(width, height, width + 5)]
            case .yuv420p: [(width, height, width + 5), (cw, ch, cw + 3), (cw, ch, cw + 3)]
            case .nv12: [(width, height, width + 5), (cw, ch, 2 * cw + 3)]
            }
        let total = sizes.reduce(0) { $0 + $1.stride * $1.height }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: total)
        let (low, high) = isFullRange ? (0, 255) : (16, 235)
        for index in 0..<total {
            memory[index] = index < sizes[0].stride * height ? next(low, high) : next(low, isFullRange ? 255 : 240)
        }
        var planes: [PixelBuffer.Plane] = []
        var offset = 0
        for size in sizes {
            planes.append(
                PixelBuffer.Plane(
                    base: memory + offset, width: size.width, height: size.height, bytesPerRow: size.stride))
            offset += size.stride * size.height
        }
        let address = UInt(bitPattern: memory)
        let buffer = PixelBuffer(
            format: format, width: width, height: height, planes: planes, isFullRange: isFullRange,
            colorMatrix: matrix, release: { UnsafeMutablePointer<UInt8>(bitPattern: address)?.deallocate() })
        return Frame(index: 0, timestampNanoseconds: 1_000_000_000, pixels: buffer)
    }
}

/// A picture's pixels, and how they differ from the frame that it was drawn over.
struct Pixels {
    let width: Int
    let height: Int
    let rgba: [UInt8]

    init(_ picture: RenderedPicture) {
        width = picture.width
        height = picture.height
        rgba = picture.rgba()
    }

    subscript(x: Int, y: Int) -> SIMD3<Int> {
        let i = (y * width + x) * 4
        return SIMD3(Int(rgba[i]), Int(rgba[i + 1]), Int(rgba[i + 2]))
    }

    /// Every pixel that differs from `other` by more than `threshold` in a channel.
    func changed(from other: Pixels, by threshold: Int = 3) -> [SIMD2<Int>] {
        var result: [SIMD2<Int>] = []
        for y in 0..<height {
            for x in 0..<width {
                let d = self[x, y] &- other[x, y]
                if max(abs(d.x), abs(d.y), abs(d.z)) > threshold { result.append(SIMD2(x, y)) }
            }
        }
        return result
    }

    func largestDifference(from other: Pixels) -> Int {
        zip(rgba, other.rgba).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }

    /// The middle of what is coloured, weighted by how much red exceeds blue: on a grey frame, of a box alone (shadows
    /// are grey).
    func middleOfColor() -> (middle: SIMD2<Double>, weight: Double) {
        var sum = SIMD2<Double>.zero
        var weight = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let warmth = Double(self[x, y].x - self[x, y].z)
                guard warmth > 8 else { continue }
                sum += warmth * SIMD2(Double(x), Double(y))
                weight += warmth
            }
        }
        return (weight > 0 ? sum / weight : .zero, weight)
    }
}

enum Cameras {
    static let plain = CameraIntrinsics(width: 640, height: 480, fx: 525, fy: 525, cx: 319.5, cy: 239.5)
    static let barrel = CameraIntrinsics(
        width: 640, height: 480, fx: 420, fy: 425, cx: 311, cy: 247,
        distortion: .radialTangential(k1: -0.28, k2: 0.07, p1: 0.0008, p2: -0.0005, k3: 0))
    static let fisheye = CameraIntrinsics(
        width: 640, height: 480, fx: 330, fy: 331, cx: 322, cy: 236,
        distortion: .fisheye(k1: 0.03, k2: -0.01, k3: 0.004, k4: -0.001))

    /// At `eye`, looking at `target`, upright.
    static func looking(from eye: SIMD3<Double>, at target: SIMD3<Double>) -> Pose {
        let z = (eye - target).normalized
        let x = SIMD3<Double>.unitY.cross(z).normalized
        return Pose(rotation: Rotation(columns: x, z.cross(x), z), position: eye)
    }
}

enum Surfaces {
    /// A horizontal surface at the origin's height, with an outline in world (x, z).
    static func floor(
        id: Int = 1, _ outline: [SIMD2<Double>], center: SIMD2<Double> = .zero, turnRadians: Double = 0,
        alignment: PlaneAnchor.Alignment = .horizontal
    ) -> PlaneAnchor {
        let pose = Pose(
            rotation: Rotation(axis: .unitY, angleRadians: turnRadians), position: SIMD3(center.x, 0, center.y))
        var local = outline.map { point in
            let p = pose.inverse * SIMD3(point.x, 0, point.y)
            return SIMD2(p.x, p.z)
        }
        // Counter-clockwise seen from above is clockwise in (x, z).
        if Polygon.signedArea(local) > 0 { local.reverse() }
        let low = local.reduce(local[0], pointwiseMin)
        let high = local.reduce(local[0], pointwiseMax)
        return PlaneAnchor(
            id: id, alignment: alignment, classification: .unknown, worldFromSurface: pose, extent: high - low,
            boundary: local, confidence: 1, firstSeenNanoseconds: 0, lastUpdatedNanoseconds: 0)
    }

    static func square(_ half: Double) -> [SIMD2<Double>] {
        [SIMD2(-half, -half), SIMD2(half, -half), SIMD2(half, half), SIMD2(-half, half)]
    }
}

enum Objects {
    static func make(
        _ model: BuiltInModel, id: Int = 1, at position: SIMD3<Double> = .zero, scale: Double = 1,
        isProvisional: Bool = false, isSelected: Bool = false
    ) -> PlacedObject {
        PlacedObject(
            id: id, name: model.rawValue, model: model.rawValue, size: model.size, scale: scale,
            worldFromObject: Pose(position: position), isProvisional: isProvisional, isSelected: isSelected)
    }
}
