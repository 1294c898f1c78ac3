import FootholdScene
import Foundation

/// Opens whatever frames can be read from.
public enum FrameSources {
    /// Opens a video file, an image folder, a sequence folder, or a TUM RGB-D or EuRoC folder, told apart by what is
    /// in it. The first frame is decoded, so that what is wrong with a source shows here.
    ///
    /// Throws `CaptureError`.
    public static func open(_ path: String, options: CaptureOptions = .init()) throws -> any FrameSource {
        guard FileAccess.exists(path) else {
            throw CaptureError(.missingFile, "there is no file or folder at \"\(path)\": check the path")
        }
        if FileAccess.isFolder(path) { return try openFolder(path, options: options) }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CaptureError(.unreadable, "\"\(path)\" cannot be opened: check its permissions")
        }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else {
            throw CaptureError(
                .unsupported,
                "\"\(path)\" is a device or pipe, not a recording: give a video file or a folder of pictures")
        }
        if (attributes?[.size] as? NSNumber)?.int64Value == 0 {
            throw CaptureError(.emptyFile, "\"\(path)\" is empty: copy it again from where it was recorded")
        }
        var surroundings = Surroundings(name: FileAccess.name(path), kind: .videoFile)
        try surroundings.apply(options)
        return try VideoFileSource(path: path, surroundings: surroundings, frameTimes: nil, options: options)
    }

    private static func openFolder(_ path: String, options: CaptureOptions) throws -> any FrameSource {
        let name = folderName(path)
        for root in [FileAccess.join(path, "mav0"), path]
        where FileAccess.exists(FileAccess.join(root, "cam0/data.csv")) {
            return try EuRoCFolder.open(root, name: name, options: options)
        }
        for camera in ["mav0/cam0", "cam0"] where FileAccess.exists(FileAccess.join(path, camera + "/sensor.yaml")) {
            throw CaptureError(
                .badFolder,
                "\"\(name)\" looks like a EuRoC sequence without \"\(camera)/data.csv\", which lists its pictures: unpack it again"
            )
        }
        if FileAccess.exists(FileAccess.join(path, "rgb.txt")) {
            return try TUMFolder.open(path, name: name, options: options)
        }
        return try SequenceFolder.open(path, name: name, options: options)
    }

    /// The folder's own name, also for `.` and `..`.
    private static func folderName(_ path: String) -> String {
        let name = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
        return name.isEmpty ? path : name
    }
}
