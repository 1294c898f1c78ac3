import ArgumentParser
import Foothold
import Foundation

struct ProcessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "process",
        abstract: "Follows the camera through a recording, finds its surfaces and keeps objects standing on them.",
        discussion: """
            Writes session.jsonl, trajectory.tum, trajectory_refined.tum, surfaces.json, scene.glb, summary.json and \
            annotated.mp4 into one folder, which appears when all of them are whole. Ctrl-C ends it without any; after \
            the last frame it only shortens the work of the end, and all of them are written.
            """)

    @Argument(help: "A video file, an image folder, a sequence folder, or a TUM RGB-D or EuRoC folder.")
    var input: String

    @OptionGroup var recording: RecordingOptions

    @Option(
        help: ArgumentHelp(
            "Where to write; by default INPUT's name and '-foothold', here. Earlier results there are replaced.",
            valueName: "dir"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Put an object there, as a tap would: chair@320,240@3 or box@0.5,0.6.",
            discussion: """
                NAME is box, chair, cylinder or a glTF or OBJ file. X,Y are pixels of the upright picture, or shares \
                of it when both lie within 0…1 and one has a decimal point. SECONDS is when; by default at once. Can \
                be given more than once.
                """, valueName: "name@x,y[@seconds]"))
    var place: [String] = []

    @Option(
        help: ArgumentHelp(
            "Play these touches over the recording, as if a person had touched the picture: docs/gestures.md.",
            valueName: "file"))
    var gestures: String?

    @OptionGroup var worlds: WorldOptions

    @Option(help: ArgumentHelp("The language of the hints: en or ko.", valueName: "code"))
    var language = "en"

    @Flag(name: .customLong("no-video"), help: "Don't draw annotated.mp4.")
    var noVideo = false

    @Flag(name: .customLong("no-occlusion"), help: "Draw objects whole, also where something real is in front of them.")
    var noOcclusion = false

    @Flag(help: "Draw what is followed in the picture too.")
    var debugOverlay = false

    func run() throws {
        var options = ProcessJob.Options()
        options.cameraFile = recording.camera
        options.inertialFile = recording.imu
        options.placements = try place.map { try PlacementRequest(parsing: $0) }
        options.gesturesFile = gestures
        options.worldFile = worlds.world
        options.savedWorldFile = worlds.saveWorld
        options.language = language
        options.writesVideo = !noVideo
        options.hidesObjects = !noOcclusion
        options.showsDebugOverlay = debugOverlay
        let job = try ProcessJob(input: input, output: out ?? defaultOutput, options: options)
        let interrupts = Interrupts()
        interrupts.whenEndingAtOnce(job.abandon)
        let bar = ProgressBar(label: job.info.name)
        defer { bar.finish() }
        let report = try job.run(cancellation: interrupts.cancellation) { bar.update(done: $0, total: $1) }
        bar.finish()
        for notice in report.notices { Failure.say(notice) }
        print(ReportText.lines(report, output: job.output, writesVideo: !noVideo).joined(separator: "\n"))
    }

    private var defaultOutput: String {
        let name = URL(fileURLWithPath: input).standardizedFileURL.deletingPathExtension().lastPathComponent
        return "\(name)-foothold"
    }
}

/// The world from one session to the next.
struct WorldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Go on in this saved world: its objects stand where they stood as soon as the place is recognised.",
            valueName: "file"))
    var world: String?

    @Option(
        help: ArgumentHelp(
            "Save the world with its objects at the end, for --world. An earlier one of that name is replaced.",
            valueName: "file"))
    var saveWorld: String?
}

/// What can be said about a recording beside its name.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The camera's calibration: intrinsics.json, an OpenCV YAML or JSON file, or EuRoC's sensor.yaml.",
            valueName: "file"))
    var camera: String?

    @Option(help: ArgumentHelp("Inertial readings: t,gx,gy,gz,ax,ay,az in rad/s and m/s².", valueName: "file"))
    var imu: String?
}
