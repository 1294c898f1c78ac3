import FootholdCoaching
import Foundation

/// SplitMix64: the same numbers from the same seed, everywhere.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }
}

/// What an engine would say in some situation, with the spread that real pictures have.
struct Situation: Sendable {
    var name: String
    var cause: HintCause?
    var state: TrackingState
    var diagnostics: @Sendable (inout SeededRandom) -> FrameDiagnostics
    var hasSurface = true

    var hasPose: Bool {
        state != .notAvailable && state != .limited(.initializing) && state != .limited(.relocalizing)
            && state != .limited(.noTranslation)
    }

    /// A bright, textured, steady view. Numbers as the engine measures them in real and rendered clips: sharpness is
    /// about 1 for a sharp picture, 0.6 for a blurred one, and above 1.2 or 0 where there is only noise or nothing.
    @Sendable static func calm(_ random: inout SeededRandom) -> FrameDiagnostics {
        var d = FrameDiagnostics()
        d.brightness = random.number(0.3...0.55)
        d.darkShare = random.number(0.02...0.15)
        d.brightShare = random.number(0...0.015)
        d.sharpness = random.number(0.87...1.02)
        d.textureShare = random.number(0.5...0.95)
        d.detailShare = random.number(0.5...0.98)
        d.repetition = random.number(0.1...0.36)
        d.change = random.number(0.005...0.05)
        d.trackedCount = Int(random.number(120...250))
        d.inlierCount = Int(Double(d.trackedCount) * random.number(0.8...0.97))
        d.flow = random.number(0.05...0.35)
        d.angularSpeedRadiansPerSecond = random.number(0.05...0.5)
        d.reprojectionErrorPixels = random.number(0.4...1.2)
        return d
    }

    /// While lost or without points, nothing is followed, and the share of textured cells is the last one known.
    private static func withoutPoints(_ d: inout FrameDiagnostics) {
        (d.trackedCount, d.inlierCount) = (0, 0)
        (d.flow, d.angularSpeedRadiansPerSecond, d.parallaxPixels, d.reprojectionErrorPixels) = (0, 0, 0, 0)
    }

    private static func make(
        _ name: String, _ cause: HintCause?, _ state: TrackingState, hasSurface: Bool = true,
        _ change: @escaping @Sendable (inout FrameDiagnostics, inout SeededRandom) -> Void
    ) -> Situation {
        Situation(
            name: name, cause: cause, state: state,
            diagnostics: { random in
                var d = calm(&random)
                change(&d, &random)
                return d
            }, hasSurface: hasSurface)
    }

    static let well = Situation(name: "well", cause: nil, state: .normal, diagnostics: calm)

    static let troubled: [Situation] = [
        make("dark", .insufficientLight, .limited(.insufficientLight)) { d, random in
            d.brightness = random.number(0.04...0.08)
            d.darkShare = random.number(0.75...1)
            d.sharpness = random.number(1.1...2)
            d.textureShare = random.number(0...0.3)
            d.detailShare = random.number(0...0.6)
            d.trackedCount = Int(random.number(0...25))
            d.inlierCount = d.trackedCount / 2
        },
        make("dark, and lost", .insufficientLight, .limited(.relocalizing)) { d, random in
            withoutPoints(&d)
            d.brightness = random.number(0.04...0.08)
            d.darkShare = random.number(0.75...1)
            d.sharpness = random.number(1...2)
            d.detailShare = random.number(0...0.6)
        },
        make("glaring", .tooBright, .limited(.insufficientFeatures)) { d, random in
            d.brightness = random.number(0.82...0.97)
            d.darkShare = 0
            d.brightShare = random.number(0.55...0.9)
            d.textureShare = random.number(0.02...0.1)
            d.detailShare = random.number(0.1...0.5)
            d.trackedCount = Int(random.number(0...20))
            d.inlierCount = d.trackedCount
        },
        make("shaken", .excessiveMotion, .limited(.excessiveMotion)) { d, random in
            d.flow = random.number(1.1...2.5)
            d.angularSpeedRadiansPerSecond = random.number(1.5...3.5)
            d.sharpness = random.number(0.55...0.65)
            d.change = random.number(0.05...0.1)
            d.textureShare = random.number(0.1...0.4)
            d.trackedCount = Int(random.number(10...60))
            d.inlierCount = d.trackedCount / 2
        },
        make("shaken, and lost", .excessiveMotion, .limited(.relocalizing)) { d, random in
            withoutPoints(&d)
            d.sharpness = random.number(0.55...0.65)
            d.change = random.number(0.05...0.1)
        },
        make("plain", .insufficientFeatures, .limited(.insufficientFeatures)) { d, random in
            d.brightness = random.number(0.35...0.7)
            d.textureShare = random.number(0.02...0.25)
            d.detailShare = random.number(0...0.1)
            d.sharpness = random.number(0.75...1.1)
            d.change = random.number(0.001...0.01)
            d.trackedCount = Int(random.number(0...25))
            d.inlierCount = d.trackedCount / 2
        },
        make("plain from the start", .insufficientFeatures, .limited(.insufficientFeatures), hasSurface: false) {
            d, random in
            withoutPoints(&d)
            d.brightness = random.number(0.35...0.7)
            d.textureShare = random.number(0...0.3)
            d.detailShare = random.number(0...0.1)
            d.sharpness = random.number(0.65...1.1)
            d.change = random.number(0.001...0.01)
        },
        make("turning on the spot", .noTranslation, .limited(.noTranslation), hasSurface: false) { d, random in
            (d.flow, d.angularSpeedRadiansPerSecond) = (0, 0)
            d.inlierCount = 0
            d.parallaxPixels = random.number(0...2)
        },
        make("shiny", .hardSurfaces, .limited(.insufficientFeatures)) { d, random in
            d.brightShare = random.number(0.05...0.12)
            d.trackedCount = Int(random.number(80...160))
            d.inlierCount = Int(Double(d.trackedCount) * random.number(0.1...0.3))
            d.reprojectionErrorPixels = random.number(2.2...3.5)
            d.textureShare = random.number(0.35...0.6)
        },
        make("tiles", .repeatedPattern, .limited(.insufficientFeatures)) { d, random in
            d.brightShare = random.number(0...0.01)
            d.textureShare = random.number(0.8...1)
            d.repetition = random.number(0.82...0.98)
            d.trackedCount = Int(random.number(150...250))
            d.inlierCount = Int(Double(d.trackedCount) * random.number(0.1...0.3))
            d.reprojectionErrorPixels = random.number(0.6...1.1)
        },
        make("black", .viewBlocked, .limited(.relocalizing)) { d, random in
            withoutPoints(&d)
            d.brightness = random.number(0...0.02)
            d.darkShare = random.number(0.97...1)
            d.sharpness = 0
            d.detailShare = 0
            d.change = 0
        },
        make("black, and started over", .viewBlocked, .limited(.insufficientLight)) { d, random in
            withoutPoints(&d)
            d.brightness = random.number(0...0.02)
            d.darkShare = random.number(0.97...1)
            d.sharpness = 0
            d.detailShare = 0
            d.change = 0
        },
        make("a finger on the lens", .viewBlocked, .limited(.relocalizing)) { d, random in
            withoutPoints(&d)
            d.sharpness = random.number(1.8...2.3)
            d.change = random.number(0.001...0.003)
            d.textureShare = 0
            d.detailShare = 0
        },
        make("frozen", .frozen, .limited(.relocalizing)) { d, _ in
            withoutPoints(&d)
            d.change = 0
        },
        make("frozen while all went well", .frozen, .normal) { d, _ in
            (d.flow, d.angularSpeedRadiansPerSecond) = (0, 0)
            d.change = 0
        },
        make("lost", .relocalizing, .limited(.relocalizing)) { d, _ in withoutPoints(&d) },
    ]
}

enum Stream {
    static let intrinsics = CameraIntrinsics.guess(width: 640, height: 480)
    static let surface = PlaneAnchor(
        id: 1, alignment: .horizontal, classification: .floor, worldFromSurface: .identity, extent: SIMD2(2, 2),
        boundary: [SIMD2(-1, -1), SIMD2(-1, 1), SIMD2(1, 1), SIMD2(1, -1)], confidence: 1, firstSeenNanoseconds: 0,
        lastUpdatedNanoseconds: 0)

    static func result(
        index: Int, seconds: Double, situation: Situation, random: inout SeededRandom, hasSurface: Bool? = nil
    ) -> FrameResult {
        let camera = Pose(rotation: Rotation(axis: .unitX, angleRadians: -0.5), position: SIMD3(0, 1.5, 1))
        return FrameResult(
            frameIndex: index, timestampNanoseconds: Int64((seconds * 1e9).rounded()), trackingState: situation.state,
            worldFromCamera: situation.hasPose ? camera : nil, intrinsics: intrinsics,
            light: LightEstimate(intensity: 0.5), scale: ScaleEstimate(source: .assumed, confidence: 0),
            diagnostics: situation.diagnostics(&random),
            surfaces: hasSurface ?? situation.hasSurface ? [surface] : [])
    }
}
