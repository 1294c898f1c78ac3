import Foundation
import Synchronization

/// A folder of results that appears under its final name only when it is whole.
///
/// Files are written into a hidden sibling folder; `commit` moves that into place in one step, and `discard` (also
/// when the last reference goes) removes it. What runs that were killed have left is removed by the next one that writes
/// to the same place. Safe to use from several threads, so that an interrupt can discard it.
public final class OutputFolder: Sendable {
    /// Every name that a run writes. A folder that holds anything else is never replaced.
    public static let fileNames: Set<String> = [
        FileName.session, FileName.trajectory, FileName.refinedTrajectory, FileName.surfaces, FileName.scene,
        FileName.summary, FileName.annotatedVideo,
    ]

    public enum FileName {
        public static let session = "session.jsonl"
        public static let trajectory = "trajectory.tum"
        public static let refinedTrajectory = "trajectory_refined.tum"
        public static let surfaces = "surfaces.json"
        public static let scene = "scene.glb"
        public static let summary = "summary.json"
        public static let annotatedVideo = "annotated.mp4"
    }

    private enum State { case open, committed, discarded }

    /// Where the results will be.
    public let target: URL
    /// Where they are being written; on the same file system as `target`.
    public let workingFolder: URL
    /// Parents of the target that had to be made, outermost first; they go again when the folder is discarded.
    private let createdParents: [String]
    private let state = Mutex(State.open)
    /// The working folder is locked for as long as this is open: what nobody has locked, nobody writes any more.
    private let lock: Int32

    /// Checks the target and makes the working folder beside it; the target itself is not touched.
    public init(at url: URL) throws(ExportError) {
        target = url.standardizedFileURL.resolvingSymlinksInPath()
        try Self.checkReplaceable(target.path)
        let parent = target.deletingLastPathComponent().path
        createdParents = try Self.createFolders(upTo: parent)
        let prefix = ".\(target.lastPathComponent).unfinished-"
        Self.removeLeftovers(in: parent, prefix: prefix)
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            let number = errno
            // Where the target is there already, one may write to it, but not replace it.
            let error = ExportError(errorNumber: number, path: access(target.path, F_OK) == 0 ? parent : target.path)
            for path in createdParents.reversed() { rmdir(path) }
            throw error
        }
        let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        // mkdtemp makes it private; results are as readable as anything else that the user makes.
        chmod(path, 0o755)
        workingFolder = URL(fileURLWithPath: path, isDirectory: true)
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Waits for whoever just looks whether it's a leftover. Where a file system can't lock, leftovers stay.
        if lock >= 0 { flock(lock, LOCK_EX) }
    }

    /// Where to write a file of this name until `commit`.
    public func url(for fileName: String) -> URL { workingFolder.appendingPathComponent(fileName) }

    /// Moves the finished folder into place. An earlier output of the same name is replaced as a whole.
    /// Calling it again, or after `discard`, does nothing.
    public func commit() throws(ExportError) {
        let error: ExportError? = state.withLock { state in
            guard state == .open else { return nil }
            do throws(ExportError) {
                try moveIntoPlace()
                state = .committed
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    /// Removes everything that was written. Does nothing after `commit`.
    public func discard() {
        state.withLock { state in
            guard state == .open else { return }
            state = .discarded
            try? FileManager.default.removeItem(at: workingFolder)
            for path in createdParents.reversed() { rmdir(path) }
        }
    }

    deinit {
        discard()
        if lock >= 0 { close(lock) }
    }

    private func moveIntoPlace() throws(ExportError) {
        try Self.checkReplaceable(target.path)
        // Succeeds when nothing is there, or an empty folder.
        if rename(workingFolder.path, target.path) == 0 { return }
        guard errno == ENOTEMPTY || errno == EEXIST else {
            throw ExportError(errorNumber: errno, path: target.path)
        }
        let earlier = workingFolder.path + "-earlier"
        guard rename(target.path, earlier) == 0 else { throw ExportError(errorNumber: errno, path: target.path) }
        guard rename(workingFolder.path, target.path) == 0 else {
            let error = ExportError(errorNumber: errno, path: target.path)
            rename(earlier, target.path)
            throw error
        }
        try? FileManager.default.removeItem(atPath: earlier)
    }

    /// Removes working folders of runs that were killed. One that is still empty may belong to a run that is just about
    /// to lock it; one that holds anything else isn't ours.
    private static func removeLeftovers(in parent: String, prefix: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
            let path = "\(parent)/\(name)"
            let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            guard flock(folder, LOCK_EX | LOCK_NB) == 0,
                let files = try? FileManager.default.contentsOfDirectory(atPath: path),
                !files.isEmpty, fileNames.isSuperset(of: files), files.allSatisfy({ isFile("\(path)/\($0)") })
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private static func isFile(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    private static func checkReplaceable(_ path: String) throws(ExportError) {
        var information = stat()
        guard stat(path, &information) == 0 else {
            if errno == ENOENT {
                guard lstat(path, &information) != 0 else { throw .targetIsADeadLink(path: path) }
                return
            }
            throw ExportError(errorNumber: errno, path: path)
        }
        guard information.st_mode & S_IFMT == S_IFDIR else { throw .targetIsAFile(path: path) }
        // It would be replaced by another folder under the feet of whoever stands in it.
        var current = stat()
        if stat(".", &current) == 0, (current.st_dev, current.st_ino) == (information.st_dev, information.st_ino) {
            throw .targetIsCurrentFolder(path: path)
        }
        var parent = stat()
        if stat(path + "/..", &parent) == 0, parent.st_dev != information.st_dev {
            throw .targetIsAMountPoint(path: path)
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .notWritable(path: path, reason: "it cannot be read")
        }
        if let stranger = names.sorted().first(where: { !fileNames.contains($0) }) {
            throw .targetHoldsOtherFiles(path: path, example: stranger)
        }
    }

    /// Makes the missing folders of a path and returns those that were made.
    private static func createFolders(upTo path: String) throws(ExportError) -> [String] {
        var missing: [String] = []
        var current = path
        while current != "/", access(current, F_OK) != 0 {
            guard errno == ENOENT else { throw ExportError(errorNumber: errno, path: path) }
            missing.append(current)
            current = URL(fileURLWithPath: current).deletingLastPathComponent().path
        }
        var created: [String] = []
        for folder in missing.reversed() {
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
                let error = ExportError(errorNumber: errno, path: folder)
                for path in created.reversed() { rmdir(path) }
                throw error
            }
            created.append(folder)
        }
        return created
    }
}
