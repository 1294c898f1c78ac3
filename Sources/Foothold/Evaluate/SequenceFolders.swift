import Foundation

/// Finds recordings with truth beside them.
public enum SequenceFolders {
    /// What a sequence, TUM RGB-D or EuRoC folder holds at least one of.
    private static let signs = [
        "intrinsics.json", "groundtruth.csv", "video.mp4", "frames.csv", "rgb.txt", "mav0", "cam0",
    ]

    /// The folder itself when it is a sequence, otherwise the sequences right in it, by name.
    /// - Throws: `UsageError` when there are none.
    public static func sequences(at path: String) throws(UsageError) -> [URL] {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        guard isFolder(folder) else {
            throw UsageError("there is no folder at \(path): name a sequence folder, or a folder of them")
        }
        if isSequence(folder) { return [folder] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let found = names.sorted().map { folder.appendingPathComponent($0, isDirectory: true) }.filter(isSequence)
        guard !found.isEmpty else {
            throw UsageError(
                "\(path) holds no sequence: it should have intrinsics.json and a video, or folders that do")
        }
        return found
    }

    private static func isSequence(_ folder: URL) -> Bool {
        signs.contains { FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path) }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
