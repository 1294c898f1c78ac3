import FootholdEvaluation
import FootholdScene
import Foundation
import Testing

@Suite struct ScoreTests {
    @Test func aPerfectSessionInAWorldOfItsOwnHasNoErrors() throws {
        let report = try RoomSession().evaluate()
        let sim3 = try #require(report.sim3)
        #expect(sim3.absolute.max < 1e-7)
        #expect(abs(sim3.scale - 2.5) < 1e-6)
        #expect(report.tracking.frames == 120)
        #expect(report.tracking.trackedFractionAfterFirst == 1)
        #expect(abs(try #require(report.tracking.secondsToFirst) - 0.2) < 1e-6)
        #expect(try #require(report.gravityErrorDegrees) < 1e-5)
        #expect(report.focalLengthError == 0)
        #expect(report.scaleError == nil)
        #expect(abs(try #require(report.secondsToFirstSurface) - 20.0 / 30) < 1e-6)
        let surfaces = try #require(report.surfaces)
        #expect(surfaces.precision == 1)
        #expect(surfaces.recall == 1)
        #expect(surfaces.expected == 3)
        #expect(Set(surfaces.matches.map(\.label)) == ["floor", "wall", "table"])
        #expect(try #require(surfaces.normalErrorDegrees) < 1e-4)
        #expect(try #require(surfaces.offsetErrorCentimetres) < 1e-3)
        let drift = try #require(report.poseDrift)
        #expect(drift.points > 30)
        #expect(drift.rmsPixels < 1e-4)
        #expect(try #require(drift.jitterPixels) < 1e-4)
        // The first view of a tracked frame at least a second after frame 6.
        #expect(abs(drift.startSeconds - 40.0 / 30) < 1e-6)
        #expect(try #require(report.placedDrift).rmsPixels < 1e-3)
        let object = try #require(report.objects.first)
        #expect(object.drift.rmsPixels < 1e-3)
        #expect(report.speed?.engine?.p99Milliseconds == 3)
        #expect(report.remarks.isEmpty)
    }

    @Test func wrongScaleShowsWhereTheSessionClaimsToKnowIt() throws {
        var session = RoomSession()
        session.scale = 1.1
        session.scaleSource = .inertial
        let report = try session.evaluate()
        #expect(abs(try #require(report.scaleError) - (1 - 1 / 1.1)) < 1e-6)
        // SE3 alignment leaves the surfaces 10 % too small.
        #expect(try #require(report.se3).absolute.rmse > 0.01)
        #expect(try #require(report.sim3).absolute.rmse < 1e-6)
    }

    @Test func whatIsSaidOfAnAssumedMetreIsScored() throws {
        var session = RoomSession()
        #expect(try session.evaluate().scaleError == nil)
        session.metresPerUnit = 1.02 * session.scale
        let report = try session.evaluate()
        #expect(abs(try #require(report.scaleError) - 0.02) < 1e-4)
        #expect(try #require(report.sim3).absolute.rmse < 1e-6)
    }

    @Test func aTurnedCameraDriftsByFocalLengthTimesAngle() throws {
        var session = RoomSession()
        session.poseError = { index in
            index > 40 ? Pose(rotation: Rotation(axis: .unitY, angleRadians: 0.004)) : .identity
        }
        let report = try session.evaluate()
        let drift = try #require(report.poseDrift)
        // 260 px × 0.004 is 1.04 px in the middle and more towards the sides.
        #expect(drift.rmsPixels > 1.04 && drift.rmsPixels < 1.25)
        // The error is constant, so neighbouring frames hardly differ.
        #expect(try #require(drift.jitterPixels) < 0.02)
    }

    @Test func aShakingCameraJittersTwiceItsError() throws {
        var session = RoomSession()
        session.poseError = { index in
            Pose(rotation: Rotation(axis: .unitY, angleRadians: index.isMultiple(of: 2) ? 0 : 0.002))
        }
        let drift = try #require(try session.evaluate().poseDrift)
        #expect(abs(try #require(drift.jitterPixels) - 0.52) < 0.1)
    }

    @Test func surfacesThatAreOffAreMeasuredOrRefused() throws {
        var session = RoomSession()
        session.found = Room.planes
        session.found[2].polygon = session.found[2].polygon.map { $0 + SIMD3(0, 0.03, 0) }
        var surfaces = try #require(try session.evaluate().surfaces)
        let table = try #require(surfaces.matches.first { $0.label == "table" })
        #expect(abs(table.offsetErrorCentimetres - 3) < 1e-3)

        session.found[2].polygon = session.found[2].polygon.map { $0 + SIMD3(0, 0.06, 0) }
        surfaces = try #require(try session.evaluate().surfaces)
        #expect(surfaces.missed == ["table"])
        #expect(surfaces.unmatchedIDs == [12])
        #expect(abs(try #require(surfaces.precision) - 2.0 / 3) < 1e-12)
        #expect(abs(try #require(surfaces.recall) - 2.0 / 3) < 1e-12)
    }

    @Test func aTiltBeyondTenDegreesIsNoMatch() throws {
        for (degrees, isMatch) in [(8.0, true), (12.0, false)] {
            var session = RoomSession()
            let turn = Rotation(axis: .unitX, angleRadians: degrees * .pi / 180)
            let middle = SIMD3(0, 0.7, -0.9)
            session.found[2].polygon = session.found[2].polygon.map { middle + turn * ($0 - middle) }
            let surfaces = try #require(try session.evaluate().surfaces)
            let match = surfaces.matches.first { $0.label == "table" }
            #expect((match != nil) == isMatch)
            if let match { #expect(abs(match.normalErrorDegrees - degrees) < 1e-3) }
        }
    }

    @Test func aSurfaceCountsOnce() throws {
        var session = RoomSession()
        var copy = Room.planes[0]
        copy.id = 7
        session.found.append(copy)
        let surfaces = try #require(try session.evaluate().surfaces)
        #expect(surfaces.precision == 0.75)
        #expect(surfaces.recall == 1)
    }

    @Test func whatIsKnownAfterTheLastFrameIsScoredBesideWhatWasKnownThen() throws {
        var session = RoomSession()
        let plain = try session.evaluate()
        #expect(plain.liveSurfaces == nil)
        session.found = [Room.planes[0]]
        session.foundInReview = Room.planes
        let report = try session.evaluate()
        #expect(report.surfaces?.recall == 1)
        #expect(abs(try #require(report.liveSurfaces?.recall) - 1.0 / 3) < 1e-12)
        // Nobody saw the object go.
        #expect(report.objects.map(\.placing) == plain.objects.map(\.placing))
        #expect(report.objects.map(\.drift) == plain.objects.map(\.drift))
        #expect(EvaluationTable.markdown([report]).contains("| 0.33 / 1.00 |"))
    }

    @Test func halfATableHasHalfTheIntersectionOverUnion() throws {
        var session = RoomSession()
        session.found = [Room.planes[2]]
        let whole = try #require(try session.evaluate().surfaces?.matches.first)
        #expect(whole.intersectionOverUnion > 0.97)
        #expect(abs(whole.overlapSquareMetres - 0.6) < 0.01)
        session.found[0].polygon = [
            SIMD3(-0.5, 0.7, -0.6), SIMD3(0, 0.7, -0.6), SIMD3(0, 0.7, -1.2), SIMD3(-0.5, 0.7, -1.2),
        ]
        let half = try #require(try session.evaluate().surfaces?.matches.first)
        #expect(abs(half.intersectionOverUnion - whole.intersectionOverUnion / 2) < 0.02)
        #expect(abs(half.overlapSquareMetres - 0.3) < 0.01)
    }

    @Test func anObjectThatIsPutTooDeepSlidesOverTheTable() throws {
        var session = RoomSession()
        // Under the table top: its pixel shows the table, which moves differently as the camera walks.
        session.objectPosition = SIMD3(0.1, 0.5, -0.8)
        let object = try #require(try session.evaluate().objects.first)
        #expect(object.drift.rmsPixels > 2)
        #expect(object.drift.observations == Room.frameCount - 20)
    }

    @Test func whereAnObjectComesToStandIsComparedWithTheTrueSurfaceUnderTheTap() throws {
        var session = RoomSession()
        let end = SIMD3(0.1, 0.7, -0.8)
        let eye = Room.truePose(session.surfaceFrame).position
        // Half way along the ray of the tap at first.
        let start = (eye + end) / 2
        session.objectPosition = start
        session.objectEnd = end
        let placing = try #require(try session.evaluate().objects.first?.placing)
        #expect(placing.surface == "table" && placing.wasEarly)
        #expect(abs(try #require(placing.secondsToSettle) - 10.0 / 30) < 1e-6)
        #expect(try #require(placing.settledError) < 1e-6)
        #expect(abs(placing.largestCorrectionSpeed - start.distance(to: end) * 3) < 1e-3)
        #expect(placing.largestSettledSpeed < 1e-6)
        // 2 cm above the table.
        session.objectEnd = end + SIMD3(0, 0.02, 0)
        let raised = try #require(try session.evaluate().objects.first?.placing)
        #expect(abs(try #require(raised.finalHeightError) - 0.02) < 1e-6)
        #expect(abs(try #require(raised.finalError) - 0.02) < 1e-6)
    }

    @Test func hintsAreJudgedByCauseAndTime() throws {
        var session = RoomSession()
        session.hints = [
            (.lookAround, 0.0, 0.6), (.insufficientLight, 1.4, 2.2), (.excessiveMotion, 3.2, nil),
        ]
        let report = try session.evaluate(
            failures:
                #"[{"start":1.0,"end":2.0,"kind":"insufficient_light"},{"start":2.0,"end":2.5,"kind":"no_translation"}]"#
        )
        let hints = try #require(report.hints)
        #expect(abs(try #require(hints.intervals[0].secondsToRightHint) - 0.4) < 1e-6)
        #expect(hints.intervals[1].secondsToRightHint == nil)
        // Excessive motion came up at 3.2 s, when nothing was wrong any more.
        #expect(hints.wrongHints == 1)
        #expect(abs(hints.calmMinutes - (119.0 / 30 - 1.5) / 60) < 1e-6)
        #expect(abs(try #require(hints.shortestSecondsOnScreen) - 0.6) < 1e-6)
    }

    @Test func lensesAreReadFromBothFolders() throws {
        let scratch = try Scratch()
        try Room.writeSequence(to: scratch, name: "room")
        try scratch.write(
            #"{"width":320,"height":240,"fx":260,"fy":261,"cx":159.5,"cy":119.5,"distortion_model":"radtan","#
                + #""k1":-0.2,"k2":0.05,"p1":0.001,"p2":-0.002}"#,
            to: "room/intrinsics.json")
        let truth = try SequenceTruth.load(scratch.url.appendingPathComponent("room"))
        let lens = CameraIntrinsics.Distortion.radialTangential(k1: -0.2, k2: 0.05, p1: 0.001, p2: -0.002, k3: 0)
        #expect(truth.intrinsics?.distortion == lens)
        #expect(truth.intrinsics?.fy == 261)

        try RoomSession().write(to: scratch.url.appendingPathComponent("out"))
        let line =
            #"{"type":"session","t":1.5,"event":"camera","width":320,"height":240,"fx":270,"fy":270,"cx":160,"cy":120,"#
            + #""distortion_model":"fisheye","k1":0.1,"k2":0.2,"k3":0.3,"k4":0.4,"source":"estimated"}"#
        let file = scratch.url.appendingPathComponent("out/session.jsonl")
        try (String(contentsOf: file, encoding: .utf8) + line + "\n").write(
            to: file, atomically: false, encoding: .utf8)
        let record = try SessionRecord.load(scratch.url.appendingPathComponent("out"))
        #expect(record.intrinsics(at: 1.4)?.fx == 260)
        #expect(record.intrinsics(at: 1.6)?.fx == 270)
        #expect(record.intrinsics(at: 1.6)?.distortion == .fisheye(k1: 0.1, k2: 0.2, k3: 0.3, k4: 0.4))
    }

    @Test func aSessionThatNeverTracksIsReportedWithoutErrors() throws {
        var session = RoomSession()
        session.firstTracked = Room.frameCount
        session.objectPosition = nil
        let report = try session.evaluate()
        #expect(report.tracking.trackedFraction == 0)
        #expect(report.tracking.secondsToFirst == nil)
        #expect(report.sim3 == nil)
        #expect(report.remarks.count == 1)
        #expect(EvaluationTable.markdown([report]).contains("–"))
    }

    @Test func aTruthOfAnotherTimeIsAnError() throws {
        let scratch = try Scratch()
        try Room.writeSequence(to: scratch, name: "room")
        try scratch.write("t,px,py,pz,qx,qy,qz,qw\n100,0,0,0,0,0,0,1\n101,1,0,0,0,0,0,1\n", to: "room/groundtruth.csv")
        let out = scratch.url.appendingPathComponent("out")
        try RoomSession().write(to: out)
        let room = scratch.url.appendingPathComponent("room")
        let error = #expect(throws: EvaluationError.self) {
            try Evaluator.evaluate(outputFolder: out, sequenceFolder: room)
        }
        let reason = "true poses are of the times of 0 of \(Room.frameCount) frames"
        #expect(error == .nothingToCompare(path: room.path, reason: reason))
    }

    @Test func aTruthOfAPartOfTheRecordingIsToldOf() throws {
        let scratch = try Scratch()
        try Room.writeSequence(to: scratch, name: "room")
        let room = scratch.url.appendingPathComponent("room")
        let truth = try String(contentsOf: room.appendingPathComponent("groundtruth.csv"), encoding: .utf8)
        let rows = truth.split(separator: "\n")
        try scratch.write(rows.prefix(1 + Room.frameCount / 2).joined(separator: "\n"), to: "room/groundtruth.csv")
        let out = scratch.url.appendingPathComponent("out")
        try RoomSession().write(to: out)
        let report = try Evaluator.evaluate(outputFolder: out, sequenceFolder: room)
        #expect(report.remarks == ["the true path lasts for \(Room.frameCount / 2) of \(Room.frameCount) frames"])
    }

    @Test func aReferenceByFrameIndexScoresPosesAlone() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try RoomSession().write(to: out)
        var rows = "frame,px,py,pz,qx,qy,qz,qw\n"
        for index in stride(from: 0, to: Room.frameCount, by: 8) {
            let p = Room.truePose(index).position
            rows += "\(index),\(p.x),\(p.y),\(p.z),0,0,0,1\n"
        }
        try scratch.write(rows, to: "clip_reference.csv")
        let report = try Evaluator.evaluate(
            outputFolder: out, referenceTrajectory: scratch.url.appendingPathComponent("clip_reference.csv"))
        #expect(report.sequence == "clip_reference")
        #expect(try #require(report.sim3).absolute.rmse < 1e-7)
        #expect(report.sim3?.pairs == 14)
        #expect(report.surfaces == nil)
        #expect(report.gravityErrorDegrees == nil)
    }

    @Test func tablesHoldEveryReportAndTheGoals() throws {
        let report = try RoomSession().evaluate()
        let table = EvaluationTable.markdown([report, report])
        let lines = table.split(separator: "\n")
        #expect(lines.count == 5)
        let columns = lines[0].split(separator: "|").count
        #expect(lines.allSatisfy { $0.split(separator: "|").count == columns })
        #expect(lines[2].hasPrefix("| room | 100.0 | 0.20 | 0.00 |"))
        #expect(lines[4].contains("≤ 0.06"))
        let text = EvaluationTable.text(report)
        #expect(text.contains("surface 12 is table"))
        let json = try JSONDecoder().decode(EvaluationReport.self, from: report.json())
        #expect(json == report)
    }
}
