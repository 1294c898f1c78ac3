import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// The depth of frames of a whole session, beside the truth.
@Suite struct DepthTests {
    private static let asked = [60, 61, 75, 90, 105, 120]

    private struct Maps {
        var maps: [Int: DepthMap] = [:]
        var results: [FrameResult] = []
        var session: WorldSession

        init(twoThreads: Bool = false, asking frames: [Int] = DepthTests.asked) throws {
            let recording = Recording.desk
            var configuration = WorldSession.Configuration(intrinsics: recording.intrinsics)
            configuration.hasTwoThreads = twoThreads
            session = try WorldSession(configuration: configuration)
            for frame in recording.frames[..<130] {
                results.append(try session.process(frame))
                if frames.contains(frame.index) { maps[frame.index] = try session.depthMap() }
            }
        }
    }

    @Test func mostIsKnownAndNearlyAllOfItRight() throws {
        let run = try Maps()
        let recording = Recording.desk
        let pairs = run.results.compactMap { result in
            result.worldFromCamera.map { ($0.position, recording.truth[result.frameIndex].position) }
        }
        let scale = try #require(Similarity.aligning(pairs.map(\.0), to: pairs.map(\.1), withScale: true)).scale
        let sequence = SyntheticSequence(seed: 11, kind: .desk, style: .sideways, duration: 4.5)
        var score = DepthScore()
        for (index, map) in run.maps {
            #expect(map.width == 40 && map.height == 30 && map.cellPixels == 8)
            #expect(map.depths.allSatisfy { $0.isFinite && $0 >= 0 })
            #expect(zip(map.depths, map.deviations).allSatisfy { ($0 > 0) == ($1 > 0) })
            score.add(
                map, truth: DepthPicture(intrinsics: recording.intrinsics, depths: sequence.depths(atFrame: index)),
                scale: scale, luma: recording.frames[index].pixels.luma)
        }
        #expect(score.maps == Self.asked.count)
        #expect(score.knownShare > 0.6)
        #expect(try #require(score.medianError) < 0.01)
        #expect(score.wrongShare < 0.12)
        // At 320×240 the cells are coarse beside what stands there.
        #expect(score.wronglyHidden < 0.07)
        #expect(score.wronglyShown < 0.15)
    }

    @Test func twoThreadsGiveTheSameDepth() throws {
        #expect(try Maps(twoThreads: true).maps == Maps().maps)
    }

    @Test func askingChangesNothingElse() throws {
        let (asked, unasked) = (try Maps().results, try Maps(asking: []).results)
        #expect(asked.map(\.worldFromCamera) == unasked.map(\.worldFromCamera))
        #expect(asked.map(\.surfaces) == unasked.map(\.surfaces))
    }

    @Test func withoutAPoseThereIsNoDepth() throws {
        let run = try Maps(asking: [])
        #expect(try run.session.depthMap() != nil)
        try run.session.reset()
        #expect(try run.session.depthMap() == nil)
    }
}
