import CFootholdKernels
import Testing

@Suite struct PieceTests {
    private static let side = Int(FH_PIECE_SIDE), stride = Int(FH_PIECE_STRIDE)

    /// Numbers of a picture to find pieces in.
    private static func pairs(of picture: TestPicture) -> [UInt16] {
        var image = picture.image
        var pairs = [UInt16](repeating: 0, count: Int(image.width * image.height))
        precondition(fh_piece_pairs(&image, &pairs) == FH_KERNEL_OK)
        return pairs
    }

    /// A piece of the levels given, each of which counts as much as its weight among all.
    private static func piece(weights: [Float], levels: [Float]) -> fh_piece {
        let all = weights.reduce(0, +)
        let shares = weights.map { $0 / all }
        let mean = zip(shares, levels).map { $0 * $1 }.reduce(0, +)
        var piece = fh_piece()
        piece.deviation = zip(shares, levels).map { $0 * ($1 - mean) * ($1 - mean) }.reduce(0, +).squareRoot()
        withUnsafeMutableBytes(of: &piece.weights) { bytes in
            let rows = bytes.bindMemory(to: Float.self)
            for i in 0..<side * side { rows[i / side * stride + i % side] = shares[i] }
        }
        withUnsafeMutableBytes(of: &piece.centred) { bytes in
            let rows = bytes.bindMemory(to: Float.self)
            for i in 0..<side * side { rows[i / side * stride + i % side] = shares[i] * (levels[i] - mean) }
        }
        return piece
    }

    private static func correlation(
        _ piece: fh_piece, _ picture: TestPicture, _ center: fh_point, step: [Float]
    ) -> Float {
        var piece = piece
        let image = picture.image
        return pairs(of: picture).withUnsafeBufferPointer { pairs in
            var source = fh_piece_picture(
                pairs: pairs.baseAddress, width: image.width, height: image.height, stride: image.width)
            var value: Float = -9
            precondition(fh_piece_correlate(&piece, &source, center, step, &value) == FH_KERNEL_OK)
            return value
        }
    }

    /// Positions of a piece's samples in a picture.
    private static func places(_ center: fh_point, step: [Float]) -> [(x: Float, y: Float)] {
        (0..<side * side).map { i in
            let u = Float(i % side - side / 2)
            let v = Float(i / side - side / 2)
            return (center.x + step[0] * u + step[1] * v, center.y + step[2] * u + step[3] * v)
        }
    }

    @Test func pairsAreAPixelAndTheOneBelow() {
        let picture = TestPicture(width: 5, height: 3, stride: 8) { x, y in 10 * y + x }
        #expect(
            Self.pairs(of: picture)
                == (0..<15).map { i in
                    let below = min(i / 5 + 1, 2)
                    return UInt16(10 * (i / 5) + i % 5 + 256 * (10 * below + i % 5))
                })
    }

    /// On a slope of grey levels bilinear sampling is exact, at any turn and size.
    @Test func whatIsThereCorrelatesWhollyAtAnyTurnAndBrightness() {
        let picture = TestPicture(width: 40, height: 30, stride: 43) { x, y in 3 * x + 2 * y }
        let center = fh_point(x: 17.3, y: 13.6)
        let step: [Float] = [1.2, -0.7, 0.9, 1.4]
        let levels = Self.places(center, step: step).map { 3 * $0.x + 2 * $0.y }
        let weights = (0..<49).map { Float(1 + $0 % 5) }
        for name in instructionSets {
            withInstructionSet(name) {
                let same = Self.correlation(
                    Self.piece(weights: weights, levels: levels), picture, center, step: step)
                #expect(abs(same - 1) < 1e-4, "\(name)")
                let brighter = Self.correlation(
                    Self.piece(weights: weights, levels: levels.map { 0.5 * $0 + 40 }), picture, center, step: step)
                #expect(abs(brighter - 1) < 1e-4, "\(name)")
                let inverted = Self.correlation(
                    Self.piece(weights: weights, levels: levels.map { 255 - $0 }), picture, center, step: step)
                #expect(abs(inverted + 1) < 1e-4, "\(name)")
            }
        }
    }

    /// What a sample counts is what its weight says: one that is of something else may count nothing.
    @Test func samplesWithoutWeightDontCount() {
        let picture = TestPicture(width: 20, height: 20, stride: 23) { x, y in x < 12 ? 3 * x + 7 * y : 255 }
        let center = fh_point(x: 9, y: 9)
        let places = Self.places(center, step: [1, 0, 0, 1])
        let levels = places.map { 3 * $0.x + 7 * $0.y }
        let onlyOwn = Self.piece(weights: places.map { $0.x < 12 ? 1 : 0 }, levels: levels)
        let all = Self.piece(weights: places.map { _ in 1 }, levels: levels)
        #expect(abs(Self.correlation(onlyOwn, picture, center, step: [1, 0, 0, 1]) - 1) < 1e-4)
        #expect(Self.correlation(all, picture, center, step: [1, 0, 0, 1]) < 0.6)
    }

    @Test func edgesAndPlainPictures() {
        let picture = TestPicture(width: 9, height: 9, stride: 12) { x, y in x * y }
        let piece = Self.piece(weights: (0..<49).map { _ in 1 }, levels: (0..<49).map { Float($0) })
        let step: [Float] = [1, 0, 0, 1]
        #expect(Self.correlation(piece, picture, fh_point(x: 4, y: 4), step: step) > 0.5)
        for center in [(3.0, 4.0), (4, 3), (5, 4), (4, 5), (.nan, 4), (4, .infinity)] {
            #expect(
                Self.correlation(piece, picture, fh_point(x: Float(center.0), y: Float(center.1)), step: step).isNaN)
        }
        #expect(Self.correlation(piece, picture, fh_point(x: 4, y: 4), step: [1, 0.5, 0, 1]).isNaN)
        let plain = TestPicture(width: 9, height: 9, stride: 12) { _, _ in 100 }
        #expect(Self.correlation(piece, plain, fh_point(x: 4, y: 4), step: step) == -1)
    }

    @Test func everyInstructionSetFindsTheSame() {
        let seed: UInt64 = 77
        var generator = SeededGenerator(seed: seed)
        var compared = 0
        for _ in 0..<400 {
            let width = Int.random(in: 2...60, using: &generator)
            let height = Int.random(in: 2...60, using: &generator)
            let picture = TestPicture(
                width: width, height: height, stride: width + Int.random(in: 0...3, using: &generator),
                content: Content.allCases.randomElement(using: &generator)!, using: &generator)
            let center = fh_point(
                x: .random(in: 0...Float(width), using: &generator),
                y: .random(in: 0...Float(height), using: &generator))
            let step = (0..<4).map { _ in Float.random(in: -1.5...1.5, using: &generator) }
            let piece = Self.piece(
                weights: (0..<49).map { _ in .random(in: 0...1, using: &generator) },
                levels: (0..<49).map { _ in .random(in: 0...255, using: &generator) })
            let run = { Self.correlation(piece, picture, center, step: step) }
            let reference = withInstructionSet("SCALAR", run)
            if !reference.isNaN { compared += 1 }
            for name in instructionSets {
                #expect(
                    withInstructionSet(name, run).bitPattern == reference.bitPattern, "\(name), seed \(seed)")
            }
        }
        #expect(compared > 80, "so many lay inside")
    }

    @Test func argumentsOutOfRangeAreRefused() {
        let picture = TestPicture(width: 9, height: 9, stride: 12) { x, y in x * y }
        var image = picture.image
        var pairs = [UInt16](repeating: 0, count: 81)
        #expect(fh_piece_pairs(nil, &pairs) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_piece_pairs(&image, nil) == FH_KERNEL_BAD_ARGUMENT)
        pairs.withUnsafeBufferPointer { pairs in
            var piece = fh_piece()
            var value: Float = 0
            func refused(width: Int32, height: Int32, stride: Int32, at: UnsafePointer<UInt16>?) -> Bool {
                var source = fh_piece_picture(pairs: at, width: width, height: height, stride: stride)
                return fh_piece_correlate(&piece, &source, fh_point(x: 4, y: 4), [1, 0, 0, 1], &value)
                    == FH_KERNEL_BAD_ARGUMENT
            }
            #expect(!refused(width: 9, height: 9, stride: 9, at: pairs.baseAddress))
            #expect(refused(width: 9, height: 9, stride: 9, at: nil))
            #expect(refused(width: 9, height: 9, stride: 8, at: pairs.baseAddress))
            #expect(refused(width: 1, height: 9, stride: 9, at: pairs.baseAddress))
            #expect(refused(width: 9, height: 1, stride: 9, at: pairs.baseAddress))
            #expect(refused(width: 9, height: FH_IMAGE_MAX_SIDE + 1, stride: 9, at: pairs.baseAddress))
        }
    }
}
