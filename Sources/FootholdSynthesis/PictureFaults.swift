import Foundation

/// Something that is wrong with a picture itself, not with what it shows.
enum PictureFault: Hashable, Sendable {
    /// A lid or a pocket: black, from one side, until the share of the width that is given.
    case lid(share: Double)
    /// A finger or a cloth right on the lens: an even, blurred brightness (0…255), from one side.
    case finger(share: Double, tone: Double)
    /// Out of focus by a circle of this radius, pixels.
    case defocus(radius: Int)
    /// A poor recording: blurred, and in blocks of eight pixels that keep only coarse steps of brightness.
    case coarse(radius: Int, step: Int)
    /// The last picture once more.
    case frozen

    var repeatsLastPicture: Bool { self == .frozen }
}

/// A picture that faults can be put into.
struct FaultyPicture {
    private(set) var luma: [UInt8]
    let width: Int
    let height: Int

    mutating func apply(_ fault: PictureFault, random: inout SeededRandom) {
        switch fault {
        case .frozen: break
        case .lid(let share):
            cover(share, &random) { _, _ in 1.5 }
        case .finger(let share, let tone):
            // A little brighter towards where light still comes in.
            let (width, height) = (Double(width), Double(height))
            cover(share, &random) { x, y in tone * (0.8 + 0.25 * x / width + 0.15 * y / height) }
        case .defocus(let radius):
            blur(radius)
            addNoise(1.2, &random)
        case .coarse(let radius, let step):
            blur(radius)
            quantize(step)
        }
    }

    private mutating func cover(
        _ share: Double, _ random: inout SeededRandom, _ brightness: (Double, Double) -> Double
    ) {
        // The edge of something so near is very soft.
        let soft = 0.25 * Double(width)
        let edge = share * (Double(width) + 2 * soft) - soft
        for y in 0..<height {
            for x in 0..<width {
                let part = min(1, max(0, (edge - Double(x)) / soft + 0.5))
                guard part > 0 else { continue }
                let value = brightness(Double(x), Double(y)) + random.uniform(-2...2)
                let at = y * width + x
                luma[at] = UInt8(min(255, max(0, Double(luma[at]) * (1 - part) + value * part + 0.5)))
            }
        }
    }

    private mutating func addNoise(_ sigma: Double, _ random: inout SeededRandom) {
        for at in luma.indices {
            let value = Double(luma[at]) + random.uniform(-1.7...1.7) * sigma
            luma[at] = UInt8(min(255, max(0, value + 0.5)))
        }
    }

    /// Twice a box, which is close to a disc's softness.
    private mutating func blur(_ radius: Int) {
        guard radius > 0 else { return }
        for _ in 0..<2 {
            luma = Self.boxed(luma, lines: height, length: width, lineStep: width, step: 1, radius)
            luma = Self.boxed(luma, lines: width, length: height, lineStep: 1, step: width, radius)
        }
    }

    private static func boxed(
        _ source: [UInt8], lines: Int, length: Int, lineStep: Int, step: Int, _ radius: Int
    ) -> [UInt8] {
        var result = source
        for line in 0..<lines {
            let start = line * lineStep
            func value(_ index: Int) -> Int { Int(source[start + min(max(index, 0), length - 1) * step]) }
            var sum = (-radius...radius).reduce(0) { $0 + value($1) }
            for index in 0..<length {
                result[start + index * step] = UInt8((sum + radius) / (2 * radius + 1))
                sum += value(index + radius + 1) - value(index - radius)
            }
        }
        return result
    }

    /// Each block of eight pixels keeps its mean, and differences from it in coarse steps only.
    private mutating func quantize(_ step: Int) {
        for top in stride(from: 0, to: height, by: 8) {
            for left in stride(from: 0, to: width, by: 8) {
                let rows = top..<min(top + 8, height)
                let columns = left..<min(left + 8, width)
                var sum = 0
                for y in rows { for x in columns { sum += Int(luma[y * width + x]) } }
                let mean = sum / (rows.count * columns.count)
                for y in rows {
                    for x in columns {
                        let difference = Double(Int(luma[y * width + x]) - mean) / Double(step)
                        luma[y * width + x] = UInt8(min(255, max(0, mean + Int(difference.rounded()) * step)))
                    }
                }
            }
        }
    }
}
