import FootholdScene

/// Where frames come from, one after the other: a recording, a folder of pictures.
///
/// A source is used by one thread at a time. The frames it gives may go to any thread and outlive it.
public protocol FrameSource: AnyObject {
    var info: SourceInfo { get }

    /// Seconds spent so far on reading, decoding and converting.
    var decodeSeconds: Double { get }

    /// What was found wrong and mended so far, in one line each, to be told once; complete when `nextFrame` has
    /// returned nil.
    var notices: [String] { get }

    /// The next frame; nil at the end.
    ///
    /// Throws `CaptureError` only when nothing more can be read and that is a failure. Damaged pictures are concealed
    /// or passed over and counted in `notices`; a recording that stops too early just ends, with a notice.
    func nextFrame() throws -> Frame?
}

/// What is known of a source before its frames are read.
public struct SourceInfo: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case videoFile, imageFolder, sequenceFolder, tumFolder, eurocFolder, camera
    }

    /// For messages and outputs: the file's or folder's name.
    public var name: String
    public var kind: Kind
    /// Upright (rotation applied) and with square pixels, as frames are delivered.
    public var width: Int
    public var height: Int
    /// For progress.
    public var estimatedFrameCount: Int?
    public var durationSeconds: Double?
    /// Frames per second, from the usual time between two frames.
    public var nominalFrameRate: Double
    /// Clockwise turn that was applied to make frames upright: 0, 90, 180 or 270.
    public var rotationDegrees = 0
    /// From the folder, the camera file or the recording's metadata; nil where nothing is known.
    public var intrinsics: CameraIntrinsics?
    /// In the camera's axes, on the frames' clock (nanoseconds since the first frame, so negative before it); empty
    /// where there is none.
    public var inertial: [InertialSample] = []
    /// The inertial sensor's stated noise.
    public var inertialNoise: InertialNoise?
    /// Where the inertial sensor sits, metres in the camera's computer-vision axes; zero where nothing is stated.
    public var inertialSensorInCamera = SIMD3<Double>.zero
    /// The first frame's time on the folder's own clock, which truth files and published trajectories use.
    public var clockOriginNanoseconds: Int64 = 0
    /// For evaluation, where they are there.
    public var groundTruthPath: String?
    public var planesPath: String?
    public var eventsPath: String?

    /// What every source knows; the rest is set where it is known.
    public init(name: String, kind: Kind, width: Int, height: Int, nominalFrameRate: Double) {
        self.name = name
        self.kind = kind
        self.width = width
        self.height = height
        self.nominalFrameRate = nominalFrameRate
    }
}

/// Noise of an inertial sensor, continuous-time densities as calibration tools state them.
public struct InertialNoise: Hashable, Sendable {
    /// rad/s/√Hz
    public var gyroNoiseDensity: Double
    /// rad/s²/√Hz
    public var gyroBiasWalk: Double
    /// m/s²/√Hz
    public var accelerometerNoiseDensity: Double
    /// m/s³/√Hz
    public var accelerometerBiasWalk: Double

    public init(
        gyroNoiseDensity: Double, gyroBiasWalk: Double, accelerometerNoiseDensity: Double,
        accelerometerBiasWalk: Double
    ) {
        self.gyroNoiseDensity = gyroNoiseDensity
        self.gyroBiasWalk = gyroBiasWalk
        self.accelerometerNoiseDensity = accelerometerNoiseDensity
        self.accelerometerBiasWalk = accelerometerBiasWalk
    }
}

public struct CaptureOptions: Sendable {
    /// Calibration: `intrinsics.json`, OpenCV YAML or JSON, or EuRoC `sensor.yaml`. Goes before anything the source
    /// says of itself.
    public var cameraFile: String?
    /// Inertial data in the form of `imu.csv`, time 0 being the first frame (or on the folder's clock); an
    /// `imu.json` beside it is read too.
    public var inertialFile: String?
    /// Threads that decode video; 1 decodes in the caller's thread.
    public var decodingThreads: Int

    public init(cameraFile: String? = nil, inertialFile: String? = nil, decodingThreads: Int = 1) {
        self.cameraFile = cameraFile
        self.inertialFile = inertialFile
        self.decodingThreads = decodingThreads
    }
}
