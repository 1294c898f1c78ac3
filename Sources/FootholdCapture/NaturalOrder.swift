/// Orders names as people do: runs of digits by their value, so that `frame9` comes before `frame10`.
enum NaturalOrder {
    static func precedes(_ a: String, _ b: String) -> Bool {
        let x = Array(a.utf8)
        let y = Array(b.utf8)
        var i = 0
        var j = 0
        while i < x.count && j < y.count {
            if isDigit(x[i]) && isDigit(y[j]) {
                let m = digits(x, from: &i)
                let n = digits(y, from: &j)
                if m.count != n.count { return m.count < n.count }
                if m != n { return m.lexicographicallyPrecedes(n) }
            } else {
                if x[i] != y[j] { return x[i] < y[j] }
                i += 1
                j += 1
            }
        }
        if x.count - i != y.count - j { return x.count - i < y.count - j }
        // Equal but for leading zeros: any fixed order will do.
        return x.lexicographicallyPrecedes(y)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    /// The digits from `index` on without leading zeros; moves `index` behind them.
    private static func digits(_ bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
        while index < bytes.count && bytes[index] == 48 { index += 1 }
        let start = index
        while index < bytes.count && isDigit(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }
}
