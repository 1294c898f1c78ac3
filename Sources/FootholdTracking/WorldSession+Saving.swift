import CFootholdEngine
import Foundation

/// The world as it is kept between sessions (R29): the map, its camera, and the surfaces with their ids.
extension WorldSession {
    /// The present world as bytes of one file; the same world gives the same bytes. Call it before `finish()`.
    ///
    /// - Parameter attachment: what is to be kept with it, such as the objects that stand in it.
    /// - Throws: `SavedWorldError`; of the kind `noWorld` before the camera's place was known.
    public func saveWorld(attaching attachment: Data = Data()) throws -> Data {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let status = attachment.withUnsafeBytes {
            fh_session_save_world(
                handle, $0.bindMemory(to: UInt8.self).baseAddress, $0.count, &bytes, &count)
        }
        guard status == 0, let bytes else { throw SavedWorldError(status: status) }
        return Data(bytes: bytes, count: count)
    }

    /// Goes on in a saved world; only before the first frame. The session then begins as one that has lost its way:
    /// from the frame on that recognises the place, poses and surfaces are those of the saved world. When nothing is
    /// recognised for five seconds it begins a new world, and says `didReset`.
    ///
    /// - Throws: `SavedWorldError`; the session is as it was then.
    public func loadWorld(_ world: Data) throws {
        let status = world.withUnsafeBytes {
            fh_session_load_world(handle, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        guard status == 0 else { throw SavedWorldError(status: status) }
    }

    /// What was attached to a saved world.
    public static func attachment(of world: Data) throws -> Data {
        try world.withUnsafeBytes { buffer in
            var bytes: UnsafePointer<UInt8>?
            var count = 0
            let status = fh_world_attachment(
                buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, &bytes, &count)
            guard status == 0 else { throw SavedWorldError(status: status) }
            return bytes.map { Data(bytes: $0, count: count) } ?? Data()
        }
    }
}
