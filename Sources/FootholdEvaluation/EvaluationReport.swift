import Foundation

/// Everything that could be measured about one session.
public struct EvaluationReport: Hashable, Sendable, Codable {
    public var sequence: String

    /// How much of the recording has a pose.
    public struct Tracking: Hashable, Sendable, Codable {
        public var frames: Int
        public var trackedFrames: Int
        public var trackedFraction: Double
        /// Of the frames from the first tracked one on; nil when none is.
        public var trackedFractionAfterFirst: Double?
        public var secondsToFirst: Double?
    }

    /// A trajectory against the truth. Metres, or units of the reference.
    public struct Accuracy: Hashable, Sendable, Codable {
        public var alignment: AlignmentKind
        public var pairs: Int
        /// Metres of the truth per unit of the session.
        public var scale: Double
        public var absolute: ErrorStatistics
        /// Between neighbouring poses.
        public var relative: ErrorStatistics?
        public var relativeRotationDegrees: ErrorStatistics?
    }

    public var tracking: Tracking
    /// Length of the true path between the compared poses.
    public var pathLength: Double?
    public var sim3: Accuracy?
    public var se3: Accuracy?
    public var refinedSim3: Accuracy?
    public var refinedSE3: Accuracy?
    /// Where the session says its metre comes from.
    public var scaleSource: String?
    /// How far what the session says of its metre is from the true one, as a share; only where it says anything.
    public var scaleError: Double?
    /// Between the session's up and the true one, after alignment.
    public var gravityErrorDegrees: Double?
    /// How far the camera's believed focal length is from the true one at the end, as a share.
    public var focalLengthError: Double?
    public var poseDrift: DriftScore?
    public var placedDrift: DriftScore?
    public var objects: [ObjectScore]
    /// At the end; after all was looked at once more, where the session did that.
    public var surfaces: SurfaceScore?
    /// As they were told by the last frame; nil where nothing was told after it.
    public var liveSurfaces: SurfaceScore?
    /// Against planes without an extent, where that is all that is known.
    public var referencePlanes: [ReferencePlaneScore] = []
    public var secondsToFirstSurface: Double?
    public var hints: HintScore?
    public var speed: SpeedFigures?
    /// Why figures are missing, one line each.
    public var remarks: [String]

    /// The report as JSON: sorted keys, the same bytes for the same figures.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
