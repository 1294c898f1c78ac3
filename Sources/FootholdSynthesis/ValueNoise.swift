/// Smooth random fields over the plane (value noise on a lattice, summed over octaves).
enum ValueNoise {
    /// 0…1, different at every whole coordinate.
    @inline(__always)
    static func hash(_ x: Int32, _ y: Int32, _ seed: UInt32) -> Float {
        var h = UInt32(bitPattern: x) &* 0x85EB_CA6B ^ UInt32(bitPattern: y) &* 0xC2B2_AE35 ^ seed &* 0x27D4_EB2F
        h ^= h >> 15
        h = h &* 0x2C1B_3C6D
        h ^= h >> 12
        h = h &* 0x297A_2D39
        h ^= h >> 15
        return Float(h >> 8) * (1 / 16_777_216)
    }

    /// 0…1, smooth, with features of about one unit.
    @inline(__always)
    static func noise(_ x: Float, _ y: Float, _ seed: UInt32) -> Float {
        let (fx, fy) = (x.rounded(.down), y.rounded(.down))
        let (ix, iy) = (Int32(fx), Int32(fy))
        let (tx, ty) = (x - fx, y - fy)
        let sx = tx * tx * (3 - 2 * tx)
        let sy = ty * ty * (3 - 2 * ty)
        let top = mix(hash(ix, iy, seed), hash(ix &+ 1, iy, seed), sx)
        let bottom = mix(hash(ix, iy &+ 1, seed), hash(ix &+ 1, iy &+ 1, seed), sx)
        return mix(top, bottom, sy)
    }

    /// About −1…1: octaves of noise, each of half the size and half the strength.
    @inline(__always)
    static func octaves(_ x: Float, _ y: Float, _ seed: UInt32, count: Int) -> Float {
        var sum: Float = 0
        var strength: Float = 0.5
        var (px, py) = (x, y)
        for octave in 0..<count {
            sum += (noise(px, py, seed &+ UInt32(octave) &* 101) - 0.5) * 2 * strength
            strength *= 0.5
            // Not quite doubling, and shifted, so that lattices do not line up.
            px = px * 2.03 + 17.3
            py = py * 2.03 - 9.1
        }
        return sum
    }

    @inline(__always)
    static func mix(_ a: Float, _ b: Float, _ t: Float) -> Float { a + (b - a) * t }

    /// 0 below `low`, 1 above `high`, smooth between.
    @inline(__always)
    static func step(_ low: Float, _ high: Float, _ x: Float) -> Float {
        let t = min(1, max(0, (x - low) / (high - low)))
        return t * t * (3 - 2 * t)
    }
}
