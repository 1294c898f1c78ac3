import CFootholdKernels
import Foundation
import Testing

/// A row of the reference and two pictures that show it from elsewhere, some of it outside or behind them.
private struct SweepScene {
    static let depths = Int(FH_SWEEP_DEPTHS)
    let width: Int
    let row: TestPicture
    let pictures: [TestPicture]
    var sources: [fh_sweep_source] = []
    var inverseDepths: [Float]

    init(width: Int, content: Content, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.width = width
        row = TestPicture(width: width, height: 1, stride: width, content: content, using: &generator)
        pictures = (0..<2).map { i in
            TestPicture(width: 45 + 7 * i, height: 31, stride: 47 + 7 * i, content: content, using: &generator)
        }
        inverseDepths = (0..<Self.depths).map { 0.05 + 0.03 * Float($0) }
        for (i, picture) in pictures.enumerated() {
            var source = fh_sweep_source()
            source.image = picture.image
            let turn = Float.random(in: -0.2...0.2, using: &generator)
            source.matrix = (1, turn, 3, -turn, 1, 8, 0.002, -0.001, 1)
            source.shift = (Float.random(in: -20...20, using: &generator), 4, i == 0 ? -0.6 : 0.3)
            sources.append(source)
        }
    }

    func costs(y: Int, cap: Int32, sources count: Int) -> [UInt8] {
        let memory = FencedMemory(byteCount: width * Self.depths, at: .last)
        let out = memory.base.assumingMemoryBound(to: UInt8.self)
        let status = sources.withUnsafeBufferPointer {
            fh_sweep_compare_row(
                row.image.data, Int32(width), Int32(y), $0.baseAddress, Int32(count), inverseDepths, cap, out)
        }
        precondition(status == FH_KERNEL_OK)
        return Array(UnsafeBufferPointer(start: out, count: width * Self.depths))
    }
}

/// Costs that are smoothed, row after row.
private struct SmoothScene {
    let width: Int, rows = 5
    var costs: [UInt16], jumps: [UInt16]
    let step: UInt16

    init(width: Int, largest: UInt16, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.width = width
        costs = (0..<(width * rows * SweepScene.depths)).map { _ in .random(in: 0...largest, using: &generator) }
        step = largest / 9
        let range = step...max(step, largest / 2)
        jumps = (0..<(width * rows)).map { _ in .random(in: range, using: &generator) }
    }

    func sums(sideways: Bool) -> [UInt16] {
        let fence = FencedMemory(byteCount: width * Int(FH_SWEEP_PATH) * 2, at: .last)
        let paths = fence.base.assumingMemoryBound(to: UInt16.self)
        var sums = [UInt16](repeating: 0, count: costs.count)
        precondition(fh_sweep_begin(Int32(width), paths) == FH_KERNEL_OK)
        for y in 0..<rows {
            let at = y * width * SweepScene.depths
            let status = costs.withUnsafeBufferPointer { costs in
                jumps.withUnsafeBufferPointer { jumps in
                    sums.withUnsafeMutableBufferPointer { sums in
                        fh_sweep_smooth_row(
                            costs.baseAddress! + at, Int32(width), step, jumps.baseAddress! + y * width,
                            sideways ? 1 : 0, paths, sums.baseAddress! + at)
                    }
                }
            }
            precondition(status == FH_KERNEL_OK)
        }
        return sums
    }
}

/// Inverse depths about a plane, some of them unknown; the padding after the last lies at a fence.
private struct WindowScene {
    let columns: Int, rows: Int, stride: Int
    let memory: FencedMemory
    let plane: (Float, Float, Float)
    let first = (x: Float(-3.5), y: Float(-4.5), step: Float(2))

    init(columns: Int, rows: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        (self.columns, self.rows) = (columns, rows)
        stride = columns + Int.random(in: 0...9, using: &generator)
        plane = (0.7, Float.random(in: -0.02...0.02, using: &generator), 0.01)
        let count = stride * (rows - 1) + columns + Int(FH_SWEEP_WINDOW_PADDING)
        memory = FencedMemory(byteCount: 4 * count, at: .last)
        for i in 0..<count {
            let (x, y) = place(column: i % stride, row: i / stride)
            let off = Float.random(in: -0.2...0.2, using: &generator)
            let isKnown = Int.random(in: 0..<10, using: &generator) > 0
            values[i] = isKnown ? plane.0 + plane.1 * x + plane.2 * y + off : 0
        }
    }

    var values: UnsafeMutablePointer<Float> { memory.base.assumingMemoryBound(to: Float.self) }

    func place(column: Int, row: Int) -> (x: Float, y: Float) {
        (first.x + Float(column), first.y + Float(row) * first.step)
    }

    func sums(tolerance: Float) -> [Float] {
        var window = fh_sweep_window(
            values: values, stride: Int32(stride), columns: Int32(columns), rows: Int32(rows), first_x: first.x,
            first_y: first.y, step_y: first.step)
        var out = fh_sweep_sums()
        precondition(
            fh_sweep_add_window(&window, [plane.0, plane.1, plane.2], tolerance, &out) == FH_KERNEL_OK)
        return [out.n, out.x, out.y, out.xx, out.xy, out.yy, out.w, out.xw, out.yw]
    }

    /// The same with twice the digits.
    func exactSums(tolerance: Float) -> [Double] {
        var sums = [Double](repeating: 0, count: 9)
        for row in 0..<rows {
            for column in 0..<columns {
                let value = values[row * stride + column]
                let (x, y) = place(column: column, row: row)
                let w = value - plane.0
                guard value > 0, abs(w - plane.1 * x - plane.2 * y) <= tolerance else { continue }
                let (u, v, d) = (Double(x), Double(y), Double(w))
                for (i, term) in [1, u, v, u * u, u * v, v * v, d, u * d, v * d].enumerated() { sums[i] += term }
            }
        }
        return sums
    }
}

@Suite struct SweepTests {
    @Test(arguments: 1...70)
    func everyInstructionSetComparesTheSame(width: Int) {
        let seed = UInt64(width) &* 982_451_653
        for content in Content.allCases {
            let scene = SweepScene(width: width, content: content, seed: seed)
            for (cap, count) in [(Int32(2), 1), (63, 2), (20, 2)] {
                let reference = withInstructionSet("SCALAR") { scene.costs(y: width % 20, cap: cap, sources: count) }
                for name in instructionSets {
                    let costs = withInstructionSet(name) { scene.costs(y: width % 20, cap: cap, sources: count) }
                    #expect(costs == reference, "\(name), seed \(seed)")
                }
            }
        }
    }

    @Test(arguments: 1...70)
    func everyInstructionSetSmoothsTheSame(width: Int) {
        let seed = UInt64(width) &* 32_452_843
        // The last is the largest that the contract allows.
        for largest in [UInt16(30), 2000, UInt16(FH_SWEEP_COST_LIMIT - 1)] {
            let scene = SmoothScene(width: width, largest: largest, seed: seed)
            for sideways in [false, true] {
                let reference = withInstructionSet("SCALAR") { scene.sums(sideways: sideways) }
                for name in instructionSets {
                    let sums = withInstructionSet(name) { scene.sums(sideways: sideways) }
                    #expect(sums == reference, "\(name), seed \(seed)")
                }
            }
        }
    }

    @Test func aShiftedPictureCostsNothingAtItsDistance() {
        var generator = SeededGenerator(seed: 5)
        let picture = TestPicture(width: 120, height: 2, stride: 120, content: .noise, using: &generator)
        var source = fh_sweep_source()
        source.image = picture.image
        source.matrix = (1, 0, 0, 0, 1, 0, 0, 0, 1)
        source.shift = (1, 0, 0)
        let distances = (0..<SweepScene.depths).map(Float.init)
        // What is seen at x lies 17 pixels to the right in the other picture.
        let row = (0..<40).map { picture[$0 + 17, 1] }
        var costs = [UInt8](repeating: 255, count: 40 * SweepScene.depths)
        #expect(fh_sweep_compare_row(row, 40, 1, &source, 1, distances, 40, &costs) == FH_KERNEL_OK)
        for x in 0..<40 {
            #expect(costs[x * SweepScene.depths + 17] == 0)
            let rightmost = 120 - x
            for d in 0..<SweepScene.depths {
                let expected = d < rightmost ? min(40, abs(Int(row[x]) - Int(picture[x + d, 1]))) : 20
                #expect(Int(costs[x * SweepScene.depths + d]) == expected)
            }
        }
    }

    @Test func oneUnsurePixelFollowsItsNeighbours() {
        // All lie at distance 30; the middle one looks alike everywhere, but for a slight preference elsewhere.
        let width = 9
        var costs = [UInt16](repeating: 100, count: width * SweepScene.depths)
        for x in 0..<width { costs[x * SweepScene.depths + 30] = 0 }
        for d in 0..<SweepScene.depths { costs[4 * SweepScene.depths + d] = 50 }
        costs[4 * SweepScene.depths + 7] = 40
        let jumps = [UInt16](repeating: 60, count: width)
        var paths = [UInt16](repeating: 0, count: width * Int(FH_SWEEP_PATH))
        var sums = [UInt16](repeating: 0, count: costs.count)
        #expect(fh_sweep_begin(Int32(width), &paths) == FH_KERNEL_OK)
        #expect(fh_sweep_smooth_row(costs, Int32(width), 10, jumps, 1, &paths, &sums) == FH_KERNEL_OK)
        let own = sums[(4 * SweepScene.depths)..<(5 * SweepScene.depths)]
        #expect(own.firstIndex(of: own.min()!)! - own.startIndex == 30)
    }

    @Test(arguments: 1...70)
    func everyInstructionSetChoosesTheSame(width: Int) {
        var generator = SeededGenerator(seed: UInt64(width) &* 15_485_863)
        for largest in [UInt16(3), 900, UInt16.max] {
            let count = width * SweepScene.depths
            let memory = FencedMemory(byteCount: 2 * count, at: .last)
            let sums = memory.base.assumingMemoryBound(to: UInt16.self)
            for i in 0..<count { sums[i] = .random(in: 0...largest, using: &generator) }
            var expected = [Float](repeating: 0, count: width)
            for x in 0..<width {
                let own = (0..<SweepScene.depths).map { Int(sums[x * SweepScene.depths + $0]) }
                let best = own.firstIndex(of: own.min()!)!
                guard best > 0, best < SweepScene.depths - 1 else {
                    expected[x] = -1
                    continue
                }
                let bend = own[best - 1] + own[best + 1] - 2 * own[best]
                expected[x] = Float(best)
                if bend > 0 { expected[x] += 0.5 * Float(own[best - 1] - own[best + 1]) / Float(bend) }
            }
            for name in instructionSets {
                let places = withInstructionSet(name) {
                    let out = FencedMemory(byteCount: 4 * width, at: .last)
                    let places = out.base.assumingMemoryBound(to: Float.self)
                    #expect(fh_sweep_choose_row(sums, Int32(width), places) == FH_KERNEL_OK)
                    return Array(UnsafeBufferPointer(start: places, count: width))
                }
                #expect(places == expected, "\(name), up to \(largest)")
            }
        }
    }

    @Test(arguments: 1...70)
    func everyInstructionSetAddsWindowsTheSame(columns: Int) {
        let scene = WindowScene(columns: columns, rows: 1 + columns % 9, seed: UInt64(columns) &* 49_979_687)
        for tolerance in [Float(0), 0.05, 10] {
            let reference = withInstructionSet("SCALAR") { scene.sums(tolerance: tolerance) }
            for (sum, exact) in zip(reference, scene.exactSums(tolerance: tolerance)) {
                #expect(abs(Double(sum) - exact) <= 1e-5 * max(1, abs(exact)) * Double(columns))
            }
            for name in instructionSets {
                #expect(withInstructionSet(name) { scene.sums(tolerance: tolerance) } == reference, "\(name)")
            }
        }
    }

    @Test func refusesWindowsThatAreNone() {
        let scene = WindowScene(columns: 8, rows: 2, seed: 1)
        func status(columns: Int32 = 8, rows: Int32 = 2, stride: Int32 = 20, values: UnsafePointer<Float>?) -> Int32 {
            var window = fh_sweep_window(
                values: values, stride: stride, columns: columns, rows: rows, first_x: 0, first_y: 0, step_y: 1)
            var out = fh_sweep_sums()
            return fh_sweep_add_window(&window, [1, 0, 0], 1, &out)
        }
        #expect(status(stride: Int32(scene.stride), values: scene.values) == FH_KERNEL_OK)
        #expect(status(values: nil) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(columns: 0, values: scene.values) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(rows: 0, values: scene.values) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(stride: 7, values: scene.values) == FH_KERNEL_BAD_ARGUMENT)
        var place = Float(0)
        #expect(fh_sweep_choose_row([0], 0, &place) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_sweep_choose_row(nil, 1, &place) == FH_KERNEL_BAD_ARGUMENT)
    }

    @Test func refusesWhatItCannotDo() {
        var scene = SweepScene(width: 8, content: .noise, seed: 1)
        var out = [UInt8](repeating: 0, count: 8 * SweepScene.depths)
        func status(cap: Int32 = 20, count: Int32 = 2, width: Int32 = 8) -> Int32 {
            fh_sweep_compare_row(scene.row.image.data, width, 0, scene.sources, count, scene.inverseDepths, cap, &out)
        }
        #expect(status() == FH_KERNEL_OK)
        #expect(status(cap: 1) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(cap: 64) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(count: 0) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(count: FH_SWEEP_MAX_SOURCES + 1) == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(width: 0) == FH_KERNEL_BAD_ARGUMENT)
        scene.sources[1].image.data = nil
        #expect(status() == FH_KERNEL_BAD_ARGUMENT)
        var paths = [UInt16](repeating: 0, count: Int(FH_SWEEP_PATH))
        var sums = [UInt16](repeating: 0, count: SweepScene.depths)
        let costs = sums
        #expect(fh_sweep_begin(0, &paths) == FH_KERNEL_BAD_ARGUMENT)
        let tooLarge = UInt16(FH_SWEEP_COST_LIMIT)
        #expect(fh_sweep_smooth_row(costs, 1, tooLarge, [tooLarge], 1, &paths, &sums) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_sweep_smooth_row(costs, 1, 3, [tooLarge], 1, &paths, &sums) == FH_KERNEL_BAD_ARGUMENT)
    }
}
