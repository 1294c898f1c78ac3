import FootholdScene

/// A camera's calibration as a file states it, before it is fitted to the pictures.
struct Calibration {
    let name: String
    /// Nil where the file names no size: then it is taken to be for the pictures at hand.
    var size: (width: Int, height: Int)?
    var fx, fy, cx, cy: Double
    var distortion: CameraIntrinsics.Distortion

    /// Reads `intrinsics.json`, OpenCV's and ROS's YAML or JSON, EuRoC's `sensor.yaml` and Kalibr's camera chain.
    init(file path: String) throws {
        try self.init(ConfigValue.read(path, failure: .badCalibration), name: FileAccess.name(path))
    }

    /// - Parameter name: for messages.
    init(_ root: ConfigValue, name: String) throws {
        let value = root["cam0"] ?? root
        func bad(_ reason: String) -> CaptureError {
            CaptureError(.badCalibration, "the camera calibration \"\(name)\" \(reason)")
        }
        guard let numbers = Calibration.pinhole(value) else {
            throw bad("names no focal length and centre: give width, height, fx, fy, cx and cy")
        }
        self.name = name
        (fx, fy, cx, cy) = (numbers[0], numbers[1], numbers[2], numbers[3])
        size = Calibration.size(value)
        do {
            distortion = try Calibration.distortion(value)
        } catch let problem as DistortionProblem {
            throw bad(problem.reason)
        }
        guard numbers.allSatisfy(\.isFinite) else {
            throw bad("has a focal length or centre that is no number: calibrate again")
        }
        guard fx > 0, fy > 0 else {
            throw bad("has a focal length that is not above zero: fx and fy are in pixels")
        }
        guard (0.2...5).contains(fx / fy) else {
            throw bad("has focal lengths fx and fy that do not belong together: check both")
        }
    }

    init(
        name: String, width: Int, height: Int, fx: Double, fy: Double, cx: Double, cy: Double,
        distortion: CameraIntrinsics.Distortion
    ) {
        self.name = name
        size = (width, height)
        (self.fx, self.fy, self.cx, self.cy) = (fx, fy, cx, cy)
        self.distortion = distortion
    }

    /// The calibration for pictures of the given size, and by how many clockwise quarter turns it had to be turned:
    /// a calibration for the camera held level fits a recording that was turned upright by `rotationDegrees`, after left
    /// and right were swapped where it `isMirrored`. One of the shown pictures' shape is taken to be for these.
    func fitted(toWidth width: Int, height: Int, rotationDegrees: Int, isMirrored: Bool) throws -> (
        intrinsics: CameraIntrinsics, quarterTurns: Int
    ) {
        let size = self.size ?? (width, height)
        guard size.width > 0, size.height > 0 else {
            throw CaptureError(
                .badCalibration,
                "the camera calibration \"\(name)\" has no sensible picture size: give width and height")
        }
        var intrinsics = CameraIntrinsics(
            width: size.width, height: size.height, fx: fx, fy: fy, cx: cx, cy: cy, distortion: distortion)
        let longest = Double(max(size.width, size.height))
        guard (-0.5...Double(size.width) - 0.5).contains(cx), (-0.5...Double(size.height) - 0.5).contains(cy) else {
            throw CaptureError(
                .badCalibration,
                "the camera calibration \"\(name)\" has its centre outside the picture"
                    + " (\(size.width)×\(size.height)): check cx, cy and the size")
        }
        guard fx > 0.1 * longest, fx < 50 * longest else {
            throw CaptureError(
                .badCalibration,
                "the camera calibration \"\(name)\" has a focal length that no camera has for"
                    + " \(size.width)×\(size.height) pixels: fx and fy are in pixels")
        }
        guard !intrinsics.foldsBack else {
            throw CaptureError(
                .badCalibration,
                "the camera calibration \"\(name)\" has a lens that folds the picture back on itself: calibrate again")
        }
        var turns = 0
        if !intrinsics.fits(width: width, height: height), rotationDegrees % 180 == 90,
            intrinsics.fits(width: height, height: width)
        {
            turns = rotationDegrees / 90
            if isMirrored { intrinsics = intrinsics.mirrored }
            for _ in 0..<turns { intrinsics = intrinsics.turnedClockwise }
        }
        guard intrinsics.fits(width: width, height: height) else {
            throw CaptureError(
                .badCalibration,
                "the camera calibration \"\(name)\" is for \(size.width)×\(size.height) pictures and these are"
                    + " \(width)×\(height), which is another shape: calibrate in the mode that was recorded in")
        }
        if intrinsics.width != width || intrinsics.height != height {
            intrinsics = intrinsics.scaled(toWidth: width, height: height)
        }
        return (intrinsics, turns)
    }

    private static func pinhole(_ value: ConfigValue) -> [Double]? {
        let named = ["fx", "fy", "cx", "cy"].compactMap { value[$0]?.number }
        if named.count == 4 { return named }
        if let matrix = value.first("camera_matrix", "cameraMatrix", "Camera_Matrix", "K", "k", "intrinsic_matrix"),
            let numbers = (matrix["data"] ?? matrix).flattenedNumbers, numbers.count == 9
        {
            return [numbers[0], numbers[4], numbers[2], numbers[5]]
        }
        if let numbers = value["intrinsics"]?.flattenedNumbers, numbers.count == 4 { return numbers }
        return nil
    }

    private static func size(_ value: ConfigValue) -> (width: Int, height: Int)? {
        var numbers = value.first("resolution", "image_size", "imageSize", "img_size")?.flattenedNumbers ?? []
        if numbers.count != 2 {
            let width = value.first("width", "image_width", "image_Width", "imageWidth")?.number
            let height = value.first("height", "image_height", "image_Height", "imageHeight")?.number
            guard let width, let height else { return nil }
            numbers = [width, height]
        }
        // Zero is refused where the calibration is fitted to the pictures.
        guard numbers.allSatisfy({ $0 >= 1 && $0 <= 100_000 }) else { return (0, 0) }
        return (Int(numbers[0]), Int(numbers[1]))
    }
}

/// Why a file's lens distortion cannot be used.
private struct DistortionProblem: Error {
    let reason: String
}

extension Calibration {
    private static func distortion(_ value: ConfigValue) throws -> CameraIntrinsics.Distortion {
        var numbers: [Double] = []
        let list = value.first(
            "distortion_coefficients", "Distortion_Coefficients", "distortion_coeffs", "dist_coeffs", "dist_coeff",
            "distCoeffs", "D", "d")
        let hasList = list != nil
        if let list, let flat = (list["data"] ?? list).flattenedNumbers { numbers = flat }
        let model = value["distortion_model"]?.string?.lowercased()
        let isFisheye =
            ["fisheye", "equidistant", "kannala_brandt", "kannala-brandt", "kb4"].contains(model ?? "")
            || (value["fisheye_model"]?.number ?? 0) != 0
        let known = ["radtan", "radial-tangential", "radial_tangential", "plumb_bob", "brown", "opencv", "none", ""]
        guard isFisheye || known.contains(model ?? "") else {
            throw DistortionProblem(
                reason: "uses the lens model \"\(model ?? "")\": write it as none, radtan (k1 k2 p1 p2 k3) or fisheye")
        }
        if !hasList {
            let names = isFisheye ? ["k1", "k2", "k3", "k4"] : ["k1", "k2", "p1", "p2", "k3"]
            for name in names {
                guard let entry = value[name] else {
                    numbers.append(0)
                    continue
                }
                guard let number = entry.number else {
                    throw DistortionProblem(reason: "has a \(name) that is no number: calibrate again")
                }
                numbers.append(number)
            }
        }
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e4 }) else {
            throw DistortionProblem(reason: "has a lens coefficient that makes no sense: calibrate again")
        }
        if numbers.allSatisfy({ $0 == 0 }) && (!isFisheye || model == "none") { return .none }
        guard model != "none" else {
            throw DistortionProblem(
                reason: "says distortion_model none, but has lens coefficients: write radtan or fisheye there")
        }
        if isFisheye {
            guard numbers.count == 4 else {
                throw DistortionProblem(reason: "has \(numbers.count) fisheye coefficients: give four, k1 to k4")
            }
            return .fisheye(k1: numbers[0], k2: numbers[1], k3: numbers[2], k4: numbers[3])
        }
        guard numbers.count >= 4, numbers.dropFirst(5).allSatisfy({ $0 == 0 }) else {
            throw DistortionProblem(
                reason: "has \(numbers.count) lens coefficients: calibrate with four or five, k1 k2 p1 p2 k3")
        }
        return .radialTangential(
            k1: numbers[0], k2: numbers[1], p1: numbers[2], p2: numbers[3], k3: numbers.count > 4 ? numbers[4] : 0)
    }
}

extension CameraIntrinsics {
    /// Where things farther from the middle of the view are shown nearer to the middle of the picture, already before
    /// nine tenths of the way to its nearest edge. At its corners that happens to real lenses, whose coefficients weren't
    /// measured there.
    var foldsBack: Bool {
        let reach = 0.45 * min(Double(width) / fx, Double(height) / fy)
        var before = 0.0
        for step in 1...400 {
            let shown = distort(SIMD2(Double(step) * reach / 20, 0)).x
            if shown >= reach { return false }
            if shown <= before { return true }
            before = shown
        }
        return true
    }

    /// The same camera for its picture with left and right swapped: (x, y) goes to (width − 1 − x, y).
    var mirrored: CameraIntrinsics {
        var mirrored = self
        mirrored.cx = Double(width - 1) - cx
        if case .radialTangential(let k1, let k2, let p1, let p2, let k3) = distortion {
            // (p2, p1) is mirrored like a vector.
            mirrored.distortion = .radialTangential(k1: k1, k2: k2, p1: p1, p2: -p2, k3: k3)
        }
        return mirrored
    }

    /// The same camera for its picture turned by 90° clockwise: (x, y) goes to (height − 1 − y, x).
    var turnedClockwise: CameraIntrinsics {
        var turned = self
        (turned.width, turned.height) = (height, width)
        (turned.fx, turned.fy) = (fy, fx)
        (turned.cx, turned.cy) = (Double(height - 1) - cy, cx)
        if case .radialTangential(let k1, let k2, let p1, let p2, let k3) = distortion {
            // (p2, p1) turns like a vector.
            turned.distortion = .radialTangential(k1: k1, k2: k2, p1: p2, p2: -p1, k3: k3)
        }
        return turned
    }

    /// From a 35 mm equivalent focal length, which compares diagonals (that of 36 mm × 24 mm is 43.27 mm).
    static func fromMetadata(focalLength35mm: Double, width: Int, height: Int) -> CameraIntrinsics {
        let diagonal = Double(width * width + height * height).squareRoot()
        let focal = focalLength35mm * diagonal / Double(36 * 36 + 24 * 24).squareRoot()
        return CameraIntrinsics(
            width: width, height: height, fx: focal, fy: focal, cx: Double(width - 1) / 2, cy: Double(height - 1) / 2,
            source: .metadata)
    }
}
