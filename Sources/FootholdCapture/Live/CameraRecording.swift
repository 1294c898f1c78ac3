import CFootholdMedia
import FootholdScene
import Foundation

/// Writes what a camera saw into a file that `foothold process` replays with the same result: pictures without loss,
/// times exact to the nanosecond, the calibration in it. One thread at a time.
public final class CameraRecording {
    public let path: String
    private let width: Int
    private let height: Int
    private let nominalInterval: Int64
    private let camera: CameraIntrinsics?
    private var handle: OpaquePointer?
    private var isGray = false
    /// It was made here and has not got its first picture yet.
    private var isNew = false
    /// Pictures in the file.
    public private(set) var count = 0

    /// Creates the file at once, so that what is wrong with the path shows here.
    /// - Throws: `CaptureError`
    public init(path: String, info: SourceInfo) throws {
        self.path = path
        width = info.width
        height = info.height
        nominalInterval = Int64((1e9 / max(info.nominalFrameRate, 0.1)).rounded())
        camera = info.intrinsics
        var information = stat()
        let isThere = stat(path, &information) == 0
        // A pipe or a device may keep us waiting, or take in what nobody can replay.
        guard !isThere || information.st_mode & S_IFMT == S_IFREG else {
            throw CaptureError(
                .unwritable, "cannot record to \(path), which is a folder, device or pipe: choose another file")
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(errno) }
        close(descriptor)
        isNew = !isThere
    }

    deinit {
        fh_recorder_destroy(handle)
        removeIfEmpty()
    }

    /// A file without pictures is of no use to anybody.
    private func removeIfEmpty() {
        guard isNew, count == 0 else { return }
        isNew = false
        unlink(path)
    }

    /// - Throws: `CaptureError`, `.diskFull` among them; the pictures before stay readable.
    public func append(_ frame: Frame) throws {
        let pixels = frame.pixels
        if handle == nil { try create(like: pixels) }
        var source = fh_encode_source()
        source.y = pixels.luma.base
        source.y_stride = pixels.luma.bytesPerRow
        if !isGray {
            source.u = pixels.planes[1].base
            source.chroma_stride = pixels.planes[1].bytesPerRow
            source.chroma_step = pixels.format == .nv12 ? 2 : 1
            source.v = pixels.format == .nv12 ? pixels.planes[1].base + 1 : pixels.planes[2].base
        }
        let status = fh_recorder_append(handle, &source, frame.timestampNanoseconds)
        guard status >= 0 else { throw failure(-status) }
        count += 1
    }

    /// - Throws: `CaptureError` when the end could not be written.
    public func finish() throws {
        defer { removeIfEmpty() }
        guard let handle else { return }
        let status = fh_recorder_finish(handle)
        fh_recorder_destroy(handle)
        self.handle = nil
        guard status >= 0 else { throw failure(-status) }
    }

    private func create(like pixels: PixelBuffer) throws {
        // Chroma of half a size needs even sizes.
        isGray = pixels.format == .gray8 || width % 2 != 0 || height % 2 != 0
        var config = fh_recorder_config()
        config.struct_size = UInt32(MemoryLayout<fh_recorder_config>.size)
        config.width = Int32(width)
        config.height = Int32(height)
        config.is_gray = isGray ? 1 : 0
        config.color.matrix = Int32(pixels.colorMatrix == .bt709 ? FH_ENCODE_MATRIX_BT709 : FH_ENCODE_MATRIX_BT601)
        config.color.is_full_range = pixels.isFullRange ? 1 : 0
        config.nominal_interval_nanoseconds = nominalInterval
        let text = camera?.calibrationText()
        let status =
            if let text {
                text.withCString {
                    config.camera_json = $0
                    return fh_recorder_create(path, &config, &handle)
                }
            } else {
                fh_recorder_create(path, &config, &handle)
            }
        guard status >= 0 else { throw failure(-status) }
    }

    private func failure(_ number: Int32) -> CaptureError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            let end = count > 0 ? "; what was recorded before can be replayed" : ""
            return CaptureError(.diskFull, "no space left on the disk for \(path): the recording ends here\(end)")
        default:
            let reason = String(cString: strerror(number)).lowercased()
            return CaptureError(.unwritable, "cannot record to \(path) (\(reason)): choose another file")
        }
    }
}
