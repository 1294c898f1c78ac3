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

    /// What a place is said to offer, and what taking back and redoing are called.
    private struct Phrase: Encodable {
        var name: String
        var text: String
    }

    private struct Listing: Encodable {
        var hints: [Entry]
        var places: [Phrase]
        var changes: [Phrase]
    }

    func validate() throws {
        guard HintCatalogue.language(matching: language) != nil else {
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
        let places = Suitability.Kind.allCases.compactMap { kind in
            catalogue.text(for: Suitability(kind: kind), objectName: object).map {
                Phrase(name: kind.rawValue, text: $0)
            }
        }
        let changes = [false, true].flatMap { isRedo in
            HintCatalogue.changes.map { change in
                Phrase(
                    name: "\(isRedo ? "redo" : "undo").\(change?.rawValue ?? "exchanged")",
                    text: catalogue.changeTitle(change, isRedo: isRedo, objectName: object))
            }
        }
        if json {
            return print(try JSONOutput.text(Listing(hints: entries, places: places, changes: changes)))
        }
        for entry in entries {
            print("\(entry.cause.rawValue) (\(entry.when))")
            print("    \(entry.short)")
            if entry.fuller != entry.short { print("    \(entry.fuller)") }
        }
        print("\nWhat a place offers:")
        for place in places { print("\(place.name)\n    \(place.text)") }
        print("\nWhat taking back and redoing are called:")
        for change in changes { print("\(change.name)\n    \(change.text)") }
    }
}
