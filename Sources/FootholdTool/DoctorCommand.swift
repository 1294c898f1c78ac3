import ArgumentParser
import Foothold

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Says what this machine can do, what is missing, and how to get it.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let capabilities = Capabilities.current()
        if json {
            print(try JSONOutput.text(capabilities))
        } else {
            print("foothold \(capabilities.version): \(capabilities.processorCount) processors, \(capabilities.simd)")
            for item in capabilities.items {
                print("\(item.status == .good ? "✓" : "✗") \(item.text)")
                if let command = item.command { print("    \(command)") }
            }
        }
    }
}
