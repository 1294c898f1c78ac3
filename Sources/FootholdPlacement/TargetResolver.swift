import FootholdScene
import Foundation

/// Where a ray leads, and how sure that is.
struct PlacementTarget: Hashable, Sendable {
    enum Basis: Int, Hashable, Sendable {
        /// Nothing is known there: a comfortable distance was taken.
        case instant
        /// Past the edge of a surface, in its plane.
        case extended
        /// On a plane guessed from nearby points.
        case estimated
        /// Within the outline of a surface.
        case surface
    }

    var basis: Basis
    var point: SIMD3<Double>
    var normal: SIMD3<Double>
    var surfaceID: Int?

    /// True when only later frames can tell where the object belongs.
    var isProvisional: Bool { basis != .surface }
}

/// Finds what a ray means: surface within its outline, then estimated plane, then the continuation of a surface,
/// then a comfortable distance.
struct TargetResolver {
    let configuration: PlacementConfiguration
    /// As long as a metre is in the world, for sizes and comfortable distances.
    var unitsPerMetre = 1.0

    /// Real places only; nil where nothing is known.
    func resolve(_ ray: Ray, for template: ObjectTemplate, in context: PlacementContext) -> PlacementTarget? {
        let surfaces = context.surfaces
        let hits = context.raycaster.raycast(RaycastQuery(ray: ray, target: .existingPlaneGeometry))
        func surface(_ id: Int?) -> PlaneAnchor? { surfaces.first { $0.id == id } }
        func suits(_ hit: RaycastResult) -> Bool {
            hit.distance <= configuration.maximumDistance
                && (surface(hit.surfaceID).map { template.fits($0.alignment) } ?? template.fits(normal: hit.normal))
        }
        // What lies behind a wall is not meant, whatever it is.
        let occluder = hits.first { !suits($0) }.map { $0.distance + configuration.adoptionDistance } ?? .infinity
        if let hit = hits.first(where: suits), hit.distance <= occluder {
            return PlacementTarget(
                basis: .surface, point: hit.pointInWorld, normal: hit.normal.normalized, surfaceID: hit.surfaceID)
        }
        let estimates = context.raycaster.raycast(RaycastQuery(ray: ray, target: .estimatedPlane))
        if let hit = estimates.first, hit.confidence >= configuration.minimumEstimateConfidence,
            template.fits(normal: hit.normal), hit.distance <= min(configuration.maximumDistance, occluder)
        {
            return PlacementTarget(
                basis: .estimated, point: hit.pointInWorld, normal: hit.normal.normalized, surfaceID: nil)
        }
        let steepness = sin(configuration.minimumGrazingAngleRadians)
        for hit in context.raycaster.raycast(RaycastQuery(ray: ray, target: .existingPlaneInfinite)) {
            guard suits(hit), hit.distance <= occluder, abs(ray.direction.dot(hit.normal)) >= steepness,
                let surface = surface(hit.surfaceID)
            else { continue }
            let local = surface.localPoint(hit.pointInWorld)
            guard let edge = Polygon.nearestPoint(surface.boundary, to: local),
                edge.distance(to: local) <= configuration.maximumExtension
            else { continue }
            return PlacementTarget(
                basis: .extended, point: hit.pointInWorld, normal: hit.normal.normalized, surfaceID: hit.surfaceID)
        }
        return nil
    }

    /// A place in the air where the object fits in view (R4), no further than what is seen around there.
    func instant(_ ray: Ray, for template: ObjectTemplate, in context: PlacementContext) -> PlacementTarget {
        let largest = template.size.max() * unitsPerMetre
        let shorter = Double(min(context.intrinsics.width, context.intrinsics.height))
        let focal = (context.intrinsics.fx + context.intrinsics.fy) / 2
        let comfortable = configuration.comfortableDistance
        let range = comfortable.lowerBound * unitsPerMetre...comfortable.upperBound * unitsPerMetre
        let fitting = focal * largest / (configuration.comfortableShare * shorter)
        var distance = min(range.upperBound, max(range.lowerBound, fitting))
        let depths = sceneDepths(context)
        if !depths.isEmpty {
            // Between half the room's distance and the whole of it.
            let median = depths[depths.count / 2]
            distance = max(min(distance, median), min(0.5 * median, range.upperBound))
        }
        if let wall = context.raycaster.raycast(RaycastQuery(ray: ray, target: .existingPlaneGeometry)).first {
            distance = min(distance, max(0.2, wall.distance - template.size.z * unitsPerMetre / 2))
        }
        let normal: SIMD3<Double>
        if template.alignment == .vertical {
            let flat = SIMD3(-ray.direction.x, 0, -ray.direction.z)
            normal = flat.length > 1e-6 ? flat.normalized : .unitZ
        } else {
            normal = .unitY
        }
        return PlacementTarget(basis: .instant, point: ray.point(at: distance), normal: normal, surfaceID: nil)
    }

    /// Distances, in ascending order, at which a few rays spread over the picture meet something.
    private func sceneDepths(_ context: PlacementContext) -> [Double] {
        let size = SIMD2(Double(context.intrinsics.width - 1), Double(context.intrinsics.height - 1))
        let spots = [SIMD2(0.5, 0.5), SIMD2(0.3, 0.6), SIMD2(0.7, 0.6), SIMD2(0.5, 0.8), SIMD2(0.5, 0.3)]
        return spots.compactMap { spot -> Double? in
            guard let ray = context.ray(through: spot * size) else { return nil }
            let targets: [RaycastQuery.Target] = [.existingPlaneGeometry, .estimatedPlane]
            return targets.lazy.compactMap {
                context.raycaster.raycast(RaycastQuery(ray: ray, target: $0)).first?.distance
            }.first
        }.sorted()
    }

    /// How an object faces when it is put down: towards the camera, or upright on a wall.
    static func facing(normal: SIMD3<Double>, at point: SIMD3<Double>, camera: Pose) -> Rotation {
        // On a wall the picture's foot points down; the local Z axis is the foot.
        if abs(normal.y) < 0.5 { return .upright(up: normal, forward: -.unitY) }
        let towards = camera.position - point
        let flat = towards - normal * towards.dot(normal)
        // Straight from above there is no direction to the camera: the foot of the picture is nearest to the person.
        let forward = flat.length > 0.05 * towards.length ? flat : -(camera.rotation * .unitY)
        return .upright(up: normal, forward: forward)
    }
}

extension PlaneAnchor {
    /// A world point in the surface's (x, z).
    func localPoint(_ pointInWorld: SIMD3<Double>) -> SIMD2<Double> {
        let local = worldFromSurface.inverse * pointInWorld
        return SIMD2(local.x, local.z)
    }

    /// Metres above the surface, negative behind it.
    func height(of pointInWorld: SIMD3<Double>) -> Double { (pointInWorld - center).dot(normal) }
}
