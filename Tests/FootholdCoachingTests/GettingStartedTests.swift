import FootholdCoaching
import Foundation
import Testing

@Suite struct GettingStartedTests {
    /// Plays a camera without a surface yet; the state of getting started after each frame at 30 frames a second.
    private func play(
        seconds: Double, hasPose: Bool = true, parallax: (Double) -> Double = { _ in 0 },
        camera: (Double) -> Pose = { _ in Pose(rotation: Rotation(axis: .unitX, angleRadians: -0.5), position: .zero) }
    ) -> [GettingStarted] {
        var coach = Coach()
        var random = SeededRandom(8)
        return (0..<Int(seconds * 30)).map { index in
            let t = Double(index) / 30
            var situation = Situation.well
            if !hasPose { situation.state = .limited(.initializing) }
            var result = Stream.result(
                index: index, seconds: t, situation: situation, random: &random, hasSurface: false)
            result.worldFromCamera = hasPose ? camera(t) : nil
            result.diagnostics.parallaxPixels = parallax(t)
            _ = coach.update(result, context: CoachingContext())
            return coach.gettingStarted
        }
    }

    private func down(_ x: Double) -> Pose {
        Pose(rotation: Rotation(axis: .unitX, angleRadians: -0.5), position: SIMD3(x, 1.4, 0))
    }

    @Test func progressFollowsTheSidewaysMovementAndNeverFalls() {
        let found = play(seconds: 4, hasPose: false) { t in 15 * abs(sin(1.5 * t)) }.map(\.progress)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(found[0] < 0.25 && found[29] > found[0] && found.last! < 0.6)
        let still = play(seconds: 4, hasPose: false).map(\.progress)
        #expect(still.last! < 0.25, "without movement nothing comes nearer")
    }

    @Test func beforeThereIsDepthAnySideHelps() {
        #expect(play(seconds: 1, hasPose: false).last?.helpfulMovement == .sideways)
        #expect(play(seconds: 1, hasPose: false) { _ in 20 }.last?.helpfulMovement == nil)
    }

    @Test func oneGoesOnToTheSideWhereOneHasBeenLess() {
        #expect(play(seconds: 1, camera: { down(0.3 * $0) }).last?.helpfulMovement == .left)
        #expect(play(seconds: 1, camera: { down(-0.3 * $0) }).last?.helpfulMovement == .right)
    }

    @Test func aLevelViewIsAskedToTiltFirstAndAStepComesLast() {
        let level = { (t: Double) in Pose(rotation: .identity, position: SIMD3(0.1 * t, 1.4, 0)) }
        #expect(play(seconds: 6, camera: level).last?.helpfulMovement == .tiltDown)
        let found = play(seconds: 6, camera: { down(0.1 * $0) })
        #expect(found[60].helpfulMovement != .stepAside && found.last?.helpfulMovement == .stepAside)
    }

    @Test func whatIsNeededFirstIsSaidInsteadOfAMovement() {
        var coach = Coach()
        var random = SeededRandom(1)
        for index in 0..<30 {
            let result = Stream.result(
                index: index, seconds: Double(index) / 30, situation: Situation.troubled[0], random: &random,
                hasSurface: false)
            _ = coach.update(result, context: CoachingContext())
        }
        #expect(coach.gettingStarted.needs.first == .light && coach.gettingStarted.helpfulMovement == nil)
    }
}
