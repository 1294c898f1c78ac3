/// Why something couldn't be drawn or written: one line for people, saying what is wrong and what to do.
public struct RenderingError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
