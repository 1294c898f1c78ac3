import FootholdPlacement
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

/// A camera in front of a few surfaces, for driving a session frame by frame.
struct World {
    static let intrinsics = CameraIntrinsics(width: 640, height: 480, fx: 520, fy: 520, cx: 319.5, cy: 239.5)

    var session: PlacementSession
    var surfaces: [PlaneAnchor] = []
    var events: [SurfaceEvent] = []
    var camera: Pose? = World.camera()
    var seconds = 0.0
    var framesPerSecond = 30.0
    var didReset = false
    var worldID = 1
    var didReturn = false
    var absorbed: AbsorbedWorld?
    var correction: WorldCorrection?
    var metresPerUnit: Double?
    var estimates: [RaycastResult] = []
    var log = PlacementOutput()
    /// What was seen of each object at each frame.
    var trail: [(seconds: Double, objects: [PlacedObject])] = []

    init(templates: [ObjectTemplate] = ObjectTemplate.builtIn, framesPerSecond: Double = 30) {
        session = PlacementSession(templates: templates)
        self.framesPerSecond = framesPerSecond
    }

    /// A camera at a point that looks at another.
    static func camera(
        at position: SIMD3<Double> = SIMD3(0, 1.4, 1.8), lookingAt target: SIMD3<Double> = SIMD3(0, 0, 0)
    ) -> Pose {
        let back = (position - target).normalized
        let right = SIMD3.unitY.cross(back).normalized
        return Pose(rotation: Rotation(columns: right, back.cross(right), back), position: position)
    }

    /// A rectangle; `normal` decides the alignment.
    static func surface(
        id: Int = 1, center: SIMD3<Double> = .zero, normal: SIMD3<Double> = .unitY,
        half: SIMD2<Double> = SIMD2(1, 1), version: Int64 = 0
    ) -> PlaneAnchor {
        let alignment: PlaneAnchor.Alignment =
            normal.normalized.y > 0.94 ? .horizontal : abs(normal.normalized.y) < 0.3 ? .vertical : .other
        return PlaneAnchor(
            id: id, alignment: alignment, classification: .unknown,
            worldFromSurface: Pose(rotation: Rotation(from: .unitY, to: normal), position: center), extent: half * 2,
            boundary: [
                SIMD2(-half.x, -half.y), SIMD2(-half.x, half.y), SIMD2(half.x, half.y), SIMD2(half.x, -half.y),
            ],
            confidence: 0.9, firstSeenNanoseconds: 0, lastUpdatedNanoseconds: version)
    }

    struct Raycaster: Raycasting {
        var surfaces: SurfaceRaycaster
        var estimates: [RaycastResult]

        func raycast(_ query: RaycastQuery) -> [RaycastResult] {
            query.target == .estimatedPlane ? estimates : surfaces.raycast(query)
        }
    }

    var nanoseconds: Int64 { Int64((seconds * 1e9).rounded()) }

    var context: PlacementContext {
        PlacementContext(
            timestampNanoseconds: nanoseconds, trackingState: camera == nil ? .limited(.initializing) : .normal,
            worldFromCamera: camera, intrinsics: World.intrinsics, surfaces: surfaces, surfaceEvents: events,
            raycaster: Raycaster(surfaces: SurfaceRaycaster(surfaces: surfaces), estimates: estimates),
            didReset: didReset, worldID: worldID, didReturn: didReturn, absorbed: absorbed, correction: correction,
            metresPerUnit: metresPerUnit)
    }

    mutating func set(_ surface: PlaneAnchor) {
        var surface = surface
        surface.lastUpdatedNanoseconds = nanoseconds + 1
        if let index = surfaces.firstIndex(where: { $0.id == surface.id }) {
            surfaces[index] = surface
            events.append(.updated(surface))
        } else {
            surfaces.append(surface)
            events.append(.added(surface))
        }
    }

    mutating func place(_ template: ObjectTemplate, at pixel: SIMD2<Double> = SIMD2(320, 240)) {
        log += session.place(template, atPixel: pixel, context: context)
    }

    mutating func frame() {
        log += session.update(context)
        events = []
        (didReset, didReturn, absorbed, correction) = (false, false, nil, nil)
        trail.append((seconds, session.objects))
        seconds += 1 / framesPerSecond
    }

    mutating func run(_ duration: Double) {
        let end = seconds + duration
        while seconds < end - 1e-9 { frame() }
    }

    var object: PlacedObject { session.objects[0] }

    func count(_ kind: ObjectEvent.Kind) -> Int { log.objectEvents.count { $0.kind == kind } }

    /// The pixel where a world point is seen now.
    func pixel(_ point: SIMD3<Double>) -> SIMD2<Double> {
        World.intrinsics.project(worldPoint: point, worldFromCamera: camera!)!
    }

    /// The largest speed of any object between frames, metres per second.
    func largestSpeed() -> Double {
        var largest = 0.0
        for (a, b) in zip(trail, trail.dropFirst()) {
            for object in b.objects {
                guard let before = a.objects.first(where: { $0.id == object.id }) else { continue }
                let distance = object.worldFromObject.position.distance(to: before.worldFromObject.position)
                largest = max(largest, distance / (b.seconds - a.seconds))
            }
        }
        return largest
    }
}

/// How deep the undersides of two objects reach into each other, metres; 0 when they don't. Both stand upright.
func overlap(_ a: PlacedObject, _ b: PlacedObject) -> Double {
    func flat(_ v: SIMD3<Double>) -> SIMD2<Double> { SIMD2(v.x, v.z) }
    let offset = flat(b.worldFromObject.position - a.worldFromObject.position)
    let (ax, _, az) = a.worldFromObject.rotation.columns
    let (bx, _, bz) = b.worldFromObject.rotation.columns
    let (sa, sb) = (a.size * a.scale / 2, b.size * b.scale / 2)
    var depth = Double.infinity
    for axis in [ax, az, bx, bz].map({ flat($0) / flat($0).length }) {
        let reach =
            sa.x * abs(flat(ax).dot(axis)) + sa.z * abs(flat(az).dot(axis)) + sb.x * abs(flat(bx).dot(axis))
            + sb.z * abs(flat(bz).dot(axis))
        depth = min(depth, reach - abs(offset.dot(axis)))
    }
    return max(0, depth)
}

func lean(_ object: PlacedObject, from normal: SIMD3<Double>) -> Double {
    ((object.worldFromObject.rotation * .unitY) - normal).length
}
