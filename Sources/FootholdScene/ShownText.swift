/// Text that others wrote, as it is put into messages: short enough to be read, and nothing that a terminal would obey.
public enum ShownText {
    private static let longestName = 80
    /// Longer than nearly all paths.
    private static let longestWord = 200
    private static let longestLine = 1500

    /// A name that somebody gave, cut in its middle where it is too long.
    public static func name(_ name: some StringProtocol) -> String { cut(plain(name), to: longestName) }

    /// A message as one line, with what is too long in it cut.
    public static func line(_ text: some StringProtocol) -> String {
        let words = plain(text).split(separator: " ", omittingEmptySubsequences: false)
        let line = words.map { $0.count > longestWord ? cut($0, to: longestName) : String($0) }.joined(separator: " ")
        return cut(line, to: longestLine)
    }

    /// Line ends are blanks, and other control characters question marks.
    private static func plain(_ text: some StringProtocol) -> String {
        // A line feed after a carriage return is one character with it.
        let lines = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        var plain = ""
        for scalar in lines.unicodeScalars {
            plain.unicodeScalars.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return plain
    }

    private static func cut(_ text: some StringProtocol, to count: Int) -> String {
        guard text.count > count else { return String(text) }
        let end = count / 3
        return "\(text.prefix(count - end - 1))…\(text.suffix(end))"
    }
}
