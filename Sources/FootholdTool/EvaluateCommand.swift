import ArgumentParser
import Foothold
import Foundation

struct EvaluateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Runs recordings whose truth is known, and scores the results beside the goals.")

    @Argument(
        help: ArgumentHelp(
            "Sequence folders, TUM RGB-D or EuRoC folders, or folders of these; with --reference, any recording.",
            valueName: "folder"))
    var folders: [String]

    @Option(
        help: ArgumentHelp(
            "Compare with these poses (frame,px,py,pz,qx,qy,qz,qw) instead of a folder's own truth.",
            valueName: "file"))
    var reference: String?

    @Option(help: ArgumentHelp("The camera's calibration, instead of the folder's own.", valueName: "file"))
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Put an object there to see how well it stands; by default cylinder@0.65,0.6 and box@0.5,0.6@3.",
            valueName: "name@x,y[@seconds]"))
    var place: [String] = []

    @Option(help: ArgumentHelp("Keep each run's results, annotated video included, in here.", valueName: "dir"))
    var out: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        var options = EvaluationJob.Options()
        options.reference = reference
        options.cameraFile = camera
        options.resultsFolder = out
        if !place.isEmpty { options.placements = try place.map { try PlacementRequest(parsing: $0) } }
        let inputs =
            reference == nil
            ? try folders.flatMap { try SequenceFolders.sequences(at: $0) } : folders.map(URL.init(fileURLWithPath:))
        try checkNames(inputs)
        let interrupts = Interrupts()
        var reports: [EvaluationReport] = []
        var failure: (any Error)?
        for input in inputs {
            let job = EvaluationJob(input: input, options: options)
            interrupts.whenEndingAtOnce(job.abandon)
            let bar = ProgressBar(label: job.name)
            do {
                defer { bar.finish() }
                reports.append(
                    try job.run(
                        cancellation: interrupts.cancellation,
                        onNotice: {
                            bar.finish()
                            Failure.say($0)
                        }, onProgress: { bar.update(done: $0, total: $1) }))
            } catch {
                // What is finished is told in any case; the last failure is told by the exit status too.
                if let failure { Failure.say(Failure.line(for: failure)) }
                failure = error
                if error is StoppedError { break }
            }
        }
        if !reports.isEmpty { print(try text(reports)) }
        if let failure { throw failure }
    }

    /// Each recording's results are kept under its name.
    private func checkNames(_ inputs: [URL]) throws {
        guard out != nil else { return }
        let names = Dictionary(grouping: inputs) { EvaluationJob(input: $0).name }
        if let (name, _) = names.first(where: { $0.value.count > 1 }) {
            throw ValidationError("two recordings are called \(name), and --out keeps one: evaluate them one by one")
        }
    }

    private func text(_ reports: [EvaluationReport]) throws -> String {
        if json { return try JSONOutput.text(["sequences": reports]) }
        let details = reports.map { "```text\n\(EvaluationTable.text($0))```" }.joined(separator: "\n\n")
        return "\(EvaluationTable.markdown(reports))\n\(details)"
    }
}
