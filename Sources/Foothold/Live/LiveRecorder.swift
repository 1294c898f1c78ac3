import FootholdCapture
import FootholdScene
import Synchronization

/// Records what was tracked, on a thread of its own. Pictures are copied, so that the camera has its memory back at
/// once; where the disk doesn't keep up, pictures are left out and counted.
final class LiveRecorder {
    private let queue: BoundedQueue<Frame>
    private let worker: Worker
    private let pool = PixelPool()
    private let progress: Progress
    private(set) var missing = 0

    private final class Progress: Sendable {
        let recorded = Atomic(0)
    }

    /// The recording belongs to the writing thread from its start to its end.
    private struct Handover: @unchecked Sendable { let recording: CameraRecording }

    /// About a second of pictures.
    private static let capacity = 32

    init(_ recording: CameraRecording) {
        let queue = BoundedQueue<Frame>(capacity: Self.capacity)
        let progress = Progress()
        self.queue = queue
        self.progress = progress
        let handover = Handover(recording: recording)
        worker = Worker(name: "foothold.record") {
            defer { queue.abandon() }
            do {
                while let frame = queue.pop() {
                    try handover.recording.append(frame)
                    progress.recorded.add(1, ordering: .relaxed)
                }
            } catch {
                try? handover.recording.finish()
                throw error
            }
            try handover.recording.finish()
        }
    }

    /// Never waits for the disk.
    func add(_ frame: Frame) {
        let copy = Frame(
            index: frame.index, timestampNanoseconds: frame.timestampNanoseconds, pixels: pool.copy(of: frame.pixels))
        if !queue.offer(copy) { missing += 1 }
    }

    var recorded: Int { progress.recorded.load(ordering: .relaxed) }

    /// Why recording has ended early, if it has.
    var failure: (any Error)? { worker.failure }

    deinit {
        // Where a session fails before its end, no thread waits for pictures for ever.
        queue.close()
        try? worker.wait()
    }

    /// Waits until everything is on the disk.
    func finish() throws {
        queue.close()
        try worker.wait()
    }
}
