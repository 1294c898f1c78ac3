import Foundation

/// Korean particles have two shapes; which one follows a word depends on the sound that the word ends in.
enum KoreanParticle {
    /// What a word ends in, as far as particles care.
    private enum Ending { case vowel, rieul, consonant }

    /// The particles that messages may use, by their marker, with the shape after a consonant first.
    private static let shapes: [String: (afterConsonant: String, afterVowel: String)] = [
        "을/를": ("을", "를"), "이/가": ("이", "가"), "은/는": ("은", "는"), "과/와": ("과", "와"), "으로/로": ("으로", "로"),
    ]

    static func isMarker(_ marker: String) -> Bool { shapes[marker] != nil }

    /// The shape of a particle after a word; nil for an unknown marker.
    static func particle(_ marker: String, after word: String) -> String? {
        guard let shape = shapes[marker] else { return nil }
        return switch ending(of: word) {
        case .vowel: shape.afterVowel
        // 으로/로 takes the short shape after ㄹ: 서울로, 연필로.
        case .rieul: marker == "으로/로" ? shape.afterVowel : shape.afterConsonant
        case .consonant: shape.afterConsonant
        }
    }

    private static func ending(of word: String) -> Ending {
        // Closing brackets and quotation marks are not spoken.
        let scalars = word.precomposedStringWithCanonicalMapping.unicodeScalars
        guard let last = scalars.last(where: { $0.properties.isAlphabetic || ("0"..."9").contains($0) }) else {
            return .vowel
        }
        switch last.value {
        case 0xAC00...0xD7A3:
            // A syllable's code is ((initial × 21) + vowel) × 28 + final; final 8 is ㄹ.
            let final = (last.value - 0xAC00) % 28
            return final == 0 ? .vowel : final == 8 ? .rieul : .consonant
        case 0x30...0x39:
            // 영 일 이 삼 사 오 육 칠 팔 구
            let endings: [Ending] = [
                .consonant, .rieul, .vowel, .consonant, .vowel, .vowel, .consonant, .rieul, .rieul, .vowel,
            ]
            return endings[Int(last.value - 0x30)]
        default:
            // As the word's usual spelling in Hangul would end.
            switch Character(last).lowercased() {
            case "l": return .rieul
            case "m", "n", "b", "p", "k", "c", "t", "g": return .consonant
            default: return .vowel
            }
        }
    }
}
