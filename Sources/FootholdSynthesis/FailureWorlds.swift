import Foundation

/// Worlds with a place in them where it goes wrong: a desk or a room as elsewhere, and one wall that is special.
extension World {
    /// The wall beside the desk where the trouble is, 2.5 m to the right of the middle.
    static let troubleWall = "trouble"

    /// A desk world whose right wall is `pattern` all over, perhaps with a mirror's finish or shining by itself.
    static func desk(
        seed: UInt64, wall pattern: SurfacePattern, reflection: Reflection? = nil, glow: Double? = nil
    ) -> World {
        var world = World.random(seed: seed, kind: .desk)
        world.quads.removeAll { $0.label == "wall_right" || ($0.label == "picture" && $0.normal.x < -0.9) }
        world.addQuad(
            troubleWall, center: SIMD3(2.5, 1.3, 0), right: .unitZ, up: .unitY, width: 4.4, height: 2.6,
            pattern: pattern)
        world.quads[world.quads.count - 1].reflection = reflection
        world.quads[world.quads.count - 1].glow = glow
        return world
    }

    /// Before the special wall, and what to look at there.
    static func beforeTrouble(_ random: inout SeededRandom) -> (position: SIMD3<Double>, target: SIMD3<Double>) {
        let z = random.uniform(0.1...0.5)
        let y = random.uniform(1.2...1.35)
        return (SIMD3(random.uniform(1.15...1.4), y, z), SIMD3(2.5, y + random.uniform(-0.1...0.05), z + 0.05))
    }

    /// Hangs a mirror of a size before a wall, such as `wall_back`, or lays a polished sheet onto a top such as
    /// `desk.top`: the first flat thing of that label. Where there is none, nothing happens.
    ///
    /// - Parameters:
    ///   - offset: of the mirror's middle from that of the thing, along its width and its height.
    ///   - share: of the light that is thrown back.
    ///   - rippleRadians: standard deviation of the slopes where the mirror isn't quite even.
    ///   - isSeeThrough: a pane of glass, behind which the thing is still seen.
    public mutating func addMirror(
        on label: String, offset: SIMD2<Double> = .zero, width: Double, height: Double, share: Double = 0.9,
        rippleRadians: Double = 0, isSeeThrough: Bool = false
    ) {
        guard let quad = quads.first(where: { $0.label == label }) else { return }
        addQuad(
            "mirror", center: quad.center + quad.right * offset.x + quad.up * offset.y + quad.normal * 0.004,
            right: quad.right, up: quad.up, width: width, height: height,
            pattern: SurfacePattern(.plain, tone: 0.3, seed: quad.pattern.seed &+ 5), isDecal: true)
        quads[quads.count - 1].reflection = Reflection(
            share: share, ripple: rippleRadians, isSeeThrough: isSeeThrough)
    }

    /// Small leaves at every angle and at every depth, close together as in a hedge: much to see all over the view, but
    /// nothing flat that is larger than a hand.
    static func hedge(seed: UInt64) -> World {
        var random = SeededRandom(seed: seed ^ 0x4ED6_E000)
        var world = World(kind: .planarOnly)
        let middle = SIMD3(0.0, 1.2, -1.2)
        for _ in 0..<3500 {
            // Seen from the front, at any slant: no direction is more frequent than another.
            var normal = random.gaussianVector(1).normalized
            if normal.z < 0 { normal = -normal }
            let right = normal.anyPerpendicular
            let size = random.uniform(0.04...0.08)
            world.addQuad(
                "leaf",
                center: middle
                    + SIMD3(random.uniform(-2...2), random.uniform(-1.5...1.5), random.uniform(-1.1...0.35)),
                right: right, up: normal.cross(right), width: size, height: size * random.uniform(0.6...1.4),
                pattern: SurfacePattern(
                    random.chance(0.5) ? .fabric : .poster, tone: random.uniform(0.15...0.7),
                    seed: UInt32(truncatingIfNeeded: random.next())))
        }
        world.focus = middle
        world.viewingDistance = 1.2...1.6
        world.freeSpace = (SIMD3(-1.5, 0.7, -0.6), SIMD3(1.5, 2.4, 2))
        return world
    }
}
