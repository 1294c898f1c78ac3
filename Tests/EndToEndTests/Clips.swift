import Foothold
import Foundation
import Testing

/// Recordings that the tests run on.
enum Clips {
    static let sample = Command.root.appendingPathComponent("SampleVideos/desk")
    static let sampleVideo = sample.appendingPathComponent("video.mp4")

    /// Recordings that something is wrong with, which the capture room's tests use too.
    static func fixture(_ name: String) -> URL {
        Command.root.appendingPathComponent("Tests/FootholdCaptureTests/Fixtures").appendingPathComponent(name)
    }
}
