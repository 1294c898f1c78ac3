import CFootholdMedia
import FootholdScene

/// Frames of a recording: any container and codec that libav reads.
public final class VideoFileSource: FrameSource {
    public let info: SourceInfo
    private let reader: VideoReader
    private let frameTimes: [Int64]?
    private let openingNotices: [String]
    /// The file is shorter than it says itself.
    private let isCutOff: Bool
    private var repair: TimestampRepair
    private var stopwatch: Stopwatch
    /// Decoded already: a frame's time is judged with its successor's.
    private var pending: (pixels: PixelBuffer, time: Int64?)?
    private var failure: CaptureError?
    private var nextIndex = 0
    private var lastRow = -1
    private var rowsBeyondList = 0
    /// Some frame had a time of its own.
    private var hasTimes = false
    /// A camera session's recording: its times are the camera's own, and nothing about them is to be mended.
    private let hasExactTimes: Bool
    private var exactOrigin: Int64?

    /// - Parameter frameTimes: the frames' times by their place in the recording, instead of the container's.
    init(path: String, surroundings given: Surroundings, frameTimes: [Int64]?, options: CaptureOptions) throws {
        var surroundings = given
        var stopwatch = Stopwatch()
        let (reader, first) = try stopwatch.measure {
            let reader = try VideoReader(path: path, threads: options.decodingThreads)
            return (reader, try reader.next())
        }
        guard let first else {
            throw CaptureError(.damaged, "no picture of \"\(FileAccess.name(path))\" can be decoded: copy it again")
        }
        let video = reader.video
        var interval = video.frame_interval_nanoseconds
        let recorded = frameTimes == nil ? reader.tag(FH_RECORD_TAG_INTERVAL).flatMap { Int64($0) } : nil
        hasExactTimes = recorded != nil
        if let recorded {
            interval = recorded
            if surroundings.calibration == nil, let text = reader.tag(FH_RECORD_TAG_CAMERA) {
                let name = FileAccess.name(path)
                surroundings.calibration = try Calibration(
                    ConfigValue.read(text: text, name: name, failure: .badCalibration), name: name)
            }
        }
        if let frameTimes, let median = TimestampRepair.medianInterval(frameTimes) { interval = median }
        if interval <= 0 { interval = 33_333_333 }
        var duration = video.duration_nanoseconds > 0 ? Double(video.duration_nanoseconds) / 1e9 : nil
        if let frameTimes, let start = frameTimes.first, let end = frameTimes.last {
            duration = Double(end - start + interval) / 1e9
        }
        self.reader = reader
        isCutOff = DeclaredLength.exceedsFile(path)
        self.frameTimes = frameTimes
        self.stopwatch = stopwatch
        repair = TimestampRepair(nominalInterval: interval)
        let pictures = Surroundings.Pictures(
            width: Int(video.width), height: Int(video.height), rotationDegrees: Int(video.rotation_degrees),
            isMirrored: video.is_mirrored != 0, frameCount: video.frame_count > 0 ? Int(video.frame_count) : nil,
            durationSeconds: duration, nominalInterval: interval,
            focalLength35mm: video.focal_length_35mm > 0 ? video.focal_length_35mm : nil)
        let firstRow = VideoFileSource.row(of: first.time, after: -1, in: video)
        let origin = frameTimes.map { firstRow < $0.count ? $0[firstRow] : 0 } ?? 0
        info = try surroundings.info(for: pictures, clockOrigin: origin)
        var notices = surroundings.notices
        if let frameTimes, let frameCount = pictures.frameCount, frameCount != frameTimes.count {
            notices.append("frames.csv has \(frameTimes.count) times for \(frameCount) frames")
        }
        openingNotices = notices
        pending = dated(first)
    }

    public var decodeSeconds: Double { stopwatch.seconds }

    /// Frames whose pixels had to be converted or turned; those of all others are the decoder's own memory.
    public var copiedFrameCount: Int { reader.counters.copied }

    public var notices: [String] {
        let counters = reader.counters
        var notices = openingNotices + counters.notices
        if !hasTimes {
            notices.append("the recording tells no frame times: \(info.nominalFrameRate) frames a second are assumed")
        } else if let notice = TimestampRepair.notice(brokenCount: repair.brokenCount) {
            notices.append(notice)
        }
        if rowsBeyondList > 0 {
            notices.append("\(MediaCounters.frames(rowsBeyondList)) beyond frames.csv got the usual interval")
        }
        if counters.lost > 0 {
            let all = max(info.estimatedFrameCount ?? 0, counters.delivered + counters.lost)
            notices.append(
                "\(counters.lost) of about \(all) frames could not be read and \(counters.lost == 1 ? "was" : "were") "
                    + "skipped: \"\(FileAccess.name(reader.path))\" is damaged; copy it again from where it was recorded"
            )
        }
        if counters.endsEarly || isCutOff {
            let expected = info.estimatedFrameCount.map { " of about \($0)" } ?? ""
            notices.append("the recording ends early: \(counters.delivered)\(expected) frames could be read")
        }
        return notices
    }

    public func nextFrame() throws -> Frame? {
        guard let current = pending else {
            if let failure { throw failure }
            return nil
        }
        pending = nil
        do {
            pending = try stopwatch.measure { try reader.next() }.map(dated)
        } catch let error as CaptureError {
            failure = error
        }
        let time: Int64
        if hasExactTimes, let exact = current.time {
            exactOrigin = exactOrigin ?? exact
            time = exact - (exactOrigin ?? exact)
        } else {
            time = repair.time(raw: current.time, next: pending?.time)
        }
        defer { nextIndex += 1 }
        return Frame(index: nextIndex, timestampNanoseconds: time, pixels: current.pixels)
    }

    /// The frame with its time from the list, where there is one.
    private func dated(_ frame: MediaFrame) -> (pixels: PixelBuffer, time: Int64?) {
        hasTimes = hasTimes || frameTimes != nil || frame.time != nil
        guard let frameTimes else { return (frame.pixels, frame.time) }
        lastRow = VideoFileSource.row(of: frame.time, after: lastRow, in: reader.video)
        if lastRow < frameTimes.count { return (frame.pixels, frameTimes[lastRow]) }
        rowsBeyondList += 1
        let beyond = Int64(lastRow - frameTimes.count + 1)
        return (frame.pixels, (frameTimes.last ?? 0) + beyond * repair.nominalInterval)
    }

    /// A frame's place in the recording. At a constant rate its time tells, so that frames lost to damage don't move
    /// those after them.
    private static func row(of time: Int64?, after last: Int, in video: fh_media_video_info) -> Int {
        guard video.is_constant_rate != 0, let time, video.frame_interval_nanoseconds > 0 else { return last + 1 }
        let steps = Double(time - video.start_nanoseconds) / Double(video.frame_interval_nanoseconds)
        guard steps.magnitude < 1e9 else { return last + 1 }
        return max(last + 1, Int(steps.rounded()))
    }
}
