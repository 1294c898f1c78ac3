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
        guard let ground = quads.first(where: { $0.label == label }) else { return }
        // Of the world as it is, so that each seed has plants of its own.
        var random = SeededRandom(seed: quads.reduce(0x9_1A27) { SeededRandom.mix($0 ^ UInt64($1.pattern.seed)) })
        let (width, depth) = (0.45 * ground.width, 0.45 * ground.height)
        var left = count
        for _ in 0..<200 where left > 0 {
            var foot = focus
            foot.y = ground.center.y
            // Within sight.
            foot += SIMD3(random.uniform(-0.7...0.7), 0, random.uniform(-0.4...0.4)) * viewingDistance.lowerBound
            let offset = foot - ground.center
            guard abs(offset.dot(ground.right)) < width, abs(offset.dot(ground.up)) < depth,
                isFree(foot: foot, size: SIMD3(repeating: height), angle: 0)
            else { continue }
            addPlant(foot: foot, height: height, &random)
            left -= 1
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
