import Foundation

/// Scores what a session wrote against what is true.
public enum Evaluator {
    /// - Parameters:
    ///   - outputFolder: what `foothold process` wrote (`session.jsonl`, `trajectory.tum`, `surfaces.json`…).
    ///   - sequenceFolder: a sequence folder, or a TUM RGB-D or EuRoC folder.
    public static func evaluate(outputFolder: URL, sequenceFolder: URL) throws(EvaluationError) -> EvaluationReport {
        try evaluate(
            record: SessionRecord.load(outputFolder), truth: SequenceTruth.load(sequenceFolder))
    }

    /// Scores poses alone, against a reference by frame index (`frame,px,…`) in a world and a scale of its own.
    public static func evaluate(
        outputFolder: URL, referenceTrajectory: URL
    ) throws(EvaluationError) -> EvaluationReport {
        let record = try SessionRecord.load(outputFolder)
        let seconds = Dictionary(record.frames.map { ($0.index, $0.seconds) }, uniquingKeysWith: { first, _ in first })
        let trajectory = try TrajectoryReader.frameIndexedCSV(at: referenceTrajectory) { seconds[$0] }
        guard !trajectory.entries.isEmpty else {
            throw .nothingToCompare(path: outputFolder.path, reason: "no frame of the reference is in session.jsonl")
        }
        let truth = SequenceTruth(
            name: referenceTrajectory.deletingPathExtension().lastPathComponent, folder: referenceTrajectory,
            trajectory: trajectory, intrinsics: nil, planes: [], failures: nil, up: .zero, depthFrames: [])
        return try evaluate(record: record, truth: truth)
    }

    /// - Parameter isStopped: asked now and then; the work ends with ``EvaluationError/stopped`` once it's true.
    public static func evaluate(
        record: SessionRecord, truth: SequenceTruth, isStopped: @escaping () -> Bool = { false }
    ) throws(EvaluationError) -> EvaluationReport {
        var report = EvaluationReport(
            sequence: truth.name, tracking: tracking(record), scaleSource: record.scaleSource, objects: [],
            secondsToFirstSurface: record.firstSurfaceSeconds.values.min(), speed: record.speed,
            remarks: [])
        if let failures = truth.failures {
            report.hints = HintScore.score(
                record.hints, failures: failures, duration: record.frames.last?.seconds ?? 0)
        }
        if let trueCamera = truth.intrinsics, let camera = record.cameras.last?.intrinsics {
            try truth.check(width: camera.width, height: camera.height)
            let scaled = camera.scaled(toWidth: trueCamera.width, height: trueCamera.height)
            report.focalLengthError = abs((scaled.fx + scaled.fy) / (trueCamera.fx + trueCamera.fy) - 1)
        }
        guard let reference = truth.trajectory else {
            report.remarks.append("no true path: poses, drift and surfaces are not scored")
            return report
        }
        try checkTimes(of: record.frames.map(\.seconds), against: reference, truth, &report)
        let causal = compare(record.trajectory, reference)
        guard let sim3 = causal.sim3 else {
            report.remarks.append(
                "fewer than three poses at times of the truth, or a camera that never moves: the path couldn't be compared"
            )
            return report
        }
        report.pathLength = Trajectory(sim3.pairs.map(\.reference)).pathLength
        report.sim3 = accuracy(sim3)
        report.se3 = causal.se3.flatMap(accuracy)
        if let refined = record.refinedTrajectory {
            let comparison = compare(refined, reference)
            report.refinedSim3 = comparison.sim3.flatMap(accuracy)
            report.refinedSE3 = comparison.se3.flatMap(accuracy)
        }
        let knowsScale = record.scaleSource.map { $0 != ScaleEstimate.Source.assumed.rawValue } ?? false
        if let metresPerUnit = record.metresPerUnit ?? (knowsScale ? 1 : nil) {
            report.scaleError = abs(metresPerUnit / sim3.referenceFromEstimate.scale - 1)
        }
        if truth.up != .zero {
            let up = sim3.referenceFromEstimate.rotation * .unitY
            report.gravityErrorDegrees = atan2(up.cross(truth.up).length, up.dot(truth.up)) * 180 / .pi
        }
        let frames = record.frames.map { (index: $0.index, seconds: $0.seconds) }
        let scene = TrueScene(truth, frames: frames, isStopped: isStopped)
        try scoreScene(&report, record, truth, scene, knowsScale ? causal.se3 ?? sim3 : sim3, scale: sim3)
        return report
    }

    /// A truth of another time or another clock is an error; one of a part of the recording is told of.
    private static func checkTimes(
        of frames: [Double], against reference: Trajectory, _ truth: SequenceTruth, _ report: inout EvaluationReport
    ) throws(EvaluationError) {
        guard let start = reference.entries.first?.seconds, let end = reference.entries.last?.seconds else { return }
        let shared = frames.count { reference.nearestIndex(to: $0, within: Trajectory.sameMoment) != nil }
        guard shared >= min(3, frames.count) else {
            throw .nothingToCompare(
                path: truth.folder.path, reason: "true poses are of the times of \(shared) of \(frames.count) frames")
        }
        let margin = Trajectory.sameMoment
        let covered = frames.count { (start - margin...end + margin).contains($0) }
        if Double(covered) < 0.9 * Double(frames.count) {
            report.remarks.append("the true path lasts for \(covered) of \(frames.count) frames")
        }
    }

    private static func scoreScene(
        _ report: inout EvaluationReport, _ record: SessionRecord, _ truth: SequenceTruth, _ scene: TrueScene?,
        _ alignment: TrajectoryComparison, scale: TrajectoryComparison
    ) throws(EvaluationError) {
        let referenceFromSession = alignment.referenceFromEstimate
        func inReference(_ surfaces: [SessionRecord.Surface]) -> [SessionRecord.Surface] {
            surfaces.map { surface in
                SessionRecord.Surface(
                    id: surface.id, alignment: surface.alignment, classification: surface.classification,
                    normal: referenceFromSession.rotation * surface.normal,
                    boundary: surface.boundary.map { referenceFromSession * $0 })
            }
        }
        let surfaces = inReference(record.finalSurfaces)
        report.referencePlanes = ReferencePlaneScore.score(truth.referencePlanes, surfaces: surfaces)
        guard let scene else {
            report.remarks.append("no true planes or no camera: outlines and drift are not scored")
            return
        }
        let firstSeconds = record.firstSurfaceSeconds
        report.surfaces = try SurfaceScore.score(surfaces: surfaces, firstSeconds: firstSeconds, scene: scene)
        if let end = record.frames.last?.seconds, record.surfaceChanges.contains(where: { $0.seconds > end + 1e-6 }) {
            let live = SurfaceTimeline.surfaces(of: record, at: end)
            report.liveSurfaces = try SurfaceScore.score(
                surfaces: inReference(live), firstSeconds: firstSeconds, scene: scene)
        }
        let drift = AnchorDrift(scene: scene, record: record, scale: scale.referenceFromEstimate.scale)
        report.poseDrift = try drift.poseOnly()
        report.placedDrift = try drift.placed()
        report.objects = ObjectSteadiness(
            scene: scene, record: record, referenceFromSession: referenceFromSession
        ).scores()
        if report.poseDrift == nil {
            report.remarks.append("no tracked frame with a true view a second after tracking starts: no drift")
        }
    }

    private static func tracking(_ record: SessionRecord) -> EvaluationReport.Tracking {
        let tracked = record.frames.filter { $0.worldFromCamera != nil }.count
        let first = record.frames.firstIndex { $0.worldFromCamera != nil }
        let start = record.frames.first?.seconds ?? 0
        return EvaluationReport.Tracking(
            frames: record.frames.count, trackedFrames: tracked,
            trackedFraction: record.frames.isEmpty ? 0 : Double(tracked) / Double(record.frames.count),
            trackedFractionAfterFirst: first.map { Double(tracked) / Double(record.frames.count - $0) },
            secondsToFirst: first.map { record.frames[$0].seconds - start })
    }

    private static func compare(
        _ estimate: Trajectory, _ reference: Trajectory
    ) -> (sim3: TrajectoryComparison?, se3: TrajectoryComparison?) {
        (
            TrajectoryComparison(estimate: estimate, reference: reference, alignment: .sim3),
            TrajectoryComparison(estimate: estimate, reference: reference, alignment: .se3)
        )
    }

    private static func accuracy(_ comparison: TrajectoryComparison) -> EvaluationReport.Accuracy? {
        guard let absolute = ErrorStatistics(comparison.absoluteErrors) else { return nil }
        let relative = comparison.relativeErrors()
        return EvaluationReport.Accuracy(
            alignment: comparison.kind, pairs: comparison.pairs.count, scale: comparison.referenceFromEstimate.scale,
            absolute: absolute, relative: ErrorStatistics(relative.map(\.translation)),
            relativeRotationDegrees: ErrorStatistics(relative.map { $0.rotation * 180 / .pi }))
    }
}
