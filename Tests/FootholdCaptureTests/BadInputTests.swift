import CFootholdMedia
import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    @Suite struct BadInputTests {
        @Test func aMissingFileIsSaidToBeMissing() throws {
            let error = try captureError(opening: "/nowhere/at/all.mp4")
            #expect(error.kind == .missingFile)
            #expect(error.description.contains("/nowhere/at/all.mp4"))
            #expect(error.isOneFriendlyLine)
        }

        @Test func anEmptyFileIsSaidToBeEmpty() throws {
            let folder = try TemporaryFolder()
            let error = try captureError(opening: try folder.write("", "empty.mp4"))
            #expect(error.kind == .emptyFile)
            #expect(error.isOneFriendlyLine)
        }

        @Test func linksAreFollowed() throws {
            let folder = try TemporaryFolder()
            try folder.write("", "empty.mp4")
            try folder.copy("plain.mp4", to: "plain.mp4")
            for name in ["empty.mp4", "plain.mp4"] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.file("link-" + name), withDestinationPath: folder.file(name))
            }
            #expect(try captureError(opening: folder.file("link-empty.mp4")).kind == .emptyFile)
            #expect(try FrameSources.open(folder.file("link-plain.mp4")).allFrames().count == 12)
        }

        @Test func aDeviceIsNoRecording() throws {
            let error = try captureError(opening: "/dev/null")
            #expect(error.kind == .unsupported)
            #expect(error.isOneFriendlyLine)
        }

        @Test(arguments: [
            "just some words\nand a few more\n", "1\n00:00:01,000 --> 00:00:02,000\nsubtitles\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/hostname\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile plain.mp4\n",
        ])
        func aTextFileIsNoVideo(text: String) throws {
            let folder = try TemporaryFolder()
            let error = try captureError(opening: try folder.write(text, "words.mp4"))
            #expect(error.kind == .notAVideo)
            #expect(error.isOneFriendlyLine)
        }

        @Test func randomBytesAreNoVideo() throws {
            let folder = try TemporaryFolder()
            var generator = SeededGenerator(seed: 7)
            let bytes = Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
            #expect(try captureError(opening: try folder.write(bytes, "noise.mp4")).kind == .notAVideo)
        }

        @Test func soundAloneIsNoVideo() throws {
            let error = try captureError(opening: Fixture.path("sound.mp4"))
            #expect(error.kind == .noVideoStream)
            #expect(error.isOneFriendlyLine)
        }

        @Test func aRecordingCutOffBeforeItsIndexIsSaidToBeCutOff() throws {
            let folder = try TemporaryFolder()
            let whole = try Fixture.bytes("index-last.mp4")
            for length in [40, whole.count / 3, whole.count * 2 / 3] {
                let error = try captureError(opening: try folder.write(whole.prefix(length), "cut.mp4"))
                #expect(error.kind == .truncated, "\(length) bytes")
                #expect(error.isOneFriendlyLine)
            }
        }

        @Test func aRecordingCutOffBehindItsIndexGivesWhatIsThere() throws {
            let folder = try TemporaryFolder()
            let whole = try Fixture.bytes("plain.mp4")
            let media = try #require(whole.range(of: Data("mdat".utf8))).upperBound
            let path = try folder.write(whole.prefix(whole.count - 60), "cut.mp4")
            let source = try FrameSources.open(path)
            let frames = try source.allFrames()
            #expect((2..<12).contains(frames.count))
            #expect(zip(frames.dropFirst(), frames).allSatisfy { $0.timestampNanoseconds > $1.timestampNanoseconds })
            #expect(source.notices.filter { $0.contains("ends early") }.count == 1)
            // Nothing is left of the pictures.
            let error = try captureError(opening: try folder.write(whole.prefix(media + 20), "hardly.mp4"))
            #expect([.truncated, .damaged].contains(error.kind))
            #expect(error.isOneFriendlyLine)
        }

        @Test func damageInTheMiddleIsPassedOver() throws {
            let folder = try TemporaryFolder()
            let whole = try Fixture.bytes("plain.mp4")
            let media = try #require(whole.range(of: Data("mdat".utf8))).upperBound
            var generator = SeededGenerator(seed: 3)
            var damaged = 0
            for _ in 0..<60 {
                var data = whole
                // Behind the first picture, which takes the most.
                let start = media + (whole.count - media) * 3 / 4
                for _ in 0..<12 { data[Int.random(in: start..<whole.count, using: &generator)] ^= 0x55 }
                let source = try FrameSources.open(try folder.write(data, "damaged.mp4"))
                let frames = try source.allFrames()
                #expect((1...12).contains(frames.count))
                #expect(frames.map(\.index) == Array(0..<frames.count))
                if frames.count < 12 { #expect(!source.notices.isEmpty) }
                if !source.notices.isEmpty { damaged += 1 }
            }
            #expect(damaged > 0)
            #expect(fh_media_live_frame_count() <= LiveFrames.ofOthers)
        }

        @Test func anyCutAndAnyDamageEndsInFramesOrInOneLine() throws {
            let folder = try TemporaryFolder()
            var generator = SeededGenerator(seed: 11)
            for name in ["plain.mp4", "index-last.mp4", "odd.webm", "hevc10.mp4"] {
                let whole = try Fixture.bytes(name)
                for round in 0..<25 {
                    var data = whole
                    if round % 2 == 0 { data = data.prefix(Int.random(in: 1..<whole.count, using: &generator)) }
                    for _ in 0..<(round % 5) {
                        data[Int.random(in: 0..<data.count, using: &generator)] = UInt8.random(
                            in: 0...255, using: &generator)
                    }
                    let path = try folder.write(Data(data), "mangled-" + name)
                    do {
                        let frames = try FrameSources.open(path).allFrames()
                        #expect(frames.count >= 1)
                    } catch let error as CaptureError {
                        #expect(error.isOneFriendlyLine, "\(error)")
                    }
                }
            }
            #expect(fh_media_live_frame_count() <= LiveFrames.ofOthers)
        }

        @Test func aFolderWithoutPicturesSaysWhatItNeeds() throws {
            let folder = try TemporaryFolder()
            try folder.write("notes", "notes.txt")
            let error = try captureError(opening: folder.path)
            #expect(error.kind == .badFolder)
            #expect(error.isOneFriendlyLine)
        }

        @Test func aNameThatLooksLikeAnAddressIsAFile() throws {
            let folder = try TemporaryFolder()
            try folder.copy("plain.mp4", to: "concat:a|b %d.mp4")
            #expect(try FrameSources.open(folder.file("concat:a|b %d.mp4")).allFrames().count == 12)
        }

        @Test func theShimsRefuseNonsenseArguments() {
            var decoder: OpaquePointer?
            var config = fh_media_decoder_config()
            let argument = Int32(FH_MEDIA_ERROR_ARGUMENT)
            #expect(fh_media_decoder_create(nil, nil, &decoder, nil, 0) == argument)
            #expect(fh_media_decoder_create(Fixture.path("plain.mp4"), &config, &decoder, nil, 0) == argument)
            config.struct_size = UInt32(MemoryLayout<fh_media_decoder_config>.size)
            #expect(fh_media_decoder_create(Fixture.path("plain.mp4"), &config, &decoder, nil, 0) == argument)
            var frame: OpaquePointer?
            #expect(fh_media_decoder_next(nil, &frame) == argument)
            #expect(fh_media_frame_picture(nil, nil) == argument)
            #expect(fh_media_image_decoder_decode(nil, nil, 0, &frame) == argument)
            fh_media_decoder_destroy(nil)
            fh_media_image_decoder_destroy(nil)
            fh_media_frame_release(nil)
        }
    }
}

/// SplitMix64: the same bytes in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
