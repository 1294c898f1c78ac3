import Foothold
import Foundation
import Testing

/// A camera that isn't there (Tests/FakeCamera), preloaded into the built command.
enum FakeCamera {
    /// The libraries, each compiled once.
    private static let camera = Result { try compile(["fake_camera", "driver", "real", "sensor", "settings"]) }
    private static let fullDisk = Result { try compile(["full_disk"]) }

    private static func compile(_ sources: [String]) throws -> Kept {
        let folder = try TemporaryFolder()
        let library = folder.file("\(sources[0]).so")
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let files = sources.map { Command.root.appendingPathComponent("Tests/FakeCamera/\($0).c").path }
        compiler.arguments =
            ["cc", "-shared", "-fPIC", "-O2", "-o", library.path] + files
            + ["-ldl", "-lpthread"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "\(sources[0]) compiles")
        return Kept(folder, library)
    }

    /// What makes the command's disk full: it takes `bytes` of files whose path holds `text`.
    static func fullDisk(after bytes: Int, in text: String) throws -> [String: String] {
        ["FOOTHOLD_FULL_DISK": "\(bytes):\(text)", "LD_PRELOAD": try fullDisk.get().file.path]
    }

    /// Shared between tests, and only read.
    private final class Kept: @unchecked Sendable {
        let folder: TemporaryFolder
        let file: URL
        init(_ folder: TemporaryFolder, _ file: URL) { (self.folder, self.file) = (folder, file) }
    }

    static let (width, height) = (320, 240)

    /// The sample's first pictures at half the size, luma alone.
    static let pictures: Result<[[UInt8]], any Error> = Result {
        let source = try FrameSources.open(Clips.sampleVideo.path)
        var pictures: [[UInt8]] = []
        while pictures.count < 90, let frame = try source.nextFrame() {
            let luma = frame.pixels.luma
            var picture = [UInt8](repeating: 0, count: width * height)
            for y in 0..<height {
                let (upper, lower) = (luma.base + 2 * y * luma.bytesPerRow, luma.base + (2 * y + 1) * luma.bytesPerRow)
                for x in 0..<width {
                    let sum = Int(upper[2 * x]) + Int(upper[2 * x + 1]) + Int(lower[2 * x]) + Int(lower[2 * x + 1])
                    picture[y * width + x] = UInt8((sum + 2) / 4)
                }
            }
            pictures.append(picture)
        }
        return pictures
    }

    /// The pictures as a camera of this format stores them; chroma says which row and column it belongs to.
    private static func file(_ format: String) throws -> URL {
        let bytes = try pictures.get().map { luma -> [UInt8] in
            let chroma = (0..<width * height / 4).map { UInt8(100 + $0 % 50) }
            switch format {
            case "NV12": return luma + chroma.flatMap { [$0, 255 - $0] }
            case "YU12": return luma + chroma + chroma.map { 255 - $0 }
            case "YUYV": return luma.enumerated().flatMap { [$1, UInt8(100 + $0 % 50)] }
            case "UYVY": return luma.enumerated().flatMap { [UInt8(100 + $0 % 50), $1] }
            default: return luma
            }
        }
        let folder = try TemporaryFolder()
        let file = folder.file("\(format).raw")
        try Data(bytes.joined()).write(to: file)
        keeping.add(folder)
        return file
    }

    private static let keeping = Keeping()

    /// Keeps folders until the tests end, and files that were made once.
    private final class Keeping: @unchecked Sendable {
        private let lock = NSLock()
        private var folders: [TemporaryFolder] = []
        private var files: [String: URL] = [:]

        func add(_ folder: TemporaryFolder) { lock.withLock { folders.append(folder) } }

        func file(_ key: String, _ make: () throws -> URL) throws -> URL {
            // Making one twice at the same time does no harm.
            if let file = lock.withLock({ files[key] }) { return file }
            let file = try make()
            lock.withLock { files[key] = file }
            return file
        }
    }

    /// What makes the command see the camera.
    ///
    /// - Parameter settings: as Tests/FakeCamera says; a grey camera of 320×240 at 30 frames a second where nothing else
    ///   is said.
    static func environment(_ settings: [String: String]) throws -> [String: String] {
        let format = settings["format"] ?? "GREY"
        var all = [
            "path": "/dev/video9", "width": "\(width)", "height": "\(height)", "order": "swing", "format": format,
        ]
        all["frames"] =
            format == "MJPG"
            ? Clips.fixture("camera.mjpg").path : try keeping.file(format) { try file(format) }.path
        all.merge(settings) { $1 }
        let text = all.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ";")
        return [
            "FOOTHOLD_FAKE_CAMERA": text, "LD_PRELOAD": try camera.get().file.path, "XDG_CONFIG_HOME": "/nowhere",
        ]
    }
}

/// One session of the built command with the fake camera.
/// Shared between tests, and only read.
struct CameraSession: @unchecked Sendable {
    let folder = try! TemporaryFolder()
    var outcome: Command.Outcome

    /// - Parameter seconds: how long; nil leaves the end to `whileRunning`.
    init(
        _ settings: [String: String] = [:], _ arguments: [String] = [], seconds: Double? = 3,
        environment: [String: String] = [:], input: Pipe? = nil, output: Pipe? = nil,
        whileRunning: ((Process) throws -> Void)? = nil
    ) throws {
        let duration = seconds.map { ["--duration", "\($0)"] } ?? []
        outcome = try Command.run(
            ["camera"] + arguments + duration, in: folder.url,
            environment: FakeCamera.environment(settings).merging(environment) { $1 }, input: input, output: output,
            whileRunning: whileRunning)
    }

    /// Runs several at the same time, since most of what they do is wait; not all of them, since a busy machine would
    /// keep some from their pictures for so long that they count as interrupted.
    ///
    /// - Parameter settings: of all of them, where the scenario doesn't say otherwise.
    static func all(
        _ scenarios: [CameraTroubleTests.Scenario], settings: [String: String] = [:],
        arguments: @escaping @Sendable (CameraTroubleTests.Scenario) -> [String]
    ) throws -> [CameraSession] {
        let ended = Ended(count: scenarios.count)
        // What all of them need is made once.
        _ = try FakeCamera.environment([:])
        let (group, room) = (DispatchGroup(), DispatchSemaphore(value: 5))
        for (number, scenario) in scenarios.enumerated() {
            group.enter()
            room.wait()
            Thread.detachNewThread {
                ended.set(
                    number,
                    Result {
                        try CameraSession(settings.merging(scenario.settings) { $1 }, arguments(scenario), seconds: nil)
                    })
                room.signal()
                group.leave()
            }
        }
        group.wait()
        return try ended.sessions()
    }

    private final class Ended: @unchecked Sendable {
        private let lock = NSLock()
        private var results: [Result<CameraSession, any Error>?]

        init(count: Int) { results = Array(repeating: nil, count: count) }

        func set(_ number: Int, _ result: Result<CameraSession, any Error>) {
            lock.withLock { results[number] = result }
        }

        func sessions() throws -> [CameraSession] { try lock.withLock { try results.compactMap { try $0?.get() } } }
    }

    var messages: String { outcome.errors }

    /// The lines on standard output, or of a file in the folder.
    func lines(_ type: String? = nil, in name: String? = nil) throws -> [[String: Any]] {
        let text = try name.map { try String(contentsOf: folder.file($0), encoding: .utf8) } ?? outcome.output
        return try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }.filter { type == nil || $0["type"] as? String == type }
    }

    /// `capture` of summary.json in `out`.
    func capture() throws -> [String: Any] {
        let data = try Data(contentsOf: folder.file("out/summary.json"))
        let summary = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(summary["capture"] as? [String: Any])
    }

    func count(_ key: String) throws -> Int { try #require(try capture()[key] as? Int) }

    /// The pictures of a recording in the folder, luma row by row.
    func recorded(_ name: String = "session.nut") throws -> [(time: Int64, luma: [UInt8])] {
        let source = try FrameSources.open(folder.file(name).path)
        var frames: [(Int64, [UInt8])] = []
        while let frame = try source.nextFrame() {
            let luma = frame.pixels.luma
            let rows = (0..<luma.height).flatMap { y in
                UnsafeBufferPointer(start: luma.base + y * luma.bytesPerRow, count: luma.width)
            }
            frames.append((frame.timestampNanoseconds, rows))
        }
        return frames
    }
}
