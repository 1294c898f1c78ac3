import CFootholdKernels
import Testing

@Suite struct CornerTests {
    /// All corners of a picture or a part of it.
    static func corners(
        _ picture: TestPicture, area: fh_rect? = nil, threshold: Int32, suppress: Bool, capacity: Int = 20_000
    ) -> [fh_corner] {
        var image = picture.image
        var found = [fh_corner](repeating: fh_corner(x: -1, y: -1, score: -1), count: capacity)
        var count: Int32 = 0
        let size = fh_fast_scratch_size(image.width)
        let scratch = FencedMemory(byteCount: size, at: .last)
        var rect = area ?? fh_rect()
        let status = withUnsafePointer(to: &rect) { rect in
            fh_fast_corners(
                &image, area == nil ? nil : rect, threshold, suppress ? 1 : 0, &found, Int32(capacity), &count,
                scratch.base, size)
        }
        precondition(status == FH_KERNEL_OK)
        return Array(found.prefix(Int(count)))
    }

    @Test func cornersAndScoresAreOpenCVs() {
        let picture = StoredVectors.picture()
        for name in instructionSets {
            withInstructionSet(name) {
                let suppressed = Self.corners(picture, threshold: 12, suppress: true)
                #expect(suppressed.flatMap { [$0.x, $0.y, $0.score] } == StoredVectors.suppressedCorners, "\(name)")
                let all = Self.corners(picture, threshold: 12, suppress: false)
                #expect(all.flatMap { [$0.x, $0.y] } == StoredVectors.allCorners, "\(name)")
            }
        }
    }

    @Test(arguments: 1...70)
    func everyInstructionSetFindsTheReferencesCorners(width: Int) {
        let seed = UInt64(width) &* 104_729
        var generator = SeededGenerator(seed: seed)
        for (index, content) in Content.allCases.enumerated() {
            let height = Int.random(in: 5...24, using: &generator)
            let picture = TestPicture(
                width: width, height: height, stride: width + index, fence: index % 2 == 0 ? .last : .first,
                content: content, using: &generator)
            for threshold in [1, Int32.random(in: 2...60, using: &generator), 254, 255] {
                for suppress in [true, false] {
                    let reference = withInstructionSet("SCALAR") {
                        Self.corners(picture, threshold: threshold, suppress: suppress)
                    }
                    for name in instructionSets {
                        let found = withInstructionSet(name) {
                            Self.corners(picture, threshold: threshold, suppress: suppress)
                        }
                        #expect(
                            bytes(of: found) == bytes(of: reference),
                            "\(name), \(content), \(width)×\(height), threshold \(threshold), seed \(seed)")
                    }
                }
            }
        }
    }

    @Test func aRectangleGivesExactlyThePicturesCornersInIt() {
        var generator = SeededGenerator(seed: 99)
        let picture = TestPicture(width: 120, height: 70, stride: 123, content: .noise, using: &generator)
        let all = Self.corners(picture, threshold: 20, suppress: true)
        #expect(all.count > 50)
        for _ in 0..<60 {
            let area = fh_rect(
                x: .random(in: -20...110, using: &generator), y: .random(in: -20...60, using: &generator),
                width: .random(in: 0...90, using: &generator), height: .random(in: 0...60, using: &generator))
            let inside = all.filter {
                $0.x >= area.x && $0.x < area.x + area.width && $0.y >= area.y && $0.y < area.y + area.height
            }
            for name in instructionSets {
                let found = withInstructionSet(name) {
                    Self.corners(picture, area: area, threshold: 20, suppress: true)
                }
                #expect(bytes(of: found) == bytes(of: inside), "\(name), \(area)")
            }
        }
    }

    @Test func cornersBeyondTheCapacityAreCountedAndNotWritten() {
        let picture = StoredVectors.picture()
        var image = picture.image
        var found = [fh_corner](repeating: fh_corner(x: -7, y: -7, score: -7), count: 12)
        var count: Int32 = 0
        var scratch = [UInt8](repeating: 0, count: fh_fast_scratch_size(image.width))
        for name in instructionSets {
            withInstructionSet(name) {
                _ = fh_fast_corners(&image, nil, 12, 1, &found, 10, &count, &scratch, scratch.count)
                #expect(Int(count) == StoredVectors.suppressedCorners.count / 3)
                #expect(found[9].x >= 0)
                #expect(found[10].x == -7 && found[11].x == -7)
            }
        }
    }

    @Test func shiTomasiAgreesBetweenInstructionSetsUpToThePicturesEdge() {
        var generator = SeededGenerator(seed: 4)
        for content in Content.allCases {
            let picture = TestPicture(width: 9, height: 9, stride: 9, content: content, using: &generator)
            var image = picture.image
            let corners = (0..<81).map { fh_corner(x: $0 % 9, y: $0 / 9, score: 0) }
            var reference = [Float](repeating: -1, count: 81)
            withInstructionSet("SCALAR") { _ = fh_shi_tomasi(&image, corners, 81, &reference) }
            for (corner, score) in zip(corners, reference) where corner.x != 4 || corner.y != 4 { #expect(score == 0) }
            for name in instructionSets {
                var scores = [Float](repeating: -1, count: 81)
                let status = withInstructionSet(name) { fh_shi_tomasi(&image, corners, 81, &scores) }
                #expect(status == FH_KERNEL_OK)
                #expect(scores == reference, "\(name), \(content)")
            }
        }
    }

    @Test func shiTomasiTellsACornerFromAnEdge() {
        let picture = TestPicture(width: 40, height: 20, stride: 40)
        for y in 0..<20 {
            for x in 0..<40 { picture[x, y] = x < 10 || (x >= 30 && y >= 10) ? 200 : 50 }
        }
        var image = picture.image
        var scores = [Float](repeating: 0, count: 2)
        let places = [fh_corner(x: 10, y: 10, score: 0), fh_corner(x: 30, y: 10, score: 0)]
        #expect(fh_shi_tomasi(&image, places, 2, &scores) == FH_KERNEL_OK)
        #expect(scores[0] == 0)
        #expect(scores[1] > 500)
    }

    @Test func wrongArgumentsAreRefused() {
        let picture = TestPicture(width: 20, height: 20, stride: 20)
        var image = picture.image
        var count: Int32 = 0
        var scratch = [UInt8](repeating: 0, count: fh_fast_scratch_size(20))
        var found = fh_corner()
        #expect(
            fh_fast_corners(&image, nil, 0, 1, &found, 1, &count, &scratch, scratch.count) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_fast_corners(&image, nil, 9, 1, nil, 1, &count, &scratch, scratch.count) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_fast_corners(&image, nil, 9, 1, &found, 1, &count, &scratch, 8) == FH_KERNEL_TOO_SMALL)
    }
}
