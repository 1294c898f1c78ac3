/// How steadily a placed object stands on the spot where it was put.
public struct ObjectScore: Hashable, Sendable, Codable {
    public var id: Int
    public var name: String
    public var placedAtSeconds: Double
    /// Nil when it stayed provisional to the end, or was never so.
    public var settledAtSeconds: Double?
    /// The base point against the true surface point that lay under its pixel when it was placed.
    public var drift: DriftScore
    /// The same from when it settled (from the start when it was never provisional).
    public var settledDrift: DriftScore?
}

struct ObjectSteadiness {
    let scene: TrueScene
    let record: SessionRecord

    func scores() -> [ObjectScore] {
        let ids = Set(record.objectChanges.map(\.id)).sorted()
        return ids.compactMap(score)
    }

    private func score(_ id: Int) -> ObjectScore? {
        let changes = record.objectChanges.filter { $0.id == id }
        guard let placed = changes.first(where: { $0.event == "placed" }),
            let start = record.frames.firstIndex(where: { $0.seconds >= placed.seconds - 1e-6 }),
            let anchor = truePoint(under: placed.worldFromObject.position, frame: record.frames[start])
        else { return nil }
        // A person who moves or removes the object ends the measurement; easing into place does not.
        let end = changes.first { $0.event == "removed" }?.seconds ?? .infinity
        let settled =
            placed.isProvisional ? changes.first { !$0.isProvisional && $0.seconds > placed.seconds } : nil
        var track: [SIMD2<Double>?] = []
        var settledTrack: [SIMD2<Double>?] = []
        for frame in record.frames[start...] where frame.seconds < end {
            guard let change = changes.last(where: { $0.seconds <= frame.seconds + 1e-6 }) else { continue }
            let displacement = displacement(of: change.worldFromObject.position, from: anchor, in: frame)
            track.append(displacement)
            if !change.isProvisional { settledTrack.append(displacement) }
        }
        guard let drift = DriftScore(tracks: [track], startSeconds: placed.seconds) else { return nil }
        return ObjectScore(
            id: id, name: placed.name, placedAtSeconds: placed.seconds, settledAtSeconds: settled?.seconds,
            drift: drift,
            settledDrift: DriftScore(tracks: [settledTrack], startSeconds: settled?.seconds ?? placed.seconds))
    }

    /// The true surface point at the pixel where the session draws one of its own points.
    private func truePoint(under point: SIMD3<Double>, frame: SessionRecord.Frame) -> SIMD3<Double>? {
        guard let pose = frame.worldFromCamera, let truth = scene.trajectory.pose(at: frame.seconds),
            let pixel = TrueScene.project(
                pose.inverse * point, record.intrinsics(at: frame.seconds) ?? scene.intrinsics)
        else { return nil }
        let ray = Ray(origin: truth.position, direction: truth.rotation * scene.intrinsics.unproject(pixel))
        return scene.firstPlane(along: ray)?.point
    }

    private func displacement(
        of point: SIMD3<Double>, from anchor: SIMD3<Double>, in frame: SessionRecord.Frame
    ) -> SIMD2<Double>? {
        guard let pose = frame.worldFromCamera, let truth = scene.trajectory.pose(at: frame.seconds),
            let real = TrueScene.project(truth.inverse * anchor, scene.intrinsics),
            TrueScene.isInside(real, scene.intrinsics)
        else { return nil }
        let drawn = TrueScene.project(
            pose.inverse * point, record.intrinsics(at: frame.seconds) ?? scene.intrinsics)
        return (drawn ?? SIMD2(-Double(scene.intrinsics.width), -Double(scene.intrinsics.height))) - real
    }
}
