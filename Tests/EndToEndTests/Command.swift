import Foundation
import Testing

/// The built `foothold` command, run as a person would run it.
struct Command {
    struct Outcome {
        var status: Int32
        var reason: Process.TerminationReason
        var output: String
        var errors: String

        /// The lines on standard error.
        var errorLines: [Substring] { errors.split(separator: "\n") }
    }

    /// Where one build puts the test bundle and the commands.
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The repository.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// - Parameters:
    ///   - name: which of the built commands.
    ///   - executable: another program, instead of one of ours.
    ///   - folder: the working directory.
    ///   - environment: what is added to this process's own.
    ///   - input: standard input; nothing by default.
    ///   - output: standard output, where it is not to be collected.
    ///   - whileRunning: called with the running process.
    ///
    /// One that hasn't ended after five minutes is killed: status 9, which no test takes for success.
    static func run(
        _ arguments: [String], of name: String = "foothold", executable other: URL? = nil, in folder: URL,
        environment: [String: String] = [:],
        input: Pipe? = nil, output pipe: Pipe? = nil, whileRunning: ((Process) throws -> Void)? = nil
    ) throws -> Outcome {
        let executable = other ?? Self.folder.appendingPathComponent(name)
        try #require(
            FileManager.default.isExecutableFile(atPath: executable.path), "\(name) is built beside the tests")
        // Outside the working directory, so that tests can say what is in there. Files, since full pipes would block.
        let logs = try TemporaryFolder()
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
        let (output, errors) = (logs.url.appendingPathComponent("out"), logs.url.appendingPathComponent("err"))
        for file in [output, errors] { try Data().write(to: file) }
        if let pipe {
            process.standardOutput = pipe
        } else {
            process.standardOutput = try FileHandle(forWritingTo: output)
        }
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let (ended, number) = (DispatchSemaphore(value: 0), process.processIdentifier)
        Thread.detachNewThread { if ended.wait(timeout: .now() + 300) == .timedOut { kill(number, SIGKILL) } }
        defer {
            ended.signal()
            if process.isRunning { kill(number, SIGKILL) }
        }
        try whileRunning?(process)
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, reason: process.terminationReason,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }
}

/// A new folder that goes with its last reference.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Names of everything in it, hidden ones too.
    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
