import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    /// Whatever an index says that isn't so, and whatever of it is only unusual.
    @Suite struct BrokenIndexTests {
        let folder = try! TemporaryFolder()

        private func open(_ name: String, _ change: (inout MovieTables) throws -> Void) throws -> any FrameSource {
            var tables = MovieTables(try Fixture.bytes(name))
            try change(&tables)
            return try FrameSources.open(try folder.write(tables.data, name))
        }

        /// Of pictures that stand alone, only the one is lost.
        @Test(arguments: [MovieTables.outside, .max])
        func aPictureOutsideOfTheFileIsPassedOver(position: UInt32) throws {
            let source = try open("odd.mov") { tables in
                try tables.move(picture: 1, to: position)
            }
            let frames = try source.allFrames()
            #expect(frames.map { $0.pixels.number() } == [0, 2])
            #expect(frames.milliseconds == [0, 66.7])
            #expect(
                source.notices == [
                    "1 of about 3 frames could not be read and was skipped: \"odd.mov\" is damaged; copy it again from "
                        + "where it was recorded"
                ])
        }

        @Test func aFirstPictureOutsideOfTheFileIsPassedOver() throws {
            let source = try open("odd.mov") { tables in
                try tables.move(picture: 0, to: MovieTables.outside)
            }
            #expect(try source.allFrames().map { $0.pixels.number() } == [1, 2])
            #expect(source.notices.count == 1)
            #expect(source.notices.first?.hasPrefix("1 of about 3 frames could not be read") == true)
        }

        /// Pictures behind it that are shown in another order than they are stored keep their own times; the first of
        /// them may have been made of the lost one.
        @Test(arguments: [4, 5])
        func thoseBehindALostOneKeepTheirTimes(lost: Int) throws {
            let source = try open("index-last.mp4") { tables in
                try tables.move(picture: lost, to: MovieTables.outside)
            }
            let whole = try Fixture.open("index-last.mp4").allFrames()
            let frames = try source.allFrames()
            #expect(frames.count < 12 && frames.count > 4)
            for frame in frames.suffix(2) {
                let same = try #require(whole.first { $0.pixels.number() == frame.pixels.number() })
                #expect(frame.timestampNanoseconds == same.timestampNanoseconds)
            }
            #expect(
                source.notices.contains { $0.contains("\(12 - frames.count) of about 12 frames could not be read") })
        }

        @Test func aLastPictureOutsideOfTheFileIsAnEarlyEnd() throws {
            let source = try open("odd.mov") { tables in
                try tables.move(picture: 2, to: MovieTables.outside)
            }
            #expect(try source.allFrames().count == 2)
            #expect(source.notices == ["the recording ends early: 2 of about 3 frames could be read"])
        }

        /// Where a picture's start can't be told any more, nothing behind it can be found.
        @Test(arguments: ["index-last.mp4", "variable.mp4"])
        func aSizeThatCannotBeIsAnEarlyEnd(name: String) throws {
            var all = 0
            let source = try open(name) { tables in
                var sizes = try tables.numbers("stsz")
                all = Int(sizes[1])
                sizes[2 + all / 2] = 0x7FFF_FFFF
                try tables.set("stsz", sizes)
            }
            let frames = try source.allFrames()
            #expect(frames.count == all / 2)
            #expect(
                source.notices == ["the recording ends early: \(all / 2) of about \(all) frames could be read"])
        }

        @Test(arguments: ["stsz", "stco"])
        func aTableThatIsTooShortIsAnEarlyEnd(table: String) throws {
            let source = try open("index-last.mp4") { tables in
                try tables.splitIntoChunks()
                var numbers = try tables.numbers(table)
                numbers[table == "stsz" ? 1 : 0] = 5
                try tables.set(table, numbers)
            }
            #expect(try source.allFrames().count == 5)
            #expect(source.notices == ["the recording ends early: 5 of about 12 frames could be read"])
        }

        /// The pictures behind it are sought where others are.
        @Test func aSizeThatIsWrongLosesWhatFollows() throws {
            let source = try open("index-last.mp4") { tables in
                var sizes = try tables.numbers("stsz")
                sizes[2 + 6] += 9
                try tables.set("stsz", sizes)
            }
            let count = try source.allFrames().count
            #expect((6..<12).contains(count))
            #expect(source.notices.contains { $0.contains("\(12 - count) of about 12 frames could not be read") })
        }

        @Test func aPictureWithoutDataIsNoLoss() throws {
            let source = try open("odd.mov") { tables in
                try tables.splitIntoChunks()
                var sizes = try tables.numbers("stsz")
                sizes[2 + 1] = 0
                try tables.set("stsz", sizes)
            }
            let frames = try source.allFrames()
            #expect(frames.map { $0.pixels.number() } == [0, 2])
            #expect(source.notices.isEmpty)
            #expect(source.info.estimatedFrameCount == 2)
        }

        /// Length in thousandths of a second, beginning in 15360ths.
        @Test(arguments: [
            [(200, 1024)], [(200, 1024 + 2 * 512)], [(200, 1024 + 2 * 512), (200, 1024)], [(400, 1024), (200, 1024)],
            [(300, -1), (400, 1024)], [(100, 1024), (100, 1024 + 8 * 512)],
        ])
        func whatAnEditListLeavesOutOrRepeatsIsNoLoss(edits: [(Int, Int)]) throws {
            let source = try open("index-last.mp4") { tables in
                try tables.set(
                    "elst",
                    [UInt32(edits.count)]
                        + edits.flatMap { [UInt32($0.0), UInt32(truncatingIfNeeded: $0.1), 0x10000] })
            }
            let frames = try source.allFrames()
            #expect(frames.count >= 6)
            #expect(frames.count == source.info.estimatedFrameCount)
            #expect(source.notices.isEmpty, "\(source.notices)")
        }
    }
}
