import CAssimp
import FootholdScene
import Foundation

/// How Assimp reads files: plain ones alone, whole. A model may name others, and a pipe among them would hold up
/// whoever opens it for ever.
enum ModelFileAccess {
    /// Calls `body` with what Assimp is to read through.
    ///
    /// - Parameter text: what stands for the file at `path`, where that isn't to be read as it is.
    static func importing<Result>(
        _ path: String, as text: Data?, _ body: (UnsafeMutablePointer<aiFileIO>) -> Result
    ) -> Result {
        let replacement = text.map { Replacement(path: path, bytes: $0) }
        return withExtendedLifetime(replacement) {
            let user = replacement.map { Unmanaged.passUnretained($0).toOpaque().assumingMemoryBound(to: CChar.self) }
            var access = aiFileIO(OpenProc: open, CloseProc: close, UserData: user)
            return body(&access)
        }
    }

    private final class Replacement {
        let path: String
        let bytes: Data

        init(path: String, bytes: Data) { (self.path, self.bytes) = (path, bytes) }
    }

    private static func replacement(_ access: UnsafeMutablePointer<aiFileIO>?) -> Replacement? {
        access?.pointee.UserData.map { Unmanaged<Replacement>.fromOpaque($0).takeUnretainedValue() }
    }

    /// An opened file and the place in it.
    private final class Reading {
        let bytes: Data
        var offset = 0

        init(_ bytes: Data) { self.bytes = bytes }
    }

    private static func reading(_ file: UnsafeMutablePointer<aiFile>?) -> Reading? {
        file?.pointee.UserData.map { Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let open: aiFileOpenProc = { access, path, mode in
        guard let path = path.map({ String(cString: $0) }), let mode, strpbrk(mode, "wa+") == nil else { return nil }
        let other = replacement(access)
        guard let bytes = other?.path == path ? other?.bytes : try? RegularFile.bytes(path) else { return nil }
        let file = UnsafeMutablePointer<aiFile>.allocate(capacity: 1)
        let owner = Unmanaged.passRetained(Reading(bytes)).toOpaque().assumingMemoryBound(to: CChar.self)
        file.initialize(
            to: aiFile(
                ReadProc: read, WriteProc: { _, _, _, _ in 0 }, TellProc: { reading($0)?.offset ?? 0 },
                FileSizeProc: { reading($0)?.bytes.count ?? 0 }, SeekProc: seek, FlushProc: { _ in }, UserData: owner))
        return file
    }

    private static let close: aiFileCloseProc = { _, file in
        guard let file else { return }
        if let owner = file.pointee.UserData { Unmanaged<Reading>.fromOpaque(owner).release() }
        file.deallocate()
    }

    /// As `fread`: whole pieces, and how many of them.
    private static let read: aiFileReadProc = { file, out, size, count in
        guard let reading = reading(file), let out, size > 0 else { return 0 }
        let pieces = min(count, (reading.bytes.count - reading.offset) / size)
        let end = reading.offset + pieces * size
        out.withMemoryRebound(to: UInt8.self, capacity: pieces * size) {
            reading.bytes.copyBytes(to: $0, from: reading.offset..<end)
        }
        reading.offset = end
        return pieces
    }

    private static let seek: aiFileSeek = { file, distance, origin in
        guard let reading = reading(file) else { return aiReturn_FAILURE }
        // Distances are unsigned there, and negative ones come as their complement.
        let start = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? reading.offset : reading.bytes.count
        let place = start &+ Int(bitPattern: UInt(distance))
        guard (0...reading.bytes.count).contains(place) else { return aiReturn_FAILURE }
        reading.offset = place
        return aiReturn_SUCCESS
    }
}
