import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    /// Recordings whose containers say how long they should be.
    @Suite struct CutOffTests {
        let folder = try! TemporaryFolder()

        private func notices(of bytes: Data, _ name: String) throws -> (frames: Int, notices: [String]) {
            let source = try FrameSources.open(try folder.write(bytes, name))
            return (try source.allFrames().count, source.notices)
        }

        @Test(arguments: ["nv12.avi", "yuv422.mkv", "odd.webm"])
        func aRecordingThatWasCutOffSaysSo(name: String) throws {
            let bytes = try Fixture.bytes(name)
            let whole = try notices(of: bytes, name)
            #expect(!whole.notices.contains { $0.contains("ends early") })
            let cut = try notices(of: bytes.prefix(bytes.count * 4 / 5), name)
            #expect(cut.frames > 0 && cut.frames <= whole.frames)
            #expect(cut.notices.contains { $0.hasPrefix("the recording ends early: \(cut.frames)") })
        }

        /// As when it was streamed: where it ends is where it ends.
        @Test func aSegmentOfUnknownLengthIsTakenForWhole() throws {
            var bytes = try Fixture.bytes("yuv422.mkv")
            let segment = try #require(bytes.range(of: Data([0x18, 0x53, 0x80, 0x67, 0x01])))
            bytes.replaceSubrange(segment.upperBound..<segment.upperBound + 7, with: Data(repeating: 0xFF, count: 7))
            let cut = try notices(of: bytes.prefix(bytes.count * 4 / 5), "streamed.mkv")
            #expect(cut.frames > 0)
            #expect(!cut.notices.contains { $0.contains("ends early") })
        }
    }
}
