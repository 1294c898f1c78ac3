import Foundation

/// One file that appears, or takes the place of an earlier one, only when all of it is on the disk.
public enum WholeFile {
    /// Writes beside the target and moves that into place; the earlier file stays when anything goes wrong.
    public static func write(_ data: Data, to url: URL) throws(ExportError) {
        let target = try checkedTarget(url)
        let (path, descriptor) = try createBeside(target)
        var error: ExportError?
        do throws(ExportError) {
            try StreamedFile.writeAll(data, to: descriptor, path: target)
        } catch let failure {
            error = failure
        }
        if error == nil, fsync(descriptor) != 0 { error = ExportError(errorNumber: errno, path: target) }
        if close(descriptor) != 0, error == nil { error = ExportError(errorNumber: errno, path: target) }
        if error == nil, rename(path, target) != 0 { error = ExportError(errorNumber: errno, path: target) }
        if let error {
            unlink(path)
            throw error
        }
        syncFolder(of: target)
    }

    /// Whether a file could be written there, for asking before long work.
    public static func checkWritable(_ url: URL) throws(ExportError) {
        let (path, descriptor) = try createBeside(try checkedTarget(url))
        close(descriptor)
        unlink(path)
    }

    private static func checkedTarget(_ url: URL) throws(ExportError) -> String {
        let path = url.standardizedFileURL.resolvingSymlinksInPath().path
        var information = stat()
        if stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG {
            throw .targetIsNoFile(path: path)
        }
        return path
    }

    private static func createBeside(_ target: String) throws(ExportError) -> (path: String, descriptor: Int32) {
        let url = URL(fileURLWithPath: target)
        let folder = url.deletingLastPathComponent().path
        var template = Array("\(folder)/.\(url.lastPathComponent).unfinished-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw ExportError(errorNumber: errno, path: target) }
        // mkstemp makes it private; results are as readable as anything else that the user makes.
        fchmod(descriptor, 0o644)
        return (template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }, descriptor)
    }

    /// So that the new name outlasts a power cut. Some file systems can't; then there is nothing more to be done.
    private static func syncFolder(of path: String) {
        let folder = open(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
