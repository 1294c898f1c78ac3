import Foothold
import Foundation
import Testing

/// `foothold calibrate` with boards whose camera is known.
@Suite struct CalibrateTests {
    static let truth = CameraIntrinsics(
        width: 640, height: 480, fx: 542, fy: 540, cx: 325, cy: 236,
        distortion: .radialTangential(k1: -0.12, k2: 0.05, p1: 0.0004, p2: -0.0006, k3: 0))

    /// A camera that sees a board from all sides, as a recording.
    private func record(_ board: CalibrationBoard, to path: String, views: [BoardView]) throws {
        var info = SourceInfo(name: "camera", kind: .camera, width: 640, height: 480, nominalFrameRate: 30)
        info.intrinsics = nil
        let recording = try CameraRecording(path: path, info: info)
        let painter = try BoardPainter(board)
        var index = 0
        for view in views {
            // Held still for a moment, as people do.
            let picture = painter.picture(view)
            for _ in 0..<2 {
                try recording.append(
                    Frame(index: index, timestampNanoseconds: Int64(index) * 33_333_333, pixels: picture))
                index += 1
            }
        }
        try recording.finish()
    }

    @Test(arguments: [CalibrationBoard.Kind.chessboard, .charuco])
    func theCameraIsFoundFromARecordingOfABoard(kind: CalibrationBoard.Kind) throws {
        let folder = try TemporaryFolder()
        let board = CalibrationBoard(kind: kind, columns: 9, rows: 6)
        try record(board, to: folder.file("board.nut").path, views: BoardView.all)
        let outcome = try Command.run(
            ["calibrate", "board.nut", "--board", kind.rawValue, "--squares", "9x6", "--out", "camera.json"],
            in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Focal length 54"))
        let text = try Data(contentsOf: folder.file("camera.json"))
        let found = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        func number(_ key: String) throws -> Double { try #require(found[key] as? Double, "\(key)") }
        #expect(abs(try number("fx") - 542) < 0.01 * 542)
        #expect(abs(try number("fy") - 540) < 0.01 * 540)
        #expect(abs(try number("cx") - 325) < 4)
        #expect(abs(try number("cy") - 236) < 4)
        #expect(try number("reprojection_error_pixels") < 0.3)
        // It is what --camera reads.
        let source = try FrameSources.open(
            folder.file("board.nut").path, options: .init(cameraFile: folder.file("camera.json").path))
        #expect(source.info.intrinsics?.fx == (try number("fx")))
    }

    /// Nobody shows a board for minutes twice because a disk was full.
    @Test func aCalibrationThatCannotBeWrittenIsPrinted() throws {
        let folder = try TemporaryFolder()
        let board = CalibrationBoard(kind: .chessboard, columns: 9, rows: 6)
        try record(board, to: folder.file("board.nut").path, views: BoardView.all)
        let pipe = Pipe()
        let outcome = try Command.run(
            [
                "-c", "ulimit -f 0; exec \"$0\" calibrate board.nut --squares 9x6 --out camera.json 2>&1",
                Command.folder.appendingPathComponent("foothold").path,
            ], executable: URL(fileURLWithPath: "/bin/sh"), in: folder.url, output: pipe)
        try pipe.fileHandleForWriting.close()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(outcome.status == 1)
        #expect(output.contains("Focal length 54") && !output.contains("Written to"), "\(output)")
        #expect(output.contains("foothold: the calibration isn't saved: "), "\(output)")
        let start = try #require(output.firstIndex(of: "{"))
        let end = try #require(output.lastIndex(of: "}"))
        let found = try JSONSerialization.jsonObject(with: Data(output[start...end].utf8)) as? [String: Any]
        #expect(abs(try #require(found?["fx"] as? Double) - 542) < 0.01 * 542)
        #expect(folder.contents == ["board.nut"])
    }

    @Test func aLiveCameraIsCalibratedAndRememberedAndGuidedInWords() throws {
        let folder = try TemporaryFolder()
        let painter = try BoardPainter(CalibrationBoard(columns: 9, rows: 6))
        var bytes: [UInt8] = []
        for view in BoardView.all {
            let luma = painter.picture(view).luma
            let rows = (0..<luma.height).flatMap { y in
                UnsafeBufferPointer(start: luma.base + y * luma.bytesPerRow, count: luma.width)
            }
            for _ in 0..<3 { bytes += rows }
        }
        try Data(bytes).write(to: folder.file("board.raw"))
        let settings = [
            "width": "640", "height": "480", "rate": "15", "order": "loop", "frames": folder.file("board.raw").path,
        ]
        var environment = try FakeCamera.environment(settings)
        environment["XDG_CONFIG_HOME"] = folder.url.path
        let outcome = try Command.run(
            ["calibrate", "--squares", "9x6", "--duration", "20"], in: folder.url, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("show it the board from all sides"))
        #expect(outcome.errors.contains("of about 20 views: "))
        #expect(outcome.output.contains("Focal length 54"))
        // The next session uses it without asking.
        let session = try CameraSession(
            settings, ["--events", "-"], seconds: 1, environment: ["XDG_CONFIG_HOME": folder.url.path])
        #expect(session.messages.contains("the calibration of this camera is used"))
        let camera = try #require(try session.lines("session").first { $0["event"] as? String == "camera" })
        #expect(camera["source"] as? String == "calibrated")
    }

    @Test func aRecordingWithoutABoardIsSaidToHaveNone() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["calibrate", Clips.fixture("large.mp4").path, "--squares", "9x6"], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("no board of 9×6 squares was seen"))
        #expect(folder.contents.isEmpty)
    }

    @Test func viewsThatAreAllAlikeAreNoCalibration() throws {
        let folder = try TemporaryFolder()
        let board = CalibrationBoard(columns: 9, rows: 6)
        try record(board, to: folder.file("board.nut").path, views: Array(repeating: BoardView.all[0], count: 5))
        let outcome = try Command.run(["calibrate", "board.nut", "--squares", "9x6"], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("show it from more sides"))
    }

    @Test func aBoardCanBePrinted() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["calibrate", "--board", "charuco", "--squares", "7x5", "--print", "board.png"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let picture = try #require(try FrameSources.open(folder.url.path).nextFrame())
        #expect(picture.pixels.width == 9 * 160 && picture.pixels.height == 7 * 160)
    }

    @Test(arguments: ["", "-", "folder", "missing/board.png", "pipe", "board.jpg"])
    func aBoardIsPrintedToPlainFilesAlone(path: String) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        try #require(mkfifo(folder.file("pipe").path, 0o600) == 0)
        let outcome = try Command.run(["calibrate", "--print", path], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("--print"), "\(outcome.errors)")
        #expect(folder.contents == ["folder", "pipe"])
    }

    @Test(arguments: [["--print", "letter"], ["pictures", "--out", "letter"]])
    func whatIsNoneOfItsOwnIsNotReplaced(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let letter = Data("a letter".utf8)
        try letter.write(to: folder.file("letter"))
        let outcome = try Command.run(["calibrate"] + arguments, in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("letter: there is a file of that name, and it isn't a "), "\(outcome.errors)")
        #expect(try Data(contentsOf: folder.file("letter")) == letter)
    }

    @Test func aCalibrationDoesNotReplaceItsRecording() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(at: Clips.sampleVideo, to: folder.file("board.mp4"))
        let before = try Data(contentsOf: folder.file("board.mp4"))
        let outcome = try Command.run(["calibrate", "board.mp4", "--out", "./board.mp4"], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("the recording and --out are the same file"), "\(outcome.errors)")
        #expect(try Data(contentsOf: folder.file("board.mp4")) == before)
    }

    @Test func stoppingBeforeTheBoardWasSeenIsSaid() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(
            ["calibrate", "--squares", "9x6"], in: folder.url, environment: FakeCamera.environment([:])
        ) {
            usleep(1_500_000)
            kill($0.processIdentifier, SIGTERM)
        }
        #expect(outcome.reason == .exit)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("stopped before the board was seen, so nothing was written"))
    }

    @Test(arguments: [["--board", "circles"], ["--squares", "2x2"], ["--board", "charuco", "--squares", "12x10"]])
    func aBoardThatMakesNoSenseIsRefused(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run(["calibrate"] + arguments, in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    }
}

/// Where a board is: its middle in front of the camera, and its turns.
struct BoardView {
    /// Metres in the camera's computer-vision axes.
    var middle: SIMD3<Double>
    /// Radians about the picture's x and y axes.
    var tiltX: Double
    var tiltY: Double

    /// Into all corners, near and far, tilted to all sides.
    static let all: [BoardView] = {
        var views = [BoardView(middle: SIMD3(0, 0, 0.4), tiltX: 0, tiltY: 0)]
        for (number, (x, y)) in [(-1.0, -1.0), (1, 1), (1, -1), (-1, 1), (0, -1), (0, 1), (-1, 0), (1, 0)].enumerated()
        {
            let tilt = number % 2 == 0 ? 0.5 : -0.5
            views.append(
                BoardView(
                    middle: SIMD3(x * 0.14, y * 0.11, 0.45), tiltX: number % 3 == 0 ? tilt : 0.1,
                    tiltY: number % 3 == 0 ? 0.1 : tilt))
        }
        for (x, y) in [(0.01, 0.01), (-0.01, -0.01), (0.02, -0.02)] {
            views.append(BoardView(middle: SIMD3(x, y, 0.24), tiltX: 10 * x, tiltY: 10 * y))
        }
        for (x, y) in [(-0.5, 0.0), (0.5, 0), (0, 0.5), (0, -0.5), (0.45, 0.45), (-0.45, -0.45)] {
            views.append(BoardView(middle: SIMD3(0.02 * x, 0.02 * y, 0.33), tiltX: x, tiltY: y))
            views.append(BoardView(middle: SIMD3(0.1 * y, 0.1 * x, 0.6), tiltX: -x, tiltY: -y))
        }
        return views
    }()
}

/// Draws what a camera with a lens sees of a board on a grey wall.
struct BoardPainter {
    private let board: CalibrationBoard
    private let drawn: (width: Int, height: Int, luma: [UInt8])
    private static let pixelsPerSquare = 40
    /// The directions of each pixel's four quarters, as the lens bends them.
    private static let directions: [SIMD3<Double>] = {
        var directions: [SIMD3<Double>] = []
        for y in 0..<CalibrateTests.truth.height {
            for x in 0..<CalibrateTests.truth.width {
                for (right, down) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
                    directions.append(CalibrateTests.truth.unproject(SIMD2(Double(x) + right, Double(y) + down)))
                }
            }
        }
        return directions
    }()

    init(_ board: CalibrationBoard) throws {
        self.board = board
        drawn = try #require(board.drawn(pixelsPerSquare: Self.pixelsPerSquare))
    }

    func picture(_ view: BoardView) -> PixelBuffer {
        let (sx, cx, sy, cy) = (sin(view.tiltX), cos(view.tiltX), sin(view.tiltY), cos(view.tiltY))
        // The board's axes in the camera's.
        let right = SIMD3(cy, 0, -sy)
        let down = SIMD3(sx * sy, cx, sx * cy)
        let normal = SIMD3(cx * sy, -sx, cx * cy)
        let distance = normal.x * view.middle.x + normal.y * view.middle.y + normal.z * view.middle.z
        let scale = Double(Self.pixelsPerSquare) / board.squareMetres
        let (middleX, middleY) = (Double(drawn.width) / 2, Double(drawn.height) / 2)
        let camera = CalibrateTests.truth
        var luma = [UInt8](repeating: 0, count: camera.width * camera.height)
        Self.directions.withUnsafeBufferPointer { directions in
            drawn.luma.withUnsafeBufferPointer { board in
                for pixel in luma.indices {
                    var sum = 0.0
                    for d in directions[4 * pixel..<4 * pixel + 4] {
                        let t = distance / (normal.x * d.x + normal.y * d.y + normal.z * d.z)
                        let p = SIMD3(d.x * t - view.middle.x, d.y * t - view.middle.y, d.z * t - view.middle.z)
                        let u = (p.x * right.x + p.y * right.y + p.z * right.z) * scale + middleX
                        let v = (p.x * down.x + p.y * down.y + p.z * down.z) * scale + middleY
                        let isOnIt = t > 0 && u >= 0 && v >= 0 && u < Double(drawn.width) && v < Double(drawn.height)
                        sum += isOnIt ? 30 + 0.75 * Double(board[Int(v) * drawn.width + Int(u)]) : 110
                    }
                    luma[pixel] = UInt8(sum / 4 + 0.5)
                }
            }
        }
        return PixelBuffer(copyingLuma: luma, width: camera.width, height: camera.height)
    }
}
