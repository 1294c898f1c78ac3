import FootholdScene
import Foundation
import Synchronization

/// Sends lines to a file descriptor from a thread of its own. Whoever writes never waits: a reader that is too slow
/// misses lines, and one that is gone gets none.
final class LineStream: Sendable {
    private let queue: BoundedQueue<[UInt8]>
    private let worker: Worker
    private let state = Mutex((dropped: 0, isClosed: false))
    private let end: End

    /// Set by the writing thread when nothing can be written any more.
    private final class End: Sendable {
        /// An errno; 0 as long as all is well.
        let number = Atomic<Int32>(0)
    }

    /// - Parameter capacity: how many pieces may wait for the reader.
    init(descriptor: Int32, capacity: Int = 4096) {
        let queue = BoundedQueue<[UInt8]>(capacity: capacity)
        let end = End()
        self.queue = queue
        self.end = end
        worker = Worker(name: "foothold.lines") {
            defer { queue.abandon() }
            while let bytes = queue.pop() {
                let number = Self.write(bytes, to: descriptor)
                guard number == 0 else { return end.number.store(number, ordering: .releasing) }
            }
        }
    }

    /// Why nothing can be written any more, as an errno (EPIPE: nobody reads); nil as long as all is well.
    var failure: Int32? {
        let number = end.number.load(ordering: .acquiring)
        return number == 0 ? nil : number
    }

    /// How many pieces were left out so far.
    var droppedCount: Int { state.withLock { $0.dropped } }

    /// Never waits; false when the piece was left out.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        if queue.offer(bytes) { return true }
        if failure == nil { state.withLock { $0.dropped += 1 } }
        return false
    }

    /// Waits until the reader has everything, but no longer than this.
    func finish(waitingAtMost seconds: Double) {
        queue.close()
        if !worker.wait(atMost: seconds) { queue.abandon() }
    }

    /// 0, or an errno.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
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
                return errno
            }
        }
        return 0
    }
}

/// Lines for people that the writer never waits for.
public final class MessageStream: Sendable {
    private let stream: LineStream

    public init(descriptor: Int32) { stream = LineStream(descriptor: descriptor, capacity: 256) }

    public func say(_ line: String) {
        stream.send(Array("\(ShownText.line(line))\n".utf8))
    }

    /// Waits a moment until everything is said; nothing can be said after it.
    public func finish() { stream.finish(waitingAtMost: 1) }
}
