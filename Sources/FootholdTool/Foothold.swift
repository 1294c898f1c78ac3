import ArgumentParser
import Foothold

@main
struct FootholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "foothold",
        abstract: "Finds where things can stand: camera motion, surfaces and standing objects from ordinary video.",
        subcommands: [
            ProcessCommand.self, CameraCommand.self, CalibrateCommand.self, EvaluateCommand.self, BenchCommand.self,
            HintsCommand.self, DoctorCommand.self, VersionCommand.self,
        ])

    static func main() {
        Startup.prepare()
        do {
            var command = try parseAsRoot()
            try command.run()
            Ending.end(0)
        } catch {
            Failure.end(error)
        }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Says which version this is.")

    func run() { print("foothold \(FootholdVersion.current)") }
}
