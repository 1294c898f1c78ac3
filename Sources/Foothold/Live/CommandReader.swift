import Foundation
import Synchronization

/// Reads lines from a file descriptor on a thread of its own, for somebody who fetches them when it suits.
final class CommandReader: Sendable {
    private let waiting = Mutex<[String]>([])
    /// More than anybody types while a frame is tracked; what is beyond waits in the pipe.
    private static let mostWaiting = 256
    private static let longestLine = 1 << 16

    init(descriptor: Int32) {
        let thread = Thread { [weak self] in
            var pending: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    // Whoever started us may have set it not to wait.
                    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    poll(&waited, 1, -1)
                    continue
                }
                guard count > 0 else { break }
                pending += buffer[..<count]
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    guard let self, self.add(pending[..<end]) else { return }
                    pending.removeSubrange(...end)
                }
                // Nobody writes such a command: it is answered as one that can't be read.
                if pending.count > Self.longestLine { pending.removeLast(pending.count - Self.longestLine) }
            }
            // The last line may lack its end.
            _ = self?.add(pending[...])
        }
        thread.name = "foothold.commands"
        thread.start()
    }

    /// The lines that came since the last call.
    func take() -> [String] {
        waiting.withLock { lines in
            defer { lines.removeAll() }
            return lines
        }
    }

    private func add(_ bytes: ArraySlice<UInt8>) -> Bool {
        let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard !line.isEmpty else { return true }
        while waiting.withLock({ $0.count >= Self.mostWaiting }) { usleep(10_000) }
        waiting.withLock { $0.append(line) }
        return true
    }
}
