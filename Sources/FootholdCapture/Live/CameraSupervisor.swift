import CFootholdV4L2
import FootholdScene
import Foundation
import Synchronization

/// Keeps a camera running: takes its pictures, watches them, says what is wrong, and starts it again.
///
/// Everything here happens on the capturing thread.
final class CameraSupervisor {
    private let wanted: CameraMode
    private let mode: CameraMode
    private let camera: CameraDescription
    private let lockAfterNanoseconds: Int64?
    private let slot: FrameSlot<CameraSource.CapturedPicture>
    private let shared: CameraSource.Shared
    private let onTrouble: @Sendable (CameraTrouble) -> Void

    private var path: String
    private var stream: CameraStream?
    private var controls = CameraControls()
    private var hasLockedLight = false
    private var watch: PictureWatch
    private var lastSequence: UInt32?
    /// When the camera began to settle on the light that it finds.
    private var lightSince: Int64?
    private var lastTime = Int64.min
    /// When the last good picture came, or waiting for one began.
    private var lastGood: Int64 = 0
    private var spoiltSinceGood = 0
    private var errorsInRow = 0
    private var lastFormatCheck: Int64 = 0
    private var fastRestarts = 0
    private var hasWrongClock = false
    /// What keeps pictures from coming now.
    private var present: CameraTrouble.Kind?

    /// Without a picture for this long something is wrong.
    private static let stallNanoseconds: Int64 = 2_000_000_000
    private static let formatCheckNanoseconds: Int64 = 1_000_000_000
    /// How often a camera that is away is looked for.
    private static let retryMicroseconds: UInt32 = 200_000
    /// A transfer error more than this often in a row isn't passing.
    private static let toleratedErrors = 3
    /// How far a driver's clock may be off the system's before it is no clock.
    private static let clockTolerance: Int64 = 3_000_000_000
    /// Some date a picture with when it should have been there.
    private static let clockLead: Int64 = 250_000_000

    init(
        opening: CameraOpening, options: CameraOptions, slot: FrameSlot<CameraSource.CapturedPicture>,
        shared: CameraSource.Shared, onTrouble: @escaping @Sendable (CameraTrouble) -> Void
    ) {
        wanted = opening.wanted
        mode = opening.stream.mode
        camera = opening.description
        path = opening.description.path
        stream = opening.stream
        lockAfterNanoseconds = options.lockExposureAfterSeconds.map { Int64($0 * 1e9) }
        watch = PictureWatch(promisedRate: opening.stream.mode.rate)
        self.slot = slot
        self.shared = shared
        self.onTrouble = onTrouble
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private var isStopped: Bool { shared.isStopped.load(ordering: .acquiring) }

    func run() {
        lastGood = Self.now
        if let stream { _ = controls.holdFocus(stream.device) }
        while !isStopped {
            if stream != nil { takeNext() } else { reopen() }
        }
        if let stream { controls.letGo(stream.device) }
        stream = nil
    }

    // MARK: Taking pictures

    private func takeNext() {
        guard let stream else { return }
        do throws(CameraFailure) {
            try stream.wait(milliseconds: 100)
            switch try stream.next() {
            case .nothing:
                // A driver that says that there is something and gives nothing must not keep the processor busy.
                usleep(1000)
            case .spoilt(let sequence):
                errorsInRow = 0
                _ = count(sequence)
                spoiltSinceGood += 1
                shared.count { $0.damaged += 1 }
            case .picture(let picture):
                errorsInRow = 0
                take(picture)
            }
            try check(stream)
        } catch {
            fail(error)
        }
    }

    private func take(_ picture: CameraStream.Picture) {
        let now = Self.now
        let lost = count(picture.sequence)
        let time = self.time(of: picture, now: now)
        lastGood = now
        spoiltSinceGood = 0
        fastRestarts = 0
        shared.count { $0.captured += 1 }
        // Two pictures of one moment: the second is the first again.
        guard time > lastTime else { return }
        lastTime = time
        let since = lightSince ?? time
        lightSince = since
        if let kind = present {
            present = nil
            say(kind, over: true, "\(name) gives pictures again")
        }
        look(at: picture.pixels, time: time, lost: lost)
        slot.put(CameraSource.CapturedPicture(pixels: picture.pixels, nanoseconds: time))
        if let lockAfterNanoseconds, !hasLockedLight, time - since >= lockAfterNanoseconds, let stream {
            hasLockedLight = true
            _ = controls.holdLight(stream.device)
        }
    }

    /// Adds up what the driver's numbers say was lost.
    private func count(_ sequence: UInt32) -> Int {
        defer { lastSequence = sequence }
        guard let lastSequence else { return 0 }
        let step = Int(sequence &- lastSequence)
        // Anything else is a driver that starts over or doesn't count.
        guard (2...10_000).contains(step) else { return 0 }
        shared.count { $0.lost += step - 1 }
        return step - 1
    }

    private func time(of picture: CameraStream.Picture, now: Int64) -> Int64 {
        guard let stated = picture.nanoseconds, !hasWrongClock else { return now }
        if (now - Self.clockTolerance...now + Self.clockLead).contains(stated) { return stated }
        // For good: two clocks in turn would be worse than either.
        hasWrongClock = true
        say(.lyingDriver, "\(name) dates its pictures wrongly: the time of their arrival is used instead")
        return now
    }

    private func look(at pixels: PixelBuffer, time: Int64, lost: Int) {
        let luma = pixels.luma
        var hash: UInt64 = 0
        var mean = 0.0
        var brightest: Int32 = 0
        fh_v4l2_look(
            luma.base, Int32(luma.bytesPerRow), Int32(luma.width), Int32(luma.height), &hash, &mean, &brightest)
        let look = PictureWatch.Look(hash: hash, mean: mean, brightest: Int(brightest))
        for change in watch.see(look, at: time, lostBefore: lost) {
            switch change {
            case .frozen:
                say(
                    .frozen,
                    "the picture of \(name) stands still: unplug the camera and plug it in again if it stays so")
            case .movingAgain: say(.frozen, over: true, "the picture of \(name) moves again")
            case .black: say(.black, "the picture of \(name) is black: take the lens cap off, or make light")
            case .brightAgain: say(.black, over: true, "\(name) sees something again")
            case .slow(let rate):
                say(
                    .slow,
                    "\(name) promises \(CameraMode.text(mode.rate ?? 0)) frames a second and gives "
                        + "\(CameraMode.text(rate)): more light helps, or a smaller --size")
            }
        }
    }

    // MARK: When something is wrong

    /// What no error tells: that nothing comes, or that somebody set another format.
    private func check(_ stream: CameraStream) throws(CameraFailure) {
        let now = Self.now
        if now - lastFormatCheck >= Self.formatCheckNanoseconds {
            lastFormatCheck = now
            let current = try stream.device.current()
            if current.fourcc != stream.setting.fourcc || current.width != stream.setting.width
                || current.height != stream.setting.height
            {
                interrupt(
                    .formatChanged,
                    "another program set \(name) to \(current.text): it is set back to \(stream.setting.text)")
                return
            }
        }
        guard now - lastGood >= Self.stallNanoseconds else { return }
        if spoiltSinceGood > 0 {
            interrupt(
                .damagedFrames,
                "all pictures of \(name) come damaged or cut off: starting it again; try another cable or socket, or a "
                    + "smaller --size")
        } else {
            interrupt(.noFrames, "no picture from \(name) for 2 s: starting it again; check the cable if this stays so")
        }
    }

    private func fail(_ failure: CameraFailure) {
        if failure.isAbsence {
            interrupt(.unplugged, "\(name) was unplugged: plug it in again to go on; waiting for it")
            return
        }
        errorsInRow += 1
        guard errorsInRow > Self.toleratedErrors else {
            usleep(5000)
            return
        }
        interrupt(
            .streamError,
            "\(name) reports an error (\(String(cString: strerror(failure.number)).lowercased())): starting it again")
    }

    /// Gives the camera up for now; `run` opens it again.
    private func interrupt(_ kind: CameraTrouble.Kind, _ message: String) {
        if present != kind { say(kind, message) }
        present = kind
        shared.count { $0.interruptions += 1 }
        if kind != .unplugged, let stream { controls.letGo(stream.device) }
        controls = CameraControls()
        hasLockedLight = false
        lightSince = nil
        // The memory goes with the last picture that lies in it.
        let old = stream
        stream = nil
        slot.clear()
        for _ in 0..<100 where (old?.lentCount ?? 0) > 0 { usleep(10_000) }
        watch.pause()
        lastSequence = nil
        errorsInRow = 0
        spoiltSinceGood = 0
        // A camera that fails at once again and again is not pestered.
        fastRestarts += 1
        if fastRestarts > 1 { pause() }
    }

    private func pause() {
        for _ in 0..<5 where !isStopped { usleep(Self.retryMicroseconds / 5) }
    }

    // MARK: Coming back

    private func reopen() {
        guard let found = find() else { return pause() }
        do {
            let new = try CameraStream(device: found, mode: wanted)
            guard new.mode.width == mode.width, new.mode.height == mode.height else {
                sayOnce(
                    .otherSize,
                    "\(name) now gives \(new.setting.text) and the session needs \(mode.width)×\(mode.height): "
                        + "set it back or start anew")
                return pause()
            }
            if found.path != path { path = found.path }
            stream = new
            lastGood = Self.now
            lastFormatCheck = lastGood
            _ = controls.holdFocus(found)
        } catch let failure as CameraFailure {
            explain(failure)
            pause()
        } catch {
            sayOnce(.otherSize, String(describing: error))
            pause()
        }
    }

    /// The camera at its old path, or wherever it is plugged in now.
    private func find() -> CameraDevice? {
        var failure: CameraFailure?
        do {
            let device = try CameraDevice(path: path)
            if isSame(device) { return device }
        } catch {
            failure = error
        }
        for other in Cameras.nodes where other != path {
            if let device = try? CameraDevice(path: other), isSame(device) { return device }
        }
        if let failure { explain(failure) }
        return nil
    }

    /// The same socket, or the same name where the driver tells no socket.
    private func isSame(_ device: CameraDevice) -> Bool {
        camera.bus.isEmpty ? device.name == camera.name : device.bus == camera.bus
    }

    private func explain(_ failure: CameraFailure) {
        switch failure.number {
        case EBUSY:
            sayOnce(
                .busy,
                failure.error(path: path).description.replacing("and try again", with: "to go on; waiting for it"))
        case EACCES, EPERM: sayOnce(.forbidden, failure.error(path: path).description)
        case ENOSPC: sayOnce(.noBandwidth, failure.error(path: path).description + "; waiting for it")
        default:
            guard failure.isAbsence else { return }
            sayOnce(.unplugged, "\(name) was unplugged: plug it in again to go on; waiting for it")
        }
    }

    private func sayOnce(_ kind: CameraTrouble.Kind, _ message: String) {
        guard present != kind else { return }
        present = kind
        say(kind, message)
    }

    private func say(_ kind: CameraTrouble.Kind, over: Bool = false, _ message: String) {
        onTrouble(CameraTrouble(kind: kind, isOver: over, message: message))
    }

    private var name: String { camera.path == path ? path : "\(camera.path) (now \(path))" }
}
