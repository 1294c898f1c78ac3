import ArgumentParser
import Foothold
import Foundation

/// How the command ends when it cannot do what was asked: one line on standard error, and an exit status that scripts
/// can rely on.
enum Failure {
    /// Bad usage or input.
    static let badInput: Int32 = 2
    /// A failure while running.
    static let whileRunning: Int32 = 1

    /// Ends the process; a request for help ends it with success.
    static func end(_ error: any Error) -> Never {
        if FootholdCommand.exitCode(for: error) == .success {
            print(FootholdCommand.fullMessage(for: error))
            Ending.end(0)
        }
        Ending.begin()
        say(line(for: error))
        Ending.end(status(for: error))
    }

    /// One line on standard error.
    static func say(_ line: String) {
        StandardError.write("foothold: \(ShownText.line(line))\n")
    }

    private static func status(for error: any Error) -> Int32 {
        switch error {
        case is UsageError, is EvaluationError: badInput
        case let error as CaptureError: error.kind.isWhileRunning ? whileRunning : badInput
        default: FootholdCommand.exitCode(for: error) == .validationFailure ? badInput : whileRunning
        }
    }

    static func line(for error: any Error) -> String {
        if FootholdCommand.exitCode(for: error) == .validationFailure {
            // What was wrong, without the usage that would follow it.
            return sentence(FootholdCommand.message(for: error)) + " ('\(helpCommand)' tells how)"
        }
        let isSystemError = error is CocoaError || error is POSIXError
        return sentence(isSystemError ? error.localizedDescription : String(describing: error))
    }

    private static var helpCommand: String {
        var command: any ParsableCommand.Type = FootholdCommand.self
        var words = ["foothold"]
        for word in CommandLine.arguments.dropFirst() {
            guard let named = command.subcommand(named: word) else { break }
            command = named
            words.append(word)
        }
        return (words + ["--help"]).joined(separator: " ")
    }

    /// One line that goes on after `foothold: `.
    private static func sentence(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.prefix(1).lowercased() + line.dropFirst()
    }
}

extension CaptureError.Kind {
    /// Not something that was asked for wrongly.
    fileprivate var isWhileRunning: Bool {
        switch self {
        case .outOfMemory, .badCamera, .diskFull, .unwritable: true
        default: false
        }
    }
}
