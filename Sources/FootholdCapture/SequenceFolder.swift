import FootholdScene
import Foundation

/// A folder with `video.mp4`, or pictures in `frames/` or in the folder itself; around them calibration, times,
/// inertial data and truth, as far as they are there.
enum SequenceFolder {
    private static let videoNames = ["mp4", "mov", "mkv", "webm", "avi", "m4v"].map { "video." + $0 }
    private static let pictureExtensions: Set<String> = ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp"]

    static func open(_ folder: String, name: String, options: CaptureOptions) throws -> any FrameSource {
        if let video = videoNames.lazy.compactMap({ FileAccess.existing(folder, $0) }).first {
            var surroundings = try Surroundings(
                name: name, kind: .sequenceFolder, sequenceFolder: folder, options: options)
            try surroundings.apply(options)
            let list = try FileAccess.existing(folder, "frames.csv").map(FrameList.init(path:))
            return try VideoFileSource(
                path: video, surroundings: surroundings, frameTimes: list?.times, options: options)
        }
        let inner = FileAccess.join(folder, "frames")
        let isSequence = FileAccess.isFolder(inner)
        let pictureFolder = isSequence ? inner : folder
        let pictures = try pictureNames(pictureFolder)
        guard !pictures.isEmpty else {
            throw CaptureError(
                .badFolder,
                "the folder \"\(name)\" holds no video.mp4, no pictures (PNG, JPEG, BMP, TIFF or WebP) and no TUM or EuRoC sequence:"
                    + " give one that does, or a video file")
        }
        var surroundings = try Surroundings(
            name: name, kind: isSequence ? .sequenceFolder : .imageFolder, sequenceFolder: folder, options: options)
        try surroundings.apply(options)
        let listPath = FileAccess.existing(folder, "frames.csv") ?? FileAccess.existing(pictureFolder, "frames.csv")
        guard let listPath else {
            let times = pictures.indices.map { Int64((Double($0) * 1e9 / 30).rounded()) }
            return try ImageFolderSource(
                paths: pictures.map { FileAccess.join(pictureFolder, $0) }, times: times, surroundings: surroundings)
        }
        let list = try FrameList(path: listPath)
        let names = list.names ?? pictures
        let count = min(names.count, list.times.count)
        if list.names == nil, names.count != list.times.count {
            surroundings.notices.append("frames.csv has \(list.times.count) times for \(names.count) pictures")
        }
        return try ImageFolderSource(
            paths: names.prefix(count).map { FileAccess.join(pictureFolder, $0) },
            times: Array(list.times.prefix(count)),
            surroundings: surroundings)
    }

    private static func pictureNames(_ folder: String) throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CaptureError(.unreadable, "the folder \"\(folder)\" cannot be read: check its permissions")
        }
        return names.filter {
            !$0.hasPrefix(".") && pictureExtensions.contains(($0 as NSString).pathExtension.lowercased())
        }.sorted(by: NaturalOrder.precedes)
    }
}

/// `frames.csv`: a row for each frame with its time in seconds, and the picture's name where the frames are pictures.
struct FrameList {
    let times: [Int64]
    /// Nil where no column names the pictures.
    let names: [String]?

    private static let longestInterval: Int64 = 10_000_000_000

    init(path: String) throws {
        let table = TextTable(try FileAccess.bytes(path))
        let width = table.rows.first?.count ?? 0
        let timeColumn = table.column(named: "t", "time", "timestamp", "seconds") ?? min(1, max(0, width - 1))
        let nameColumn = table.column(named: "file", "filename", "name", "path")
        var times: [Int64] = []
        var names: [String] = []
        for row in table.rows {
            guard timeColumn < row.count, nameColumn ?? 0 < row.count,
                let time = table.nanoseconds(row, timeColumn)
            else {
                throw CaptureError(
                    .badFolder,
                    "\"\(FileAccess.name(path))\" has no time in line \(row.line): each line is index,t with t in seconds"
                )
            }
            times.append(time)
            if let nameColumn { names.append(table.text(row, nameColumn)) }
        }
        guard !times.isEmpty else {
            throw CaptureError(
                .badFolder, "\"\(FileAccess.name(path))\" holds no times: each line is index,t with t in seconds")
        }
        // Nobody films a frame in ten seconds; thirty a second in milliseconds are 33.
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        if let median = steps.isEmpty ? nil : steps[steps.count / 2], median >= Self.longestInterval {
            throw CaptureError(
                .badFolder,
                "\"\(FileAccess.name(path))\" has \(median / 1_000_000_000) seconds from one frame to the next, which looks like "
                    + "milliseconds: give t in seconds")
        }
        self.times = times
        self.names = nameColumn == nil ? nil : names
    }
}
