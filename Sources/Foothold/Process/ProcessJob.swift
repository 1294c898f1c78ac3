import FootholdCapture
import FootholdCoaching
import FootholdExport
import FootholdPlacement
import FootholdRendering
import FootholdTracking
import Foundation

/// One recording, from its file to a folder of results.
///
/// Decoding, tracking and drawing overlap on three threads with bounded queues between them; every stage takes every
/// frame in order, so the results don't depend on timing. Use one job once, from one thread.
public final class ProcessJob {
    public struct Options: Sendable {
        /// Calibration; goes before anything the recording says of itself.
        public var cameraFile: String?
        /// Inertial readings in the form of `imu.csv`.
        public var inertialFile: String?
        public var placements: [PlacementRequest] = []
        /// Touches to play over the recording; `docs/gestures.md` describes the format.
        public var gesturesFile: String?
        /// BCP 47, one of `HintCatalogue.languages`.
        public var language = "en"
        /// A saved world to go on in.
        public var worldFile: String?
        /// Where to save the world with its objects at the end.
        public var savedWorldFile: String?
        /// Draw `annotated.mp4`.
        public var writesVideo = true
        /// Hide objects in `annotated.mp4` where something real is in front of them.
        public var hidesObjects = true
        /// Draw features and poses too.
        public var showsDebugOverlay = false
        /// Look for surfaces beside tracking; the results are the same.
        public var hasTwoThreads = ProcessInfo.processInfo.activeProcessorCount > 1
        /// Write nothing where looking at everything once more at the end was stopped, as for results to be scored.
        public var needsReview = false

        public init() {}
    }

    public let info: SourceInfo
    /// Where the results will be.
    public var output: URL { folder.target }

    private let options: Options
    private let source: any FrameSource
    private let folder: OutputFolder
    private var taps: [PlacementTap]
    private let gestures: GestureScript?
    private let templates: [ObjectTemplate]
    private let openedWorld: Data?

    /// A longer time between two frames is a gap in the recording.
    static let gapNanoseconds: Int64 = 1_000_000_000
    /// Looking at everything once more at the end takes about one such part of what the frames take.
    private static let reviewPart = 3

    /// Opens and checks everything that can be wrong before the work begins.
    /// - Throws: `CaptureError` or `UsageError`, each one line that says what to do.
    public init(input: String, output: String, options: Options = Options()) throws {
        try UsageError.checkThatThereAreWords(in: options.language)
        try Self.claims(input, output, options).check()
        source = try FrameSources.open(
            input,
            options: CaptureOptions(
                cameraFile: options.cameraFile, inertialFile: options.inertialFile, decodingThreads: 1))
        let info = source.info
        self.info = info
        self.options = options
        taps = try PlacementTap.taps(
            for: options.placements, templates: options.placements.map { try ObjectLibrary.template($0.name) }, in: info
        )
        let script = try options.gesturesFile.map { try Self.script(at: $0, for: info) }
        gestures = script
        templates = try (script?.objectNames ?? []).map { try ObjectLibrary.template($0, asWrittenIn: "--gestures") }
        openedWorld = try options.worldFile.map { try SavedWorldFile.read($0) }
        if let path = options.savedWorldFile {
            try FileClaims.checkWritable(path, "--save-world", replacing: .savedWorld)
        }
        do {
            folder = try OutputFolder(at: URL(fileURLWithPath: output))
        } catch {
            throw UsageError(error.description)
        }
    }

    /// What the run reads and writes.
    private static func claims(_ input: String, _ output: String, _ options: Options) -> FileClaims {
        var claims = FileClaims()
        claims.reads(input, "the recording")
        claims.reads(options.cameraFile, "--camera")
        claims.reads(options.inertialFile, "--imu")
        claims.reads(options.gesturesFile, "--gestures")
        claims.reads(options.worldFile, "--world")
        for placement in options.placements where !ObjectLibrary.isBuiltIn(placement.name) {
            claims.reads(placement.name, "--place")
        }
        claims.writesFolder(output, "--out")
        claims.writes(options.savedWorldFile, "--save-world", inPlaceOf: "--world")
        return claims
    }

    /// Removes what was written so far; for when the process must end at once. From any thread.
    public var abandon: @Sendable () -> Void { { [folder] in folder.discard() } }

    /// Does the work. Results appear under their final name when all of them are whole, and not at all otherwise.
    ///
    /// - Parameters:
    ///   - cancellation: a request to stop. After the last frame it only shortens looking at everything once more, and
    ///     what is known by then is written.
    ///   - onProgress: frames done so far, and about how many there are, where that is known; looking at everything once
    ///     more at the end counts as some more of them.
    /// - Throws: `StoppedError` where `cancellation` was requested before the last frame, or at any time with
    ///   `Options.needsReview`; whatever a stage throws.
    public func run(
        cancellation: Cancellation = Cancellation(), onProgress: (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) throws -> ProcessReport {
        var report: ProcessReport
        let saveWorld: () throws -> [String]
        do {
            (report, saveWorld) = try runStages(cancellation: cancellation, onProgress: onProgress)
            if options.needsReview { try checkNotStopped(cancellation) }
            try folder.commit()
        } catch {
            folder.discard()
            throw error
        }
        do {
            report.worldLines = try saveWorld()
        } catch {
            throw WorldNotSavedError(description: "the results are in \(output.path), but not the world: \(error)")
        }
        return report
    }

    /// - Returns: and what saves the world, where that is wanted; it says what became of the worlds.
    private func runStages(
        cancellation: Cancellation, onProgress: (_ done: Int, _ total: Int?) -> Void
    ) throws -> (ProcessReport, saveWorld: () throws -> [String]) {
        let start = SteadyClock.seconds
        let frames = DecodeAhead(source)
        var sessionOptions = SceneSession.Options()
        sessionOptions.language = options.language
        sessionOptions.objectName = taps.first?.template.name ?? templates.first?.name
        sessionOptions.gestures = gestures
        sessionOptions.templates = templates + ObjectTemplate.builtIn
        sessionOptions.wantsDepth = options.writesVideo && options.hidesObjects
        sessionOptions.wantsFeatures = options.showsDebugOverlay
        sessionOptions.hasTwoThreads = options.hasTwoThreads
        let session = try SceneSession(source: info, options: sessionOptions)
        let keeper = try WorldKeeper(
            opened: options.worldFile, data: openedWorld, savingTo: options.savedWorldFile, in: session)
        let writer = try SessionWriter(folder: folder)
        let video =
            options.writesVideo
            ? AnnotatedVideo(
                url: folder.url(for: OutputFolder.FileName.annotatedVideo), info: info,
                language: options.language, showsDebugOverlay: options.showsDebugOverlay) : nil
        var startUpSeconds: Double?
        var hints = HintTally()
        var last: Int64 = 0
        try writer.write(.started(source: info.name), timestampNanoseconds: 0)
        while let frame = try frames.nextFrame() {
            try checkNotStopped(cancellation)
            let time = frame.timestampNanoseconds
            while let tap = taps.first, tap.nanoseconds <= time {
                session.place(tap.template, atPixel: tap.pixel)
                taps.removeFirst()
            }
            let scene = try session.process(frame)
            if writer.totals.frames == 0 { startUpSeconds = MachineUsage.secondsSinceProcessStart }
            if time - last > Self.gapNanoseconds {
                try writer.write(.interrupted, timestampNanoseconds: last)
                try writer.write(.resumed, timestampNanoseconds: time)
            }
            keeper.note(scene)
            hints.note(scene)
            try writer.write(scene)
            try video?.add(frame, scene)
            last = time
            onProgress(writer.totals.frames, info.estimatedFrameCount.map { $0 + $0 / Self.reviewPart })
        }
        guard writer.totals.frames > 1 else {
            throw UsageError(
                "\(info.name) has only one frame, so there is no movement to see: use a recording of a few seconds")
        }
        // A full disk is told of before the long look, not after it; and what drawing keeps in memory is free for it.
        try writer.flush()
        let drawing = try video?.finish() ?? []
        let reviewStart = SteadyClock.seconds
        var pictures: Int?
        let review = try session.review(
            onKeyframe: { left in
                if options.needsReview { try checkNotStopped(cancellation) }
                let all = pictures ?? left + 1
                pictures = all
                let work = writer.totals.frames / Self.reviewPart
                onProgress(
                    writer.totals.frames + work * (all - left) / all,
                    info.estimatedFrameCount.map { _ in writer.totals.frames + work })
            }, until: { cancellation.isRequested })
        let reviewSeconds = SteadyClock.seconds - reviewStart
        if let review { try writer.write(review) }
        let savedWorld = try keeper.world(of: session)
        let refined = try session.finish()
        try writer.write(.ended, timestampNanoseconds: review?.timestampNanoseconds ?? last)
        let frameCount = Double(writer.totals.frames)
        let measurements = SessionMeasurements(
            stages: session.stageTimings + drawing,
            decodeMilliseconds: frames.decodeSeconds / frameCount * 1000, startUpSeconds: startUpSeconds,
            reviewSeconds: reviewSeconds, wallSeconds: SteadyClock.seconds - start,
            peakMemoryBytes: MachineUsage.peakMemoryBytes)
        try writer.finish(
            refined: refined.entries.map {
                .init(timestampNanoseconds: $0.timestampNanoseconds, worldFromCamera: $0.worldFromCamera)
            },
            surfaces: session.surfaces, objects: session.objects, measurements: measurements)
        let report = ProcessReport(
            totals: writer.totals, surfaces: session.surfaces, objects: session.objects, measurements: measurements,
            notices: frames.notices + missedTaps(end: last) + missedTouches(session, end: last)
                + cameraNotices(session, writer.totals)
                + (review?.notice.map { [$0] } ?? []) + keeper.notices,
            advice: session.surfaces.isEmpty
                ? HintCatalogue(language: options.language).text(
                    for: hints.mostSaid, level: .fuller, objectName: sessionOptions.objectName) : nil)
        return (
            report,
            {
                if let savedWorld { try keeper.write(savedWorld) }
                return keeper.lines
            }
        )
    }

    private func checkNotStopped(_ cancellation: Cancellation) throws {
        guard cancellation.isRequested else { return }
        throw StoppedError("stopped before the end, so nothing was written to \(output.path)")
    }

    private func missedTaps(end: Int64) -> [String] {
        taps.map {
            "--place \($0.request.name) at \($0.request.seconds) s came after the last frame at "
                + "\(Self.seconds(end)) s, so it was not placed"
        }
    }

    private func missedTouches(_ session: SceneSession, end: Int64) -> [String] {
        guard let options = options.gesturesFile, let next = session.unplayedNanoseconds else { return [] }
        return [
            "--gestures \(options): what comes from \(Self.seconds(next)) s on was not played, since the last frame is at "
                + "\(Self.seconds(end)) s"
        ]
    }

    private static func seconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e7).rounded() / 100 }

    private static func script(at path: String, for info: SourceInfo) throws(UsageError) -> GestureScript {
        guard let data = try? RegularFile.bytes(path) else {
            throw UsageError("--gestures \(path): there is no such file, or it can't be read")
        }
        do {
            let script = try GestureScript(data: data)
            try script.check(width: info.width, height: info.height)
            return script
        } catch {
            throw UsageError("--gestures \(path): \(error)")
        }
    }

    private func cameraNotices(_ session: SceneSession, _ totals: SessionTotals) -> [String] {
        if let given = info.intrinsics {
            return [totals.intrinsics.flatMap { given.doubt(found: $0) }].compactMap { $0 }
        }
        // Whoever saved the world has heard it.
        if session.knownWorld == .found { return [] }
        var assumed = "\(Int(CameraIntrinsics.guessedView))° were assumed"
        if let found = totals.intrinsics, found.source == .estimated {
            assumed += " at first and \(Int(found.view.rounded()))° found"
        }
        return [
            "the recording doesn't tell its camera's angle of view, so \(assumed): --camera FILE gives the true one"
        ]
    }
}

/// What a run came to, for telling people.
public struct ProcessReport: Sendable {
    public var totals: SessionTotals
    /// At the end.
    public var surfaces: [PlaneAnchor]
    public var objects: [PlacedObject]
    public var measurements: SessionMeasurements
    /// What people should know, one line each.
    public var notices: [String]
    /// What became of the worlds that were opened and saved.
    public var worldLines: [String] = []
    /// Where no surface was found: what would have helped, in the language of the hints.
    public var advice: String?
}

extension SessionWriter {
    /// What is known better after the last frame.
    func write(_ review: SceneReview) throws {
        let time = review.timestampNanoseconds
        try write(.reviewed, timestampNanoseconds: time)
        for event in review.surfaceEvents { try write(event, timestampNanoseconds: time) }
        for event in review.objectEvents { try write(event, timestampNanoseconds: time) }
    }

    /// All lines of one frame.
    func write(_ scene: SceneFrame) throws {
        let time = scene.result.timestampNanoseconds
        try write(scene.result)
        for event in scene.sessionEvents { try write(event, timestampNanoseconds: time) }
        for event in scene.hintEvents { try write(event, timestampNanoseconds: time) }
        for event in scene.objectEvents { try write(event, timestampNanoseconds: time) }
        for event in scene.feedback { try write(event, timestampNanoseconds: time) }
    }
}
