import Foundation

/// How a synthetic camera turns light into numbers.
public struct SyntheticCamera: Hashable, Sendable {
    public var framesPerSecond = 30.0
    /// The shutter is open this long around a frame's time; 0 for none of the blur of motion.
    public var exposureSeconds = 0.008
    /// From the first row's exposure to the last one's; 0 for a shutter that opens for all rows at once. A frame's time is
    /// the middle row's.
    public var readoutSeconds = 0.0
    /// Standard deviations at normal gain, as shares of full scale: of the sensor in the dark, and of light itself at
    /// full scale (it grows with the root of the brightness).
    public var readNoise = 0.004
    public var shotNoise = 0.012
    /// Darkening towards the corners: 0.25 leaves three quarters of the light there.
    public var vignetting = 0.22
    /// Gain follows the brightness of earlier frames, with a lag of about a third of a second; otherwise it stays as
    /// the first frame asks for.
    public var autoExposure = true
    /// No more gain than this, so that dark stays dark.
    public var maximumGain = 6.0
    /// No less gain than this, so that glare stays glare.
    public var minimumGain = 0.2
    /// Light of the room over time, 1 is normal; between the moments it changes evenly.
    public var lightLevels: [LightLevel] = []

    public struct LightLevel: Hashable, Sendable {
        public var seconds: Double
        public var level: Double

        public init(seconds: Double, level: Double) {
            self.seconds = seconds
            self.level = level
        }
    }

    public init() {}

    /// No blur, no noise, no darkening, fixed exposure.
    public static var ideal: SyntheticCamera {
        var camera = SyntheticCamera()
        camera.exposureSeconds = 0
        camera.readNoise = 0
        camera.shotNoise = 0
        camera.vignetting = 0
        camera.autoExposure = false
        return camera
    }

    func lightLevel(at seconds: Double) -> Double {
        guard let after = lightLevels.firstIndex(where: { $0.seconds > seconds }) else {
            return lightLevels.last?.level ?? 1
        }
        guard after > 0 else { return lightLevels[0].level }
        let (a, b) = (lightLevels[after - 1], lightLevels[after])
        return a.level + (b.level - a.level) * (seconds - a.seconds) / (b.seconds - a.seconds)
    }
}

/// Exposure, vignetting, noise and gamma. Used by one thread at a time.
struct SensorModel {
    private let camera: SyntheticCamera
    private let vignette: [Float]
    private let gamma: [UInt8]
    private var gain = SensorModel.normalGain
    private var hasMetered = false
    /// What a room of ordinary brightness asks for.
    private static let normalGain = 0.9
    /// Mean of the exposed picture before gamma.
    private static let wantedBrightness = 0.27
    private static let gammaSteps = 4096

    init(_ camera: SyntheticCamera, intrinsics: CameraIntrinsics) {
        self.camera = camera
        let (cx, cy) = (Double(intrinsics.width - 1) / 2, Double(intrinsics.height - 1) / 2)
        let corner = cx * cx + cy * cy
        vignette = (0..<(intrinsics.width * intrinsics.height)).map { index in
            let x = Double(index % intrinsics.width) - cx
            let y = Double(index / intrinsics.width) - cy
            return Float(1 - camera.vignetting * (x * x + y * y) / max(corner, 1))
        }
        gamma = (0...Self.gammaSteps).map { step in
            UInt8((255 * Self.power(Double(step) / Double(Self.gammaSteps))).rounded())
        }
    }

    /// x to the power of 1/2.2.
    private static func power(_ x: Double) -> Double { x <= 0 ? 0 : exp(log(x) / 2.2) }

    /// - Parameters:
    ///   - light: brightness of each pixel, 0…1 at normal light.
    ///   - level: the room's light.
    ///   - seed: of this frame's noise.
    mutating func expose(_ light: [Float], level: Double, seed: UInt64) -> [UInt8] {
        if !hasMetered {
            // A real camera has found its exposure before the recording begins.
            let mean = Double(light.reduce(0, +)) / Double(max(1, light.count)) * level
            self.gain = min(
                camera.maximumGain, max(camera.minimumGain, Self.wantedBrightness / max(mean, 1e-4)))
            hasMetered = true
        }
        let gain = Float(self.gain * level)
        // What the sensor counts is light; amplifying it amplifies its noise as well.
        let amplification = Float(self.gain / Self.normalGain)
        let read = Float(camera.readNoise) * amplification
        let shot = Float(camera.shotNoise) * amplification.squareRoot()
        var random = SeededRandom(seed: seed)
        var sum: Float = 0
        let steps = Float(Self.gammaSteps)
        let isNoisy = read > 0 || shot > 0
        var bits: UInt64 = 0
        let pixels = light.indices.map { index -> UInt8 in
            var signal = light[index] * vignette[index] * gain
            sum += min(1, signal)
            if isNoisy {
                if index & 1 == 0 { bits = random.next() }
                let four = UInt32(truncatingIfNeeded: index & 1 == 0 ? bits : bits >> 32)
                signal += Self.gaussian(four) * (read * read + shot * shot * max(0, signal)).squareRoot()
            }
            return gamma[Int(min(steps, max(0, signal * steps + 0.5)))]
        }
        if camera.autoExposure {
            let mean = Double(sum) / Double(max(1, light.count))
            let wanted = self.gain * Self.wantedBrightness / max(mean, 1e-4)
            let share = min(1, 3 / camera.framesPerSecond)
            self.gain = min(camera.maximumGain, max(camera.minimumGain, self.gain + (wanted - self.gain) * share))
        }
        return pixels
    }

    /// About normal with a standard deviation of one: the sum of four even numbers of eight bits.
    @inline(__always)
    private static func gaussian(_ bits: UInt32) -> Float {
        let sum = (bits & 255) + (bits >> 8 & 255) + (bits >> 16 & 255) + (bits >> 24)
        return (Float(sum) - 510) * (1 / 147.8)
    }
}
