import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Foundation
import Testing

/// A camera that goes round a corridor and comes back to where it began, having drifted.
@Suite struct LoopTests {
    private static let framesPerSecond = 20.0

    /// What a session says about a corridor, beside the truth.
    private struct Walk: Sendable {
        var results: [FrameResult] = []
        var recording: Recording
        /// What the session says afterwards.
        var refined: [(index: Int, position: SIMD3<Double>)]
        /// The frame in which the camera has gone round once.
        var round: Int

        /// - Parameter focalFactor: what the session is told of the focal length is wrong by this factor.
        init(_ recording: Recording, rounds: Double, focalFactor: Double, twoThreads: Bool = false) throws {
            var intrinsics = recording.intrinsics
            intrinsics.fx *= focalFactor
            intrinsics.fy *= focalFactor
            // What says something of the lens was measured, and is believed.
            if focalFactor != 1 { intrinsics.distortion = .radialTangential(k1: 0, k2: 0, p1: 0, p2: 0, k3: 0) }
            var configuration = WorldSession.Configuration(intrinsics: intrinsics)
            configuration.hasTwoThreads = twoThreads
            let session = try WorldSession(configuration: configuration)
            for frame in recording.frames { results.append(try session.process(frame)) }
            self.recording = recording
            refined = try session.finish().entries.map { ($0.frameIndex, $0.worldFromCamera.position) }
            round = Int(Double(recording.frames.count) / rounds)
        }

        /// How far each pose is from the truth, as vectors in metres, with the first five seconds laid over it.
        func errors() -> [SIMD3<Double>] {
            let first = results.prefix(100).filter { $0.worldFromCamera != nil }
            guard
                let alignment = Similarity.aligning(
                    first.compactMap(\.worldFromCamera?.position),
                    to: first.map { recording.truth[$0.frameIndex].position },
                    withScale: true)
            else { return [] }
            return results.compactMap { result in
                result.worldFromCamera.map { alignment * $0.position - recording.truth[result.frameIndex].position }
            }
        }

        /// Lays the refined path over the truth.
        var alignment: Similarity? {
            Similarity.aligning(
                refined.map(\.position), to: refined.map { recording.truth[$0.index].position }, withScale: true)
        }

        /// Root mean square, metres.
        var refinedError: Double { recording.trajectoryError(refined) }
    }

    private static let rounds = 1.25
    private static let corridor = Recording(
        CorridorRound(seed: 1, rounds: rounds).sequence(width: 320, height: 240, framesPerSecond: framesPerSecond))
    private static let walk = Result { try Walk(corridor, rounds: rounds, focalFactor: 1.02) }

    @Test func driftIsTakenBackWhereTheRoundEnds() throws {
        let walk = try Self.walk.get()
        let first = try #require(walk.results.firstIndex { $0.worldFromCamera != nil })
        #expect(first < 20)
        #expect(walk.results[first...].allSatisfy { $0.worldFromCamera != nil && $0.worldID == 1 })
        let closed = try #require(walk.results.firstIndex { $0.correction != nil })
        #expect(closed > walk.round - 40 && walk.results.filter { $0.correction != nil }.count == 1)
        let errors = walk.errors().map(\.length)
        // A quarter of a metre at the end of the round: some fifty pixels.
        let drifted = errors[(walk.round - 20 - first)..<(walk.round - first)].min()!
        #expect(drifted > 0.2)
        #expect(errors.suffix(60).max()! < 0.2 * drifted)
        // 0.19 m without loops.
        #expect(walk.refinedError < 0.05)
    }

    @Test func nothingJumps() throws {
        let errors = try Self.walk.get().errors()
        let change = zip(errors, errors.dropFirst()).map { ($1 - $0).length }
        let whole = errors.map(\.length).max()!
        // A correction takes a second and is never faster than 1.875 times its mean; tracking's own noise beside it.
        #expect(change.max()! < 1.875 / Self.framesPerSecond * whole + 0.015)
    }

    @Test func theBeginningIsNotMappedTwice() throws {
        let walk = try Self.walk.get()
        func keyframes(_ frames: Range<Int>) -> Double {
            Double(walk.results[frames].filter(\.isKeyframe).count) / Double(frames.count)
        }
        // Once the round is closed, what is seen is known.
        #expect(keyframes((walk.results.count - 80)..<walk.results.count) < 0.25 * keyframes(20..<walk.round))
    }

    @Test func surfacesFollow() throws {
        let walk = try Self.walk.get()
        let surfaces = try #require(walk.results.last).surfaces
        #expect(surfaces.count >= 5 && Set(surfaces.map(\.id)).count == surfaces.count)
        let alignment = try #require(walk.alignment)
        // Most were seen when the path was some decimetres from where it should have been.
        let near = surfaces.filter { surface in
            let middle = alignment * surface.center
            let normal = alignment.rotation * surface.normal
            return Self.corridor.planes.contains { plane in
                abs((middle - plane.center).dot(plane.normal)) < 0.15 && normal.dot(plane.normal) > cos(8 * .pi / 180)
            }
        }
        #expect(near.count * 10 >= surfaces.count * 7, "\(near.count) of \(surfaces.count)")
    }

    @Test func twoThreadsCloseItAsOneDoes() throws {
        let one = try Self.walk.get()
        let two = try Walk(Self.corridor, rounds: Self.rounds, focalFactor: 1.02, twoThreads: true)
        #expect(one.results.map(\.worldFromCamera) == two.results.map(\.worldFromCamera))
        #expect(one.results.map(\.surfaces) == two.results.map(\.surfaces))
    }

    @Test func wallsThatLookTheSameAreNotTakenForOne() throws {
        let rounds = 1.1
        let twins = Recording(
            CorridorRound(seed: 3, rounds: rounds, hasTwinWalls: true).sequence(
                width: 320, height: 240, framesPerSecond: Self.framesPerSecond))
        let walk = try Walk(twins, rounds: rounds, focalFactor: 1)
        // Where the round ends the camera is back in truth: what drift there is may be taken back, and nowhere else.
        #expect(walk.results[..<(walk.round - 40)].allSatisfy { $0.correction == nil })
        let errors = walk.errors()
        if walk.results.contains(where: { $0.correction != nil }) {
            #expect(errors.suffix(40).map(\.length).max()! < 0.02)
        }
        // The walls' halves are some metres apart: nothing may pull the path by as much.
        #expect(errors.map(\.length).max()! < 0.3)
        #expect(zip(errors, errors.dropFirst()).map { ($1 - $0).length }.max()! < 0.03)
    }
}
