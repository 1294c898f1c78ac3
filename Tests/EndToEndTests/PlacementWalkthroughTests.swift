import Foothold
import Foundation
import Testing

/// The walk-through of docs/placement.md, as it is there, on a world that is drawn for it.
@Suite struct PlacementWalkthroughTests {
    /// A session that has seen the sample for a while.
    private func session(language: String = "en") throws -> (SceneSession, any FrameSource) {
        let source = try FrameSources.open(Clips.sample.path)
        var options = SceneSession.Options()
        options.language = language
        return (try SceneSession(source: source.info, options: options), source)
    }

    @Test func whatIsOnItsWayAtTheEndStandsOnItsSurfaceAfterTheReview() throws {
        let (session, source) = try session()
        for index in 0..<45 {
            let frame = try #require(try source.nextFrame())
            // Before anything is known, and just before the end, on a wall and on the desk.
            if index == 6 { session.place(.box, atPixel: SIMD2(320, 290)) }
            if index == 43 {
                session.place(.cylinder, atPixel: SIMD2(130, 380))
                session.place(.box, atPixel: SIMD2(560, 60))
            }
            _ = try session.process(frame)
        }
        let review = try #require(try session.review())
        let standing = session.objects.filter { $0.surfaceID != nil }
        #expect(standing.count >= 2)
        for object in standing {
            let surface = try #require(session.anchors.first { $0.id == object.surfaceID })
            #expect(
                abs((object.worldFromObject.position - surface.worldFromSurface.position).dot(surface.normal)) < 1e-9)
            #expect((object.worldFromObject.rotation * .unitY).distance(to: surface.normal) < 1e-9)
            #expect(object.scale == 1)
        }
        // What was told last is what is.
        for event in review.objectEvents.reversed() where event.object.id == standing[0].id {
            #expect(event.object == standing[0])
            break
        }
    }

    @Test func theStepsOfTheWalkthroughWork() throws {
        let (session, source) = try session()
        var scene: SceneFrame?
        func frames(_ count: Int) throws {
            for _ in 0..<count { if let frame = try source.nextFrame() { scene = try session.process(frame) } }
        }
        try frames(45)
        // Where does this point of the picture lead?
        let pixel = SIMD2(300.0, 330.0)
        let query = try #require(session.raycastQuery(from: pixel, allowing: .existingPlaneGeometry))
        let hit = try #require(session.raycast(query).first)
        #expect(session.anchors.contains { $0.id == hit.surfaceID })
        // Put something there.
        session.place(.cylinder, at: hit)
        try frames(1)
        let object = try #require(scene?.objects.first)
        #expect(scene?.objectEvents.first?.kind == .placed && object.surfaceID == hit.surfaceID)
        #expect(session.undoTitle == "Undo Add Cylinder" && session.redoTitle == nil)
        // Fingers.
        let foot = try #require(
            scene.flatMap { scene in
                scene.result.worldFromCamera.flatMap {
                    scene.result.intrinsics.project(worldPoint: object.worldFromObject.position, worldFromCamera: $0)
                }
            })
        let time = try #require(scene?.result.timestampNanoseconds)
        session.touch(Touch(id: 1, pixel: foot, timestampNanoseconds: time, phase: .began))
        for step in 1...6 {
            let touch = Touch(
                id: 1, pixel: foot + SIMD2(8 * Double(step), 0),
                timestampNanoseconds: time + Int64(step) * 16_000_000, phase: .moved)
            session.touch(touch)
        }
        session.touch(
            Touch(id: 1, pixel: foot + SIMD2(48, 0), timestampNanoseconds: time + 110_000_000, phase: .ended))
        try frames(1)
        #expect(scene?.objectEvents.contains { $0.kind == .moved } == true)
        #expect(scene?.objects.first?.isSelected == true && scene?.marks.isEmpty == false)
        #expect(session.undoTitle == "Undo Move Cylinder")
        // Back.
        session.undo()
        try frames(30)
        let back = try #require(scene?.objects.first)
        #expect(back.worldFromObject.position.distance(to: object.worldFromObject.position) < 0.02)
        #expect(session.redoTitle == "Redo Move Cylinder")
        // Keep it, and bring it back.
        let saved = try session.save().data()
        session.removeAll()
        try frames(1)
        #expect(scene?.objects.isEmpty == true && scene?.objectEvents.map(\.kind) == [.removed])
        session.restore(try SavedScene(data: saved))
        try frames(1)
        #expect(scene?.objects.map(\.id) == [object.id])
    }

    @Test func undoIsNamedInKoreanToo() throws {
        let (session, source) = try session(language: "ko")
        session.place(.chair, atPixel: SIMD2(300, 330))
        for _ in 0..<20 { if let frame = try source.nextFrame() { _ = try session.process(frame) } }
        #expect(session.undoTitle == "의자 추가 취소")
        session.undo()
        #expect(session.redoTitle == "의자 다시 추가")
    }

    @Test func beforeTheFirstFrameNothingGoesWrong() throws {
        let (session, _) = try session()
        #expect(session.raycastQuery(from: SIMD2(10, 10)) == nil && session.anchors.isEmpty)
        session.undo()
        session.redo()
        session.select(4)
        session.remove(4)
        session.removeAll()
        session.touch(Touch(id: 1, pixel: SIMD2(100, 100), timestampNanoseconds: 0, phase: .began))
        #expect(session.objects.isEmpty && session.undoTitle == nil)
    }
}
