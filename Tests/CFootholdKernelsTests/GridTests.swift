import CFootholdKernels
import Testing

@Suite struct GridTests {
    private static let options = fh_grid_options(cell_size: 16, threshold: 15, margin: 5, min_score: 10, candidates: 64)

    private static func select(_ picture: TestPicture, _ options: fh_grid_options, taken: [UInt8]?) -> [fh_grid_corner]
    {
        var image = picture.image
        var options = options
        let capacity = fh_grid_cell_count(image.width, image.height, options.cell_size)
        var found = [fh_grid_corner](repeating: fh_grid_corner(), count: Int(capacity))
        var count: Int32 = 0
        let size = fh_grid_scratch_size(image.width, image.height, &options)
        let scratch = FencedMemory(byteCount: size, at: .last)
        let status = fh_select_corners_grid(
            &image, &options, taken, &found, capacity, &count, scratch.base, size)
        precondition(status == FH_KERNEL_OK)
        return Array(found.prefix(Int(count)))
    }

    /// What the contract says, computed from the whole picture's corners.
    private static func expected(_ picture: TestPicture, _ options: fh_grid_options, taken: [UInt8]?)
        -> [fh_grid_corner]
    {
        let columns = (picture.width + Int(options.cell_size) - 1) / Int(options.cell_size)
        let corners = CornerTests.corners(picture, threshold: options.threshold, suppress: true).filter {
            Int($0.x) >= Int(options.margin) && Int($0.x) < picture.width - Int(options.margin)
                && Int($0.y) >= Int(options.margin) && Int($0.y) < picture.height - Int(options.margin)
        }
        let cells = Dictionary(grouping: corners) {
            Int($0.y / options.cell_size) * columns + Int($0.x / options.cell_size)
        }
        var image = picture.image
        return cells.keys.sorted().compactMap { cell -> fh_grid_corner? in
            if let taken, taken[cell] != 0 { return nil }
            // Swift's sort is stable: equal scores stay in row order.
            let candidates = cells[cell]!.sorted { $0.score > $1.score }.prefix(Int(options.candidates))
            var scores = [Float](repeating: 0, count: candidates.count)
            fh_shi_tomasi(&image, Array(candidates), Int32(candidates.count), &scores)
            let scored = zip(candidates, scores).filter { $0.1 >= options.min_score }
            let best = scored.max { a, b in
                if a.1 != b.1 { return a.1 < b.1 }
                return a.0.y != b.0.y ? a.0.y > b.0.y : a.0.x > b.0.x
            }
            return best.map {
                fh_grid_corner(x: $0.0.x, y: $0.0.y, score: $0.1, fast_score: $0.0.score, cell: Int32(cell))
            }
        }
    }

    @Test(arguments: [1, 3, 64] as [Int32])
    func theBestOfEveryFreeCellIsChosen(candidates: Int32) {
        var generator = SeededGenerator(seed: 31)
        for content in [Content.noise, .smooth, .blackAndWhite] {
            let picture = TestPicture(width: 149, height: 83, stride: 151, content: content, using: &generator)
            var options = Self.options
            options.candidates = candidates
            let cells = Int(fh_grid_cell_count(149, 83, options.cell_size))
            let masks: [[UInt8]?] = [nil, (0..<cells).map { _ in UInt8.random(in: 0...2, using: &generator) / 2 }]
            for mask in masks {
                let expected = Self.expected(picture, options, taken: mask)
                for name in instructionSets {
                    let found = withInstructionSet(name) { Self.select(picture, options, taken: mask) }
                    #expect(bytes(of: found) == bytes(of: expected), "\(name), \(content)")
                }
            }
        }
    }

    @Test func takenCellsGiveNothing() {
        var generator = SeededGenerator(seed: 32)
        let picture = TestPicture(width: 64, height: 64, stride: 64, content: .noise, using: &generator)
        #expect(Self.select(picture, Self.options, taken: nil).count == 16)
        #expect(Self.select(picture, Self.options, taken: Array(repeating: 1, count: 16)).isEmpty)
    }

    @Test func wrongOptionsAreRefused() {
        let picture = TestPicture(width: 64, height: 64, stride: 64)
        var image = picture.image
        var count: Int32 = 0
        var scratch = [UInt8](repeating: 0, count: 100_000)
        var out = fh_grid_corner()
        var options = Self.options
        options.margin = 3
        #expect(fh_grid_scratch_size(64, 64, &options) == 0)
        #expect(
            fh_select_corners_grid(&image, &options, nil, &out, 1, &count, &scratch, scratch.count)
                == FH_KERNEL_BAD_ARGUMENT)
        options = Self.options
        #expect(fh_select_corners_grid(&image, &options, nil, &out, 1, &count, &scratch, 100) == FH_KERNEL_TOO_SMALL)
    }
}
