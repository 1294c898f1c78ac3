import Foundation

extension World {
    /// Puts plants in pots onto a surface, such as `desk.top`, where there is room: much to see, and nothing flat that is
    /// larger than a finger. Where there is no such surface, nothing happens.
    ///
    /// - Parameters:
    ///   - label: of the first such surface.
    ///   - count: how many at most.
    ///   - height: of a plant with its pot, metres.
    public mutating func addPlants(on label: String, count: Int, height: Double) {
        putWhereFree(on: label, count: count, salt: 0x9_1A27) { world, foot, random in
            guard world.isFree(foot: foot, size: SIMD3(repeating: height), angle: 0) else { return false }
            world.addPlant(foot: foot, height: height, &random)
            return true
        }
    }

    private mutating func addPlant(foot: SIMD3<Double>, height: Double, _ random: inout SeededRandom) {
        let pot = 0.35 * height
        addCylinder(
            foot: foot, radius: 0.5 * pot, height: pot,
            pattern: SurfacePattern(.fabric, tone: 0.4, seed: UInt32(truncatingIfNeeded: random.next())))
        let tone = random.uniform(0.2...0.4)
        for _ in 0..<36 {
            let (turn, rise) = (random.uniform(0...2 * .pi), random.uniform(0.5...1.3))
            let (length, width) = (random.uniform(0.18...0.3) * height, random.uniform(0.06...0.1) * height)
            let right = SIMD3(sin(turn), 0, -cos(turn))
            var start = foot + SIMD3(0, pot, 0)
            // Up, then over.
            for (elevation, share) in [(rise, 1.0), (rise - random.uniform(0.6...1.1), 0.8)] {
                let up = SIMD3(cos(turn) * cos(elevation), sin(elevation), sin(turn) * cos(elevation))
                let center = start + up * (share * length / 2)
                let pattern = SurfacePattern(.fabric, tone: tone, seed: UInt32(truncatingIfNeeded: random.next()))
                for side in [right, -right] {
                    addQuad(
                        "leaf", center: center, right: side, up: up, width: width, height: share * length,
                        pattern: pattern)
                }
                start += up * (share * length)
            }
        }
    }
}
