import Foundation

/// A room with furniture and things in it, of known geometry. +Y is up, metres.
public struct World: Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A desk with things on it, seen from nearby.
        case desk
        /// A furnished room to walk through.
        case room
        /// One flat, richly textured ground and nothing else.
        case planarOnly
        /// A room with even walls and few things: little to hold on to.
        case sparse
        /// Even paint all over: nothing to hold on to.
        case blank
        /// A flight of stairs.
        case stairs
        /// An open shelf with boards above and below the eye.
        case shelf
        /// A room under a roof.
        case attic
        /// A ramp and a tilted board.
        case ramp
    }

    public let kind: Kind
    /// What a person would look at.
    public internal(set) var focus = SIMD3<Double>.zero
    /// How far from the focus a person would hold the camera.
    public internal(set) var viewingDistance: ClosedRange<Double> = 0.7...1.2
    /// Where a camera may be without meeting anything: the smallest and largest coordinates.
    public internal(set) var freeSpace: (lower: SIMD3<Double>, upper: SIMD3<Double>)
    var quads: [Quad] = []
    var bodies: [RoundBody] = []
    /// Towards the light.
    var lightDirection = SIMD3(0.3, 0.85, 0.4).normalized
    /// Length of a texel on small surfaces.
    var finestTexel = 0.0012

    init(kind: Kind) {
        self.kind = kind
        freeSpace = (SIMD3(-2, 0.5, -2), SIMD3(2, 2, 2))
    }

    /// Every flat surface of at least 0.02 m², in the order of their ids. What lies flat on a surface is part of it.
    public var planes: [SyntheticPlane] {
        quads.filter { !$0.isDecal && $0.width * $0.height >= 0.02 }.enumerated().map { SyntheticPlane(id: $0, $1) }
    }

    /// What throws back its surroundings: mirrors, panes and polished sheets, from a fifth of the light on.
    public var mirrors: [SyntheticPlane] {
        quads.filter { $0.reflection.map { $0.share >= 0.2 } ?? false }.enumerated().map { SyntheticPlane(id: $0, $1) }
    }
}

// MARK: Building

extension World {
    /// An upright or lying rectangle that looks along `normal`.
    mutating func addQuad(
        _ label: String, center: SIMD3<Double>, right: SIMD3<Double>, up: SIMD3<Double>, width: Double,
        height: Double, pattern: SurfacePattern, isDecal: Bool = false
    ) {
        quads.append(
            Quad(
                label: label, center: center, right: right.normalized, up: up.normalized, width: width, height: height,
                pattern: pattern, isDecal: isDecal))
    }

    /// A box that stands on `foot` (the middle of its underside), turned about the vertical.
    mutating func addBox(
        _ label: String, foot: SIMD3<Double>, size: SIMD3<Double>, angle: Double, top: SurfacePattern,
        sides: SurfacePattern, hasUnderside: Bool = false
    ) {
        let x = SIMD3(cos(angle), 0, -sin(angle))
        let z = SIMD3(sin(angle), 0, cos(angle))
        let middle = foot + SIMD3(0, size.y / 2, 0)
        castShadow(foot: foot, size: size, angle: angle)
        addQuad(
            "\(label).top", center: foot + SIMD3(0, size.y, 0), right: x, up: -z, width: size.x, height: size.z,
            pattern: top)
        let faces: [(String, SIMD3<Double>, SIMD3<Double>, Double, Double)] = [
            ("front", z, x, size.z, size.x), ("back", -z, -x, size.z, size.x), ("right", x, -z, size.x, size.z),
            ("left", -x, z, size.x, size.z),
        ]
        for (index, (name, normal, right, depth, width)) in faces.enumerated() {
            var pattern = sides
            pattern.seed &+= UInt32(index) &* 7919
            addQuad(
                "\(label).\(name)", center: middle + normal * (depth / 2), right: right, up: .unitY, width: width,
                height: size.y, pattern: pattern)
        }
        if hasUnderside {
            addQuad(
                "\(label).underside", center: foot, right: x, up: z, width: size.x, height: size.z, pattern: sides)
        }
    }

    mutating func addSphere(restingOn ground: SIMD3<Double>, radius: Double, pattern: SurfacePattern) {
        castShadow(foot: ground, size: SIMD3(radius, 2 * radius, radius), angle: 0)
        bodies.append(
            RoundBody(form: .sphere, origin: ground + SIMD3(0, radius, 0), radius: radius, pattern: pattern))
    }

    mutating func addCylinder(foot: SIMD3<Double>, radius: Double, height: Double, pattern: SurfacePattern) {
        castShadow(foot: foot, size: SIMD3(1.6 * radius, height, 1.6 * radius), angle: 0)
        bodies.append(
            RoundBody(form: .cylinder(height: height), origin: foot, radius: radius, pattern: pattern))
    }

    /// Something that moves about between the camera and what it looks at, as a hand or a person does.
    public mutating func addPasser() {
        let isNear = viewingDistance.upperBound < 1.6
        var body = RoundBody(
            form: isNear ? .sphere : .cylinder(height: 1.7),
            origin: isNear ? focus + SIMD3(0, 0.22, 0.15) : SIMD3(focus.x, 0, focus.z + 0.9),
            radius: isNear ? 0.09 : 0.22, pattern: SurfacePattern(.fabric, tone: 0.5, seed: 77))
        body.swing = isNear ? SIMD3(0.35, 0.05, 0.1) : SIMD3(1.1, 0, 0.2)
        body.period = isNear ? 3.1 : 5.3
        bodies.append(body)
    }

    /// Lies flat on a level surface, a millimetre above it.
    mutating func addSheet(
        on ground: SIMD3<Double>, width: Double, depth: Double, angle: Double, pattern: SurfacePattern
    ) {
        addQuad(
            "sheet", center: ground + SIMD3(0, 0.001, 0), right: SIMD3(cos(angle), 0, -sin(angle)),
            up: SIMD3(-sin(angle), 0, -cos(angle)), width: width, height: depth, pattern: pattern, isDecal: true)
    }

    /// Darkens the level surface right under a thing.
    private mutating func castShadow(foot: SIMD3<Double>, size: SIMD3<Double>, angle: Double) {
        for index in quads.indices {
            guard let footprint = quads[index].footprint(foot: foot, size: size, angle: angle) else { continue }
            quads[index].shadows.append(footprint)
        }
    }

    /// Whether a thing there would stand clear of all that stands on the same surface, by two centimetres.
    func isFree(foot: SIMD3<Double>, size: SIMD3<Double>, angle: Double) -> Bool {
        quads.allSatisfy { quad in
            guard let footprint = quad.footprint(foot: foot, size: size, angle: angle) else { return true }
            return quad.shadows.allSatisfy { footprint.isApart(from: $0, gap: 0.02) }
        }
    }

    /// Floor, ceiling and four walls around the origin, looking inwards.
    mutating func addShell(size: SIMD3<Double>, floor: SurfacePattern, walls: SurfacePattern) {
        let (w, h, d) = (size.x, size.y, size.z)
        addQuad("floor", center: .zero, right: .unitX, up: -.unitZ, width: w, height: d, pattern: floor)
        addQuad(
            "ceiling", center: SIMD3(0, h, 0), right: .unitX, up: .unitZ, width: w, height: d,
            pattern: SurfacePattern(.plain, tone: 0.8, seed: walls.seed &+ 99))
        let sides: [(String, SIMD3<Double>, SIMD3<Double>, Double)] = [
            ("wall_back", SIMD3(0, h / 2, -d / 2), .unitX, w), ("wall_front", SIMD3(0, h / 2, d / 2), -.unitX, w),
            ("wall_left", SIMD3(-w / 2, h / 2, 0), -.unitZ, d), ("wall_right", SIMD3(w / 2, h / 2, 0), .unitZ, d),
        ]
        for (index, (label, center, right, width)) in sides.enumerated() {
            var pattern = walls
            pattern.seed &+= UInt32(index) &* 31
            addQuad(label, center: center, right: right, up: .unitY, width: width, height: h, pattern: pattern)
        }
    }

    /// A picture hung two millimetres before the wall of that name.
    mutating func addPicture(
        on wall: String, at offset: SIMD2<Double>, width: Double, height: Double, pattern: SurfacePattern
    ) {
        guard let quad = quads.first(where: { $0.label == wall }) else { return }
        addQuad(
            "picture", center: quad.center + quad.right * offset.x + quad.up * offset.y + quad.normal * 0.002,
            right: quad.right, up: quad.up, width: width, height: height, pattern: pattern, isDecal: true)
    }
}
