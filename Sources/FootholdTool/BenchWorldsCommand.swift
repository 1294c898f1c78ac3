import ArgumentParser
import Foothold
import Foundation

struct BenchWorldsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worlds",
        abstract: "Follows the camera through random made-up worlds whose truth is known exactly.")

    @Option(help: "Worlds of each of the twenty situations.")
    var each = 10

    @Option(help: "Seed of the first world; another one gives other worlds.")
    var seed: UInt64 = 50_000

    @Option(help: "Only situations whose name holds this, such as “room”.")
    var only: String?

    @Flag(help: "Print every world as JSON.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(each) else { throw ValidationError("--each has to be 1 to 1000") }
    }

    func run() throws {
        let interrupts = Interrupts(endNow: {})
        let bar = ProgressBar(label: "worlds")
        let outcomes = try WorldsBenchmark.run(
            seed: seed, perTrial: each, only: only, cancellation: interrupts.cancellation
        ) { bar.update(done: $0, total: $1) }
        bar.finish()
        guard !outcomes.isEmpty else { throw ValidationError("no situation's name holds “\(only ?? "")”") }
        print(json ? try JSONOutput.text(["worlds": outcomes]) : table(outcomes))
    }

    private func table(_ outcomes: [WorldsBenchmark.Outcome]) -> String {
        var table = MarkdownTable(columns: [
            "situation", "worlds", "with a pose", "first pose, s", "tracked, %", "ATE median, cm", "worst, cm",
            "median, % of path", "refined median, cm", "false normal, %", "started over", "focal length, %",
            "engine mean, ms",
        ])
        var names: [String] = []
        for outcome in outcomes where !names.contains(outcome.trial) { names.append(outcome.trial) }
        for name in names { table.add(row(name, outcomes.filter { $0.trial == name })) }
        if names.count > 1 { table.add(row("all", outcomes)) }
        return table.text
    }

    private func row(_ name: String, _ outcomes: [WorldsBenchmark.Outcome]) -> [String] {
        let posed = outcomes.filter { $0.firstSeconds != nil }
        func share(_ value: KeyPath<WorldsBenchmark.Outcome, Double>) -> Double {
            posed.isEmpty ? 0 : 100 * posed.map { $0[keyPath: value] }.reduce(0, +) / Double(posed.count)
        }
        let errors = posed.compactMap(\.errorCentimetres)
        return [
            name, "\(outcomes.count)", "\(posed.count)", text(median(posed.compactMap(\.firstSeconds)), 2),
            text(posed.isEmpty ? nil : share(\.trackedShare), 1), text(median(errors), 2), text(errors.max(), 2),
            text(median(posed.compactMap(\.errorShareOfPath)).map { 100 * $0 }, 3),
            text(median(posed.compactMap(\.refinedCentimetres)), 2),
            text(posed.isEmpty ? nil : share(\.falseNormalShare), 2), "\(outcomes.map(\.resets).reduce(0, +))",
            text(median(posed.compactMap(\.focalRatio).map { 100 * abs($0 - 1) }), 2),
            text(outcomes.map(\.meanMilliseconds).reduce(0, +) / Double(outcomes.count), 2),
        ]
    }

    private func median(_ values: [Double]) -> Double? {
        let sorted = values.sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    private func text(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "–"
    }
}
