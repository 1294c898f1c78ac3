import ArgumentParser
import Foothold
import Foundation

struct BenchHintsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hints",
        abstract: "Measures on made-up recordings of every failure whether the right hint comes, and how soon.",
        discussion:
            "Goals: the cause named right in 95 of 100, after half a second (one at worst), no wrong hint while "
            + "all is calm, 0.05 ms a frame.")

    @Option(parsing: .unconditional, help: "How many recordings of each failure.")
    var seeds = 6

    @Option(parsing: .unconditional, help: "The first recording's seed. The rules were fitted on seeds below 100.")
    var firstSeed: UInt64 = 100

    @Option(name: .customLong("kind"), help: "Only this failure, such as too_bright, or calm; may be repeated.")
    var kinds: [HintBenchmark.Kind] = []

    @Flag(help: "Print every recording and what was shown in it.")
    var verbose = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...1000).contains(seeds) else { throw ValidationError("--seeds has to be 1 to 1000") }
        guard firstSeed <= UInt64.max - UInt64(seeds) else {
            throw ValidationError("--first-seed has to be \(UInt64.max - UInt64(seeds)) at most")
        }
    }

    func run() throws {
        let interrupts = Interrupts()
        // It is told from several threads, but from one at a time.
        nonisolated(unsafe) let bar = ProgressBar(label: "hints")
        defer { bar.finish() }
        let figures = try HintBenchmark.run(
            seeds: firstSeed..<(firstSeed + UInt64(seeds)),
            kinds: kinds.isEmpty ? HintBenchmark.Kind.allCases : kinds, cancellation: interrupts.cancellation
        ) { bar.update(done: $0, total: $1) }
        bar.finish()
        guard !json else { return print(try JSONOutput.text(["hints": figures])) }
        show(figures, verbose: verbose)
    }

    func show(_ figures: HintBenchmark.Figures, verbose: Bool) {
        if verbose { figures.sequences.forEach(tell) }
        print(confusion(figures))
        print("")
        print(summary(figures))
    }

    private func tell(_ sequence: HintBenchmark.Sequence) {
        let interval = sequence.startSeconds.map { "\(decimal($0))–\(decimal(sequence.endSeconds ?? 0)) s" } ?? "calm"
        let onset = sequence.onsetSeconds.map { "after \(decimal($0)) s" } ?? "-"
        print(
            "\(sequence.kind) \(sequence.seed) (\(sequence.variant)) \(interval): named "
                + "\(sequence.named?.rawValue ?? "none") \(onset), coped \(decimal(sequence.copedShare))")
        for showing in sequence.showings {
            print(
                "    \(decimal(showing.shownSeconds))–\(showing.hiddenSeconds.map(decimal) ?? "end") "
                    + "\(showing.cause.rawValue): \(showing.text)")
        }
    }

    /// Rows: what went wrong. Columns: what was named.
    private func confusion(_ figures: HintBenchmark.Figures) -> String {
        let rows = HintBenchmark.Kind.allCases.map(\.rawValue).filter { figures.confusion[$0] != nil }
        let named = Set(figures.confusion.values.flatMap(\.keys))
        let columns =
            HintBenchmark.Kind.allCases.map(\.rawValue).filter(named.contains)
            + named.subtracting(HintBenchmark.Kind.allCases.map(\.rawValue)).sorted()
        var table = MarkdownTable(columns: ["what went wrong", "recordings"] + columns)
        for row in rows {
            let counts = figures.confusion[row] ?? [:]
            table.add(
                [row, "\(counts.values.reduce(0, +))"] + columns.map { counts[$0].map(String.init) ?? "" })
        }
        return table.text
    }

    private func summary(_ figures: HintBenchmark.Figures) -> String {
        var table = MarkdownTable(columns: ["what", "measured", "goal"])
        table.add(["cause named right", percent(figures.namedRightShare), "≥ 95 %"])
        table.add(["… where the engine was in trouble", percent(figures.namedRightShareOfTroubled), ""])
        table.add(["right hint after, median s", figures.medianOnsetSeconds.map(decimal) ?? "-", "≤ 0.5"])
        table.add(["right hint after, worst s", figures.worstOnsetSeconds.map(decimal) ?? "-", "≤ 1"])
        table.add([
            "… from when it might be spoken of, median s", figures.medianFreeOnsetSeconds.map(decimal) ?? "-", "≤ 0.5",
        ])
        table.add([
            "… from when it might be spoken of, worst s", figures.worstFreeOnsetSeconds.map(decimal) ?? "-", "≤ 1",
        ])
        table.add(["wrong hints per calm minute", decimal(figures.wrongHintsPerCalmMinute), "0"])
        table.add(["hints before or after a failure", "\(figures.strayHints)", ""])
        table.add(["shortest time on the screen, s", figures.shortestDisplaySeconds.map(decimal) ?? "-", "≥ 2"])
        table.add([
            "diagnosis, ms a frame", String(format: "%.4f", figures.diagnosisMillisecondsPerFrame), "≤ 0.05",
        ])
        return table.text
    }

    private func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }

    private func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
}

extension HintBenchmark.Kind: ExpressibleByArgument {}
