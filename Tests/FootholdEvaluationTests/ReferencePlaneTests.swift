import FootholdEvaluation
import FootholdScene
import Foundation
import Testing

/// Planes that are known without an extent (`planes_reference.json`).
@Suite struct ReferencePlaneTests {
    /// The table from below, the wall, and a shelf that isn't there; one plane isn't of length one.
    static let file = """
        {"planes": [{"label": "table", "normal": [0, -1, 0], "d": -0.7}, {"label": "wall", "normal": [0, 0, 2], "d": -4},
         {"label": "shelf", "normal": [0, 1, 0], "d": 1.2}]}
        """

    @Test func surfacesOfAPerfectSessionLieOnThem() throws {
        let scores = try RoomSession().evaluate(referencePlanes: Self.file).referencePlanes
        #expect(scores.map(\.label) == ["table", "wall", "shelf"])
        // Surfaces are those of the session: ids count from 10.
        #expect(scores.map(\.surfaceID) == [12, 11, nil])
        for score in scores.prefix(2) {
            #expect(try #require(score.angleDegrees) < 1e-3)
            #expect(try #require(score.offsetCentimetres) < 1e-3)
        }
        #expect(scores.map(\.isFound) == [true, true, false])
    }

    @Test func aSurfaceThatLeansOrLiesTooHighIsNotFound() throws {
        var session = RoomSession()
        // The table leans by atan(0.05 / 0.6), its middle stays 2.5 cm too high; the wall is 6 cm before its place.
        session.found[2].polygon[2].y += 0.05
        session.found[2].polygon[3].y += 0.05
        for corner in session.found[1].polygon.indices { session.found[1].polygon[corner].z += 0.06 }
        let scores = try session.evaluate(referencePlanes: Self.file).referencePlanes
        #expect(abs(try #require(scores[0].angleDegrees) - atan(0.05 / 0.6) * 180 / .pi) < 1e-3)
        #expect(abs(try #require(scores[0].offsetCentimetres) - 2.5) < 1e-3)
        #expect(abs(try #require(scores[1].offsetCentimetres) - 6) < 1e-3)
        #expect(scores.map(\.isFound) == [false, false, false])
    }

    @Test func theTextSaysWhichAreMissed() throws {
        let text = EvaluationTable.text(try RoomSession().evaluate(referencePlanes: Self.file))
        #expect(text.contains("reference table: surface 12, 0.00°, 0.0 cm\n"))
        #expect(text.contains("reference shelf: no surface near it"))
    }

    @Test func aRecordingWithoutThemHasNone() throws {
        #expect(try RoomSession().evaluate().referencePlanes.isEmpty)
    }
}
