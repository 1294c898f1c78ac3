import FootholdExport
import FootholdTracking
import Foundation

/// Writes a live session's files on a thread of its own.
final class LiveFiles {
    let folder: OutputFolder
    private let queue = BoundedQueue<Job>(capacity: 512)
    private let worker: Worker

    private enum Job: Sendable {
        case scene(SceneFrame)
        case review(SceneReview)
        case event(SessionEvent, Int64)
        case finish([RefinedTrajectory.Entry], [PlaneAnchor], [PlacedObject], SessionMeasurements)
    }

    init(_ folder: OutputFolder) {
        self.folder = folder
        worker = Worker(name: "foothold.files") { [queue] in
            defer { queue.abandon() }
            let writer = try SessionWriter(folder: folder)
            while let job = queue.pop() {
                switch job {
                case .scene(let scene): try writer.write(scene)
                case .review(let review): try writer.write(review)
                case .event(let event, let time): try writer.write(event, timestampNanoseconds: time)
                case .finish(let refined, let surfaces, let objects, let measurements):
                    try writer.finish(
                        refined: refined.map {
                            .init(timestampNanoseconds: $0.timestampNanoseconds, worldFromCamera: $0.worldFromCamera)
                        }, surfaces: surfaces, objects: objects, measurements: measurements)
                }
            }
        }
    }

    /// - Throws: what went wrong with writing since.
    func write(_ scene: SceneFrame) throws { try push(.scene(scene)) }

    func write(_ review: SceneReview) throws { try push(.review(review)) }

    func write(_ event: SessionEvent, timestampNanoseconds: Int64) throws {
        try push(.event(event, timestampNanoseconds))
    }

    /// Completes the files and moves them into place.
    func finish(
        refined: [RefinedTrajectory.Entry], surfaces: [PlaneAnchor], objects: [PlacedObject],
        measurements: SessionMeasurements
    ) throws {
        try push(.finish(refined, surfaces, objects, measurements))
        queue.close()
        try worker.wait()
        try folder.commit()
    }

    /// Waits only for a disk that has not kept up for many seconds.
    private func push(_ job: Job) throws {
        guard queue.push(job) else { return try worker.wait() }
    }

    deinit {
        queue.abandon()
        try? worker.wait()
        folder.discard()
    }
}
