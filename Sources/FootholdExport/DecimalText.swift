/// Numbers as text that is the same on every machine and in every language setting.
enum DecimalText {
    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

    /// Appends `value` rounded to at most `decimals` (0…9) decimals.
    ///
    /// - Parameters:
    ///   - value: must be finite.
    ///   - keepingZeros: writes all decimals, as tables do; otherwise trailing zeros are left out.
    static func append(_ value: Double, decimals: Int, keepingZeros: Bool = false, to bytes: inout [UInt8]) {
        precondition(value.isFinite && (0...9).contains(decimals))
        let scaled = (value * powers[decimals]).rounded()
        // Beyond 2^53 the scaled number is no longer exact: the shortest text that gives the value back is used.
        guard abs(scaled) < 9_007_199_254_740_992 else {
            bytes.append(contentsOf: value.description.utf8)
            return
        }
        appendScaled(Int64(scaled), decimals: decimals, keepingZeros: keepingZeros, to: &bytes)
    }

    /// Appends nanoseconds as seconds, exactly.
    static func append(secondsFromNanoseconds nanoseconds: Int64, keepingZeros: Bool = false, to bytes: inout [UInt8]) {
        appendScaled(nanoseconds, decimals: 9, keepingZeros: keepingZeros, to: &bytes)
    }

    private static func appendScaled(_ scaled: Int64, decimals: Int, keepingZeros: Bool, to bytes: inout [UInt8]) {
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        var digits = Array(String(scaled.magnitude).utf8)
        if digits.count <= decimals {
            digits.insert(contentsOf: repeatElement(UInt8(ascii: "0"), count: decimals + 1 - digits.count), at: 0)
        }
        bytes.append(contentsOf: digits.dropLast(decimals))
        var fraction = digits.suffix(decimals)
        if !keepingZeros {
            while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
        }
        if !fraction.isEmpty {
            bytes.append(UInt8(ascii: "."))
            bytes.append(contentsOf: fraction)
        }
    }
}
