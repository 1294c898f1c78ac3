import CFootholdMedia
import FootholdRendering
import FootholdScene
import Foundation
import Testing

@Suite struct VideoEncoderTests {
    /// Uneven, as phones record: two pictures close together, a gap, nothing that fits a frame rate.
    static let times: [Int64] = [
        0, 33_367_000, 66_733_000, 66_741_000, 100_100_000, 171_717_000, 204_999_000, 1_900_000_000, 1_933_333_000,
    ]

    private func file(_ name: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent(name)
    }

    private func drawn(width: Int, height: Int, count: Int) throws -> [RenderedPicture] {
        let renderer = try OverlayRenderer(width: width, height: height, fontLanguage: "en")
        let overlay = Overlay(intrinsics: .guess(width: width, height: height))
        return try (0..<count).map { index in
            let frame = Pictures.gray(UInt8(40 + 20 * index), width: width, height: height, index: index)
            return try renderer.render(frame, overlay: overlay)
        }
    }

    private func encode(_ pictures: [RenderedPicture], at times: [Int64], to path: String) throws {
        let size = try #require(pictures.first)
        let encoder = try VideoEncoder(path: path, width: size.width, height: size.height, nominalFrameRate: 30)
        for (picture, time) in zip(pictures, times) { try encoder.append(picture, timestampNanoseconds: time) }
        try encoder.finish()
    }

    private func encode(_ path: String, width: Int, height: Int, times: [Int64] = times) throws {
        try encode(drawn(width: width, height: height, count: times.count), at: times, to: path)
    }

    private struct Decoded {
        var width = 0
        var height = 0
        var isFullRange = false
        var times: [Int64] = []
        /// The luma in the middle of each picture, and in its last corner.
        var levels: [UInt8] = []
        var corners: [UInt8] = []
    }

    private func decode(_ path: String) throws -> Decoded {
        var config = fh_media_decoder_config()
        config.struct_size = UInt32(MemoryLayout<fh_media_decoder_config>.size)
        config.thread_count = 1
        var decoder: OpaquePointer?
        try #require(fh_media_decoder_create(path, &config, &decoder, nil, 0) == Int32(FH_MEDIA_OK))
        defer { fh_media_decoder_destroy(decoder) }
        var result = Decoded()
        while true {
            var frame: OpaquePointer?
            guard fh_media_decoder_next(decoder, &frame) == Int32(FH_MEDIA_OK) else { return result }
            defer { fh_media_frame_release(frame) }
            var picture = fh_media_picture()
            try #require(fh_media_frame_picture(frame, &picture) == Int32(FH_MEDIA_OK))
            result.width = Int(picture.width)
            result.height = Int(picture.height)
            result.isFullRange = picture.is_full_range != 0
            result.times.append(picture.time_nanoseconds)
            let luma = picture.planes.0
            let data = try #require(luma.data)
            result.levels.append(data[result.height / 2 * Int(luma.bytes_per_row) + result.width / 2])
            result.corners.append(data[(result.height - 1) * Int(luma.bytes_per_row) + result.width - 1])
        }
    }

    @Test(arguments: [(64, 48), (37, 53), (364, 674)])
    func everyPictureIsKeptAtItsExactTime(size: (Int, Int)) throws {
        let path = try file("video.mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try encode(path, width: size.0, height: size.1)
        let video = try decode(path)
        #expect(video.times == Self.times)
        #expect(video.width == size.0 + size.0 % 2)
        #expect(video.height == size.1 + size.1 % 2)
        #expect(video.isFullRange, "as the grey frames are")
        for (index, level) in video.levels.enumerated() {
            #expect(abs(Int(level) - (40 + 20 * index)) <= 3)
            #expect(abs(Int(video.corners[index]) - (40 + 20 * index)) <= 3, "an added column repeats the edge")
        }
    }

    @Test func oneSinglePictureIsAVideo() throws {
        let path = try file("one.mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try encode(path, width: 64, height: 48, times: [0])
        #expect(try decode(path).times == [0])
    }

    @Test func thePlayersIndexComesFirst() throws {
        let url = try file("video.mp4")
        defer { try? FileManager.default.removeItem(at: url) }
        try encode(url.path, width: 64, height: 48)
        let bytes = try Data(contentsOf: url)
        let index = try #require(bytes.range(of: Data("moov".utf8)))
        let content = try #require(bytes.range(of: Data("mdat".utf8)))
        #expect(index.lowerBound < content.lowerBound)
    }

    @Test func theSamePicturesGiveTheSameBytes() throws {
        let urls = try [file("a.mp4"), file("b.mp4")]
        defer { for url in urls { try? FileManager.default.removeItem(at: url) } }
        let pictures = try drawn(width: 320, height: 240, count: Self.times.count)
        for url in urls { try encode(pictures, at: Self.times, to: url.path) }
        #expect(try Data(contentsOf: urls[0]) == Data(contentsOf: urls[1]))
    }

    @Test func theSameFramesGiveTheSamePictures() throws {
        let first = try drawn(width: 320, height: 240, count: Self.times.count)
        let second = try drawn(width: 320, height: 240, count: Self.times.count)
        for (index, pictures) in zip(first, second).enumerated() {
            let (one, other) = (Pixels(pictures.0), Pixels(pictures.1))
            let differing = zip(one.rgba, other.rgba).filter { $0 != $1 }.count
            #expect(differing == 0, "of picture \(index)")
        }
    }

    @Test func aFolderThatIsNotThereIsToldInOneLine() throws {
        let path = try file("x").path + "/missing/video.mp4"
        let error = #expect(throws: RenderingError.self) {
            try VideoEncoder(path: path, width: 64, height: 48, nominalFrameRate: 30)
        }
        #expect(error?.message.contains("No such file or directory") == true)
        #expect(error?.message.contains("\n") == false)
    }

    @Test func aFullDiskIsToldInOneLine() throws {
        let renderer = try OverlayRenderer(width: 320, height: 240, fontLanguage: "en")
        let overlay = Overlay(intrinsics: .guess(width: 320, height: 240))
        let error = #expect(throws: RenderingError.self) {
            // The device that is always full.
            let encoder = try VideoEncoder(path: "/dev/full", width: 320, height: 240, nominalFrameRate: 30)
            for index in 0..<30 {
                let frame = Pictures.noise(
                    .yuv420p, width: 320, height: 240, isFullRange: false, seed: UInt64(index))
                try encoder.append(
                    try renderer.render(frame, overlay: overlay), timestampNanoseconds: Int64(index) * 33_000_000)
            }
            try encoder.finish()
        }
        #expect(error?.message.contains("No space left on device") == true, "\(String(describing: error))")
        #expect(error?.message.contains("\n") == false)
    }

    @Test func misuseIsRefused() throws {
        let path = try file("video.mp4").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
        let overlay = Overlay(intrinsics: .guess(width: 64, height: 48))
        let picture = try renderer.render(Pictures.gray(0, width: 64, height: 48), overlay: overlay)
        let empty = try VideoEncoder(path: path, width: 64, height: 48, nominalFrameRate: 30)
        #expect(throws: RenderingError.self) { try empty.finish() }
        let encoder = try VideoEncoder(path: path, width: 64, height: 48, nominalFrameRate: 30)
        try encoder.append(picture, timestampNanoseconds: 1_000_000)
        #expect(throws: RenderingError.self) { try encoder.append(picture, timestampNanoseconds: 1_000_000) }
        #expect(throws: RenderingError.self) { try encoder.append(picture, timestampNanoseconds: 0) }
        try encoder.finish()
        #expect(throws: RenderingError.self) { try encoder.append(picture, timestampNanoseconds: 9_000_000) }
        #expect(throws: RenderingError.self) { try encoder.finish() }
        let other = try VideoEncoder(path: path, width: 48, height: 64, nominalFrameRate: 30)
        #expect(throws: RenderingError.self) { try other.append(picture, timestampNanoseconds: 0) }
    }

    @Test(arguments: [true, false])
    func aPNGHoldsItsPixels(hasAlpha: Bool) throws {
        let url = try file("picture.png")
        defer { try? FileManager.default.removeItem(at: url) }
        let rgba = (0..<(5 * 3 * 4)).map { UInt8($0 * 4) }
        try writePNG(path: url.path, rgba: rgba, width: 5, height: 3, hasAlpha: hasAlpha)
        let bytes = [UInt8](try Data(contentsOf: url))
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        // The header: width, height, depth, colour type (6 with alpha, 2 without).
        #expect(Array(bytes[16..<26]) == [0, 0, 0, 5, 0, 0, 0, 3, 8, hasAlpha ? 6 : 2])
        let error = #expect(throws: RenderingError.self) {
            try writePNG(path: url.path + "/x.png", rgba: rgba, width: 5, height: 3)
        }
        #expect(error?.message.contains("\n") == false)
    }
}
