import FootholdPlacement
import FootholdScene
import Synchronization

/// A model that is being read for a command, on a thread of its own: a large one takes seconds, and the session goes on
/// meanwhile.
final class ModelLoad: Sendable {
    let command: LiveCommand
    let location: PlacementRequest.Location
    private let result = Mutex<Result<ObjectTemplate, UsageError>?>(nil)

    init(_ name: String, for command: LiveCommand, at location: PlacementRequest.Location) {
        self.command = command
        self.location = location
        _ = Worker(name: "foothold.model") { [self] in
            let loaded = Result { () throws(UsageError) in try ObjectLibrary.template(name, asWrittenIn: nil) }
            result.withLock { $0 = loaded }
        }
    }

    /// Nil while it is being read.
    var loaded: Result<ObjectTemplate, UsageError>? { result.withLock { $0 } }
}
