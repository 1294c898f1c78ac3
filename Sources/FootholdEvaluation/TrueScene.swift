import Foundation

/// What the camera truly saw, frame by frame: depth from the folder's pictures, or from its planes where there are none.
final class TrueScene {
    struct View {
        var frameIndex: Int
        var seconds: Double
        /// Camera to world with computer-vision axes.
        var worldFromCamera: Pose
        var depth: DepthPicture
    }

    /// Of a picture: 80 pixels of 640 × 480. Rendered sequences come with `depth_frames` that are counted so; less is a
    /// sliver at the picture's rim, or a side that is seen edge on.
    static let leastSeenShare = 80.0 / (640 * 480)

    let truth: SequenceTruth
    let intrinsics: CameraIntrinsics
    let trajectory: Trajectory
    /// Frames that have a view, in order.
    let viewFrames: [(index: Int, seconds: Double)]
    private let isDrawn: Bool
    private let isStopped: () -> Bool
    private var cached: View?
    /// Directions through the pixels of the last picture's size.
    private var directions: [SIMD3<Double>] = []
    private var directionsOf: CameraIntrinsics?

    /// - Parameters:
    ///   - frames: the recording's frames with their times.
    ///   - isStopped: asked before each view.
    /// - Returns: nil without a true path, a camera or true planes.
    init?(
        _ truth: SequenceTruth, frames: [(index: Int, seconds: Double)], isStopped: @escaping () -> Bool = { false }
    ) {
        guard let trajectory = truth.trajectory, let intrinsics = truth.intrinsics, !truth.planes.isEmpty else {
            return nil
        }
        self.truth = truth
        self.trajectory = trajectory
        self.intrinsics = intrinsics
        self.isStopped = isStopped
        let hasNoPictures = truth.depthFrames.isEmpty
        let pictured = Set(truth.depthFrames)
        isDrawn = hasNoPictures
        viewFrames = frames.filter { frame in
            (hasNoPictures ? frame.index.isMultiple(of: 10) : pictured.contains(frame.index))
                && trajectory.pose(at: frame.seconds) != nil
        }
    }

    /// The view of one of `viewFrames`, by its place in that list.
    func view(_ place: Int) throws(EvaluationError) -> View {
        let frame = viewFrames[place]
        if isStopped() { throw .stopped }
        if let cached, cached.frameIndex == frame.index { return cached }
        guard let pose = trajectory.pose(at: frame.seconds) else {
            throw .nothingToCompare(path: truth.folder.path, reason: "no true pose at frame \(frame.index)")
        }
        let depth = isDrawn ? drawDepth(from: pose) : try truth.depthPicture(frame: frame.index)
        let view = View(frameIndex: frame.index, seconds: frame.seconds, worldFromCamera: pose, depth: depth)
        cached = view
        return view
    }

    /// The place in `viewFrames` that is nearest in time.
    func nearestPlace(to seconds: Double) -> Int? {
        viewFrames.indices.min { abs(viewFrames[$0].seconds - seconds) < abs(viewFrames[$1].seconds - seconds) }
    }

    /// The world point seen at a pixel of a view's depth picture; nil where nothing is known.
    func point(at index: Int, in view: View) -> SIMD3<Double>? {
        let depth = Double(view.depth.depths[index])
        guard depth > 0 else { return nil }
        return view.worldFromCamera * (depth * direction(index, of: view.depth.intrinsics))
    }

    /// True when nothing stands between the camera and the point. Points outside the picture are not visible.
    func isVisible(_ point: SIMD3<Double>, in view: View) -> Bool {
        let local = view.worldFromCamera.inverse * point
        guard let pixel = Self.project(local, view.depth.intrinsics), let depth = view.depth.depth(at: pixel) else {
            return false
        }
        // At a slant the depth changes within a pixel; a twentieth covers that and the rounding of depth.
        return local.z < depth * 1.05 + 0.02
    }

    /// The true plane that a ray meets first, and where.
    func firstPlane(along ray: Ray) -> (plane: TruePlane, point: SIMD3<Double>)? {
        var nearest: (distance: Double, plane: TruePlane, point: SIMD3<Double>)?
        for plane in truth.planes {
            guard let distance = ray.distance(toPlaneThrough: plane.point, normal: plane.normal),
                distance < nearest?.distance ?? .infinity
            else { continue }
            let point = ray.point(at: distance)
            guard Self.outlineContains(plane, point) else { continue }
            nearest = (distance, plane, point)
        }
        return nearest.map { ($0.plane, $0.point) }
    }

    /// The plane that a point seen from `eye` belongs to: within 2 cm of it, inside its outline, on its free side.
    func plane(holding point: SIMD3<Double>, seenFrom eye: SIMD3<Double>) -> TruePlane? {
        truth.planes.filter {
            abs($0.signedDistance(of: point)) <= 0.02 && $0.signedDistance(of: eye) > 0
                && Self.outlineContains($0, point)
        }.min { abs($0.signedDistance(of: point)) < abs($1.signedDistance(of: point)) }
    }

    /// The cells of planes that any view saw, and how many views saw each plane: as many as the truth says, or else those
    /// of which `leastSeenShare` shows it. A cell is seen where the point at its pixel lies within 2 cm of the plane and
    /// inside its outline: beyond that other things cross the plane, and hide what is behind them.
    func seenMasks(of grids: [PlaneGrid]) throws(EvaluationError) -> [(mask: [Bool], views: Int)] {
        var seen = grids.map { grid in
            (mask: [Bool](repeating: false, count: grid.inside.count), views: grid.plane.seenDepthFrames ?? 0)
        }
        let isCounted = grids.contains { $0.plane.seenDepthFrames == nil }
        for place in viewFrames.indices {
            let view = try view(place)
            let points = isCounted ? everySecondPoint(of: view) : []
            for (index, grid) in grids.enumerated()
            where grid.plane.signedDistance(of: view.worldFromCamera.position) > 0 {
                mark(&seen[index].mask, of: grid, in: view)
                if grid.plane.seenDepthFrames == nil, shows(grid, points) { seen[index].views += 1 }
            }
        }
        return seen
    }

    /// Of every second pixel both ways; nil where nothing is known.
    private func everySecondPoint(of view: View) -> [SIMD3<Double>?] {
        let (width, height) = (view.depth.intrinsics.width, view.depth.intrinsics.height)
        return stride(from: 0, to: height, by: 2).flatMap { y in
            stride(from: 0, to: width, by: 2).map { x in point(at: y * width + x, in: view) }
        }
    }

    /// Whether enough of a picture's points lie on a plane, within what is rounded in depth pictures.
    private func shows(_ grid: PlaneGrid, _ points: [SIMD3<Double>?]) -> Bool {
        let count = points.reduce(0) { count, point in
            guard let point, grid.holds(point, within: 0.006) else { return count }
            return count + 1
        }
        return Double(count) >= Self.leastSeenShare * Double(points.count)
    }

    /// Marks the cells of a plane that one view sees.
    private func mark(_ mask: inout [Bool], of grid: PlaneGrid, in view: View) {
        let cameraFromWorld = view.worldFromCamera.inverse
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let cell = row * grid.columns + column
                guard grid.inside[cell], !mask[cell] else { continue }
                let local = cameraFromWorld * grid.center(column: column, row: row)
                guard let pixel = Self.project(local, view.depth.intrinsics),
                    let index = view.depth.index(of: pixel), let point = point(at: index, in: view),
                    grid.holds(point, within: 0.02)
                else { continue }
                mask[cell] = true
            }
        }
    }

    /// The pixel of a point in camera coordinates; nil behind the camera and far outside the picture, where lens models
    /// fold back.
    static func project(_ local: SIMD3<Double>, _ intrinsics: CameraIntrinsics) -> SIMD2<Double>? {
        guard local.z > 0.01, abs(local.x) < 2.5 * local.z, abs(local.y) < 2.5 * local.z else { return nil }
        return intrinsics.project(local)
    }

    static func isInside(_ pixel: SIMD2<Double>, _ intrinsics: CameraIntrinsics) -> Bool {
        pixel.x >= 0 && pixel.y >= 0 && pixel.x <= Double(intrinsics.width - 1)
            && pixel.y <= Double(intrinsics.height - 1)
    }

    static func outlineContains(_ plane: TruePlane, _ point: SIMD3<Double>) -> Bool {
        let x = plane.normal.anyPerpendicular
        let y = plane.normal.cross(x)
        func local(_ p: SIMD3<Double>) -> SIMD2<Double> { SIMD2((p - plane.point).dot(x), (p - plane.point).dot(y)) }
        return Polygon.contains(plane.polygon.map(local), local(point))
    }

    private func direction(_ index: Int, of intrinsics: CameraIntrinsics) -> SIMD3<Double> {
        if directionsOf != intrinsics {
            directionsOf = intrinsics
            directions = (0..<(intrinsics.width * intrinsics.height)).map {
                intrinsics.unproject(SIMD2(Double($0 % intrinsics.width), Double($0 / intrinsics.width)))
            }
        }
        return directions[index]
    }

    /// Depth of the true planes alone, at about 160 pixels across.
    private func drawDepth(from pose: Pose) -> DepthPicture {
        let width = min(160, intrinsics.width)
        let height = max(1, width * intrinsics.height / intrinsics.width)
        let small = intrinsics.scaled(toWidth: width, height: height)
        let depths = (0..<(width * height)).map { index -> Float in
            let local = direction(index, of: small)
            let ray = Ray(origin: pose.position, direction: pose.rotation * local)
            guard let hit = firstPlane(along: ray) else { return 0 }
            return Float((pose.inverse * hit.point).z)
        }
        return DepthPicture(intrinsics: small, depths: depths)
    }
}
