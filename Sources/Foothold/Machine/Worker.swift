import Foundation
import Synchronization

/// One piece of work on a thread of its own, whose end can be waited for.
final class Worker: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let error = Mutex<(any Error)?>(nil)

    /// - Parameter name: shows in debuggers.
    init(name: String, _ work: @escaping @Sendable () throws -> Void) {
        let thread = Thread { [done, self] in
            do { try work() } catch { self.error.withLock { $0 = error } }
            done.signal()
        }
        thread.name = name
        thread.start()
    }

    /// Waits for the end, but no longer than this; true when it has come, whether well or not.
    func wait(atMost seconds: Double) -> Bool {
        guard done.wait(timeout: .now() + seconds) == .success else { return false }
        done.signal()
        return true
    }

    /// What the work threw so far.
    var failure: (any Error)? { error.withLock { $0 } }

    /// Waits for the end; rethrows what the work threw. Any number of callers may wait.
    func wait() throws {
        done.wait()
        done.signal()
        if let error = error.withLock({ $0 }) { throw error }
    }
}
