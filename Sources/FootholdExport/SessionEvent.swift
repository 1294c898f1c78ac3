import FootholdScene

/// What happened to the session as a whole.
public enum SessionEvent: Hashable, Sendable {
    /// `source` is the name of the input without its folder.
    case started(source: String)
    /// Frames stopped coming, or a gap was met.
    case interrupted
    case resumed
    /// A new world began: earlier coordinates are void.
    case reset
    /// A world that was left was recognised: coordinates and surfaces are those of that world again.
    case returned
    /// Two worlds were found to be one: coordinates of the absorbed one are void, and it tells how they change.
    case joined(AbsorbedWorld)
    /// The last frame is over, and all pictures were looked at once more: what surfaces and objects tell from here on
    /// nobody saw at a frame.
    case reviewed
    case ended
    /// Something is wrong with the camera, or is over: which kind, and one line for people.
    case trouble(kind: String, isOver: Bool, message: String)
    /// What the place offers (`room`, `tabletop`, `instant` or `none`), what stands in the way of more, and one line
    /// for people where there is something to say.
    case suitability(kind: String, reason: String?, text: String?)
    /// What became of a saved world that the session was to go on in.
    case world(WorldEvent)
    /// The reader of the live output was too slow, and so many lines were left out.
    case linesDropped(count: Int)

    public enum WorldEvent: String, Hashable, Sendable {
        /// It was opened, and is being looked for.
        case opened
        /// The place was recognised: coordinates and surfaces are those of the saved world.
        case found
        /// It wasn't recognised, and a new world begins; its objects are gone until it is found after all.
        case notFound
    }
}
