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
    /// Nil where no true surface lies under the tap.
    public var placing: PlacingScore?
}

/// Where an object came to stand, against the true surface point under the tap that put it there.
public struct PlacingScore: Hashable, Sendable, Codable {
    /// What the true surface is called.
    public var surface: String
    /// True when the tap came before the surface was known.
    public var wasEarly: Bool
    /// From the tap until it stood on a surface and came to rest; nil when it never did.
    public var secondsToSettle: Double?
    /// Metres from the true point, when it first came to rest and at the end; nil when it never came to rest.
    public var settledError: Double?
    public var finalError: Double?
    /// Of the final error, the part across the true surface.
    public var finalHeightError: Double?
    /// The largest speed at which it was seen to be corrected, metres per second; and the same after it had come to
    /// rest for the first time.
    public var largestCorrectionSpeed: Double
    public var largestSettledSpeed: Double
}

struct ObjectSteadiness {
    let scene: TrueScene
    let record: SessionRecord
    /// Takes the session's world to the true one.
    let referenceFromSession: Similarity

    func scores() -> [ObjectScore] {
        let ids = Set(record.objectChanges.map(\.id)).sorted()
        return ids.compactMap { score($0) }
    }

    private func score(_ id: Int) -> ObjectScore? {
        // What is told after the last frame nobody saw.
        let end = record.frames.last?.seconds ?? -.infinity
        let changes = record.objectChanges.filter { $0.id == id && $0.seconds <= end + 1e-6 }
        guard let placed = changes.first(where: { $0.event == "placed" }),
            let start = record.frames.firstIndex(where: { $0.seconds >= placed.seconds - 1e-6 }),
            let (plane, anchor) = truePoint(under: placed.worldFromObject.position, frame: record.frames[start])
        else { return nil }
        // A person who moves or removes the object ends the measurement; easing into place does not.
        let removed = changes.first { $0.event == "removed" }?.seconds ?? .infinity
        let settled =
            placed.isProvisional ? changes.first { !$0.isProvisional && $0.seconds > placed.seconds } : nil
        var track: [SIMD2<Double>?] = []
        var settledTrack: [SIMD2<Double>?] = []
        for frame in record.frames[start...] where frame.seconds < removed {
            guard let change = changes.last(where: { $0.seconds <= frame.seconds + 1e-6 }) else { continue }
            let displacement = displacement(of: change.worldFromObject.position, from: anchor, in: frame)
            track.append(displacement)
            if !change.isProvisional { settledTrack.append(displacement) }
        }
        guard let drift = DriftScore(tracks: [track], startSeconds: placed.seconds) else { return nil }
        return ObjectScore(
            id: id, name: placed.name, placedAtSeconds: placed.seconds, settledAtSeconds: settled?.seconds,
            drift: drift,
            settledDrift: DriftScore(tracks: [settledTrack], startSeconds: settled?.seconds ?? placed.seconds),
            placing: placing(changes.filter { $0.seconds <= removed && $0.event != "removed" }, plane, anchor))
    }

    /// - Parameter changes: one object's, from its placing on.
    private func placing(
        _ changes: [SessionRecord.ObjectChange], _ plane: TruePlane, _ anchor: SIMD3<Double>
    ) -> PlacingScore? {
        guard let placed = changes.first, let last = changes.last else { return nil }
        func position(_ change: SessionRecord.ObjectChange) -> SIMD3<Double> {
            referenceFromSession * change.worldFromObject.position
        }
        let settled = changes.first { $0.event == "settled" }
        // A tap that waited for the camera may find its surface in the very frame that it is carried out in.
        let wasEarly =
            placed.isProvisional || !record.surfaceChanges.contains { $0.seconds < placed.seconds - 1e-6 }
        var (largest, largestSettled) = (0.0, 0.0)
        var lastFrame: (seconds: Double, position: SIMD3<Double>)?
        var place = 0
        for frame in record.frames where frame.seconds >= placed.seconds - 1e-6 {
            while place + 1 < changes.count, changes[place + 1].seconds <= frame.seconds + 1e-6 { place += 1 }
            let now = position(changes[place])
            if let lastFrame, !record.resets.contains(where: { $0 > lastFrame.seconds && $0 <= frame.seconds + 1e-6 }) {
                let speed = now.distance(to: lastFrame.position) / (frame.seconds - lastFrame.seconds)
                largest = max(largest, speed)
                if let settled, lastFrame.seconds >= settled.seconds - 1e-6 {
                    largestSettled = max(largestSettled, speed)
                }
            }
            lastFrame = (frame.seconds, now)
        }
        return PlacingScore(
            surface: plane.label, wasEarly: wasEarly,
            secondsToSettle: settled.map { $0.seconds - placed.seconds },
            settledError: settled.map { position($0).distance(to: anchor) },
            finalError: settled.map { _ in position(last).distance(to: anchor) },
            finalHeightError: settled.map { _ in plane.signedDistance(of: position(last)) },
            largestCorrectionSpeed: largest, largestSettledSpeed: largestSettled)
    }

    /// The true surface point at the pixel where the session draws one of its own points.
    private func truePoint(
        under point: SIMD3<Double>, frame: SessionRecord.Frame
    ) -> (plane: TruePlane, point: SIMD3<Double>)? {
        guard let pose = frame.worldFromCamera, let truth = scene.trajectory.pose(at: frame.seconds),
            let pixel = TrueScene.project(
                pose.inverse * point, record.intrinsics(at: frame.seconds) ?? scene.intrinsics)
        else { return nil }
        let ray = Ray(origin: truth.position, direction: truth.rotation * scene.intrinsics.unproject(pixel))
        return scene.firstPlane(along: ray)
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
