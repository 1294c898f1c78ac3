import FootholdCapture
import FootholdEvaluation
import FootholdSynthesis
import Foundation
import Testing

@Suite struct SequenceWriterTests {
    /// What is written is read back by the rooms that read sequence folders.
    @Test func aWrittenFolderIsASequenceFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sequence = SyntheticSequence(
            seed: 17, kind: .desk, style: .sideways, duration: 1, width: 160, height: 120)
        try sequence.write(to: folder, events: [(start: 0.2, end: 0.5, kind: "excessive_motion")])

        let truth = try SequenceTruth.load(folder)
        #expect(truth.intrinsics == sequence.intrinsics)
        #expect(truth.failures == [TrueFailure(start: 0.2, end: 0.5, kind: "excessive_motion")])
        let entries = try #require(truth.trajectory?.entries)
        #expect(entries.count == 30)
        for index in [0, 13, 29] {
            let pose = sequence.worldFromCamera(atFrame: index).flippingCameraAxes
            #expect(abs(entries[index].seconds - Double(index) / 30) < 1e-8)
            #expect(entries[index].worldFromCamera.position.distance(to: pose.position) < 1e-8)
            #expect((entries[index].worldFromCamera.rotation.inverse * pose.rotation).angleRadians < 1e-7)
        }
        #expect(truth.depthFrames == [0, 10, 20])
        let picture = try truth.depthPicture(frame: 20)
        for (read, true_) in zip(picture.depths, sequence.depths(atFrame: 20)) {
            #expect(abs(read - true_) < 0.000_51)
        }
        #expect(truth.planes.count == sequence.world.planes.count)
        for (read, plane) in zip(truth.planes, sequence.world.planes) {
            #expect(read.label == plane.label)
            #expect(read.normal.distance(to: plane.normal) < 1e-5)
            #expect(abs(read.area - plane.area) < 1e-5)
        }
        #expect(truth.planes.first { $0.label == "desk.top" }?.seenDepthFrames == 3)

        let source = try FrameSources.open(folder.path)
        let camera = try #require(source.info.intrinsics)
        #expect(abs(camera.fx - sequence.intrinsics.fx) < 1e-9 && abs(camera.cy - sequence.intrinsics.cy) < 1e-9)
        #expect(source.info.inertial.count == 201)
        sequence.rewind()
        var count = 0
        while let read = try source.nextFrame() {
            let drawn = try #require(sequence.nextFrame())
            #expect(read.timestampNanoseconds == drawn.timestampNanoseconds)
            let (a, b) = (read.pixels.luma, drawn.pixels.luma)
            for row in stride(from: 0, to: 120, by: 7) {
                let same = memcmp(a.base + row * a.bytesPerRow, b.base + row * b.bytesPerRow, 160) == 0
                #expect(same)
            }
            count += 1
        }
        #expect(count == 30)
    }

    /// The file says what the pictures beside it show, as evaluation counts it where no file does.
    @Test func whatWasSeenIsCountedAsEvaluationDoes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sequence = SyntheticSequence(
            seed: 18, kind: .room, style: .walking, duration: 2.2, width: 320, height: 240)
        try sequence.write(to: folder)
        let written = try SequenceTruth.load(folder)
        var counted = written
        for index in counted.planes.indices { counted.planes[index].seenDepthFrames = nil }
        let frames = (0..<66).map { (index: $0, seconds: Double($0) / 30) }
        let missed = try [written, counted].map { truth in
            try #require(try SurfaceScore.score(surfaces: [], firstSeconds: [:], truth: truth, frames: frames)).missed
        }
        #expect(missed[0] == missed[1])
        // Some are seen all the time, some never.
        #expect(missed[0].count > 5 && missed[0].count < written.planes.count - 5)
    }

    /// Surfaces are scored alike with depth pictures in memory and in a folder, whose millimetres are rounded.
    @Test func truthInMemoryScoresAsAFolderDoes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sequence = SyntheticSequence(
            seed: 17, kind: .desk, style: .sideways, duration: 1, width: 160, height: 120)
        try sequence.write(to: folder)
        var written = try SequenceTruth.load(folder)
        for index in written.planes.indices { written.planes[index].seenDepthFrames = nil }
        var made = written
        made.folder = folder.appendingPathComponent("nowhere")
        for frame in made.depthFrames {
            made.depthPictures[frame] = DepthPicture(
                intrinsics: sequence.intrinsics, depths: sequence.depths(atFrame: frame))
        }
        // The desk's top with a quarter cut off, and something that isn't there.
        let top = try #require(written.planes.first { $0.label == "desk.top" })
        let half = top.polygon.enumerated().map { $0 < 2 ? 0.75 * $1 + 0.25 * top.polygon[3 - $0] : $1 }
        let surfaces = [
            SessionRecord.Surface(
                id: 4, alignment: "horizontal", classification: "table", normal: top.normal, boundary: half),
            SessionRecord.Surface(
                id: 7, alignment: "horizontal", classification: "unknown", normal: top.normal,
                boundary: top.polygon.map { $0 + SIMD3(0, 0.4, 0) }),
        ]
        let frames = (0..<30).map { (index: $0, seconds: Double($0) / 30) }
        let scores = try [written, made].map { truth in
            try #require(
                try SurfaceScore.score(
                    surfaces: surfaces, firstSeconds: [4: 0.5, 7: 0.2], truth: truth, frames: frames))
        }
        for score in scores {
            #expect(score.matches.map(\.foundID) == [4])
            #expect(score.unmatchedIDs == [7])
            #expect(score.secondsToFirst == 0.2 && score.secondsToFirstMatched == 0.5)
        }
        let overlaps = scores.compactMap(\.intersectionOverUnion)
        #expect(overlaps.count == 2 && overlaps[0] > 0.2)
        // What lies on the desk and is two centimetres thick is taken for the desk or not by a rounding.
        #expect(abs(overlaps[0] - overlaps[1]) < 0.05)
        #expect(scores[0].expected == scores[1].expected)
    }

    /// Four situations hold something that reflects, and where it hangs there is a surface.
    @Test(arguments: [
        "room, a mirror on the wall", "desk, a mirror on the wall", "desk, a pane of glass", "desk, a polished top",
    ])
    func situationsWithMirrorsHoldOne(name: String) throws {
        let trial = try #require(Trial.all.first { $0.name == name })
        let world = trial.sequence(seed: 5, width: 64, height: 48).world
        let mirror = try #require(world.mirrors.first)
        #expect(world.mirrors.count == 1)
        let holder = world.planes.first {
            $0.normal.dot(mirror.normal) > 0.999 && abs((mirror.center - $0.center).dot($0.normal)) < 0.01
                && $0.area > mirror.area
        }
        #expect(holder != nil)
    }

    /// Much is seen that isn't there without them, and nothing flat that counts.
    @Test(arguments: [
        ("desk, plants", "desk, sideways"), ("room, plants", "room, walking"), ("desk, tins", "desk, sideways"),
        ("room, columns", "room, walking"),
    ])
    func plantsAndRoundThingsAreSeenAndAreNoSurfaces(name: String, without: String) throws {
        let planted = try #require(Trial.all.first { $0.name == name })
        let bare = try #require(Trial.all.first { $0.name == without })
        var differing = 0
        for seed in 1...4 as ClosedRange<UInt64> {
            let (some, none) = (
                planted.sequence(seed: seed, width: 64, height: 48), bare.sequence(seed: seed, width: 64, height: 48)
            )
            #expect(some.world.planes == none.world.planes)
            differing += zip(some.depths(atFrame: 30), none.depths(atFrame: 30)).count { abs($0 - $1) > 0.01 }
        }
        #expect(differing > 4 * 64 * 48 / 100)
    }
}
