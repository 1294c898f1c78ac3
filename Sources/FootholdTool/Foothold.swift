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
            try checkHelp(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            try command.run()
            Ending.end(0)
        } catch {
            Failure.end(error)
        }
    }

    /// What `help` is asked about must be there: the parser would tell of all commands instead.
    private static func checkHelp(_ arguments: ArraySlice<String>) throws {
        guard arguments.first == "help" else { return }
        var command: any ParsableCommand.Type = FootholdCommand.self
        for word in arguments.dropFirst() where word != "help" && !word.hasPrefix("-") {
            guard let named = command.subcommand(named: word) else {
                throw ValidationError("there is no command '\(word)'")
            }
            command = named
        }
    }
}

extension ParsableCommand {
    static func subcommand(named name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }
}

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Says which version this is.")

    func run() { print("foothold \(FootholdVersion.current)") }
}
