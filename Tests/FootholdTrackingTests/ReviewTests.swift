import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// What is known of surfaces after everything was seen.
@Suite struct ReviewTests {
    private func reviewed(_ run: Run) throws -> (events: [SurfaceEvent], left: [Int]) {
        var left: [Int] = []
        let events = try run.session.reviewSurfaces { left.append($0) }
        return (events, left)
    }

    @Test func itsEventsMakeTheNewSurfacesOfTheOld() throws {
        let run = try Run(.desk)
        var known = Dictionary(uniqueKeysWithValues: run.session.surfaces.map { ($0.id, $0) })
        let (events, left) = try reviewed(run)
        #expect(left.count > 5)
        #expect(left == left.sorted(by: >))
        #expect(left.last == 0)
        for event in events { known.follow(event) }
        #expect(known.values.sorted { $0.id < $1.id } == run.session.surfaces)
        let end = try #require(run.results.last?.timestampNanoseconds)
        #expect(run.session.surfaces.allSatisfy { $0.lastUpdatedNanoseconds <= end })
    }

    @Test func theDeskIsWhereItIs() throws {
        let run = try Run(.desk)
        let alignment = try #require(run.alignment())
        _ = try reviewed(run)
        let desk = try #require(run.recording.planes.first { $0.label == "desk.top" })
        let errors = run.session.surfaces.filter { $0.alignment == .horizontal }.map {
            (
                angle: Rotation(from: alignment.rotation * $0.normal, to: desk.normal).angleRadians * 180 / .pi,
                height: abs((alignment * $0.center - desk.center).dot(desk.normal))
            )
        }
        #expect(errors.contains { $0.angle < 2 && $0.height < 0.01 })
    }

    @Test func itIsTheSameEachTimeAndChangesNoPose() throws {
        let (one, other, without) = (try Run(.desk), try Run(.desk), try Run(.desk))
        #expect(try reviewed(one).events == reviewed(other).events)
        #expect(one.session.surfaces == other.session.surfaces)
        #expect(try one.session.finish().entries == without.session.finish().entries)
    }

    @Test func aSecondThreadFindsTheSame() throws {
        let run = try Run(.desk)
        var configuration = WorldSession.Configuration(intrinsics: run.recording.intrinsics)
        configuration.hasTwoThreads = true
        let session = try WorldSession(configuration: configuration)
        for frame in run.recording.frames { _ = try session.process(frame) }
        #expect(try session.reviewSurfaces() == reviewed(run).events)
        #expect(session.surfaces == run.session.surfaces)
        #expect(!session.surfaces.isEmpty)
    }

    @Test func whatIsThrownBetweenPicturesEndsIt() throws {
        struct Enough: Error {}
        let run = try Run(.desk, frames: 0..<90)
        var count = 0
        #expect(throws: Enough.self) {
            _ = try run.session.reviewSurfaces { _ in
                count += 1
                if count == 3 { throw Enough() }
            }
        }
        #expect(count == 3)
    }

    /// In the middle of looking for surfaces, and of looking for where they end.
    @Test(arguments: [1, 6, 20])
    func whatWasLookedAtWhenItIsEndedEarlyCounts(looks: Int) throws {
        let run = try Run(.desk)
        var known = Dictionary(uniqueKeysWithValues: run.session.surfaces.map { ($0.id, $0) })
        var left: [Int] = []
        var asked = 0
        let events = try run.session.reviewSurfaces {
            left.append($0)
        } until: {
            asked += 1
            return asked == looks
        }
        #expect(asked == looks && left.count == looks && left.last == 0)
        #expect(left.dropLast().allSatisfy { $0 > 0 })
        for event in events { known.follow(event) }
        #expect(known.values.sorted { $0.id < $1.id } == run.session.surfaces)
        #expect(!known.isEmpty)
        #expect(try !run.session.saveWorld().isEmpty)
        #expect(try !run.session.finish().entries.isEmpty)
    }

    @Test func beforeThereIsAWorldThereIsNothingToLookAt() throws {
        let run = try Run(.desk, frames: 0..<1)
        let (events, left) = try reviewed(run)
        #expect(events.isEmpty)
        #expect(left == [0])
    }
}
