/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): small, quick, and the same
/// everywhere for the same seed.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// Scrambles a number so that neighbouring ones have nothing in common.
    static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Evenly spread over the range.
    public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * (Double(next() >> 11) / 9_007_199_254_740_992)
    }

    /// Normally distributed with the standard deviation given (sum of twelve even numbers: tails end at six sigma).
    public mutating func gaussian(_ sigma: Double) -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += uniform(0...1) }
        return sum * sigma
    }

    public mutating func gaussianVector(_ sigma: Double) -> SIMD3<Double> {
        SIMD3(gaussian(sigma), gaussian(sigma), gaussian(sigma))
    }

    public mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    public mutating func chance(_ probability: Double) -> Bool { uniform(0...1) < probability }

    /// A generator of its own, so that more draws here do not change what is drawn there.
    public mutating func split() -> SeededRandom { SeededRandom(seed: next()) }
}
