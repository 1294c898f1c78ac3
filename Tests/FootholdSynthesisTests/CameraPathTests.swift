import FootholdSynthesis
import Foundation
import Testing

@Suite struct CameraPathTests {
    private static let world = World.random(seed: 3, kind: .desk)

    private func path(_ style: CameraPath.Style, seed: UInt64 = 11) -> CameraPath {
        CameraPath.random(seed: seed, style: style, in: Self.world, duration: 9)
    }

    @Test(arguments: CameraPath.Style.allCases)
    func derivativesAreThoseOfThePose(style: CameraPath.Style) {
        let path = path(style)
        let h = 1e-5
        for t in stride(from: 0.313, to: 8.7, by: 0.71) {
            let (before, now, after) = (path.pose(at: t - h), path.motion(at: t), path.pose(at: t + h))
            let velocity = (after.position - before.position) / (2 * h)
            #expect(velocity.distance(to: now.velocity) < 1e-6)
            let acceleration = (path.motion(at: t + h).velocity - path.motion(at: t - h).velocity) / (2 * h)
            #expect(acceleration.distance(to: now.acceleration) < 1e-4)
            let turn = before.rotation.inverse * after.rotation
            let rate = SIMD3(turn.x, turn.y, turn.z) * (turn.w < 0 ? -2 : 2) / (2 * h)
            #expect(rate.distance(to: now.angularVelocity) < 1e-6)
        }
    }

    @Test func accelerationHasNoJumpsBetweenPieces() {
        let path = path(.walking)
        for piece in 1..<10 {
            let t = Double(piece) * path.interval
            let (a, b) = (path.motion(at: t - 1e-9), path.motion(at: t + 1e-9))
            #expect(a.acceleration.distance(to: b.acceleration) < 1e-6)
            #expect(a.angularVelocity.distance(to: b.angularVelocity) < 1e-6)
        }
    }

    @Test func stylesMoveAsTheyAreCalled() {
        func travel(_ style: CameraPath.Style, until end: Double = 9) -> (metres: Double, radians: Double) {
            let path = path(style)
            var total = (metres: 0.0, radians: 0.0)
            for index in 0..<Int(end * 30) {
                let (a, b) = (path.pose(at: Double(index) / 30), path.pose(at: Double(index + 1) / 30))
                total.metres += a.position.distance(to: b.position)
                total.radians += (a.rotation.inverse * b.rotation).angleRadians
            }
            return total
        }
        #expect(travel(.still).metres < 1e-9 && travel(.still).radians < 1e-9)
        #expect(travel(.turning).metres < 1e-9)
        #expect(travel(.turning).radians > 1)
        #expect(travel(.sideways).metres > 0.8)
        #expect(travel(.walking).metres > 1.5)
        #expect(travel(.turningThenSideways, until: 3).metres < 0.02)
        #expect(travel(.turningThenSideways).metres > 0.4)
        #expect(travel(.shaking).radians > 3 * travel(.sideways).radians)
    }

    @Test(arguments: World.Kind.allCases)
    func theCameraStaysInFreeSpaceAndSeesTheFocus(kind: World.Kind) {
        for seed in 0..<10 as Range<UInt64> {
            let world = World.random(seed: seed, kind: kind)
            let path = CameraPath.random(seed: seed, style: .sideways, in: world, duration: 8)
            for index in 0..<40 {
                let pose = path.pose(at: Double(index) / 5)
                let (lower, upper) = (world.freeSpace.lower - 0.02, world.freeSpace.upper + 0.02)
                #expect(all(pose.position .>= lower) && all(pose.position .<= upper))
                let towards = (world.focus - pose.position).normalized
                #expect((pose.rotation * SIMD3(0, 0, -1)).dot(towards) > 0.8)
            }
        }
    }

    @Test func aSensorAtRestFeelsItsWeightOnly() {
        let sequence = SyntheticSequence(seed: 5, kind: .desk, style: .still, duration: 1, width: 64, height: 48)
        let samples = sequence.inertialSamples(.ideal)
        #expect(samples.count == 201)
        let up = sequence.worldFromCamera(atFrame: 0).flippingCameraAxes.rotation.inverse * .unitY
        for sample in samples {
            #expect(sample.angularVelocity.length < 1e-12)
            #expect(sample.acceleration.distance(to: up * 9.81) < 1e-9)
        }
    }

    @Test func inertialDataAddUpToTheMovement() {
        let sequence = SyntheticSequence(seed: 6, kind: .desk, style: .sideways, duration: 3, width: 64, height: 48)
        var model = InertialModel.ideal
        model.rateHertz = 2000
        let samples = sequence.inertialSamples(model)
        let start = sequence.path.motion(at: 0)
        var rotation = start.worldFromCamera.flippingCameraAxes.rotation
        var (position, velocity) = (start.worldFromCamera.position, start.velocity)
        let h = 1 / model.rateHertz
        for (a, b) in zip(samples, samples.dropFirst()) {
            let turn = (a.angularVelocity + b.angularVelocity) / 2 * h
            let next = rotation * Rotation(axis: turn, angleRadians: turn.length)
            let force = (rotation * a.acceleration + next * b.acceleration) / 2 + SIMD3(0, -9.81, 0)
            position += velocity * h + force * (h * h / 2)
            velocity += force * h
            rotation = next
        }
        let end = sequence.path.motion(at: Double(samples.count - 1) * h)
        #expect(position.distance(to: end.worldFromCamera.position) < 1e-4)
        #expect((rotation.inverse * end.worldFromCamera.flippingCameraAxes.rotation).angleRadians < 1e-5)
    }

    @Test func noiseOfTheSensorHasTheDensityStated() {
        let sequence = SyntheticSequence(seed: 5, kind: .desk, style: .still, duration: 20, width: 64, height: 48)
        var model = InertialModel.ideal
        model.gyroNoiseDensity = 0.001
        let samples = sequence.inertialSamples(model).map(\.angularVelocity.x)
        let deviation = (samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)).squareRoot()
        #expect(abs(deviation / (0.001 * 200.0.squareRoot()) - 1) < 0.05)
    }
}
