import FootholdScene

/// A sequence of the TUM RGB-D benchmark as it is published: `rgb.txt` lists time and picture, `groundtruth.txt` the
/// poses. Only the colour pictures are read.
enum TUMFolder {
    static func open(_ folder: String, name: String, options: CaptureOptions) throws -> any FrameSource {
        let table = TextTable(try FileAccess.bytes(FileAccess.join(folder, "rgb.txt")))
        var times: [Int64] = []
        var paths: [String] = []
        for row in table.rows {
            guard row.count >= 2, let time = table.nanoseconds(row, 0) else {
                throw CaptureError(
                    .badFolder, "\"rgb.txt\" has no time and picture in line \(row.line): mend or remove that line")
            }
            times.append(time)
            paths.append(FileAccess.join(folder, table.text(row, 1)))
        }
        guard !paths.isEmpty else {
            throw CaptureError(.badFolder, "\"rgb.txt\" in \"\(name)\" lists no pictures: unpack the sequence again")
        }
        var surroundings = Surroundings(name: name, kind: .tumFolder)
        surroundings.groundTruthPath = FileAccess.existing(folder, "groundtruth.txt")
        if options.cameraFile == nil {
            if let path = FileAccess.existing(folder, "intrinsics.json") {
                surroundings.calibration = try Calibration(file: path)
            } else {
                surroundings.calibration = calibration(sequence: name)
                if !isNamedAfterCamera(name) {
                    surroundings.notices.append(
                        "the folder's name doesn't say which camera it is from (freiburg1 to 3): the benchmark's"
                            + " default calibration is used")
                }
            }
        }
        try surroundings.apply(options)
        return try ImageFolderSource(paths: paths, times: times, surroundings: surroundings)
    }

    private static func isNamedAfterCamera(_ name: String) -> Bool {
        (1...3).contains { isCamera($0, name) }
    }

    private static func isCamera(_ number: Int, _ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains("freiburg\(number)") || name.contains("fr\(number)")
    }

    /// The benchmark's published calibrations of its colour cameras.
    private static func calibration(sequence name: String) -> Calibration {
        func kinect(
            _ fx: Double, _ fy: Double, _ cx: Double, _ cy: Double, _ distortion: CameraIntrinsics.Distortion
        ) -> Calibration {
            Calibration(
                name: "TUM RGB-D", width: 640, height: 480, fx: fx, fy: fy, cx: cx, cy: cy, distortion: distortion)
        }
        if isCamera(1, name) {
            return kinect(
                517.3, 516.5, 318.6, 255.3,
                .radialTangential(k1: 0.2624, k2: -0.9531, p1: -0.0054, p2: 0.0026, k3: 1.1633))
        }
        if isCamera(2, name) {
            return kinect(
                520.9, 521.0, 325.1, 249.7,
                .radialTangential(k1: 0.2312, k2: -0.7849, p1: -0.0033, p2: -0.0001, k3: 0.9172))
        }
        if isCamera(3, name) { return kinect(535.4, 539.2, 320.1, 247.6, .none) }
        return kinect(525, 525, 319.5, 239.5, .none)
    }
}
