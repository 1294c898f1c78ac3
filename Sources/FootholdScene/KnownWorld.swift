/// Whether a session goes on in a world that was saved before.
public enum KnownWorld: String, Hashable, Sendable {
    /// It began a world of its own.
    case none
    /// The saved world wasn't recognised yet. After some seconds it gives way to a new one.
    case sought
    /// Coordinates, surfaces and their ids are those of the saved world.
    case found
}
