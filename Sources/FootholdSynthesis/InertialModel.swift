/// What an inertial sensor in the camera measures, and how badly.
public struct InertialModel: Hashable, Sendable {
    public var rateHertz = 200.0
    /// Continuous-time densities: rad/s/√Hz and m/s²/√Hz.
    public var gyroNoiseDensity = 0.00025
    public var accelerometerNoiseDensity = 0.002
    /// Random walks of the biases: rad/s²/√Hz and m/s³/√Hz.
    public var gyroBiasWalk = 2e-5
    public var accelerometerBiasWalk = 3e-4
    /// Standard deviations of the biases at the start: rad/s and m/s².
    public var gyroBiasSigma = 0.004
    public var accelerometerBiasSigma = 0.04

    public init() {}

    /// The exact motion.
    public static var ideal: InertialModel {
        var model = InertialModel()
        model.gyroNoiseDensity = 0
        model.accelerometerNoiseDensity = 0
        model.gyroBiasWalk = 0
        model.accelerometerBiasWalk = 0
        model.gyroBiasSigma = 0
        model.accelerometerBiasSigma = 0
        return model
    }

    static let gravity = SIMD3(0, -9.81, 0)

    /// Samples from the path's start to its end, in the axes of the computer-vision camera (x right, y down, z forward).
    func samples(along path: CameraPath, duration: Double, seed: UInt64) -> [InertialSample] {
        var random = SeededRandom(seed: seed ^ 0x1E27_1A15_EED5_0001)
        var gyroBias = random.gaussianVector(gyroBiasSigma)
        var accelerometerBias = random.gaussianVector(accelerometerBiasSigma)
        let step = 1 / rateHertz
        let gyroNoise = gyroNoiseDensity * rateHertz.squareRoot()
        let accelerometerNoise = accelerometerNoiseDensity * rateHertz.squareRoot()
        return (0...Int((duration * rateHertz).rounded(.down))).map { index in
            let seconds = Double(index) * step
            let motion = path.motion(at: seconds)
            let force = motion.worldFromCamera.rotation.inverse * (motion.acceleration - Self.gravity)
            let turn = motion.angularVelocity
            defer {
                gyroBias += random.gaussianVector(gyroBiasWalk * step.squareRoot())
                accelerometerBias += random.gaussianVector(accelerometerBiasWalk * step.squareRoot())
            }
            return InertialSample(
                timestampNanoseconds: Int64((seconds * 1e9).rounded()),
                angularVelocity: SIMD3(turn.x, -turn.y, -turn.z) + gyroBias + random.gaussianVector(gyroNoise),
                acceleration: SIMD3(force.x, -force.y, -force.z) + accelerometerBias
                    + random.gaussianVector(accelerometerNoise))
        }
    }
}
