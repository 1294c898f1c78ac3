import FootholdScene
import Foundation

/// Remembers calibrations by camera and mode in the user's configuration folder (XDG Base Directory).
public struct CalibrationStore: Sendable {
    public let folder: String

    /// - Parameter folder: nil for the user's: `$XDG_CONFIG_HOME/foothold/cameras` or `~/.config/foothold/cameras`.
    public init(folder: String? = nil) {
        let environment = ProcessInfo.processInfo.environment
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        self.folder = folder ?? (configured ?? home + "/.config") + "/foothold/cameras"
    }

    /// Where a camera's calibration is kept: its name, socket, size and format make the file's name, since each of them
    /// may mean another lens or another part of the sensor.
    public func path(for camera: CameraDescription, mode: CameraMode) -> String {
        let text = "\(camera.name) \(camera.bus) \(mode.width)x\(mode.height) \(mode.format.rawValue)"
        let safe = text.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            return isPlain || scalar == "." || scalar == "-" ? Character(scalar) : "_"
        }
        return "\(folder)/\(String(safe)).json"
    }

    /// The remembered calibration's file, if there is one.
    public func file(for camera: CameraDescription, mode: CameraMode) -> String? {
        let path = path(for: camera, mode: mode)
        return FileAccess.exists(path) ? path : nil
    }

    /// - Parameter text: as `CameraIntrinsics.calibrationText` writes it.
    /// - Throws: `CaptureError` when the folder cannot be written.
    public func remember(_ text: String, for camera: CameraDescription, mode: CameraMode) throws -> String {
        let path = path(for: camera, mode: mode)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CaptureError(
                .unwritable, "the calibration cannot be kept in \(folder): check that you may write there")
        }
        return path
    }
}

extension CameraIntrinsics {
    /// `intrinsics.json`, as `--camera` reads it. The numbers give exactly these ones back.
    ///
    /// - Parameter notes: more keys, with values that are JSON already.
    public func calibrationText(notes: [(key: String, json: String)] = []) -> String {
        var fields = [
            ("width", "\(width)"), ("height", "\(height)"), ("fx", "\(fx)"), ("fy", "\(fy)"), ("cx", "\(cx)"),
            ("cy", "\(cy)"),
        ]
        switch distortion {
        case .none: fields.append(("distortion_model", "\"none\""))
        case .radialTangential(let k1, let k2, let p1, let p2, let k3):
            fields.append(("distortion_model", "\"radtan\""))
            fields += [("k1", "\(k1)"), ("k2", "\(k2)"), ("p1", "\(p1)"), ("p2", "\(p2)"), ("k3", "\(k3)")]
        case .fisheye(let k1, let k2, let k3, let k4):
            fields.append(("distortion_model", "\"fisheye\""))
            fields += [("k1", "\(k1)"), ("k2", "\(k2)"), ("k3", "\(k3)"), ("k4", "\(k4)")]
        }
        let lines = (fields + notes.map { ($0.key, $0.json) }).map { "  \"\($0)\": \($1)" }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }
}
