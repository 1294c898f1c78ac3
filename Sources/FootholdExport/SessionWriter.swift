/// Writes everything a program reads about a session into an output folder, as it comes.
///
/// Everything goes straight to the files but the camera's path, of which at most 200 000 poses are kept (13 MB), evenly
/// spread. Lines must be given in time order. Used by one thread at a time. Nothing appears under the final name before the folder is
/// committed, which is left to the owner of the folder since others (the annotated video) write into it too.
public final class SessionWriter {
    /// One camera position with its time.
    public struct TimedPose: Hashable, Sendable {
        public var timestampNanoseconds: Int64
        /// With the public axes (looking along −z).
        public var worldFromCamera: Pose

        public init(timestampNanoseconds: Int64, worldFromCamera: Pose) {
            self.timestampNanoseconds = timestampNanoseconds
            self.worldFromCamera = worldFromCamera
        }
    }

    /// Counted so far.
    public private(set) var totals = SessionTotals()
    private let folder: OutputFolder
    private let session: StreamedFile
    private let trajectory: StreamedFile
    private var path: [TimedPose] = []
    private var pathStride = 1
    private var poseCount = 0
    private static let mostPoses = 200_000
    private var startNanoseconds: Int64?
    private var lines = SessionLineFormatter()
    private var line: [UInt8] = []

    public init(folder: OutputFolder) throws(ExportError) {
        self.folder = folder
        session = try StreamedFile(at: folder.url(for: OutputFolder.FileName.session))
        trajectory = try StreamedFile(at: folder.url(for: OutputFolder.FileName.trajectory))
    }

    /// Writes the frame, what changed about the camera, the world and the surfaces in it, and its pose.
    public func write(_ result: FrameResult) throws(ExportError) {
        let time = result.timestampNanoseconds
        totals.count(result, startNanoseconds: startNanoseconds ?? time)
        startNanoseconds = startNanoseconds ?? time
        try session.write(lines.text(result))
        if let pose = result.worldFromCamera, TrajectoryText.isWritable(pose) {
            line.removeAll(keepingCapacity: true)
            TrajectoryText.appendLine(nanoseconds: time, worldFromCamera: pose, to: &line)
            try trajectory.write(line)
            keep(TimedPose(timestampNanoseconds: time, worldFromCamera: pose))
        }
    }

    private func keep(_ pose: TimedPose) {
        if poseCount.isMultiple(of: pathStride) { path.append(pose) }
        poseCount += 1
        guard path.count == Self.mostPoses else { return }
        path = stride(from: 0, to: path.count, by: 2).map { path[$0] }
        pathStride *= 2
    }

    /// What was told of a surface after the last frame.
    public func write(_ event: SurfaceEvent, timestampNanoseconds: Int64) throws(ExportError) {
        try session.write(lines.text(event, timestampNanoseconds: timestampNanoseconds))
    }

    public func write(_ event: HintEvent, timestampNanoseconds: Int64) throws(ExportError) {
        try session.write(lines.text(event, timestampNanoseconds: timestampNanoseconds))
    }

    public func write(_ event: ObjectEvent, timestampNanoseconds: Int64) throws(ExportError) {
        try session.write(lines.text(event, timestampNanoseconds: timestampNanoseconds))
    }

    public func write(_ event: FeedbackEvent, timestampNanoseconds: Int64) throws(ExportError) {
        try session.write(lines.text(event, timestampNanoseconds: timestampNanoseconds))
    }

    public func write(_ event: SessionEvent, timestampNanoseconds: Int64) throws(ExportError) {
        try session.write(lines.text(event, timestampNanoseconds: timestampNanoseconds))
    }

    /// Completes the files and writes those that need the whole session.
    ///
    /// - Parameters:
    ///   - refined: the same frames' poses after everything was seen; empty when the session does not refine, and then
    ///     the poses as they were known at each frame are repeated.
    ///   - surfaces: all surfaces at the end.
    ///   - objects: all placed objects at the end.
    public func finish(
        refined: [TimedPose], surfaces: [PlaneAnchor], objects: [PlacedObject], measurements: SessionMeasurements
    ) throws(ExportError) {
        try session.close()
        try trajectory.close()
        let finalPath = (refined.isEmpty ? path : refined).filter { TrajectoryText.isWritable($0.worldFromCamera) }
        try writeRefined(refined.isEmpty ? nil : finalPath)
        try StreamedFile.write(
            SurfacesFile.text(surfaces, scale: totals.scale), to: folder.url(for: OutputFolder.FileName.surfaces))
        try StreamedFile.write(
            SceneFile(surfaces: surfaces, objects: objects, path: finalPath, intrinsics: totals.intrinsics).glb(),
            to: folder.url(for: OutputFolder.FileName.scene))
        try StreamedFile.write(
            SummaryFile.text(
                totals: totals, surfaceCount: surfaces.count, objectCount: objects.count, measurements: measurements),
            to: folder.url(for: OutputFolder.FileName.summary))
    }

    private func writeRefined(_ poses: [TimedPose]?) throws(ExportError) {
        let url = folder.url(for: OutputFolder.FileName.refinedTrajectory)
        guard let poses else {
            return try StreamedFile.copy(folder.url(for: OutputFolder.FileName.trajectory), to: url)
        }
        let file = try StreamedFile(at: url)
        for pose in poses {
            line.removeAll(keepingCapacity: true)
            TrajectoryText.appendLine(
                nanoseconds: pose.timestampNanoseconds, worldFromCamera: pose.worldFromCamera, to: &line)
            try file.write(line)
        }
        try file.close()
    }

    /// Makes the lines so far visible to somebody who follows the file while a camera runs.
    public func flush() throws(ExportError) {
        try session.flush()
        try trajectory.flush()
    }
}
