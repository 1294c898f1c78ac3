import Foundation

/// Why results could not be written, as one line that says what is wrong and what to do.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The target exists and is not a folder.
    case targetIsAFile(path: String)
    /// The target is a link to something that isn't there.
    case targetIsADeadLink(path: String)
    /// The target is the folder that the process works in.
    case targetIsCurrentFolder(path: String)
    /// The target is where another file system is mounted, which can't be replaced.
    case targetIsAMountPoint(path: String)
    /// The target exists and is a folder or a device.
    case targetIsNoFile(path: String)
    /// The target holds something that an earlier run did not write; `example` names one such file.
    case targetHoldsOtherFiles(path: String, example: String)
    /// The system refuses to write there; `reason` is the system's own word for it.
    case notWritable(path: String, reason: String)
    case diskFull(path: String)
    case failed(path: String, reason: String)

    /// The error for a system call's `errno` while writing `path`.
    init(errorNumber: Int32, path: String) {
        let reason = String(cString: strerror(errorNumber)).lowercased()
        switch errorNumber {
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case EACCES, EPERM, EROFS: self = .notWritable(path: path, reason: reason)
        default: self = .failed(path: path, reason: reason)
        }
    }

    public var description: String {
        switch self {
        case .targetIsAFile(let path):
            "\(path) is a file, not a folder: choose another name for the output folder"
        case .targetIsADeadLink(let path):
            "\(path) is a link to something that isn't there: choose another name for the output folder"
        case .targetIsCurrentFolder(let path):
            "\(path) is the folder that you are in, which would be replaced: choose a new folder in it"
        case .targetIsAMountPoint(let path):
            "\(path) is where a disk is mounted, which cannot be replaced: choose a new folder in it"
        case .targetIsNoFile(let path):
            "\(path) is not a file: choose another name"
        case .targetHoldsOtherFiles(let path, let example):
            "\(path) holds files that are not from an earlier run (\(example)): choose an empty or a new folder"
        case .notWritable(let path, let reason):
            "cannot write to \(path) (\(reason)): choose a folder that you may write to"
        case .diskFull(let path):
            "no space left on the disk for \(path): free some space or choose a folder on another disk"
        case .failed(let path, let reason):
            "cannot write \(path) (\(reason)): choose another place for it"
        }
    }

    public var errorDescription: String? { description }
}
