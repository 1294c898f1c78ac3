import CFootholdMedia
import FootholdScene

/// Frames of one recording in order of presentation, as the container dates them.
final class VideoReader {
    let path: String
    let video: fh_media_video_info
    private let decoder: OpaquePointer

    init(path: String, threads: Int) throws {
        self.path = path
        var config = fh_media_decoder_config()
        config.struct_size = UInt32(MemoryLayout<fh_media_decoder_config>.size)
        config.thread_count = Int32(min(max(threads, 1), 64))
        var detail = [CChar](repeating: 0, count: 64)
        var opened: OpaquePointer?
        let status = fh_media_decoder_create(path, &config, &opened, &detail, detail.count)
        guard Int(status) == Int(FH_MEDIA_OK), let decoder = opened else {
            let word = String(decoding: detail.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw VideoReader.error(Int(status), path: path, detail: word)
        }
        self.decoder = decoder
        var video = fh_media_video_info()
        fh_media_decoder_info(decoder, &video)
        self.video = video
    }

    deinit { fh_media_decoder_destroy(decoder) }

    var counters: MediaCounters {
        var counters = fh_media_counters()
        fh_media_decoder_counters(decoder, &counters)
        return MediaCounters(counters)
    }

    /// The container's metadata of this name.
    func tag(_ name: String) -> String? {
        var text = [CChar](repeating: 0, count: 4096)
        guard Int(fh_media_decoder_tag(decoder, name, &text, text.count)) == Int(FH_MEDIA_OK) else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func next() throws -> MediaFrame? {
        var frame: OpaquePointer?
        let status = fh_media_decoder_next(decoder, &frame)
        if Int(status) == Int(FH_MEDIA_END) { return nil }
        guard Int(status) == Int(FH_MEDIA_OK), let frame else {
            throw VideoReader.error(Int(status), path: path, detail: "")
        }
        return MediaFrame(taking: frame)
    }

    private static func error(_ status: Int, path: String, detail: String) -> CaptureError {
        let name = FileAccess.name(path)
        switch status {
        case Int(FH_MEDIA_ERROR_OPEN):
            return CaptureError(
                .unreadable, "\"\(path)\" cannot be opened: check that it is a file, and its permissions")
        case Int(FH_MEDIA_ERROR_FORMAT):
            if MovieBoxes.lacksIndex(path) {
                return CaptureError(
                    .truncated,
                    "\"\(name)\" was cut off before its end, where its index is: copy it again from where it was recorded"
                )
            }
            return CaptureError(
                .notAVideo,
                "\"\(name)\" is not a video that can be read: give an MP4, MOV, MKV or WebM file, or a folder of pictures"
            )
        case Int(FH_MEDIA_ERROR_NO_VIDEO):
            return CaptureError(.noVideoStream, "\"\(name)\" has sound but no pictures: give a video recording")
        case Int(FH_MEDIA_ERROR_UNSUPPORTED):
            let what = detail.isEmpty ? "a format" : "\(detail)"
            return CaptureError(
                .unsupported,
                "\"\(name)\" is stored as \(what), which cannot be decoded here: convert it to H.264 first")
        case Int(FH_MEDIA_ERROR_NO_FRAMES):
            return CaptureError(
                .damaged, "no picture of \"\(name)\" can be decoded: copy it again from where it was recorded")
        default:
            return CaptureError(.outOfMemory, "there is not enough memory to decode \"\(name)\": close other programs")
        }
    }
}
