import CFootholdKernels
import Testing

/// A row of the reference with inverse depths of its own, and a picture that shows it from elsewhere.
private struct DifferenceScene {
    let width: Int
    let row: TestPicture
    let picture: TestPicture
    let pairs: FencedMemory
    var inverseDepths: [Float]
    var other = fh_sweep_other()

    init(width: Int, row: TestPicture, picture: TestPicture, inverseDepths: [Float]) {
        (self.width, self.row, self.picture, self.inverseDepths) = (width, row, picture, inverseDepths)
        var image = picture.image
        pairs = FencedMemory(byteCount: 2 * picture.width * picture.height, at: .last)
        let numbers = pairs.base.assumingMemoryBound(to: UInt16.self)
        precondition(fh_piece_pairs(&image, numbers) == FH_KERNEL_OK)
        other.picture = fh_piece_picture(
            pairs: numbers, width: image.width, height: image.height, stride: image.width)
        other.matrix = (1, 0, 0, 0, 1, 0, 0, 0, 1)
    }

    init(width: Int, content: Content, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let row = TestPicture(width: width, height: 1, stride: width, content: content, using: &generator)
        let picture = TestPicture(width: 45, height: 31, stride: 47, content: content, using: &generator)
        let depths = (0..<width).map { _ in
            Int.random(in: 0..<8, using: &generator) == 0 ? 0 : Float.random(in: -0.1...1.5, using: &generator)
        }
        self.init(width: width, row: row, picture: picture, inverseDepths: depths)
        let turn = Float.random(in: -0.2...0.2, using: &generator)
        other.matrix = (0.6, turn, 3, -turn, 0.6, 8, 0.002, -0.001, 1)
        other.shift = (.random(in: -20...20, using: &generator), 4, -0.6)
        other.offset = .random(in: -9...9, using: &generator)
    }

    func differences(y: Int = 0, scale: Float = 1, most: Float = 1000) -> [Float] {
        let memory = FencedMemory(byteCount: 4 * width, at: .last)
        let out = memory.base.assumingMemoryBound(to: Float.self)
        var other = other
        precondition(
            fh_sweep_differ_row(row.image.data, Int32(width), Int32(y), inverseDepths, &other, scale, most, out)
                == FH_KERNEL_OK)
        return Array(UnsafeBufferPointer(start: out, count: width))
    }
}

@Suite struct DifferenceTests {
    /// On a slope of grey levels bilinear sampling is exact: a step along it for each inverse depth is all that differs.
    @Test func differenceIsWhatTheDepthSays() {
        let width = 40
        let row = TestPicture(width: width, height: 1, stride: width) { x, _ in 3 * x + 20 }
        let picture = TestPicture(width: 60, height: 9, stride: 61) { x, y in 3 * x + 5 * y }
        let depths = (0..<width).map { 0.1 * Float($0 + 1) }
        var scene = DifferenceScene(width: width, row: row, picture: picture, inverseDepths: depths)
        scene.other.shift = (2, 0.5, 0)
        scene.other.offset = 7
        for name in instructionSets {
            withInstructionSet(name) {
                let found = scene.differences(y: 3, scale: 0.5, most: 9)
                for x in 0..<width {
                    // At least a pixel inside: 1 … 58 and 1 … 7.
                    let (u, v) = (Float(x) + 2 * depths[x], 3 + 0.5 * depths[x])
                    guard (1...58).contains(u), (1...7).contains(v) else {
                        #expect(found[x] == -1, "\(name), \(x)")
                        continue
                    }
                    let level = 3 * u + 5 * v - 7
                    #expect(abs(found[x] - min(0.5 * abs(level - Float(3 * x + 20)), 9)) < 1e-3, "\(name), \(x)")
                }
                #expect(found.contains(-1) && found.contains(9) && found.contains { $0 > 0 && $0 < 9 })
            }
        }
    }

    @Test func nothingIsToldWhereNothingIsSeen() {
        let plain = TestPicture(width: 20, height: 20, stride: 20) { _, _ in 50 }
        let row = TestPicture(width: 20, height: 1, stride: 20) { _, _ in 50 }
        var depths = [Float](repeating: 1, count: 20)
        (depths[3], depths[4], depths[5], depths[6]) = (0, -1, .nan, .infinity)
        var scene = DifferenceScene(width: 20, row: row, picture: plain, inverseDepths: depths)
        let told = { (found: [Float]) in found.indices.filter { found[$0] == 0 } }
        #expect(told(scene.differences(y: 5)) == Array(1...2) + Array(7...18))
        #expect(told(scene.differences(y: 0)).isEmpty && told(scene.differences(y: 19)).isEmpty)
        // Behind the other picture's camera.
        scene.other.shift = (0, 0, -2)
        #expect(told(scene.differences(y: 5)).isEmpty)
    }

    @Test(arguments: 1...70)
    func everyInstructionSetFindsTheSame(width: Int) {
        let seed = UInt64(width) &* 982_451_653
        var told = 0
        for content in Content.allCases {
            let scene = DifferenceScene(width: width, content: content, seed: seed)
            for y in [0, 7, 30] {
                let run = { scene.differences(y: y, scale: 0.4, most: 4).map(\.bitPattern) }
                let reference = withInstructionSet("SCALAR", run)
                told += reference.filter { $0 != Float(-1).bitPattern }.count
                for name in instructionSets {
                    #expect(withInstructionSet(name, run) == reference, "\(name), \(content), y \(y), seed \(seed)")
                }
            }
        }
        if width > 20 { #expect(told > 10, "so many are seen") }
    }

    @Test func nonsenseIsRefused() {
        let scene = DifferenceScene(width: 9, content: Content.allCases[0], seed: 5)
        var out = [Float](repeating: 3, count: 9)
        let status = { (width: Int32, y: Int32, scale: Float, most: Float, change: (inout fh_sweep_other) -> Void) in
            var other = scene.other
            change(&other)
            return fh_sweep_differ_row(scene.row.image.data, width, y, scene.inverseDepths, &other, scale, most, &out)
        }
        #expect(status(0, 0, 1, 1) { _ in } == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(9, -1, 1, 1) { _ in } == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(9, 0, 0, 1) { _ in } == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(9, 0, 1, .nan) { _ in } == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(9, 0, 1, 1) { $0.picture.pairs = nil } == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(9, 0, 1, 1) { $0.picture.width = 1 } == FH_KERNEL_BAD_ARGUMENT)
        #expect(status(9, 0, 1, 1) { $0.picture.stride = 3 } == FH_KERNEL_BAD_ARGUMENT)
        #expect(
            fh_sweep_differ_row(nil, 9, 0, scene.inverseDepths, [scene.other], 1, 1, &out) == FH_KERNEL_BAD_ARGUMENT)
        #expect(out == [Float](repeating: 3, count: 9))
    }
}
