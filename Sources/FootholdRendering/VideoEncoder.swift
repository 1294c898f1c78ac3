import CFootholdMedia
import Foundation

/// Writes H.264 (yuv420p) in an MP4 file that starts playing before all of it is read.
///
/// Every picture is kept, with the time that it is given (to the microsecond). The same pictures give the same bytes.
/// A picture of an odd size is made even by repeating its last column or row. One thread at a time.
public final class VideoEncoder {
    private let path: String
    private let width: Int
    private let height: Int
    private let handle: OpaquePointer

    /// Creates the file, replacing an earlier one.
    ///
    /// - Parameter nominalFrameRate: pictures a second, roughly: for players and for the encoder's planning.
    /// - Throws: `RenderingError` when the file can't be created or there is no H.264 encoder.
    public init(path: String, width: Int, height: Int, nominalFrameRate: Double) throws {
        self.path = path
        self.width = width
        self.height = height
        var config = fh_encoder_config()
        config.struct_size = UInt32(MemoryLayout<fh_encoder_config>.size)
        config.width = Int32(width)
        config.height = Int32(height)
        config.nominal_frame_rate = nominalFrameRate
        var created: OpaquePointer?
        let status = fh_encoder_create(path, &config, &created)
        guard status >= 0, let created else {
            throw RenderingError(
                "The video \(path) can't be created: \(errorText(status)). "
                    + "Choose a folder that you can write to, or run with --no-video.")
        }
        handle = created
    }

    deinit { fh_encoder_destroy(handle) }

    /// - Parameter timestampNanoseconds: when the picture is shown; later than the one before.
    /// - Throws: `RenderingError`, for example when the disk is full.
    public func append(_ picture: RenderedPicture, timestampNanoseconds: Int64) throws {
        guard picture.width == width, picture.height == height else {
            throw RenderingError(
                "The video \(path) has \(width)×\(height) pixels and can't take a picture of "
                    + "\(picture.width)×\(picture.height).")
        }
        let status = picture.withPlanes { fh_encoder_append(handle, $0, $1, timestampNanoseconds) }
        guard status >= 0 else { throw writingError(status) }
    }

    /// Writes what is left and closes the file. Nothing can be appended after it.
    ///
    /// - Throws: `RenderingError`, for example when the disk is full or nothing was appended.
    public func finish() throws {
        let status = fh_encoder_finish(handle)
        guard status >= 0 else { throw writingError(status) }
    }

    private func writingError(_ status: Int32) -> RenderingError {
        RenderingError(
            "The video \(path) couldn't be written: \(errorText(status)). "
                + "Make room on the disk or choose another folder with --out.")
    }
}

/// Writes an RGBA picture, 8 bits each, rows packed, as PNG. For documents and for looking closely.
///
/// - Parameter hasAlpha: keeps the fourth number of each pixel; otherwise the picture is opaque.
/// - Throws: `RenderingError` when the file can't be written.
public func writePNG(path: String, rgba: [UInt8], width: Int, height: Int, hasAlpha: Bool = false) throws {
    precondition(rgba.count == width * height * 4, "rgba has width × height × 4 bytes")
    let status = fh_png_write(path, rgba, Int32(width), Int32(height), hasAlpha ? 1 : 0)
    guard status >= 0 else {
        throw RenderingError(
            "The picture \(path) couldn't be written: \(errorText(status)). Choose a folder that you can write to.")
    }
}

private func errorText(_ status: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    fh_encode_error_text(status, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
