import FootholdScene
import Testing

@Suite struct PoseTests {
    @Test func inverseUndoesThePose() {
        let pose = Pose(
            rotation: Rotation(axis: SIMD3(0.3, -1, 0.5), angleRadians: 1.2), position: SIMD3(1, -2, 3))
        let point = SIMD3(0.4, 5, -6)
        #expect((pose.inverse * (pose * point)).distance(to: point) < 1e-12)
    }
}
