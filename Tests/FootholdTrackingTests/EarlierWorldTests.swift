import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// Worlds that were given up after a long loss, and seen again later.
@Suite struct EarlierWorldTests {
    /// A camera that walks through a room, in which the far half is not recognised before a world is made of it.
    private static let room = Recording(SyntheticSequence(seed: 98_001, kind: .room, style: .walking, duration: 9))
    private static let otherRoom = Recording(
        SyntheticSequence(seed: 77, kind: .room, style: .sideways, duration: 9))
    private static let interval: Int64 = 33_333_333
    /// Darkness that lasts longer than a young world is waited for.
    private static let dark = [Int?](repeating: nil, count: 100)

    /// Frames of a recording in any order, and darkness.
    private struct Pass: @unchecked Sendable {
        var session: WorldSession
        var results: [FrameResult] = []
        /// The true pose of each frame; nil in the dark and elsewhere.
        var truth: [Pose?] = []

        init(
            _ recording: Recording, _ order: [Int?], elsewhere: Recording? = nil, twoThreads: Bool = false,
            focalFactor: Double = 1
        ) throws {
            var given = recording.intrinsics
            given.fx *= focalFactor
            given.fy *= focalFactor
            var configuration = WorldSession.Configuration(intrinsics: given)
            configuration.hasTwoThreads = twoThreads
            session = try WorldSession(configuration: configuration)
            let black = evenPicture(
                width: recording.intrinsics.width, height: recording.intrinsics.height, luma: 6)
            for (step, index) in order.enumerated() {
                let other = elsewhere.flatMap { $0.frames.indices.contains(step) ? $0.frames[step].pixels : nil }
                let pixels = index.map { recording.frames[$0].pixels } ?? other ?? black
                results.append(
                    try session.process(
                        Frame(index: step, timestampNanoseconds: Int64(step) * interval, pixels: pixels)))
                truth.append(index.map { recording.truth[$0] })
            }
        }

        /// Root mean square distance to the truth, metres, of poses laid over it as one.
        func error(_ poses: [(index: Int, pose: Pose)]) -> Double {
            let pairs = poses.compactMap { entry in truth[entry.index].map { (entry.pose.position, $0.position) } }
            guard let alignment = Similarity.aligning(pairs.map(\.0), to: pairs.map(\.1), withScale: true) else {
                return .infinity
            }
            let squares = pairs.map { (alignment * $0.0 - $0.1).lengthSquared }
            return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        }

        func poses(_ frames: Range<Int>, world: Int) -> [(index: Int, pose: Pose)] {
            results[frames].compactMap { result in
                result.worldID == world ? result.worldFromCamera.map { (result.frameIndex, $0) } : nil
            }
        }
    }

    @Test func aWorldThatWasGivenUpIsGoneBackTo() throws {
        let order = (0..<75).map(Optional.init) + Self.dark + (60..<110).map(Optional.init)
        let pass = try Pass(Self.room, order)
        let results = pass.results
        #expect(results.filter(\.didReset).count == 1)
        let back = try #require(results.firstIndex { $0.didReturn })
        #expect(back - 175 < 15, "recognised within half a second")
        #expect(results[back].worldFromCamera != nil && results[back].trackingState == .normal)
        #expect(results.filter(\.didReturn).count == 1 && results.allSatisfy { $0.absorbed == nil })
        #expect(results[back...].allSatisfy { $0.worldID == results[70].worldID && $0.worldFromCamera != nil })
        // Surfaces are those of before.
        let before = Set(results[70].surfaces.map(\.id))
        #expect(!before.isEmpty && before.isSubset(of: results[back].surfaces.map(\.id)))
        #expect(pass.error(pass.poses(0..<results.count, world: results[70].worldID)) < 0.01)
    }

    /// The camera wakes up far away, makes a world there, and comes to where it was before.
    private static let farAndBack = (0..<75).map(Optional.init) + dark + (60..<270).reversed().map(Optional.init)

    private static let meeting = Result { try Pass(room, farAndBack) }

    @Test func twoWorldsOfOneRoomBecomeOne() throws {
        let pass = try Self.meeting.get()
        let results = pass.results
        let meeting = try #require(results.firstIndex { $0.absorbed != nil })
        let first = results[70].worldID
        let second = results[meeting - 1].worldID
        #expect(second > first && !results.contains(where: \.didReturn))
        let absorbed = try #require(results[meeting].absorbed)
        #expect(absorbed.id == second && results[meeting].worldID == first)
        #expect(results[meeting...].allSatisfy { $0.worldID == first && $0.worldFromCamera != nil })
        // How the second lies in the first: its poses, moved by what was told, continue into the first's.
        let moved = pass.poses(175..<meeting, world: second).map { ($0.index, absorbed.pose($0.pose)) }
        #expect(moved.count >= 5)
        let known = pass.poses(0..<75, world: first) + pass.poses(meeting..<results.count, world: first)
        #expect(pass.error(known) < 0.02)
        #expect(pass.error(known + moved) < 0.05)
        // What is saved now is both, and known at the first picture of either.
        let saved = try pass.session.saveWorld()
        let next = try WorldSession(configuration: .init(intrinsics: Self.room.intrinsics))
        try next.loadWorld(saved)
        for (step, index) in [20, 21, 265, 266].enumerated() {
            let result = try next.process(
                Frame(
                    index: step, timestampNanoseconds: Int64(step) * Self.interval,
                    pixels: Self.room.frames[index].pixels))
            #expect(result.knownWorld == .found && result.worldFromCamera != nil, "picture \(index)")
        }
        // Afterwards all of it is one path.
        let refined = try pass.session.finish().entries
        let followed = results.filter { $0.worldFromCamera != nil }.map(\.frameIndex)
        #expect(refined.map(\.frameIndex) == followed)
        #expect(pass.error(refined.map { ($0.frameIndex, $0.worldFromCamera) }) < 0.01)
        #expect(Set(pass.session.surfaces.map(\.id)).count == pass.session.surfaces.count)
    }

    @Test func whatIsToldOfSurfacesAddsUpWhereWorldsMeetAndComeBack() throws {
        let back = try Pass(Self.room, (0..<75).map(Optional.init) + Self.dark + (60..<90).map(Optional.init))
        for pass in [try Self.meeting.get(), back] {
            var known: [Int: PlaneAnchor] = [:]
            for result in pass.results {
                // The surfaces of a world that is left are those of nothing that is seen.
                if result.didReset || result.didReturn { known = [:] }
                for event in result.surfaceEvents { known.follow(event) }
                #expect(Set(known.keys) == Set(result.surfaces.map(\.id)), "frame \(result.frameIndex)")
            }
            #expect(!known.isEmpty)
        }
    }

    @Test func twoThreadsMeetAsOneDoes() throws {
        let one = try Self.meeting.get()
        let two = try Pass(Self.room, Self.farAndBack, twoThreads: true)
        #expect(one.results.map(\.worldFromCamera) == two.results.map(\.worldFromCamera))
        #expect(one.results.map(\.absorbed) == two.results.map(\.absorbed))
        #expect(one.results.map(\.surfaces) == two.results.map(\.surfaces))
    }

    @Test func anotherPlaceIsAWorldOfItsOwnAndTheOldOneIsFoundAfterIt() throws {
        let order = (0..<60).map(Optional.init) + [Int?](repeating: nil, count: 200) + (45..<80).map(Optional.init)
        let pass = try Pass(Self.room, order, elsewhere: Self.otherRoom)
        let results = pass.results
        let there = results[60..<260]
        #expect(there.filter(\.didReset).count == 1 && !there.contains { $0.didReturn || $0.absorbed != nil })
        #expect(there.suffix(60).allSatisfy { $0.worldFromCamera != nil && $0.worldID > results[50].worldID })
        let back = try #require(results.firstIndex { $0.didReturn })
        #expect(back >= 260 && back < 275)
        #expect(pass.error(pass.poses(0..<results.count, world: results[50].worldID)) < 0.01)
    }

    @Test func aWorldThatIsGoneBackToHasTheCameraThatWasLearntElsewhere() throws {
        let order = (0..<40).map(Optional.init) + [Int?](repeating: nil, count: 250) + (25..<80).map(Optional.init)
        let pass = try Pass(Self.room, order, elsewhere: Self.otherRoom, focalFactor: 1.05)
        let results = pass.results
        #expect(results[39].intrinsics.source == .calibrated, "too little was seen for doubts")
        let back = try #require(results.firstIndex { $0.didReturn })
        #expect(results[back].worldID == results[30].worldID)
        let doubt = try #require(results.firstIndex { $0.intrinsics.source == .estimated })
        #expect(doubt < back && results[doubt].worldID > results[30].worldID)
        #expect(results[doubt...].allSatisfy { $0.intrinsics.source == .estimated })
        #expect(results[back].intrinsics == results[back - 1].intrinsics)
        #expect(abs(try #require(results.last).intrinsics.fx / Self.room.intrinsics.fx - 1) < 0.02)
        #expect(results[back...].allSatisfy { $0.worldFromCamera != nil })
        #expect(pass.error(pass.poses(0..<results.count, world: results[30].worldID)) < 0.01)
    }

    @Test func worldsThatMeetHaveOneCameraThoughOnlyOneDoubtedIt() throws {
        let pass = try Pass(Self.room, Self.farAndBack, focalFactor: 1.05)
        let results = pass.results
        let meeting = try #require(results.firstIndex { $0.absorbed != nil })
        let doubt = try #require(results.firstIndex { $0.intrinsics.source == .estimated })
        #expect(doubt < meeting && results[doubt].worldID == results[meeting - 1].worldID)
        #expect(results[doubt].worldID > results[70].worldID)
        #expect(results[meeting...].allSatisfy { $0.worldID == results[70].worldID && $0.worldFromCamera != nil })
        #expect(results[meeting...].allSatisfy { abs($0.intrinsics.fx / Self.room.intrinsics.fx - 1) < 0.01 })
        #expect(pass.error(pass.poses(0..<results.count, world: results[70].worldID)) < 0.02)
    }

    @Test func whatWasForgottenOnPurposeIsNotGoneBackTo() throws {
        let pass = try Pass(Self.room, (0..<60).map(Optional.init))
        try pass.session.reset()
        var results: [FrameResult] = []
        for step in 0..<60 {
            results.append(
                try pass.session.process(
                    Frame(
                        index: 60 + step, timestampNanoseconds: Int64(60 + step) * Self.interval,
                        pixels: Self.room.frames[step].pixels)))
        }
        #expect(!results.contains { $0.didReturn || $0.absorbed != nil })
        #expect(results.last?.worldFromCamera != nil && results.last!.worldID > pass.results[50].worldID)
    }
}
