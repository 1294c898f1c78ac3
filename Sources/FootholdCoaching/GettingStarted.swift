import FootholdScene
import Foundation

/// How far getting started has come (R11): from the first picture to the first surface.
public struct GettingStarted: Hashable, Sendable {
    /// What is still needed, the most urgent first.
    public enum Need: String, Hashable, Sendable, CaseIterable {
        case light, calm, detail, sidewaysMovement, time
    }

    /// Which movement helps most now. Small ones come before large ones (R5), and none is fast (R6).
    public enum Movement: String, Hashable, Sendable, CaseIterable {
        /// To either side: nothing is known yet of where depth is to be had.
        case sideways
        /// On to the side where the camera has been less.
        case left, right
        /// Towards the floor and the tables, where things can stand.
        case tiltDown
        /// A step or two around what is looked at.
        case stepAside
    }

    /// 0…1; never falls, except to 0 when the session begins a new world.
    public private(set) var progress = 0.0
    public private(set) var needs: [Need] = [.time]
    /// Nil while no movement would help: a surface is there, or light, calm or detail are needed first.
    public private(set) var helpfulMovement: Movement?
    private var trackingSince: Double?
    /// Where the camera has been since the world is known, along its first sideways direction.
    private var track: Track?

    /// Pixels of movement that turning doesn't explain with which the first depths can be told.
    static let sufficientParallax = 15.0
    /// Seconds of good tracking after which a surface usually is found.
    static let usualSearchSeconds = 2.0
    /// Seconds of moving sideways after which a larger movement is asked for.
    static let patience = 4.0
    /// Looking less than this far down, radians, hardly shows what things could stand on.
    static let levelView = 0.2

    private struct Track: Hashable, Sendable {
        var start: SIMD3<Double>
        var sideways: SIMD3<Double>
        var leftmost = 0.0
        var rightmost = 0.0
    }

    public init() {}

    mutating func update(_ result: FrameResult, _ measures: MeasureSet) {
        if result.didReset { self = GettingStarted() }
        let light = min(1, measures[.brightness] / 0.15)
        let detail = min(1, measures[.textureShare] / 0.3)
        let isCalm = measures[.flow] < 0.8
        needs = []
        helpfulMovement = nil
        guard result.surfaces.isEmpty else {
            progress = 1
            return
        }
        if light < 0.8 { needs.append(.light) }
        if !isCalm { needs.append(.calm) }
        if detail < 0.6 { needs.append(.detail) }
        let canMove = needs.isEmpty
        var reached = 0.05 + 0.15 * light * detail
        if let camera = result.worldFromCamera {
            let since = trackingSince ?? result.seconds
            trackingSince = since
            // Slows down towards the end, because nobody knows when the surface comes.
            let waited = (result.seconds - since) / Self.usualSearchSeconds
            reached = 0.6 + 0.35 * waited / (1 + waited)
            needs.append(.time)
            if canMove { helpfulMovement = movement(camera, searching: result.seconds - since) }
        } else {
            let parallax = min(1, measures[.parallax] / Self.sufficientParallax)
            reached += 0.35 * parallax * light * detail
            needs.append(parallax < 1 ? .sidewaysMovement : .time)
            if canMove, parallax < 1 { helpfulMovement = .sideways }
        }
        progress = max(progress, reached)
    }

    /// What would show most that was not seen from two sides yet.
    private mutating func movement(_ camera: Pose, searching seconds: Double) -> Movement {
        let view = camera.rotation * -.unitZ
        let right = camera.rotation * SIMD3<Double>.unitX
        var track = self.track ?? Track(start: camera.position, sideways: right)
        let way = (camera.position - track.start).dot(track.sideways)
        track.leftmost = min(track.leftmost, way)
        track.rightmost = max(track.rightmost, way)
        self.track = track
        if asin(max(-1, min(1, view.y))) > -Self.levelView { return .tiltDown }
        if seconds > Self.patience { return .stepAside }
        // Turned right round, its left is where the track's right was.
        let isSameWay = right.dot(track.sideways) >= 0
        let isMoreLeft = -track.leftmost > track.rightmost
        guard max(-track.leftmost, track.rightmost) > 1e-3 else { return .sideways }
        return isMoreLeft == isSameWay ? .right : .left
    }
}
