import ArgumentParser
import Foothold
import Foundation

struct BenchDepthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "depth",
        abstract: "Measures the depth that objects are hidden by, on sequences that have depth pictures.")

    @Argument(help: "Sequence folders, or folders of them.")
    var folders: [String] = []

    @Option(parsing: .unconditional, help: "Random worlds of each situation beside them.")
    var worlds = 0

    @OptionGroup var chosen: MadeUpWorldOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (0...1000).contains(worlds) else { throw ValidationError("--worlds has to be 0 to 1000") }
        guard worlds > 0 || !folders.isEmpty else { throw ValidationError("name a sequence folder, or give --worlds") }
    }

    func run() throws {
        let interrupts = Interrupts()
        try telling {
            print(json ? try JSONOutput.text(["depth": $0]) : table($0))
        } measured: { figures in
            try measure(interrupts.cancellation, &figures)
        }
    }

    private func measure(_ cancellation: Cancellation, _ figures: inout [DepthBenchmark.Figures]) throws {
        for folder in try folders.flatMap({ try SequenceFolders.sequences(at: $0) }) {
            let bar = ProgressBar(label: folder.lastPathComponent)
            defer { bar.finish() }
            figures.append(
                try DepthBenchmark.run(folder: folder, cancellation: cancellation) { bar.update(done: $0, total: $1) })
        }
        guard worlds > 0 else { return }
        let bar = ProgressBar(label: "worlds")
        defer { bar.finish() }
        let ofWorlds = try DepthBenchmark.run(
            seed: chosen.seed, perTrial: worlds, only: chosen.only, cancellation: cancellation
        ) { bar.update(done: $0, total: $1) }
        guard !ofWorlds.isEmpty else { throw chosen.isOfNothing }
        figures += ofWorlds
    }

    private func table(_ figures: [DepthBenchmark.Figures]) -> String {
        var table = MarkdownTable(columns: [
            "sequence", "maps", "known, %", "error median, %", "90th", "> 10 % wrong", "within deviation, %",
            "wrongly shown, %", "wrongly hidden, %", "flicker, %", "depth ms", "median", "engine ms",
        ])
        for row in figures {
            table.add([
                row.name, "\(row.maps)", percent(row.knownShare), percent(row.medianError), percent(row.ninetiethError),
                percent(row.wrongShare), percent(row.withinDeviation), percent(row.wronglyShown),
                percent(row.wronglyHidden), percent(row.flicker), decimal(row.depthMilliseconds),
                decimal(row.medianDepthMilliseconds),
                decimal(row.engineMilliseconds),
            ])
        }
        return table.text
    }

    private func percent(_ share: Double?) -> String { share.map { String(format: "%.2f", 100 * $0) } ?? "–" }

    private func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
}
