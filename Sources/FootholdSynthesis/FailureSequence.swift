import Foundation

/// A made-up recording in which one thing goes wrong at a known time, or nothing at all.
///
/// The same kind and seed give the same bytes. Used by one thread at a time.
public final class FailureSequence {
    /// What goes wrong, as events files and hints name it.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case insufficientLight = "insufficient_light"
        case tooBright = "too_bright"
        case excessiveMotion = "excessive_motion"
        case insufficientFeatures = "insufficient_features"
        case repeatedPattern = "repeated_pattern"
        case hardSurfaces = "hard_surfaces"
        case noTranslation = "no_translation"
        case viewBlocked = "view_blocked"
        case tooClose = "too_close"
        case searchingTooLong = "searching_too_long"
        case relocalizing
        case frozen
        case lowQuality = "low_quality"
        /// Nothing: what a person is asked to do, done well.
        case calm
    }

    public let kind: Kind
    /// Which form of the failure it is, such as `backlit`.
    public let variant: String
    public let seed: UInt64
    /// When it holds, seconds; nil for calm recordings.
    public let interval: ClosedRange<Double>?
    public let duration: Double
    public let intrinsics: CameraIntrinsics
    public let framesPerSecond: Double
    private let takes: [SyntheticSequence]
    private let script: FailureScript
    private var nextIndex = 0
    private var lastLuma: [UInt8] = []
    private var random: SeededRandom

    /// - Parameters:
    ///   - width, height: pixels.
    public init(kind: Kind, seed: UInt64, width: Int = 320, height: Int = 240) {
        let focal = Double(max(width, height)) * 0.83
        let size = kind == .lowQuality ? FailureScript.lowQualitySize(seed: seed, width, height) : (width, height)
        let scale = Double(size.0) / Double(width)
        let intrinsics = CameraIntrinsics(
            width: size.0, height: size.1, fx: focal * scale, fy: focal * scale, cx: Double(size.0 - 1) / 2,
            cy: Double(size.1 - 1) / 2)
        let script = FailureScript(kind: kind, seed: seed, intrinsics: intrinsics)
        self.kind = kind
        self.seed = seed
        self.intrinsics = intrinsics
        self.script = script
        variant = script.variant
        interval = script.interval
        duration = script.duration
        framesPerSecond = script.takes[0].camera.framesPerSecond
        takes = script.takes.enumerated().map { index, take in
            SyntheticSequence(
                world: take.world, path: take.path, intrinsics: intrinsics, camera: take.camera,
                duration: script.duration, seed: seed &* 31 &+ UInt64(index))
        }
        random = SeededRandom(seed: seed ^ 0xFA_117E)
    }

    public var frameCount: Int { takes[0].frameCount }

    /// The next frame, or nil after the last. Luma is full-range.
    public func nextFrame() -> Frame? {
        guard nextIndex < frameCount else { return nil }
        defer { nextIndex += 1 }
        let seconds = Double(nextIndex) / framesPerSecond
        let take = takes[script.take(at: seconds)]
        if let fault = script.fault(at: seconds), fault.repeatsLastPicture, !lastLuma.isEmpty {
            return frame(lastLuma)
        }
        take.skip(toFrame: nextIndex)
        guard let clean = take.nextFrame() else { return nil }
        guard let fault = script.fault(at: seconds) else {
            // The next picture may have to be this one again.
            if script.mayFreeze { lastLuma = clean.pixels.packedLuma }
            return clean
        }
        var picture = FaultyPicture(luma: clean.pixels.packedLuma, width: intrinsics.width, height: intrinsics.height)
        picture.apply(fault, random: &random)
        return frame(picture.luma)
    }

    private func frame(_ luma: [UInt8]) -> Frame {
        Frame(
            index: nextIndex, timestampNanoseconds: takes[0].timestampNanoseconds(ofFrame: nextIndex),
            pixels: PixelBuffer(copyingLuma: luma, width: intrinsics.width, height: intrinsics.height))
    }

    /// What an inertial sensor in the camera measures; empty after a cut, which no sensor could follow.
    public func inertialSamples(_ model: InertialModel = InertialModel()) -> [InertialSample] {
        takes.count == 1 ? takes[0].inertialSamples(model) : []
    }
}

extension PixelBuffer {
    /// Row by row without gaps.
    fileprivate var packedLuma: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(width * height)
        let plane = planes[0]
        for row in 0..<height {
            result.append(contentsOf: UnsafeBufferPointer(start: plane.base + row * plane.bytesPerRow, count: width))
        }
        return result
    }
}
