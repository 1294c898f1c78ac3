import Foundation
import Synchronization

/// Sends lines to a file descriptor from a thread of its own. Whoever writes never waits: a reader that is too slow
/// misses lines, and one that is gone gets none.
final class LineStream: Sendable {
    private let queue: BoundedQueue<[UInt8]>
    private let worker: Worker
    private let state = Mutex((dropped: 0, isClosed: false))
    private let gone: Gone

    /// Set by the writing thread when nobody reads any more.
    private final class Gone: Sendable {
        let isSet = Atomic(false)
    }

    /// - Parameter capacity: how many pieces may wait for the reader.
    init(descriptor: Int32, capacity: Int = 4096) {
        let queue = BoundedQueue<[UInt8]>(capacity: capacity)
        let gone = Gone()
        self.queue = queue
        self.gone = gone
        worker = Worker(name: "foothold.lines") {
            defer { queue.abandon() }
            while let bytes = queue.pop() {
                guard Self.write(bytes, to: descriptor) else {
                    gone.isSet.store(true, ordering: .releasing)
                    return
                }
            }
        }
    }

    /// Whether nobody reads any more.
    var isGone: Bool { gone.isSet.load(ordering: .acquiring) }

    /// How many pieces were left out so far.
    var droppedCount: Int { state.withLock { $0.dropped } }

    /// Never waits; false when the piece was left out.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        if queue.offer(bytes) { return true }
        if !isGone { state.withLock { $0.dropped += 1 } }
        return false
    }

    /// Waits until the reader has everything, but no longer than this.
    func finish(waitingAtMost seconds: Double) {
        queue.close()
        if !worker.wait(atMost: seconds) { queue.abandon() }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress! + offset, $0.count - offset)
            }
            if written >= 0 {
                offset += written
            } else if errno == EAGAIN {
                // The reader's end may have been opened without waiting.
                usleep(10_000)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// Lines for people that the writer never waits for.
public final class MessageStream: Sendable {
    private let stream: LineStream

    public init(descriptor: Int32) { stream = LineStream(descriptor: descriptor, capacity: 256) }

    public func say(_ line: String) {
        let oneLine = line.split(whereSeparator: \.isNewline).joined(separator: " ")
        stream.send(Array("\(oneLine)\n".utf8))
    }

    /// Waits a moment until everything is said; nothing can be said after it.
    public func finish() { stream.finish(waitingAtMost: 1) }
}
