import FootholdPlacement
import FootholdScene
import FootholdTracking

/// What a session knows better after everything was seen than it did at its last frame.
public struct SceneReview: Sendable {
    /// One frame after the last.
    public var timestampNanoseconds: Int64
    public var surfaceEvents: [SurfaceEvent]
    /// Objects that went with their surfaces.
    public var objectEvents: [ObjectEvent]
    /// Whether everything was looked at.
    public var isWhole: Bool

    /// What people should know where it wasn't.
    var notice: String? {
        isWhole
            ? nil : "looking at everything once more was stopped: not all surfaces are as well known as they could be"
    }
}

extension SceneSession {
    /// For objects to be looked up again.
    private static let restNanoseconds: Int64 = 2_000_000_000

    /// Looks for surfaces in everything that was seen once more, and takes the objects along. Call it once, after the
    /// last frame, before the world is saved and before `finish()`.
    ///
    /// - Parameters:
    ///   - onKeyframe: called again and again with how many looks at pictures are left, two at each; what it throws
    ///     ends it.
    ///   - isEnough: asked after each look; true leaves out those that are left, and what the others told counts.
    /// - Returns: nil without frames.
    public func review(
        onKeyframe: (_ left: Int) throws -> Void = { _ in }, until isEnough: () -> Bool = { false }
    ) throws -> SceneReview? {
        guard var context else { return nil }
        let last = context.timestampNanoseconds
        var isWhole = true
        let events = try world.reviewSurfaces(
            onKeyframe: onKeyframe,
            until: {
                if isEnough() { isWhole = false }
                return !isWhole
            })
        context = PlacementContext(
            timestampNanoseconds: last, trackingState: context.trackingState,
            worldFromCamera: context.worldFromCamera, intrinsics: context.intrinsics, surfaces: world.surfaces,
            surfaceEvents: events, raycaster: world, worldID: context.worldID, metresPerUnit: context.metresPerUnit)
        var changes = placement.update(context)
        // Nobody sees them move, so they may as well arrive. What is looked up anew then may send them on.
        context.surfaceEvents = []
        context.timestampNanoseconds = last + Self.restNanoseconds
        for _ in 0..<2 {
            placement.finishMotions()
            changes += placement.update(context)
        }
        placement.finishMotions()
        self.context = context
        return SceneReview(
            timestampNanoseconds: last + max(1_000_000, frameNanoseconds), surfaceEvents: events,
            objectEvents: objectEvents(of: changes), isWhole: isWhole)
    }
}
