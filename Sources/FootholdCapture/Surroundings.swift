import FootholdScene

/// What lies beside the pictures: everything that is known of a source before its frames are decoded.
struct Surroundings {
    var name: String
    var kind: SourceInfo.Kind
    var calibration: Calibration?
    /// Times of the frames in order, on the folder's own clock; nil where the frames tell their own.
    var frameTimes: [Int64]?
    /// In the camera's axes, on the folder's own clock.
    var inertial: InertialFile?
    var inertialNoise: InertialNoise?
    var inertialSensorInCamera = SIMD3<Double>.zero
    var groundTruthPath: String?
    var planesPath: String?
    var eventsPath: String?
    var notices: [String] = []
    /// Asked for by the options, so that a failure to use it is an error.
    private var isInertialRequired = false

    init(name: String, kind: SourceInfo.Kind) {
        self.name = name
        self.kind = kind
    }

    /// Files with the names of a sequence folder, read where they are there.
    init(name: String, kind: SourceInfo.Kind, sequenceFolder folder: String, options: CaptureOptions) throws {
        self.init(name: name, kind: kind)
        if options.cameraFile == nil, let path = FileAccess.existing(folder, "intrinsics.json") {
            calibration = try Calibration(file: path)
        }
        if options.inertialFile == nil, let path = FileAccess.existing(folder, "imu.csv") {
            try unlessUnusable { try $0.readInertial(path) }
        }
        groundTruthPath = FileAccess.existing(folder, "groundtruth.csv")
        planesPath = FileAccess.existing(folder, "planes.json")
        eventsPath = FileAccess.existing(folder, "events.json")
    }

    /// What the options name goes before what was found.
    mutating func apply(_ options: CaptureOptions) throws {
        if let path = options.cameraFile { calibration = try Calibration(file: path) }
        if let path = options.inertialFile {
            try readInertial(path)
            isInertialRequired = true
        }
    }

    /// Inertial data that was merely found there must not keep the pictures from being used: it is left out with a
    /// notice when it cannot be used.
    mutating func unlessUnusable(_ read: (inout Surroundings) throws -> Void) throws {
        var copy = self
        do {
            try read(&copy)
            self = copy
        } catch let error as CaptureError where error.kind == .badInertial || error.kind == .unreadable {
            notices.append("going on without inertial data: \(error.description)")
        }
    }

    private mutating func readInertial(_ path: String) throws {
        var file = try InertialFile(path: path, clock: .seconds)
        let folder = String(path.dropLast(FileAccess.name(path).count))
        if let sensorFile = FileAccess.existing(folder.isEmpty ? "." : folder, "imu.json") {
            let sensor = try InertialSensor(jsonFile: sensorFile)
            file.turn(by: sensor.cameraFromSensor.rotation)
            file.shift(byNanoseconds: sensor.timeOffsetNanoseconds)
            inertialNoise = sensor.noise
            inertialSensorInCamera = sensor.cameraFromSensor.position
        }
        use(file)
    }

    mutating func use(_ file: InertialFile) {
        inertial = file
        if file.droppedCount > 0 {
            let readings = file.droppedCount == 1 ? "1 inertial reading" : "\(file.droppedCount) inertial readings"
            notices.append(
                "\(readings) did not move forward in time and \(file.droppedCount == 1 ? "was" : "were") left out")
        }
        if file.impossibleCount > 0 {
            notices.append(
                file.impossibleCount == 1
                    ? "1 inertial reading is more than any sensor measures and was left out"
                    : "\(file.impossibleCount) inertial readings are more than any sensor measures and were left out")
        }
    }

    /// Puts everything together once the pictures' size and the first frame's time are known.
    mutating func info(for pictures: Pictures, clockOrigin: Int64) throws -> SourceInfo {
        var intrinsics: CameraIntrinsics?
        var samples = inertial?.samples ?? []
        var sensorInCamera = inertialSensorInCamera
        if let calibration {
            let fitted = try calibration.fitted(
                toWidth: pictures.width, height: pictures.height, rotationDegrees: pictures.rotationDegrees,
                isMirrored: pictures.isMirrored)
            intrinsics = fitted.intrinsics
            // Stated for the camera as it was calibrated, so it turns with it.
            let turn = Rotation(axis: .unitZ, angleRadians: Double(fitted.quarterTurns) * .pi / 2)
            if fitted.quarterTurns > 0 {
                sensorInCamera = turn * sensorInCamera
                for i in samples.indices {
                    samples[i].angularVelocity = turn * samples[i].angularVelocity
                    samples[i].acceleration = turn * samples[i].acceleration
                }
            }
        } else if let focalLength = pictures.focalLength35mm {
            intrinsics = .fromMetadata(focalLength35mm: focalLength, width: pictures.width, height: pictures.height)
        }
        for i in samples.indices { samples[i].timestampNanoseconds -= clockOrigin }
        if let inertial, let fault = Self.fault(of: samples, for: pictures) {
            let error = CaptureError(
                .badInertial, "the inertial data in \"\(FileAccess.name(inertial.path))\" \(fault)")
            if isInertialRequired { throw error }
            notices.append("going on without inertial data: \(error.description)")
            samples = []
        }
        var info = SourceInfo(
            name: name, kind: kind, width: pictures.width, height: pictures.height,
            nominalFrameRate: (1e13 / Double(pictures.nominalInterval)).rounded() / 1e4)
        info.estimatedFrameCount = pictures.frameCount
        info.durationSeconds = pictures.durationSeconds
        info.rotationDegrees = pictures.rotationDegrees
        info.intrinsics = intrinsics
        info.inertial = samples
        info.inertialNoise = inertialNoise
        info.inertialSensorInCamera = sensorInCamera
        info.clockOriginNanoseconds = clockOrigin
        info.groundTruthPath = groundTruthPath
        info.planesPath = planesPath
        info.eventsPath = eventsPath
        return info
    }

    /// Why readings on the frames' clock can't be used with the pictures; nil where they can.
    private static func fault(of samples: [InertialSample], for pictures: Pictures) -> String? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let end = pictures.durationSeconds.map { Int64($0 * 1e9) } ?? Int64.max
        if last.timestampNanoseconds <= 0 || first.timestampNanoseconds >= end {
            return
                "is not from the time of the pictures: its clock must have the first frame at 0, or match the frames' "
                + "own times"
        }
        // In a mirror everything turns the other way round, and nothing says which of the camera's axes was swapped.
        if pictures.isMirrored {
            return
                "tells how the camera moved, and the recording is shown mirrored: record without mirroring to use both"
        }
        return nil
    }

    /// What the pictures themselves tell.
    struct Pictures {
        var width: Int
        var height: Int
        var rotationDegrees = 0
        var isMirrored = false
        var frameCount: Int?
        var durationSeconds: Double?
        /// Nanoseconds, above zero.
        var nominalInterval: Int64
        var focalLength35mm: Double?
    }
}
