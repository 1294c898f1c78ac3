import CFootholdKernels
import Foundation
import Testing

/// Observations of random points, some behind the camera, with memory that ends at a fence.
private final class Observations {
    let count: Int
    private let arrays: [FencedMemory]
    private let information: FencedMemory

    init(count: Int, using generator: inout SeededGenerator) {
        self.count = count
        func array(_ count: Int, _ value: () -> Double) -> FencedMemory {
            let memory = FencedMemory(byteCount: count * 8, at: .last)
            let values = memory.base.assumingMemoryBound(to: Double.self)
            for i in 0..<count { values[i] = value() }
            return memory
        }
        let ranges = [-3.0...3, -3.0...3, -2.0...8, 0.0...640, 0.0...480]
        arrays = ranges.map { range in array(count) { Double.random(in: range, using: &generator) } }
        information = FencedMemory(byteCount: 3 * count * 8, at: .last)
        let values = information.base.assumingMemoryBound(to: Double.self)
        for i in 0..<count {
            let (a, b, c) = (
                Double.random(in: 0.2...2, using: &generator), Double.random(in: -1...1, using: &generator),
                Double.random(in: 0.2...2, using: &generator)
            )
            (values[i], values[count + i], values[2 * count + i]) = (a * a, a * b, b * b + c * c)
        }
    }

    func values(_ i: Int) -> UnsafeMutablePointer<Double> { arrays[i].base.assumingMemoryBound(to: Double.self) }

    func observations(informed: Bool) -> fh_observations {
        fh_observations(
            x: values(0), y: values(1), z: values(2), u: values(3), v: values(4),
            information: informed ? UnsafePointer(information.base.assumingMemoryBound(to: Double.self)) : nil,
            count: Int32(count))
    }

    func information(_ i: Int) -> (uu: Double, uv: Double, vv: Double) {
        let values = information.base.assumingMemoryBound(to: Double.self)
        return (values[i], values[count + i], values[2 * count + i])
    }
}

private struct Reprojected: Equatable {
    var u: [Double], v: [Double]
    var inFront: [UInt8]
    var byPose: [Double], byPoint: [Double]
}

@Suite struct ReprojectionTests {
    private static let camera = fh_pinhole(fx: 500, fy: 510, cx: 320, cy: 240)

    /// Turned about (1, 2, 3) by 0.4 radians.
    private static func pose(angle: Double = 0.4, shift: Double = 0) -> fh_camera_pose {
        let axis = [1.0, 2, 3].map { $0 / 14.0.squareRoot() }
        return updated(
            fh_camera_pose(
                rotation: (1, 0, 0, 0, 1, 0, 0, 0, 1), translation: (0.3 + shift, -0.2, -1.5)),
            axis.map { $0 * angle } + [0, 0, 0])
    }

    /// The rotation times exp(w), and the translation plus the rest of `delta`.
    private static func updated(_ pose: fh_camera_pose, _ delta: [Double]) -> fh_camera_pose {
        let angle = (delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]).squareRoot()
        let a = angle < 1e-9 ? 1 : sin(angle) / angle
        let b = angle < 1e-9 ? 0.5 : (1 - cos(angle)) / (angle * angle)
        let (x, y, z) = (delta[0], delta[1], delta[2])
        let h = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        let old = withUnsafeBytes(of: pose.rotation) { Array($0.bindMemory(to: Double.self)) }
        var turned = [Double](repeating: 0, count: 9)
        for i in 0..<3 {
            for j in 0..<3 {
                for k in 0..<3 {
                    let square = (0..<3).reduce(0) { $0 + h[k][$1] * h[$1][j] }
                    turned[3 * i + j] += old[3 * i + k] * ((k == j ? 1 : 0) + a * h[k][j] + b * square)
                }
            }
        }
        var result = pose
        withUnsafeMutableBytes(of: &result.rotation) { $0.copyBytes(from: turned.withUnsafeBytes { Array($0) }) }
        result.translation.0 += delta[3]
        result.translation.1 += delta[4]
        result.translation.2 += delta[5]
        return result
    }

    private static func reproject(_ seen: Observations, _ pose: fh_camera_pose) -> Reprojected {
        let n = seen.count
        // Every output ends at a fence.
        let memories = [n, n, 12 * n, 6 * n].map { FencedMemory(byteCount: $0 * 8, at: .last) }
        let front = FencedMemory(byteCount: n, at: .last)
        let outputs = memories.map { $0.base.assumingMemoryBound(to: Double.self) }
        let inFront = front.base.assumingMemoryBound(to: UInt8.self)
        var (camera, pose, observations) = (camera, pose, seen.observations(informed: false))
        let status = fh_reproject(
            &camera, &pose, &observations, outputs[0], outputs[1], inFront, outputs[2], outputs[3])
        precondition(status == FH_KERNEL_OK)
        func array(_ i: Int, _ count: Int) -> [Double] { (0..<count).map { outputs[i][$0] } }
        return withExtendedLifetime((memories, front, seen)) {
            Reprojected(
                u: array(0, n), v: array(1, n), inFront: (0..<n).map { inFront[$0] }, byPose: array(2, 12 * n),
                byPoint: array(3, 6 * n))
        }
    }

    private static func equations(
        _ seen: Observations, informed: Bool, robust: Int = FH_ROBUST_NONE, width: Double = 0
    ) -> fh_normal_equations {
        var (camera, pose, observations) = (camera, pose(), seen.observations(informed: informed))
        var out = fh_normal_equations()
        let status = withExtendedLifetime(seen) {
            fh_pose_equations(&camera, &pose, &observations, Int32(robust), width, &out)
        }
        precondition(status == FH_KERNEL_OK)
        return out
    }

    @Test(arguments: 0...70)
    func everyInstructionSetGivesTheReferencesBits(count: Int) {
        let seed = UInt64(count) &* 4217
        var generator = SeededGenerator(seed: seed)
        let seen = Observations(count: count, using: &generator)
        let reference = withInstructionSet("SCALAR") { Self.reproject(seen, Self.pose()) }
        for name in instructionSets {
            let reprojected = withInstructionSet(name) { Self.reproject(seen, Self.pose()) }
            #expect(reprojected == reference, "\(name), seed \(seed)")
        }
        for robust in [FH_ROBUST_NONE, FH_ROBUST_HUBER, FH_ROBUST_CAUCHY] {
            for informed in [false, true] {
                let reference = withInstructionSet("SCALAR") {
                    Self.equations(seen, informed: informed, robust: robust, width: 50)
                }
                for name in instructionSets {
                    let equations = withInstructionSet(name) {
                        Self.equations(seen, informed: informed, robust: robust, width: 50)
                    }
                    #expect(
                        bytes(of: equations.hessian) == bytes(of: reference.hessian)
                            && bytes(of: equations.gradient) == bytes(of: reference.gradient)
                            && equations.error == reference.error && equations.count == reference.count,
                        "\(name), robust \(robust), informed \(informed), seed \(seed)")
                }
            }
        }
    }

    @Test func residualsAreThePinholeCameras() {
        var generator = SeededGenerator(seed: 3)
        let seen = Observations(count: 60, using: &generator)
        let result = Self.reproject(seen, Self.pose())
        let r = withUnsafeBytes(of: Self.pose().rotation) { Array($0.bindMemory(to: Double.self)) }
        for i in 0..<60 {
            let d = [seen.values(0)[i] - 0.3, seen.values(1)[i] + 0.2, seen.values(2)[i] + 1.5]
            let p = (0..<3).map { r[$0] * d[0] + r[3 + $0] * d[1] + r[6 + $0] * d[2] }
            #expect(result.inFront[i] == (p[2] > 1e-6 ? 1 : 0))
            guard p[2] > 1e-6 else {
                #expect(result.u[i] == 0 && result.v[i] == 0 && result.byPose[i] == 0)
                continue
            }
            let scale = max(1, abs(p[0] / p[2]), abs(p[1] / p[2]))
            #expect(abs(result.u[i] - (500 * p[0] / p[2] + 320 - seen.values(3)[i])) < 1e-9 * scale)
            #expect(abs(result.v[i] - (510 * p[1] / p[2] + 240 - seen.values(4)[i])) < 1e-9 * scale)
        }
        #expect(result.inFront.contains(0) && result.inFront.contains(1))
    }

    @Test func derivativesAreThoseOfSmallDifferences() {
        var generator = SeededGenerator(seed: 4)
        let seen = Observations(count: 40, using: &generator)
        for i in 0..<40 { seen.values(2)[i] = Double.random(in: 2...8, using: &generator) }
        let result = Self.reproject(seen, Self.pose(angle: 0.2))
        let step = 1e-6
        for parameter in 0..<9 {
            func moved(_ by: Double) -> Reprojected {
                guard parameter >= 6 else {
                    var delta = [Double](repeating: 0, count: 6)
                    delta[parameter] = by
                    return Self.reproject(seen, Self.updated(Self.pose(angle: 0.2), delta))
                }
                for i in 0..<40 { seen.values(parameter - 6)[i] += by }
                defer { for i in 0..<40 { seen.values(parameter - 6)[i] -= by } }
                return Self.reproject(seen, Self.pose(angle: 0.2))
            }
            let (plus, minus) = (moved(step), moved(-step))
            for i in 0..<40 where result.inFront[i] == 1 {
                let du = (plus.u[i] - minus.u[i]) / (2 * step)
                let dv = (plus.v[i] - minus.v[i]) / (2 * step)
                let (ju, jv) =
                    parameter < 6
                    ? (result.byPose[parameter * 40 + i], result.byPose[(parameter + 6) * 40 + i])
                    : (result.byPoint[(parameter - 6) * 40 + i], result.byPoint[(parameter - 3) * 40 + i])
                let size = 1e-4 * max(1, abs(ju), abs(jv))
                #expect(abs(du - ju) < size && abs(dv - jv) < size, "parameter \(parameter)")
            }
        }
    }

    @Test func equationsAreTheSumsOfWeightedProducts() {
        var generator = SeededGenerator(seed: 6)
        let seen = Observations(count: 45, using: &generator)
        let r = Self.reproject(seen, Self.pose())
        for (robust, width) in [(FH_ROBUST_NONE, 0.0), (FH_ROBUST_HUBER, 40), (FH_ROBUST_CAUCHY, 40)] {
            let equations = Self.equations(seen, informed: true, robust: robust, width: width)
            var hessian = [Double](repeating: 0, count: 21)
            var gradient = [Double](repeating: 0, count: 6)
            var error = 0.0
            for i in 0..<45 {
                let w = seen.information(i)
                let chiSquared = w.uu * r.u[i] * r.u[i] + 2 * w.uv * r.u[i] * r.v[i] + w.vv * r.v[i] * r.v[i]
                let chi = chiSquared.squareRoot()
                let weight: Double
                switch robust {
                case FH_ROBUST_HUBER: weight = chi > width ? width / chi : 1
                case FH_ROBUST_CAUCHY: weight = 1 / (1 + chiSquared / (width * width))
                default: weight = 1
                }
                let ju = (0..<6).map { r.byPose[$0 * 45 + i] }
                let jv = (0..<6).map { r.byPose[($0 + 6) * 45 + i] }
                var next = 0
                for a in 0..<6 {
                    let left = (ju[a] * w.uu + jv[a] * w.uv, ju[a] * w.uv + jv[a] * w.vv)
                    for b in a..<6 {
                        hessian[next] += weight * (left.0 * ju[b] + left.1 * jv[b])
                        next += 1
                    }
                    gradient[a] += weight * (left.0 * r.u[i] + left.1 * r.v[i])
                }
                error += weight * chiSquared
            }
            let found = withUnsafeBytes(of: equations.hessian) { Array($0.bindMemory(to: Double.self)) }
            let slope = withUnsafeBytes(of: equations.gradient) { Array($0.bindMemory(to: Double.self)) }
            let scale = hessian.map(abs).max() ?? 1
            #expect(zip(found, hessian).allSatisfy { abs($0 - $1) < 1e-10 * scale })
            #expect(zip(slope, gradient).allSatisfy { abs($0 - $1) < 1e-10 * scale })
            #expect(abs(equations.error - error) < 1e-10 * error)
            #expect(equations.count == r.inFront.reduce(0) { $0 + Int32($1) })
        }
    }

    @Test func wrongArgumentsAreRefused() {
        var (camera, pose, seen) = (Self.camera, Self.pose(), fh_observations())
        var out = fh_normal_equations()
        #expect(fh_pose_equations(&camera, &pose, &seen, Int32(FH_ROBUST_NONE), 0, &out) == FH_KERNEL_OK)
        #expect(out.count == 0 && out.error == 0)
        #expect(fh_pose_equations(&camera, &pose, &seen, Int32(FH_ROBUST_HUBER), 0, &out) == FH_KERNEL_BAD_ARGUMENT)
        #expect(fh_pose_equations(&camera, &pose, &seen, 3, 1, &out) == FH_KERNEL_BAD_ARGUMENT)
        seen.count = 1
        #expect(fh_pose_equations(&camera, &pose, &seen, Int32(FH_ROBUST_NONE), 0, &out) == FH_KERNEL_BAD_ARGUMENT)
        seen.count = 0
        camera.fx = .nan
        #expect(fh_reproject(&camera, &pose, &seen, nil, nil, nil, nil, nil) == FH_KERNEL_BAD_ARGUMENT)
    }
}
