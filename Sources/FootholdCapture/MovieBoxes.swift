import Foundation

/// The outermost structure of MP4 and MOV files, to tell a recording that was cut off from something else.
enum MovieBoxes {
    /// True for a file that starts like MP4 or MOV but has no `moov` box (or only its beginning): recorders write it
    /// last.
    static func lacksIndex(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else { return false }
        defer { try? file.close() }
        var offset: UInt64 = 0
        var isMovie = false
        for _ in 0..<10_000 {
            guard (try? file.seek(toOffset: offset)) != nil, let header = try? file.read(upToCount: 16),
                header.count >= 8
            else { break }
            let bytes = [UInt8](header)
            let type = String(decoding: bytes[4..<8], as: UTF8.self)
            if ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains(type) { isMovie = true }
            guard isMovie else { return false }
            var length = bytes[0..<4].bigEndian
            if length == 1, bytes.count == 16 { length = bytes[8..<16].bigEndian }
            if type == "moov" { return length > size - offset }
            guard length >= 8, length <= size - offset else { return true }
            offset += length
        }
        return isMovie
    }
}

extension Sequence<UInt8> {
    /// The number that these bytes are, the largest first; of more than eight the last count.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
