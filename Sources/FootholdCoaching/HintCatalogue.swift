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

    /// - Parameter language: as people write it; `ko-KR` finds `ko`, and an unknown one English.
    public init(language: String) {
        let language = Self.language(matching: language) ?? "en"
        self.language = language
        // What a translation lacks is said in English rather than not at all.
        messages = (Self.load("en") ?? [:]).merging(Self.load(language) ?? [:]) { _, translated in translated }
    }

    /// The language of the catalogue that somebody means: `ko`, `KO`, `ko-KR` and `ko_KR.UTF-8` all mean `ko`. Nil where
    /// there are no words in it.
    public static func language(matching wish: String) -> String? {
        // What follows a dot or an at sign is no language, but how the system writes it.
        let plain = wish.prefix { $0 != "." && $0 != "@" }.filter { !$0.isWhitespace }
        let parts = plain.lowercased().split(whereSeparator: { "-_".contains($0) })
        // The whole name first, then ever less of it.
        let names = (0..<parts.count).reversed().map { parts[...$0].joined(separator: "-") }
        let known = languages
        return names.lazy.compactMap { name in known.first { $0.lowercased() == name } }.first
    }

    /// The languages that there are words in.
    public static var languages: [String] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: resources.bundlePath)) ?? []
        return folders.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }.sorted()
    }

    /// Every message as it is in the file, placeholders and all.
    public static func messages(language: String) -> [String: String] { load(language) ?? [:] }

    /// Longer messages can't be read in the time that they are there, characters.
    public static let longest = 90

    /// What is said for a cause.
    ///
    /// - Parameters:
    ///   - objectName: a built-in name such as `chair`, which is translated, or anything else, used as it is. Where it
    ///     would make the message too long it isn't said.
    ///   - deviceWord: `phone`, `tablet`, `camera`, or a word of one's own.
    public func text(
        for cause: HintCause, level: Level = .short, objectName: String? = nil, deviceWord: String? = nil
    ) -> String {
        let short = messages[cause.rawValue] ?? ""
        let message = level == .fuller ? messages[cause.rawValue + ".fuller"] ?? short : short
        return fill(message, objectName, deviceWord)
    }

    /// What is said of a place that doesn't suit everything (R3); nil for one that does.
    public func text(for suitability: Suitability, objectName: String? = nil) -> String? {
        messages["suited.\(suitability.kind.rawValue)"].map { fill($0, objectName, nil) }
    }

    /// What taking back or redoing a change is called, such as “Undo Move Chair”. `nil` stands for a change of variant.
    public func changeTitle(_ change: ObjectEvent.Kind?, isRedo: Bool, objectName: String) -> String {
        let key = "\(isRedo ? "redo" : "undo").\(change?.rawValue ?? "exchanged")"
        // Titles are capitalised where a language does that; where it doesn't, this changes nothing.
        return fill(messages[key] ?? key, object: word("object", objectName).capitalized, device: "")
    }

    /// The changes that have titles. `nil` stands for a change of variant.
    public static let changes: [ObjectEvent.Kind?] = [.placed, .removed, .moved, .turned, .scaled, nil]

    private func word(_ kind: String, _ name: String?) -> String {
        guard let name, !name.isEmpty else { return messages[kind] ?? kind }
        return messages["\(kind).\(name.lowercased())"] ?? ShownText.name(name)
    }

    /// With the names of the object and the device, or the general words where names are too long.
    private func fill(_ message: String, _ objectName: String?, _ deviceWord: String?) -> String {
        let text = fill(message, object: word("object", objectName), device: word("device", deviceWord))
        guard text.count > Self.longest else { return text }
        return fill(message, object: word("object", nil), device: word("device", nil))
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
