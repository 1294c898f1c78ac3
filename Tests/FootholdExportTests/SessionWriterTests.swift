import FootholdExport
import Foundation
import Testing

@Suite struct SessionWriterTests {
    @Test func everyLineIsOneObjectWithTypeAndTimeInOrder() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        let lines = try Fixture.jsonLines(out.appendingPathComponent("session.jsonl"))
        let kinds = lines.map { "\($0["type"] ?? "") \($0["event"] ?? $0["kind"] ?? "")" }
        #expect(
            kinds == [
                "session started", "session camera", "frame ", "hint shown", "frame ", "frame ", "surface added",
                "hint hidden", "object placed", "feedback impact", "frame ", "surface merged", "surface updated",
                "surface removed", "session ended",
            ])
        let times = lines.compactMap { $0["t"] as? Double }
        #expect(times.count == lines.count)
        #expect(times == times.sorted())
    }

    @Test func framesSayWhatIsKnownAndNullWhatIsNot() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        let frames = try Fixture.jsonLines(out.appendingPathComponent("session.jsonl")).filter {
            $0["type"] as? String == "frame"
        }
        #expect(frames[0]["trackingState"] as? String == "limited")
        #expect(frames[0]["reason"] as? String == "initializing")
        #expect(frames[0]["worldFromCamera"] is NSNull)
        #expect(frames[1]["reason"] is NSNull)
        #expect(frames[1]["features"] as? Int == 120)
        let matrix = try #require(frames[2]["worldFromCamera"] as? [Double])
        for (written, expected) in zip(matrix, Fixture.pose(2).matrixColumns) {
            #expect(abs(written - expected) <= 0.5e-9)
        }
        let scale = try #require(frames[2]["scale"] as? [String: Any])
        #expect(scale["source"] as? String == "assumed")
        #expect(scale["confidence"] as? Double == 0.25)
        #expect(scale["metresPerUnit"] == nil)
    }

    @Test func howLongAMetreReallyIsIsWritten() throws {
        var result = Fixture.result(0)
        result.scale.metresPerUnit = 1.23456
        var lines = SessionLineFormatter()
        let text = String(decoding: lines.text(result), as: UTF8.self)
        #expect(text.contains(#""scale":{"source":"assumed","confidence":0.25,"metresPerUnit":1.2346}"#))
    }

    @Test func theTextOfAFrameIsStable() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        let text = try String(contentsOf: out.appendingPathComponent("session.jsonl"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines[0] == #"{"type":"session","t":0,"event":"started","source":"room \"1\".mp4"}"#)
        #expect(
            lines[2]
                == #"{"type":"frame","t":0,"index":0,"trackingState":"limited","reason":"initializing","#
                + #""worldFromCamera":null,"features":120,"light":{"intensity":0.5123,"direction":null,"#
                + #""color":[1,1,1]},"scale":{"source":"assumed","confidence":0.25}}"#)
        #expect(
            lines[3]
                == #"{"type":"hint","t":0,"event":"shown","id":1,"cause":"look_around","#
                + #""text":"천천히 둘러보세요","language":"ko"}"#)
        #expect(lines[4].hasPrefix(#"{"type":"frame","t":0.033333333,"index":1,"trackingState":"normal","#))
    }

    @Test func twoRunsGiveTheSameBytes() throws {
        let scratch = try Scratch()
        try Fixture.writeSession(to: scratch.url.appendingPathComponent("a"))
        try Fixture.writeSession(to: scratch.url.appendingPathComponent("b"))
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.appendingPathComponent("a").path)
        #expect(names.count == 6)
        for name in names {
            let a = try Data(contentsOf: scratch.url.appendingPathComponent("a/\(name)"))
            let b = try Data(contentsOf: scratch.url.appendingPathComponent("b/\(name)"))
            #expect(a == b, "\(name)")
        }
    }

    @Test func trajectoriesHaveComputerVisionAxesAndNineDecimals() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        let causal = try String(contentsOf: out.appendingPathComponent("trajectory.tum"), encoding: .utf8)
        let refined = try String(contentsOf: out.appendingPathComponent("trajectory_refined.tum"), encoding: .utf8)
        #expect(causal == refined)
        let rows = causal.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.count == 3)
        #expect(rows[0][0] == "0.033333333")
        #expect(rows[0][1] == "0.010000000")
        let numbers = rows[1].compactMap(Double.init)
        let pose = Pose(
            rotation: Rotation(x: numbers[4], y: numbers[5], z: numbers[6], w: numbers[7]),
            position: SIMD3(numbers[1], numbers[2], numbers[3]))
        // The camera's forward direction is +z there, and −z in the public frame.
        let forward = Fixture.pose(2).rotation * SIMD3(0, 0, -1)
        #expect((pose.rotation * .unitZ).distance(to: forward) < 1e-8)
        #expect((pose.rotation * .unitY).distance(to: Fixture.pose(2).rotation * SIMD3(0, -1, 0)) < 1e-8)
    }

    @Test func numbersThatAreNoNumbersBecomeNullAndKeepTheLineValid() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        let folder = try OutputFolder(at: out)
        let writer = try SessionWriter(folder: folder)
        var result = Fixture.result(0)
        result.worldFromCamera = Pose(rotation: .identity, position: SIMD3(.nan, .infinity, 1))
        result.light.intensity = .nan
        try writer.write(result)
        try writer.finish(refined: [], surfaces: [], objects: [], measurements: SessionMeasurements())
        try folder.commit()
        let text = try String(contentsOf: out.appendingPathComponent("session.jsonl"), encoding: .utf8)
        #expect(!text.contains("nan") && !text.contains("inf"))
        #expect(try Fixture.jsonLines(out.appendingPathComponent("session.jsonl")).count == 2)
        #expect(try Data(contentsOf: out.appendingPathComponent("trajectory.tum")).isEmpty)
    }

    @Test func aRefinedCameraIsWrittenAgainAndAnUnchangedOneIsNot() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        let folder = try OutputFolder(at: out)
        let writer = try SessionWriter(folder: folder)
        for index in 0..<4 {
            var result = Fixture.result(index)
            if index >= 2 { result.intrinsics.fx = 530 }
            result.didReset = index == 3
            result.didReturn = index == 1
            if index == 2 {
                result.absorbed = AbsorbedWorld(id: 2, scale: 2, pose: Pose(position: SIMD3(1, 2, 3)))
            }
            try writer.write(result)
        }
        try writer.finish(refined: [], surfaces: [], objects: [], measurements: SessionMeasurements())
        try folder.commit()
        let lines = try Fixture.jsonLines(out.appendingPathComponent("session.jsonl"))
        let cameras = lines.filter { $0["event"] as? String == "camera" }
        #expect(cameras.compactMap { $0["fx"] as? Double } == [525, 530])
        #expect(lines.filter { $0["event"] as? String == "reset" }.count == 1)
        #expect(lines.filter { $0["event"] as? String == "returned" }.count == 1)
        let joined = lines.filter { $0["event"] as? String == "joined" }
        #expect(
            joined.map { $0["worldFromAbsorbed"] as? [Double] } == [[2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1]])
    }

    @Test func surfacesAreWrittenInTheWorldWithTheirNormal() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        let data = try Data(contentsOf: out.appendingPathComponent("surfaces.json"))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((root["scale"] as? [String: Any])?["source"] as? String == "assumed")
        let surface = try #require((root["surfaces"] as? [[String: Any]])?.first)
        #expect(surface["normal"] as? [Double] == [0, 1, 0])
        #expect(surface["firstSeen"] as? Double == 1.2)
        let boundary = try #require(surface["boundary"] as? [[Double]])
        #expect(boundary.count == 6)
        #expect(boundary.allSatisfy { abs($0[1] - 0.72) < 1e-9 })
        // Counter-clockwise seen from above: the area vector points along the normal.
        var area = SIMD3<Double>.zero
        for (a, b) in zip(boundary, boundary.dropFirst() + boundary.prefix(1)) {
            area += SIMD3(a[0], a[1], a[2]).cross(SIMD3(b[0], b[1], b[2])) / 2
        }
        #expect(abs(area.y - 3) < 1e-5)
    }

    @Test func theSummaryCountsWhatHappened() throws {
        let scratch = try Scratch()
        let out = scratch.url.appendingPathComponent("out")
        try Fixture.writeSession(to: out)
        let data = try Data(contentsOf: out.appendingPathComponent("summary.json"))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(root["frames"] as? Int == 4)
        #expect(root["trackedFrames"] as? Int == 3)
        #expect(root["trackedFraction"] as? Double == 0.75)
        #expect(root["secondsToFirstTracking"] as? Double == 0.033333)
        #expect(root["secondsToFirstSurface"] as? Double == 0.066667)
        let stage = try #require((root["stages"] as? [[String: Any]])?.first)
        #expect(stage["meanMilliseconds"] as? Double == 4)
        #expect(stage["medianMilliseconds"] as? Double == 2)
        #expect(stage["p99Milliseconds"] as? Double == 10)
    }
}
