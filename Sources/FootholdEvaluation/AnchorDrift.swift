import Foundation

/// How far things that should stand still wander over the picture, in pixels of the true camera.
public struct DriftScore: Hashable, Sendable, Codable {
    /// Root mean square distance between where the engine draws a point and where it truly is.
    public var rmsPixels: Double
    public var maximumPixels: Double
    /// Root mean square change of that displacement from one frame to the next; nil without neighbouring frames.
    public var jitterPixels: Double?
    public var points: Int
    public var observations: Int
    /// The moment at which the points were taken.
    public var startSeconds: Double

    /// - Parameter tracks: for each point its displacement (drawn minus true) in each frame, nil where it is unseen.
    init?(tracks: [[SIMD2<Double>?]], startSeconds: Double) {
        var sum = 0.0
        var worst = 0.0
        var count = 0
        var changeSum = 0.0
        var changes = 0
        for track in tracks {
            var previous: SIMD2<Double>?
            for displacement in track {
                if let displacement {
                    let squared = displacement.dot(displacement)
                    sum += squared
                    worst = max(worst, squared)
                    count += 1
                    if let previous {
                        let change = displacement - previous
                        changeSum += change.dot(change)
                        changes += 1
                    }
                }
                previous = displacement
            }
        }
        guard count > 0 else { return nil }
        rmsPixels = (sum / Double(count)).squareRoot()
        maximumPixels = worst.squareRoot()
        jitterPixels = changes > 0 ? (changeSum / Double(changes)).squareRoot() : nil
        points = tracks.filter { $0.contains { $0 != nil } }.count
        observations = count
        self.startSeconds = startSeconds
    }
}

extension DriftScore {
    /// How far points wander that are put where the engine's rays meet its surfaces, a second after tracking starts.
    ///
    /// - Parameter record: its frames, surfaces and cameras are asked for; times and indices are those of `truth`.
    /// - Returns: nil without truth, or where no ray meets a surface.
    public static func placed(
        _ record: SessionRecord, truth: SequenceTruth
    ) throws(EvaluationError) -> DriftScore? {
        let frames = record.frames.map { (index: $0.index, seconds: $0.seconds) }
        guard let scene = TrueScene(truth, frames: frames) else { return nil }
        return try AnchorDrift(scene: scene, record: record, scale: 1).placed()
    }
}

/// Follows points of true surfaces through the engine's poses.
struct AnchorDrift {
    /// A true point with the place in the session's world that the engine gives it.
    private struct Anchor {
        var truePoint: SIMD3<Double>
        var pointInSession: SIMD3<Double>
    }

    let scene: TrueScene
    let record: SessionRecord
    /// Metres per unit of the session.
    let scale: Double
    /// Pixels between the sampled points.
    var spacing = 40.0
    /// Points are taken this long after tracking starts.
    var delay = 1.0

    /// Points that start at their true depth: what the poses alone do to them.
    func poseOnly() throws(EvaluationError) -> DriftScore? {
        guard let start = startPlaces().first else { return nil }
        return try score(start) { pixel, depth, pose, intrinsics in
            pose * (intrinsics.unproject(pixel) * (depth / scale))
        }
    }

    /// Points that start where the engine's ray meets one of its surfaces: what a person who taps there sees. Taken at
    /// the first moment at which there is such a surface.
    func placed() throws(EvaluationError) -> DriftScore? {
        for start in startPlaces() {
            let surfaces = SurfaceTimeline.surfaces(of: record, at: scene.viewFrames[start].seconds)
            if surfaces.isEmpty { continue }
            let result = try score(start) { pixel, _, pose, intrinsics in
                let ray = Ray(origin: pose.position, direction: pose.rotation * intrinsics.unproject(pixel))
                return SurfaceTimeline.firstHit(of: ray, on: surfaces)
            }
            if let result { return result }
        }
        return nil
    }

    /// Views of tracked frames at least `delay` after tracking starts, in order.
    private func startPlaces() -> [Int] {
        guard let first = record.frames.first(where: { $0.worldFromCamera != nil }) else { return [] }
        let tracked = Set(record.frames.filter { $0.worldFromCamera != nil }.map(\.index))
        return scene.viewFrames.indices.filter {
            scene.viewFrames[$0].seconds >= first.seconds + delay - 1e-6
                && tracked.contains(scene.viewFrames[$0].index)
        }
    }

    /// - Parameter place: gives a true pixel with its true depth a place in the session's world, or none.
    private func score(
        _ start: Int, place: (SIMD2<Double>, Double, Pose, CameraIntrinsics) -> SIMD3<Double>?
    ) throws(EvaluationError) -> DriftScore? {
        let view = try scene.view(start)
        guard let frame = record.frames.firstIndex(where: { $0.index == view.frameIndex }),
            let pose = record.frames[frame].worldFromCamera
        else { return nil }
        let believed = record.intrinsics(at: view.seconds) ?? scene.intrinsics
        var anchors: [Anchor] = []
        for y in stride(from: spacing / 2, to: Double(scene.intrinsics.height), by: spacing) {
            for x in stride(from: spacing / 2, to: Double(scene.intrinsics.width), by: spacing) {
                let pixel = SIMD2(x, y)
                guard let (point, depth) = truePoint(under: pixel, in: view),
                    let place = place(pixel, depth, pose, believed)
                else { continue }
                anchors.append(Anchor(truePoint: point, pointInSession: place))
            }
        }
        let tracks = try follow(anchors, from: frame)
        return DriftScore(tracks: tracks, startSeconds: view.seconds)
    }

    /// The point of a true plane under a pixel of the video, with its planar depth.
    private func truePoint(
        under pixel: SIMD2<Double>, in view: TrueScene.View
    ) -> (point: SIMD3<Double>, depth: Double)? {
        let local = scene.intrinsics.unproject(pixel)
        guard let near = TrueScene.project(local, view.depth.intrinsics), let index = view.depth.index(of: near),
            let seen = scene.point(at: index, in: view),
            let plane = scene.plane(holding: seen, seenFrom: view.worldFromCamera.position)
        else { return nil }
        // On the plane itself, exactly under the pixel: free of the rounding of depth pictures.
        let direction = view.worldFromCamera.rotation * local
        let slope = direction.dot(plane.normal)
        guard abs(slope) > 1e-6 else { return nil }
        let depth = -plane.signedDistance(of: view.worldFromCamera.position) / slope
        guard depth > 0.05 else { return nil }
        return (view.worldFromCamera.position + depth * direction, depth)
    }

    private func follow(_ anchors: [Anchor], from start: Int) throws(EvaluationError) -> [[SIMD2<Double>?]] {
        var tracks = [[SIMD2<Double>?]](repeating: [], count: anchors.count)
        for frame in record.frames[(start + 1)...] {
            let truth = scene.trajectory.pose(at: frame.seconds)
            guard let pose = frame.worldFromCamera, let truth,
                let nearest = scene.nearestPlace(to: frame.seconds)
            else {
                for index in tracks.indices { tracks[index].append(nil) }
                continue
            }
            let view = try scene.view(nearest)
            let believed = record.intrinsics(at: frame.seconds) ?? scene.intrinsics
            let sessionCamera = pose.inverse
            let trueCamera = truth.inverse
            for (index, anchor) in anchors.enumerated() {
                guard
                    let real = TrueScene.project(trueCamera * anchor.truePoint, scene.intrinsics),
                    TrueScene.isInside(real, scene.intrinsics), isClear(anchor.truePoint, in: view)
                else {
                    tracks[index].append(nil)
                    continue
                }
                // A point that the engine puts behind the camera is as wrong as can be, not unseen.
                let drawn = TrueScene.project(sessionCamera * anchor.pointInSession, believed)
                tracks[index].append(
                    (drawn ?? SIMD2(-Double(scene.intrinsics.width), -Double(scene.intrinsics.height))) - real)
            }
        }
        return tracks
    }

    /// False when the nearest picture shows something else in front of the point.
    private func isClear(_ point: SIMD3<Double>, in view: TrueScene.View) -> Bool {
        let local = view.worldFromCamera.inverse * point
        guard let pixel = TrueScene.project(local, view.depth.intrinsics), view.depth.depth(at: pixel) != nil else {
            return true
        }
        return scene.isVisible(point, in: view)
    }
}

/// The surfaces of a session as they stood at some moment.
enum SurfaceTimeline {
    static func surfaces(of record: SessionRecord, at seconds: Double) -> [SessionRecord.Surface] {
        var current: [Int: SessionRecord.Surface] = [:]
        for change in record.surfaceChanges where change.seconds <= seconds + 1e-6 {
            switch change.kind {
            case .added(let surface), .updated(let surface): current[surface.id] = surface
            case .merged(let id, _), .removed(let id): current[id] = nil
            }
        }
        return current.values.sorted { $0.id < $1.id }
    }

    /// Where a ray first meets the free side of a surface, within its outline.
    static func firstHit(of ray: Ray, on surfaces: [SessionRecord.Surface]) -> SIMD3<Double>? {
        var nearest: (distance: Double, point: SIMD3<Double>)?
        for surface in surfaces where surface.boundary.count > 2 && ray.direction.dot(surface.normal) < 0 {
            let corner = surface.boundary[0]
            guard let distance = ray.distance(toPlaneThrough: corner, normal: surface.normal),
                distance < nearest?.distance ?? .infinity
            else { continue }
            let point = ray.point(at: distance)
            let x = surface.normal.anyPerpendicular
            let y = surface.normal.cross(x)
            let outline = surface.boundary.map { SIMD2(($0 - corner).dot(x), ($0 - corner).dot(y)) }
            guard Polygon.contains(outline, SIMD2((point - corner).dot(x), (point - corner).dot(y))) else { continue }
            nearest = (distance, point)
        }
        return nearest?.point
    }
}
