import CFootholdV4L2
import Foundation

/// A camera that is connected.
public struct CameraDescription: Hashable, Sendable {
    /// `/dev/video0`
    public var path: String
    /// Its name for people.
    public var name: String
    /// Where it is plugged in, which stays the same when it is plugged in again there.
    public var bus: String
    public var driver: String
    /// The modes that Foothold can use.
    public var modes: [CameraMode]

    public init(path: String, name: String, bus: String, driver: String, modes: [CameraMode]) {
        self.path = path
        self.name = name
        self.bus = bus
        self.driver = driver
        self.modes = modes
    }
}

/// Which cameras are there.
public enum Cameras {
    static let nodes = (0..<64).map { "/dev/video\($0)" }

    /// All cameras that may be used now; those that are busy too.
    public static func connected() -> [CameraDescription] {
        nodes.compactMap { path in
            guard let device = try? CameraDevice(path: path) else { return nil }
            return device.described(modes: device.modes())
        }
    }

    /// What became of trying to open a device.
    public struct Attempt: Sendable {
        public var path: String
        /// Nil where it can't be opened.
        public var camera: CameraDescription?
        /// Why not, and what to do.
        public var failure: CaptureError?
    }

    /// Every device node that is there, opened and asked for what it can do.
    public static func tried() -> [Attempt] {
        nodes.filter { FileManager.default.fileExists(atPath: $0) }.map { path in
            do throws(CameraFailure) {
                let device = try CameraDevice(path: path)
                return Attempt(path: path, camera: device.described(modes: device.modes()), failure: nil)
            } catch {
                return Attempt(path: path, camera: nil, failure: error.error(path: path))
            }
        }
    }

    /// What is to be said where there is no camera at all.
    static func noneFound() -> CaptureError {
        CaptureError(
            .missingCamera,
            "there is no camera: looked at /dev/video0 to /dev/video63 and none of them takes pictures; plug one in, or "
                + "try a recording instead: foothold process VIDEO")
    }
}

/// An opened device node; closed with its last reference. One thread at a time, apart from `giveBack`.
final class CameraDevice: @unchecked Sendable {
    let path: String
    let name: String
    let bus: String
    let driver: String
    let handle: OpaquePointer

    /// - Throws: `CameraFailure`
    init(path: String) throws(CameraFailure) {
        var opened: OpaquePointer?
        let status = fh_v4l2_open(path, &opened)
        guard status == 0, let handle = opened else { throw CameraFailure(status: status) }
        self.handle = handle
        self.path = path
        var info = fh_v4l2_info()
        fh_v4l2_describe(handle, &info)
        func text<T>(_ field: T) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        driver = text(info.driver)
        let card = text(info.card)
        name = card.isEmpty ? "camera" : card
        bus = text(info.bus)
    }

    deinit { fh_v4l2_close(handle) }

    func described(modes: [CameraMode]) -> CameraDescription {
        CameraDescription(path: path, name: name, bus: bus, driver: driver, modes: modes)
    }

    /// Every mode that Foothold can use. Where the driver tells none, the one that is set.
    func modes() -> [CameraMode] {
        var modes: [CameraMode] = []
        var fourcc: UInt32 = 0
        for number in 0..<64 where fh_v4l2_format_at(handle, UInt32(number), &fourcc) == 0 {
            guard let format = CameraFormat(fourcc: fourcc) else { continue }
            for (width, height) in sizes(of: format) {
                let intervals = self.intervals(of: format, width: width, height: height)
                if intervals.isEmpty { modes.append(CameraMode(format: format, width: width, height: height)) }
                for interval in intervals {
                    modes.append(CameraMode(format: format, width: width, height: height, interval: interval))
                }
            }
        }
        if modes.isEmpty, let now = try? current(), let format = now.format {
            modes.append(CameraMode(format: format, width: now.width, height: now.height, interval: now.interval))
        }
        return modes
    }

    private func sizes(of format: CameraFormat) -> [(Int, Int)] {
        var sizes: [(Int, Int)] = []
        var size = fh_v4l2_size()
        for number in 0..<256 where fh_v4l2_size_at(handle, UInt32(number), format.fourcc, &size) == 0 {
            guard size.step_width > 0 || size.step_height > 0 else {
                sizes.append((Int(size.width), Int(size.height)))
                continue
            }
            let fits = CameraModeChooser.usualSizes.filter { width, height in
                (Int(size.width)...max(Int(size.width), Int(size.max_width))).contains(width)
                    && (Int(size.height)...max(Int(size.height), Int(size.max_height))).contains(height)
                    && (width - Int(size.width)) % max(1, Int(size.step_width)) == 0
                    && (height - Int(size.height)) % max(1, Int(size.step_height)) == 0
            }
            sizes += fits.isEmpty ? [(Int(size.max_width), Int(size.max_height))] : fits
        }
        // Without a list the size that is set now is what there is, and VGA is what nearly all can do.
        if sizes.isEmpty {
            if let now = try? current() { sizes.append((now.width, now.height)) }
            if !sizes.contains(where: { $0 == (640, 480) }) { sizes.append((640, 480)) }
        }
        return sizes.filter { (64...16384).contains($0.0) && (64...16384).contains($0.1) }
    }

    private func intervals(of format: CameraFormat, width: Int, height: Int) -> [CameraMode.Fraction] {
        var intervals: [CameraMode.Fraction] = []
        var interval = fh_v4l2_interval()
        for number in 0..<64
        where fh_v4l2_interval_at(handle, UInt32(number), format.fourcc, Int32(width), Int32(height), &interval) == 0 {
            guard interval.numerator > 0, interval.denominator > 0 else { continue }
            let least = CameraMode.Fraction(interval.numerator, interval.denominator)
            guard interval.is_range == 1, interval.max_numerator > 0, interval.max_denominator > 0 else {
                intervals.append(least)
                continue
            }
            let most = CameraMode.Fraction(interval.max_numerator, interval.max_denominator)
            intervals += CameraModeChooser.usualRates.map { CameraMode.Fraction(1, $0) }.filter {
                (least.seconds * 0.999...max(least.seconds, most.seconds) * 1.001).contains($0.seconds)
            }
            break
        }
        return intervals
    }

    /// What is set now.
    func current() throws(CameraFailure) -> CameraSetting {
        var mode = fh_v4l2_mode()
        let status = fh_v4l2_current_mode(handle, &mode)
        guard status == 0 else { throw CameraFailure(status: status) }
        return CameraSetting(mode)
    }

    /// Asks for a mode; says what the driver made of it.
    func set(_ mode: CameraMode) throws(CameraFailure) -> CameraSetting {
        var wanted = fh_v4l2_mode()
        wanted.fourcc = mode.format.fourcc
        wanted.width = Int32(mode.width)
        wanted.height = Int32(mode.height)
        wanted.interval_numerator = mode.interval?.numerator ?? 0
        wanted.interval_denominator = mode.interval?.denominator ?? 0
        var made = fh_v4l2_mode()
        let status = fh_v4l2_set_mode(handle, &wanted, &made)
        guard status == 0 else { throw CameraFailure(status: status) }
        return CameraSetting(made)
    }
}

/// A mode as the driver has set it.
struct CameraSetting: Equatable {
    var fourcc: UInt32
    var width: Int
    var height: Int
    /// As the driver says it; may be nonsense.
    var bytesPerRow: Int
    var interval: CameraMode.Fraction?
    var isFullRange: Bool

    init(_ mode: fh_v4l2_mode) {
        fourcc = mode.fourcc
        width = Int(mode.width)
        height = Int(mode.height)
        bytesPerRow = Int(mode.bytes_per_row)
        isFullRange = mode.is_full_range != 0
        if mode.interval_numerator > 0, mode.interval_denominator > 0 {
            interval = CameraMode.Fraction(mode.interval_numerator, mode.interval_denominator)
        }
    }

    var format: CameraFormat? { CameraFormat(fourcc: fourcc) }

    var text: String { "\(width)×\(height) \(CameraFormat.name(fourcc))" }
}

/// What the system said instead of doing it: an errno.
struct CameraFailure: Error, Equatable {
    var number: Int32

    init(number: Int32) { self.number = number }

    init(status: Int32) { number = -status }

    /// The camera is not there (any more).
    var isAbsence: Bool { [ENODEV, ENOENT, ENXIO].contains(number) }

    /// One line for people.
    func error(path: String) -> CaptureError {
        switch number {
        case ENOENT, ENODEV, ENXIO, ENOTDIR, ELOOP, ENAMETOOLONG:
            let others = Cameras.connected()
            guard !others.isEmpty else {
                return CaptureError(
                    .missingCamera,
                    "there is no camera at \(path), nor at /dev/video0 to /dev/video63: plug one in, or try a recording "
                        + "instead: foothold process VIDEO")
            }
            let list = others.map { "\($0.path) (\($0.name))" }.joined(separator: ", ")
            return CaptureError(.missingCamera, "there is no camera at \(path): use one of \(list)")
        case EACCES, EPERM:
            return CaptureError(
                .cameraForbidden,
                "\(path) may not be used by this user: join its group with 'sudo usermod -aG \(Self.group(of: path)) "
                    + "$USER' and log in again")
        case EBUSY:
            let user = Self.user(of: path).map { " by \($0)" } ?? " by another program"
            return CaptureError(.cameraBusy, "\(path) is in use\(user): close that and try again")
        case ENOTTY, EINVAL, EISDIR:
            return CaptureError(.notACamera, "\(path) is no camera that gives pictures: try another /dev/video…")
        case EOPNOTSUPP:
            return CaptureError(
                .notACamera,
                "\(path) is a camera with several planes of memory a picture, which cannot be read here: use its "
                    + "single-planar node, or a USB camera")
        case ENOSPC:
            return CaptureError(
                .noCameraMode,
                "the USB connection of \(path) has no room left for its pictures: choose a smaller --size or a lower "
                    + "--rate, or plug it in elsewhere")
        case ENOMEM:
            return CaptureError(
                .outOfMemory, "there is not enough memory for the pictures of \(path): choose a smaller --size")
        default:
            let reason = String(cString: strerror(number)).lowercased()
            return CaptureError(
                .failingCamera, "\(path) cannot be used (\(reason)): unplug the camera and plug it in again")
        }
    }

    /// The group that owns a node; Debian's where it isn't known.
    private static func group(of path: String) -> String {
        var information = stat()
        guard stat(path, &information) == 0, information.st_gid != 0, let group = getgrgid(information.st_gid) else {
            return "video"
        }
        return String(cString: group.pointee.gr_name)
    }

    /// Which other program has a node open, where the system lets us see.
    private static func user(of path: String) -> String? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let manager = FileManager.default
        for process in (try? manager.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let id = Int32(process), id != getpid() else { continue }
            let folder = "/proc/\(process)/fd"
            for descriptor in (try? manager.contentsOfDirectory(atPath: folder)) ?? []
            where (try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")) == target {
                let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
                return "\(name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "a program") (process \(id))"
            }
        }
        return nil
    }
}
