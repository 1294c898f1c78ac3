import Foundation

extension World {
    /// Puts upright cylinders onto a surface, such as tins onto `desk.top` and columns onto the floor, where there is room:
    /// nothing of them is flat. Where there is no such surface, nothing happens.
    ///
    /// - Parameters:
    ///   - label: of the first such surface.
    ///   - count: how many at most.
    ///   - radius: of each, metres, at random.
    ///   - height: of each, metres, at random.
    public mutating func addCylinders(
        on label: String, count: Int, radius: ClosedRange<Double>, height: ClosedRange<Double>
    ) {
        putWhereFree(on: label, count: count, salt: 0xC_0171) { world, foot, random in
            let (r, h) = (random.uniform(radius), random.uniform(height))
            guard world.isFree(foot: foot, size: SIMD3(2 * r, h, 2 * r), angle: 0) else { return false }
            let pattern = Self.pattern(&random, [.tiles, .wood, .poster, .fabric], 0.4...0.6)
            world.addCylinder(foot: foot, radius: r, height: h, pattern: pattern)
            return true
        }
    }

    /// Offers places on the first surface of that name, within sight, until `count` of them are taken or chance has been
    /// asked too often.
    ///
    /// - Parameters:
    ///   - salt: of chance, of which each kind of thing has its own.
    ///   - put: puts something there, or tells that there's no room for it.
    mutating func putWhereFree(
        on label: String, count: Int, salt: UInt64,
        put: (inout World, SIMD3<Double>, inout SeededRandom) -> Bool
    ) {
        guard let ground = quads.first(where: { $0.label == label }) else { return }
        // Of the world as it is, so that each seed has things of its own.
        var random = SeededRandom(seed: quads.reduce(salt) { SeededRandom.mix($0 ^ UInt64($1.pattern.seed)) })
        let (width, depth) = (0.45 * ground.width, 0.45 * ground.height)
        var left = count
        for _ in 0..<200 where left > 0 {
            var foot = focus
            foot.y = ground.center.y
            foot += SIMD3(random.uniform(-0.7...0.7), 0, random.uniform(-0.4...0.4)) * viewingDistance.lowerBound
            let offset = foot - ground.center
            guard abs(offset.dot(ground.right)) < width, abs(offset.dot(ground.up)) < depth else { continue }
            if put(&self, foot, &random) { left -= 1 }
        }
    }
}
