import Foundation

/// A text file of rows: comma, semicolon, tab or space between the fields, `#` before comments.
///
/// Works on bytes throughout: inertial files have tens of thousands of lines, and opening must not wait for them.
struct TextTable {
    /// Names of the columns, lower case and without units, from the last line before the data; empty where there is
    /// none.
    let header: [String]
    let rows: [Row]
    private let bytes: [UInt8]
    private let fields: [Range<Int>]

    struct Row {
        /// Counts from 1, for messages.
        let line: Int
        fileprivate let fields: Range<Int>

        var count: Int { fields.count }
    }

    init(_ data: Data) {
        // Numbers are read up to a byte that ends them: there must be one after the last.
        let bytes = [UInt8](data) + [0]
        var header: [String] = []
        var rows: [Row] = []
        var fields: [Range<Int>] = []
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            var line = 0
            while start < bytes.count - 1 {
                line += 1
                var end = start
                while bytes[end] != Byte.newline && end < bytes.count - 1 { end += 1 }
                defer { start = end + 1 }
                var first = start
                // A byte order mark counts as a blank.
                while first < end, bytes[first] <= Byte.space || bytes[first] >= 128 { first += 1 }
                guard first < end else { continue }
                if bytes[first] != Byte.hash && (!rows.isEmpty || Byte.startsNumber(bytes[first])) {
                    let firstField = fields.count
                    TextTable.split(bytes, first..<end, into: &fields)
                    rows.append(Row(line: line, fields: firstField..<fields.count))
                } else if rows.isEmpty {
                    while first < end, bytes[first] <= Byte.space || bytes[first] == Byte.hash { first += 1 }
                    var names: [Range<Int>] = []
                    TextTable.split(bytes, first..<end, into: &names)
                    header = names.map { name in
                        String(decoding: bytes[name].prefix { $0 != Byte.space && $0 != Byte.bracket }, as: UTF8.self)
                            .lowercased()
                    }
                }
            }
        }
        self.header = header
        self.rows = rows
        self.bytes = bytes
        self.fields = fields
    }

    private static func split(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, into fields: inout [Range<Int>])
    {
        let separator = [Byte.comma, Byte.semicolon].first { bytes[line].contains($0) } ?? Byte.space
        var start = line.lowerBound
        for index in line.lowerBound...line.upperBound {
            let isEnd = index == line.upperBound
            guard isEnd || bytes[index] == separator || separator == Byte.space && bytes[index] == Byte.tab else {
                continue
            }
            var (first, last) = (start, index)
            while first < last, bytes[first] <= Byte.space { first += 1 }
            while last > first, bytes[last - 1] <= Byte.space { last -= 1 }
            // Several blanks are one separator; between commas even nothing is a field.
            if first < last || separator != Byte.space { fields.append(first..<last) }
            start = index + 1
        }
    }

    /// The first column with one of the names.
    func column(named names: String...) -> Int? {
        names.lazy.compactMap { header.firstIndex(of: $0) }.first
    }

    func text(_ row: Row, _ column: Int) -> String {
        String(decoding: bytes[fields[row.fields.lowerBound + column]], as: UTF8.self)
    }

    /// Nil where the field is no finite number.
    func number(_ row: Row, _ column: Int) -> Double? {
        let field = fields[row.fields.lowerBound + column]
        guard !field.isEmpty else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(base + field.lowerBound, &end)
            return UnsafePointer(end) == base + field.upperBound && value.isFinite ? value : nil
        }
    }

    /// A whole number; nil where the field is none.
    func integer(_ row: Row, _ column: Int) -> Int64? { Int64(text(row, column)) }

    /// Nanoseconds, exactly, from seconds in decimal notation; nil where the field is no such number.
    func nanoseconds(_ row: Row, _ column: Int) -> Int64? {
        if let exact = DecimalTime.nanoseconds(seconds: bytes[fields[row.fields.lowerBound + column]]) { return exact }
        guard let seconds = number(row, column), abs(seconds) < 9e9 else { return nil }
        return Int64((seconds * 1e9).rounded())
    }
}

private enum Byte {
    static let tab: UInt8 = 9
    static let newline: UInt8 = 10
    static let space: UInt8 = 32
    static let hash: UInt8 = 35
    static let plus: UInt8 = 43
    static let comma: UInt8 = 44
    static let minus: UInt8 = 45
    static let point: UInt8 = 46
    static let semicolon: UInt8 = 59
    static let bracket: UInt8 = 91

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    static func startsNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == plus || byte == minus || byte == point
    }
}

/// Exact times from decimal text, which a Double would round.
enum DecimalTime {
    /// Nanoseconds from seconds written without an exponent; nil for anything else.
    static func nanoseconds(seconds text: ArraySlice<UInt8>) -> Int64? {
        var text = text
        let isNegative = text.first == Byte.minus
        if isNegative || text.first == Byte.plus { text = text.dropFirst() }
        var value: Int64 = 0
        var decimals: Int?
        var digits = 0
        for byte in text {
            if byte == Byte.point && decimals == nil {
                decimals = 0
                continue
            }
            guard Byte.isDigit(byte) else { return nil }
            digits += 1
            if let count = decimals {
                // Beyond nanoseconds.
                if count >= 9 { continue }
                decimals = count + 1
            }
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow, tenfold < Int64.max - 10 else { return nil }
            value = tenfold + Int64(byte - 48)
        }
        guard digits > 0 else { return nil }
        for _ in (decimals ?? 0)..<9 {
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = tenfold
        }
        return isNegative ? -value : value
    }
}
