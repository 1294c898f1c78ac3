import FootholdScene
import Foundation
import Testing

/// Rotations and poses spread over all directions and angles.
private func spreadRotations() -> [Rotation] {
    var rotations: [Rotation] = [.identity]
    for x in [-1.0, 0, 0.6] {
        for y in [-0.7, 0.1, 1] {
            for z in [-1.0, 0.3] {
                for angle in [1e-9, 0.2, 1.5, 3.0, 3.14159] {
                    rotations.append(Rotation(axis: SIMD3(x, y, z), angleRadians: angle))
                }
            }
        }
    }
    return rotations
}

@Suite struct PoseTests {
    @Test func inverseUndoesThePose() {
        let pose = Pose(
            rotation: Rotation(axis: SIMD3(0.3, -1, 0.5), angleRadians: 1.2), position: SIMD3(1, -2, 3))
        let point = SIMD3(0.4, 5, -6)
        #expect((pose.inverse * (pose * point)).distance(to: point) < 1e-12)
    }

    @Test func aProductAppliesTheRightPoseFirst() {
        let a = Pose(rotation: Rotation(axis: .unitY, angleRadians: 0.7), position: SIMD3(1, 2, 3))
        let b = Pose(rotation: Rotation(axis: .unitX, angleRadians: -1.1), position: SIMD3(-4, 0.5, 2))
        let point = SIMD3(0.2, -0.9, 4)
        #expect(((a * b) * point).distance(to: a * (b * point)) < 1e-12)
    }

    @Test func rotationsMatchTheirColumns() {
        for rotation in spreadRotations() {
            let (x, y, z) = rotation.columns
            #expect(abs(x.cross(y).distance(to: z)) < 1e-12)
            let again = Rotation(columns: x, y, z)
            #expect((rotation.inverse * again).angleRadians < 1e-7)
            let vector = SIMD3(0.3, -2, 1.1)
            #expect((rotation * vector).distance(to: x * vector.x + y * vector.y + z * vector.z) < 1e-12)
        }
    }

    @Test func turningIsRightHanded() {
        #expect((Rotation(axis: .unitY, angleRadians: .pi / 2) * .unitZ).distance(to: .unitX) < 1e-12)
        #expect((Rotation(axis: .unitX, angleRadians: .pi / 2) * .unitY).distance(to: .unitZ) < 1e-12)
    }

    @Test func theSmallestTurnBringsOneDirectionToAnother() {
        let directions: [SIMD3<Double>] = [.unitX, .unitY, -.unitX, SIMD3(1, 2, -3), SIMD3(-1, -2, 3)]
        for from in directions {
            for to in directions {
                let rotation = Rotation(from: from, to: to)
                #expect((rotation * from.normalized).distance(to: to.normalized) < 1e-7)
                let cosine = max(-1, min(1, from.normalized.dot(to.normalized)))
                #expect(abs(rotation.angleRadians - acos(cosine)) < 1e-6)
            }
        }
    }

    @Test func interpolationGoesTheShorterWayAtAnEvenPace() {
        for (a, b) in zip(spreadRotations(), spreadRotations().reversed()) {
            let whole = (a.inverse * b).angleRadians
            for share in [0, 0.25, 0.5, 1] {
                let between = a.interpolated(to: b, fraction: share)
                #expect(abs((a.inverse * between).angleRadians - share * whole) < 1e-6)
                #expect(abs((between.inverse * b).angleRadians - (1 - share) * whole) < 1e-6)
            }
        }
        let start = Pose(position: SIMD3(1, 0, 0))
        let end = Pose(rotation: Rotation(axis: .unitZ, angleRadians: 1), position: SIMD3(3, 4, 0))
        #expect(start.interpolated(to: end, fraction: 0.5).position == SIMD3(2, 2, 0))
    }

    @Test func otherCameraAxesLookAlongTheSameLine() {
        let pose = Pose(rotation: Rotation(axis: SIMD3(1, 2, 3), angleRadians: 0.8), position: SIMD3(1, 1, 1))
        let vision = pose.flippingCameraAxes
        #expect((vision.rotation * .unitZ).distance(to: pose.rotation * -.unitZ) < 1e-12)
        #expect((vision.rotation * .unitY).distance(to: pose.rotation * -.unitY) < 1e-12)
        #expect((vision.rotation * .unitX).distance(to: pose.rotation * .unitX) < 1e-12)
        #expect(vision.position == pose.position)
        #expect((vision.flippingCameraAxes.rotation.inverse * pose.rotation).angleRadians < 1e-12)
    }

    @Test func matrixColumnsAreColumnByColumn() {
        let pose = Pose(rotation: Rotation(axis: .unitZ, angleRadians: .pi / 2), position: SIMD3(7, 8, 9))
        let expected: [Double] = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1]
        #expect(zip(pose.matrixColumns, expected).allSatisfy { abs($0 - $1) < 1e-12 })
    }

    @Test func fourZerosAreTheIdentity() {
        #expect(Rotation(x: 0, y: 0, z: 0, w: 0) == .identity)
        #expect(Rotation(x: 0, y: 0, z: 0, w: -2).angleRadians == 0)
    }
}
