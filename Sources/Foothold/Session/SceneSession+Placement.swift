import FootholdCapture
import FootholdPlacement
import FootholdTracking

/// What people do between two frames. It is carried out at once, by the last frame; the next ``SceneFrame`` tells it.
extension SceneSession {
    /// The surfaces that are known now.
    public var anchors: [PlaneAnchor] { world.surfaces }

    /// The question that a point of the picture asks; nil while the camera's place is unknown.
    ///
    /// - Parameters:
    ///   - pixel: of the upright picture; (0, 0) is the centre of the top-left pixel.
    ///   - target: what the ray may meet.
    public func raycastQuery(
        from pixel: SIMD2<Double>, allowing target: RaycastQuery.Target = .existingPlaneGeometry
    ) -> RaycastQuery? {
        guard let context, let camera = context.worldFromCamera else { return nil }
        return RaycastQuery(ray: context.intrinsics.ray(through: pixel, worldFromCamera: camera), target: target)
    }

    /// Where a ray meets something real, nearest first.
    public func raycast(_ query: RaycastQuery) -> [RaycastResult] { world.raycast(query) }

    /// What lies how deep in the newest frame; nil while the camera's place is unknown. Made when it is asked for.
    public func depthMap() throws -> DepthMap? { try world.depthMap() }

    /// Puts an object where a raycast has met something.
    public func place(_ template: ObjectTemplate, at hit: RaycastResult) {
        perform { $0.place(template, at: hit, context: $1) }
    }

    /// What a tap beside all objects places; nil when it only deselects.
    public var templateForTaps: ObjectTemplate? {
        get { placement.templateForTaps }
        set { placement.templateForTaps = newValue }
    }

    /// Takes in a finger's movement, in time order; gestures are made of it.
    public func touch(_ touch: Touch) {
        for gesture in recognizer.update(touch) { perform { $0.handle(gesture, context: $1) } }
    }

    /// Takes in a gesture that was recognised elsewhere.
    public func handle(_ gesture: Gesture) { perform { $0.handle(gesture, context: $1) } }

    /// Takes back the last change that a person made.
    public func undo() { perform { $0.undo($1) } }

    /// Does again what was taken back last.
    public func redo() { perform { $0.redo($1) } }

    /// What ``undo()`` would do, such as “Undo Move Chair”, in the session's language; nil when there is nothing.
    public var undoTitle: String? {
        placement.undoableChange.map { title(ChangeNotice(kind: $0.kind, objectName: $0.objectName, isRedo: false)) }
    }

    /// What ``redo()`` would do.
    public var redoTitle: String? {
        placement.redoableChange.map { title(ChangeNotice(kind: $0.kind, objectName: $0.objectName, isRedo: true)) }
    }

    /// Selects one object; nil deselects all.
    public func select(_ id: Int?) { perform { session, _ in session.select(id) } }

    /// Takes an object away; can be undone.
    public func remove(_ id: Int) { perform { $0.remove(id, context: $1) } }

    /// Exchanges an object for another variant in its place; can be undone.
    public func exchange(_ id: Int, for template: ObjectTemplate) {
        perform { $0.exchange(id, for: template, context: $1) }
    }

    /// Lets an object notice the camera, or look at it; nil makes it indifferent.
    public func setAttention(_ attention: Attention?, for id: Int) { placement.setAttention(attention, for: id) }

    /// Which kinds of feedback are told.
    public var feedbackKinds: Set<FeedbackEvent.Kind> {
        get { placement.feedbackKinds }
        set { placement.feedbackKinds = newValue }
    }

    /// Takes all objects away; can be undone.
    public func removeAll() { perform { session, _ in session.reset() } }

    /// The objects of the scene, for keeping.
    public func save() -> SavedScene { placement.save() }

    /// Puts the objects of a saved scene in place of the present ones.
    public func restore(_ scene: SavedScene) {
        perform { $0.restore(scene, atNanoseconds: $1.timestampNanoseconds) }
    }

    private func perform(_ action: (inout PlacementSession, PlacementContext) -> PlacementOutput) {
        // Before the first frame there is nothing to go by, and nothing to change.
        let context =
            self.context
            ?? PlacementContext(
                timestampNanoseconds: 0, trackingState: .notAvailable, worldFromCamera: nil, intrinsics: intrinsics,
                surfaces: [])
        told += action(&placement, context)
    }
}
