import CFootholdKernels
import FootholdCapture
import FootholdCoaching
import FootholdRendering
import Foundation

/// What this machine can do, and how to get what is missing. Everything is tried out rather than looked up.
public struct Capabilities: Hashable, Sendable, Encodable {
    public struct Item: Hashable, Sendable, Encodable {
        public enum Status: String, Hashable, Sendable, Encodable {
            case good, missing
        }

        /// Stable, for programs: `drawing`, `recordings.h264`, …
        public var id: String
        public var status: Status
        /// One line for people: what there is, or what is missing and how to get it.
        public var text: String
        /// What to type to get what is missing; nil where nothing is, or where no command helps.
        public var command: String?
        /// Of a camera that could be opened.
        public var camera: Camera?
    }

    /// A camera that could be opened.
    public struct Camera: Hashable, Sendable, Encodable {
        public var path: String
        /// The card's name.
        public var name: String
        public var driver: String
        public var formats: [String]
        public var modes: [String]

        init(_ camera: CameraDescription, formats: [String]) {
            (path, name, driver) = (camera.path, camera.name, camera.driver)
            self.formats = formats
            modes = camera.modes.map(\.description)
        }
    }

    public var version: String
    /// The instruction set that the image kernels run with.
    public var simd: String
    public var processorCount: Int
    public var items: [Item]

    /// True when recordings can be followed; drawing and cameras are extras.
    public var canTrack: Bool

    init(version: String, simd: String, processorCount: Int, items: [Item]) {
        (self.version, self.simd, self.processorCount, self.items) = (version, simd, processorCount, items)
        canTrack = items.contains { $0.id == "recordings.h264" && $0.status == .good }
    }

    /// Tries out what there is; takes well under a second.
    public static func current() -> Capabilities {
        Capabilities(
            version: FootholdVersion.current, simd: String(cString: fh_simd_name()),
            processorCount: ProcessInfo.processInfo.activeProcessorCount,
            items: decoders() + [drawing(), encoding(), words()] + letters() + cameras())
    }

    // MARK: Recordings

    private static func decoders() -> [Item] {
        let names = [("h264", "H.264"), ("hevc", "H.265"), ("vp9", "VP9"), ("av1", "AV1"), ("mjpeg", "Motion JPEG")]
        return names.map { codec, name in
            guard VideoDecoders.canDecode(codec) else {
                return Item(
                    id: "recordings.\(codec)", status: .missing,
                    text: "\(name) recordings can't be read: install a libavcodec that decodes them",
                    command: install(["libavcodec-extra"]))
            }
            return Item(id: "recordings.\(codec)", status: .good, text: "\(name) recordings can be read")
        }
    }

    /// On Debian and its relatives, which is what Foothold is tested on.
    private static func install(_ packages: [String]) -> String {
        "sudo apt-get install " + packages.joined(separator: " ")
    }

    // MARK: Drawing

    private static func drawing() -> Item {
        do {
            let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
            let luma = [UInt8](repeating: 128, count: 64 * 48)
            let frame = Frame(
                index: 0, timestampNanoseconds: 0, pixels: PixelBuffer(copyingLuma: luma, width: 64, height: 48))
            _ = try renderer.render(frame, overlay: Overlay(intrinsics: .guess(width: 64, height: 48)))
            return Item(
                id: "drawing", status: .good, text: "annotated videos can be drawn (OpenGL ES, without a screen)")
        } catch {
            return Item(
                id: "drawing", status: .missing,
                text: "annotated videos can't be drawn: \(clause(error))",
                command: install(["libegl-mesa0", "libgl1-mesa-dri", "fonts-dejavu-core"]))
        }
    }

    private static func encoding() -> Item {
        guard let folder = scratchFolder() else {
            return Item(
                id: "encoding", status: .missing,
                text: "whether videos can be written couldn't be tried, because there is no folder for it: "
                    + "make room on the disk, or set TMPDIR to a folder that you can write to")
        }
        let file = folder.appendingPathComponent("foothold-\(UUID().uuidString).mp4")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try VideoEncoder(path: file.path, width: 64, height: 48, nominalFrameRate: 30)
            return Item(id: "encoding", status: .good, text: "H.264 videos can be written")
        } catch {
            return Item(
                id: "encoding", status: .missing,
                text: "H.264 videos can't be written: install an encoder, or run with --no-video",
                command: install(["libavcodec-extra"]))
        }
    }

    /// Where a small file can be written to try something out.
    private static func scratchFolder() -> URL? {
        let usual = FileManager.default.temporaryDirectory
        let folders = [usual] + ["/tmp", "/dev/shm", "."].map { URL(fileURLWithPath: $0, isDirectory: true) }
        return folders.first { folder in
            let file = folder.appendingPathComponent("foothold-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            // As much as the beginning of a small video.
            return (try? Data(count: 1 << 14).write(to: file)) != nil
        }
    }

    /// An error's sentence as the end of another one.
    private static func clause(_ error: any Error) -> String {
        let text = String(describing: error)
        let end = text.hasSuffix(".") ? text.dropLast() : Substring(text)
        return end.prefix(1).lowercased() + end.dropFirst()
    }

    // MARK: Words

    private static func words() -> Item {
        let languages = HintCatalogue.languages
        return languages.isEmpty
            ? Item(
                id: "words", status: .missing,
                text: "the words of the hints are not there: put foothold_FootholdCoaching.resources beside the program"
            )
            : Item(id: "words", status: .good, text: "hints can be shown in: " + languages.joined(separator: ", "))
    }

    /// Whether the hints of each language can be drawn into a video.
    private static func letters() -> [Item] {
        HintCatalogue.languages.map { language in
            let words = HintCatalogue.messages(language: language).values.joined()
            guard Lettering.canDraw(words, language: language) else {
                return Item(
                    id: "letters.\(language)", status: .missing,
                    text:
                        "no font has all letters of the hints in \(language): install one to see them in annotated videos",
                    command: install([["ko": "fonts-nanum"][language] ?? "fonts-dejavu-core"]))
            }
            return Item(id: "letters.\(language)", status: .good, text: "there is a font for the hints in \(language)")
        }
    }

    // MARK: Cameras

    private static func cameras() -> [Item] {
        let attempts = Cameras.tried()
        guard !attempts.isEmpty else {
            return [
                Item(
                    id: "camera", status: .missing,
                    text: "no camera is connected (there is no /dev/video0): plug one in; recordings work without")
            ]
        }
        return attempts.map { attempt in
            let id = "camera.\(URL(fileURLWithPath: attempt.path).lastPathComponent)"
            if let camera = attempt.camera { return item(camera, id: id) }
            let failure = attempt.failure
            return Item(
                id: id, status: .missing, text: failure?.description ?? "\(attempt.path) can't be opened",
                command: failure?.kind == .cameraForbidden ? "sudo usermod -aG video $USER" : nil)
        }
    }

    private static func item(_ camera: CameraDescription, id: String) -> Item {
        let formats = Set(camera.modes.map(\.format.rawValue)).sorted()
        guard let largest = camera.modes.max(by: { $0.width * $0.height < $1.width * $1.height }) else {
            return Item(
                id: id, status: .missing,
                text: "\(camera.path) (\(camera.name)) gives no pictures that can be read: try another /dev/video…",
                camera: Camera(camera, formats: formats))
        }
        return Item(
            id: id, status: .good,
            text: "\(camera.path) may be used: \(camera.name), up to \(largest.width)×\(largest.height), "
                + formats.joined(separator: ", "),
            camera: Camera(camera, formats: formats))
    }
}
