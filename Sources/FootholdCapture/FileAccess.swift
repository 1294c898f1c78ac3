import FootholdScene
import Foundation

/// The file system, with errors that people can read.
enum FileAccess {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

    static func join(_ folder: String, _ name: String) -> String { (folder as NSString).appendingPathComponent(name) }

    /// The path if there is something, else nil.
    static func existing(_ folder: String, _ name: String) -> String? {
        let path = join(folder, name)
        return exists(path) ? path : nil
    }

    static func bytes(_ path: String) throws -> Data {
        do {
            return try RegularFile.bytes(path)
        } catch {
            switch error {
            case .missing: throw CaptureError(.missingFile, "there is no file at \"\(path)\": check the path")
            case .notAFile:
                throw CaptureError(.unreadable, "\"\(path)\" is a folder, device or pipe: give a file")
            case .unreadable: throw CaptureError(.unreadable, "\"\(path)\" cannot be read: check its permissions")
            case .tooLarge:
                throw CaptureError(.unreadable, "\"\(path)\" is too large to be what it should be: give another file")
            }
        }
    }

    /// Text, whatever bytes it holds.
    static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    }
}
