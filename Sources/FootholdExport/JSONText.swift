/// Builds JSON text piece by piece, with keys in the order in which they are written.
///
/// Numbers that JSON cannot hold (infinite, not a number) become `null`.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ key: String? = nil, _ body: (inout JSONText) -> Void) {
        nested(key, open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), body)
    }

    mutating func array(_ key: String? = nil, _ body: (inout JSONText) -> Void) {
        nested(key, open: UInt8(ascii: "["), close: UInt8(ascii: "]"), body)
    }

    mutating func string(_ key: String? = nil, _ value: String?) {
        begin(key)
        if let value { appendQuoted(value) } else { appendNull() }
    }

    mutating func integer(_ key: String? = nil, _ value: Int?) {
        begin(key)
        if let value { bytes.append(contentsOf: String(value).utf8) } else { appendNull() }
    }

    mutating func boolean(_ key: String? = nil, _ value: Bool) {
        begin(key)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func number(_ key: String? = nil, _ value: Double?, decimals: Int = 9) {
        begin(key)
        if let value, value.isFinite {
            DecimalText.append(value, decimals: decimals, to: &bytes)
        } else {
            appendNull()
        }
    }

    mutating func seconds(_ key: String? = nil, nanoseconds: Int64?) {
        begin(key)
        if let nanoseconds {
            DecimalText.append(secondsFromNanoseconds: nanoseconds, to: &bytes)
        } else {
            appendNull()
        }
    }

    /// A number that is JSON already.
    mutating func number(_ key: String? = nil, asWritten text: String) {
        begin(key)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func numbers(_ key: String? = nil, _ values: some Sequence<Double>, decimals: Int = 9) {
        array(key) { for value in values { $0.number(nil, value, decimals: decimals) } }
    }

    mutating func vector(_ key: String? = nil, _ value: SIMD3<Double>, decimals: Int = 9) {
        numbers(key, [value.x, value.y, value.z], decimals: decimals)
    }

    /// Single-precision numbers in the shortest text that gives exactly them back.
    mutating func floats(_ key: String? = nil, _ values: [Float]) {
        array(key) { json in
            for value in values {
                json.begin(nil)
                if value.isFinite { json.bytes.append(contentsOf: value.description.utf8) } else { json.appendNull() }
            }
        }
    }

    mutating func null(_ key: String? = nil) {
        begin(key)
        appendNull()
    }

    /// Ends a line, so that the next value is a text of its own (JSON Lines).
    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    private mutating func nested(_ key: String?, open: UInt8, close: UInt8, _ body: (inout JSONText) -> Void) {
        begin(key)
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func begin(_ key: String?) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        guard let key else { return }
        appendQuoted(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func appendNull() { bytes.append(contentsOf: "null".utf8) }

    private mutating func appendQuoted(_ text: String) {
        let hexadecimal = Array("0123456789abcdef".utf8)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
