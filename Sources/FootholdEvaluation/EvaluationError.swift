import FootholdScene
import Foundation

/// Why something could not be scored, as one line that says what is wrong and what to do.
public enum EvaluationError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    case unreadable(path: String, reason: String)
    /// `line` counts from 1.
    case malformed(path: String, line: Int, expected: String)
    case nothingToCompare(path: String, reason: String)
    /// Whoever asked for it wants it no more.
    case stopped

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot read \(path) (\(reason)): check the path and what the file holds"
        case .malformed(let path, let line, let expected):
            "\(path), line \(line): expected \(expected)"
        case .nothingToCompare(let path, let reason):
            "nothing to score in \(path): \(reason)"
        case .stopped: "stopped before the end"
        }
    }

    public var errorDescription: String? { description }
}

/// Reading with errors of one line.
enum FileText {
    static func data(at url: URL) throws(EvaluationError) -> Data {
        try reading(url) { path in try RegularFile.bytes(path) }
    }

    /// The first bytes of a file, or all where it has fewer.
    static func beginning(of url: URL, count: Int) throws(EvaluationError) -> Data {
        try reading(url) { path in try RegularFile.beginning(path, count: count) }
    }

    private static func reading(_ url: URL, _ read: (String) throws -> Data) throws(EvaluationError) -> Data {
        guard let data = try? read(url.path) else {
            throw .unreadable(path: url.path, reason: exists(url) ? "no permission or not a file" : "no such file")
        }
        return data
    }

    static func lines(at url: URL) throws(EvaluationError) -> [Substring] {
        guard let text = String(data: try data(at: url), encoding: .utf8) else {
            throw .unreadable(path: url.path, reason: "not text")
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, at url: URL) throws(EvaluationError) -> Value {
        let data = try data(at: url)
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw .unreadable(path: url.path, reason: "not the JSON that was expected")
        }
    }

    /// Keys like `depth_frames` become `depthFrames`.
    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
