import CFootholdMedia
import FootholdCapture
import Foundation
import Testing

extension CaptureTests {
    @Suite struct VideoTests {
        @Test func everyFrameComesOnceInOrderWithItsTime() throws {
            let source = try Fixture.open("plain.mp4")
            #expect(source.info.kind == .videoFile)
            #expect(source.info.name == "plain.mp4")
            #expect((source.info.width, source.info.height) == (160, 120))
            #expect(source.info.estimatedFrameCount == 12)
            #expect(source.info.nominalFrameRate == 30)
            #expect(source.info.intrinsics == nil)
            let frames = try source.allFrames()
            #expect(frames.map(\.index) == Array(0..<12))
            #expect(frames.map { $0.pixels.number() } == Array(0..<12))
            #expect(frames.map(\.timestampNanoseconds) == (0..<12).map { Int64((Double($0) * 1e9 / 30).rounded()) })
            #expect(frames.allSatisfy { showsQuarters($0.pixels) })
            #expect(source.notices.isEmpty)
            #expect(source.decodeSeconds > 0)
            #expect(try source.nextFrame() == nil)
        }

        @Test func severalThreadsGiveTheSameFrames() throws {
            let one = try Fixture.open("plain.mp4").allFrames()
            let several = try Fixture.open("plain.mp4", CaptureOptions(decodingThreads: 4)).allFrames()
            #expect(one.map(\.timestampNanoseconds) == several.map(\.timestampNanoseconds))
            #expect(zip(one, several).allSatisfy { $0.pixels.plane(0) == $1.pixels.plane(0) })
            #expect(one.count == several.count)
        }

        @Test func variableTimesAreKeptExactly() throws {
            let frames = try Fixture.open("variable.mp4").allFrames()
            #expect(frames.milliseconds == [0, 40, 87, 120, 160, 207, 240, 280, 327, 360])
        }

        @Test func crammedTimesGetTheUsualIntervalAndAreReportedOnce() throws {
            let source = try Fixture.open("crammed.mp4")
            let frames = try source.allFrames()
            #expect(frames.count == 12)
            let steps = zip(frames.dropFirst(), frames).map { $0.timestampNanoseconds - $1.timestampNanoseconds }
            #expect(steps.allSatisfy { (33_300_000...33_400_000).contains($0) })
            #expect(source.notices == ["the times of 5 frames were broken and have been repaired"])
        }

        @Test func aRecordingWithoutTimesGetsThem() throws {
            let source = try Fixture.open("changing.h264")
            let frames = try source.allFrames()
            #expect(frames.milliseconds == [0, 33.3, 66.7, 100, 133.3, 166.7])
            #expect(source.notices.contains { $0.contains("tells no frame times") })
        }

        @Test func aChangeOfSizeIsResizedToTheFirst() throws {
            let source = try Fixture.open("changing.h264")
            let frames = try source.allFrames()
            #expect(frames.count == 6)
            #expect(frames.allSatisfy { $0.pixels.width == 64 && $0.pixels.height == 48 })
            #expect(frames.allSatisfy { showsQuarters($0.pixels) })
            #expect(source.notices.contains("3 frames of another size were resized"))
        }

        @Test(arguments: [
            ("smallest.mp4", 64, 48, 3), ("odd.webm", 161, 121, 4), ("odd.mov", 161, 121, 3),
            ("large.mp4", 3840, 2160, 2), ("one-frame.mp4", 160, 120, 1),
        ])
        func anySizeIsDeliveredInFull(name: String, width: Int, height: Int, count: Int) throws {
            let source = try Fixture.open(name)
            #expect((source.info.width, source.info.height) == (width, height))
            let frames = try source.allFrames()
            #expect(frames.count == count)
            for (index, frame) in frames.enumerated() {
                #expect((frame.pixels.width, frame.pixels.height) == (width, height))
                #expect(frame.pixels.planes[1].width == (width + 1) / 2)
                #expect(frame.pixels.planes[1].height == (height + 1) / 2)
                #expect(showsQuarters(frame.pixels))
                #expect(frame.pixels.number() == index)
            }
        }

        @Test func pixelsThatAreNotSquareAreMadeSquare() throws {
            let source = try Fixture.open("anamorphic.mp4")
            #expect((source.info.width, source.info.height) == (160, 120))
            let frames = try source.allFrames()
            #expect(frames.count == 2)
            #expect(frames.allSatisfy { $0.pixels.width == 160 && showsQuarters($0.pixels) })
            #expect(source.notices.isEmpty)
        }

        @Test func theFocalLengthInTheMetadataIsUsed() throws {
            let intrinsics = try #require(try Fixture.open("wide-lens.mp4").info.intrinsics)
            #expect(intrinsics.source == .metadata)
            // 26 mm against the diagonal of 36 mm × 24 mm; the picture's diagonal is 200 pixels.
            #expect(abs(intrinsics.fx - 26 * 200 / 43.2666) < 0.01)
            #expect((intrinsics.cx, intrinsics.cy) == (79.5, 59.5))
        }
    }

    @Suite struct PixelFormatTests {
        @Test(arguments: [
            ("plain.mp4", PixelBuffer.Format.yuv420p, false), ("odd.mov", .yuv420p, true), ("gray.mkv", .gray8, true),
            ("nv12.avi", .nv12, false),
        ])
        func eightBitPicturesAreHandedOverWithoutACopy(name: String, format: PixelBuffer.Format, full: Bool) throws {
            let source = try #require(try Fixture.open(name) as? VideoFileSource)
            let frames = try source.allFrames()
            #expect(frames.allSatisfy { $0.pixels.format == format && $0.pixels.isFullRange == full })
            #expect(frames.allSatisfy { showsQuarters($0.pixels) })
            #expect(source.copiedFrameCount == 0)
        }

        @Test(arguments: [("hevc10.mp4", 4), ("hi10.mp4", 4), ("yuv422.mkv", 3)])
        func otherFormatsAreConverted(name: String, count: Int) throws {
            let source = try #require(try Fixture.open(name) as? VideoFileSource)
            let frames = try source.allFrames()
            #expect(frames.count == count)
            #expect(frames.map { $0.pixels.number() } == Array(0..<count))
            #expect(frames.allSatisfy { $0.pixels.format == .yuv420p && !$0.pixels.isFullRange })
            for frame in frames {
                #expect(showsQuarters(frame.pixels))
                #expect(abs(Int(frame.pixels.planes[1].base[0]) - 110) <= 2)
                #expect(abs(Int(frame.pixels.planes[2].base[0]) - 140) <= 2)
            }
            #expect(source.copiedFrameCount == count)
        }

        @Test func theLumaPointerIsTheDecodersOwn() throws {
            let seen = try Decoder("plain.mp4").pictures()
            #expect(seen.count == 12)
            #expect(seen.allSatisfy { $0.planes.0.data == $0.decoder_luma })
            // The pointers are those of live decoder buffers, not of one that is filled anew.
            #expect(Set(seen.map { UInt(bitPattern: $0.planes.0.data) }).count == 12)
            let converted = try Decoder("hi10.mp4").pictures()
            #expect(converted.allSatisfy { $0.planes.0.data != $0.decoder_luma })
        }

        @Test func afterTheLastPictureComesNothing() throws {
            // The decoder is gone by then, what it gave is not.
            let decoder = try Decoder("plain.mp4")
            let pictures = decoder.pictures()
            #expect(pictures.count == 12)
            #expect(decoder.pictures().isEmpty && decoder.pictures().isEmpty)
            #expect(decoder.delivered == 12)
            #expect(pictures.allSatisfy { $0.planes.0.data[0] > 0 })
        }

        @Test func memoryGoesBackWithTheLastReference() throws {
            let count = 50
            for name in ["plain.mp4", "portrait.mp4", "hi10.mp4"] {
                var sources = try (0..<count).map { _ in try Fixture.open(name) }
                var frames = try sources.compactMap { try $0.nextFrame() }
                while !frames.isEmpty {
                    // Of each its frame and the one that was decoded ahead.
                    #expect(fh_media_live_frame_count() <= 2 * count + LiveFrames.ofOthers)
                    #expect(frames.count == count && frames.allSatisfy { $0.pixels.luma.base[0] > 0 })
                    frames = try sources.compactMap { try $0.nextFrame() }
                }
                #expect(fh_media_live_frame_count() <= LiveFrames.ofOthers)
                sources = try (0..<count).map { _ in try Fixture.open(name) }
                frames = try sources.compactMap { try $0.nextFrame() }
                sources = []
                // Frames outlive their source; what was decoded ahead does not.
                #expect((count...count + LiveFrames.ofOthers).contains(Int(fh_media_live_frame_count())))
                #expect(frames.allSatisfy { showsQuarters($0.pixels) })
                frames = []
                #expect(fh_media_live_frame_count() <= LiveFrames.ofOthers)
            }
        }
    }
}

/// The C shims, used directly.
private final class Decoder {
    private var decoder: OpaquePointer?
    private var frames: [OpaquePointer] = []

    init(_ name: String) throws {
        var config = fh_media_decoder_config()
        config.struct_size = UInt32(MemoryLayout<fh_media_decoder_config>.size)
        config.thread_count = 1
        let status = fh_media_decoder_create(Fixture.path(name), &config, &decoder, nil, 0)
        try #require(Int(status) == Int(FH_MEDIA_OK))
    }

    /// All pictures, kept alive as long as the decoder.
    func pictures() -> [fh_media_picture] {
        var pictures: [fh_media_picture] = []
        var frame: OpaquePointer?
        while Int(fh_media_decoder_next(decoder, &frame)) == Int(FH_MEDIA_OK), let next = frame {
            frames.append(next)
            var picture = fh_media_picture()
            fh_media_frame_picture(next, &picture)
            pictures.append(picture)
        }
        return pictures
    }

    var delivered: Int64 {
        var counters = fh_media_counters()
        fh_media_decoder_counters(decoder, &counters)
        return counters.delivered
    }

    deinit {
        frames.forEach(fh_media_frame_release)
        fh_media_decoder_destroy(decoder)
    }
}
