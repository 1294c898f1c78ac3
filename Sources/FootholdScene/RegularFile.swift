import Foundation

/// Reading files that somebody names. A pipe, a socket or a device would keep whoever opens it waiting, or do something
/// of its own, so nothing but a plain file is opened.
public enum RegularFile {
    public enum Failure: Error, Hashable, Sendable {
        case missing
        /// A folder, a pipe, a socket or a device.
        case notAFile
        case unreadable
        /// More than anything of its kind holds.
        case tooLarge
    }

    /// More than a recording's calibration, a saved world or a model ever takes, and less than a computer's memory.
    public static let mostBytes = 1 << 30

    /// Whether a plain file is there; never waits, and opens nothing.
    public static func check(_ path: String) throws(Failure) {
        // The system would take what comes before it for the name.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .missing }
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw [ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP].contains(errno) ? .missing : .unreadable
        }
        guard information.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    }

    /// All of a plain file; never waits for anything but the disk.
    public static func bytes(_ path: String, atMost mostBytes: Int = mostBytes) throws(Failure) -> Data {
        try read(path) { file, size in
            guard size <= mostBytes else { throw Failure.tooLarge }
            return try file.readToEnd() ?? Data()
        }
    }

    /// What a plain file begins with: as many bytes as asked for, or all where it has fewer.
    public static func beginning(_ path: String, count: Int) throws(Failure) -> Data {
        try read(path) { file, _ in try file.read(upToCount: count) ?? Data() }
    }

    /// - Parameter body: what fails in it is unreadable, unless it says otherwise.
    private static func read(
        _ path: String, _ body: (_ file: FileHandle, _ size: Int) throws -> Data
    ) throws(Failure) -> Data {
        try check(path)
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable }
        defer { close(descriptor) }
        // Something else may have taken its place since.
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw .unreadable }
        guard information.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        do {
            return try body(FileHandle(fileDescriptor: descriptor, closeOnDealloc: false), Int(information.st_size))
        } catch {
            throw error as? Failure ?? .unreadable
        }
    }
}
