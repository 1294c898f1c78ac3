import CFootholdMedia
import FootholdScene

/// A decoded frame from the C shims, still owned by them.
struct MediaFrame {
    let pixels: PixelBuffer
    /// On the recording's own clock; nil where it tells none.
    let time: Int64?

    /// Takes over the frame; it is given back when the pixel buffer goes.
    init(taking frame: OpaquePointer) {
        var picture = fh_media_picture()
        fh_media_frame_picture(frame, &picture)
        let all = [picture.planes.0, picture.planes.1, picture.planes.2]
        let planes = all.prefix(Int(picture.plane_count)).map {
            PixelBuffer.Plane(
                base: $0.data, width: Int($0.width), height: Int($0.height), bytesPerRow: Int($0.bytes_per_row))
        }
        let format: PixelBuffer.Format =
            switch Int(picture.format) {
            case Int(FH_MEDIA_FORMAT_GRAY8): .gray8
            case Int(FH_MEDIA_FORMAT_NV12): .nv12
            default: .yuv420p
            }
        let address = UInt(bitPattern: frame)
        pixels = PixelBuffer(
            format: format, width: Int(picture.width), height: Int(picture.height), planes: planes,
            isFullRange: picture.is_full_range != 0,
            release: { fh_media_frame_release(OpaquePointer(bitPattern: address)) })
        time = picture.time_nanoseconds == Int64.min ? nil : picture.time_nanoseconds
    }
}

/// What the C shims counted, as people are told it.
struct MediaCounters {
    var delivered = 0
    var concealed = 0
    var lost = 0
    var resized = 0
    var copied = 0
    var endsEarly = false

    init(_ counters: fh_media_counters) {
        delivered = Int(counters.delivered)
        concealed = Int(counters.concealed)
        lost = Int(counters.lost)
        resized = Int(counters.resized)
        copied = Int(counters.copied)
        endsEarly = counters.ends_early != 0
    }

    static func frames(_ count: Int) -> String { count == 1 ? "1 frame" : "\(count) frames" }

    var notices: [String] {
        var notices: [String] = []
        if concealed > 0 { notices.append("damage in \(MediaCounters.frames(concealed)) was concealed") }
        if resized > 0 {
            notices.append(
                "\(MediaCounters.frames(resized)) of another size \(resized == 1 ? "was" : "were") resized")
        }
        return notices
    }
}

/// Adds up the time spent in closures.
struct Stopwatch {
    private(set) var seconds = 0.0
    private let clock = ContinuousClock()

    mutating func measure<T>(_ work: () throws -> T) rethrows -> T {
        let start = clock.now
        defer {
            let (whole, attoseconds) = (clock.now - start).components
            seconds += Double(whole) + Double(attoseconds) * 1e-18
        }
        return try work()
    }
}
