import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Foundation
import Testing

/// A camera of which nobody knows the focal length, nor that its lens bends the picture and lies off its middle.
@Suite struct UnknownLensTests {
    /// Made once and then only read.
    private struct Seen: @unchecked Sendable {
        var recording: Recording
        var session: WorldSession
        var results: [FrameResult]
        var refined: [RefinedTrajectory.Entry]
        /// Made before the path was refined.
        var saved: Data
    }

    private static func guessed(_ recording: Recording) throws -> WorldSession {
        let k = recording.intrinsics
        return try WorldSession(configuration: .init(intrinsics: .guess(width: k.width, height: k.height)))
    }

    private static let desk = Result {
        let trial = try #require(Trial.all.first { $0.name == "desk, camera and lens unknown" })
        let recording = Recording(trial.sequence(seed: 4, width: 320, height: 240))
        let session = try guessed(recording)
        let results = try recording.frames.map { try session.process($0) }
        let saved = try session.saveWorld()
        return Seen(
            recording: recording, session: session, results: results, refined: try session.finish().entries,
            saved: saved)
    }

    @Test func focalLengthAndLensAreFound() throws {
        let seen = try Self.desk.get()
        let truth = seen.recording.intrinsics
        let found = try #require(seen.results.last).intrinsics
        #expect(abs(found.fx / truth.fx - 1) < 0.03)
        #expect(found.source == .estimated)
        let middle = SIMD2(159.5, 119.5)
        let center = SIMD2(truth.cx, truth.cy)
        #expect((center - middle).length > 3)
        #expect((SIMD2(found.cx, found.cy) - center).length < 0.6 * (center - middle).length)
        // One number does what two coefficients do in truth, around the same point.
        var lens = found
        (lens.cx, lens.cy) = (truth.cx, truth.cy)
        for pixel in [SIMD2(30.0, 20), SIMD2(290, 30), SIMD2(160, 225), SIMD2(20, 215)] {
            func bent(_ camera: CameraIntrinsics) -> Double {
                var straight = camera
                straight.distortion = .none
                let ray = camera.unproject(pixel)
                return (straight.project(ray)! - SIMD2(camera.cx, camera.cy)).length
            }
            let without = (pixel - SIMD2(truth.cx, truth.cy)).length
            #expect(abs(bent(lens) - bent(truth)) < 0.25 * abs(without - bent(truth)))
        }
    }

    @Test func thePathIsRightThough() throws {
        let seen = try Self.desk.get()
        let length = seen.recording.pathLength(seen.recording.frames.indices)
        let poses = seen.results.compactMap { result in
            result.worldFromCamera.map { (index: result.frameIndex, position: $0.position) }
        }
        #expect(poses.count > seen.recording.frames.count * 9 / 10)
        #expect(seen.recording.trajectoryError(poses) < 0.003 * length)
        let refined = seen.refined.map { (index: $0.frameIndex, position: $0.worldFromCamera.position) }
        #expect(refined.count == poses.count)
        #expect(seen.recording.trajectoryError(refined) < 0.001 * length)
    }

    @Test func aSavedWorldKeepsTheLens() throws {
        let seen = try Self.desk.get()
        let session = try Self.guessed(seen.recording)
        try session.loadWorld(seen.saved)
        let frame = seen.recording.frames[seen.recording.frames.count / 2]
        let result = try session.process(frame)
        #expect(result.knownWorld == .found)
        #expect(result.intrinsics == seen.results.last?.intrinsics)
    }

    /// A desk seen with a calibration whose focal length is wrong by a factor, and its principal point by so many pixels.
    private static func seen(
        focalFactor: Double = 1, aside: SIMD2<Double> = .zero, distortion: CameraIntrinsics.Distortion = .none
    ) throws -> Seen {
        var given = Recording.desk.intrinsics
        given.fx *= focalFactor
        given.fy *= focalFactor
        given.cx += aside.x
        given.cy += aside.y
        given.distortion = distortion
        let session = try WorldSession(configuration: .init(intrinsics: given))
        let results = try Recording.desk.frames.map { try session.process($0) }
        let saved = try session.saveWorld()
        return Seen(
            recording: .desk, session: session, results: results, refined: try session.finish().entries, saved: saved)
    }

    @Test(arguments: [0.95, 1.05])
    func aCalibrationThatDoesNotFitIsDoubted(factor: Double) throws {
        let seen = try Self.seen(focalFactor: factor)
        let truth = Recording.desk.intrinsics
        let found = try #require(seen.results.last).intrinsics
        #expect(abs(found.fx / truth.fx - 1) < 0.01)
        #expect(found.source == .estimated)
        #expect(try #require(seen.results.first).intrinsics.source == .calibrated)
        let refined = seen.refined.map { (index: $0.frameIndex, position: $0.worldFromCamera.position) }
        #expect(
            Recording.desk.trajectoryError(refined) < 0.001 * Recording.desk.pathLength(Recording.desk.frames.indices))
        // Who opens the world with the same calibration has the same camera.
        var given = truth
        given.fx *= factor
        given.fy *= factor
        let next = try WorldSession(configuration: .init(intrinsics: given))
        try next.loadWorld(seen.saved)
        let result = try next.process(Recording.desk.frames[Recording.desk.frames.count / 2])
        #expect(result.knownWorld == .found)
        #expect(result.intrinsics == found)
        // Who opens it with the right one isn't told that it doesn't fit.
        let right = try WorldSession(configuration: .init(intrinsics: truth))
        try right.loadWorld(seen.saved)
        let opened = try right.process(Recording.desk.frames[Recording.desk.frames.count / 2])
        #expect(opened.knownWorld == .found && opened.intrinsics.source == .calibrated)
    }

    @Test func aPrincipalPointThatDoesNotFitIsDoubted() throws {
        let seen = try Self.seen(aside: SIMD2(9, -7))
        let truth = Recording.desk.intrinsics
        let found = try #require(seen.results.last).intrinsics
        #expect(found.source == .estimated)
        #expect(abs(found.cx - truth.cx) < 1.5 && abs(found.cy - truth.cy) < 1.5)
        #expect(abs(found.fx / truth.fx - 1) < 0.01)
    }

    @Test func aCalibrationThatFitsOrTellsOfItsLensIsKept() throws {
        let right = try Self.seen()
        #expect(right.results.allSatisfy { $0.intrinsics == Recording.desk.intrinsics })
        let measured = CameraIntrinsics.Distortion.radialTangential(k1: 0, k2: 0, p1: 0, p2: 0, k3: 0)
        let believed = try Self.seen(focalFactor: 1.05, distortion: measured)
        #expect(believed.results.allSatisfy { $0.intrinsics.fx == 1.05 * Recording.desk.intrinsics.fx })
    }

    @Test func aLensThatBendsNothingIsLeftAlone() throws {
        let session = try Self.guessed(.desk)
        let results = try Recording.desk.frames.map { try session.process($0) }
        #expect(results.allSatisfy { $0.intrinsics.distortion == .none })
    }
}
