import Foundation

/// A recording of a synthetic world, drawn frame by frame, with everything about it known exactly.
///
/// The same seed and settings give the same bytes. Used by one thread at a time.
public final class SyntheticSequence {
    public let world: World
    public let path: CameraPath
    public let intrinsics: CameraIntrinsics
    public let camera: SyntheticCamera
    public let frameCount: Int
    private let seed: UInt64
    private let renderer: SceneRenderer
    private var sensor: SensorModel
    private var nextIndex = 0

    /// - Parameters:
    ///   - duration: seconds; nil for as long as the path goes.
    ///   - seed: of the camera's and the inertial sensor's noise.
    public init(
        world: World, path: CameraPath, intrinsics: CameraIntrinsics, camera: SyntheticCamera = SyntheticCamera(),
        duration: Double? = nil, seed: UInt64
    ) {
        self.world = world
        self.path = path
        self.intrinsics = intrinsics
        self.camera = camera
        self.seed = seed
        frameCount = max(1, Int(((duration ?? path.duration) * camera.framesPerSecond + 1e-6).rounded(.down)))
        renderer = SceneRenderer(world: world, intrinsics: intrinsics)
        sensor = SensorModel(camera, intrinsics: intrinsics)
    }

    /// A random world and a random path through it, seen by a camera of about 62° across.
    public convenience init(
        seed: UInt64, kind: World.Kind, style: CameraPath.Style, duration: Double, width: Int = 320,
        height: Int = 240, camera: SyntheticCamera = SyntheticCamera()
    ) {
        let world = World.random(seed: seed, kind: kind)
        let focal = Double(max(width, height)) * 0.83
        self.init(
            world: world,
            path: CameraPath.random(seed: seed &+ 1, style: style, in: world, duration: duration),
            intrinsics: CameraIntrinsics(
                width: width, height: height, fx: focal, fy: focal, cx: Double(width - 1) / 2,
                cy: Double(height - 1) / 2),
            camera: camera, duration: duration, seed: seed &+ 2)
    }

    public var duration: Double { Double(frameCount) / camera.framesPerSecond }

    /// The middle of a frame's exposure.
    public func seconds(ofFrame index: Int) -> Double { Double(index) / camera.framesPerSecond }

    public func timestampNanoseconds(ofFrame index: Int) -> Int64 {
        Int64((seconds(ofFrame: index) * 1e9).rounded())
    }

    /// The true pose at a frame, with the public camera axes (looking along −z).
    public func worldFromCamera(atFrame index: Int) -> Pose { path.pose(at: seconds(ofFrame: index)) }

    /// The next frame, or nil after the last. Luma is full-range.
    public func nextFrame() -> Frame? {
        guard nextIndex < frameCount else { return nil }
        let index = nextIndex
        nextIndex += 1
        let seconds = seconds(ofFrame: index)
        let count = exposureSamples(at: seconds)
        var light = [Float](repeating: 0, count: intrinsics.width * intrinsics.height)
        for band in bands {
            let middle = (Double(band.lowerBound + band.upperBound - 1) / 2 + 0.5) / Double(intrinsics.height)
            for sample in 0..<count {
                let offset = ((Double(sample) + 0.5) / Double(count) - 0.5) * camera.exposureSeconds
                let moment = seconds + offset + (middle - 0.5) * camera.readoutSeconds
                renderer.look(from: path.pose(at: moment), rows: band, seconds: moment)
                renderer.shade(into: &light, weight: 1 / Float(count))
            }
        }
        let luma = sensor.expose(
            light, level: camera.lightLevel(at: seconds), seed: SeededRandom.mix(seed &+ UInt64(index) &* 0x9E37_79B9))
        return Frame(
            index: index, timestampNanoseconds: timestampNanoseconds(ofFrame: index),
            pixels: PixelBuffer(copyingLuma: luma, width: intrinsics.width, height: intrinsics.height))
    }

    /// Goes on with another frame, as after a cut; the camera's exposure stays as it is.
    public func skip(toFrame index: Int) { nextIndex = index }

    /// Starts over; the same frames come again.
    public func rewind() {
        nextIndex = 0
        sensor = SensorModel(camera, intrinsics: intrinsics)
    }

    /// Rows that are exposed together: all of them, or few enough that the camera hardly moves meanwhile.
    private var bands: [Range<Int>] {
        guard camera.readoutSeconds > 0 else { return [0..<intrinsics.height] }
        let rows = 8
        return stride(from: 0, to: intrinsics.height, by: rows).map { $0..<min($0 + rows, intrinsics.height) }
    }

    /// True planar depths in metres at a frame, row by row; 0 where nothing is.
    public func depths(atFrame index: Int) -> [Float] {
        renderer.look(from: worldFromCamera(atFrame: index), seconds: seconds(ofFrame: index))
        return renderer.depths()
    }

    /// What an inertial sensor in the camera measures over the whole recording.
    public func inertialSamples(_ model: InertialModel = InertialModel()) -> [InertialSample] {
        model.samples(along: path, duration: duration, seed: seed)
    }

    /// How many instants the exposure is made of: one for every pixel and a half of motion, within reason.
    private func exposureSamples(at seconds: Double) -> Int {
        guard camera.exposureSeconds > 0 else { return 1 }
        let motion = path.motion(at: seconds)
        let distance = max(0.4, (world.focus - motion.worldFromCamera.position).length)
        let pixels =
            (motion.angularVelocity.length + motion.velocity.length / distance) * camera.exposureSeconds
            * intrinsics.fx
        return min(12, max(1, Int((pixels / 1.5).rounded(.up))))
    }
}
