import FootholdCapture
import Synchronization

/// Reads a source on a thread of its own, a few frames ahead of who asks for them: the same frames in the same order.
final class DecodeAhead: FrameSource {
    let info: SourceInfo
    private let queue: BoundedQueue<Frame>
    private let report = Report()
    private let worker: Worker

    /// What the reading thread tells beside the frames.
    private final class Report: Sendable {
        private let values = Mutex((decodeSeconds: 0.0, notices: [String]()))

        var decodeSeconds: Double { values.withLock { $0.decodeSeconds } }
        var notices: [String] { values.withLock { $0.notices } }

        func update(from source: any FrameSource) {
            let (seconds, notices) = (source.decodeSeconds, source.notices)
            values.withLock { $0 = (seconds, notices) }
        }
    }

    /// The source belongs to the reading thread from its start to its end.
    private struct Handover: @unchecked Sendable { let source: any FrameSource }

    /// - Parameter source: must not be used by anybody else from now on.
    init(_ source: any FrameSource, framesAhead: Int = 4) {
        info = source.info
        queue = BoundedQueue(capacity: framesAhead)
        let handover = Handover(source: source)
        worker = Worker(name: "foothold.decode") { [queue, report] in
            defer {
                report.update(from: handover.source)
                queue.close()
            }
            while let frame = try handover.source.nextFrame() {
                report.update(from: handover.source)
                guard queue.push(frame) else { break }
            }
        }
    }

    var decodeSeconds: Double { report.decodeSeconds }
    var notices: [String] { report.notices }

    func nextFrame() throws -> Frame? {
        if let frame = queue.pop() { return frame }
        try worker.wait()
        return nil
    }

    deinit {
        // Whoever stops early leaves no thread behind that still reads.
        queue.abandon()
        try? worker.wait()
    }
}
