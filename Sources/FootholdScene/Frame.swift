/// One picture of the camera with its time. Made by the capture room, which alone stamps time.
public struct Frame: Sendable {
    /// Counts from 0 without gaps within one source.
    public let index: Int
    /// Nanoseconds since the source's first frame; strictly increasing.
    public let timestampNanoseconds: Int64
    /// Upright (any rotation of the recording is already applied).
    public let pixels: PixelBuffer

    public init(index: Int, timestampNanoseconds: Int64, pixels: PixelBuffer) {
        self.index = index
        self.timestampNanoseconds = timestampNanoseconds
        self.pixels = pixels
    }

    public var seconds: Double { Double(timestampNanoseconds) / 1e9 }
}

/// One reading of an inertial sensor, in the axes of the computer-vision camera (x right, y down, z forward).
public struct InertialSample: Hashable, Sendable {
    /// On the same clock as the frames' timestamps.
    public var timestampNanoseconds: Int64
    /// Radians per second.
    public var angularVelocity: SIMD3<Double>
    /// Specific force, m/s²: at rest it points up with 9.81.
    public var acceleration: SIMD3<Double>

    public init(timestampNanoseconds: Int64, angularVelocity: SIMD3<Double>, acceleration: SIMD3<Double>) {
        self.timestampNanoseconds = timestampNanoseconds
        self.angularVelocity = angularVelocity
        self.acceleration = acceleration
    }
}
