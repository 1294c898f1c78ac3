import Foundation

/// What a surface looks like: reflectance 0…1 over its width and height in metres.
///
/// The patterns imitate what real rooms hold, with detail at every scale, so that they are neither easier nor harder to
/// track than the real thing.
public struct SurfacePattern: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Planks with grain and seams.
        case wood
        /// Painted wall: nearly even, a little mottled.
        case plaster
        case carpet
        /// Stone tiles with joints.
        case tiles
        /// A printed page: headline, lines of type, a picture.
        case page
        /// A poster: blocks, discs, big letters.
        case poster
        /// A carton with a label and tape.
        case cardboard
        case fabric
        /// Rows of lettered keys.
        case keys
        /// Even paint: nothing to hold on to.
        case plain
        /// The same small disc again and again, each exactly like the others.
        case dots
    }

    public var kind: Kind
    /// Mean reflectance.
    public var tone: Double
    public var seed: UInt32

    public init(_ kind: Kind, tone: Double, seed: UInt32) {
        self.kind = kind
        self.tone = tone
        self.seed = seed
    }
}

/// The pattern on a surface of known size, ready to be evaluated quickly.
struct PatternPainter {
    let pattern: SurfacePattern
    let width: Float
    let height: Float
    private let tone: Float
    private let seed: UInt32

    init(_ pattern: SurfacePattern, width: Double, height: Double) {
        self.pattern = pattern
        self.width = Float(width)
        self.height = Float(height)
        tone = Float(pattern.tone)
        seed = pattern.seed
    }

    /// Reflectance 0…1 at a place in metres from the surface's corner.
    func reflectance(_ x: Float, _ y: Float) -> Float {
        let value =
            switch pattern.kind {
            case .wood: wood(x, y)
            case .plaster: plaster(x, y)
            case .carpet: carpet(x, y)
            case .tiles: tiles(x, y)
            case .page: page(x, y)
            case .poster: poster(x, y)
            case .cardboard: cardboard(x, y)
            case .fabric: fabric(x, y)
            case .keys: keys(x, y)
            case .dots: dots(x, y)
            case .plain: tone + 0.004 * ValueNoise.octaves(x * 3, y * 3, seed, count: 2)
            }
        return min(1, max(0.02, value))
    }

    private func wood(_ x: Float, _ y: Float) -> Float {
        let plank: Float = 0.13
        let row = (y / plank).rounded(.down)
        let rowHash = ValueNoise.hash(Int32(row), 7, seed)
        let local = y - row * plank
        // Grain runs along x: stretched noise bends the rings.
        let bend = ValueNoise.octaves(x * 1.3 + rowHash * 50, y * 7, seed &+ 1, count: 3)
        let rings = Self.triangle(y * 17 + bend * 1.6 + rowHash * 5)
        let fibre = ValueNoise.noise(x * 28 + rowHash * 90, y * 420, seed &+ 2) - 0.5
        let pores = ValueNoise.step(0.80, 0.9, ValueNoise.noise(x * 90, y * 700, seed &+ 3))
        var value = tone * (0.86 + 0.3 * rowHash + 0.4 * (rings - 0.5) + 0.25 * fibre - 0.5 * pores)
        let endSeam = abs(x + rowHash * 0.9 - ((x + rowHash * 0.9) / 0.9).rounded() * 0.9)
        let seam = min(local, plank - local)
        if min(seam, endSeam) < 0.0016 { value *= 0.45 }
        return value
    }

    private func plaster(_ x: Float, _ y: Float) -> Float {
        let mottle = ValueNoise.octaves(x * 2.2, y * 2.2, seed, count: 4)
        let grain = ValueNoise.octaves(x * 60, y * 60, seed &+ 5, count: 2)
        let spot = ValueNoise.step(0.86, 0.93, ValueNoise.noise(x * 11, y * 11, seed &+ 9))
        return tone * (1 + 0.10 * mottle + 0.07 * grain - 0.16 * spot)
    }

    private func carpet(_ x: Float, _ y: Float) -> Float {
        let pile = ValueNoise.noise(x * 260, y * 260, seed) - 0.5
        let worn = ValueNoise.octaves(x * 5, y * 5, seed &+ 1, count: 4)
        let ornament = Self.triangle(x * 3.1) + Self.triangle(y * 3.1)
        let figure: Float = ornament > 1.15 ? 0.3 : ornament < 0.55 ? -0.25 : 0
        let edge = min(min(x, width - x), min(y, height - y))
        let border: Float = edge < 0.09 && edge > 0.06 ? 0.5 : 0
        return tone * (1 + 0.5 * pile + 0.22 * worn + figure + border)
    }

    private func tiles(_ x: Float, _ y: Float) -> Float {
        let size: Float = 0.32
        let (column, row) = ((x / size).rounded(.down), (y / size).rounded(.down))
        let (u, v) = (x - column * size, y - row * size)
        let edge = min(min(u, size - u), min(v, size - v))
        let own = ValueNoise.hash(Int32(column), Int32(row), seed)
        let stone = ValueNoise.octaves(x * 9 + own * 40, y * 9, seed &+ 1, count: 5)
        let vein = 1 - ValueNoise.step(0, 0.06, abs(ValueNoise.octaves(x * 4 + own * 20, y * 5, seed &+ 2, count: 3)))
        let fleck = ValueNoise.step(0.75, 0.9, ValueNoise.noise(x * 150, y * 150, seed &+ 3))
        let value = tone * (0.85 + 0.3 * own + 0.45 * stone - 0.35 * vein - 0.45 * fleck)
        return ValueNoise.mix(tone * 0.4, value, ValueNoise.step(0.002, 0.0045, edge))
    }

    private func page(_ x: Float, _ y: Float) -> Float {
        let paper: Float = 0.86 + 0.02 * ValueNoise.octaves(x * 20, y * 20, seed, count: 2)
        let margin = min(width, height) * 0.08
        guard x > margin, x < width - margin, y > margin, y < height - margin else { return paper }
        let (u, v) = (x - margin, y - margin)
        let inner = (width: width - 2 * margin, height: height - 2 * margin)
        if v < inner.height * 0.14 { return glyphs(u, v, pitch: inner.height * 0.12, ink: 0.08, paper: paper) }
        let isPicture =
            (ValueNoise.hash(1, 1, seed) < 0.5) == (u < inner.width * 0.45) && v > inner.height * 0.3
            && v < inner.height * 0.7
        if isPicture {
            let cloud = ValueNoise.octaves(u * 18, v * 18, seed &+ 4, count: 5)
            let hill: Float = v > inner.height * (0.5 + 0.08 * Self.triangle(u * 9)) ? -0.2 : 0.12
            return 0.45 + 0.4 * cloud + hill
        }
        return glyphs(u, v, pitch: max(0.006, inner.height * 0.028), ink: 0.12, paper: paper)
    }

    private func poster(_ x: Float, _ y: Float) -> Float {
        let size = min(width, height)
        var value = 0.25 + 0.5 * ValueNoise.hash(0, 3, seed)
        for block in 0..<7 {
            let b = Int32(block)
            let cx = ValueNoise.hash(b, 11, seed) * width
            let cy = ValueNoise.hash(b, 12, seed) * height
            let rx = (0.08 + 0.3 * ValueNoise.hash(b, 13, seed)) * size
            let ry = (0.08 + 0.3 * ValueNoise.hash(b, 14, seed)) * size
            let isDisc = block.isMultiple(of: 3)
            let (dx, dy) = ((x - cx) / rx, (y - cy) / ry)
            let isInside = isDisc ? dx * dx + dy * dy < 1 : max(abs(dx), abs(dy)) < 1
            if isInside { value = 0.06 + 0.86 * ValueNoise.hash(b, 15, seed) }
        }
        value += 0.12 * ValueNoise.octaves(x * 14 / size, y * 14 / size, seed &+ 2, count: 4)
        let band = y / height
        if band > 0.72 && band < 0.9 {
            value = glyphs(x, y - 0.72 * height, pitch: height * 0.09, ink: 0.95 - value, paper: value)
        }
        let edge = min(min(x, width - x), min(y, height - y))
        return edge < 0.012 * size ? 0.9 : value
    }

    private func cardboard(_ x: Float, _ y: Float) -> Float {
        let fibre = ValueNoise.octaves(x * 35, y * 130, seed, count: 3)
        let flutes = Self.triangle(x * 140) - 0.5
        var value = tone * (1 + 0.12 * fibre + 0.05 * flutes)
        if abs(y - height * 0.5) < 0.022 { value = value * 1.18 + 0.03 }
        let label = (x: x - width * 0.12, y: y - height * 0.15)
        let size = (width: width * 0.42, height: height * 0.3)
        if label.x > 0, label.y > 0, label.x < size.width, label.y < size.height {
            value =
                label.y > size.height * 0.62
                ? bars(label.x) : glyphs(label.x, label.y, pitch: size.height * 0.2, ink: 0.1, paper: 0.85)
        }
        return value
    }

    private func fabric(_ x: Float, _ y: Float) -> Float {
        let weave = Self.triangle(x * 110) * Self.triangle(y * 110 + 0.5 * (x * 110).rounded(.down)) - 0.25
        let fold = ValueNoise.octaves(x * 6, y * 6, seed, count: 4)
        let thread = ValueNoise.noise(x * 300, y * 40, seed &+ 1) - 0.5
        let stripe: Float = Self.triangle(x * 4.7 + 0.1 * fold) > 0.78 ? -0.3 : 0
        return tone * (1 + 0.35 * weave + 0.25 * fold + 0.2 * thread + stripe)
    }

    private func keys(_ x: Float, _ y: Float) -> Float {
        let pitch: Float = 0.019
        let row = (y / pitch).rounded(.down)
        let shifted = x + 0.25 * pitch * row
        let column = (shifted / pitch).rounded(.down)
        let (u, v) = ((shifted - column * pitch) / pitch, (y - row * pitch) / pitch)
        let edge = min(min(u, 1 - u), min(v, 1 - v))
        guard edge > 0.09 else { return 0.05 }
        let cap = tone * (0.8 + 0.2 * ValueNoise.step(0.09, 0.2, edge))
        guard u > 0.25, u < 0.6, v > 0.2, v < 0.65 else { return cap }
        let stroke = ValueNoise.hash(Int32(column) &* 5 &+ Int32(u * 14), Int32(row) &* 5 &+ Int32(v * 14), seed)
        return stroke > 0.55 ? 0.85 : cap
    }

    private func dots(_ x: Float, _ y: Float) -> Float {
        // From a finger's to a hand's breadth apart, by the seed.
        let pitch: Float = 0.025 + 0.035 * ValueNoise.hash(5, 5, seed)
        let u = x / pitch - (x / pitch).rounded() as Float
        let v = y / pitch - (y / pitch).rounded() as Float
        return tone * (1 - 0.8 * (1 - ValueNoise.step(0.26, 0.32, (u * u + v * v).squareRoot())))
    }

    // MARK: Building blocks

    /// 0…1…0 with period one.
    private static func triangle(_ x: Float) -> Float { abs((x - x.rounded(.down)) * 2 - 1) }

    /// Lines of words of letter-like strokes, as tall as 0.6 of the pitch.
    private func glyphs(_ x: Float, _ y: Float, pitch: Float, ink: Float, paper: Float) -> Float {
        let row = (y / pitch).rounded(.down)
        let v = y / pitch - row
        guard v < 0.62 else { return paper }
        let advance = pitch * 0.46
        let column = (x / advance).rounded(.down)
        let letter = ValueNoise.hash(Int32(column), Int32(row), seed &+ 21)
        // Gaps between words, and ragged ends of lines.
        guard letter > 0.17, x < width * (0.62 + 0.35 * ValueNoise.hash(3, Int32(row), seed)) else { return paper }
        let (cx, cy) = (Int32((x / advance - column) * 4), Int32(v / 0.62 * 5))
        guard cx < 3 else { return paper }
        let stroke = ValueNoise.hash(cx &+ Int32(letter * 4096) &* 3, cy &+ Int32(column) &* 7, seed &+ 22)
        return stroke > 0.5 ? ink : paper
    }

    private func bars(_ x: Float) -> Float {
        ValueNoise.hash(Int32(x / 0.0022), 5, seed) > 0.5 ? 0.08 : 0.85
    }
}
