import FootholdCapture
import FootholdExport
import FootholdRendering
import FootholdTracking
import Foundation
import Synchronization

/// Draws and encodes `annotated.mp4` on a thread of its own, a few frames behind the tracking. Every frame is drawn.
final class AnnotatedVideo {
    private let queue: BoundedQueue<Job>
    private let clock = StageClock()
    private let worker: Worker
    private let showsDebugOverlay: Bool
    private var trail: [SIMD3<Double>] = []

    /// How many camera positions the debug overlay shows.
    private static let trailLength = 600

    private struct Job: Sendable {
        var frame: Frame
        var overlay: Overlay
    }

    /// Milliseconds a frame, written by the drawing thread.
    private final class StageClock: Sendable {
        private let times = Mutex((drawing: TimeSeries(), encoding: TimeSeries()))

        func add(drawing: Double, encoding: Double) {
            times.withLock {
                $0.drawing.add(drawing * 1000)
                $0.encoding.add(encoding * 1000)
            }
        }

        var timings: [StageTiming] {
            let times = times.withLock { $0 }
            return [("drawing", times.drawing), ("encoding", times.encoding)].compactMap { name, times in
                times.isEmpty ? nil : StageTiming(name: name, times.statistics)
            }
        }
    }

    /// - Parameter language: BCP 47, for the hints' fonts.
    init(url: URL, info: SourceInfo, language: String, showsDebugOverlay: Bool) {
        self.showsDebugOverlay = showsDebugOverlay
        queue = BoundedQueue(capacity: 4)
        worker = Worker(name: "foothold.draw") { [queue, clock] in
            // Also when drawing fails: whoever hands over frames must not wait for ever.
            defer { queue.abandon() }
            let renderer = try OverlayRenderer(width: info.width, height: info.height, fontLanguage: language)
            let encoder = try VideoEncoder(
                path: url.path, width: info.width, height: info.height, nominalFrameRate: info.nominalFrameRate)
            while let job = queue.pop() {
                let start = SteadyClock.seconds
                let picture = try renderer.render(job.frame, overlay: job.overlay)
                let drawn = SteadyClock.seconds
                try encoder.append(picture, timestampNanoseconds: job.frame.timestampNanoseconds)
                clock.add(drawing: drawn - start, encoding: SteadyClock.seconds - drawn)
            }
            try encoder.finish()
        }
    }

    /// Hands over one frame; waits when drawing is behind.
    /// - Throws: what went wrong with drawing since.
    func add(_ frame: Frame, _ scene: SceneFrame) throws {
        guard queue.push(Job(frame: frame, overlay: overlay(for: scene))) else { return try worker.wait() }
    }

    /// Hands over one frame where drawing keeps up; false where it doesn't, and the frame is left out.
    /// - Throws: what went wrong with drawing since.
    func offer(_ frame: Frame, _ scene: SceneFrame) throws -> Bool {
        if queue.offer(Job(frame: frame, overlay: overlay(for: scene))) { return true }
        if let failure = worker.failure { throw failure }
        return false
    }

    /// Waits until everything is drawn and written; says how long drawing and encoding took.
    func finish() throws -> [StageTiming] {
        queue.close()
        try worker.wait()
        return clock.timings
    }

    deinit {
        // Whoever stops early leaves no thread behind that still writes.
        queue.abandon()
        try? worker.wait()
    }

    private func overlay(for scene: SceneFrame) -> Overlay {
        let result = scene.result
        var overlay = Overlay(
            worldFromCamera: result.worldFromCamera, intrinsics: result.intrinsics, surfaces: result.surfaces,
            objects: scene.objects, reticle: scene.reticle, hintText: scene.hint?.text ?? scene.caption,
            light: result.light, progress: scene.startProgress < 1 ? scene.startProgress : nil, marks: scene.marks,
            touches: scene.touches, depthMap: scene.depthMap)
        if showsDebugOverlay {
            if result.didChangeCoordinates { trail.removeAll() }
            if let pose = result.worldFromCamera { trail.append(pose.position) }
            trail.removeFirst(max(0, trail.count - Self.trailLength))
            overlay.isDebug = true
            overlay.features = result.features
            overlay.trail = trail
        }
        return overlay
    }
}
