import Foundation

/// A text file of rows: comma, semicolon, tab or space between the fields, `#` before comments.
struct TextTable {
    /// Names of the columns, lower case and without units, from the last line before the data; empty where there is
    /// none.
    let header: [String]
    let rows: [[Substring]]
    /// Line numbers of the rows, from 1, for messages.
    let lines: [Int]

    init(_ text: String) {
        var header: [String] = []
        var rows: [[Substring]] = []
        var lines: [Int] = []
        // On bytes: characters would take many times as long, and inertial files have tens of thousands of lines.
        for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.drop { $0 <= 32 || $0 >= 128 }
            guard let first = trimmed.first else { continue }
            let startsWithNumber = first >= 48 && first <= 57 || first == 45 || first == 43 || first == 46
            if first != 35 && (startsWithNumber || !rows.isEmpty) {
                rows.append(TextTable.fields(trimmed))
                lines.append(index + 1)
            } else if rows.isEmpty {
                header = TextTable.fields(trimmed.drop { $0 == 35 || $0 == 32 }).map {
                    $0.prefix { $0 != " " && $0 != "[" }.lowercased()
                }
            }
        }
        self.header = header
        self.rows = rows
        self.lines = lines
    }

    private static func fields(_ line: Substring.UTF8View) -> [Substring] {
        let separator: UInt8 = line.contains(44) ? 44 : line.contains(59) ? 59 : 32
        return line.split { $0 == separator || separator == 32 && $0 == 9 }.compactMap { field in
            var field = field.drop { $0 <= 32 }
            while let last = field.last, last <= 32 { field.removeLast() }
            return field.isEmpty ? nil : Substring(field)
        }
    }

    /// The first column with one of the names.
    func column(named names: String...) -> Int? {
        names.lazy.compactMap { header.firstIndex(of: $0) }.first
    }
}

/// Exact times from decimal text, which a Double would round.
enum DecimalTime {
    /// Nanoseconds from seconds written as a decimal number; nil when it is none.
    static func nanoseconds(seconds text: Substring) -> Int64? {
        var bytes = Array(text.utf8)[...]
        let isNegative = bytes.first == 45
        if isNegative || bytes.first == 43 { bytes = bytes.dropFirst() }
        var value: Int64 = 0
        var decimals = -1
        var digits = 0
        for byte in bytes {
            if byte == 46 && decimals < 0 {
                decimals = 0
            } else if byte >= 48 && byte <= 57 {
                digits += 1
                if decimals >= 9 { continue }
                if decimals >= 0 { decimals += 1 }
                let (product, overflow) = value.multipliedReportingOverflow(by: 10)
                guard !overflow, product < Int64.max - 10 else { return nil }
                value = product + Int64(byte - 48)
            } else {
                return rounded(text)
            }
        }
        guard digits > 0 else { return nil }
        for _ in max(0, decimals)..<9 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = product
        }
        return isNegative ? -value : value
    }

    /// With an exponent.
    private static func rounded(_ text: Substring) -> Int64? {
        guard let seconds = Double(text), abs(seconds) < 9e9 else { return nil }
        return Int64((seconds * 1e9).rounded())
    }
}
