import CFootholdV4L2
import FootholdScene
import Foundation
import Synchronization

/// How a camera is to be opened.
public struct CameraOptions: Sendable {
    /// `/dev/video0`; nil takes the first camera that is there.
    public var path: String?
    public var wish = CameraWish()
    /// Calibration; nil uses the one that is remembered for this camera and mode, if there is one.
    public var cameraFile: String?
    /// Hold exposure, gain and white balance this long after the first frame; nil leaves them to the camera.
    public var lockExposureAfterSeconds: Double?
    /// Where calibrations are remembered.
    public var calibrations = CalibrationStore()

    public init(path: String? = nil) { self.path = path }
}

/// A frame of a camera, and when the kernel had it.
public struct LiveFrame: Sendable {
    public var frame: Frame
    /// CLOCK_MONOTONIC.
    public var capturedNanoseconds: Int64
}

/// What became of a camera's frames so far.
public struct CameraCounters: Hashable, Sendable {
    /// Whole pictures that came from the driver.
    public var captured = 0
    /// Those that a newer one replaced before the tracker was ready for them.
    public var replaced = 0
    /// Those that the driver counted and never gave.
    public var lost = 0
    /// Those that came damaged or cut off.
    public var damaged = 0
    /// Times that the camera had to be waited for or started again.
    public var interruptions = 0

    public init() {}
}

/// A camera that runs on a thread of its own and always has its newest picture ready.
///
/// Unplugging, errors and other programs interrupt it and don't end it: it goes on when it can. `nextFrame` and `stop`
/// are for one thread; the rest is safe from any.
public final class CameraSource: @unchecked Sendable {
    public let info: SourceInfo
    public let camera: CameraDescription
    public let mode: CameraMode
    /// What was found out when it was opened, one line each.
    public let notices: [String]

    let slot = FrameSlot<CapturedPicture>()
    let shared = Shared()
    private let finished = DispatchSemaphore(value: 0)
    private var thread: Thread?
    private var nextIndex = 0
    private var originNanoseconds: Int64?

    struct CapturedPicture {
        var pixels: PixelBuffer
        var nanoseconds: Int64
    }

    /// What the capturing thread and the others both see.
    final class Shared: Sendable {
        let isStopped = Atomic(false)
        private let values = Mutex(CameraCounters())

        var counters: CameraCounters { values.withLock { $0 } }

        func count(_ change: (inout CameraCounters) -> Void) { values.withLock { change(&$0) } }
    }

    /// Opens the camera, sets it up and starts it.
    ///
    /// - Parameter onTrouble: called on the capturing thread; must not wait for anything.
    /// - Throws: `CaptureError`
    public init(_ options: CameraOptions, onTrouble: @escaping @Sendable (CameraTrouble) -> Void) throws {
        let opening = try CameraOpening(options)
        camera = opening.description
        mode = opening.stream.mode
        notices = opening.notices
        info = opening.info
        let supervisor = CameraSupervisor(
            opening: opening, options: options, slot: slot, shared: shared, onTrouble: onTrouble)
        let handover = Handover(supervisor: supervisor)
        let thread = Thread { [finished] in
            handover.supervisor.run()
            finished.signal()
        }
        thread.name = "foothold.capture"
        thread.qualityOfService = .userInteractive
        self.thread = thread
        thread.start()
    }

    /// The supervisor belongs to the capturing thread from its start.
    private struct Handover: @unchecked Sendable { let supervisor: CameraSupervisor }

    /// The newest frame that was not given yet; waits for one, but no longer than this.
    public func nextFrame(waitingAtMost seconds: Double) -> LiveFrame? {
        guard let picture = slot.take(waitingAtMost: seconds) else { return nil }
        let origin = originNanoseconds ?? picture.nanoseconds
        originNanoseconds = origin
        defer { nextIndex += 1 }
        return LiveFrame(
            frame: Frame(
                index: nextIndex, timestampNanoseconds: picture.nanoseconds - origin, pixels: picture.pixels),
            capturedNanoseconds: picture.nanoseconds)
    }

    public var counters: CameraCounters {
        var counters = shared.counters
        counters.replaced = slot.replacedCount
        return counters
    }

    /// Stops the camera and gives it back to others. Frames that were taken stay valid.
    public func stop() {
        guard !shared.isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        slot.close()
        finished.wait()
    }

    deinit { stop() }
}

/// A camera opened for the first time, with everything that was found out about it.
struct CameraOpening {
    let stream: CameraStream
    let description: CameraDescription
    let wanted: CameraMode
    let info: SourceInfo
    let notices: [String]

    init(_ options: CameraOptions) throws {
        let device = try Self.open(options.path)
        let modes = device.modes()
        description = device.described(modes: modes)
        wanted = try Self.choose(modes, options.wish, device)
        do {
            stream = try CameraStream(device: device, mode: wanted)
        } catch let failure as CameraFailure {
            guard !failure.isAbsence else {
                throw CaptureError(
                    .missingCamera,
                    "\(device.path) went away while it was being started: plug it in again and try once more")
            }
            throw failure.error(path: device.path)
        }
        var notices: [String] = []
        let mode = stream.mode
        if mode.width != wanted.width || mode.height != wanted.height || mode.format != wanted.format {
            let isNamed = options.wish.width != nil || options.wish.format != nil
            guard !isNamed else {
                throw CaptureError(
                    .noCameraMode,
                    "\(device.path) offers \(wanted) and then gives \(stream.setting.text): choose another --size or --format"
                )
            }
            notices.append("\(device.path) offers \(wanted) and gives \(stream.setting.text), which is used")
        }
        if stream.bytesPerRow != stream.setting.bytesPerRow, !mode.format.isCompressed {
            notices.append(
                "\(device.path) says that a row has \(stream.setting.bytesPerRow) bytes, which can't be: "
                    + "\(stream.bytesPerRow) are read")
        }
        var info = SourceInfo(
            name: device.path, kind: .camera, width: mode.width, height: mode.height,
            nominalFrameRate: mode.rate ?? 30)
        if let file = options.cameraFile ?? options.calibrations.file(for: description, mode: mode) {
            let calibration = try Calibration(file: file)
            info.intrinsics = try calibration.fitted(
                toWidth: mode.width, height: mode.height, rotationDegrees: 0, isMirrored: false
            ).intrinsics
            if options.cameraFile == nil { notices.append("the calibration of this camera is used: \(file)") }
        }
        self.info = info
        self.notices = notices
    }

    private static func open(_ path: String?) throws -> CameraDevice {
        if let path {
            do {
                return try CameraDevice(path: path)
            } catch {
                throw error.error(path: path)
            }
        }
        // The first that works; where none does, what keeps the first from it.
        var refusal: CaptureError?
        for path in Cameras.nodes {
            do {
                return try CameraDevice(path: path)
            } catch {
                guard !error.isAbsence, error.number != ENOTTY else { continue }
                if refusal == nil { refusal = error.error(path: path) }
            }
        }
        throw refusal ?? Cameras.noneFound()
    }

    private static func choose(_ modes: [CameraMode], _ wish: CameraWish, _ device: CameraDevice) throws -> CameraMode {
        if let mode = CameraModeChooser.best(modes, wish: wish) { return mode }
        guard !modes.isEmpty else {
            throw CaptureError(
                .noCameraMode,
                "\(device.path) gives no pictures in a form that can be read (GREY, NV12, YU12, YUYV, UYVY, MJPG): "
                    + "use another camera")
        }
        throw CaptureError(
            .noCameraMode,
            "\(device.path) has no \(wish.text): it offers \(CameraModeChooser.summary(modes))")
    }
}
