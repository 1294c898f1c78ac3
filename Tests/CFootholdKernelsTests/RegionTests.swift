import CFootholdKernels
import Foundation
import Testing

/// Numbers that end at a fence.
private final class Numbers {
    let count: Int
    private let memory: FencedMemory

    init(_ values: [Float], at side: FencedMemory.Side = .last) {
        count = values.count
        memory = FencedMemory(byteCount: max(1, count) * 4, at: side)
        for (i, value) in values.enumerated() { start[i] = value }
    }

    var start: UnsafeMutablePointer<Float> { memory.base.assumingMemoryBound(to: Float.self) }
    subscript(_ i: Int) -> Double { Double(start[i]) }
}

/// A region of random pixels and another picture, which some of them leave and some lie behind.
private struct RegionScene {
    var rayX: Numbers, rayY: Numbers, luma: Numbers
    /// Places and their changes, as through a lens.
    var places: [Numbers]
    var picture: Numbers
    var width = 41, height = 29, stride = 43
    var view = fh_region_view()
    var question = fh_region_question()
    let light: Numbers

    init(count: Int, seed: UInt64, fence: FencedMemory.Side = .last) {
        var generator = SeededGenerator(seed: seed)
        func numbers(_ range: ClosedRange<Float>) -> Numbers {
            Numbers((0..<count).map { _ in Float.random(in: range, using: &generator) }, at: fence)
        }
        rayX = numbers(-0.6...0.6)
        rayY = numbers(-0.5...0.5)
        luma = numbers(20...220)
        places = [numbers(-3...44), numbers(-3...32), numbers(-9...9), numbers(-9...9)]
        picture = Numbers(
            (0..<(stride * (height - 1) + width)).map { _ in Float.random(in: 0...255, using: &generator) }, at: fence)
        light = Numbers([0.9, 3, -2, 4])
        (view.width, view.height, view.stride) = (Int32(width), Int32(height), Int32(stride))
        let (c, s) = (Float(cos(0.1)), Float(sin(0.1)))
        view.rotation = (c, 0, s, 0, 1, 0, -s, 0, c)
        view.translation = (0.2, -0.1, 0.05)
        (view.fx, view.fy, view.cx, view.cy) = (30, 31, 20, 14)
        // Half of the rays' cone lies beyond the plane's horizon.
        question.plane = (1.5, 0.2, 0.4)
        (question.mean_luma, question.middle_x, question.middle_y, question.reach) = (110, 0.1, -0.05, 0.7)
        question.sharpness = 0.002
    }

    func sums(changes: Bool, lit: Bool, bent: Bool, onto before: fh_region_sums = .init()) -> fh_region_sums {
        var pixels = fh_region_pixels()
        (pixels.ray_x, pixels.ray_y, pixels.luma) = (
            UnsafePointer(rayX.start), UnsafePointer(rayY.start), UnsafePointer(luma.start)
        )
        pixels.count = Int32(rayX.count)
        if bent {
            pixels.place_x = UnsafePointer(places[0].start)
            pixels.place_y = UnsafePointer(places[1].start)
            pixels.change_x = UnsafePointer(places[2].start)
            pixels.change_y = UnsafePointer(places[3].start)
        }
        var view = view
        view.luma = UnsafePointer(picture.start)
        var question = question
        question.light = lit ? UnsafePointer(light.start) : nil
        question.wants_changes = changes ? 1 : 0
        var sums = before
        #expect(fh_region_add(&pixels, &view, &question, &sums) == FH_KERNEL_OK)
        return sums
    }

    /// As the header says, in doubles and pixel by pixel.
    func expected(changes: Bool, lit: Bool, bent: Bool) -> [Double] {
        var products = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 8)
        var (weights, slopes, stretches, count) = (0.0, 0.0, 0.0, 0.0)
        let (c, s) = (cos(0.1), sin(0.1))
        for i in 0..<rayX.count {
            let (x, y) = (rayX[i], rayY[i])
            var (u, v, du, dv) = (0.0, 0.0, 0.0, 0.0)
            if bent {
                (u, v, du, dv) = (places[0][i], places[1][i], places[2][i], places[3][i])
            } else {
                let inverse = 1.5 * x + 0.2 * y + 0.4
                let p = (c * x + s + 0.2 * inverse, y - 0.1 * inverse, -s * x + c + 0.05 * inverse)
                guard inverse > 0, p.2 >= 0.05 else { continue }
                (u, v) = (30 * p.0 / p.2 + 20, 31 * p.1 / p.2 + 14)
                (du, dv) = (
                    30 * (0.2 - 0.05 * p.0 / p.2) / p.2, 31 * (-0.1 - 0.05 * p.1 / p.2) / p.2
                )
            }
            guard u >= 1, v >= 1, u < Double(width - 2), v < Double(height - 2) else { continue }
            func at(_ x: Double, _ y: Double) -> Double {
                let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
                let (s, t) = (x - x.rounded(.down), y - y.rounded(.down))
                func level(_ i: Int, _ j: Int) -> Double { picture[(top + j) * stride + left + i] }
                return (1 - t) * ((1 - s) * level(0, 0) + s * level(1, 0))
                    + t * ((1 - s) * level(0, 1) + s * level(1, 1))
            }
            var slope = 0.0
            if changes { slope = (at(u + 1, v) - at(u - 1, v)) / 2 * du + (at(u, v + 1) - at(u, v - 1)) / 2 * dv }
            let terms = [
                at(u, v) - 110, slope * x, slope * y, slope, luma[i] - 110, 1,
                (x - Double(Float(0.1))) / Double(Float(0.7)),
                (y + Double(Float(0.05))) / Double(Float(0.7)),
            ]
            var weight = 1.0
            if lit {
                let residual = terms[0] - 0.9 * terms[4] - 3 + 2 * terms[6] - 4 * terms[7]
                weight = 1 / (1 + 0.002 * residual * residual)
            }
            for i in 0..<8 { for j in i..<8 { products[i][j] += weight * terms[i] * terms[j] } }
            weights += weight
            slopes += slope * slope
            stretches += du * du + dv * dv
            count += 1
        }
        return (0..<8).flatMap { i in (i..<8).map { j in products[i][j] } } + [weights, slopes, stretches, count]
    }
}

private func numbers(_ sums: fh_region_sums) -> [Double] {
    withUnsafeBytes(of: sums.products) { Array($0.bindMemory(to: Double.self)) }
        + [sums.weights, sums.slopes, sums.stretches, Double(sums.count)]
}

@Suite struct RegionSumsTests {
    private static let ways = [(true, true), (true, false), (false, true), (false, false)]

    @Test(arguments: [false, true])
    func sumsAreWhatTheirDefinitionSays(bent: Bool) {
        for (changes, lit) in Self.ways {
            let scene = RegionScene(count: 700, seed: 4)
            let found = withInstructionSet("SCALAR") { numbers(scene.sums(changes: changes, lit: lit, bent: bent)) }
            let expected = scene.expected(changes: changes, lit: lit, bent: bent)
            #expect(expected[39] > 50 && expected[39] < 650, "some are shown, some aren't")
            #expect(found[39] == expected[39])
            for i in 0..<39 {
                // Terms of both signs cancel: what counts is how large the squares are.
                let (row, column) = Self.place(i)
                let size =
                    i < 36
                    ? (expected[Self.product(row, row)] * expected[Self.product(column, column)]).squareRoot()
                    : expected[i]
                #expect(abs(found[i] - expected[i]) <= 2e-4 * size + 1e-9, "sum \(i)")
            }
        }
    }

    @Test func everyInstructionSetGivesTheSameBits() {
        for count in [1, 3, 15, 16, 17, 31, 255, 256, 257, 700] {
            for (changes, lit) in Self.ways {
                for bent in [false, true] {
                    let scene = RegionScene(
                        count: count, seed: UInt64(count), fence: count % 2 == 0 ? .first : .last)
                    let sums = instructionSets.map { name in
                        withInstructionSet(name) { numbers(scene.sums(changes: changes, lit: lit, bent: bent)) }
                    }
                    #expect(sums.allSatisfy { $0 == sums.last }, "\(count) pixels")
                }
            }
        }
    }

    @Test func sumsAreAddedToWhatIsThereAndNonsenseIsRefused() {
        let scene = RegionScene(count: 50, seed: 9)
        for name in instructionSets {
            withInstructionSet(name) {
                let once = scene.sums(changes: true, lit: false, bent: true)
                let twice = scene.sums(changes: true, lit: false, bent: true, onto: once)
                #expect(numbers(twice) == numbers(once).map { 2 * $0 })
                var pixels = fh_region_pixels()
                pixels.count = 0
                var (view, question, sums) = (scene.view, scene.question, once)
                view.luma = UnsafePointer(scene.picture.start)
                #expect(fh_region_add(&pixels, &view, &question, &sums) == FH_KERNEL_OK)
                #expect(numbers(sums) == numbers(once), "no pixels add nothing")
                pixels.count = -1
                #expect(fh_region_add(&pixels, &view, &question, &sums) == FH_KERNEL_BAD_ARGUMENT)
                pixels.count = 1
                #expect(fh_region_add(&pixels, &view, &question, &sums) == FH_KERNEL_BAD_ARGUMENT, "without rays")
                (pixels.ray_x, pixels.ray_y) = (UnsafePointer(scene.rayX.start), UnsafePointer(scene.rayY.start))
                pixels.luma = UnsafePointer(scene.luma.start)
                pixels.place_x = UnsafePointer(scene.places[0].start)
                #expect(fh_region_add(&pixels, &view, &question, &sums) == FH_KERNEL_BAD_ARGUMENT, "half a place")
                view.stride = view.width - 1
                pixels.place_x = nil
                #expect(fh_region_add(&pixels, &view, &question, &sums) == FH_KERNEL_BAD_ARGUMENT, "short rows")
            }
        }
    }

    private static func product(_ i: Int, _ j: Int) -> Int { i * 8 - i * (i - 1) / 2 + j - i }

    /// Row and column of a product.
    private static func place(_ index: Int) -> (Int, Int) {
        for i in 0..<8 { for j in i..<8 where product(i, j) == index { return (i, j) } }
        return (0, 0)
    }
}
