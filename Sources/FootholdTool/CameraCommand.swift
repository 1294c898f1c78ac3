import ArgumentParser
import Foothold
import Foundation

struct CameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "Follows a live camera, finds its surfaces and keeps objects standing on them.",
        discussion: """
            Runs until --duration is over, Ctrl-C, or a polite request to end (SIGTERM); a second one shortens the work \
            of the end. A camera that is unplugged is waited for. Commands come as JSON Lines on standard input, and each is answered on standard output: \
            {"command": "place", "name": "chair", "pixel": [320, 240]}; the others are select, move, turn, remove, undo, \
            redo, reset, save and status. docs/camera.md tells all of it.
            """)

    @Argument(help: "The camera, such as /dev/video0; by default the first that is there.")
    var device: String?

    @OptionGroup var choice: CameraChoice

    @Option(
        help: ArgumentHelp(
            "The camera's calibration; by default what 'foothold calibrate' remembered for it.", valueName: "file"))
    var camera: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Stop after so many seconds.", valueName: "seconds"))
    var duration: Double?

    @Option(help: ArgumentHelp("Write the files that 'process' writes into this folder.", valueName: "dir"))
    var out: String?

    @Flag(help: "Draw annotated.mp4 into --out too, as far as drawing keeps up.")
    var video = false

    @Option(help: ArgumentHelp("Send events as JSON Lines while they happen; - is standard output.", valueName: "-"))
    var events: String?

    @Option(
        help: ArgumentHelp("Record what the camera saw, for 'foothold process' to replay (.nut).", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Put an object there, as a tap would: chair@320,240@3 or box@0.5,0.6.", valueName: "name@x,y[@seconds]"))
    var place: [String] = []

    @OptionGroup var worlds: WorldOptions

    @Flag(help: "Hold exposure, gain and white balance still after three seconds.")
    var lockExposure = false

    @Option(help: ArgumentHelp("The language of the hints: en or ko.", valueName: "code"))
    var language = "en"

    func validate() throws {
        if let duration, !(duration > 0 && duration.isFinite) {
            throw ValidationError("--duration is a number of seconds above 0")
        }
        if device?.isEmpty == true {
            throw ValidationError(
                "the camera's name is empty: write /dev/video0, or nothing for the first that is there")
        }
        if let events, events != "-" { throw ValidationError("--events goes to standard output: write --events -") }
        if video, out == nil { throw ValidationError("--video needs a folder to draw into: add --out DIR") }
        _ = try choice.wish()
    }

    func run() throws {
        // A reader that goes away shows as an error when writing, and must not end the session.
        signal(SIGPIPE, SIG_IGN)
        // Reading from a terminal in the background would stop the whole process.
        signal(SIGTTIN, SIG_IGN)
        // What can be read is written live: a terminal that closes is no reason to end.
        signal(SIGHUP, SIG_IGN)
        var options = LiveJob.Options(camera: CameraOptions(path: device))
        options.camera.wish = try choice.wish()
        options.camera.cameraFile = camera
        options.camera.lockExposureAfterSeconds = lockExposure ? 3 : nil
        options.placements = try place.map { try PlacementRequest(parsing: $0) }
        options.worldFile = worlds.world
        options.savedWorldFile = worlds.saveWorld
        options.language = language
        options.durationSeconds = duration
        options.output = out
        options.writesVideo = video
        options.recording = record
        options.eventsDescriptor = events == nil ? nil : STDOUT_FILENO
        options.commandsDescriptor = STDIN_FILENO
        let messages = Messages()
        defer { messages.finish() }
        // Before the camera is opened, which may take a while.
        let interrupts = Interrupts(canHurry: options.hasReview)
        let job = try LiveJob(options: options) { messages.say($0) }
        interrupts.whenEndingAtOnce(job.abandon)
        let bar = ProgressBar(label: job.info.name)
        defer { bar.finish() }
        let report = try job.run(
            cancellation: interrupts.cancellation, hurry: interrupts.hurry,
            onStart: { messages.say("\(job.cameraText); Ctrl-C ends it") },
            onProgress: { bar.update(done: $0, total: nil) })
        bar.finish()
        for notice in report.notices { messages.say(notice) }
        let lines = ReportText.lines(report, output: job.output)
        if events == nil {
            messages.finish()
            for line in lines { print(line) }
        } else {
            for line in lines { messages.say(line) }
            messages.finish()
        }
        if let failure = report.failure { throw failure }
    }
}

/// How the camera is to be run.
struct CameraChoice: ParsableArguments {
    @Option(help: ArgumentHelp("The pictures' size; by default what serves tracking best.", valueName: "WxH"))
    var size: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Frames a second.", valueName: "number"))
    var rate: Double?

    @Option(help: ArgumentHelp("The pixel format: grey, nv12, yu12, yuyv, uyvy or mjpg.", valueName: "name"))
    var format: String?

    func wish() throws -> CameraWish {
        var wish = CameraWish()
        if let size {
            let numbers = size.lowercased().replacing("×", with: "x").split(separator: "x").map { Int($0) }
            guard numbers.count == 2, let width = numbers[0], let height = numbers[1], width > 0, height > 0 else {
                throw ValidationError("--size \(ShownText.name(size)): write it as 640x480")
            }
            (wish.width, wish.height) = (width, height)
        }
        if let rate {
            guard rate > 0, rate.isFinite else {
                throw ValidationError("--rate is a number of frames a second above 0")
            }
            wish.rate = rate
        }
        if let format {
            guard let known = CameraFormat(named: format) else {
                throw ValidationError(
                    "--format \(ShownText.name(format)): choose one of grey, nv12, yu12, yuyv, uyvy, mjpg")
            }
            wish.format = known
        }
        return wish
    }
}
