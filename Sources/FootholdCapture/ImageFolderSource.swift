import CFootholdMedia
import FootholdScene
import Foundation

/// Frames from single pictures: PNG, JPEG, BMP, TIFF or WebP.
public final class ImageFolderSource: FrameSource {
    public let info: SourceInfo
    private let decoder: ImageReader
    private let paths: [String]
    /// Since the first frame.
    private let times: [Int64]
    private let openingNotices: [String]
    private var stopwatch: Stopwatch
    private var first: PixelBuffer?
    private var nextPath: Int
    private var nextIndex = 0
    private var skippedCount: Int

    /// - Parameters:
    ///   - paths: pictures in their order; not empty.
    ///   - times: one for each picture, on the folder's own clock.
    init(paths: [String], times: [Int64], surroundings given: Surroundings) throws {
        var surroundings = given
        var stopwatch = Stopwatch()
        let decoder = try ImageReader()
        // A few broken pictures at the start are passed over like those after them.
        var failure: CaptureError?
        var start = 0
        var first: MediaFrame?
        while first == nil, start < paths.count {
            do {
                first = try stopwatch.measure { try decoder.decode(paths[start]) }
            } catch let error as CaptureError {
                if failure == nil { failure = error }
                start += 1
            }
        }
        guard let first else {
            throw failure
                ?? CaptureError(.badFolder, "\"\(surroundings.name)\" holds no pictures: add PNG or JPEG files")
        }
        let interval = TimestampRepair.medianInterval(times) ?? 33_333_333
        let repaired = TimestampRepair.repair(Array(times[start...]), nominalInterval: interval)
        self.decoder = decoder
        self.paths = Array(paths[start...])
        self.times = repaired.times
        self.stopwatch = stopwatch
        self.first = first.pixels
        nextPath = 0
        skippedCount = start
        let duration = Double((repaired.times.last ?? 0) + interval) / 1e9
        info = try surroundings.info(
            for: Surroundings.Pictures(
                width: first.pixels.width, height: first.pixels.height, frameCount: paths.count - start,
                durationSeconds: duration, nominalInterval: interval, focalLength35mm: decoder.focalLength35mm),
            clockOrigin: times[start])
        openingNotices =
            surroundings.notices + [TimestampRepair.notice(brokenCount: repaired.brokenCount)].compactMap(\.self)
    }

    public var decodeSeconds: Double { stopwatch.seconds }

    /// Frames whose pixels had to be converted or turned; those of all others are the decoder's own memory.
    public var copiedFrameCount: Int { decoder.counters.copied }

    public var notices: [String] {
        var notices = openingNotices + decoder.counters.notices
        // Counted here, where pictures that can't even be read are known too.
        if skippedCount > 0 {
            let pictures = skippedCount == 1 ? "1 picture" : "\(skippedCount) pictures"
            notices.append("\(pictures) could not be read and \(skippedCount == 1 ? "was" : "were") skipped")
        }
        return notices
    }

    public func nextFrame() throws -> Frame? {
        while nextPath < paths.count {
            let current = nextPath
            nextPath += 1
            var pixels = first
            first = nil
            if pixels == nil {
                do {
                    pixels = try stopwatch.measure { try decoder.decode(paths[current]) }.pixels
                } catch let error as CaptureError where error.kind != .outOfMemory {
                    skippedCount += 1
                }
            }
            if let pixels {
                defer { nextIndex += 1 }
                return Frame(index: nextIndex, timestampNanoseconds: times[current], pixels: pixels)
            }
        }
        return nil
    }
}

/// Decodes picture files.
private final class ImageReader {
    private let decoder: OpaquePointer

    init() throws {
        var made: OpaquePointer?
        guard Int(fh_media_image_decoder_create(&made)) == Int(FH_MEDIA_OK), let decoder = made else {
            throw CaptureError(.outOfMemory, "there is not enough memory to decode pictures: close other programs")
        }
        self.decoder = decoder
    }

    deinit { fh_media_image_decoder_destroy(decoder) }

    var counters: MediaCounters {
        var counters = fh_media_counters()
        fh_media_image_decoder_counters(decoder, &counters)
        return MediaCounters(counters)
    }

    var focalLength35mm: Double? {
        let value = fh_media_image_decoder_focal_length_35mm(decoder)
        return value > 0 ? value : nil
    }

    func decode(_ path: String) throws -> MediaFrame {
        let data = try FileAccess.bytes(path)
        var frame: OpaquePointer?
        let status = data.withUnsafeBytes { bytes -> Int32 in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return Int32(FH_MEDIA_ERROR_FORMAT) }
            return fh_media_image_decoder_decode(decoder, base, bytes.count, &frame)
        }
        guard Int(status) == Int(FH_MEDIA_OK), let frame else {
            if Int(status) == Int(FH_MEDIA_ERROR_MEMORY) {
                throw CaptureError(.outOfMemory, "there is not enough memory to decode pictures: close other programs")
            }
            throw CaptureError(
                .damaged, "\"\(FileAccess.name(path))\" is not a picture that can be read: give PNG or JPEG files")
        }
        return MediaFrame(taking: frame)
    }
}
