import Foothold
import Foundation
import Testing

/// Recordings that the tests run on.
enum Clips {
    static let sample = Command.root.appendingPathComponent("SampleVideos/desk")
    static let sampleVideo = sample.appendingPathComponent("video.mp4")

    /// The first frames of the sample as a video of its own, without any calibration beside it.
    static func beginning(frames: Int, at url: URL) throws {
        let source = try FrameSources.open(sampleVideo.path)
        let encoder = try VideoEncoder(url: url, width: source.info.width, height: source.info.height)
        for _ in 0..<frames {
            let frame = try #require(try source.nextFrame())
            try encoder.append(frame)
        }
        try encoder.finish()
    }

    /// A sound file: one tenth of a second of silence.
    static func sound(at url: URL) throws {
        let samples = Data(count: 1600)
        func little<T: FixedWidthInteger>(_ value: T) -> Data { withUnsafeBytes(of: value.littleEndian) { Data($0) } }
        var data = Data("RIFF".utf8) + little(UInt32(36 + samples.count)) + Data("WAVEfmt ".utf8)
        // Sixteen bytes of format: PCM, one channel, 8000 Hz, 16 bits.
        data += little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1)) + little(UInt32(8000))
        data += little(UInt32(16000)) + little(UInt16(2)) + little(UInt16(16))
        data += Data("data".utf8) + little(UInt32(samples.count)) + samples
        try data.write(to: url)
    }
}
