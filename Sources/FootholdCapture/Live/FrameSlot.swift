import Foundation

/// Hands the newest value from one thread to another: what was not taken in time is replaced, never waited for.
final class FrameSlot<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?
    private var isClosed = false
    private var replaced = 0

    /// Never waits. What it replaces is given up outside the lock.
    func put(_ new: Value) {
        condition.lock()
        let old = value
        if old != nil { replaced += 1 }
        value = isClosed ? nil : new
        condition.signal()
        condition.unlock()
        withExtendedLifetime(old) {}
    }

    /// Waits for a value, but no longer than this.
    func take(waitingAtMost seconds: Double) -> Value? {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date(timeIntervalSinceNow: seconds)
        while value == nil, !isClosed {
            guard condition.wait(until: deadline) else { break }
        }
        defer { value = nil }
        return value
    }

    /// Empties it.
    func clear() {
        condition.lock()
        let old = value
        value = nil
        condition.unlock()
        withExtendedLifetime(old) {}
    }

    /// Whoever waits goes on with nothing.
    func close() {
        condition.lock()
        isClosed = true
        value = nil
        condition.broadcast()
        condition.unlock()
    }

    /// How many values were replaced before anybody took them.
    var replacedCount: Int {
        condition.lock()
        defer { condition.unlock() }
        return replaced
    }
}
