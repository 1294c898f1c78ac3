import Foundation

/// Text on standard error. Where it can't go anywhere any more (a full disk, nobody who reads), it's left out, and nothing
/// else suffers from that.
enum StandardError {
    static func write(_ text: String) {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// Whether it would be taken at once.
    static var isReady: Bool {
        var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLOUT) != 0
    }
}
