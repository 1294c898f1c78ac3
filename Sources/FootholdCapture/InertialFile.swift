import FootholdScene
import Foundation

/// Inertial readings as a file holds them: the file's own clock, the sensor's own axes.
struct InertialFile {
    enum Clock {
        case seconds, nanoseconds
    }

    let path: String
    var samples: [InertialSample]
    /// Readings that were left out because their time did not move forward, and because no sensor measures that much.
    let droppedCount: Int
    let impossibleCount: Int

    /// No sensor in a camera measures more: rad/s and m/s².
    private static let mostTurning = 200.0, mostAcceleration = 2000.0
    /// Seconds since 1970 are less for some time yet, and nanoseconds of anything are mostly more.
    private static let latestSeconds = Double(Int64.max / 4) * 1e-9
    /// Nobody turns a camera faster than this for a tenth of the time, rad/s; in degrees, any hand does.
    private static let fastTurning = 15.0

    /// Reads `t, gx, gy, gz, ax, ay, az` (rad/s, m/s² specific force), by the header's names where it has them.
    init(path: String, clock: Clock) throws {
        let name = FileAccess.name(path)
        func bad(_ reason: String) -> CaptureError {
            CaptureError(.badInertial, "\"\(name)\" \(reason)")
        }
        let table = TextTable(try FileAccess.bytes(path))
        let wanted = ["t", "gx", "gy", "gz", "ax", "ay", "az"]
        let named = wanted.compactMap { table.header.firstIndex(of: $0) }
        let columns = named.count == 7 ? named : Array(0..<7)
        let needed = columns.max().map { $0 + 1 } ?? 7
        var samples: [InertialSample] = []
        samples.reserveCapacity(table.rows.count)
        var dropped = 0
        var impossible = 0
        for row in table.rows {
            guard row.count >= needed else {
                throw bad("has too few numbers in line \(row.line): each line is t,gx,gy,gz,ax,ay,az")
            }
            let time = clock == .seconds ? table.nanoseconds(row, columns[0]) : table.integer(row, columns[0])
            let values = columns.dropFirst().compactMap { table.number(row, $0) }
            guard let time, abs(time / 2) < Int64.max / 8, values.count == 6 else {
                if clock == .seconds, let seconds = table.number(row, columns[0]), seconds.isFinite,
                    abs(seconds) > Self.latestSeconds
                {
                    throw bad("has a time beyond all seconds in line \(row.line): give seconds, not nanoseconds")
                }
                throw bad("has something that is no number in line \(row.line): mend or remove that line")
            }
            if let last = samples.last, time <= last.timestampNanoseconds {
                dropped += 1
                continue
            }
            let sample = InertialSample(
                timestampNanoseconds: time, angularVelocity: SIMD3(values[0], values[1], values[2]),
                acceleration: SIMD3(values[3], values[4], values[5]))
            guard sample.angularVelocity.length < Self.mostTurning,
                sample.acceleration.length < Self.mostAcceleration
            else {
                impossible += 1
                continue
            }
            samples.append(sample)
        }
        guard impossible * 10 <= table.rows.count else {
            throw bad(
                "has numbers in \(impossible) lines that no sensor measures: check its units, which are rad/s and m/s²")
        }
        guard samples.count >= 2 || dropped == 0 else {
            throw bad("has times that don't move forward: the first number of each line is its time in \(clock)")
        }
        guard samples.count >= 2 else {
            throw bad("holds no inertial readings: each line is t,gx,gy,gz,ax,ay,az (seconds, rad/s, m/s²)")
        }
        guard dropped * 10 <= samples.count else {
            throw bad("has times that jump back in \(dropped) lines, as when two sensors are mixed: give one, in order")
        }
        let strengths = samples.map(\.acceleration.length).sorted()
        let median = strengths[strengths.count / 2]
        guard (4...25).contains(median) else {
            let hint = (0.5...2).contains(median) ? "it looks like multiples of g: multiply by 9.81" : "check its units"
            throw bad(
                "has accelerations of \(String(format: "%.2f", median)) where about 9.81 m/s² is expected; \(hint)")
        }
        let turning = samples.map(\.angularVelocity.length).sorted()[samples.count * 9 / 10]
        guard turning < Self.fastTurning else {
            throw bad(
                "has turning of \(String(format: "%.0f", turning)) rad/s, which no hand does; it looks like degrees a "
                    + "second: multiply by 0.01745")
        }
        self.path = path
        self.samples = samples
        droppedCount = dropped
        impossibleCount = impossible
    }

    mutating func turn(by cameraFromSensor: Rotation) {
        guard cameraFromSensor != .identity else { return }
        for i in samples.indices {
            samples[i].angularVelocity = cameraFromSensor * samples[i].angularVelocity
            samples[i].acceleration = cameraFromSensor * samples[i].acceleration
        }
    }

    mutating func shift(byNanoseconds shift: Int64) {
        for i in samples.indices { samples[i].timestampNanoseconds += shift }
    }
}

/// What is known of an inertial sensor: `imu.json`, or EuRoC's `sensor.yaml` files.
struct InertialSensor {
    var cameraFromSensor = Pose.identity
    var noise: InertialNoise?
    /// To be added to the readings' times.
    var timeOffsetNanoseconds: Int64 = 0

    init() {}

    /// No sensor in a camera is noisier, in rad/s or m/s² per √Hz, nor wanders more.
    private static let mostNoise = 100.0

    /// `gyro_noise_density`, `gyro_bias_walk`, `accel_noise_density`, `accel_bias_walk`, `time_offset_s`, and
    /// `camera_from_imu`: a 3×3 or 4×4 matrix row by row, or a quaternion x, y, z, w.
    init(jsonFile path: String) throws {
        let value = try ConfigValue.read(path, failure: .badInertial)
        let name = FileAccess.name(path)
        guard case .object = value else {
            throw CaptureError(.badInertial, "\"\(name)\" holds no object of named values: correct it, or remove it")
        }
        let noiseKeys = ["gyro_noise_density", "gyro_bias_walk", "accel_noise_density", "accel_bias_walk"]
        for key in noiseKeys {
            guard let given = value[key], given != .null else { continue }
            guard let number = given.number, (0...Self.mostNoise).contains(number) else {
                throw CaptureError(
                    .badInertial, "\"\(name)\" has a \(key) that makes no sense: give 0 to \(Int(Self.mostNoise))")
            }
        }
        noise = InertialSensor.noise(value, noiseKeys)
        if let given = value["time_offset_s"], given != .null {
            guard let offset = given.number, abs(offset) < 1e6 else {
                throw CaptureError(.badInertial, "\"\(name)\" has a time_offset_s that makes no sense: give seconds")
            }
            timeOffsetNanoseconds = Int64((offset * 1e9).rounded())
        }
        if let transform = value["camera_from_imu"], transform != .null {
            guard let pose = InertialSensor.pose(transform) else {
                throw CaptureError(
                    .badInertial,
                    "\"\(name)\" has a camera_from_imu that is no rotation: give a 3×3 or 4×4 matrix, row by row, or a unit "
                        + "quaternion x, y, z, w")
            }
            cameraFromSensor = pose
        }
    }

    static func noise(_ value: ConfigValue, _ keys: [String]) -> InertialNoise? {
        let numbers = keys.compactMap { value[$0]?.number }
        guard numbers.count == 4, numbers.allSatisfy((0...mostNoise).contains) else { return nil }
        return InertialNoise(
            gyroNoiseDensity: numbers[0], gyroBiasWalk: numbers[1], accelerometerNoiseDensity: numbers[2],
            accelerometerBiasWalk: numbers[3])
    }

    /// A rigid transform from a matrix or quaternion; nil when it is none.
    static func pose(_ value: ConfigValue) -> Pose? {
        guard let n = (value["data"] ?? value).flattenedNumbers, n.allSatisfy(\.isFinite) else { return nil }
        switch n.count {
        case 4:
            guard abs(SIMD4(n[0], n[1], n[2], n[3]).lengthSquared - 1) < 0.02 else { return nil }
            return Pose(rotation: Rotation(x: n[0], y: n[1], z: n[2], w: n[3]))
        case 9, 16:
            let stride = n.count == 9 ? 3 : 4
            let columns = (0..<3).map { SIMD3(n[$0], n[stride + $0], n[2 * stride + $0]) }
            let errors = [
                columns[0].lengthSquared - 1, columns[1].lengthSquared - 1, columns[0].dot(columns[1]),
                columns[0].cross(columns[1]).distance(to: columns[2]),
            ]
            guard errors.allSatisfy({ abs($0) < 0.02 }) else { return nil }
            let position = stride == 4 ? SIMD3(n[3], n[7], n[11]) : .zero
            return Pose(rotation: Rotation(columns: columns[0], columns[1], columns[2]), position: position)
        default:
            return nil
        }
    }
}

extension SIMD4 where Scalar == Double {
    fileprivate var lengthSquared: Double { (self * self).sum() }
}
