import FootholdCapture
import FootholdExport
import FootholdPlacement
import FootholdTracking
import Foundation

/// The middle of a live session: what happens with each frame, and where it goes. One thread.
final class LiveRun {
    let session: SceneSession
    private(set) var totals = SessionTotals()
    private let options: LiveJob.Options
    private let camera: CameraSource
    private let onMessage: (String) -> Void
    private let files: LiveFiles?
    private let keeper: WorldKeeper
    private let video: AnnotatedVideo?
    private var recorder: LiveRecorder?
    private let lines: LineStream?
    private let answers: LineStream?
    private var commander: LiveCommander?
    private var formatter = SessionLineFormatter()
    private let pool = PixelPool()
    private var latency = LatencyHistogram()
    private var lastTime: Int64 = 0
    private var isInterrupted = false
    private var startUpSeconds: Double?
    private var undrawn = 0
    private var toldDropped = 0
    private var hasSaidGone = false
    private var hasSaidSlow = false
    private var recorded: (count: Int, missing: Int)?
    private var failure: CaptureError?
    /// Recording ended early, and that was said.
    private var hasLostRecording = false
    /// Something was said that keeps pictures from coming.
    private var hasStoppingTrouble = false

    /// Refining the whole path at the end takes time and memory that grow faster than the session.
    private static let mostRefinedFrames = 3600

    init(
        options: LiveJob.Options, claims: FileClaims, camera: CameraSource, folder: OutputFolder?,
        recorder: LiveRecorder?, openedWorld: Data?, onMessage: @escaping (String) -> Void
    ) throws {
        self.options = options
        self.camera = camera
        self.recorder = recorder
        self.onMessage = onMessage
        var sessionOptions = SceneSession.Options()
        sessionOptions.language = options.language
        sessionOptions.objectName = try options.placements.first.map { try ObjectLibrary.template($0.name).name }
        sessionOptions.hasTwoThreads = ProcessInfo.processInfo.activeProcessorCount > 1
        sessionOptions.refinedFrameLimit = Self.mostRefinedFrames
        sessionOptions.wantsDepth = options.writesVideo
        session = try SceneSession(source: camera.info, options: sessionOptions)
        keeper = try WorldKeeper(
            opened: options.worldFile, data: openedWorld, savingTo: options.savedWorldFile, in: session)
        files = folder.map(LiveFiles.init)
        video =
            options.writesVideo
            ? folder.map {
                AnnotatedVideo(
                    url: $0.url(for: OutputFolder.FileName.annotatedVideo), info: camera.info,
                    language: options.language, showsDebugOverlay: false)
            } : nil
        lines = options.eventsDescriptor.map { LineStream(descriptor: $0) }
        answers =
            options.commandsDescriptor == nil
            ? nil
            : options.answersDescriptor == options.eventsDescriptor
                ? lines : LineStream(descriptor: options.answersDescriptor)
        if let descriptor = options.commandsDescriptor {
            commander = LiveCommander(
                reader: CommandReader(descriptor: descriptor), info: camera.info, claims: claims
            ) { [unowned self] in measurements() }
        }
    }

    func start() throws { try tell(.started(source: camera.info.name)) }

    /// Everything that happens with one frame.
    func take(_ live: LiveFrame) throws {
        let frame = live.frame
        let time = frame.timestampNanoseconds
        commander?.prepare(session, time: time)
        let scene = try session.process(frame)
        if totals.frames == 0 { startUpSeconds = MachineUsage.secondsSinceProcessStart }
        if isInterrupted || time - lastTime > ProcessJob.gapNanoseconds {
            if !isInterrupted { try tell(.interrupted) }
            isInterrupted = false
            lastTime = time
            try tell(.resumed)
        }
        lastTime = time
        keeper.note(scene)
        totals.count(scene.result, startNanoseconds: 0)
        send(scene)
        latency.add(nanoseconds: SteadyClock.nanoseconds - live.capturedNanoseconds)
        try files?.write(scene)
        record(frame)
        if let video {
            let copy = Frame(index: frame.index, timestampNanoseconds: time, pixels: pool.copy(of: frame.pixels))
            if try !video.offer(copy, scene) { undrawn += 1 }
        }
        sendAnswers()
    }

    /// What is to be done while no frame comes.
    func withoutFrame() throws {
        commander?.answerWithoutPicture(session)
        sendAnswers()
        sayWhatIsGone()
    }

    /// Passes on what is wrong with the camera.
    func tell(_ trouble: CameraTrouble) throws {
        onMessage(trouble.message)
        try tell(.trouble(kind: trouble.kind.rawValue, isOver: trouble.isOver, message: trouble.message))
        guard !trouble.isOver, trouble.kind.stopsPictures else { return }
        hasStoppingTrouble = true
        guard !isInterrupted, totals.frames > 0 else { return }
        isInterrupted = true
        try tell(.interrupted)
    }

    private func tell(_ event: SessionEvent) throws {
        lines?.send(formatter.text(event, timestampNanoseconds: lastTime))
        try files?.write(event, timestampNanoseconds: lastTime)
    }

    private func send(_ scene: SceneFrame) {
        guard let lines, lines.failure == nil else { return sayWhatIsGone() }
        let dropped = lines.droppedCount
        if dropped > 0, !hasSaidSlow {
            hasSaidSlow = true
            onMessage("the reader of the events is too slow: some lines are left out")
        }
        if dropped > toldDropped,
            lines.send(formatter.text(.linesDropped(count: dropped - toldDropped), timestampNanoseconds: lastTime))
        {
            toldDropped = dropped
        }
        var bytes = formatter.text(scene.result)
        for event in scene.sessionEvents { bytes += formatter.text(event, timestampNanoseconds: lastTime) }
        for event in scene.hintEvents { bytes += formatter.text(event, timestampNanoseconds: lastTime) }
        for event in scene.objectEvents { bytes += formatter.text(event, timestampNanoseconds: lastTime) }
        for event in scene.feedback { bytes += formatter.text(event, timestampNanoseconds: lastTime) }
        lines.send(bytes)
    }

    private func sendAnswers() {
        guard let commander else { return }
        for answer in commander.takeAnswers() {
            answers?.send(formatter.text(answer, timestampNanoseconds: lastTime))
        }
    }

    private func sayWhatIsGone() {
        guard let number = (lines ?? answers)?.failure, !hasSaidGone else { return }
        hasSaidGone = true
        let what = lines == nil ? "answers" : "events"
        let reason = String(cString: strerror(number)).lowercased()
        switch number {
        case EPIPE, ECONNRESET: onMessage("nobody reads the \(what) any more: the session goes on without them")
        case ENOSPC, EDQUOT, EFBIG:
            onMessage(
                "no space left on the disk for the \(what): they end here; free some space, or send them to another disk; "
                    + "the session goes on without them")
            failure = failure ?? CaptureError(.diskFull, "the \(what) are not whole: the disk was full")
        default:
            onMessage("the \(what) can't be sent any more (\(reason)): the session goes on without them")
            failure = failure ?? CaptureError(.unwritable, "the \(what) are not whole (\(reason))")
        }
    }

    // MARK: Recording

    private func record(_ frame: Frame) {
        guard let recorder else { return }
        if let error = recorder.failure { return endRecording(recorder, error) }
        recorder.add(frame)
    }

    /// The session goes on without it, and is no success at its end.
    private func endRecording(_ recorder: LiveRecorder, _ error: any Error) {
        recorded = (recorder.recorded, totals.frames - recorder.recorded)
        self.recorder = nil
        let told = error as? CaptureError ?? CaptureError(.unwritable, String(describing: error))
        onMessage("\(told.description); the session goes on")
        hasLostRecording = true
    }

    private var lossOfRecording: CaptureError? {
        guard hasLostRecording, let recorded else { return nil }
        return CaptureError(
            .unwritable, "the recording is not whole: it has \(recorded.count) of \(totals.frames) pictures")
    }

    private func finishRecording() {
        guard let recorder else { return }
        do {
            try recorder.finish()
            recorded = (recorder.recorded, recorder.missing)
            self.recorder = nil
        } catch {
            endRecording(recorder, error)
        }
    }

    // MARK: The end

    /// - Parameter hurry: a request to look at no more pictures once more.
    func finish(wallSeconds: Double, notices: [String], hurry: Cancellation) throws -> LiveReport {
        commander?.end(session)
        sendAnswers()
        finishRecording()
        guard totals.frames > 0 else { return try finishWithoutPicture(wallSeconds: wallSeconds, notices: notices) }
        let (reviewSeconds, reviewNotice) = try review(hurry)
        saveWorld()
        let isShort = totals.frames <= Self.mostRefinedFrames
        let refined = files == nil || !isShort ? nil : try session.finish()
        let drawing = try video?.finish() ?? []
        try tell(.ended)
        let measurements = SessionMeasurements(
            stages: session.stageTimings + drawing, startUpSeconds: startUpSeconds, reviewSeconds: reviewSeconds,
            wallSeconds: wallSeconds,
            peakMemoryBytes: MachineUsage.peakMemoryBytes, capture: measurements())
        try files?.finish(
            refined: refined?.entries ?? [], surfaces: session.surfaces, objects: session.objects,
            measurements: measurements)
        finishLines()
        var notices = notices
        if let reviewNotice { notices.append(reviewNotice) }
        if let doubt = totals.intrinsics.flatMap({ camera.info.intrinsics?.doubt(found: $0) }) { notices.append(doubt) }
        if files != nil, !isShort {
            notices.append(
                "the session was too long to refine it as a whole: trajectory_refined.tum repeats trajectory.tum")
        }
        if undrawn > 0 {
            notices.append("drawing did not keep up: annotated.mp4 lacks \(undrawn) of \(totals.frames) frames")
        }
        if let recorded, recorded.missing > 0, !hasLostRecording {
            notices.append(
                "the disk did not keep up: the recording lacks \(recorded.missing) of \(totals.frames) frames, so replaying "
                    + "it gives another result")
        }
        return LiveReport(
            totals: totals, surfaces: session.surfaces, objects: session.objects, measurements: measurements,
            notices: notices + keeper.notices, worldLines: keeper.lines, failure: lossOfRecording ?? failure)
    }

    /// Looks at everything once more, where something is kept of the session; how long that took, and what people should
    /// know of it.
    private func review(_ hurry: Cancellation) throws -> (seconds: Double?, notice: String?) {
        guard options.hasReview else { return (nil, nil) }
        let start = SteadyClock.seconds
        guard let review = try session.review(until: { hurry.isRequested }) else { return (nil, nil) }
        let seconds = SteadyClock.seconds - start
        lastTime = review.timestampNanoseconds
        var bytes = formatter.text(.reviewed, timestampNanoseconds: lastTime)
        for event in review.surfaceEvents { bytes += formatter.text(event, timestampNanoseconds: lastTime) }
        for event in review.objectEvents { bytes += formatter.text(event, timestampNanoseconds: lastTime) }
        lines?.send(bytes)
        try files?.write(review)
        return (seconds, review.notice)
    }

    /// Somebody may ask for the end before the first picture has come.
    private func finishWithoutPicture(wallSeconds: Double, notices: [String]) throws -> LiveReport {
        guard !hasStoppingTrouble else {
            throw CaptureError(
                .badCamera,
                "\(camera.info.name) gave no picture at all: check its cable, try another --format, and see what "
                    + "'foothold doctor' says")
        }
        lines?.send(formatter.text(.ended, timestampNanoseconds: lastTime))
        finishLines()
        return LiveReport(
            totals: totals, surfaces: [], objects: [],
            measurements: SessionMeasurements(wallSeconds: wallSeconds, capture: measurements()),
            notices: notices + [
                "the session ended before the first picture of \(camera.info.name) had come, so nothing was written"
            ])
    }

    /// A reader that takes nothing must not keep the session from ending.
    private func finishLines() {
        lines?.finish(waitingAtMost: 2)
        if answers !== lines { answers?.finish(waitingAtMost: 2) }
        sayWhatIsGone()
    }

    /// The results are worth having even where the world can't be saved; the session says so at its end.
    private func saveWorld() {
        do {
            if let world = try keeper.world(of: session) { try keeper.write(world) }
        } catch {
            let isFull = if case .diskFull? = error as? ExportError { true } else { false }
            failure = failure ?? CaptureError(isFull ? .diskFull : .unwritable, String(describing: error))
        }
    }

    private func measurements() -> CaptureMeasurements {
        let counters = camera.counters
        var measurements = CaptureMeasurements(
            camera: "\(camera.camera.name) (\(camera.camera.path))", mode: "\(camera.mode)")
        measurements.captured = counters.captured
        measurements.tracked = totals.frames
        measurements.replaced = counters.replaced
        measurements.lost = counters.lost
        measurements.damaged = counters.damaged
        measurements.interruptions = counters.interruptions
        measurements.latencyMedian = latency.percentile(0.5)
        measurements.latencyP99 = latency.percentile(0.99)
        measurements.linesDropped = lines?.droppedCount ?? 0
        measurements.recorded = recorded?.count ?? recorder?.recorded
        measurements.notRecorded = recorded?.missing ?? recorder?.missing
        return measurements
    }
}

extension CameraTrouble.Kind {
    /// No pictures come until it is over.
    var stopsPictures: Bool {
        switch self {
        case .frozen, .black, .slow, .lyingDriver: false
        case .unplugged, .busy, .noBandwidth, .forbidden, .noFrames, .damagedFrames, .streamError, .formatChanged,
            .otherSize:
            true
        }
    }
}
