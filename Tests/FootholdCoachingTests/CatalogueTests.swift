import FootholdCoaching
import Foundation
import Testing

@Suite struct CatalogueTests {
    private static let languages = HintCatalogue.languages
    private static let objects = ["chair", "box", "cylinder", "table", "lamp", "plant", "coffee machine"]
    private static let devices = ["phone", "tablet", "camera"]

    private func list(_ name: String, _ language: String) throws -> [String] {
        let file = Bundle.module.bundleURL.appendingPathComponent("Words/\(name).\(language).txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") && !$0.isEmpty }
    }

    /// Every text that can be shown, with every object and device.
    private func texts(_ language: String) -> [(cause: HintCause, text: String)] {
        let catalogue = HintCatalogue(language: language)
        return HintCause.allCases.flatMap { cause in
            HintCatalogue.Level.allCases.flatMap { level in
                Self.objects.flatMap { object in
                    Self.devices.map { device in
                        (cause, catalogue.text(for: cause, level: level, objectName: object, deviceWord: device))
                    }
                }
            }
        }
    }

    @Test func thereAreWordsInEnglishAndKorean() {
        #expect(Self.languages.contains("en") && Self.languages.contains("ko"))
    }

    @Test(arguments: CatalogueTests.languages)
    func everyCauseHasWordsAndNoPlaceholderIsLeft(_ language: String) {
        for (cause, text) in texts(language) {
            #expect(!text.isEmpty, "\(cause) has no words")
            #expect(!text.contains("{") && !text.contains("}") && !text.contains("%"), "\(text)")
        }
    }

    @Test(arguments: CatalogueTests.languages)
    func everyMessageIsTranslated(_ language: String) {
        let english = Set(HintCatalogue.messages(language: "en").keys)
        let here = Set(HintCatalogue.messages(language: language).keys)
        #expect(english.subtracting(here).isEmpty && here.subtracting(english).isEmpty)
        #expect(!english.isEmpty)
    }

    @Test(arguments: CatalogueTests.languages)
    func noMessageIsLongerThanNinetyCharacters(_ language: String) {
        for (cause, text) in texts(language) { #expect(text.count <= 90, "\(cause): \(text)") }
    }

    @Test(arguments: CatalogueTests.languages)
    func noMessageUsesJargonOrBlames(_ language: String) throws {
        let words = try list("jargon", language) + list("blame", language)
        #expect(words.count > 20)
        expectNone(of: words, in: language)
    }

    @Test(arguments: CatalogueTests.languages)
    func noMessageAsksForWalkingBackwardsOrFast(_ language: String) throws {
        let words = try list("unsafe", language)
        #expect(words.count > 8)
        expectNone(of: words, in: language)
    }

    /// A language without lists of its own fails here, so that adding a file brings them along.
    private func expectNone(of words: [String], in language: String) {
        for (key, message) in HintCatalogue.messages(language: language) {
            // English words count as wholes; Korean ones wherever they stand, because particles follow them.
            let plain = message.lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " }
            let spaced = " " + String(plain).split(separator: " ").joined(separator: " ") + " "
            for word in words {
                let needle = language == "ko" ? word.lowercased() : " \(word.lowercased()) "
                #expect(!spaced.contains(needle), "\(key) says “\(word)”")
            }
        }
    }

    @Test(arguments: CatalogueTests.languages)
    func sentencesAreShortAndEndProperly(_ language: String) {
        for (_, text) in texts(language) {
            #expect(text.hasSuffix(".") || text.hasSuffix("?"), "\(text)")
            for sentence in text.split(whereSeparator: { ".?!".contains($0) }) {
                #expect(sentence.split(separator: " ").count <= 14, "\(sentence)")
            }
        }
    }

    @Test func readySaysWhatShouldGoThereByItsName() {
        #expect(
            HintCatalogue(language: "en").text(for: .ready, objectName: "chair") == "Tap where the chair should go.")
        #expect(HintCatalogue(language: "ko").text(for: .ready, objectName: "chair") == "의자를 놓을 곳을 눌러 주세요.")
        #expect(HintCatalogue(language: "ko").text(for: .ready, objectName: "cylinder") == "원통을 놓을 곳을 눌러 주세요.")
    }

    @Test func theDeviceHasTheNameThatPeopleUseForIt() {
        let english = HintCatalogue(language: "en")
        #expect(english.text(for: .excessiveMotion, deviceWord: "phone").contains("phone"))
        #expect(english.text(for: .excessiveMotion, deviceWord: "glasses").contains("glasses"))
        #expect(HintCatalogue(language: "ko").text(for: .excessiveMotion, deviceWord: "phone").contains("휴대폰을"))
    }

    @Test func koreanParticlesFollowTheLastSound() {
        let cases = [
            ("의자", "의자를"), ("화분", "화분을"), ("책상", "책상을"), ("전등", "전등을"), ("연필", "연필을"), ("소파", "소파를"),
            ("TV", "TV를"), ("lamp", "전등을"), ("sofa", "sofa를"), ("model", "model을"), ("상자 2", "상자 2를"),
            ("상자 3", "상자 3을"), ("상자 10", "상자 10을"), ("의자(큰 것)", "의자(큰 것)을"),
        ]
        let catalogue = HintCatalogue(language: "ko")
        for (name, expected) in cases {
            let text = catalogue.text(for: .ready, objectName: name)
            #expect(text.hasPrefix(expected + " "), "\(text)")
        }
        #expect(catalogue.text(for: .lookAround, level: .fuller, objectName: "화분").hasPrefix("아직 화분이 "))
        #expect(catalogue.text(for: .lookAround, level: .fuller, objectName: "의자").hasPrefix("아직 의자가 "))
    }

    @Test func anUnknownLanguageFallsBackToEnglishAndARegionToItsLanguage() {
        #expect(HintCatalogue(language: "xx").language == "en")
        #expect(HintCatalogue(language: "ko-KR").language == "ko")
        #expect(HintCatalogue(language: "ko_KR").text(for: .ready) == HintCatalogue(language: "ko").text(for: .ready))
    }

    @Test func changesAreNamedInTwoOrThreeWords() {
        #expect(
            HintCatalogue(language: "en").changeTitle(.moved, isRedo: false, objectName: "chair") == "Undo Move Chair")
        #expect(HintCatalogue(language: "ko").changeTitle(.moved, isRedo: false, objectName: "chair") == "의자 이동 취소")
    }
}
