import ArgumentParser
import Foothold
import Foundation

struct CalibrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Finds a camera's focal length and lens with a board that is shown to it.",
        discussion: """
            Print a board (--print board.png draws it), glue it to something flat, and move it in front of the camera: into \
            all corners, near and far, tilted to all sides. The result is remembered for this camera and mode, and \
            'foothold camera' uses it from then on.
            """)

    @Argument(help: "The camera, such as /dev/video0, or a recording; by default the first camera.")
    var input: String?

    @Option(help: ArgumentHelp("The kind of board: chessboard or charuco.", valueName: "kind"))
    var board = "chessboard"

    @Option(help: ArgumentHelp("How many squares the board has, across and down.", valueName: "CxR"))
    var squares = "10x7"

    @Option(
        parsing: .unconditional, help: ArgumentHelp("The side of a square, in millimetres.", valueName: "mm"))
    var square = 25.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ChArUco: the side of a marker, in millimetres; by default three quarters of a square's.", valueName: "mm"))
    var marker: Double?

    @Option(help: ArgumentHelp("ChArUco: the markers' dictionary: 4x4, 5x5 or 6x6.", valueName: "name"))
    var dictionary = "4x4"

    @OptionGroup var choice: CameraChoice

    @Option(
        help: ArgumentHelp(
            "Write the calibration there too; without it a recording's goes to camera.json.", valueName: "file"))
    var out: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop looking through a camera after so many seconds.", valueName: "seconds"))
    var duration = 300.0

    @Option(help: ArgumentHelp("Draw the board as a picture for printing, and do nothing else.", valueName: "file.png"))
    var print: String?

    private func parsedBoard() throws -> CalibrationBoard {
        guard let kind = CalibrationBoard.Kind(rawValue: board) else {
            throw ValidationError("--board \(ShownText.name(board)): choose chessboard or charuco")
        }
        let numbers = squares.lowercased().replacing("×", with: "x").split(separator: "x").map { Int($0) }
        guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1], (3...20).contains(columns),
            (3...20).contains(rows)
        else { throw ValidationError("--squares \(squares): write how many across and down, such as 10x7") }
        guard square > 0, square.isFinite else { throw ValidationError("--square is a number of millimetres above 0") }
        let share = (marker ?? 0.75 * square) / square
        guard (0.3...0.95).contains(share) else {
            throw ValidationError("--marker is between a third of a square's side and nearly all of it")
        }
        guard let bits = ["4x4": 4, "5x5": 5, "6x6": 6][dictionary.lowercased()] else {
            throw ValidationError("--dictionary \(dictionary): choose 4x4, 5x5 or 6x6")
        }
        guard kind == .chessboard || columns * rows / 2 <= 50 else {
            throw ValidationError(
                "--squares \(squares): a charuco board has at most 50 markers here, such as 10x7 squares")
        }
        return CalibrationBoard(
            kind: kind, columns: columns, rows: rows, squareMetres: square / 1000, markerShare: share, markerBits: bits)
    }

    func validate() throws {
        _ = try parsedBoard()
        _ = try choice.wish()
        guard duration > 0, duration.isFinite else {
            throw ValidationError("--duration is a number of seconds above 0")
        }
        if input?.isEmpty == true {
            throw ValidationError(
                "the camera's name is empty: write /dev/video0, or nothing for the first that is there")
        }
    }

    func run() throws {
        let board = try parsedBoard()
        if let print { return try draw(board, to: print) }
        var options = CalibrationJob.Options()
        options.board = board
        options.wish = try choice.wish()
        options.durationSeconds = duration
        let isRecording = input.map { !$0.hasPrefix("/dev/") } ?? false
        options.output = out ?? (isRecording ? "camera.json" : nil)
        let interrupts = Interrupts()
        let bar = ProgressBar(label: input ?? "camera")
        defer { bar.finish() }
        let report = try CalibrationJob(input: input, options: options).run(
            cancellation: interrupts.cancellation,
            onMessage: {
                bar.finish()
                Failure.say($0)
            }, onProgress: { bar.update(done: Int($0.share * 1000), total: 1000) })
        bar.finish()
        for line in lines(report) { Swift.print(line) }
        guard !report.failures.isEmpty else { return }
        // Better copied from the terminal than lost.
        if report.files.isEmpty { Swift.print(report.result.text) }
        throw CalibrationNotSavedError("the calibration isn't saved: \(report.failures.joined(separator: "; "))")
    }

    private func lines(_ report: CalibrationJob.Report) -> [String] {
        let result = report.result
        let camera = result.intrinsics
        func decimal(_ value: Double, _ places: Int = 2) -> String { String(format: "%.\(places)f", value) }
        let angle = 2 * atan(Double(camera.width) / (2 * camera.fx)) * 180 / .pi
        var lines = [
            "Focal length \(decimal(camera.fx, 1)) × \(decimal(camera.fy, 1)) pixels (± \(decimal(result.focalDeviationPixels, 1))), "
                + "which sees \(decimal(angle, 1))° across \(camera.width)×\(camera.height) pixels.",
            "Corners are \(decimal(result.errorPixels)) pixels from where it puts them, in \(result.viewCount) views"
                + (result.leftOutCount > 0 ? "; \(result.leftOutCount) didn't fit and were left out." : "."),
        ]
        if result.errorPixels > 1 {
            lines.append("That is much: is the board flat, and sharp in the picture? Do it once more.")
        }
        if !report.missing.isEmpty {
            lines.append("It would be better still with more: \(report.missing.prefix(3).joined(separator: "; ")).")
        }
        if !report.files.isEmpty { lines.append("Written to \(report.files.joined(separator: " and ")).") }
        return lines
    }

    private func draw(_ board: CalibrationBoard, to path: String) throws {
        try CalibrationJob.checkPrintable(to: path)
        guard let picture = board.drawn(pixelsPerSquare: 160) else {
            throw ValidationError("such a board cannot be drawn: change --squares")
        }
        try writePNG(
            path: path, rgba: picture.luma.flatMap { [$0, $0, $0, 255] }, width: picture.width, height: picture.height)
        Swift.print("Print \(path) without scaling to the page, measure a square, and name its side with --square.")
    }
}
