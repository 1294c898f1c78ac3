import CFootholdMedia
import CFootholdV4L2
import FootholdScene
import Foundation
import Synchronization

/// A camera that is sending pictures. Taking them is one thread's work; the pictures may go to any thread and outlive
/// the stream, whose memory and device go with the last of them.
final class CameraStream: @unchecked Sendable {
    /// What came from the driver.
    enum Event {
        case picture(Picture)
        /// Nothing there now.
        case nothing
        /// The driver or the look at it said that the picture is no good; `sequence` counts all the same.
        case spoilt(sequence: UInt32)
    }

    struct Picture {
        var pixels: PixelBuffer
        var sequence: UInt32
        /// CLOCK_MONOTONIC; nil where the driver tells none.
        var nanoseconds: Int64?
    }

    let device: CameraDevice
    let mode: CameraMode
    let setting: CameraSetting
    /// Rows as they are, which is not always what the driver says.
    let bytesPerRow: Int
    private let bufferCount: Int
    private let pool = PixelPool()
    private let lent = Atomic(0)
    private var decoder: OpaquePointer?

    /// Enough for one with the tracker, one waiting for it, and the driver to go on meanwhile.
    private static let wantedBuffers: Int32 = 6
    /// With fewer than this pictures are copied, so that the driver is never without a buffer.
    private static let leastForLending = 4

    /// - Throws: `CameraFailure` for what the system refuses; `CaptureError` for a camera that offers nothing usable.
    init(device: CameraDevice, mode wanted: CameraMode) throws {
        self.device = device
        setting = try device.set(wanted)
        guard let format = setting.format else {
            throw CaptureError(
                .noCameraMode,
                "\(device.path) gives \(setting.text) instead of \(wanted), which cannot be read: choose another --format"
            )
        }
        guard setting.width >= 64, setting.height >= 64, setting.width <= 16384, setting.height <= 16384 else {
            throw CaptureError(
                .notACamera,
                "\(device.path) claims pictures of \(setting.width)×\(setting.height), which no camera has: plug it in again"
            )
        }
        mode = CameraMode(
            format: format, width: setting.width, height: setting.height, interval: setting.interval)
        let least = format.leastBytesPerRow(width: setting.width)
        // Some drivers leave it at 0, or count pixels instead of bytes.
        let isSensible = setting.bytesPerRow >= least && setting.bytesPerRow <= 8 * max(least, 1)
        bytesPerRow = isSensible ? setting.bytesPerRow : least
        let count = fh_v4l2_start(device.handle, Self.wantedBuffers)
        guard count > 0 else { throw CameraFailure(status: count) }
        bufferCount = Int(count)
    }

    deinit {
        fh_v4l2_stop(device.handle)
        fh_media_image_decoder_destroy(decoder)
    }

    /// Pictures that still lie in the driver's memory and are with somebody.
    var lentCount: Int { lent.load(ordering: .acquiring) }

    /// Waits a while for something to take; returns after a signal too.
    func wait(milliseconds: Int32) throws(CameraFailure) {
        let status = fh_v4l2_wait(device.handle, milliseconds)
        if status < 0 { throw CameraFailure(status: status) }
    }

    func next() throws(CameraFailure) -> Event {
        var frame = fh_v4l2_frame()
        let status = fh_v4l2_dequeue(device.handle, &frame)
        if status == -EAGAIN { return .nothing }
        guard status == 0 else { throw CameraFailure(status: status) }
        guard frame.is_damaged == 0, let (pixels, isLent) = pixels(of: frame) else {
            giveBack(frame.index)
            return .spoilt(sequence: frame.sequence)
        }
        if !isLent { giveBack(frame.index) }
        return .picture(
            Picture(
                pixels: pixels, sequence: frame.sequence,
                nanoseconds: frame.timestamp_nanoseconds > 0 ? frame.timestamp_nanoseconds : nil))
    }

    private func giveBack(_ index: Int32) { fh_v4l2_queue(device.handle, index) }

    /// The picture in a buffer, and whether it still lies there; nil when it is not whole.
    private func pixels(of frame: fh_v4l2_frame) -> (PixelBuffer, isLent: Bool)? {
        guard let bytes = frame.bytes else { return nil }
        let used = Int(min(frame.bytes_used, frame.capacity))
        if mode.format.isCompressed { return decoded(bytes, count: used).map { ($0, false) } }
        guard used >= mode.format.bytes(bytesPerRow: bytesPerRow, height: mode.height) else { return nil }
        if mode.format == .yuyv || mode.format == .uyvy { return (unpacked(bytes), false) }
        let lends = bufferCount >= Self.leastForLending && lent.load(ordering: .acquiring) < bufferCount - 2
        guard lends else { return (pool.copy(of: view(bytes, release: {})), false) }
        lent.add(1, ordering: .acquiringAndReleasing)
        let index = frame.index
        return (
            view(bytes) { [self] in
                giveBack(index)
                lent.subtract(1, ordering: .acquiringAndReleasing)
            }, true
        )
    }

    /// The planes where the driver put them.
    private func view(_ bytes: UnsafePointer<UInt8>, release: @escaping @Sendable () -> Void) -> PixelBuffer {
        let (width, height) = (mode.width, mode.height)
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let luma = PixelBuffer.Plane(base: bytes, width: width, height: height, bytesPerRow: bytesPerRow)
        let chroma = bytes + bytesPerRow * height
        let (format, others): (PixelBuffer.Format, [PixelBuffer.Plane]) =
            switch mode.format {
            case .nv12:
                (.nv12, [.init(base: chroma, width: halfWidth, height: halfHeight, bytesPerRow: bytesPerRow)])
            case .yu12:
                (
                    .yuv420p,
                    [0, 1].map {
                        .init(
                            base: chroma + $0 * (bytesPerRow / 2) * halfHeight, width: halfWidth, height: halfHeight,
                            bytesPerRow: bytesPerRow / 2)
                    }
                )
            default: (.gray8, [])
            }
        return PixelBuffer(
            format: format, width: width, height: height, planes: [luma] + others, isFullRange: setting.isFullRange,
            release: release)
    }

    private func unpacked(_ bytes: UnsafePointer<UInt8>) -> PixelBuffer {
        let (width, height) = (mode.width, mode.height)
        return pool.make(format: .yuv420p, width: width, height: height, isFullRange: setting.isFullRange) { planes in
            fh_v4l2_unpack(
                bytes, Int32(bytesPerRow), Int32(width), Int32(height), mode.format == .yuyv ? 1 : 0, planes[0].base,
                Int32(planes[0].bytesPerRow), planes[1].base, planes[2].base, Int32(planes[1].bytesPerRow))
        }
    }

    /// Nil when it is no whole picture of the right size.
    private func decoded(_ bytes: UnsafePointer<UInt8>, count: Int) -> PixelBuffer? {
        if decoder == nil { fh_media_image_decoder_create(&decoder) }
        guard let decoder, count > 3 else { return nil }
        var before = fh_media_counters()
        fh_media_image_decoder_counters(decoder, &before)
        var made: OpaquePointer?
        guard Int(fh_media_image_decoder_decode(decoder, bytes, count, &made)) == Int(FH_MEDIA_OK), let made else {
            return nil
        }
        let picture = MediaFrame(taking: made).pixels
        var after = fh_media_counters()
        fh_media_image_decoder_counters(decoder, &after)
        // A picture that was cut off on its way is grey below the cut.
        guard after.concealed == before.concealed, picture.width == mode.width, picture.height == mode.height else {
            return nil
        }
        return picture
    }
}
