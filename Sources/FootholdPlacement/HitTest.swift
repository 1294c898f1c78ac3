import FootholdScene
import Foundation

/// Finds what a finger touches: small, thin and far objects count as if they were a fingertip large, and the nearest
/// plausible object wins (R18).
struct HitTest {
    let configuration: PlacementConfiguration
    let pixelsPerPoint: Double

    func object(at pixel: SIMD2<Double>, among objects: [StandingObject], in context: PlacementContext) -> Int? {
        guard let camera = context.worldFromCamera else { return nil }
        var best: (id: Int, miss: Double, distance: Double)?
        for object in objects {
            guard mayBeTouched(object, at: pixel, camera: camera, context.intrinsics),
                let outline = outline(of: object, camera: camera, context.intrinsics),
                let nearest = Polygon.nearestPoint(outline, to: pixel)
            else { continue }
            let isInside = Polygon.contains(outline, pixel)
            let miss = isInside ? 0 : nearest.distance(to: pixel) / pixelsPerPoint
            let middle = Polygon.centroid(outline)
            // Enlarged until the outline would have the least comfortable size.
            let radius = (outline.map { $0.distance(to: middle) }.min() ?? 0) / pixelsPerPoint
            let allowance = max(configuration.touchSlop, configuration.minimumTouchSize / 2 - radius)
            guard miss <= allowance else { continue }
            let distance = object.motion.position.distance(to: camera.position)
            // What is hit squarely beats what is only near; among equals the one in front.
            if best.map({ (miss, distance) < ($0.miss, $0.distance) }) ?? true {
                best = (object.id, miss, distance)
            }
        }
        return best?.id
    }

    /// True when an object is seen at a pixel, no slop added.
    func isCovered(_ pixel: SIMD2<Double>, by objects: [StandingObject], in context: PlacementContext) -> Bool {
        guard let camera = context.worldFromCamera, let ray = context.ray(through: pixel) else { return false }
        for index in objects.indices {
            // By far the most objects are nowhere near the ray.
            let offset = objects[index].motion.position - ray.origin
            let along = offset.dot(ray.direction)
            let span = objects[index].span + 0.05
            guard along > 0, offset.lengthSquared - along * along < span * span else { continue }
            if let outline = outline(of: objects[index], camera: camera, context.intrinsics),
                Polygon.contains(outline, pixel)
            {
                return true
            }
        }
        return false
    }

    /// False where the sphere around the object is too far from the finger for any of it to be near.
    private func mayBeTouched(
        _ object: StandingObject, at pixel: SIMD2<Double>, camera: Pose, _ intrinsics: CameraIntrinsics
    ) -> Bool {
        let position = object.worldFromObject.position
        let distance = position.distance(to: camera.position)
        let span = object.span
        // The sphere's outline is only simple from well outside it.
        guard distance > 3 * span else { return true }
        guard let foot = intrinsics.project(worldPoint: position, worldFromCamera: camera) else { return false }
        // Towards the picture's corners things look up to twice as large.
        let radius = 2 * max(intrinsics.fx, intrinsics.fy) * span / (distance - span)
        let allowance = max(configuration.touchSlop, configuration.minimumTouchSize / 2) * pixelsPerPoint
        return foot.distance(to: pixel) <= radius + allowance
    }

    /// The convex hull of the object's box in the picture, counter-clockwise; nil when it is behind the camera.
    private func outline(
        of object: StandingObject, camera: Pose, _ intrinsics: CameraIntrinsics
    ) -> [SIMD2<Double>]? {
        let pose = object.worldFromObject
        let scaled = object.scaledSize
        let half = SIMD3(scaled.x / 2, scaled.y, scaled.z / 2)
        var corners: [SIMD2<Double>] = []
        for x in [-half.x, half.x] {
            for y in [0, half.y] {
                for z in [-half.z, half.z] {
                    guard
                        let pixel = intrinsics.project(worldPoint: pose * SIMD3(x, y, z), worldFromCamera: camera)
                    else { return nil }
                    corners.append(pixel)
                }
            }
        }
        return Polygon.convexHull(corners)
    }
}

extension Polygon {
    /// Andrew's monotone chain; counter-clockwise with y up.
    static func convexHull(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func chain(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
            var hull: [SIMD2<Double>] = []
            for point in points {
                while hull.count >= 2,
                    (hull[hull.count - 1] - hull[hull.count - 2]).cross(point - hull[hull.count - 1]) <= 0
                {
                    hull.removeLast()
                }
                hull.append(point)
            }
            return Array(hull.dropLast())
        }
        return chain(sorted) + chain(sorted.reversed())
    }
}
