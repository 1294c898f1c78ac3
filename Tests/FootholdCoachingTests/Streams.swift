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

    /// A bright, textured, steady view.
    @Sendable static func calm(_ random: inout SeededRandom) -> FrameDiagnostics {
        var d = FrameDiagnostics()
        d.brightness = random.number(0.3...0.55)
        d.darkShare = random.number(0.02...0.15)
        d.brightShare = random.number(0...0.04)
        d.sharpness = random.number(0.4...0.8)
        d.textureShare = random.number(0.35...0.8)
        d.change = random.number(0.01...0.04)
        d.trackedCount = Int(random.number(120...250))
        d.inlierCount = Int(Double(d.trackedCount) * random.number(0.8...0.97))
        d.flow = random.number(0.05...0.35)
        d.angularSpeedRadiansPerSecond = random.number(0.05...0.5)
        d.parallaxPixels = random.number(8...30)
        d.reprojectionErrorPixels = random.number(0.4...0.9)
        return d
    }

    static let well = Situation(name: "well", cause: nil, state: .normal, diagnostics: calm)

    static let troubled: [Situation] = [
        Situation(name: "dark", cause: .insufficientLight, state: .limited(.insufficientLight)) { random in
            var d = calm(&random)
            d.brightness = random.number(0.02...0.07)
            d.darkShare = random.number(0.75...1)
            d.sharpness = random.number(0.05...0.2)
            d.textureShare = random.number(0...0.15)
            d.trackedCount = Int(random.number(0...25))
            d.inlierCount = d.trackedCount / 2
            return d
        },
        Situation(name: "dark, and lost", cause: .insufficientLight, state: .limited(.relocalizing)) { random in
            var d = calm(&random)
            d.brightness = random.number(0.02...0.07)
            d.darkShare = random.number(0.75...1)
            d.sharpness = random.number(0.05...0.2)
            d.textureShare = random.number(0.06...0.15)
            d.trackedCount = 0
            d.inlierCount = 0
            return d
        },
        Situation(name: "glaring", cause: .tooBright, state: .limited(.insufficientFeatures)) { random in
            var d = calm(&random)
            d.brightness = random.number(0.82...0.97)
            d.darkShare = 0
            d.brightShare = random.number(0.55...0.9)
            d.textureShare = random.number(0.02...0.1)
            d.trackedCount = Int(random.number(0...20))
            d.inlierCount = d.trackedCount
            return d
        },
        Situation(name: "shaken", cause: .excessiveMotion, state: .limited(.excessiveMotion)) { random in
            var d = calm(&random)
            d.flow = random.number(1.1...2.5)
            d.angularSpeedRadiansPerSecond = random.number(1.5...3.5)
            d.sharpness = random.number(0.08...0.2)
            d.textureShare = random.number(0.1...0.4)
            d.trackedCount = Int(random.number(10...60))
            d.inlierCount = d.trackedCount / 2
            return d
        },
        Situation(name: "shaken, and lost", cause: .excessiveMotion, state: .limited(.relocalizing)) { random in
            var d = calm(&random)
            d.flow = random.number(1.2...2.5)
            d.angularSpeedRadiansPerSecond = random.number(2...3.5)
            d.sharpness = random.number(0.08...0.2)
            d.trackedCount = Int(random.number(10...40))
            d.inlierCount = d.trackedCount / 3
            return d
        },
        Situation(name: "plain", cause: .insufficientFeatures, state: .limited(.insufficientFeatures)) { random in
            var d = calm(&random)
            d.brightness = random.number(0.35...0.7)
            d.textureShare = random.number(0.02...0.1)
            d.sharpness = random.number(0.03...0.12)
            d.trackedCount = Int(random.number(0...25))
            d.inlierCount = d.trackedCount / 2
            return d
        },
        Situation(
            name: "plain from the start", cause: .insufficientFeatures, state: .limited(.initializing),
            diagnostics: { random in
                var d = calm(&random)
                d.brightness = random.number(0.35...0.7)
                d.textureShare = random.number(0...0.08)
                d.sharpness = random.number(0.03...0.12)
                d.trackedCount = Int(random.number(0...20))
                d.inlierCount = 0
                d.parallaxPixels = 0
                return d
            }, hasSurface: false),
        Situation(
            name: "turning on the spot", cause: .noTranslation, state: .limited(.noTranslation),
            diagnostics: { random in
                var d = calm(&random)
                d.flow = random.number(0.3...0.7)
                d.angularSpeedRadiansPerSecond = random.number(0.4...0.9)
                d.parallaxPixels = random.number(0...2)
                return d
            }, hasSurface: false),
        Situation(
            name: "turning on the spot while starting", cause: .noTranslation, state: .limited(.initializing),
            diagnostics: { random in
                var d = calm(&random)
                d.flow = random.number(0.3...0.7)
                d.angularSpeedRadiansPerSecond = random.number(0.4...0.9)
                d.parallaxPixels = random.number(0...2)
                return d
            }, hasSurface: false),
        Situation(name: "shiny", cause: .hardSurfaces, state: .limited(.insufficientFeatures)) { random in
            var d = calm(&random)
            d.brightShare = random.number(0.05...0.12)
            d.trackedCount = Int(random.number(80...160))
            d.inlierCount = Int(Double(d.trackedCount) * random.number(0.1...0.3))
            d.reprojectionErrorPixels = random.number(2.2...3.5)
            d.textureShare = random.number(0.3...0.5)
            return d
        },
        Situation(name: "tiles", cause: .repeatedPattern, state: .limited(.relocalizing)) { random in
            var d = calm(&random)
            d.brightShare = random.number(0...0.02)
            d.textureShare = random.number(0.75...0.95)
            d.trackedCount = Int(random.number(150...250))
            d.inlierCount = Int(Double(d.trackedCount) * random.number(0.1...0.3))
            d.reprojectionErrorPixels = random.number(0.6...1.1)
            return d
        },
        Situation(name: "covered", cause: .viewBlocked, state: .limited(.relocalizing)) { random in
            var d = calm(&random)
            d.brightness = random.number(0...0.03)
            d.darkShare = random.number(0.95...1)
            d.sharpness = random.number(0...0.02)
            d.textureShare = 0
            d.flow = 0
            d.change = random.number(0.001...0.004)
            d.trackedCount = 0
            d.inlierCount = 0
            return d
        },
        Situation(name: "frozen", cause: .frozen, state: .limited(.relocalizing)) { random in
            var d = calm(&random)
            d.change = 0
            d.flow = 0
            d.angularSpeedRadiansPerSecond = 0
            return d
        },
        Situation(name: "frozen while all went well", cause: .frozen, state: .normal) { random in
            var d = calm(&random)
            d.change = 0
            d.flow = 0
            d.angularSpeedRadiansPerSecond = 0
            return d
        },
        Situation(name: "lost", cause: .relocalizing, state: .limited(.relocalizing)) { random in
            var d = calm(&random)
            d.inlierCount = Int(Double(d.trackedCount) * random.number(0.7...0.9))
            return d
        },
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
            worldFromCamera: situation.state.hasPose ? camera : nil, intrinsics: intrinsics,
            light: LightEstimate(intensity: 0.5), scale: ScaleEstimate(source: .assumed, confidence: 0),
            diagnostics: situation.diagnostics(&random),
            surfaces: hasSurface ?? situation.hasSurface ? [surface] : [])
    }
}
