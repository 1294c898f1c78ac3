import FootholdScene
import FootholdTracking
import Testing

/// What inertial readings tell; what no sensor in a hand measures says nothing.
@Suite struct InertialReadingTests {
    @Test func howLongTheUnitIsIsTold() throws {
        let run = try Run(.desk, hasInertialSensor: true)
        let alignment = try #require(run.alignment())
        let first = try #require(run.results.firstIndex { $0.scale.metresPerUnit != nil })
        #expect(run.results[first].seconds < 4)
        #expect(run.results[first...].allSatisfy { abs(($0.scale.metresPerUnit ?? 0) / alignment.scale - 1) < 0.1 })
        let last = try #require(run.results.last?.scale.metresPerUnit)
        #expect(abs(last / alignment.scale - 1) < 0.02, "\(last / alignment.scale)")
        #expect(try Run(.desk, frames: 0..<60).results.allSatisfy { $0.scale.metresPerUnit == nil })
    }

    private func run(_ readings: [InertialSample]) throws -> (session: WorldSession, results: [FrameResult]) {
        let session = try Recording.desk.session()
        try session.add(readings)
        return (session, try Recording.desk.frames.prefix(120).map { try session.process($0) })
    }

    @Test func aSensorWithoutAnAccelerometerDoesNotTellUp() throws {
        let turning = Recording.desk.inertial.map {
            InertialSample(
                timestampNanoseconds: $0.timestampNanoseconds, angularVelocity: $0.angularVelocity, acceleration: .zero)
        }
        let (session, results) = try run(turning)
        let without = try run([])
        #expect(results.map(\.worldFromCamera) == without.results.map(\.worldFromCamera))
        #expect(results.map(\.surfaces) == without.results.map(\.surfaces))
        #expect(results.contains { !$0.surfaces.isEmpty })
        let saved = try session.saveWorld()
        #expect(throws: Never.self) { try Recording.desk.session().loadWorld(saved) }
    }

    @Test(arguments: [(SIMD3(0, 0, 0), SIMD3(1e6, 0, 0)), (SIMD3(0, 300, 0), SIMD3(0, -9.8, 0))])
    func aReadingThatCannotBeIsLeftOut(angularVelocity: SIMD3<Double>, acceleration: SIMD3<Double>) throws {
        var readings = Recording.desk.inertial
        let place = readings.count / 4
        let wrong = InertialSample(
            timestampNanoseconds: readings[place].timestampNanoseconds + 1, angularVelocity: angularVelocity,
            acceleration: acceleration)
        let right = try run(readings)
        readings.insert(wrong, at: place + 1)
        let (_, results) = try run(readings)
        #expect(results.map(\.worldFromCamera) == right.results.map(\.worldFromCamera))
        #expect(results.map(\.surfaces) == right.results.map(\.surfaces))
    }
}
