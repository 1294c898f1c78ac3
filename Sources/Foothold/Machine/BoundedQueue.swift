import Foundation

/// Hands values from one thread to another in order; the faster side waits, so memory stays bounded.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: [Element] = []
    private var isClosed = false

    init(capacity: Int) {
        precondition(capacity > 0, "a queue holds at least one element")
        self.capacity = capacity
        elements.reserveCapacity(capacity)
    }

    /// Waits for room; false once the queue is closed, and the element is dropped then.
    func push(_ element: Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while elements.count >= capacity, !isClosed { condition.wait() }
        guard !isClosed else { return false }
        elements.append(element)
        condition.broadcast()
        return true
    }

    /// Never waits: false when there is no room, or the queue is closed.
    func offer(_ element: Element) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard elements.count < capacity, !isClosed else { return false }
        elements.append(element)
        condition.broadcast()
        return true
    }

    /// Waits for an element; nil once the queue is closed and empty.
    func pop() -> Element? {
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty, !isClosed { condition.wait() }
        guard !elements.isEmpty else { return nil }
        condition.broadcast()
        return elements.removeFirst()
    }

    /// Nothing more is taken; what is in the queue can still be fetched.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }

    /// Nothing more is taken, and what is in the queue is dropped.
    func abandon() {
        condition.lock()
        isClosed = true
        elements.removeAll()
        condition.broadcast()
        condition.unlock()
    }
}
