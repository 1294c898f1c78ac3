import FootholdEvaluation
import Foundation
import Testing

/// Compares with numbers that the `evo` tool gave for the same files (`Fixtures/make_evo_reference.py`).
@Suite struct EvoAgreementTests {
    private func expectAgreement(
        _ statistics: ErrorStatistics?, _ expected: [String: Any], _ key: String, tolerance: Double = 1e-6
    ) throws {
        let statistics = try #require(statistics)
        let numbers = try #require(expected[key] as? [String: Double])
        let pairs: [(String, Double)] = [
            ("rmse", statistics.rmse), ("mean", statistics.mean), ("median", statistics.median),
            ("standardDeviation", statistics.standardDeviation), ("min", statistics.min), ("max", statistics.max),
        ]
        for (name, value) in pairs {
            let other = try #require(numbers[name])
            #expect(abs(value - other) < tolerance, "\(key) \(name): \(value), evo \(other)")
        }
    }

    @Test(arguments: ["space", "flat", "sparse"])
    func errorsAgreeWithEvo(name: String) throws {
        let data = try Data(contentsOf: fixture("evo_reference.json"))
        let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let expected = try #require(all[name] as? [String: Any])
        let reference = try TrajectoryReader.tum(at: fixture("\(name)_reference.tum"))
        let estimate = try TrajectoryReader.tum(at: fixture("\(name)_estimate.tum"))
        for kind in [AlignmentKind.none, .se3, .sim3] {
            let figures = try #require(expected[kind.rawValue] as? [String: Any])
            let comparison = try #require(
                TrajectoryComparison(estimate: estimate, reference: reference, alignment: kind))
            #expect(comparison.pairs.count == expected["pairs"] as? Int)
            try expectAgreement(ErrorStatistics(comparison.absoluteErrors), figures, "absolute")
            try expectAgreement(
                ErrorStatistics(comparison.absoluteRotationErrors), figures, "absoluteRotationRadians")
            for step in [1, 4] {
                let relative = comparison.relativeErrors(step: step)
                try expectAgreement(ErrorStatistics(relative.map(\.translation)), figures, "relative\(step)")
                try expectAgreement(
                    ErrorStatistics(relative.map(\.rotation)), figures, "relativeRotationRadians\(step)")
            }
            if kind == .sim3 {
                let factor = try #require(expected["scale"] as? Double)
                #expect(abs(comparison.referenceFromEstimate.scale - factor) < 1e-9)
            }
        }
    }
}
