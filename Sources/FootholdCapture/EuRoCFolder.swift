import FootholdScene

/// A sequence in EuRoC's (ASL's) layout: `cam0` and, where they are there, `imu0` and the estimated truth.
enum EuRoCFolder {
    /// - Parameter root: the folder that holds `cam0`.
    static func open(_ root: String, name: String, options: CaptureOptions) throws -> any FrameSource {
        let camera = FileAccess.join(root, "cam0")
        let table = TextTable(try FileAccess.bytes(FileAccess.join(camera, "data.csv")))
        var times: [Int64] = []
        var paths: [String] = []
        for row in table.rows {
            guard row.count >= 2, let time = table.integer(row, 0) else {
                throw CaptureError(
                    .badFolder,
                    "\"cam0/data.csv\" has no time and picture in line \(row.line): mend or remove that line")
            }
            times.append(time)
            paths.append(FileAccess.join(camera, "data/" + table.text(row, 1)))
        }
        guard !paths.isEmpty else {
            throw CaptureError(.badFolder, "\"cam0/data.csv\" of \"\(name)\" lists no pictures: unpack it again")
        }
        var surroundings = Surroundings(name: name, kind: .eurocFolder)
        var bodyFromCamera: Pose?
        if let sensor = FileAccess.existing(camera, "sensor.yaml") {
            if options.cameraFile == nil { surroundings.calibration = try Calibration(file: sensor) }
            bodyFromCamera = try ConfigValue.read(sensor, failure: .badCalibration)["T_BS"].flatMap(InertialSensor.pose)
        }
        if options.inertialFile == nil {
            try surroundings.unlessUnusable { try readInertial(root, bodyFromCamera: bodyFromCamera, into: &$0) }
        }
        surroundings.groundTruthPath = FileAccess.existing(root, "state_groundtruth_estimate0/data.csv")
        try surroundings.apply(options)
        return try ImageFolderSource(paths: paths, times: times, surroundings: surroundings)
    }

    private static func readInertial(
        _ root: String, bodyFromCamera: Pose?, into surroundings: inout Surroundings
    ) throws {
        guard let data = FileAccess.existing(root, "imu0/data.csv") else { return }
        guard let bodyFromCamera else {
            throw CaptureError(
                .badInertial,
                "\"cam0/sensor.yaml\" has no valid T_BS, so the inertial data in imu0 cannot be turned to the camera:"
                    + " add it, or move imu0 away")
        }
        var bodyFromSensor = Pose.identity
        if let path = FileAccess.existing(root, "imu0/sensor.yaml") {
            let sensor = try ConfigValue.read(path, failure: .badInertial)
            bodyFromSensor = sensor["T_BS"].flatMap(InertialSensor.pose) ?? .identity
            surroundings.inertialNoise = InertialSensor.noise(
                sensor,
                [
                    "gyroscope_noise_density", "gyroscope_random_walk", "accelerometer_noise_density",
                    "accelerometer_random_walk",
                ])
        }
        let cameraFromSensor = bodyFromCamera.inverse * bodyFromSensor
        var file = try InertialFile(path: data, clock: .nanoseconds)
        file.turn(by: cameraFromSensor.rotation)
        surroundings.inertialSensorInCamera = cameraFromSensor.position
        surroundings.use(file)
    }
}
