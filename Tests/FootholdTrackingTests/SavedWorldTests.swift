import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Foundation
import Testing

/// A world that is saved after the first part of a recording and gone on with in the second.
@Suite struct SavedWorldTests {
    /// Where the desk's recording is cut.
    static let cut = 80
    static let first = Result { try Run(.desk, frames: 0..<cut) }
    static let saved = Result { try first.get().session.saveWorld(attaching: Data("two chairs".utf8)) }

    /// A run of its own: a review changes what the others look at.
    static let reviewed = Result {
        let session = try Run(.desk, frames: 0..<cut).session
        _ = try session.reviewSurfaces { _ in }
        return try session.saveWorld()
    }

    private func opened(_ recording: Recording = .desk, source: CameraIntrinsics.Source? = nil) throws -> WorldSession {
        var recording = recording
        if let source { recording.intrinsics.source = source }
        let session = try recording.session()
        try session.loadWorld(try Self.saved.get())
        return session
    }

    /// The world as it was saved after a review, and what its first frame tells.
    private func openedAfterReview() throws -> (session: WorldSession, told: [PlaneAnchor]) {
        let session = try Recording.desk.session()
        try session.loadWorld(try Self.reviewed.get())
        return (session, try session.process(Recording.desk.frames[Self.cut]).surfaces)
    }

    /// Distances to the truth after the first part's alignment alone, metres.
    private func distances(_ results: [FrameResult]) throws -> [Double] {
        let first = try Self.first.get()
        let alignment = try #require(first.alignment())
        return results.compactMap { result in
            result.worldFromCamera.map {
                (alignment * $0.position).distance(to: first.recording.truth[result.frameIndex].position)
            }
        }
    }

    private func rootMeanSquare(_ values: [Double]) -> Double {
        (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    }

    @Test(arguments: [cut, 110])
    func theSecondPartGoesOnInTheFirstOnesCoordinates(start: Int) throws {
        let session = try opened()
        let results = try Recording.desk.frames[start...].map { try session.process($0) }
        // The first frame is enough.
        #expect(results.allSatisfy { $0.knownWorld == .found && $0.worldFromCamera != nil && !$0.didReset })
        let errors = try distances(results)
        let whole = try distances(TrackingTests.desk.get().results[start...].map { $0 })
        let report = "\(rootMeanSquare(errors)) m, in one go \(rootMeanSquare(whole)) m"
        #expect(rootMeanSquare(errors) < 0.004, "\(report)")
        #expect(rootMeanSquare(errors) < 2 * rootMeanSquare(whole) + 0.001, "\(report)")
        // The path begins with the frames of this session.
        let refined = try session.finish().entries
        #expect(refined.map(\.timestampNanoseconds) == results.map(\.timestampNanoseconds))
    }

    @Test func surfacesComeBackWithTheirIDsAndStay() throws {
        let known = try Self.first.get().session.surfaces
        #expect(!known.isEmpty)
        let session = try opened()
        #expect(session.surfaces.isEmpty)
        let frame = try session.process(Recording.desk.frames[Self.cut])
        // All of them are told of in the frame that finds the place.
        let added = frame.surfaceEvents.compactMap { event in
            if case .added(let surface) = event { surface } else { nil }
        }
        #expect(added == session.surfaces && added == frame.surfaces)
        // The search that was under way when the world was saved may have given one up, as it does without saving.
        let lasting = try Set(TrackingTests.desk.get().results[Self.cut + 3].surfaces.map(\.id))
        #expect(known.filter { lasting.contains($0.id) }.count * 4 >= known.count * 3)
        for surface in known where lasting.contains(surface.id) {
            let again = try #require(added.first { $0.id == surface.id })
            // The search under way when the world was saved has moved it a little.
            #expect(again.worldFromSurface.position.distance(to: surface.worldFromSurface.position) < 0.01)
            #expect(again.normal.dot(surface.normal) > 0.9998)
            #expect(again.firstSeenNanoseconds == frame.timestampNanoseconds)
        }
        for frame in Recording.desk.frames[(Self.cut + 1)...] { _ = try session.process(frame) }
        let largest = try #require(known.max { $0.area < $1.area })
        let kept = try #require(session.surfaces.first { $0.id == largest.id })
        #expect(kept.area > 0.9 * largest.area)
        #expect(kept.worldFromSurface.position.distance(to: largest.worldFromSurface.position) < 0.01)
        // New ones have ids of their own, which nothing was told of before.
        let before = try TrackingTests.desk.get().results[..<Self.cut]
        let toldBefore = before.flatMap(\.surfaceEvents).compactMap { event in
            if case .added(let surface) = event { surface.id } else { nil }
        }
        let new = session.surfaces.map(\.id).filter { id in !added.contains { $0.id == id } }
        #expect(Set(new).isDisjoint(with: toldBefore))
        #expect(Set(session.surfaces.map(\.id)).count == session.surfaces.count)
    }

    @Test func outlinesThatPicturesToldStayWhenTheyAreLookedAtAgain() throws {
        let (session, told) = try openedAfterReview()
        // Of each area before its first update and after it the smaller over the larger.
        var ratios: [Int: Double] = [:]
        for frame in Recording.desk.frames[(Self.cut + 1)...] {
            for case .updated(let surface) in try session.process(frame).surfaceEvents where ratios[surface.id] == nil {
                guard let before = told.first(where: { $0.id == surface.id }) else { continue }
                ratios[surface.id] = min(surface.area, before.area) / max(surface.area, before.area)
            }
        }
        #expect(ratios.count >= 3)
        let mean = ratios.values.reduce(0, +) / Double(ratios.count)
        #expect(mean > 0.93, "\(ratios)")
    }

    @Test func whatAReviewDoesNotSeeStaysAsItWasTold() throws {
        let (session, told) = try openedAfterReview()
        // Too short for a keyframe of its own to show much.
        for frame in Recording.desk.frames[(Self.cut + 1)..<(Self.cut + 12)] { _ = try session.process(frame) }
        _ = try session.reviewSurfaces { _ in }
        let ratios = told.compactMap { before in
            session.surfaces.first { $0.id == before.id }
                .map { min($0.area, before.area) / max($0.area, before.area) }
        }
        #expect(ratios.count >= 3)
        let mean = ratios.reduce(0, +) / Double(ratios.count)
        #expect(mean > 0.93, "\(ratios)")
    }

    @Test func theSameWorldGivesTheSameBytes() throws {
        let saved = try Self.saved.get()
        let recording = Recording.desk
        var configuration = WorldSession.Configuration(intrinsics: recording.intrinsics)
        configuration.hasTwoThreads = true
        let session = try WorldSession(configuration: configuration)
        for frame in recording.frames[..<Self.cut] { _ = try session.process(frame) }
        #expect(try session.saveWorld(attaching: Data("two chairs".utf8)) == saved)
        // What is read is what was written.
        #expect(try opened().saveWorld(attaching: Data("two chairs".utf8)) == saved)
        #expect(try WorldSession.attachment(of: saved) == Data("two chairs".utf8))
        #expect(try WorldSession.attachment(of: session.saveWorld()).isEmpty)
        #expect(saved.count < 3_000_000)
    }

    @Test func aWorldThatWasGoneOnWithIsSavedAgain() throws {
        let session = try opened()
        for frame in Recording.desk.frames[Self.cut..<100] { _ = try session.process(frame) }
        let third = try Recording.desk.session()
        try third.loadWorld(try session.saveWorld())
        let results = try Recording.desk.frames[100...].map { try third.process($0) }
        #expect(results.allSatisfy { $0.knownWorld == .found })
        #expect(rootMeanSquare(try distances(results)) < 0.004)
    }

    @Test func anotherPlaceGetsAWorldOfItsOwnAfterFiveSeconds() throws {
        let other = Recording(SyntheticSequence(seed: 71, kind: .desk, style: .sideways, duration: 2))
        let session = try opened(other)
        let ids = try Self.first.get().session.surfaces.map(\.id)
        var results: [FrameResult] = []
        func process(_ frame: Frame, at nanoseconds: Int64) throws {
            results.append(
                try session.process(
                    Frame(index: results.count, timestampNanoseconds: nanoseconds, pixels: frame.pixels)))
        }
        for index in 0...25 { try process(other.frames[index % 4], at: Int64(index) * 250_000_000) }
        let reset = try #require(results.firstIndex { $0.didReset })
        #expect(results[reset].seconds > 5 && results[reset].seconds <= 5.5)
        #expect(results[..<reset].allSatisfy { $0.knownWorld == .sought && $0.worldFromCamera == nil })
        #expect(results[..<reset].allSatisfy { $0.trackingState == .limited(.relocalizing) && $0.surfaces.isEmpty })
        for frame in other.frames { try process(frame, at: 7_000_000_000 + frame.timestampNanoseconds) }
        #expect(results[reset...].allSatisfy { $0.knownWorld == .none })
        #expect(results.filter(\.didReset).count == 1)
        let found = try #require(results.firstIndex { $0.worldFromCamera != nil })
        #expect(results[found].seconds < 7 + 1.5)
        #expect(session.surfaces.allSatisfy { !ids.contains($0.id) })
        // Seen later, the saved world is found after all.
        for frame in Recording.desk.frames[Self.cut..<100] {
            try process(frame, at: 10_000_000_000 + frame.timestampNanoseconds)
        }
        #expect(results.filter(\.didReturn).count == 1)
        #expect(results.suffix(8).allSatisfy { $0.knownWorld == .found && $0.worldFromCamera != nil })
        #expect(Set(ids).intersection(session.surfaces.map(\.id)).count * 4 >= ids.count * 3)
    }

    @Test func aReviewTellsNothingOfAWorldThatWasNotRecognised() throws {
        let other = Recording(SyntheticSequence(seed: 71, kind: .desk, style: .sideways, duration: 0.5))
        let session = try opened(other)
        let results = try other.frames.map { try session.process($0) }
        #expect(results.allSatisfy { $0.knownWorld == .sought })
        #expect(try session.reviewSurfaces { _ in }.isEmpty)
        #expect(session.surfaces.isEmpty)
    }

    @Test func onlyTheSameCameraCanGoOn() throws {
        let saved = try Self.saved.get()
        func kind(_ change: (inout CameraIntrinsics) -> Void) -> SavedWorldError.Kind? {
            var intrinsics = Recording.desk.intrinsics
            change(&intrinsics)
            do {
                try WorldSession(configuration: .init(intrinsics: intrinsics)).loadWorld(saved)
                return nil
            } catch {
                return (error as? SavedWorldError)?.kind
            }
        }
        #expect(kind { _ in } == nil)
        #expect(kind { $0.fx *= 1.02 } == nil)
        #expect(kind { ($0.fx, $0.fy) = ($0.fx * 1.1, $0.fy * 1.1) } == .otherCamera)
        #expect(kind { ($0.width, $0.height) = (240, 320) } == .otherCamera)
        #expect(kind { $0.width = 322 } == .otherCamera)
        #expect(kind { $0.cx += 12 } == .otherCamera)
        #expect(kind { $0.distortion = .radialTangential(k1: -0.1, k2: 0, p1: 0, p2: 0, k3: 0) } == .otherCamera)
        // A guess gives way to what the world knows.
        #expect(
            kind {
                $0.source = .guessed
                ($0.fx, $0.fy) = ($0.fx * 1.25, $0.fy * 1.25)
            } == nil)
    }

    @Test func aGuessedCameraIsTheSavedWorldsOwnFromTheStart() throws {
        var recording = Recording.desk
        (recording.intrinsics.fx, recording.intrinsics.fy) = (300, 300)
        let session = try opened(recording, source: .guessed)
        let result = try session.process(recording.frames[Self.cut])
        #expect(result.knownWorld == .found)
        #expect(abs(result.intrinsics.fx - Recording.desk.intrinsics.fx) < 1)
    }

    @Test func whatCannotBeDoneIsSaid() throws {
        let empty = try Recording.desk.session()
        #expect(throws: SavedWorldError(.noWorld)) { try empty.saveWorld() }
        _ = try empty.process(Recording.desk.frames[0])
        #expect(throws: SavedWorldError(.noWorld)) { try empty.saveWorld() }
        #expect(throws: SavedWorldError(.tooLate)) { try empty.loadWorld(try Self.saved.get()) }
        let kinds: [SavedWorldError.Kind] = [
            .noWorld, .notASavedWorld, .damaged, .newerVersion, .otherCamera, .tooLate, .failed,
        ]
        #expect(Set(kinds.map { SavedWorldError($0).description }).count == kinds.count)
    }
}
