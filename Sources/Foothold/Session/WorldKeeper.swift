import FootholdExport
import FootholdTracking
import Foundation

/// The world that a run goes on in, and the one that it leaves behind. Used by one thread.
final class WorldKeeper {
    /// What there is to say at the end, one line each: what people should know, and what was done.
    private(set) var notices: [String] = []
    private(set) var lines: [String] = []
    private let opened: String?
    private let target: String?

    /// Opens a world in a session that has seen nothing yet.
    /// - Throws: `UsageError`, which names the file and says what to do.
    init(opened: String?, data: Data?, savingTo target: String?, in session: SceneSession) throws {
        self.opened = opened
        self.target = target
        if let opened, let data { try SavedWorldFile.open(data, named: opened, in: session) }
    }

    /// Looks whether the world that was opened was found in a frame, or given up.
    func note(_ scene: SceneFrame) {
        guard let opened else { return }
        for case .world(let event) in scene.sessionEvents {
            let seconds = Double(scene.result.timestampNanoseconds) / 1e9
            switch event {
            case .opened: break
            case .found:
                lines.append("Found the place of \(opened) again at \(Self.decimals(seconds, 2)) s.")
            case .notFound:
                notices.append(
                    "--world \(opened): the place was not recognised, so a new world without its objects began at "
                        + "\(Self.decimals(seconds, 2)) s")
            }
        }
    }

    /// The present world, where it is to be saved; nil where there is none or it must not be.
    func world(of session: SceneSession) throws -> Data? {
        guard let target else { return nil }
        if let opened, Self.resolved(opened) == Self.resolved(target), session.knownWorld == .none {
            notices.append(
                "--save-world \(target): it was left as it was, since the session ended in another world: choose "
                    + "another name to keep that")
            return nil
        }
        do {
            return try session.saveWorld()
        } catch let error as SavedWorldError where error.kind == .noWorld {
            notices.append("--save-world \(target): \(error)")
            return nil
        }
    }

    /// - Throws: `ExportError`; the earlier file is still there then.
    func write(_ world: Data) throws {
        guard let target else { return }
        try WholeFile.write(world, to: URL(fileURLWithPath: target))
        lines.append("Saved the world to \(target) (\(Self.decimals(Double(world.count) / 1e6, 1)) MB).")
    }

    private static func decimals(_ value: Double, _ count: Int) -> String { String(format: "%.\(count)f", value) }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
