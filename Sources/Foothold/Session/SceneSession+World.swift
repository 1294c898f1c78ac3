import FootholdExport
import FootholdPlacement
import FootholdTracking
import Foundation

/// The whole scene between sessions (R29): the world and the objects in it, in one file.
extension SceneSession {
    /// Whether the session goes on in a world that was opened.
    public var knownWorld: KnownWorld { toldWorld }

    /// The present world with its objects, as bytes to keep. Call it before `finish()`.
    /// - Throws: `SavedWorldError` while nothing of the room is known.
    public func saveWorld() throws -> Data { try world.saveWorld(attaching: try save().data()) }

    /// Goes on in a saved world, before the first frame: its objects are there at once, and stand in the picture from
    /// the frame on that recognises the place. When nothing is recognised for five seconds, a new and empty world
    /// begins, until the saved one is seen after all.
    ///
    /// - Throws: `SavedWorldError`, or `SavedScene.SceneError` for its objects; the session is as it was then.
    public func loadWorld(_ data: Data) throws {
        let attachment = try WorldSession.attachment(of: data)
        let scene = attachment.isEmpty ? SavedScene(objects: []) : try SavedScene(data: attachment)
        try world.loadWorld(data)
        restore(scene)
        toldWorld = .sought
        isWorldOpened = true
    }

    /// What there is to tell of the world that was opened, and what its being another one means for the objects.
    func follow(_ knownWorld: KnownWorld, _ changes: inout PlacementOutput) -> [SessionEvent] {
        var events: [SessionEvent] = []
        if isWorldOpened {
            isWorldOpened = false
            events.append(.world(.opened))
        }
        guard knownWorld != toldWorld else { return events }
        switch (toldWorld, knownWorld) {
        case (_, .found): events.append(.world(.found))
        case (.sought, .none):
            events.append(.world(.notFound))
            changes += placement.giveUpRestored()
        default: break
        }
        toldWorld = knownWorld
        return events
    }
}

/// A file that holds a world with its objects.
public enum SavedWorldFile {
    /// - Throws: `UsageError`, which names the file and says what to do.
    public static func read(_ path: String) throws -> Data {
        let data: Data
        do {
            data = try RegularFile.bytes(path)
        } catch {
            let reason =
                switch error {
                case .missing: "there is no such file; --save-world writes one"
                case .notAFile: "this is a folder, device or pipe: give a file that --save-world wrote"
                case .unreadable: "it can't be read; is it yours to read?"
                case .tooLarge: SavedWorldError(.notASavedWorld).description
                }
            throw UsageError("--world \(path): \(reason)")
        }
        do {
            // What is wrong with the file shows before a camera is opened.
            _ = try WorldSession.attachment(of: data)
        } catch {
            throw UsageError("--world \(path): \(error)")
        }
        return data
    }

    /// Opens a world in a session that has seen nothing yet.
    static func open(_ data: Data, named path: String, in session: SceneSession) throws {
        do {
            try session.loadWorld(data)
        } catch {
            throw UsageError("--world \(path): \(error)")
        }
    }
}
