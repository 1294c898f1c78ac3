import ArgumentParser
import Foothold

struct HintsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hints", abstract: "Lists what is said to people, and when.")

    @Option(help: "The language of the words, such as en or ko.")
    var language = "en"

    @Option(help: "What the device is called: phone, tablet, camera, or a word of your own.")
    var device = "phone"

    @Option(help: "What is going to be placed.")
    var object = "chair"

    @Flag(help: "Print JSON.")
    var json = false

    private struct Entry: Encodable {
        var cause: HintCause
        var when: String
        var short: String
        var fuller: String
    }

    func validate() throws {
        let base = language.split(whereSeparator: { "-_".contains($0) }).first.map { $0.lowercased() } ?? ""
        guard HintCatalogue.languages.contains(base) else {
            throw ValidationError(
                "there are no words in '\(language)': use one of \(HintCatalogue.languages.joined(separator: ", "))")
        }
    }

    func run() throws {
        let catalogue = HintCatalogue(language: language)
        let entries = HintCause.allCases.map { cause in
            func text(_ level: HintCatalogue.Level) -> String {
                catalogue.text(for: cause, level: level, objectName: object, deviceWord: device)
            }
            return Entry(cause: cause, when: cause.situation, short: text(.short), fuller: text(.fuller))
        }
        if json { return print(try JSONOutput.text(["hints": entries])) }
        for entry in entries {
            print("\(entry.cause.rawValue) (\(entry.when))")
            print("    \(entry.short)")
            if entry.fuller != entry.short { print("    \(entry.fuller)") }
        }
    }
}
