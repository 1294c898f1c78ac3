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
