/// The user asked for something that cannot be done; one line that says what is wrong and what to do.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The run was asked to stop before its end.
public struct StoppedError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
