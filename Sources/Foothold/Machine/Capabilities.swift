import CFootholdKernels
import FootholdCapture
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
    }

    public var version: String
    /// The instruction set that the image kernels run with.
    public var simd: String
    public var processorCount: Int
    public var items: [Item]

    /// True when recordings can be followed; drawing and cameras are extras.
    public var canTrack: Bool { items.contains { $0.id == "recordings.h264" && $0.status == .good } }

    /// Tries out what there is; takes well under a second.
    public static func current() -> Capabilities {
        Capabilities(
            version: FootholdVersion.current, simd: String(cString: fh_simd_name()),
            processorCount: ProcessInfo.processInfo.activeProcessorCount,
            items: decoders() + [drawing(), encoding()] + cameras())
    }

    // MARK: Recordings

    private static func decoders() -> [Item] {
        let names = [("h264", "H.264"), ("hevc", "H.265"), ("vp9", "VP9"), ("av1", "AV1"), ("mjpeg", "Motion JPEG")]
        return names.map { codec, name in
            let isThere = VideoDecoders.canDecode(codec)
            return Item(
                id: "recordings.\(codec)", status: isThere ? .good : .missing,
                text: isThere
                    ? "\(name) recordings can be read"
                    : "\(name) recordings can't be read: install a libavcodec that decodes them (Debian: libavcodec59)")
        }
    }

    // MARK: Drawing

    private static func drawing() -> Item {
        do {
            let renderer = try OverlayRenderer(width: 64, height: 48, fontLanguage: "en")
            let luma = [UInt8](repeating: 128, count: 64 * 48)
            let frame = Frame(
                index: 0, timestampNanoseconds: 0, pixels: PixelBuffer(copyingLuma: luma, width: 64, height: 48))
            _ = try renderer.render(frame, overlay: Overlay(intrinsics: .guess(width: 64, height: 48)))
            return Item(id: "drawing", status: .good, text: "annotated videos can be drawn")
        } catch {
            return Item(
                id: "drawing", status: .missing,
                text: "annotated videos can't be drawn (\(error)): on Debian, apt-get install libegl-mesa0 "
                    + "libgl1-mesa-dri fonts-dejavu-core, or run with --no-video")
        }
    }

    private static func encoding() -> Item {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString).mp4")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try VideoEncoder(path: file.path, width: 64, height: 48, nominalFrameRate: 30)
            return Item(id: "encoding", status: .good, text: "H.264 videos can be written")
        } catch {
            return Item(id: "encoding", status: .missing, text: "H.264 videos can't be written: \(error)")
        }
    }

    // MARK: Cameras

    private static func cameras() -> [Item] {
        let devices = ((try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? [])
            .filter { $0.hasPrefix("video") && $0.dropFirst(5).allSatisfy(\.isNumber) && $0.count > 5 }
            .sorted { ($0.count, $0) < ($1.count, $1) }
        guard !devices.isEmpty else {
            return [Item(id: "camera", status: .missing, text: "no camera is connected (there is no /dev/video0)")]
        }
        return devices.map { device in
            let isReadable = access("/dev/\(device)", R_OK | W_OK) == 0
            return Item(
                id: "camera.\(device)", status: isReadable ? .good : .missing,
                text: isReadable
                    ? "/dev/\(device) may be used"
                    : "/dev/\(device) may not be used: add yourself to the group that owns it (usually: "
                        + "sudo usermod -aG video $USER) and log in again")
        }
    }
}
