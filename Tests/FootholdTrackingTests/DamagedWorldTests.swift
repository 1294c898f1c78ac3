import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Foundation
import Testing

/// Saved worlds that something is wrong with: each is refused with one clear reason, and nothing crashes.
@Suite struct DamagedWorldTests {
    private func kind(_ world: Data) -> SavedWorldError.Kind? {
        do {
            let session = try Recording.desk.session()
            try session.loadWorld(world)
            return nil
        } catch {
            return (error as? SavedWorldError)?.kind
        }
    }

    @Test func whatIsCutOffIsRefusedWherever() throws {
        let file = try WorldFile(SavedWorldTests.saved.get())
        for end in [0, 1, 7] { #expect(kind(file.bytes.prefix(end)) == .notASavedWorld) }
        var ends = [8, 12, 31, 32, 33, file.bytes.count - 1]
        for section in file.sections {
            ends += [section.lowerBound - 17, section.lowerBound - 1, section.lowerBound, section.upperBound - 1]
        }
        ends += (1..<40).map { $0 * file.bytes.count / 40 }
        for end in ends { #expect(kind(file.bytes.prefix(end)) == .damaged, "\(end)") }
        #expect(kind(file.bytes + Data([0])) == .damaged)
    }

    @Test func flippedBitsAreNoticed() throws {
        let file = try WorldFile(SavedWorldTests.saved.get())
        var random = SeededRandom(seed: 5)
        for round in 0..<120 {
            var bytes = file.bytes
            let headers = [0..<32] + file.sections.map { $0.lowerBound - 16..<$0.lowerBound }
            let range = round % 3 == 0 ? headers[random.integer(0...headers.count - 1)] : 0..<bytes.count
            let place = random.integer(range.lowerBound...range.upperBound - 1)
            bytes[place] ^= 1 << UInt8(random.integer(0...7))
            #expect(kind(bytes) == (place < 8 ? .notASavedWorld : .damaged), "\(place)")
        }
    }

    @Test func otherFilesAndNewerVersionsAreCalledThat() throws {
        #expect(kind(Data()) == .notASavedWorld)
        #expect(kind(Data("{\"version\": 2, \"objects\": []}".utf8)) == .notASavedWorld)
        #expect(kind(Data(repeating: 0, count: 100_000)) == .notASavedWorld)
        var file = try WorldFile(SavedWorldTests.saved.get())
        file.bytes[8] = 4
        #expect(kind(file.bytes) == .damaged)
        file.seal()
        #expect(kind(file.bytes) == .newerVersion)
        #expect(throws: SavedWorldError(.newerVersion)) { try WorldSession.attachment(of: file.bytes) }
        file.bytes[8] = 0
        file.seal()
        #expect(kind(file.bytes) == .damaged)
    }

    /// Version 1 knew nothing of edges.
    @Test func worldsOfTheFirstVersionAreReadToo() throws {
        let file = try WorldFile(SavedWorldTests.saved.get())
        let old = file.ofFirstVersion()
        #expect(old.count < file.bytes.count)
        let surfaces = try [old, file.bytes].map { world in
            let session = try Recording.desk.session()
            try session.loadWorld(world)
            let frame = try session.process(Recording.desk.frames[SavedWorldTests.cut])
            #expect(frame.knownWorld == .found)
            return session.surfaces.map(\.id)
        }
        #expect(!surfaces[0].isEmpty)
        #expect(surfaces[0] == surfaces[1])
        #expect(try WorldSession.attachment(of: old) == Data("two chairs".utf8))
    }

    /// With the right checksums over wrong contents.
    @Test func numbersThatMakeNoSenseAreRefused() throws {
        let file = try WorldFile(SavedWorldTests.saved.get())
        func refused(_ section: Int, _ offset: Int, _ bytes: [UInt8]) -> SavedWorldError.Kind? {
            var changed = file
            let start = file.sections[section].lowerBound + offset
            changed.bytes.replaceSubrange(start..<start + bytes.count, with: bytes)
            changed.seal()
            return kind(changed.bytes)
        }
        func bytes(_ value: Double) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
        for value in [Double.nan, .infinity, -1, 0] {
            // The camera's focal length, the map's, and the first keyframe's rotation.
            #expect(refused(0, 8, bytes(value)) == .damaged)
            #expect(refused(1, 0, bytes(value)) == .damaged)
            if value != 0 { #expect(refused(1, 44, bytes(value)) == .damaged, "\(value)") }
        }
        for value in [Double.nan, .infinity, 1e7] { #expect(refused(1, 44 + 72, bytes(value)) == .damaged) }
        // Counts that ask for more than there is.
        for count: [UInt8] in [[255, 255, 255, 255], [255, 255, 255, 127], [0, 0, 16, 0], [0, 0, 0, 0]] {
            #expect(refused(1, 32, count) == .damaged)
            #expect(refused(2, 72, count) == .damaged)
            // Large surfaces have no votes about their edges.
            if count != [0, 0, 0, 0] { #expect(refused(5, 28, count) == .damaged) }
        }
        // Sightings of points that aren't there: the last of the map's numbers.
        let mapEnd = file.sections[1].count
        #expect(refused(1, mapEnd - 12, [255, 255, 255, 127]) == .damaged)
        #expect(refused(1, mapEnd - 12, [255, 255, 255, 255]) == .damaged)
        // A model of a lens that isn't known.
        #expect(refused(0, 40, [7]) == .damaged)
    }

    @Test func nothingThatAFileHoldsCrashes() throws {
        let file = try WorldFile(SavedWorldTests.saved.get())
        var random = SeededRandom(seed: 17)
        var accepted = 0
        for _ in 0..<120 {
            var changed = file
            for _ in 0..<random.integer(1...6) {
                // Most of the file is patches, in which any byte is as good as another.
                let section = file.sections[[0, 1, 2, 3, 5][random.integer(0...4)]]
                let depth = random.chance(0.7) ? min(section.count, 3000) : section.count
                let offset = random.integer(0...depth - 1)
                let place = random.chance(0.5) ? section.lowerBound + offset : section.upperBound - 1 - offset
                changed.bytes[place] =
                    random.chance(0.5)
                    ? UInt8(random.integer(0...255)) : changed.bytes[place] ^ (1 << UInt8(random.integer(0...7)))
            }
            changed.seal()
            let session = try Recording.desk.session()
            do {
                try session.loadWorld(changed.bytes)
            } catch {
                let kind = try #require((error as? SavedWorldError)?.kind)
                #expect(kind == .damaged || kind == .otherCamera)
                continue
            }
            accepted += 1
            // What passes every check can be gone on with.
            guard accepted <= 12 else { continue }
            for frame in Recording.desk.frames[80..<85] { _ = try session.process(frame) }
            _ = try? session.saveWorld()
        }
        #expect(accepted > 10)
    }
}

/// The envelope of a saved world, read and sealed again independently of the engine.
struct WorldFile {
    var bytes: Data
    /// Where the contents of each section lie.
    let sections: [Range<Int>]

    init(_ data: Data) throws {
        bytes = data
        var found: [Range<Int>] = []
        var offset = 32
        while offset < data.count {
            let length = (0..<8).reversed().reduce(0) { $0 << 8 | Int(data[offset + 8 + $1]) }
            found.append(offset + 16..<offset + 16 + length)
            offset += 16 + length
        }
        sections = found
        try #require(offset == data.count && found.count == 6)
    }

    /// Makes all checksums right again.
    mutating func seal() {
        for section in sections { write(Self.checksum(bytes[section]), at: section.lowerBound - 12) }
        write(Self.checksum(bytes[0..<24]), at: 24)
    }

    /// As the first version wrote it: without the last section.
    func ofFirstVersion() -> Data {
        var old = self
        let end = sections.last!.lowerBound - 16
        old.bytes = bytes[..<end]
        old.write(1, at: 8)
        old.write(UInt32(sections.count - 1), at: 12)
        old.write(UInt32(end), at: 16)
        old.write(Self.checksum(old.bytes[0..<24]), at: 24)
        return old.bytes
    }

    private mutating func write(_ value: UInt32, at offset: Int) {
        for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 != 0 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func checksum(_ data: Data) -> UInt32 {
        data.withUnsafeBytes { buffer in
            ~buffer.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
        }
    }
}
