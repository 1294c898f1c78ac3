import Foundation
import Testing

/// An MP4 or MOV recording with its index at the end, whose tables can be replaced; the pictures stay where they are.
struct MovieTables {
    private(set) var data: Data

    init(_ data: Data) { self.data = data }

    /// The numbers in the box of this name (the first of the file) behind its version and flags.
    func numbers(_ name: String) throws -> [UInt32] {
        let box = try range(of: name)
        return stride(from: box.lowerBound + 12, to: box.upperBound, by: 4).map { number(at: $0) }
    }

    mutating func set(_ name: String, _ numbers: [UInt32]) throws {
        let box = try range(of: name)
        let growth = numbers.count * 4 - (box.count - 12)
        data.replaceSubrange(box.lowerBound + 12..<box.upperBound, with: numbers.flatMap(Self.bytes))
        for outer in [name, "stbl", "minf", "mdia", "edts", "trak", "moov"] {
            guard let start = try? range(of: outer).lowerBound, outer == name || encloses(start, box.lowerBound) else {
                continue
            }
            data.replaceSubrange(start..<start + 4, with: Self.bytes(UInt32(Int(number(at: start)) + growth)))
        }
    }

    /// A place in the file for each picture of its own.
    mutating func splitIntoChunks() throws {
        let sizes = try numbers("stsz").dropFirst(2)
        var position = try numbers("stco")[1]
        var positions: [UInt32] = []
        for size in sizes {
            positions.append(position)
            position += size
        }
        try set("stsc", [1, 1, 1, 1])
        try set("stco", [UInt32(sizes.count)] + positions)
    }

    /// Beyond the end of any file here.
    static let outside: UInt32 = 0x7FFF_FFF0

    /// Says that one picture, counted from 0 as they are stored, lies elsewhere in the file.
    mutating func move(picture: Int, to position: UInt32) throws {
        try splitIntoChunks()
        var positions = try numbers("stco")
        positions[1 + picture] = position
        try set("stco", positions)
    }

    private func encloses(_ start: Int, _ position: Int) -> Bool {
        start < position && position < start + Int(number(at: start))
    }

    private func range(of name: String) throws -> Range<Int> {
        let start = try #require(data.range(of: Data(name.utf8), options: .backwards)).lowerBound - 4
        return start..<start + Int(number(at: start))
    }

    private func number(at position: Int) -> UInt32 { data[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) } }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
