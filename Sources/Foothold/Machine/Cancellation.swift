import Synchronization

/// A request to stop, from any thread; long work looks at it between two frames.
public final class Cancellation: Sendable {
    private let requested = Atomic(false)

    public init() {}

    public var isRequested: Bool { requested.load(ordering: .acquiring) }

    /// - Throws: `StoppedError` once it's requested.
    func check() throws {
        if isRequested { throw StoppedError("stopped before the end") }
    }

    public func request() { requested.store(true, ordering: .releasing) }
}
