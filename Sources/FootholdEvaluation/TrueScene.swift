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

    let truth: SequenceTruth
    let intrinsics: CameraIntrinsics
    let trajectory: Trajectory
    /// Frames that have a view, in order.
    let viewFrames: [(index: Int, seconds: Double)]
    private let isDrawn: Bool
    private var cached: View?
    /// Directions through the pixels of the last picture's size.
    private var directions: [SIMD3<Double>] = []
    private var directionsOf: CameraIntrinsics?

    /// - Parameter frames: the recording's frames with their times.
    /// - Returns: nil without a true path, a camera or true planes.
    init?(_ truth: SequenceTruth, frames: [(index: Int, seconds: Double)]) {
        guard let trajectory = truth.trajectory, let intrinsics = truth.intrinsics, !truth.planes.isEmpty else {
            return nil
        }
        self.truth = truth
        self.trajectory = trajectory
        self.intrinsics = intrinsics
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

    /// The plane that a true point belongs to: within 2 cm of it and inside its outline.
    func plane(holding point: SIMD3<Double>) -> TruePlane? {
        truth.planes.filter { abs($0.signedDistance(of: point)) <= 0.02 && Self.outlineContains($0, point) }
            .min { abs($0.signedDistance(of: point)) < abs($1.signedDistance(of: point)) }
    }

    /// The cells of a plane that any view saw. A cell is seen where the point at its pixel lies within 2 cm of the plane.
    func seenMask(of grid: PlaneGrid, stride step: Int = 1) throws(EvaluationError) -> (mask: [Bool], views: Int) {
        var mask = [Bool](repeating: false, count: grid.inside.count)
        var views = 0
        for place in viewFrames.indices {
            let view = try view(place)
            guard grid.plane.signedDistance(of: view.worldFromCamera.position) > 0 else { continue }
            let cameraFromWorld = view.worldFromCamera.inverse
            var isSeen = false
            for row in Swift.stride(from: 0, to: grid.rows, by: step) {
                for column in Swift.stride(from: 0, to: grid.columns, by: step) {
                    let cell = row * grid.columns + column
                    guard grid.inside[cell], !mask[cell] || !isSeen else { continue }
                    let local = cameraFromWorld * grid.center(column: column, row: row)
                    guard let pixel = Self.project(local, view.depth.intrinsics),
                        let index = view.depth.index(of: pixel), let point = point(at: index, in: view),
                        abs(grid.plane.signedDistance(of: point)) <= 0.02
                    else { continue }
                    mask[cell] = true
                    isSeen = true
                }
            }
            if isSeen { views += 1 }
        }
        return (mask, views)
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
