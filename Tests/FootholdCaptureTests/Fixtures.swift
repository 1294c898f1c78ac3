import CFootholdMedia
import FootholdCapture
import Foundation
import Testing

/// All suites that decode run one after the other: they count the frames alive in the whole process.
@Suite(.serialized) struct CaptureTests {}

enum LiveFrames {
    /// Tests of other modules decode in the same process, at the same time and a few frames each. What is kept too long
    /// is therefore looked for among many more frames than these.
    static let ofOthers = 20
}

/// The recordings that `make-fixtures.sh` makes.
enum Fixture {
    static func path(_ name: String) -> String {
        Bundle.module.resourceURL!.appendingPathComponent("Fixtures/\(name)").path
    }

    static func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    static func open(_ name: String, _ options: CaptureOptions = .init()) throws -> any FrameSource {
        try FrameSources.open(path(name), options: options)
    }
}

/// A folder that is gone when the test is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ data: Data, _ name: String) throws -> String {
        let url = URL(fileURLWithPath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ text: String, _ name: String) throws -> String { try write(Data(text.utf8), name) }

    func copy(_ fixture: String, to name: String) throws { try write(try Fixture.bytes(fixture), name) }
}

extension FrameSource {
    func allFrames() throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try nextFrame() { frames.append(frame) }
        return frames
    }
}

extension [Frame] {
    var milliseconds: [Double] { map { (Double($0.timestampNanoseconds) / 1e5).rounded() / 10 } }
}

extension PixelBuffer {
    func luma(_ x: Int, _ y: Int) -> Int { Int(luma.base[y * luma.bytesPerRow + x]) }

    /// Middles of the four quarters' outer parts, row by row.
    var quarters: [Int] {
        [(1, 1), (7, 1), (1, 7), (7, 7)].map { luma(width * $0.0 / 8, height * $0.1 / 8) }
    }

    /// The number that the square in the middle tells.
    func number() -> Int { Int(((narrow(luma(width / 2, height / 2)) - 20) / 10).rounded()) }

    /// The fixtures are made with luma of 16…235; some formats stretch it to 0…255.
    func narrow(_ luma: Int) -> Double { isFullRange ? 16 + Double(luma) * 219 / 255 : Double(luma) }

    /// All pixels of a plane, row by row.
    func plane(_ index: Int) -> [UInt8] {
        let plane = planes[index]
        return (0..<plane.height).flatMap { y in
            (0..<plane.width).map { plane.base[y * plane.bytesPerRow + $0] }
        }
    }
}

/// True when every quarter has the luma that the fixtures were made with; lossy codecs may be a little off.
func showsQuarters(_ pixels: PixelBuffer, within tolerance: Double = 4) -> Bool {
    zip(pixels.quarters, [40, 90, 140, 200]).allSatisfy { abs(pixels.narrow($0) - $1) <= tolerance }
}

/// The error that opening gives; fails the test where there is none.
func captureError(opening path: String, _ options: CaptureOptions = .init()) throws -> CaptureError {
    try #require(throws: CaptureError.self) { _ = try FrameSources.open(path, options: options) }
}

extension CaptureError {
    /// One line that names what it is about.
    var isOneFriendlyLine: Bool {
        !description.contains("\n") && description.count > 20 && description.count < 260 && description.contains(": ")
    }
}
