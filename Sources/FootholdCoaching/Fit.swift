import FootholdScene
import Foundation

/// How well the points fit the camera's way, now and in the whole recording.
struct Fit: Sendable {
    private static let smoothingSeconds = 0.2
    /// Pixels; where the misfit is larger throughout, that points disagree proves nothing.
    static let faithful = 1.0
    private static let recordingSeconds = 5.0

    /// Pixels; kept while nothing is followed.
    private(set) var misfit = 0.0
    /// Mean of the last seconds, in whatever world.
    private var recording = 0.0
    private var recordedSeconds = 0.0

    /// False for a recording that fits badly even at its best.
    var isFaithful: Bool { recording < Self.faithful }

    mutating func update(_ result: FrameResult, _ elapsed: Double) {
        if result.didReset { misfit = 0 }
        let d = result.diagnostics
        guard result.worldFromCamera != nil, d.inlierCount > 0 else { return }
        misfit += (d.reprojectionErrorPixels - misfit) * (1 - exp(-elapsed / Self.smoothingSeconds))
        recordedSeconds = min(Self.recordingSeconds, recordedSeconds + elapsed)
        if recordedSeconds > 0 { recording += (misfit - recording) * min(1, elapsed / recordedSeconds) }
    }
}
