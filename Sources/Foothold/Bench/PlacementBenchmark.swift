import FootholdCapture
import FootholdPlacement
import Foundation

/// How long placement takes for a frame with many objects, on a made-up floor with a walking camera.
public enum PlacementBenchmark {
    public struct Figures: Hashable, Sendable, Encodable {
        /// What happens meanwhile.
        public var name: String
        public var objects: Int
        public var meanMilliseconds: Double
        public var medianMilliseconds: Double
        public var p99Milliseconds: Double
    }

    private static let framesPerSecond = 30.0
    private static let camera = CameraIntrinsics(width: 640, height: 480, fx: 520, fy: 520, cx: 319.5, cy: 239.5)

    /// - Parameter frames: how many are measured of each case.
    public static func run(objects count: Int = 1000, frames: Int = 300) -> [Figures] {
        [
            measure("at rest", count, frames) { _, _ in },
            measure("floor updated five times a second", count, frames) { stage, frame in
                if frame.isMultiple(of: 6) { stage.update(height: 0) }
            },
            measure("floor corrected once a second, all follow", count, frames) { stage, frame in
                if frame.isMultiple(of: 30) { stage.update(height: 0.005 * sin(Double(frame))) }
            },
            measure("one dragged between the others", count, frames) { stage, frame in
                stage.drag(frame)
            },
        ]
    }

    /// A floor with objects in rows, and a camera over it.
    private struct Stage {
        var session = PlacementSession(pixelsPerPoint: 1.2)
        var floor: PlaneAnchor
        var movements = Movements()
        var nanoseconds: Int64 = 0
        var events: [SurfaceEvent] = []

        init(_ count: Int) {
            // As jagged an outline as the engine makes them.
            let outline = (0..<120).map { index -> SIMD2<Double> in
                let angle = 2 * Double.pi * Double(index) / 120
                return SIMD2(sin(angle), cos(angle)) * (9 + 0.3 * sin(17 * angle))
            }
            floor = PlaneAnchor(
                id: 1, alignment: .horizontal, classification: .floor, worldFromSurface: .identity,
                extent: SIMD2(18, 18), boundary: outline, confidence: 1, firstSeenNanoseconds: 0,
                lastUpdatedNanoseconds: 0)
            let pin = ObjectTemplate(name: "pin", model: "box", size: SIMD3(0.05, 0.08, 0.05))
            let columns = Int(Double(count).squareRoot().rounded(.up))
            for index in 0..<count {
                let spot = SIMD3(
                    0.12 * (Double(index % columns) - Double(columns) / 2), 0, 0.12 * -Double(index / columns))
                let hit = RaycastResult(
                    target: .existingPlaneGeometry, distance: 2, pointInWorld: spot, normal: .unitY, surfaceID: 1,
                    confidence: 1)
                _ = session.place(pin, at: hit, context: context)
            }
        }

        var context: PlacementContext {
            let seconds = Double(nanoseconds) / 1e9
            let position = SIMD3(0.3 * sin(seconds), 1.5 + 0.02 * sin(3 * seconds), 1.2)
            return PlacementContext(
                timestampNanoseconds: nanoseconds, trackingState: .normal,
                worldFromCamera: Pose(rotation: Rotation(axis: .unitX, angleRadians: -0.6), position: position),
                intrinsics: PlacementBenchmark.camera, surfaces: [floor], surfaceEvents: events)
        }

        mutating func update(height: Double) {
            floor.worldFromSurface.position.y = height
            floor.lastUpdatedNanoseconds = nanoseconds
            events = [.updated(floor)]
        }

        mutating func drag(_ frame: Int) {
            let start = SIMD2(320.0, 330.0)
            let way = SIMD2(180 * sin(0.05 * Double(frame)), 60 * sin(0.08 * Double(frame)))
            _ = session.handle(.drag(frame == 0 ? .began : .changed, start: start, at: start + way), context: context)
        }

        /// What a frame costs: the state machine, and telling what moved.
        mutating func frame() {
            let output = session.update(context)
            _ = movements.added(to: output.objectEvents, session.objects)
            _ = session.marks
            events = []
            nanoseconds += Int64(1e9 / PlacementBenchmark.framesPerSecond)
        }
    }

    private static func measure(
        _ name: String, _ count: Int, _ frames: Int, _ act: (inout Stage, Int) -> Void
    ) -> Figures {
        var stage = Stage(count)
        // Past the time in which a tap may still come to mean another place.
        for _ in 0..<240 { stage.frame() }
        var milliseconds: [Double] = []
        for frame in 0..<frames {
            let start = SteadyClock.seconds
            act(&stage, frame)
            stage.frame()
            milliseconds.append((SteadyClock.seconds - start) * 1000)
        }
        let sorted = milliseconds.sorted()
        return Figures(
            name: name, objects: stage.session.objects.count,
            meanMilliseconds: milliseconds.reduce(0, +) / Double(frames), medianMilliseconds: sorted[frames / 2],
            p99Milliseconds: sorted[min(frames - 1, frames * 99 / 100)])
    }
}
