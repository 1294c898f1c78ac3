import ArgumentParser
import Foothold
import Foundation

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures speed, and how well made-up worlds and failures are told.",
        subcommands: [
            BenchPipelineCommand.self, BenchKernelsCommand.self, BenchPlacementCommand.self, BenchHintsCommand.self,
            BenchWorldsCommand.self, BenchDepthCommand.self,
        ])
}

/// Which made-up worlds are run.
struct MadeUpWorldOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Seed of the first world; another one gives other worlds.")
    var seed: UInt64 = 50_000

    @Option(help: "Only situations whose name holds this, such as “room”.")
    var only: String?

    /// What there is to say where no situation is called so.
    var isOfNothing: ValidationError { ValidationError("no situation's name holds “\(only ?? "")”") }
}

/// Measures, and tells what was finished in any case: also before an error.
func telling<Figures>(_ tell: ([Figures]) throws -> Void, measured measure: (inout [Figures]) throws -> Void) throws {
    var figures: [Figures] = []
    let outcome = Result { try measure(&figures) }
    if !figures.isEmpty { try tell(figures) }
    try outcome.get()
}

struct BenchPipelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline",
        abstract: "Measures the engine on recordings: one thread, nothing drawn, beside the time to decode.")

    @Argument(help: "Recordings; the sample clip when none is given.")
    var inputs: [String] = ["SampleVideos/desk"]

    @OptionGroup var recording: RecordingOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let interrupts = Interrupts()
        let options = CaptureOptions(cameraFile: recording.camera, inertialFile: recording.imu)
        try telling {
            print(json ? try JSONOutput.text(["pipelines": $0]) : table($0))
        } measured: { figures in
            for input in inputs {
                let bar = ProgressBar(label: URL(fileURLWithPath: input).lastPathComponent)
                defer { bar.finish() }
                figures.append(
                    try PipelineBenchmark.run(input: input, options: options, cancellation: interrupts.cancellation) {
                        bar.update(done: $0, total: $1)
                    })
            }
        }
    }

    private func table(_ figures: [PipelineBenchmark.Figures]) -> String {
        var table = MarkdownTable(
            columns: [
                "recording", "frames", "engine mean", "median", "p99 ms", "decoding ms", "frames/s", "memory MB",
            ])
        for row in figures {
            table.add([
                "\(row.name) \(row.width)×\(row.height)", "\(row.frames)",
                decimal(row.engine.meanMilliseconds), decimal(row.engine.medianMilliseconds),
                decimal(row.engine.p99Milliseconds), decimal(row.decodeMillisecondsPerFrame),
                String(format: "%.0f", row.framesPerSecond), "\(row.peakMemoryBytes / 1_000_000)",
            ])
        }
        return table.text
    }

    private func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
}

struct BenchPlacementCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "placement",
        abstract: "Measures what many placed objects cost a frame: goal, 0.5 ms for a thousand.")

    @Option(parsing: .unconditional, help: "How many objects.")
    var objects = 1000

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(objects) else { throw ValidationError("--objects has to be 1 to 100000") }
    }

    func run() throws {
        let figures = PlacementBenchmark.run(objects: objects)
        guard !json else { return print(try JSONOutput.text(["placement": figures])) }
        var table = MarkdownTable(columns: ["while", "objects", "mean ms", "median", "p99"])
        for row in figures {
            table.add(
                [row.name, "\(row.objects)"]
                    + [row.meanMilliseconds, row.medianMilliseconds, row.p99Milliseconds].map {
                        String(format: "%.3f", $0)
                    })
        }
        print(table.text)
    }
}
