/// The part of YAML that calibration files are written in: mappings and lists by indentation or in brackets, numbers,
/// words, comments, tags (ignored). No anchors, no block text.
struct YAMLParser {
    private struct Line {
        var indent: Int
        var text: String
    }

    private var lines: [Line] = []
    private var next = 0

    init(_ text: String) {
        var openBrackets = 0
        for raw in text.split(separator: "\n") {
            let content = YAMLParser.withoutComment(raw)
            let indent = content.prefix { $0 == " " || $0 == "\t" }.count
            let trimmed = content.dropFirst(indent).trimmingSuffix { $0.isWhitespace }
            if trimmed.isEmpty || trimmed.hasPrefix("%") || trimmed == "---" || trimmed == "..." { continue }
            // A list in brackets may go over several lines.
            if openBrackets > 0, !lines.isEmpty {
                lines[lines.count - 1].text += " " + trimmed
            } else {
                lines.append(Line(indent: indent, text: String(trimmed)))
            }
            openBrackets += trimmed.reduce(0) { $0 + ("[{".contains($1) ? 1 : "]}".contains($1) ? -1 : 0) }
        }
    }

    /// The whole document; nil when it isn't understood.
    mutating func parse() -> ConfigValue? {
        guard let first = lines.first, let value = block(indent: first.indent, depth: 0), next == lines.count else {
            return nil
        }
        return value
    }

    private mutating func block(indent: Int, depth: Int) -> ConfigValue? {
        guard depth < 32, next < lines.count else { return nil }
        return isItem(lines[next].text)
            ? list(indent: indent, depth: depth) : mapping(indent: indent, depth: depth)
    }

    private func isItem(_ text: String) -> Bool { text == "-" || text.hasPrefix("- ") }

    private mutating func list(indent: Int, depth: Int) -> ConfigValue? {
        var items: [ConfigValue] = []
        while next < lines.count, lines[next].indent == indent, isItem(lines[next].text) {
            let rest = lines[next].text.dropFirst().drop { $0 == " " }
            if rest.isEmpty {
                next += 1
                guard next < lines.count, lines[next].indent > indent,
                    let value = block(indent: lines[next].indent, depth: depth + 1)
                else { return nil }
                items.append(value)
            } else if isItem(String(rest)) || YAMLParser.keyEnd(rest) != nil {
                // What follows the dash is a block of its own, indented to where it stands.
                lines[next].indent += lines[next].text.count - rest.count
                lines[next].text = String(rest)
                guard let value = block(indent: lines[next].indent, depth: depth + 1) else { return nil }
                items.append(value)
            } else {
                guard let value = YAMLParser.flow(rest) else { return nil }
                items.append(value)
                next += 1
            }
        }
        return .array(items)
    }

    private mutating func mapping(indent: Int, depth: Int) -> ConfigValue? {
        var object: [String: ConfigValue] = [:]
        while next < lines.count, lines[next].indent == indent, !isItem(lines[next].text) {
            let text = lines[next].text[...]
            guard let colon = YAMLParser.keyEnd(text) else { return nil }
            let key = YAMLParser.unquoted(text[..<colon])
            var rest = text[text.index(after: colon)...].drop { $0.isWhitespace }
            if rest.hasPrefix("!") { rest = rest.drop { !$0.isWhitespace }.drop { $0.isWhitespace } }
            next += 1
            if !rest.isEmpty {
                guard let value = YAMLParser.flow(rest) else { return nil }
                object[key] = value
            } else if next < lines.count,
                lines[next].indent > indent || lines[next].indent == indent && isItem(lines[next].text)
            {
                guard let value = block(indent: lines[next].indent, depth: depth + 1) else { return nil }
                object[key] = value
            } else {
                object[key] = .null
            }
        }
        if next < lines.count, lines[next].indent > indent { return nil }
        return .object(object)
    }

    /// Where a key's colon stands: outside quotes and brackets, before a space or the end.
    private static func keyEnd(_ text: Substring) -> Substring.Index? {
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "[{".contains(character) {
                return nil
            } else if character == ":" {
                let after = text.index(after: index)
                // OpenCV's old files leave out the space after the directive only; keys always have it or end there.
                if after == text.endIndex || text[after].isWhitespace { return index }
            }
        }
        return nil
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        var quote: Character?
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#" && previous.isWhitespace {
                return line[..<index]
            }
            previous = character
        }
        return line
    }

    private static func flow(_ text: Substring) -> ConfigValue? {
        var rest = text
        guard let value = flowValue(&rest, depth: 0), rest.allSatisfy(\.isWhitespace) else { return nil }
        return value
    }

    private static func flowValue(_ rest: inout Substring, depth: Int) -> ConfigValue? {
        rest = rest.drop { $0.isWhitespace }
        guard depth < 32, let first = rest.first else { return nil }
        switch first {
        case "[":
            rest.removeFirst()
            var items: [ConfigValue] = []
            while true {
                rest = rest.drop { $0.isWhitespace }
                if rest.first == "]" { break }
                guard let value = flowValue(&rest, depth: depth + 1), endItem(&rest, close: "]") else { return nil }
                items.append(value)
            }
            rest.removeFirst()
            return .array(items)
        case "{":
            rest.removeFirst()
            var object: [String: ConfigValue] = [:]
            while true {
                rest = rest.drop { $0.isWhitespace }
                if rest.first == "}" { break }
                guard let colon = rest.firstIndex(of: ":") else { return nil }
                let key = unquoted(rest[..<colon])
                rest = rest[rest.index(after: colon)...]
                guard let value = flowValue(&rest, depth: depth + 1), endItem(&rest, close: "}") else { return nil }
                object[key] = value
            }
            rest.removeFirst()
            return .object(object)
        case "\"", "'":
            guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
            let value = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            return .string(String(value))
        default:
            let word = depth == 0 ? rest : rest.prefix { !",]}".contains($0) }
            rest = rest[word.endIndex...]
            return scalar(word.trimmingSuffix { $0.isWhitespace })
        }
    }

    /// Passes over a comma; true there and before the closing bracket.
    private static func endItem(_ rest: inout Substring, close: Character) -> Bool {
        rest = rest.drop { $0.isWhitespace }
        if rest.first == "," {
            rest.removeFirst()
            return true
        }
        return rest.first == close
    }

    private static func scalar(_ word: Substring) -> ConfigValue {
        switch word {
        case "true", "True": return .bool(true)
        case "false", "False": return .bool(false)
        case "null", "~", "": return .null
        case ".nan", ".NaN", ".Nan": return .number(.nan)
        case ".inf", ".Inf": return .number(.infinity)
        case "-.inf", "-.Inf": return .number(-.infinity)
        default: return Double(word).map(ConfigValue.number) ?? .string(String(word))
        }
    }

    private static func unquoted(_ text: Substring) -> String {
        let trimmed = text.drop { $0.isWhitespace }.trimmingSuffix { $0.isWhitespace }
        if trimmed.count >= 2, let first = trimmed.first, first == trimmed.last, first == "\"" || first == "'" {
            return String(trimmed.dropFirst().dropLast())
        }
        return String(trimmed)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> Substring {
        var end = endIndex
        while end > startIndex, matches(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
