import Foothold
import Foundation
import Testing

/// Recordings that the tests run on.
enum Clips {
    static let sample = Command.root.appendingPathComponent("SampleVideos/desk")
    static let sampleVideo = sample.appendingPathComponent("video.mp4")

    /// A copy of the sample that ends after two and a half seconds, for what only needs a recording with its truth.
    static func shortSample(in parent: URL) throws -> URL {
        let copy = parent.appendingPathComponent("desk")
        try FileManager.default.copyItem(at: sample, to: copy)
        let source = try FrameSources.open(sampleVideo.path)
        let (info, video) = (source.info, copy.appendingPathComponent("video.mp4"))
        try FileManager.default.removeItem(at: video)
        let renderer = try OverlayRenderer(width: info.width, height: info.height, fontLanguage: "en")
        let untouched = Overlay(intrinsics: .guess(width: info.width, height: info.height))
        let encoder = try VideoEncoder(
            path: video.path, width: info.width, height: info.height, nominalFrameRate: info.nominalFrameRate)
        for _ in 0..<75 {
            let frame = try #require(try source.nextFrame())
            try encoder.append(
                try renderer.render(frame, overlay: untouched), timestampNanoseconds: frame.timestampNanoseconds)
        }
        try encoder.finish()
        return copy
    }

    /// Recordings that something is wrong with, which the capture room's tests use too.
    static func fixture(_ name: String) -> URL {
        Command.root.appendingPathComponent("Tests/FootholdCaptureTests/Fixtures").appendingPathComponent(name)
    }
}
