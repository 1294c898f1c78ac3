import CFootholdEngine
import FootholdScene

/// Surfaces as they are known after everything was seen.
extension WorldSession {
    /// Looks for surfaces in everything that was seen once more: what was seen before and after a picture tells more
    /// of it than what was seen before alone. `surfaces` are those that come of it, in the same world as before, and
    /// poses stay as they are.
    ///
    /// Takes some 200 ms for each of the newest 96 keyframes at 640 × 480. Call it once, after the last frame, and
    /// before `saveWorld` and `finish`.
    /// - Parameters:
    ///   - onKeyframe: called after each look at one, two for each keyframe, with how many are left; what it throws
    ///     ends it, and nothing comes of it.
    ///   - isEnough: asked after each look; true leaves out those that are left, and what the others told counts.
    /// - Returns: what became of the surfaces since the last frame.
    public func reviewSurfaces(
        onKeyframe: (_ left: Int) throws -> Void = { _ in }, until isEnough: () -> Bool = { false }
    ) throws -> [SurfaceEvent] {
        var left: Int32 = 0
        repeat {
            var status = fh_session_review_surfaces(handle, &left)
            if status == 0, left > 0, isEnough() {
                status = fh_session_end_review(handle)
                left = 0
            }
            guard status == 0 else { throw TrackingError(status: status, doing: "look at the surfaces once more") }
            try onKeyframe(Int(left))
        } while left > 0
        var count = 0
        _ = fh_session_surface_events(handle, nil, 0, &count)
        return try updateSurfaces(eventCount: count)
    }
}
