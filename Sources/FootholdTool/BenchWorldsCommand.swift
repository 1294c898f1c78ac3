import ArgumentParser
import Foothold
import Foundation

struct BenchWorldsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worlds",
        abstract: "Follows the camera and finds surfaces in random made-up worlds whose truth is known exactly.")

    @Option(parsing: .unconditional, help: "Worlds of each of the thirty-six situations.")
    var each = 10

    @OptionGroup var chosen: MadeUpWorldOptions

    @Flag(help: "Let the camera have an inertial sensor.")
    var inertial = false

    @Flag(help: "Print every world as JSON.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(each) else { throw ValidationError("--each has to be 1 to 1000") }
    }

    func run() throws {
        let interrupts = Interrupts()
        let bar = ProgressBar(label: "worlds")
        defer { bar.finish() }
        let outcomes = try WorldsBenchmark.run(
            seed: chosen.seed, perTrial: each, only: chosen.only, hasInertialSensor: inertial,
            cancellation: interrupts.cancellation
        ) { bar.update(done: $0, total: $1) }
        bar.finish()
        guard !outcomes.isEmpty else { throw chosen.isOfNothing }
        print(json ? try JSONOutput.text(["worlds": outcomes]) : table(outcomes))
    }

    private func table(_ outcomes: [WorldsBenchmark.Outcome]) -> String {
        paths(outcomes) + "\n\nSurfaces at the last frame:\n\n" + surfaces(outcomes, \.liveSurfaces)
            + "\n\nSurfaces after all was looked at once more:\n\n" + surfaces(outcomes, \.surfaces)
    }

    private func paths(_ outcomes: [WorldsBenchmark.Outcome]) -> String {
        var table = MarkdownTable(columns: [
            "situation", "worlds", "with a pose", "first pose, s", "tracked, %", "ATE median, cm", "worst, cm",
            "median, % of path", "refined median, cm", "false normal, %", "started over", "focal length, %",
            "placed drift median, px", "engine mean, ms",
        ])
        for (name, group) in groups(outcomes) { table.add(row(name, group)) }
        return table.text
    }

    private func surfaces(
        _ outcomes: [WorldsBenchmark.Outcome], _ figures: KeyPath<WorldsBenchmark.Outcome, SurfaceFigures?>
    ) -> String {
        var table = MarkdownTable(columns: [
            "situation", "precision", "recall", "normal, °", "offset, cm", "IoU", "first, s", "latest first, s",
            "beyond mirrors",
        ])
        for (name, group) in groups(outcomes) {
            let all = group.compactMap { $0[keyPath: figures] }
            guard !all.isEmpty else { continue }
            func sum(_ value: (SurfaceFigures) -> Int) -> Int { all.map(value).reduce(0, +) }
            // Means over surfaces, not over worlds.
            func mean(_ value: (SurfaceFigures) -> Double?) -> Double? {
                let total = all.reduce(0) { $0 + (value($1) ?? 0) * Double($1.right) }
                return sum(\.right) > 0 ? total / Double(sum(\.right)) : nil
            }
            let first = all.compactMap(\.secondsToFirst)
            table.add([
                name, "\(sum(\.right)) of \(sum(\.found))", "\(sum(\.hit)) of \(sum(\.expected))",
                text(mean(\.normalErrorDegrees), 2), text(mean(\.offsetErrorCentimetres), 2),
                text(mean(\.intersectionOverUnion), 2), text(median(first), 2), text(first.max(), 2),
                "\(sum(\.beyondMirrors))",
            ])
        }
        return table.text
    }

    /// The outcomes of each situation, then all together.
    private func groups(_ outcomes: [WorldsBenchmark.Outcome]) -> [(name: String, outcomes: [WorldsBenchmark.Outcome])]
    {
        var names: [String] = []
        for outcome in outcomes where !names.contains(outcome.trial) { names.append(outcome.trial) }
        let each = names.map { name in (name, outcomes.filter { $0.trial == name }) }
        return names.count > 1 ? each + [("all", outcomes)] : each
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
            text(median(posed.compactMap(\.placedDrift?.rmsPixels)), 2),
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
