import FootholdScene
import Foundation

/// The text of an OBJ file in the form that Assimp reads. It refuses numbers that begin with their decimal point, lines
/// that end with a comment and some that go on in the next, and takes what only begins like a number for one.
struct OBJText {
    /// What is wrong, and in which line, from 1.
    struct Fault: Error, Hashable {
        var line: Int
        var reason: String
    }

    /// Where a word is in the text.
    private struct Word {
        var range: Range<Int>
        var line: Int
    }

    private let text: [UInt8]
    private var position = 0
    private var line = 1
    private var words: [Word] = []
    /// Where the words are, without the line's end.
    private var statement = 0..<0
    /// Whether Assimp reads it as it is.
    private var isPlain = true
    /// The text up to `copied`, rewritten.
    private var rewritten: [UInt8] = []
    private var copied = 0

    /// Whether a file is one of these by its name.
    static func isName(_ path: String) -> Bool { path.lowercased().hasSuffix(".obj") }

    /// The same model for Assimp.
    /// - Throws: `Fault` for the first line with something else where a number has to be.
    static func readable(_ data: Data) throws(Fault) -> Data {
        var text = OBJText(text: [UInt8](data))
        while text.position < text.text.count {
            text.readStatement()
            try text.checkStatement()
        }
        guard text.copied > 0 else { return data }
        return Data(text.rewritten + text.text[text.copied...])
    }

    private init(text: [UInt8]) { self.text = text }

    /// Takes the next line's words, and those of the lines that continue it.
    private mutating func readStatement() {
        words.removeAll(keepingCapacity: true)
        isPlain = true
        let first = position
        while position < text.count {
            statement = first..<position
            if let end = endOfLine(at: position) {
                (position, line) = (end, line + 1)
                return
            }
            let start = position
            switch text[position] {
            case UInt8(ascii: "\\") where endOfLine(at: position + 1) != nil:
                position = endOfLine(at: position + 1) ?? position
                line += 1
                isPlain = false
            case UInt8(ascii: "#"):
                while position < text.count, endOfLine(at: position) == nil { position += 1 }
                isPlain = false
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                if start == first || text[start] != UInt8(ascii: " ") { isPlain = false }
                position += 1
            default:
                while position < text.count, !isEndOfWord { position += 1 }
                words.append(Word(range: start..<position, line: line))
            }
        }
        statement = first..<position
    }

    /// Behind a line's end that is there; nil where none is.
    private func endOfLine(at place: Int) -> Int? {
        guard place < text.count else { return nil }
        if text[place] == UInt8(ascii: "\n") { return place + 1 }
        guard text[place] == UInt8(ascii: "\r") else { return nil }
        return place + 1 < text.count && text[place + 1] == UInt8(ascii: "\n") ? place + 2 : place + 1
    }

    private var isEndOfWord: Bool {
        let byte = text[position]
        return byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || endOfLine(at: position) != nil
            || byte == UInt8(ascii: "\\") && endOfLine(at: position + 1) != nil
    }

    private mutating func checkStatement() throws(Fault) {
        guard let keyword = words.first else { return }
        switch String(decoding: text[keyword.range], as: UTF8.self) {
        case "v":
            try checkNumbers()
            guard [3, 4, 6].contains(words.count - 1) else {
                throw Fault(line: keyword.line, reason: "a point has three numbers, and not \(words.count - 1)")
            }
        case "vn":
            try checkNumbers()
            guard words.count == 4 else {
                throw Fault(line: keyword.line, reason: "a normal has three numbers, and not \(words.count - 1)")
            }
        case "vt": try checkNumbers()
        case "f", "l", "p":
            for word in words.dropFirst() where !isCorner(word.range) {
                throw Fault(line: word.line, reason: "“\(shown(word))” is not the number of a point")
            }
        default: return
        }
        if !isPlain { rewrite() }
    }

    private mutating func checkNumbers() throws(Fault) {
        for word in words.dropFirst() {
            guard let digits = digits(of: word.range) else {
                throw Fault(line: word.line, reason: "“\(shown(word))” is not a number")
            }
            if text[digits] == UInt8(ascii: ".") { isPlain = false }
        }
    }

    /// One line with a blank between two words, and a nought before each leading decimal point.
    private mutating func rewrite() {
        rewritten += text[copied..<statement.lowerBound]
        for (number, word) in words.enumerated() {
            if number > 0 { rewritten.append(UInt8(ascii: " ")) }
            let start = behindSign(word.range.lowerBound, word.range)
            rewritten += text[word.range.lowerBound..<start]
            if text[start] == UInt8(ascii: ".") { rewritten.append(UInt8(ascii: "0")) }
            rewritten += text[start..<word.range.upperBound]
        }
        copied = statement.upperBound
    }

    /// Where a decimal number begins behind its sign; nil for what is none.
    private func digits(of range: Range<Int>) -> Int? {
        var place = behindSign(range.lowerBound, range)
        let start = place
        let whole = skipDigits(&place, range)
        var fraction = 0
        if place < range.upperBound, text[place] == UInt8(ascii: ".") {
            place += 1
            fraction = skipDigits(&place, range)
        }
        guard whole + fraction > 0 else { return nil }
        if place < range.upperBound, text[place] | 0x20 == UInt8(ascii: "e") {
            place = behindSign(place + 1, range)
            guard skipDigits(&place, range) > 0 else { return nil }
        }
        return place == range.upperBound ? start : nil
    }

    /// A point's number, and that of a place on a texture and of a normal, of which each may be missing: 3, 3/1, 3//2.
    private func isCorner(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        for part in 0..<3 {
            place = behindSign(place, range)
            let start = place
            let count = skipDigits(&place, range)
            let isNone = text[start..<place].allSatisfy { $0 == UInt8(ascii: "0") }
            guard count == 0 ? part > 0 : !isNone else { return false }
            if place == range.upperBound { return true }
            guard text[place] == UInt8(ascii: "/") else { return false }
            place += 1
        }
        return false
    }

    private func behindSign(_ place: Int, _ range: Range<Int>) -> Int {
        guard place < range.upperBound else { return place }
        return text[place] == UInt8(ascii: "-") || text[place] == UInt8(ascii: "+") ? place + 1 : place
    }

    private func skipDigits(_ place: inout Int, _ range: Range<Int>) -> Int {
        let start = place
        while place < range.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) { place += 1 }
        return place - start
    }

    private func shown(_ word: Word) -> String { ShownText.name(String(decoding: text[word.range], as: UTF8.self)) }
}
