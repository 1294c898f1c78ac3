/// How finely surfaces are painted.
struct TextureDetail {
    /// Metres.
    var finestTexel: Float
    /// Of one surface.
    var maximumTexels: Float

    /// As fine as a camera can tell apart from the nearest place where a person would hold it.
    init(for world: World, seenBy intrinsics: CameraIntrinsics) {
        finestTexel = Float(max(world.finestTexel, 0.6 * world.viewingDistance.lowerBound / intrinsics.fx))
        maximumTexels = min(800_000, max(100_000, Float(6 * intrinsics.width * intrinsics.height)))
    }
}

/// A pattern drawn once into memory, with ever smaller copies for looking at it from afar.
final class BakedTexture {
    private let texels: UnsafeMutableBufferPointer<UInt8>
    private let levels: UnsafeMutableBufferPointer<TextureSampler.Level>
    private let texelsPerMetre: Float

    /// Reads the texture; valid as long as the texture lives.
    var sampler: TextureSampler {
        TextureSampler(
            texels: UnsafePointer(texels.baseAddress!), levels: UnsafePointer(levels.baseAddress!),
            levelCount: levels.count, texelsPerMetre: texelsPerMetre)
    }

    deinit {
        texels.deallocate()
        levels.deallocate()
    }

    /// Soft darkness that something standing on the surface leaves.
    struct ContactShadow {
        /// Metres from the surface's corner.
        var center: SIMD2<Float>
        var halfSize: SIMD2<Float>
        /// Direction of its first side.
        var cosine: Float
        var sine: Float

        func light(_ x: Float, _ y: Float) -> Float {
            let (dx, dy) = (x - center.x, y - center.y)
            let u = abs(dx * cosine + dy * sine) - halfSize.x
            let v = abs(dy * cosine - dx * sine) - halfSize.y
            let outside = (max(u, 0) * max(u, 0) + max(v, 0) * max(v, 0)).squareRoot()
            return 1 - 0.5 * (1 - ValueNoise.step(0, 0.09, outside))
        }
    }

    init(_ painter: PatternPainter, detail: TextureDetail, shadows: [ContactShadow]) {
        let texel = max(detail.finestTexel, (painter.width * painter.height / detail.maximumTexels).squareRoot())
        texelsPerMetre = 1 / texel
        var width = max(1, Int((painter.width / texel).rounded(.up)))
        var height = max(1, Int((painter.height / texel).rounded(.up)))
        var levels: [TextureSampler.Level] = []
        var texels: [UInt8] = []
        texels.reserveCapacity(width * height * 4 / 3 + 64)
        for row in 0..<height {
            let y = (Float(row) + 0.5) * texel
            for column in 0..<width {
                let x = (Float(column) + 0.5) * texel
                var value = painter.reflectance(x, y)
                for shadow in shadows { value *= shadow.light(x, y) }
                texels.append(UInt8(value * 255 + 0.5))
            }
        }
        levels.append(TextureSampler.Level(offset: 0, width: width, height: height))
        while width > 1 || height > 1 {
            let finer = levels[levels.count - 1]
            width = max(1, width / 2)
            height = max(1, height / 2)
            let offset = texels.count
            for row in 0..<height {
                let upper = finer.offset + min(2 * row, finer.height - 1) * finer.width
                let lower = finer.offset + min(2 * row + 1, finer.height - 1) * finer.width
                for column in 0..<width {
                    let left = min(2 * column, finer.width - 1)
                    let right = min(2 * column + 1, finer.width - 1)
                    let sum =
                        Int(texels[upper + left]) + Int(texels[upper + right]) + Int(texels[lower + left])
                        + Int(texels[lower + right])
                    texels.append(UInt8((sum + 2) / 4))
                }
            }
            levels.append(TextureSampler.Level(offset: offset, width: width, height: height))
        }
        self.texels = .allocate(capacity: texels.count)
        _ = self.texels.initialize(from: texels)
        self.levels = .allocate(capacity: levels.count)
        _ = self.levels.initialize(from: levels)
    }
}

/// Looks up a baked texture. Holds plain addresses only, so that copying it costs nothing.
struct TextureSampler {
    struct Level {
        var offset: Int
        var width: Int
        var height: Int
    }

    let texels: UnsafePointer<UInt8>
    let levels: UnsafePointer<Level>
    let levelCount: Int
    let texelsPerMetre: Float

    /// Mean reflectance (0…255) under a pixel.
    ///
    /// - Parameters:
    ///   - x, y: metres from the surface's corner.
    ///   - acrossX, acrossY: how far one pixel to the right, and one down, goes on the surface (metres).
    func sample(_ x: Float, _ y: Float, acrossX: SIMD2<Float>, acrossY: SIMD2<Float>) -> Float {
        let a = (acrossX * acrossX).sum().squareRoot()
        let b = (acrossY * acrossY).sum().squareRoot()
        let longer = max(a, b)
        let shorter = max(min(a, b), longer * 0.2)
        // Seen at a slant a pixel covers a long strip: several samples along it instead of one blurred one.
        let count = min(4, max(1, Int(longer / shorter + 0.5)))
        let level = Self.log2(longer / Float(count) * texelsPerMetre)
        guard count > 1 else { return trilinear(x * texelsPerMetre, y * texelsPerMetre, level) }
        let step = a > b ? acrossX : acrossY
        var sum: Float = 0
        for index in 0..<count {
            let at = (Float(index) + 0.5) / Float(count) - 0.5
            sum += trilinear((x + step.x * at) * texelsPerMetre, (y + step.y * at) * texelsPerMetre, level)
        }
        return sum / Float(count)
    }

    /// Exact at powers of two, linear between: plenty for choosing a level.
    private static func log2(_ x: Float) -> Float {
        guard x > 1e-6 else { return -20 }
        return Float(x.exponent) + x.significand - 1
    }

    private func trilinear(_ x: Float, _ y: Float, _ level: Float) -> Float {
        guard level > 0 else { return bilinear(x, y, 0) }
        let lower = min(Int(level), levelCount - 1)
        let upper = min(lower + 1, levelCount - 1)
        let t = min(1, level - Float(lower))
        let scale = 1 / Float(1 << lower)
        let near = bilinear(x * scale, y * scale, lower)
        return near + (bilinear(x * scale * 0.5, y * scale * 0.5, upper) - near) * t
    }

    /// Texel centres are at half numbers.
    @inline(__always)
    private func bilinear(_ x: Float, _ y: Float, _ index: Int) -> Float {
        let level = levels[index]
        let px = min(max(x - 0.5, 0), Float(level.width - 1))
        let py = min(max(y - 0.5, 0), Float(level.height - 1))
        let (ix, iy) = (Int(px), Int(py))
        let (tx, ty) = (px - Float(ix), py - Float(iy))
        let right = ix + 1 < level.width ? 1 : 0
        let below = iy + 1 < level.height ? level.width : 0
        let at = level.offset + iy * level.width + ix
        let (a, b) = (Float(texels[at]), Float(texels[at + right]))
        let (c, d) = (Float(texels[at + below]), Float(texels[at + below + right]))
        let top = a + (b - a) * tx
        return top + (c + (d - c) * tx - top) * ty
    }
}
