import CFootholdKernels
import Foundation
import Testing

extension fh_descriptor {
    func distance(to other: fh_descriptor) -> Int {
        (words.0 ^ other.words.0).nonzeroBitCount + (words.1 ^ other.words.1).nonzeroBitCount
            + (words.2 ^ other.words.2).nonzeroBitCount + (words.3 ^ other.words.3).nonzeroBitCount
    }

    static func random(using generator: inout SeededGenerator) -> fh_descriptor {
        fh_descriptor(words: (generator.next(), generator.next(), generator.next(), generator.next()))
    }
}

@Suite struct DescriptorTests {
    private struct Description {
        var angles: [Float]
        var descriptors: [fh_descriptor]
    }

    private static func describe(_ picture: TestPicture, _ points: [fh_point], levels: [UInt8]) -> Description {
        let pyramid = TestPyramid(picture)
        let size = fh_pyramid_memory_size(Int32(picture.width), Int32(picture.height), pyramid.pyramid.level_count)
        let memory = FencedMemory(byteCount: size, at: .last)
        var (sharp, blurred) = (pyramid.pyramid, fh_pyramid())
        precondition(fh_pyramid_blur(&sharp, memory.base, size, &blurred) == FH_KERNEL_OK)
        var result = Description(
            angles: Array(repeating: 0, count: points.count),
            descriptors: Array(repeating: fh_descriptor(), count: points.count))
        let status = withExtendedLifetime((memory, pyramid)) {
            fh_describe_points(&blurred, points, levels, Int32(points.count), &result.angles, &result.descriptors)
        }
        precondition(status == FH_KERNEL_OK)
        return result
    }

    @Test func everyInstructionSetDescribesLikeTheReference() {
        let seed: UInt64 = 51
        var generator = SeededGenerator(seed: seed)
        for content in Content.allCases {
            let picture = TestPicture(width: 83, height: 61, stride: 85, content: content, using: &generator)
            // Corners of the picture included.
            let points =
                [fh_point(x: 0, y: 0), fh_point(x: 82, y: 60)]
                + (0..<80).map { _ in
                    fh_point(x: .random(in: 0...82, using: &generator), y: .random(in: 0...60, using: &generator))
                }
            let levels = points.indices.map { UInt8($0 % 3) }
            let reference = withInstructionSet("SCALAR") { Self.describe(picture, points, levels: levels) }
            for name in instructionSets {
                let described = withInstructionSet(name) { Self.describe(picture, points, levels: levels) }
                #expect(described.angles == reference.angles, "\(name), \(content), seed \(seed)")
                #expect(
                    bytes(of: described.descriptors) == bytes(of: reference.descriptors),
                    "\(name), \(content), seed \(seed)")
            }
        }
    }

    @Test(arguments: [0.35, 1.3, -2.4, 3.1])
    func descriptorsTurnWithThePicture(angle: Double) {
        let scene = Scene(seed: 52)
        let center = SIMD2(100.0, 75.0)
        let turned = scene.picture {
            let d = $0 - center
            return center + SIMD2(cos(angle) * d.x + sin(angle) * d.y, -sin(angle) * d.x + cos(angle) * d.y)
        }
        let points = (0..<60).map { fh_point(x: 70 + Float($0 % 10) * 7, y: 55 + Float($0 / 10) * 7) }
        let turnedPoints = points.map { point -> fh_point in
            let d = SIMD2(Double(point.x), Double(point.y)) - center
            return fh_point(
                x: Float(center.x + cos(angle) * d.x - sin(angle) * d.y),
                y: Float(center.y + sin(angle) * d.x + cos(angle) * d.y))
        }
        let levels = [UInt8](repeating: 0, count: points.count)
        let before = Self.describe(scene.picture(), points, levels: levels)
        let after = Self.describe(turned, turnedPoints, levels: levels)
        var scratch = [UInt8](repeating: 0, count: fh_match_scratch_size(60))
        var matches = [fh_match](repeating: fh_match(), count: 60)
        #expect(
            fh_match_all(before.descriptors, 60, after.descriptors, 60, &matches, &scratch, scratch.count)
                == FH_KERNEL_OK)
        let right = matches.indices.count { matches[$0].best == Int32($0) }
        #expect(right >= 54)
        let turns = zip(before.angles, after.angles).map { abs(remainder(Double($1 - $0) - angle, 2 * .pi)) }.sorted()
        #expect(turns[30] < 0.1)
    }

    @Test func orientationPointsToTheBrightSide() {
        let picture = TestPicture(width: 80, height: 80, stride: 80)
        for y in 0..<80 {
            for x in 0..<80 { picture[x, y] = UInt8(y > 40 ? 200 : 20) }
        }
        let described = Self.describe(picture, [fh_point(x: 40, y: 40)], levels: [0])
        #expect(abs(described.angles[0] - .pi / 2) < 0.01)
    }

    @Test func aPointOutsideOrALevelThatIsNotThereIsRefused() {
        var pyramid = TestPyramid(TestPicture(width: 40, height: 40, stride: 40), levels: 2).pyramid
        var descriptor = fh_descriptor()
        var point = fh_point(x: 39.5, y: 3)
        var level: UInt8 = 0
        #expect(fh_describe_points(&pyramid, &point, &level, 1, nil, &descriptor) == FH_KERNEL_BAD_ARGUMENT)
        point.x = 20
        level = 2
        #expect(fh_describe_points(&pyramid, &point, &level, 1, nil, &descriptor) == FH_KERNEL_BAD_ARGUMENT)
    }
}

@Suite struct MatchTests {
    private struct Request {
        var queries: [fh_descriptor]
        var candidates: [fh_descriptor]
        var queryPoints: [fh_point]
        var candidatePoints: [fh_point]
        var reach: Float?

        func run() -> [fh_match] {
            var matches = [fh_match](
                repeating: fh_match(best: -9, best_distance: 0, second_distance: 0), count: queries.count)
            let size = fh_match_scratch_size(Int32(candidates.count))
            let scratch = FencedMemory(byteCount: size, at: .last)
            let status: Int32
            if let reach {
                status = fh_match_near(
                    queries, queryPoints, Int32(queries.count), candidates, candidatePoints, Int32(candidates.count),
                    reach, &matches, scratch.base, size)
            } else {
                status = fh_match_all(
                    queries, Int32(queries.count), candidates, Int32(candidates.count), &matches, scratch.base, size)
            }
            withExtendedLifetime(scratch) { precondition(status == FH_KERNEL_OK) }
            return matches
        }

        /// By definition.
        func expected() -> [fh_match] {
            queries.indices.map { q in
                let ranked = candidates.indices.filter { c in
                    guard let reach else { return true }
                    return abs(candidatePoints[c].x - queryPoints[q].x) <= reach
                        && abs(candidatePoints[c].y - queryPoints[q].y) <= reach
                }.map { (index: $0, distance: queries[q].distance(to: candidates[$0])) }.sorted {
                    $0.distance != $1.distance ? $0.distance < $1.distance : $0.index < $1.index
                }
                return fh_match(
                    best: Int32(ranked.first?.index ?? -1), best_distance: Int32(ranked.first?.distance ?? 257),
                    second_distance: Int32(ranked.count > 1 ? ranked[1].distance : 257))
            }
        }
    }

    @Test(arguments: 0...70)
    func theNearestTwoAreFoundByEveryInstructionSet(count: Int) {
        let seed = UInt64(count) &* 2741
        var generator = SeededGenerator(seed: seed)
        var request = Request(
            queries: (0..<7).map { _ in .random(using: &generator) },
            candidates: (0..<count).map { _ in .random(using: &generator) },
            queryPoints: (0..<7).map { _ in
                fh_point(x: .random(in: 0...50, using: &generator), y: .random(in: 0...50, using: &generator))
            },
            candidatePoints: (0..<count).map { _ in
                fh_point(x: .random(in: 0...50, using: &generator), y: .random(in: 0...50, using: &generator))
            }, reach: nil)
        // Equal ones, nearest and farthest possible ones.
        if count > 3 {
            request.candidates[count - 1] = request.candidates[count / 2]
            request.queries[0] = request.candidates[count / 2]
            let words = request.queries[0].words
            request.queries[1] = fh_descriptor(words: (~words.0, ~words.1, ~words.2, ~words.3))
        }
        for reach in [nil, 9, 0, 1000] as [Float?] {
            request.reach = reach
            let expected = bytes(of: request.expected())
            for name in instructionSets {
                let matches = withInstructionSet(name) { request.run() }
                #expect(bytes(of: matches) == expected, "\(name), reach \(String(describing: reach)), seed \(seed)")
            }
        }
    }

    @Test func wrongArgumentsAreRefused() {
        var generator = SeededGenerator(seed: 1)
        let one = [fh_descriptor.random(using: &generator)]
        let place = [fh_point(x: 0, y: 0)]
        var match = fh_match()
        var scratch = [UInt8](repeating: 0, count: fh_match_scratch_size(1))
        #expect(fh_match_all(one, 1, one, 1, &match, &scratch, 3) == FH_KERNEL_TOO_SMALL)
        #expect(fh_match_all(nil, 1, one, 1, &match, &scratch, scratch.count) == FH_KERNEL_BAD_ARGUMENT)
        #expect(
            fh_match_near(one, place, 1, one, place, 1, -1, &match, &scratch, scratch.count) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_match_scratch_size(FH_MATCH_MAX_CANDIDATES + 1) == 0)
    }
}
