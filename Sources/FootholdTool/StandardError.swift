import Foothold
import Foundation

/// Text on standard error. Where it can't go anywhere any more (a full disk, nobody who reads), it's left out, and nothing
/// else suffers from that.
enum StandardError {
    static func write(_ text: String) {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        try? StreamedFile.writeAll(Array(text.utf8), to: STDERR_FILENO, path: "standard error")
    }

    /// Whether it would be taken at once.
    static var isReady: Bool {
        var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLOUT) != 0
    }
}
