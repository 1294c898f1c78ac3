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

    /// What is said of places too.
    private func allTexts(_ language: String) -> [String] {
        let catalogue = HintCatalogue(language: language)
        return texts(language).map(\.text)
            + Suitability.Kind.allCases.flatMap { kind in
                Self.objects.compactMap { catalogue.text(for: Suitability(kind: kind), objectName: $0) }
            }
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
        let english = HintCatalogue.messages(language: "en")
        let here = HintCatalogue.messages(language: language)
        #expect(!english.isEmpty && Self.untranslated(here, english).isEmpty)
        #expect(Set(here.keys).subtracting(english.keys).isEmpty)
    }

    /// Keys without words of their own, or with the English ones.
    private static func untranslated(_ messages: [String: String], _ english: [String: String]) -> [String] {
        let isEnglish = messages == english
        return english.keys.filter { key in
            messages[key].map { $0.isEmpty || !isEnglish && $0 == english[key] } ?? true
        }
    }

    @Test func theChecksFindWhatTheyLookFor() throws {
        let english = HintCatalogue.messages(language: "en")
        var korean = HintCatalogue.messages(language: "ko")
        korean["frozen"] = nil
        korean["ready"] = english["ready"]
        #expect(Set(Self.untranslated(korean, english)) == ["frozen", "ready"])
        for (language, bad) in [
            ("en", "Tracking was lost."), ("en", "No planes here. Look elsewhere."), ("en", "You moved wrong."),
            ("en", "Initializing the AR session."), ("ko", "평면을 찾지 못했어요."), ("ko", "특징점이 적어요."),
            ("ko", "잘못 움직였어요."),
        ] {
            let words = try list("jargon", language) + list("blame", language)
            #expect(!Self.found(words, in: bad, language).isEmpty, "“\(bad)” was let pass")
        }
        for (language, bad) in [("en", "Step backwards."), ("en", "Move faster."), ("ko", "뒤로 가 주세요.")] {
            #expect(try !Self.found(list("unsafe", language), in: bad, language).isEmpty, "“\(bad)” was let pass")
        }
        #expect(!Self.isPlain("Move it to the side now and then and again until it has been seen from there."))
        #expect(!Self.isPlain("Hurry up!") && !Self.isPlain("Move it") && Self.isPlain("Move it. Then wait."))
        #expect(!Self.isPolite("천천히 움직여라.", "ko") && Self.isPolite("천천히 움직여 주세요.", "ko"))
        #expect(!Self.isPolite("Don't move.", "en") && Self.isPolite("Please move slowly.", "en"))
    }

    @Test(arguments: CatalogueTests.languages)
    func noMessageIsLongerThanNinetyCharacters(_ language: String) {
        for text in allTexts(language) { #expect(text.count <= 90, "\(text)") }
        // Whatever the object and the device are called.
        let catalogue = HintCatalogue(language: language)
        let long = String(repeating: "grandmother's armchair ", count: 20)
        for cause in HintCause.allCases {
            for level in HintCatalogue.Level.allCases {
                let text = catalogue.text(for: cause, level: level, objectName: long, deviceWord: long)
                #expect(!text.isEmpty && text.count <= 90, "\(cause): \(text)")
            }
        }
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
            let found = Self.found(words, in: message, language)
            #expect(found.isEmpty, "\(key) says \(found)")
        }
    }

    private static func found(_ words: [String], in message: String, _ language: String) -> [String] {
        // English words count as wholes; Korean ones wherever they stand, because particles follow them.
        let plain = message.lowercased().map { $0.isLetter || $0.isNumber ? $0 : " " }
        let spaced = " " + String(plain).split(separator: " ").joined(separator: " ") + " "
        return words.filter { spaced.contains(language == "ko" ? $0.lowercased() : " \($0.lowercased()) ") }
    }

    @Test(arguments: CatalogueTests.languages)
    func sentencesAreShortPoliteAndEndProperly(_ language: String) {
        for text in allTexts(language) {
            #expect(Self.isPlain(text), "\(text)")
            #expect(Self.isPolite(text, language), "\(text)")
        }
    }

    private static func sentences(_ text: String) -> [Substring] { text.split(whereSeparator: { ".?!".contains($0) }) }

    /// Sentences of fourteen words at most, at most three of them, and nobody is shouted at.
    private static func isPlain(_ text: String) -> Bool {
        let all = sentences(text)
        return (text.hasSuffix(".") || text.hasSuffix("?")) && !text.contains("!") && all.count <= 3
            && all.allSatisfy { $0.split(separator: " ").count <= 14 }
    }

    /// Nobody is forbidden anything; Korean sentences end as one speaks to a stranger.
    private static func isPolite(_ text: String, _ language: String) -> Bool {
        if language == "ko" { return sentences(text).allSatisfy { $0.hasSuffix("요") } }
        let lower = " " + text.lowercased()
        return [" don't ", " do not ", " never ", " must ", " stop "].allSatisfy { !lower.contains($0) }
    }

    @Test func readySaysWhatShouldGoThereByItsName() {
        #expect(
            HintCatalogue(language: "en").text(for: .ready, objectName: "chair") == "Tap where the chair should go.")
        #expect(HintCatalogue(language: "ko").text(for: .ready, objectName: "chair") == "의자를 놓을 곳을 눌러 주세요.")
        #expect(HintCatalogue(language: "ko").text(for: .ready, objectName: "cylinder") == "원통을 놓을 곳을 눌러 주세요.")
    }

    @Test func aNameThatIsTooLongToReadIsNotSaid() {
        let long = String(repeating: "chair", count: 30)
        #expect(HintCatalogue(language: "en").text(for: .ready, objectName: long) == "Tap where the object should go.")
        #expect(HintCatalogue(language: "ko").text(for: .ready, objectName: long) == "물건을 놓을 곳을 눌러 주세요.")
    }

    @Test func aNameStaysOnItsLine() {
        let text = HintCatalogue(language: "en").text(for: .ready, objectName: "a\nb\u{1B}[31mred")
        #expect(text == "Tap where the a b?[31mred should go.")
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
        for wish in ["ko", "KO", "ko-KR", "ko_KR.UTF-8", "ko.UTF-8", "ko-Kore-KR", " ko ", "_ko"] {
            #expect(HintCatalogue.language(matching: wish) == "ko", "\(wish)")
        }
        for wish in ["", "xx", "kok", "C", "POSIX", "-", "../en", "korean"] {
            #expect(HintCatalogue.language(matching: wish) == nil, "\(wish)")
        }
    }

    @Test func changesAreNamedInTwoOrThreeWords() {
        #expect(
            HintCatalogue(language: "en").changeTitle(.moved, isRedo: false, objectName: "chair") == "Undo Move Chair")
        #expect(HintCatalogue(language: "ko").changeTitle(.moved, isRedo: false, objectName: "chair") == "의자 이동 취소")
    }
}
