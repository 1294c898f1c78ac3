import Foothold
import Foundation

/// Lines on standard error that nobody waits for.
final class Messages {
    private let stream = MessageStream(descriptor: STDERR_FILENO)

    func say(_ line: String) { stream.say("foothold: \(line)") }

    /// Waits a moment for what is still to be said.
    func finish() { stream.finish() }
}
