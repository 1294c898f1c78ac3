import FootholdScene

/// The light that objects are drawn in, from the room's estimate.
struct Lighting: Hashable {
    /// Towards the light, in the world; length one.
    let direction: SIMD3<Double>
    /// Linear red, green, blue, with the room's brightness.
    let color: SIMD3<Double>

    /// From above and a little from one side: how people expect light where nothing is known.
    static let usualDirection = SIMD3(-0.5, 1.0, 0.2).normalized

    init(_ estimate: LightEstimate) {
        direction = (estimate.direction ?? Self.usualDirection).normalized
        // A picture's mean luma of 0.45 is a well-exposed room. Follows it less than fully: cameras adapt, and an object
        // must stay recognisable in the dark.
        let ratio = (estimate.intensity.clamped(to: 0...1) / 0.45).clamped(to: 0.12...1.5)
        let brightness = ratio * (1 + 0.25 * (1 - ratio))
        let peak = max(estimate.color.max(), 1e-3)
        let tint = estimate.color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak)) / peak
        // Half way to white: estimates from the picture confuse the light's colour with the room's.
        color = (0.5 * tint * tint + 0.5) * brightness
    }
}
