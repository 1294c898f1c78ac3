import FootholdScene
import Foundation

/// The words of one language, from `<language>.lproj/Hints.strings`. Adding a language is adding that file.
///
/// Messages have the placeholders `{object}` and `{device}`, and Korean ones particle markers such as `{을/를}`,
/// which take the shape that the word before them asks for.
public struct HintCatalogue: Sendable {
    /// How much is said: the short form, or the fuller one with a reason for those whom the short one didn't help.
    public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
        case short, fuller

        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// The language whose words these are (BCP 47): the one asked for, or English where there is none.
    public let language: String
    private let messages: [String: String]

    /// - Parameter language: BCP 47; `ko-KR` finds `ko`, and an unknown one English.
    public init(language: String) {
        let wanted = language.replacingOccurrences(of: "_", with: "-").lowercased()
        let base = wanted.split(separator: "-").first.map(String.init) ?? "en"
        let english = Self.load("en") ?? [:]
        for candidate in [wanted, base] {
            if let found = Self.load(candidate) {
                // What a translation lacks is said in English rather than not at all.
                messages = english.merging(found) { _, translated in translated }
                self.language = candidate
                return
            }
        }
        messages = english
        self.language = "en"
    }

    /// The languages that there are words in.
    public static var languages: [String] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: resources.bundlePath)) ?? []
        return folders.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }.sorted()
    }

    /// Every message as it is in the file, placeholders and all.
    public static func messages(language: String) -> [String: String] { load(language) ?? [:] }

    /// What is said for a cause.
    ///
    /// - Parameters:
    ///   - objectName: a built-in name such as `chair`, which is translated, or anything else, used as it is.
    ///   - deviceWord: `phone`, `tablet`, `camera`, or a word of one's own.
    public func text(
        for cause: HintCause, level: Level = .short, objectName: String? = nil, deviceWord: String? = nil
    ) -> String {
        let short = messages[cause.rawValue] ?? ""
        let message = level == .fuller ? messages[cause.rawValue + ".fuller"] ?? short : short
        return fill(message, object: word("object", objectName), device: word("device", deviceWord))
    }

    /// What is said of a place that doesn't suit everything (R3); nil for one that does.
    public func text(for suitability: Suitability, objectName: String? = nil) -> String? {
        messages["suited.\(suitability.kind.rawValue)"].map { fill($0, object: word("object", objectName), device: "") }
    }

    /// What taking back or redoing a change is called, such as “Undo Move Chair”. `nil` stands for a change of variant.
    public func changeTitle(_ change: ObjectEvent.Kind?, isRedo: Bool, objectName: String) -> String {
        let key = "\(isRedo ? "redo" : "undo").\(change?.rawValue ?? "exchanged")"
        // Titles are capitalised where a language does that; where it doesn't, this changes nothing.
        return fill(messages[key] ?? key, object: word("object", objectName).capitalized, device: "")
    }

    private func word(_ kind: String, _ name: String?) -> String {
        guard let name, !name.isEmpty else { return messages[kind] ?? kind }
        return messages["\(kind).\(name.lowercased())"] ?? name
    }

    private func fill(_ message: String, object: String, device: String) -> String {
        var result = ""
        var rest = Substring(message)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let token = String(rest[rest.index(after: open)..<close])
            switch token {
            case "object": result += object
            case "device": result += device
            default: result += KoreanParticle.particle(token, after: result) ?? "{\(token)}"
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private static func load(_ language: String) -> [String: String]? {
        let file = resources.bundleURL.appendingPathComponent("\(language).lproj/Hints.strings")
        guard let data = try? Data(contentsOf: file),
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        else { return nil }
        return list as? [String: String]
    }

    /// The folder of the words: beside the program, in `../share/foothold` of an installed one, or where it was built.
    private static let resources: Bundle = {
        let name = "foothold_FootholdCoaching.resources"
        let beside = Bundle.main.bundleURL
        let folders = [beside, beside.deletingLastPathComponent().appendingPathComponent("share/foothold")]
        for folder in folders {
            if let bundle = Bundle(url: folder.appendingPathComponent(name)) { return bundle }
        }
        return Bundle.module
    }()
}
