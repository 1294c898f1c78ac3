import FootholdEvaluation
import FootholdScene
import FootholdSynthesis
import FootholdTracking
import Testing

/// Surfaces and up, through the whole engine.
@Suite struct SurfaceTests {
    /// The true surface, and the found one that lies on it, brought into the true world.
    private func deskTop(_ run: Run) throws -> (truth: SyntheticPlane, center: SIMD3<Double>, normal: SIMD3<Double>) {
        let truth = try #require(run.recording.planes.first { $0.label == "desk.top" })
        let alignment = try #require(run.alignment())
        let found = run.session.surfaces.filter { surface in
            (alignment.rotation * surface.normal).dot(truth.normal) > 0.9
                && (alignment * surface.center).distance(to: truth.center) < 0.6
        }
        let largest = try #require(found.max { $0.area < $1.area })
        return (truth, alignment * largest.center, alignment.rotation * largest.normal)
    }

    @Test func theDeskIsFoundWhereItIs() throws {
        let run = try TrackingTests.desk.get()
        let (truth, center, normal) = try deskTop(run)
        let distance = run.recording.truth[60].position.distance(to: truth.center)
        let angle = Rotation(from: normal, to: truth.normal).angleRadians * 180 / .pi
        #expect(angle < 3, "\(angle)°")
        #expect(abs((center - truth.center).dot(truth.normal)) < 0.03 * distance)
        let surface = try #require(run.session.surfaces.first { $0.alignment == .horizontal })
        #expect(Polygon.signedArea(surface.boundary.map { SIMD2($0.y, $0.x) }) > 0)
        #expect(surface.confidence > 0)
        #expect(surface.confidence <= 1)
    }

    @Test func surfacesComeAsEventsBeforeTheyAreThere() throws {
        let run = try TrackingTests.desk.get()
        var known: [Int: PlaneAnchor] = [:]
        for result in run.results {
            for event in result.surfaceEvents { known.follow(event) }
            #expect(Set(known.keys) == Set(result.surfaces.map(\.id)))
        }
        #expect(!known.isEmpty)
    }

    @Test func upIsUp() throws {
        let run = try TrackingTests.desk.get()
        let alignment = try #require(run.alignment())
        let error = Rotation(from: alignment.rotation * .unitY, to: .unitY).angleRadians * 180 / .pi
        #expect(error < 4, "\(error)°")
    }

    @Test func upIsUpWithAnInertialSensor() throws {
        let run = try Run(.desk, hasInertialSensor: true)
        let alignment = try #require(run.alignment())
        let error = Rotation(from: alignment.rotation * .unitY, to: .unitY).angleRadians * 180 / .pi
        #expect(error < 2, "\(error)°")
    }

    @Test func raysMeetTheDesk() throws {
        let run = try Run(.desk)
        let last = try #require(run.results.last)
        let pose = try #require(last.worldFromCamera)
        let alignment = try #require(run.alignment())
        let desk = try #require(run.recording.planes.first { $0.label == "desk.top" })
        let pixel = try #require(
            run.recording.intrinsics.project(
                worldPoint: desk.center, worldFromCamera: run.recording.truth[last.frameIndex]))
        let ray = run.recording.intrinsics.ray(through: pixel, worldFromCamera: pose)
        for target in [RaycastQuery.Target.existingPlaneInfinite, .estimatedPlane] {
            let hits = run.session.raycast(RaycastQuery(ray: ray, target: target))
            let miss = hits.map { (alignment * $0.pointInWorld).distance(to: desk.center) }.min() ?? .infinity
            #expect(miss < 0.1, "\(target)")
            for hit in hits {
                #expect(hit.target == target)
                #expect(abs(hit.distance - hit.pointInWorld.distance(to: pose.position)) < 1e-9)
                #expect(hit.normal.dot(ray.direction) < 0)
            }
        }
        let behind = Ray(origin: pose.position, direction: -ray.direction)
        #expect(run.session.raycast(RaycastQuery(ray: behind, target: .estimatedPlane)).isEmpty)
    }
}
