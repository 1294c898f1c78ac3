import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// How a session behaves towards its caller.
@Suite struct SessionTests {
    @Test func startingOverIsSaidAndBeginsAnotherWorld() throws {
        let run = try Run(.desk)
        let ids = Set(run.session.surfaces.map(\.id))
        #expect(!ids.isEmpty)
        try run.session.reset()
        #expect(run.session.surfaces.isEmpty)
        var results: [FrameResult] = []
        let offset = run.recording.frames.count
        for frame in run.recording.frames {
            results.append(
                try run.session.process(
                    Frame(
                        index: offset + frame.index,
                        timestampNanoseconds: 5_000_000_000 + frame.timestampNanoseconds, pixels: frame.pixels)))
        }
        #expect(results[0].didReset)
        #expect(results[1...].allSatisfy { !$0.didReset })
        #expect(results[0].worldFromCamera == nil)
        #expect(results[0].surfaces.isEmpty)
        // The same frames: the same start, but the ids go on.
        #expect(results.firstIndex { $0.worldFromCamera != nil } == run.firstPose)
        let newIDs = Set(run.session.surfaces.map(\.id))
        #expect(!newIDs.isEmpty)
        #expect(newIDs.isDisjoint(with: ids))
        // The refined path is the new world's only.
        #expect(try run.session.finish().entries.allSatisfy { $0.frameIndex >= offset })
    }

    @Test func featuresComeOnlyWhenAsked() throws {
        let plain = try Run(.desk, frames: 0..<50)
        #expect(plain.results.allSatisfy { $0.features.isEmpty })
        let asked = try Run(.desk, frames: 0..<70, wantsFeatures: true)
        #expect(asked.results.allSatisfy { $0.features.count > 30 })
        let intrinsics = asked.recording.intrinsics
        for result in asked.results where result.worldFromCamera != nil {
            let pose = try #require(result.worldFromCamera)
            let placed = result.features.filter { $0.pointInWorld != nil }
            #expect(placed.count > 30)
            let misses = placed.compactMap { feature in
                feature.pointInWorld.flatMap { intrinsics.project(worldPoint: $0, worldFromCamera: pose) }
                    .map { $0.distance(to: feature.pixel) }
            }.sorted()
            // Where they are said to be is where they are seen.
            #expect(misses[misses.count / 2] < 1)
            #expect(result.features.allSatisfy { $0.pixel.x >= 0 && $0.pixel.x < 320 && $0.pixel.y < 240 })
        }
    }

    @Test func largePicturesAreTrackedSmallButToldAtFullSize() throws {
        let small = try recordingForEnlarging()
        let large = Recording(enlarging: small, by: 4)
        #expect(large.intrinsics.width == 1920)
        let run = try Run(large, wantsFeatures: true)
        let first = try #require(run.firstPose)
        #expect(first < 40)
        let last = try #require(run.results.last)
        let pose = try #require(last.worldFromCamera)
        #expect(last.intrinsics == large.intrinsics)
        #expect((last.features.map(\.pixel.x).max() ?? 0) > 1200)
        #expect((last.features.map(\.pixel.y).max() ?? 0) > 700)
        let misses = last.features.compactMap { feature in
            feature.pointInWorld.flatMap { last.intrinsics.project(worldPoint: $0, worldFromCamera: pose) }
                .map { $0.distance(to: feature.pixel) }
        }.sorted()
        #expect(misses.count > 50)
        #expect(misses[misses.count / 2] < 4)
        let path = large.pathLength(first..<run.results.count)
        #expect(run.trajectoryError < 0.05 * path)
    }

    private func recordingForEnlarging() throws -> Recording {
        Recording(SyntheticSequence(seed: 61, kind: .desk, style: .sideways, duration: 1.6, width: 480, height: 270))
    }

    @Test func timeThatDoesNotAdvanceIsAnErrorAndTheSessionGoesOn() throws {
        let recording = Recording.desk
        let session = try recording.session()
        for frame in recording.frames[..<40] { _ = try session.process(frame) }
        #expect(throws: TrackingError.self) { try session.process(recording.frames[39]) }
        #expect(throws: TrackingError.self) { try session.process(recording.frames[12]) }
        let results = try recording.frames[40..<70].map { try session.process($0) }
        #expect(results.last?.worldFromCamera != nil)
        #expect(
            results.map(\.worldFromCamera) == (try TrackingTests.desk.get()).results[40..<70].map(\.worldFromCamera))
    }

    @Test func aSecondThreadChangesNothing() throws {
        let one = try TrackingTests.desk.get()
        let recording = Recording.desk
        var configuration = WorldSession.Configuration(intrinsics: recording.intrinsics)
        configuration.hasTwoThreads = true
        let session = try WorldSession(configuration: configuration)
        let results = try recording.frames.map { try session.process($0) }
        #expect(results.contains { !$0.surfaceEvents.isEmpty })
        #expect(results.map(\.worldFromCamera) == one.results.map(\.worldFromCamera))
        #expect(results.map(\.surfaces) == one.results.map(\.surfaces))
        #expect(results.map(\.surfaceEvents) == one.results.map(\.surfaceEvents))
        // What the thread did is told of frame by frame, as if there were none, and not when it's taken over.
        let surfaces = try #require(session.timings.statistics.first { $0.name == "surfaces" })
        #expect(surfaces.statistics.median > 0)
    }

    @Test func aSessionThatRunsForDaysKeepsNoPath() throws {
        let recording = Recording.desk
        var configuration = WorldSession.Configuration(intrinsics: recording.intrinsics)
        configuration.refinedFrameLimit = 60
        let session = try WorldSession(configuration: configuration)
        for frame in recording.frames[..<50] { _ = try session.process(frame) }
        #expect(!(try session.finish().entries.isEmpty))
        for frame in recording.frames[50..<70] { _ = try session.process(frame) }
        #expect(try session.finish().entries.isEmpty)
    }

    @Test func framesOfAnotherSizeAreAnError() throws {
        let session = try Recording.desk.session()
        let frame = Frame(
            index: 0, timestampNanoseconds: 0, pixels: evenPicture(width: 240, height: 320, luma: 90))
        let error = #expect(throws: TrackingError.self) { try session.process(frame) }
        #expect(error?.description.contains("frame 0") == true)
    }

    @Test(arguments: [0, -1, .nan, .infinity])
    func camerasThatMakeNoSenseAreAnError(focal: Double) {
        let intrinsics = CameraIntrinsics(width: 320, height: 240, fx: focal, fy: 266, cx: 160, cy: 120)
        #expect(throws: TrackingError.self) { try WorldSession(configuration: .init(intrinsics: intrinsics)) }
    }

    @Test func darknessIsCalledThat() throws {
        let session = try Recording.desk.session()
        for index in 0..<5 {
            let result = try session.process(
                Frame(
                    index: index, timestampNanoseconds: Int64(index) * 33_000_000,
                    pixels: evenPicture(width: 320, height: 240, luma: 4)))
            #expect(result.worldFromCamera == nil)
            #expect(result.trackingState == .limited(.insufficientLight))
            #expect(result.diagnostics.darkShare == 1)
        }
    }

    @Test func nothingToHoldOnToIsCalledThat() throws {
        let run = try Run(Recording(SyntheticSequence(seed: 3, kind: .blank, style: .sideways, duration: 0.5)))
        #expect(run.firstPose == nil)
        #expect(run.results.allSatisfy { $0.trackingState == .limited(.insufficientFeatures) })
    }

    @Test func timesOfAllStagesAreKeptAndNamed() throws {
        let run = try Run(.desk, frames: 0..<40)
        let statistics = run.session.timings.statistics
        #expect(statistics.map(\.name) == ["pyramid", "tracking", "mapping", "surfaces", "total"])
        for (name, value) in statistics where name == "total" || name == "tracking" {
            #expect(value.median > 0)
            #expect(value.p99 >= value.median)
        }
    }
}

extension Recording {
    /// Pictures drawn larger by linear interpolation, with the camera that belongs to them.
    init(enlarging small: Recording, by factor: Int) {
        self = small
        let (w, h) = (small.intrinsics.width, small.intrinsics.height)
        intrinsics = small.intrinsics.scaled(toWidth: factor * w, height: factor * h)
        /// The two neighbours of each new pixel, and the second one's weight in 256ths.
        func neighbours(_ count: Int) -> [(Int, Int, Int)] {
            (0..<count * factor).map { index in
                let place = min(Double(count - 1), max(0, (Double(index) + 0.5) / Double(factor) - 0.5))
                let low = min(count - 2, Int(place))
                return (low, low + 1, Int(((place - Double(low)) * 256).rounded()))
            }
        }
        let (columns, rows) = (neighbours(w), neighbours(h))
        frames = small.frames.map { frame in
            let luma = frame.pixels.luma
            var large = [UInt8]()
            large.reserveCapacity(w * h * factor * factor)
            for (top, bottom, down) in rows {
                let (a, b) = (luma.base + top * luma.bytesPerRow, luma.base + bottom * luma.bytesPerRow)
                for (left, right, across) in columns {
                    let above = Int(a[left]) * (256 - across) + Int(a[right]) * across
                    let below = Int(b[left]) * (256 - across) + Int(b[right]) * across
                    large.append(UInt8((above * (256 - down) + below * down + 32768) >> 16))
                }
            }
            return Frame(
                index: frame.index, timestampNanoseconds: frame.timestampNanoseconds,
                pixels: PixelBuffer(copyingLuma: large, width: w * factor, height: h * factor))
        }
    }
}
