import Foundation

/// A true flat surface of a synthetic world.
public struct SyntheticPlane: Hashable, Sendable, Identifiable {
    /// As sequence folders name it.
    public enum Alignment: String, Hashable, Sendable {
        case horizontalUp = "horizontal-up"
        case horizontalDown = "horizontal-down"
        case vertical
        case other
    }

    public let id: Int
    public var label: String
    /// Towards the free side.
    public var normal: SIMD3<Double>
    /// The middle.
    public var center: SIMD3<Double>
    /// The outline in the world, counter-clockwise seen from the free side.
    public var polygon: [SIMD3<Double>]
    public var area: Double

    public var alignment: Alignment {
        if normal.y > 0.99 { return .horizontalUp }
        if normal.y < -0.99 { return .horizontalDown }
        return abs(normal.y) < 0.01 ? .vertical : .other
    }
}

extension SyntheticPlane {
    init(id: Int, _ quad: Quad) {
        self.init(
            id: id, label: quad.label, normal: quad.normal, center: quad.center, polygon: quad.corners,
            area: quad.width * quad.height)
    }
}

/// A rectangle with a picture on its front; its back is not there.
struct Quad: Hashable, Sendable {
    var label: String
    var center: SIMD3<Double>
    /// Directions of its sides, length one; their cross product is the front's normal.
    var right: SIMD3<Double>
    var up: SIMD3<Double>
    /// Metres.
    var width: Double
    var height: Double
    var pattern: SurfacePattern
    /// Lies flat on something else and counts as part of it.
    var isDecal = false
    /// Shines by itself: brightness of its white parts, 1 is white paper in normal light. Nil for what is only lit.
    var glow: Double?
    /// What it throws back, like a mirror; nil for what is dull.
    var reflection: Reflection?
    /// Feet of things that stand on it, in its own frame.
    var shadows: [Footprint] = []

    struct Footprint: Hashable, Sendable {
        /// From the quad's centre along right and up.
        var center: SIMD2<Double>
        var halfSize: SIMD2<Double>
        var angleRadians: Double

        /// Whether at least `gap` metres lie between the two: along some side of one of them they are apart (the
        /// separating axis theorem).
        func isApart(from other: Footprint, gap: Double) -> Bool {
            let offset = other.center - center
            return (axes + other.axes).contains { axis in
                abs(offset.dot(axis)) > reach(along: axis) + other.reach(along: axis) + gap
            }
        }

        private var axes: [SIMD2<Double>] {
            let (c, s) = (cos(angleRadians), sin(angleRadians))
            return [SIMD2(c, s), SIMD2(-s, c)]
        }

        private func reach(along axis: SIMD2<Double>) -> Double {
            halfSize.x * abs(axes[0].dot(axis)) + halfSize.y * abs(axes[1].dot(axis))
        }
    }

    /// Where a thing stands that is turned about the vertical; nil where it doesn't stand on this.
    func footprint(foot: SIMD3<Double>, size: SIMD3<Double>, angle: Double) -> Footprint? {
        let offset = foot - center
        let local = SIMD2(offset.dot(right), offset.dot(up))
        guard normal.y > 0.99, abs(offset.y) < 0.003, abs(local.x) < width / 2, abs(local.y) < height / 2 else {
            return nil
        }
        let side = SIMD3(cos(angle), 0, -sin(angle))
        return Footprint(
            center: local, halfSize: SIMD2(size.x, size.z) / 2,
            angleRadians: atan2(side.dot(up), side.dot(right)))
    }

    var normal: SIMD3<Double> { right.cross(up) }

    var corners: [SIMD3<Double>] {
        let (r, u) = (right * (width / 2), up * (height / 2))
        return [center - r - u, center + r - u, center + r + u, center - r + u]
    }
}

/// Something round that stands upright.
struct RoundBody: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case sphere
        /// Along the world's up direction, with a flat top.
        case cylinder(height: Double)
    }

    var form: Form
    /// The middle of a sphere, the middle of a cylinder's foot.
    var origin: SIMD3<Double>
    var radius: Double
    var pattern: SurfacePattern
    /// Moves to and fro by this much on either side of its place, once in `period` seconds.
    var swing = SIMD3<Double>.zero
    var period = 1.0

    func origin(at seconds: Double) -> SIMD3<Double> { origin + swing * sin(2 * Double.pi * seconds / period) }

    /// Corners of a box that holds it.
    func boundingCorners(at seconds: Double) -> [SIMD3<Double>] {
        let origin = origin(at: seconds)
        let (lower, upper): (SIMD3<Double>, SIMD3<Double>) =
            switch form {
            case .sphere: (SIMD3(repeating: -radius), SIMD3(repeating: radius))
            case .cylinder(let height): (SIMD3(-radius, 0, -radius), SIMD3(radius, height, radius))
            }
        return (0..<8).map { corner in
            origin
                + SIMD3(
                    corner & 1 == 0 ? lower.x : upper.x, corner & 2 == 0 ? lower.y : upper.y,
                    corner & 4 == 0 ? lower.z : upper.z)
        }
    }
}
