import Foundation

/// How long a file says that it is: what was cut off of an MKV, WebM or AVI is missed by nobody else, since their
/// frames come one after the other.
///
/// The sizes are those of the `Segment` element (RFC 8794, RFC 9559) and of the first `RIFF` chunk.
enum DeclaredLength {
    /// False also for other kinds of files, and for those that don't say, as when they were streamed.
    static func exceedsFile(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { return false }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: 0)) != nil, let start = try? file.read(upToCount: 4096),
            let end = end(of: [UInt8](start))
        else { return false }
        return end > size
    }

    private static func end(of start: [UInt8]) -> UInt64? {
        start.starts(with: Array("RIFF".utf8)) ? endOfRIFF(start) : endOfMatroska(start)
    }

    private static func endOfRIFF(_ start: [UInt8]) -> UInt64? {
        guard start.count >= 12 else { return nil }
        let length = start[4..<8].reversed().bigEndian
        // Nobody came back to fill it in. Some count the eight bytes before it, too.
        return length == 0 || length == 0xFFFF_FFFF ? nil : length
    }

    private static func endOfMatroska(_ start: [UInt8]) -> UInt64? {
        guard start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), let header = element(start, at: 4),
            let length = header.length,
            length < start.count
        else { return nil }
        let segment = header.end + Int(length)
        guard segment + 4 <= start.count, start[segment..<segment + 4].elementsEqual([0x18, 0x53, 0x80, 0x67]),
            let body = element(start, at: segment + 4), let bodyLength = body.length
        else { return nil }
        return UInt64(body.end) + bodyLength
    }

    /// An element's size, which is nil where it isn't known, and where that ends.
    private static func element(_ bytes: [UInt8], at place: Int) -> (length: UInt64?, end: Int)? {
        guard place < bytes.count, bytes[place] != 0 else { return nil }
        let width = bytes[place].leadingZeroBitCount + 1
        guard place + width <= bytes.count else { return nil }
        let mask = UInt64(1) << UInt64(7 * width) - 1
        let value = bytes[place..<place + width].bigEndian & mask
        return (value == mask ? nil : value, place + width)
    }
}
