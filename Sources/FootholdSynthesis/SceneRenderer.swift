import Foundation

/// Draws a world from a camera: for each pixel the nearest thing, its depth and its brightness.
///
/// Rectangles are found by linear functions of the pixel's direction, eight pixels at a time; only what is visible in
/// the end is coloured. Pixels at outlines are refined with four samples. Used by one thread at a time.
final class SceneRenderer {
    typealias Lane = SIMD8<Float>

    let world: World
    let intrinsics: CameraIntrinsics
    let quads: [QuadInk]
    private let bodies: [BodyInk]
    /// Groups of eight pixels in a row; the last may reach past the picture.
    let lanes: Int
    let width: Int
    let height: Int
    /// Directions through the pixels (z is 1), computer-vision axes.
    let directionX: UnsafeMutablePointer<Lane>
    let directionY: UnsafeMutablePointer<Lane>
    let inverseDepth: UnsafeMutablePointer<Lane>
    /// Which thing is seen: 0 nothing, then the rectangles, then the round bodies.
    let identity: UnsafeMutablePointer<SIMD8<Int32>>
    private var quadViews: [QuadView] = []
    private var bodyViews: [BodyView] = []
    private var rows: Range<Int>
    /// The inverse depth that nothing may exceed, linear in the direction; nil for no limit.
    private var limit: SIMD3<Float>?
    /// Draws what mirrors show; nil where there are none, and within a mirror.
    private let reflector: Reflector?

    /// - Parameter inks: painted things to share with another renderer of the same world, which then draws no mirrors.
    init(world: World, intrinsics: CameraIntrinsics, sharing inks: (quads: [QuadInk], bodies: [BodyInk])? = nil) {
        self.world = world
        self.intrinsics = intrinsics
        let detail = TextureDetail(for: world, seenBy: intrinsics)
        let quads = inks?.quads ?? world.quads.map { QuadInk($0, world: world, detail: detail) }
        let bodies = inks?.bodies ?? world.bodies.map { BodyInk($0, world: world, detail: detail) }
        (self.quads, self.bodies) = (quads, bodies)
        let hasMirrors = inks == nil && quads.contains { $0.quad.reflection != nil }
        reflector = hasMirrors ? Reflector(world: world, intrinsics: intrinsics, sharing: (quads, bodies)) : nil
        width = intrinsics.width
        height = intrinsics.height
        rows = 0..<height
        lanes = (width + 7) / 8
        let count = lanes * height
        directionX = .allocate(capacity: count)
        directionY = .allocate(capacity: count)
        inverseDepth = .allocate(capacity: count)
        identity = .allocate(capacity: count)
        inverseDepth.initialize(repeating: .zero, count: count)
        identity.initialize(repeating: .zero, count: count)
        for row in 0..<height {
            for lane in 0..<lanes {
                var (x, y) = (Lane.zero, Lane.zero)
                for k in 0..<8 {
                    let d = intrinsics.unproject(SIMD2(Double(8 * lane + k), Double(row)))
                    (x[k], y[k]) = (Float(d.x), Float(d.y))
                }
                (directionX + row * lanes + lane).initialize(to: x)
                (directionY + row * lanes + lane).initialize(to: y)
            }
        }
    }

    deinit {
        directionX.deallocate()
        directionY.deallocate()
        inverseDepth.deallocate()
        identity.deallocate()
    }

    /// Finds what every pixel of some rows sees, of all of them when none are named. `worldFromCamera` has the public
    /// camera axes.
    ///
    /// - Parameters:
    ///   - seconds: where moving things are.
    ///   - plane: a rectangle whose plane everything seen must lie behind, such as a mirror.
    func look(
        from worldFromCamera: Pose, rows: Range<Int>? = nil, seconds: Double = 0, beyond plane: QuadInk? = nil
    ) {
        let cameraFromWorld = worldFromCamera.flippingCameraAxes.inverse
        self.rows = rows ?? 0..<height
        let (first, count) = (lanes * self.rows.lowerBound, lanes * self.rows.count)
        (inverseDepth + first).update(repeating: .zero, count: count)
        (identity + first).update(repeating: .zero, count: count)
        limit = plane.map { QuadView($0, id: 0, cameraFromWorld: cameraFromWorld).depth }
        reflector?.worldFromCamera = worldFromCamera
        let eye = worldFromCamera.position
        quadViews.removeAll(keepingCapacity: true)
        for (index, ink) in quads.enumerated() where (eye - ink.quad.center).dot(ink.quad.normal) > 0.005 {
            if ink.quad.reflection?.isSeeThrough == true || ink === plane { continue }
            let region = region(of: ink.quad.corners, cameraFromWorld)
            if region.isEmpty { continue }
            let view = QuadView(ink, id: Int32(index + 1), cameraFromWorld: cameraFromWorld)
            draw(view, within: region)
            quadViews.append(view)
        }
        bodyViews = bodies.enumerated().map { index, ink in
            BodyView(
                ink, id: Int32(quads.count + index + 1), worldFromCamera: worldFromCamera.flippingCameraAxes,
                origin: ink.body.origin(at: seconds))
        }
        for (ink, view) in zip(bodies, bodyViews) {
            draw(view, within: region(of: ink.body.boundingCorners(at: seconds), cameraFromWorld))
        }
    }

    /// Planar depths of the last look in metres, row by row; 0 where nothing is seen.
    func depths() -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(width * height)
        for row in 0..<height {
            for x in 0..<width {
                let inverse = inverseDepth[row * lanes + x / 8][x % 8]
                result.append(inverse > 0 ? 1 / inverse : 0)
            }
        }
        return result
    }

    /// Adds the brightness (0…1 at full light) of what the last look found, times `weight`, to `picture`.
    func shade(into picture: inout [Float], weight: Float) {
        guard let reflector else { return shadeDirectly(into: &picture, weight: weight) }
        var alone = [Float](repeating: 0, count: picture.count)
        shadeDirectly(into: &alone, weight: 1)
        reflector.addReflections(to: &alone, seenBy: self)
        for index in picture.indices { picture[index] += weight * alone[index] }
    }

    /// The same without mirrors.
    private func shadeDirectly(into picture: inout [Float], weight: Float) {
        // By identity: rectangles that were not drawn have no entry that is ever asked for.
        var quadOf = [Int](repeating: 0, count: quads.count + 1)
        for (index, view) in quadViews.enumerated() { quadOf[Int(view.id)] = index }
        let ids = UnsafeRawPointer(identity).assumingMemoryBound(to: Int32.self)
        let inverses = UnsafeRawPointer(inverseDepth).assumingMemoryBound(to: Float.self)
        let dx = UnsafeRawPointer(directionX).assumingMemoryBound(to: Float.self)
        let dy = UnsafeRawPointer(directionY).assumingMemoryBound(to: Float.self)
        let stride = lanes * 8
        quadOf.withUnsafeBufferPointer { quadOf in
            quadViews.withUnsafeBufferPointer { quadViews in
                bodyViews.withUnsafeBufferPointer { bodyViews in
                    picture.withUnsafeMutableBufferPointer { picture in
                        let look = Look(
                            quadOf: quadOf, quads: quadViews, bodies: bodyViews, quadCount: Int32(quads.count),
                            stepX: 1 / Float(intrinsics.fx), stepY: 1 / Float(intrinsics.fy))
                        for row in rows {
                            for x in 0..<width {
                                let at = row * stride + x
                                let id = ids[at]
                                let left = x > 0 ? ids[at - 1] : id
                                let right = x + 1 < width ? ids[at + 1] : id
                                let above = row > rows.lowerBound ? ids[at - stride] : id
                                let below = row + 1 < rows.upperBound ? ids[at + stride] : id
                                let value =
                                    left == id && right == id && above == id && below == id
                                    ? look.brightness(id, dx[at], dy[at], inverses[at])
                                    : look.brightness(
                                        atOutlineOf: (id, left, right, above, below), dx[at], dy[at])
                                picture[row * width + x] += weight * value
                            }
                        }
                    }
                }
            }
        }
    }

    /// What is seen in one look, by identity, without anything that would have to be counted.
    private struct Look {
        let quadOf: UnsafeBufferPointer<Int>
        let quads: UnsafeBufferPointer<QuadView>
        let bodies: UnsafeBufferPointer<BodyView>
        let quadCount: Int32
        /// How much a direction changes from pixel to pixel.
        let stepX: Float
        let stepY: Float

        @inline(__always)
        func brightness(_ id: Int32, _ x: Float, _ y: Float, _ inverse: Float) -> Float {
            if id == 0 { return 0.02 }
            if id <= quadCount {
                return quads[quadOf[Int(id)]].brightness(x, y, inverse, stepX: stepX, stepY: stepY)
            }
            return bodies[Int(id - quadCount) - 1].brightness(x, y, inverse, step: stepX)
        }

        /// The mean of four places within the pixel, each showing the nearest of the things around.
        func brightness(
            atOutlineOf things: (Int32, Int32, Int32, Int32, Int32), _ x: Float, _ y: Float
        ) -> Float {
            place(things, x - 0.125 * stepX, y - 0.375 * stepY) + place(things, x + 0.375 * stepX, y - 0.125 * stepY)
                + place(things, x + 0.125 * stepX, y + 0.375 * stepY)
                + place(things, x - 0.375 * stepX, y + 0.125 * stepY)
        }

        /// A quarter of the brightness there.
        private func place(_ things: (Int32, Int32, Int32, Int32, Int32), _ x: Float, _ y: Float) -> Float {
            var best: (id: Int32, inverse: Float) = (0, 0)
            func consider(_ id: Int32) {
                guard id != 0, id != best.id else { return }
                let inverse =
                    id <= quadCount
                    ? quads[quadOf[Int(id)]].inverseDepth(x, y) : bodies[Int(id - quadCount) - 1].inverseDepth(x, y)
                if inverse > best.inverse { best = (id, inverse) }
            }
            consider(things.0)
            consider(things.1)
            consider(things.2)
            consider(things.3)
            consider(things.4)
            return 0.25 * brightness(best.id, x, y, best.inverse)
        }
    }

    // MARK: Finding what is visible

    private struct Region {
        var rows: Range<Int>
        var lanes: Range<Int>

        var isEmpty: Bool { rows.isEmpty || lanes.isEmpty }
    }

    /// The part of the picture that a convex thing with these corners can cover.
    private func region(of corners: [SIMD3<Double>], _ cameraFromWorld: Pose) -> Region {
        let everything = Region(rows: rows, lanes: 0..<lanes)
        guard case .none = intrinsics.distortion else { return everything }
        var (lower, upper) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
        var behind = 0
        for corner in corners {
            let p = cameraFromWorld * corner
            guard p.z > 0.02, let pixel = intrinsics.project(p) else {
                behind += 1
                continue
            }
            lower = pointwiseMin(lower, pixel)
            upper = pointwiseMax(upper, pixel)
        }
        if behind == corners.count { return Region(rows: 0..<0, lanes: 0..<0) }
        if behind > 0 { return everything }
        func clamp(_ value: Double, _ limit: Int) -> Int { Int(min(max(value, 0), Double(limit))) }
        let firstRow = max(rows.lowerBound, min(rows.upperBound, clamp(lower.y - 1, height)))
        let lastRow = min(rows.upperBound, clamp(upper.y + 2, height))
        let firstLane = clamp(lower.x - 1, width) / 8
        let lastLane = min(lanes, (clamp(upper.x + 2, width) + 7) / 8)
        return Region(rows: firstRow..<max(firstRow, lastRow), lanes: firstLane..<max(firstLane, lastLane))
    }

    private func draw(_ view: QuadView, within region: Region) {
        let id = SIMD8<Int32>(repeating: view.id)
        for row in region.rows {
            for lane in region.lanes {
                let at = row * lanes + lane
                let (x, y) = (directionX[at], directionY[at])
                let inverse = x * view.depth.x + y * view.depth.y + view.depth.z
                let u = x * view.right.x + y * view.right.y + view.right.z
                let v = x * view.up.x + y * view.up.y + view.up.z
                let reachU = inverse * view.halfWidth
                let reachV = inverse * view.halfHeight
                var isSeen =
                    (inverse .> inverseDepth[at]) .& (u .<= reachU) .& (u .>= -reachU) .& (v .<= reachV)
                    .& (v .>= -reachV)
                if let limit { isSeen .&= inverse .< (x * limit.x + y * limit.y + limit.z) * 0.999 }
                guard any(isSeen) else { continue }
                inverseDepth[at].replace(with: inverse, where: isSeen)
                identity[at].replace(with: id, where: isSeen)
            }
        }
    }

    private func draw(_ view: BodyView, within region: Region) {
        for row in region.rows {
            for lane in region.lanes {
                let at = row * lanes + lane
                for k in 0..<8 {
                    let inverse = view.inverseDepth(directionX[at][k], directionY[at][k])
                    let isHidden = limit.map {
                        inverse > directionX[at][k] * $0.x + directionY[at][k] * $0.y + $0.z
                    }
                    if inverse > inverseDepth[at][k], isHidden != true {
                        inverseDepth[at][k] = inverse
                        identity[at][k] = view.id
                    }
                }
            }
        }
    }
}
