import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// The whole engine on synthetic recordings, against their exact truth.
@Suite struct TrackingTests {
    static let desk = Result { try Run(.desk) }

    @Test func followsACameraBeforeADesk() throws {
        let run = try Self.desk.get()
        let first = try #require(run.firstPose)
        // A second and a half after the camera began to move sideways.
        #expect(first < 45)
        #expect(run.results[first...].allSatisfy { $0.worldFromCamera != nil && $0.trackingState == .normal })
        let path = run.recording.pathLength(first..<run.results.count)
        #expect(path > 0.5)
        #expect(run.trajectoryError < 0.01 * path, "\(run.trajectoryError) m of \(path) m")
        #expect(run.worstTurn < 1)
        #expect(run.results.last?.diagnostics.reprojectionErrorPixels ?? 9 < 1)
    }

    @Test func followsACameraThroughARoom() throws {
        let run = try Run(Recording(SyntheticSequence(seed: 23, kind: .room, style: .sideways, duration: 4)))
        let first = try #require(run.firstPose)
        #expect(first < 60)
        #expect(run.results[first...].allSatisfy { $0.worldFromCamera != nil })
        let path = run.recording.pathLength(first..<run.results.count)
        #expect(run.trajectoryError < 0.03 * path, "\(run.trajectoryError) m of \(path) m")
        #expect(run.worstTurn < 2)
    }

    @Test func followsACameraWithALens() throws {
        let recording = Recording(
            seed: 31, kind: .desk, style: .sideways, duration: 3,
            distortion: .radialTangential(k1: -0.25, k2: 0.08, p1: 0.001, p2: -0.0008, k3: 0))
        let run = try Run(recording)
        let first = try #require(run.firstPose)
        #expect(first < 60)
        let path = recording.pathLength(first..<run.results.count)
        #expect(run.trajectoryError < 0.015 * path, "\(run.trajectoryError) m of \(path) m")
        #expect(run.worstTurn < 1.5)
    }

    @Test func refiningAfterwardsIsAboutAsGoodOrBetter() throws {
        let run = try Run(.desk)
        let refined = try run.session.finish().entries
        #expect(refined.map(\.frameIndex) == run.results.filter { $0.worldFromCamera != nil }.map(\.frameIndex))
        let frames = run.recording.frames
        #expect(refined.allSatisfy { $0.timestampNanoseconds == frames[$0.frameIndex].timestampNanoseconds })
        let error = run.trajectoryError(refined.map { ($0.frameIndex, $0.worldFromCamera) })
        // Both are within a tenth of a percent of the path, where a short clip's common errors decide.
        #expect(error < 1.3 * run.trajectoryError, "\(error) m, before \(run.trajectoryError) m")
    }

    @Test func turningAloneGivesNoPoseAndIsCalledThat() throws {
        let run = try Run(Recording(SyntheticSequence(seed: 41, kind: .desk, style: .turning, duration: 3.5)))
        #expect(run.firstPose == nil)
        #expect(run.results.contains { $0.trackingState == .limited(.noTranslation) })
        #expect(run.results.allSatisfy { $0.trackingState.reason != nil })
    }

    @Test func startsSoonAfterTurningBecomesMovingSideways() throws {
        let run = try Run(
            Recording(SyntheticSequence(seed: 43, kind: .desk, style: .turningThenSideways, duration: 5)))
        let first = try #require(run.firstPose)
        let travel = run.recording.pathLength(0..<first + 1)
        // Not from turning, and before the camera has moved by a fifth of its distance to the desk.
        #expect(travel > 0.004)
        #expect(travel < 0.2)
        #expect(run.trackedShare * Double(run.results.count) > Double(run.results.count - first) * 0.9)
    }

    @Test func aStandingCameraGivesNoPose() throws {
        let run = try Run(Recording(SyntheticSequence(seed: 47, kind: .desk, style: .still, duration: 2)))
        #expect(run.firstPose == nil)
        #expect(run.results.allSatisfy { $0.trackingState == .limited(.initializing) })
    }

    @Test func aCameraThatComesToRestDoesNotTravelOn() throws {
        let world = World.random(seed: 53, kind: .desk)
        let points = (0..<11).map { index in
            CameraPath.ControlPoint(
                position: world.focus + SIMD3(0.12 * Double(min(index, 6)) - 0.3, 0.55, 0.8), lookingAt: world.focus)
        }
        let intrinsics = CameraIntrinsics(width: 320, height: 240, fx: 266, fy: 266, cx: 159.5, cy: 119.5)
        let run = try Run(
            Recording(
                SyntheticSequence(
                    world: world, path: CameraPath(controlPoints: points, interval: 0.5), intrinsics: intrinsics,
                    duration: 4, seed: 1)))
        let alignment = try #require(run.alignment())
        // At rest from the seventh control point on.
        let resting = run.results[95...].compactMap { $0.worldFromCamera.map { alignment * $0.position } }
        #expect(resting.count == run.results.count - 95)
        let middle = resting.reduce(.zero, +) / Double(resting.count)
        let furthest = resting.map { $0.distance(to: middle) }.max() ?? .infinity
        #expect(furthest < 0.003)
    }

    @Test func afterACutToBlackItFindsItsPlaceAgain() throws {
        let recording = Recording.desk
        let black = 80..<92
        let picture = evenPicture(width: 320, height: 240, luma: 3)
        let run = try Run(recording) { black.contains($0) ? picture : nil }
        for result in run.results[black] {
            #expect(result.worldFromCamera == nil)
            #expect(result.trackingState.reason != nil)
            #expect(!result.didReset)
        }
        let back = try #require(run.results[black.upperBound...].first { $0.worldFromCamera != nil })
        #expect(back.frameIndex < black.upperBound + 15)
        #expect(run.results[back.frameIndex...].allSatisfy { $0.worldFromCamera != nil })
        // The same world: laid over the truth by the frames before, those after fit too.
        let alignment = try #require(run.alignment(frames: 0..<black.lowerBound))
        for result in run.results[back.frameIndex...] {
            let position = try #require(result.worldFromCamera).position
            #expect((alignment * position).distance(to: recording.truth[result.frameIndex].position) < 0.03)
        }
    }

    @Test func afterACutToAPlaceSeenBeforeEveryFrameHasItsPose() throws {
        let recording = Recording.desk
        let session = try recording.session()
        let order = Array(recording.frames.indices) + Array(30..<70)
        var poses: [(index: Int, pose: Pose)] = []
        var afterTheCut = 0
        for (place, index) in order.enumerated() {
            let result = try session.process(
                Frame(
                    index: place, timestampNanoseconds: Int64(place) * 33_333_333,
                    pixels: recording.frames[index].pixels))
            guard let pose = result.worldFromCamera else { continue }
            poses.append((index, pose))
            if place >= recording.frames.count { afterTheCut += 1 }
        }
        #expect(afterTheCut == 40)
        let run = try Run(recording, frames: 0..<1)
        #expect(run.trajectoryError(poses) < 0.003)
    }

    @Test(arguments: [0.87, 1.15])
    func aGuessedFocalLengthIsCorrected(factor: Double) throws {
        let recording = Recording.desk
        var guess = recording.intrinsics
        guess.fx *= factor
        guess.fy *= factor
        guess.source = .guessed
        let session = try WorldSession(configuration: .init(intrinsics: guess))
        var last: FrameResult?
        for frame in recording.frames { last = try session.process(frame) }
        let found = try #require(last)
        #expect(abs(found.intrinsics.fx / recording.intrinsics.fx - 1) < 0.03)
        #expect(found.intrinsics.source == .estimated)
    }

    @Test func twoRunsAreTheSameBitForBit() throws {
        let first = try Self.desk.get()
        let second = try Run(.desk)
        for (a, b) in zip(first.results, second.results) {
            #expect(a.worldFromCamera == b.worldFromCamera)
            #expect(a.trackingState == b.trackingState)
            #expect(a.diagnostics == b.diagnostics)
            #expect(a.surfaceEvents == b.surfaceEvents)
            #expect(a.surfaces == b.surfaces)
            #expect(a.intrinsics == b.intrinsics)
            #expect(a.isKeyframe == b.isKeyframe)
        }
        #expect(first.results.count == second.results.count)
    }

    @Test func diagnosticsSayWhatWasSeen() throws {
        let run = try Self.desk.get()
        let tracked = run.results.filter { $0.worldFromCamera != nil }
        for result in tracked {
            #expect(result.diagnostics.inlierCount >= 15)
            #expect(result.diagnostics.inlierCount <= result.diagnostics.trackedCount)
            #expect(result.diagnostics.brightness > 0.1)
            #expect(result.diagnostics.brightness < 0.9)
            #expect(result.light.intensity == result.diagnostics.brightness)
        }
        // The true turning rate, from the poses.
        for result in tracked.dropFirst(5) {
            let index = result.frameIndex
            let turn = run.recording.truth[index - 1].rotation.inverse * run.recording.truth[index].rotation
            #expect(abs(result.diagnostics.angularSpeedRadiansPerSecond - turn.angleRadians * 30) < 0.12)
        }
    }

    /// In picture widths per second, as its documentation says.
    @Test func flowIsPerSecond() throws {
        let run = try Self.desk.get()
        let recording = run.recording
        let desk = try #require(recording.planes.first { $0.label == "desk.top" })
        var ratios: [Double] = []
        for result in run.results.filter({ $0.worldFromCamera != nil }).dropFirst(5) {
            let index = result.frameIndex
            let pixels = [index - 1, index].compactMap {
                recording.intrinsics.project(worldPoint: desk.center, worldFromCamera: recording.truth[$0])
            }
            guard pixels.count == 2 else { continue }
            let expected = pixels[0].distance(to: pixels[1]) / 320 * 30
            if expected > 0.1 { ratios.append(result.diagnostics.flow / expected) }
        }
        #expect(ratios.count > 20)
        let median = ratios.sorted()[ratios.count / 2]
        #expect(median > 0.5)
        #expect(median < 2)
    }
}
