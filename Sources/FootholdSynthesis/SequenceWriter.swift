import Foundation

extension SyntheticSequence {
    /// Writes the whole recording as a sequence folder: `frames/` with `frames.csv`, `intrinsics.json`,
    /// `groundtruth.csv`, `imu.csv` with `imu.json`, `planes.json`, `events.json` and `depth/`.
    ///
    /// Starts over first, and ends at the last frame.
    /// - Parameters:
    ///   - folder: made if it is not there; files of the same names are replaced.
    ///   - events: what goes wrong in the recording, as intervals in seconds with the kind that a hint should name.
    public func write(
        to folder: URL, inertial: InertialModel = InertialModel(),
        events: [(start: Double, end: Double, kind: String)] = []
    ) throws {
        for name in ["frames", "depth"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        rewind()
        var seen = SeenSurfaces(world.planes)
        var list = "index,t,file\n"
        var truth = "t,px,py,pz,qx,qy,qz,qw\n"
        while let frame = nextFrame() {
            let name = Self.fileName(frame.index)
            try Self.png(of: frame).write(to: folder.appendingPathComponent("frames/\(name)"))
            let seconds = seconds(ofFrame: frame.index)
            list += "\(frame.index),\(Self.text(seconds, 9)),\(name)\n"
            let pose = worldFromCamera(atFrame: frame.index).flippingCameraAxes
            let (p, q) = (pose.position, pose.rotation)
            truth += Self.row([seconds, p.x, p.y, p.z, q.x, q.y, q.z, q.w], 9)
            if frame.index.isMultiple(of: 10) {
                let depths = depths(atFrame: frame.index)
                let millimetres = depths.map { UInt16(min(65535, ($0 * 1000).rounded())) }
                try GrayPNGWriter.encode(millimetres, width: intrinsics.width, height: intrinsics.height)
                    .write(to: folder.appendingPathComponent("depth/\(name)"))
                seen.look(depths, intrinsics: intrinsics, worldFromCamera: pose, seconds: seconds)
            }
        }
        try write(list, "frames.csv", in: folder)
        try write(truth, "groundtruth.csv", in: folder)
        try write(cameraFile(), "intrinsics.json", in: folder)
        try writeInertial(inertial, to: folder)
        try write(seen.file(), "planes.json", in: folder)
        let intervals = events.map {
            "{\"start\": \(Self.text($0.start, 3)), \"end\": \(Self.text($0.end, 3)), \"kind\": \"\($0.kind)\"}"
        }
        try write("{\"intervals\": [\(intervals.joined(separator: ", "))]}\n", "events.json", in: folder)
    }

    private func writeInertial(_ model: InertialModel, to folder: URL) throws {
        var rows = "t,gx,gy,gz,ax,ay,az\n"
        for sample in inertialSamples(model) {
            let (w, a) = (sample.angularVelocity, sample.acceleration)
            rows += Self.row([Double(sample.timestampNanoseconds) / 1e9, w.x, w.y, w.z, a.x, a.y, a.z], 9)
        }
        try write(rows, "imu.csv", in: folder)
        let noise: [(String, Double)] = [
            ("rate_hz", model.rateHertz), ("gyro_noise_density", model.gyroNoiseDensity),
            ("gyro_bias_walk", model.gyroBiasWalk), ("gyro_bias_sigma", model.gyroBiasSigma),
            ("accel_noise_density", model.accelerometerNoiseDensity),
            ("accel_bias_walk", model.accelerometerBiasWalk), ("accel_bias_sigma", model.accelerometerBiasSigma),
        ]
        let lines = noise.map { "  \"\($0.0)\": \($0.1)" }
        try write("{\n" + lines.joined(separator: ",\n") + "\n}\n", "imu.json", in: folder)
    }

    private func cameraFile() -> String {
        var fields = [
            "\"width\": \(intrinsics.width)", "\"height\": \(intrinsics.height)", "\"fps\": \(camera.framesPerSecond)",
            "\"fx\": \(intrinsics.fx)", "\"fy\": \(intrinsics.fy)", "\"cx\": \(intrinsics.cx)",
            "\"cy\": \(intrinsics.cy)",
        ]
        switch intrinsics.distortion {
        case .none: fields.append("\"distortion_model\": \"none\"")
        case .radialTangential(let k1, let k2, let p1, let p2, let k3):
            fields += [
                "\"distortion_model\": \"radtan\"", "\"k1\": \(k1)", "\"k2\": \(k2)", "\"p1\": \(p1)", "\"p2\": \(p2)",
                "\"k3\": \(k3)",
            ]
        case .fisheye(let k1, let k2, let k3, let k4):
            fields += [
                "\"distortion_model\": \"fisheye\"", "\"k1\": \(k1)", "\"k2\": \(k2)", "\"k3\": \(k3)",
                "\"k4\": \(k4)",
            ]
        }
        return "{\n  " + fields.joined(separator: ",\n  ") + "\n}\n"
    }

    private func write(_ text: String, _ name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private static func fileName(_ index: Int) -> String { String(format: "%05d.png", index) }

    private static func png(of frame: Frame) -> Data {
        let luma = frame.pixels.luma
        return GrayPNGWriter.encode(
            UnsafeBufferPointer(start: luma.base, count: luma.bytesPerRow * luma.height), width: luma.width,
            height: luma.height, bytesPerRow: luma.bytesPerRow)
    }

    private static func text(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }

    private static func row(_ values: [Double], _ decimals: Int) -> String {
        values.map { text($0, decimals) }.joined(separator: ",") + "\n"
    }
}

/// Counts what depth pictures saw of each true surface.
private struct SeenSurfaces {
    private struct Tally {
        var pictures = 0
        var peakPixels = 0
        var firstSeconds: Double?
    }

    /// Of a picture, as in other rendered sequences: 80 pixels of 640 × 480.
    private static let leastSeenShare = 80.0 / (640 * 480)

    private let planes: [SyntheticPlane]
    private var tallies: [Tally]

    init(_ planes: [SyntheticPlane]) {
        self.planes = planes
        tallies = planes.map { _ in Tally() }
    }

    /// Every second pixel both ways is looked at, and stands for four.
    mutating func look(_ depths: [Float], intrinsics: CameraIntrinsics, worldFromCamera: Pose, seconds: Double) {
        var counts = [Int](repeating: 0, count: planes.count)
        for y in stride(from: 0, to: intrinsics.height, by: 2) {
            for x in stride(from: 0, to: intrinsics.width, by: 2) {
                let depth = Double(depths[y * intrinsics.width + x])
                guard depth > 0 else { continue }
                let point = worldFromCamera * (depth * intrinsics.unproject(SIMD2(Double(x), Double(y))))
                if let plane = planes.firstIndex(where: { Self.holds($0, point, seenFrom: worldFromCamera.position) }) {
                    counts[plane] += 4
                }
            }
        }
        let least = Self.leastSeenShare * Double(intrinsics.width * intrinsics.height)
        for (index, count) in counts.enumerated() where Double(count) >= least {
            tallies[index].pictures += 1
            tallies[index].peakPixels = max(tallies[index].peakPixels, count)
            tallies[index].firstSeconds = tallies[index].firstSeconds ?? seconds
        }
    }

    /// Within 3 mm of it (things that lie flat on it count as part of it) and inside its four corners.
    private static func holds(_ plane: SyntheticPlane, _ point: SIMD3<Double>, seenFrom eye: SIMD3<Double>) -> Bool {
        let offset = point - plane.center
        guard abs(offset.dot(plane.normal)) < 0.003, (eye - plane.center).dot(plane.normal) > 0 else { return false }
        let right = plane.polygon[1] - plane.polygon[0]
        let up = plane.polygon[3] - plane.polygon[0]
        return abs(offset.dot(right)) <= right.lengthSquared / 2 && abs(offset.dot(up)) <= up.lengthSquared / 2
    }

    func file() -> String {
        func numbers(_ p: SIMD3<Double>) -> String {
            "[" + [p.x, p.y, p.z].map { String(format: "%.6f", $0) }.joined(separator: ", ") + "]"
        }
        let items = zip(planes, tallies).map { plane, tally in
            let seen =
                "{\"depth_frames\": \(tally.pictures), \"peak_pixels\": \(tally.peakPixels), "
                + "\"first_t\": \(tally.firstSeconds.map { String(format: "%.6f", $0) } ?? "null")}"
            return
                "  {\"id\": \(plane.id), \"label\": \"\(plane.label)\", \"alignment\": \"\(plane.alignment.rawValue)\", "
                + "\"normal\": \(numbers(plane.normal)), \"point\": \(numbers(plane.center)), "
                + "\"polygon\": [\(plane.polygon.map(numbers).joined(separator: ", "))], "
                + "\"area_m2\": \(String(format: "%.6f", plane.area)), \"seen\": \(seen)}"
        }
        return "{\"planes\": [\n" + items.joined(separator: ",\n") + "\n]}\n"
    }
}
