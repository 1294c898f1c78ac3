/// Something that is wrong with a camera while it runs, or that is over again.
public struct CameraTrouble: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Gone; waited for until it returns.
        case unplugged
        /// Another program has taken it; waited for.
        case busy
        /// Other devices take what its connection can carry; waited for.
        case noBandwidth
        /// The user may not use it any more.
        case forbidden
        /// Connected, but no pictures come.
        case noFrames
        /// Pictures come, and all of them are damaged or cut off.
        case damagedFrames
        /// The system reported an error while pictures were taken.
        case streamError
        /// Another program set another format.
        case formatChanged
        /// It has come back unable to give pictures of the session's size.
        case otherSize
        /// The same picture again and again.
        case frozen
        /// Nothing but black.
        case black
        /// Far fewer pictures than promised.
        case slow
        /// The driver's sizes or times contradict what it does.
        case lyingDriver
    }

    public var kind: Kind
    /// True when it has passed.
    public var isOver: Bool
    /// One line for people: what is wrong and what to do.
    public var message: String

    public init(kind: Kind, isOver: Bool = false, message: String) {
        self.kind = kind
        self.isOver = isOver
        self.message = message
    }
}
