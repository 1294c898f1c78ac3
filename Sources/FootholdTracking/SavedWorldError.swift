import CFootholdEngine

/// Why a world can't be saved, or can't be gone on with; one line that says what to do.
public struct SavedWorldError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// Nothing is known yet that could be saved.
        case noWorld
        case notASavedWorld
        /// Cut off or changed since it was written.
        case damaged
        case newerVersion
        case otherCamera
        /// A world can be loaded only before the first frame.
        case tooLate
        case failed
    }

    public let kind: Kind

    public init(_ kind: Kind) { self.kind = kind }

    init(status: Int32) {
        switch status {
        case Int32(FH_NO_WORLD.rawValue): kind = .noWorld
        case Int32(FH_NOT_A_WORLD_FILE.rawValue): kind = .notASavedWorld
        case Int32(FH_DAMAGED_WORLD_FILE.rawValue): kind = .damaged
        case Int32(FH_NEWER_WORLD_FILE.rawValue): kind = .newerVersion
        case Int32(FH_OTHER_CAMERA.rawValue): kind = .otherCamera
        case Int32(FH_INVALID_ARGUMENT.rawValue): kind = .tooLate
        default: kind = .failed
        }
    }

    public var description: String {
        switch self.kind {
        case .noWorld: "nothing of the room is known yet, so there is nothing to save: move the camera sideways first"
        case .notASavedWorld: "this is not a saved world: give a file that --save-world wrote"
        case .damaged: "the saved world is damaged: use another copy of it, or start afresh"
        case .newerVersion: "the saved world is from a newer version of this program: use that one"
        case .otherCamera:
            "the saved world was made with another camera or picture size: use that camera, and the same calibration"
        case .tooLate: "a saved world can only be opened before the first picture"
        case .failed: "the world can't be saved: something inside failed"
        }
    }
}
