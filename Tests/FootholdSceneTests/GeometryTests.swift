import FootholdScene
import Testing

@Suite struct GeometryTests {
    /// Like the letter L, counter-clockwise.
    private let corner: [SIMD2<Double>] = [
        SIMD2(0, 0), SIMD2(2, 0), SIMD2(2, 1), SIMD2(1, 1), SIMD2(1, 2), SIMD2(0, 2),
    ]

    @Test func areaIsSignedByTheWinding() {
        #expect(Polygon.signedArea(corner) == 3)
        #expect(Polygon.signedArea(corner.reversed()) == -3)
        #expect(Polygon.signedArea([SIMD2(0, 0), SIMD2(1, 1)]) == 0)
        #expect(Polygon.signedArea([]) == 0)
    }

    @Test func concaveOutlinesHoldWhatTheyHold() {
        for inside in [SIMD2(0.5, 0.5), SIMD2(1.5, 0.5), SIMD2(0.5, 1.5)] { #expect(Polygon.contains(corner, inside)) }
        for outside in [SIMD2(1.5, 1.5), SIMD2(-0.1, 1), SIMD2(2.1, 0.5), SIMD2(1, -0.1)] {
            #expect(!Polygon.contains(corner, outside))
        }
        #expect(!Polygon.contains([], SIMD2(0, 0)))
    }

    @Test func theNearestPointOfAnOutlineLiesOnIt() {
        #expect(Polygon.nearestPoint(corner, to: SIMD2(1.5, 1.4)) == SIMD2(1.5, 1))
        #expect(Polygon.nearestPoint(corner, to: SIMD2(3, -1)) == SIMD2(2, 0))
        #expect(Polygon.nearestPoint(corner, to: SIMD2(0.1, 1)) == SIMD2(0, 1))
        #expect(Polygon.nearestPoint([], to: SIMD2(0, 0)) == nil)
    }

    @Test func raysMeetPlanesInFrontOnly() {
        let ray = Ray(origin: SIMD3(0, 2, 0), direction: SIMD3(0, -3, 4))
        #expect(abs(ray.direction.length - 1) < 1e-12)
        let distance = ray.distance(toPlaneThrough: .zero, normal: .unitY)
        #expect(abs((distance ?? 0) - 2 / 0.6) < 1e-12)
        #expect(ray.distance(toPlaneThrough: SIMD3(0, 3, 0), normal: .unitY) == nil)
        #expect(ray.distance(toPlaneThrough: .zero, normal: .unitX) == nil)
    }

    private func surface(_ id: Int, height: Double, halfSize: Double = 0.5) -> PlaneAnchor {
        let h = halfSize
        return PlaneAnchor(
            id: id, alignment: .horizontal, classification: .unknown,
            worldFromSurface: Pose(
                rotation: Rotation(axis: .unitY, angleRadians: 0.3), position: SIMD3(0.1, height, -0.1)),
            extent: SIMD2(2 * h, 2 * h),
            boundary: [SIMD2(-h, -h), SIMD2(-h, h), SIMD2(h, h), SIMD2(h, -h)], confidence: 1,
            firstSeenNanoseconds: 0, lastUpdatedNanoseconds: 0)
    }

    @Test func surfacesAreMetNearestFirstAndOnTheSideThatWasSeen() {
        let caster = SurfaceRaycaster(surfaces: [surface(1, height: 0), surface(2, height: 0.7)])
        let down = Ray(origin: SIMD3(0, 2, 0), direction: SIMD3(0, -1, 0))
        let hits = caster.raycast(RaycastQuery(ray: down, target: .existingPlaneGeometry))
        #expect(hits.map(\.surfaceID) == [2, 1])
        #expect(abs(hits[0].distance - 1.3) < 1e-12)
        #expect(hits[1].pointInWorld.distance(to: .zero) < 1e-12)
        let up = Ray(origin: SIMD3(0, -2, 0), direction: SIMD3(0, 1, 0))
        #expect(caster.raycast(RaycastQuery(ray: up, target: .existingPlaneInfinite)).isEmpty)
        #expect(caster.raycast(RaycastQuery(ray: down, target: .estimatedPlane)).isEmpty)
    }

    @Test func besideAnOutlineOnlyTheEndlessPlaneIsMet() {
        let caster = SurfaceRaycaster(surfaces: [surface(1, height: 0)])
        let beside = Ray(origin: SIMD3(3, 2, 0), direction: SIMD3(0, -1, 0))
        #expect(caster.raycast(RaycastQuery(ray: beside, target: .existingPlaneGeometry)).isEmpty)
        #expect(caster.raycast(RaycastQuery(ray: beside, target: .existingPlaneInfinite)).count == 1)
    }

    @Test func aSurfaceKnowsItsOutlineInTheWorld() {
        let surface = surface(1, height: 0.7)
        #expect(surface.normal.distance(to: .unitY) < 1e-12)
        #expect(surface.area == 1)
        #expect(surface.boundaryInWorld.allSatisfy { abs($0.y - 0.7) < 1e-12 })
        #expect(surface.contains(localPoint: SIMD2(0.4, -0.4)))
        #expect(!surface.contains(localPoint: SIMD2(0.6, 0)))
        // Counter-clockwise from above: z turns towards x.
        #expect(Polygon.signedArea(surface.boundary.map { SIMD2($0.y, $0.x) }) > 0)
    }

    @Test func vectorsLeaveZeroAlone() {
        #expect(SIMD3<Double>.zero.normalized == .zero)
        for vector in [SIMD3(1.0, 0, 0), SIMD3(0, -2, 0), SIMD3(0.5, 0.5, 3)] {
            #expect(abs(vector.anyPerpendicular.dot(vector)) < 1e-12)
            #expect(abs(vector.anyPerpendicular.length - 1) < 1e-12)
        }
        #expect(SIMD2(1.0, 0).cross(SIMD2(0, 1)) == 1)
    }

    @Test func statesAreNamedAsFilesNameThem() {
        #expect(TrackingState.normal.name == "normal")
        #expect(TrackingState.notAvailable.name == "notAvailable")
        for reason in TrackingState.Reason.allCases {
            #expect(TrackingState.limited(reason).name == "limited")
            #expect(TrackingState.limited(reason).reason == reason)
        }
        #expect(TrackingState.normal.reason == nil)
    }
}
