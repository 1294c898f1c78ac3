import FootholdEvaluation
import FootholdScene
import Foundation
import Testing

/// Which true surfaces count as seen.
@Suite struct SeenPlanesTests {
    private static let camera = CameraIntrinsics(width: 160, height: 120, fx: 100, fy: 100, cx: 79.5, cy: 59.5)

    /// A wall one metre before a camera that doesn't move, and a sheet 1.5 cm before it that covers so many pixels from
    /// a corner of the picture on, for more than two seconds: which of them are expected to be found.
    private func expected(sheetOf columns: Int, by rows: Int) throws -> [String] {
        let pixels = Self.camera.width * Self.camera.height
        var depths = [Float](repeating: 1, count: pixels)
        for row in 0..<rows {
            for column in 0..<columns { depths[row * Self.camera.width + column] = 0.985 }
        }
        func rectangle(_ label: String, _ depth: Double, _ columns: Int, _ rows: Int) -> TruePlane {
            let (right, below) = (Double(columns) - 0.5, Double(rows) - 0.5)
            let corners = [SIMD2(-0.5, -0.5), SIMD2(right, -0.5), SIMD2(right, below), SIMD2(-0.5, below)]
                .map { depth * Self.camera.unproject($0) }
            return TruePlane(
                id: 0, label: label, normal: SIMD3(0, 0, -1), point: corners[0], polygon: corners, area: 1,
                seenDepthFrames: nil)
        }
        let sheet = rectangle("sheet", 0.985, columns, rows)
        let wall = rectangle("wall", 1, Self.camera.width, Self.camera.height)
        return try score([], planes: [sheet, wall], camera: Self.camera, depths: depths).missed
    }

    /// Scores what was found by a camera that sees the same for more than two seconds.
    private func score(
        _ found: [SessionRecord.Surface], planes: [TruePlane], camera: CameraIntrinsics, depths: [Float]
    ) throws -> SurfaceScore {
        let frames = stride(from: 0, through: 60, by: 10).map { (index: $0, seconds: Double($0) / 30) }
        var truth = SequenceTruth(
            name: "", folder: URL(fileURLWithPath: "/"),
            trajectory: Trajectory(frames.map { .init(seconds: $0.seconds, worldFromCamera: .identity) }),
            intrinsics: camera, planes: planes, failures: nil, up: .unitY, depthFrames: frames.map(\.index))
        for frame in frames { truth.depthPictures[frame.index] = DepthPicture(intrinsics: camera, depths: depths) }
        return try #require(
            try SurfaceScore.score(surfaces: found, firstSeconds: [:], truth: truth, frames: frames))
    }

    /// At this size of picture five pixels are eighty of 640 × 480; every second one both ways is asked.
    @Test func aSliverIsNotSeen() throws {
        #expect(try expected(sheetOf: 2, by: 2) == ["wall"])
        #expect(try expected(sheetOf: 4, by: 4) == ["sheet", "wall"])
    }

    @Test func whatIsHiddenCloselyIsNotSeen() throws {
        #expect(try expected(sheetOf: Self.camera.width, by: Self.camera.height) == ["sheet"])
    }

    /// A wall beside the camera that goes from 0.81 to 2 m away, and a board 0.8 m away that covers it up to 1.43 m: near
    /// the wall's plane, but not within its outline.
    @Test func whatCrossesAPlaneHidesWhatIsBehind() throws {
        let camera = CameraIntrinsics(width: 320, height: 240, fx: 400, fy: 400, cx: 159.5, cy: 119.5)
        let (beside, firstHidden) = (0.05, 174)
        let depths = (0..<camera.width * camera.height).map { pixel -> Float in
            let column = pixel % camera.width
            if column >= firstHidden { return 0.8 }
            let away = beside * camera.fx / (Double(column) - camera.cx)
            return away > 0 && away < 2 ? Float(away) : 5
        }
        let corners = [SIMD2(0.81, -0.1), SIMD2(0.81, 0.1), SIMD2(2, 0.1), SIMD2(2, -0.1)]
            .map { SIMD3(beside, $0.y, $0.x) }
        let wall = TruePlane(
            id: 0, label: "wall", normal: SIMD3(-1, 0, 0), point: corners[0], polygon: corners, area: 0.238,
            seenDepthFrames: 7)
        let found = SessionRecord.Surface(
            id: 1, alignment: "vertical", classification: "wall", normal: wall.normal, boundary: corners)
        let score = try score([found], planes: [wall], camera: camera, depths: depths)
        let match = try #require(score.matches.first)
        let nearestShown = beside * camera.fx / (Double(firstHidden) - 0.5 - camera.cx)
        #expect(abs(match.intersectionOverUnion - (2 - nearestShown) / (2 - 0.81)) < 0.03)
    }

    /// Another unit, a typing error or a wrong order of numbers is told of, with the plane's number.
    @Test(arguments: [
        (1000.0, "[0,0,1]", "[0,0,0]", "3162 m wide"), (1, "[0,0,0]", "[0,0,0]", "without a direction"),
        (1, "[0,1]", "[0,0,0]", "three numbers"), (1, "[1,0,0]", "[0,0,0]", "don't lie on it"),
        (1, "[0,0,1]", "[0,0,1]", "don't lie on it"), (0, "[0,0,1]", "[0,0,0]", "no area"),
    ])
    func aPlaneThatCannotBeOneIsNamed(scale: Double, normal: String, point: String, reason: String) throws {
        let scratch = try Scratch()
        let polygon = "[[0,0,0],[\(3 * scale),0,0],[\(3 * scale),\(scale),0]]"
        let good = #"{"id":4,"normal":[0,0,1],"point":[0,0,0],"polygon":[[0,0,0],[3,0,0],[3,1,0]],"area_m2":1.5}"#
        let bad = #"{"id":7,"normal":\#(normal),"point":\#(point),"polygon":\#(polygon),"area_m2":1.5}"#
        try scratch.write(#"{"planes":[\#(good)]}"#, to: "good/planes.json")
        #expect(try SequenceTruth.load(scratch.url.appendingPathComponent("good")).planes.count == 1)
        try scratch.write(#"{"planes":[\#(good),\#(bad)]}"#, to: "bad/planes.json")
        let error = #expect(throws: EvaluationError.self) {
            try SequenceTruth.load(scratch.url.appendingPathComponent("bad"))
        }
        let text = try #require(error?.description)
        #expect(text.contains("planes.json (plane 7 ") && text.contains(reason), "\(text)")
    }

    @Test func scoringStopsWhenItIsAskedTo() throws {
        let scratch = try Scratch()
        try Room.writeSequence(to: scratch, name: "room")
        let truth = try SequenceTruth.load(scratch.url.appendingPathComponent("room"))
        let results = scratch.url.appendingPathComponent("results")
        try RoomSession().write(to: results)
        let record = try SessionRecord.load(results)
        #expect(try Evaluator.evaluate(record: record, truth: truth).surfaces != nil)
        #expect(throws: EvaluationError.stopped) {
            try Evaluator.evaluate(record: record, truth: truth, isStopped: { true })
        }
    }
}
