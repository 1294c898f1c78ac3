import Foundation

/// How a camera stores its pictures, as far as Foothold can read them.
public enum CameraFormat: String, Sendable, CaseIterable {
    /// Luma alone.
    case grey = "GREY"
    case nv12 = "NV12"
    case yu12 = "YU12"
    case yuyv = "YUYV"
    case uyvy = "UYVY"
    /// Pictures compressed one by one.
    case mjpg = "MJPG"
    case jpeg = "JPEG"

    /// Reads a name as people write it: `yuyv`, `mjpeg`, `I420`.
    public init?(named name: String) {
        let name = name.uppercased()
        let others: [String: CameraFormat] = [
            "GRAY": .grey, "Y8": .grey, "Y800": .grey, "I420": .yu12, "YUV420P": .yu12, "YUY2": .yuyv, "MJPEG": .mjpg,
        ]
        guard let format = CameraFormat(rawValue: name) ?? others[name] else { return nil }
        self = format
    }

    /// The kernel's number.
    var fourcc: UInt32 { Self.fourcc(rawValue) }

    init?(fourcc: UInt32) {
        guard let format = Self.allCases.first(where: { $0.fourcc == fourcc }) else { return nil }
        self = format
    }

    var isCompressed: Bool { self == .mjpg || self == .jpeg }

    /// The least that a row can take.
    func leastBytesPerRow(width: Int) -> Int {
        switch self {
        case .grey, .nv12, .yu12: width
        case .yuyv, .uyvy: (width + 1) / 2 * 4
        case .mjpg, .jpeg: 0
        }
    }

    /// What a whole picture takes with rows of this length; 0 where that differs from picture to picture.
    func bytes(bytesPerRow: Int, height: Int) -> Int {
        let half = (height + 1) / 2
        return switch self {
        case .grey, .yuyv, .uyvy: bytesPerRow * height
        case .nv12: bytesPerRow * (height + half)
        case .yu12: bytesPerRow * height + 2 * (bytesPerRow / 2 * half)
        case .mjpg, .jpeg: 0
        }
    }

    static func fourcc(_ name: String) -> UInt32 {
        name.utf8.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }

    /// The four letters of a kernel's number, for people.
    static func name(_ fourcc: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * UInt32($0))) }
        return String(decoding: bytes.map { (32..<127).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
    }
}
