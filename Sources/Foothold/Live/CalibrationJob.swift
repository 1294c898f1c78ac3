import FootholdCapture
import FootholdExport
import Foundation

/// Calibrates a camera or the camera of a recording with a board that is shown to it.
public final class CalibrationJob {
    public struct Options: Sendable {
        public var board = CalibrationBoard()
        /// For a camera.
        public var wish = CameraWish()
        /// Where the result goes too; nil keeps it only for the camera.
        public var output: String?
        /// A camera is given up after so many seconds.
        public var durationSeconds = 300.0
        public var calibrations = CalibrationStore()

        public init() {}
    }

    /// How it goes.
    public struct Progress: Sendable {
        public var frames: Int
        public var views: Int
        /// 0…1.
        public var share: Double
        /// What to do with the board now.
        public var words: String
    }

    public struct Report: Sendable {
        public var result: CameraCalibrator.Result
        /// What the views still lacked, in words; empty when nothing.
        public var missing: [String]
        /// Where the calibration was written.
        public var files: [String]
        /// Why it couldn't be written elsewhere.
        public var failures: [String] = []
    }

    private let input: String?
    private let options: Options

    /// - Parameter input: a camera's node, a recording, or nil for the first camera.
    public init(input: String?, options: Options = Options()) {
        self.input = input
        self.options = options
    }

    /// Checks that a board's picture can be written there.
    /// - Throws: `UsageError`
    public static func checkPrintable(to path: String) throws(UsageError) {
        guard ["", "png"].contains(URL(fileURLWithPath: path).pathExtension.lowercased()) else {
            throw UsageError("--print \(path): the board is drawn as a PNG: give a name that ends in .png")
        }
        var claims = FileClaims()
        claims.writes(path, "--print")
        try claims.check()
        try FileClaims.checkWritable(path, "--print", replacing: .picture)
    }

    /// - Parameters:
    ///   - cancellation: ends the looking; what was seen until then is used when it is enough.
    ///   - onMessage: one line for people.
    /// - Throws: `CaptureError`
    public func run(
        cancellation: Cancellation, onMessage: @escaping (String) -> Void, onProgress: (Progress) -> Void
    ) throws -> Report {
        let isRecording = input.map { !$0.hasPrefix("/dev/") } ?? false
        var claims = FileClaims()
        claims.reads(input, isRecording ? "the recording" : "the camera")
        claims.writes(options.output, "--out")
        try claims.check()
        if let output = options.output { try FileClaims.checkWritable(output, "--out", replacing: .calibration) }
        return isRecording
            ? try runRecording(cancellation, onProgress) : try runCamera(cancellation, onMessage, onProgress)
    }

    private func runRecording(_ cancellation: Cancellation, _ onProgress: (Progress) -> Void) throws -> Report {
        let source = try FrameSources.open(input ?? "")
        let info = source.info
        let isSinglePictures = info.kind == .imageFolder
        let calibrator = try CameraCalibrator(
            board: options.board, width: info.width, height: info.height, checksMovement: !isSinglePictures)
        var frames = 0
        while !cancellation.isRequested, let frame = try source.nextFrame() {
            _ = try calibrator.look(at: frame.pixels)
            frames += 1
            onProgress(progress(calibrator, .notSeen, frames, total: info.estimatedFrameCount))
        }
        try checkNotStopped(cancellation, calibrator)
        return try finish(calibrator, frames: frames, camera: nil)
    }

    private func runCamera(
        _ cancellation: Cancellation, _ onMessage: @escaping (String) -> Void, _ onProgress: (Progress) -> Void
    ) throws -> Report {
        var cameraOptions = CameraOptions(path: input)
        cameraOptions.wish = options.wish
        let messages = PendingMessages()
        let camera = try CameraSource(cameraOptions) { messages.add($0.message) }
        defer { camera.stop() }
        let calibrator = try CameraCalibrator(
            board: options.board, width: camera.info.width, height: camera.info.height)
        onMessage("\(camera.camera.name) (\(camera.camera.path)), \(camera.mode): show it the board from all sides")
        let start = SteadyClock.seconds
        var frames = 0
        var words = ""
        while !cancellation.isRequested, !calibrator.coverage.isComplete,
            SteadyClock.seconds - start < options.durationSeconds
        {
            for message in messages.take() { onMessage(message) }
            guard let live = camera.nextFrame(waitingAtMost: 0.1) else { continue }
            let outcome = try calibrator.look(at: live.frame.pixels)
            frames += 1
            let now = progress(calibrator, outcome, frames, total: nil)
            onProgress(now)
            if outcome == .kept || words.isEmpty || now.words != words && frames % 60 == 0 {
                words = now.words
                onMessage("\(now.views) of about \(CalibrationCoverage.wantedViews) views: \(words)")
            }
        }
        try checkNotStopped(cancellation, calibrator)
        for message in messages.take() { onMessage(message) }
        guard frames > 0 else {
            throw CaptureError(
                .badCamera,
                "\(camera.info.name) gave no picture at all: check its cable, and see what 'foothold doctor' says")
        }
        return try finish(calibrator, frames: frames, camera: camera)
    }

    private func checkNotStopped(_ cancellation: Cancellation, _ calibrator: CameraCalibrator) throws {
        guard cancellation.isRequested, calibrator.seenCount == 0 else { return }
        throw StoppedError("stopped before the board was seen, so nothing was written")
    }

    /// What the capturing thread has said.
    private final class PendingMessages: @unchecked Sendable {
        private let lock = NSLock()
        private var messages: [String] = []

        func add(_ message: String) { lock.withLock { messages.append(message) } }

        func take() -> [String] {
            lock.withLock {
                defer { messages = [] }
                return messages
            }
        }
    }

    private func progress(
        _ calibrator: CameraCalibrator, _ outcome: CameraCalibrator.Outcome, _ frames: Int, total: Int?
    ) -> Progress {
        let words =
            switch outcome {
            case .notSeen: "the board isn't seen whole: hold it into the picture, flat and in good light"
            case .moving: "hold it still for a moment"
            case .known, .kept: calibrator.coverage.needs.first?.words ?? "that will do"
            }
        let share = total.map { min(1, Double(frames) / Double(max(1, $0))) } ?? calibrator.coverage.progress
        return Progress(frames: frames, views: calibrator.coverage.views.count, share: share, words: words)
    }

    private func finish(_ calibrator: CameraCalibrator, frames: Int, camera: CameraSource?) throws -> Report {
        guard calibrator.seenCount > 0 else {
            let kind = options.board.kind
            throw CaptureError(
                .badCalibration,
                "no board of \(options.board.columns)×\(options.board.rows) squares was seen in \(frames) pictures: count "
                    + "its squares for --squares, or name another --board than \(kind.rawValue)")
        }
        let result = try calibrator.solve()
        var report = Report(result: result, missing: calibrator.coverage.needs.map(\.words), files: [])
        // What took minutes to show isn't lost because a disk is full.
        func keep(_ write: () throws -> String) {
            do { report.files.append(try write()) } catch { report.failures.append("\(error)") }
        }
        if let output = options.output {
            keep {
                try WholeFile.write(Data(result.text.utf8), to: URL(fileURLWithPath: output))
                return output
            }
        }
        if let camera {
            keep { try options.calibrations.remember(result.text, for: camera.camera, mode: camera.mode) }
        }
        return report
    }
}
