import FootholdCapture
import FootholdExport
import FootholdPlacement
import Foundation
import Synchronization

/// A camera session, from its first picture until it is stopped.
///
/// Capture runs on its own thread and always has its newest picture ready; the caller's thread tracks, coaches and
/// places; files, the recording, drawing and live lines have threads of their own, behind queues that nobody before
/// them waits for. Use one job once, from one thread.
public final class LiveJob {
    public struct Options: Sendable {
        public var camera: CameraOptions
        public var placements: [PlacementRequest] = []
        /// BCP 47, one of `HintCatalogue.languages`.
        public var language = "en"
        /// A saved world to go on in.
        public var worldFile: String?
        /// Where to save the world with its objects at the end.
        public var savedWorldFile: String?
        /// Nil runs until it is stopped.
        public var durationSeconds: Double?
        /// The folder of results; nil writes none.
        public var output: String?
        /// Draw `annotated.mp4` into it, as far as drawing keeps up.
        public var writesVideo = false
        /// Where to record what was tracked.
        public var recording: String?
        /// A file descriptor for the lines of `session.jsonl` as they come.
        public var eventsDescriptor: Int32?
        /// File descriptors for commands and for their answers.
        public var commandsDescriptor: Int32?
        public var answersDescriptor: Int32 = STDOUT_FILENO

        public init(camera: CameraOptions = CameraOptions()) { self.camera = camera }

        /// At the end everything is looked at once more, for what is kept of the session.
        public var hasReview: Bool { output != nil || savedWorldFile != nil }
    }

    public var info: SourceInfo { camera.info }
    /// The camera's name and how it is run.
    public var cameraText: String { "\(camera.camera.name) (\(camera.camera.path)), \(camera.mode)" }
    /// Where the results will be.
    public var output: URL? { folder?.target }

    private let options: Options
    private let camera: CameraSource
    private let folder: OutputFolder?
    private let recording: CameraRecording?
    private let openedWorld: Data?
    private let claims: FileClaims
    private let troubles: Troubles
    private let onMessage: (String) -> Void
    private var taps: [PlacementTap]

    /// What the capturing thread has said and nobody has passed on yet.
    private final class Troubles: Sendable {
        private let waiting = Mutex<[CameraTrouble]>([])

        func add(_ trouble: CameraTrouble) { waiting.withLock { if $0.count < 1000 { $0.append(trouble) } } }

        func take() -> [CameraTrouble] {
            waiting.withLock { troubles in
                defer { troubles.removeAll() }
                return troubles
            }
        }
    }

    /// Opens the camera and checks everything that can be wrong before the work begins.
    ///
    /// - Parameter onMessage: one line for people, called on the thread that calls `run`; must not wait for anything.
    /// - Throws: `CaptureError` or `UsageError`, each one line that says what to do.
    public init(options: Options, onMessage: @escaping (String) -> Void) throws {
        try UsageError.checkThatThereAreWords(in: options.language)
        claims = Self.claims(options)
        try claims.check()
        openedWorld = try options.worldFile.map { try SavedWorldFile.read($0) }
        if let path = options.savedWorldFile {
            try FileClaims.checkWritable(path, "--save-world", replacing: .savedWorld)
        }
        let templates = try options.placements.map { try ObjectLibrary.template($0.name) }
        do {
            folder = try options.output.map { try OutputFolder(at: URL(fileURLWithPath: $0)) }
        } catch {
            throw UsageError(String(describing: error))
        }
        let troubles = Troubles()
        let camera = try CameraSource(options.camera) { troubles.add($0) }
        let info = camera.info
        taps = try PlacementTap.taps(for: options.placements, templates: templates, in: info)
        do {
            recording = try options.recording.map { try CameraRecording(path: $0, info: info) }
        } catch let error as CaptureError {
            throw UsageError("--record: \(error)")
        }
        self.options = options
        self.camera = camera
        self.troubles = troubles
        self.onMessage = onMessage
    }

    /// What the session reads and writes.
    private static func claims(_ options: Options) -> FileClaims {
        var claims = FileClaims()
        claims.reads(options.camera.cameraFile, "--camera")
        claims.reads(options.worldFile, "--world")
        for placement in options.placements where !ObjectLibrary.isBuiltIn(placement.name) {
            claims.reads(placement.name, "--place")
        }
        claims.writesStandardStreams()
        claims.writesFolder(options.output, "--out")
        claims.writes(options.recording, "--record")
        claims.writes(options.savedWorldFile, "--save-world", inPlaceOf: "--world")
        return claims
    }

    /// Removes what was written so far; for when the process must end at once. From any thread.
    public var abandon: @Sendable () -> Void { { [folder] in folder?.discard() } }

    /// Runs until the time is over or somebody asks for the end, which is an orderly one: results appear under their
    /// final name, and the recording is closed.
    ///
    /// - Parameters:
    ///   - cancellation: a request for the end; made by the job itself when the time is over and a review follows.
    ///   - hurry: a request to look at no more pictures once more at the end.
    ///   - onStart: called when nothing can be refused any more.
    ///   - onProgress: frames tracked so far.
    public func run(
        cancellation: Cancellation = Cancellation(), hurry: Cancellation = Cancellation(), onStart: () -> Void = {},
        onProgress: (_ done: Int) -> Void = { _ in }
    ) throws -> LiveReport {
        defer { camera.stop() }
        let run = try LiveRun(
            options: options, claims: claims, camera: camera, folder: folder,
            recorder: recording.map(LiveRecorder.init),
            openedWorld: openedWorld, onMessage: onMessage)
        onStart()
        for notice in camera.notices { onMessage(notice) }
        if info.intrinsics == nil {
            onMessage(
                "this camera's angle of view isn't known, so \(Int(CameraIntrinsics.guessedView))° are assumed: 'foothold calibrate "
                    + "\(info.name)' finds the true one, once and for all")
        }
        try run.start()
        let start = SteadyClock.seconds
        while !cancellation.isRequested {
            if let duration = options.durationSeconds, SteadyClock.seconds - start >= duration { break }
            for trouble in troubles.take() { try run.tell(trouble) }
            guard let live = camera.nextFrame(waitingAtMost: 0.1) else {
                try run.withoutFrame()
                continue
            }
            while let tap = taps.first, tap.nanoseconds <= live.frame.timestampNanoseconds {
                run.session.place(tap.template, atPixel: tap.pixel)
                taps.removeFirst()
            }
            try run.take(live)
            onProgress(run.totals.frames)
        }
        camera.stop()
        // Who asks for the end from here on means that of looking once more.
        if options.hasReview { cancellation.request() }
        for trouble in troubles.take() { try run.tell(trouble) }
        return try run.finish(
            wallSeconds: SteadyClock.seconds - start,
            notices: taps.map {
                "--place \($0.request.name) at \($0.request.seconds) s came after the end: it was not placed"
            }, hurry: hurry)
    }
}

/// What a session came to, for telling people.
public struct LiveReport: Sendable {
    public var totals: SessionTotals
    public var surfaces: [PlaneAnchor]
    public var objects: [PlacedObject]
    public var measurements: SessionMeasurements
    /// What people should know, one line each.
    public var notices: [String]
    /// What became of the worlds that were opened and saved.
    public var worldLines: [String] = []
    /// Why the session must not count as a success: something that was asked for is not whole.
    public var failure: CaptureError?
}
