import Foundation

/// A file that is written from front to back through a small buffer. Used by one thread at a time.
public final class StreamedFile {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true
    private static let capacity = 1 << 16

    /// Creates the file, or empties the one that is there.
    public init(at url: URL) throws(ExportError) {
        path = url.path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw ExportError(errorNumber: errno, path: path) }
        buffer.reserveCapacity(Self.capacity)
    }

    public func write(_ bytes: some Collection<UInt8>) throws(ExportError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.capacity { try flush() }
    }

    public func write(_ text: String) throws(ExportError) { try write(text.utf8) }

    /// Writes what is left and closes the file; also where a full disk shows last.
    public func close() throws(ExportError) {
        guard isOpen else { return }
        try flush()
        isOpen = false
        guard Foundation.close(descriptor) == 0 else { throw ExportError(errorNumber: errno, path: path) }
    }

    /// Makes everything written so far visible to readers of the file.
    public func flush() throws(ExportError) {
        try Self.writeAll(buffer, to: descriptor, path: path)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes all bytes to an open file, however many calls that takes.
    ///
    /// - Parameter path: what an error names.
    public static func writeAll(
        _ bytes: some ContiguousBytes & Collection, to descriptor: Int32, path: String
    ) throws(ExportError) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress! + offset, $0.count - offset)
            }
            if written < 0 {
                if errno == EINTR { continue }
                throw ExportError(errorNumber: errno, path: path)
            }
            offset += written
        }
    }

    deinit { if isOpen { _ = Foundation.close(descriptor) } }
}

extension StreamedFile {
    /// Writes another file's bytes.
    static func copy(_ source: URL, to url: URL) throws(ExportError) {
        let input = open(source.path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw ExportError(errorNumber: errno, path: source.path) }
        defer { _ = Foundation.close(input) }
        let file = try StreamedFile(at: url)
        var block = [UInt8](repeating: 0, count: capacity)
        while true {
            let count = block.withUnsafeMutableBytes { read(input, $0.baseAddress!, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw ExportError(errorNumber: errno, path: source.path)
            }
            if count == 0 { break }
            try file.write(block[..<count])
        }
        try file.close()
    }

    /// Writes a whole file at once.
    static func write(_ bytes: some Collection<UInt8>, to url: URL) throws(ExportError) {
        let file = try StreamedFile(at: url)
        try file.write(bytes)
        try file.close()
    }
}
