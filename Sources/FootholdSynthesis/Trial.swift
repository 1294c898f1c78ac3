/// A situation to try a tracker in: a kind of world, a movement and a camera. Every seed gives another one of its kind.
public struct Trial: Sendable {
    public let name: String
    /// The tracker is told the camera's focal length.
    public var givesCamera = true
    /// Nothing can be told about depth here, so no pose is right.
    public var hasDepth = true
    private let kind: World.Kind
    private let style: CameraPath.Style
    private let duration: Double
    private var camera = SyntheticCamera()
    private var lens = CameraIntrinsics.Distortion.none
    /// Focal length, and the principal point from the picture's middle, in pictures' longer sides.
    private var focal = 0.83
    private var offset = SIMD2(0.0, 0)
    /// What the random world is given besides.
    private var arrange: @Sendable (inout World) -> Void = { _ in }

    private init(_ name: String, _ kind: World.Kind, _ style: CameraPath.Style, seconds duration: Double = 8) {
        self.name = name
        self.kind = kind
        self.style = style
        self.duration = duration
    }

    private func with(_ change: (inout Trial) -> Void) -> Trial {
        var copy = self
        change(&copy)
        return copy
    }

    public func sequence(seed: UInt64, width: Int = 640, height: Int = 480) -> SyntheticSequence {
        var world = World.random(seed: seed, kind: kind)
        arrange(&world)
        let side = Double(max(width, height))
        let focal = side * focal
        return SyntheticSequence(
            world: world, path: CameraPath.random(seed: seed &+ 1, style: style, in: world, duration: duration),
            intrinsics: CameraIntrinsics(
                width: width, height: height, fx: focal, fy: focal, cx: Double(width - 1) / 2 + side * offset.x,
                cy: Double(height - 1) / 2 + side * offset.y, distortion: lens),
            camera: camera, duration: duration, seed: seed &+ 2)
    }

    /// Thirty-six situations, among them four with a mirror, a pane of glass or a polished top, two with plants, and last
    /// six with stairs, a shelf, a roof, a ramp, tins and columns.
    public static let all: [Trial] = [
        Trial("desk, sideways", .desk, .sideways),
        Trial("desk, walking", .desk, .walking),
        Trial("desk, forwards", .desk, .forward),
        Trial("desk, first turning", .desk, .turningThenSideways),
        Trial("desk, shaken", .desk, .shaking),
        Trial("desk, a hand passes", .desk, .sideways).with { $0.arrange = { $0.addPasser() } },
        Trial("desk, camera unknown", .desk, .sideways).with { $0.givesCamera = false },
        Trial("desk, rolling shutter", .desk, .sideways).with { $0.camera.readoutSeconds = 0.025 },
        Trial("room, walking", .room, .walking),
        Trial("room, sideways", .room, .sideways),
        Trial("room, all round", .room, .loop, seconds: 16),
        Trial("room, first turning", .room, .turningThenSideways),
        Trial("room, shaken", .room, .shaking),
        Trial("room, a person passes", .room, .sideways).with { $0.arrange = { $0.addPasser() } },
        Trial("room, camera unknown", .room, .walking).with { $0.givesCamera = false },
        Trial("room, dim", .room, .walking).with { $0.camera.lightLevels = [.init(seconds: 0, level: 0.12)] },
        Trial("flat ground, sideways", .planarOnly, .sideways),
        Trial("flat ground, walking", .planarOnly, .walking),
        Trial("little detail, sideways", .sparse, .sideways),
        Trial("desk, only turning", .desk, .turning).with { $0.hasDepth = false },
        Trial("room, a mirror on the wall", .room, .sideways).with {
            $0.arrange = { $0.addMirror(on: "wall_back", offset: SIMD2(0.2, 0.1), width: 1.2, height: 1.4) }
        },
        Trial("desk, a mirror on the wall", .desk, .sideways).with {
            $0.arrange = { $0.addMirror(on: "wall_back", offset: SIMD2(0, -0.1), width: 0.9, height: 0.7) }
        },
        Trial("desk, a pane of glass", .desk, .walking).with {
            $0.arrange = { $0.addMirror(on: "wall_back", width: 1.6, height: 1.0, share: 0.4, isSeeThrough: true) }
        },
        Trial("desk, a polished top", .desk, .walking).with {
            $0.arrange = { $0.addMirror(on: "desk.top", width: 0.7, height: 0.45, share: 0.5, rippleRadians: 0.004) }
        },
        Trial("desk, shaken at first", .desk, .shakingFirst),
        Trial("room, shaken at first", .room, .shakingFirst),
        Trial("desk, camera and lens unknown", .desk, .sideways).with {
            $0.givesCamera = false
            $0.lens = .radialTangential(k1: -0.1, k2: 0.02, p1: 0, p2: 0, k3: 0)
            $0.offset = SIMD2(0.01, -0.008)
        },
        Trial("room, wide camera and lens unknown", .room, .walking).with {
            $0.givesCamera = false
            $0.focal = 0.66
            $0.lens = .radialTangential(k1: -0.22, k2: 0.04, p1: 0, p2: 0, k3: 0)
            $0.offset = SIMD2(-0.012, 0.01)
        },
        Trial("desk, plants", .desk, .sideways).with {
            $0.arrange = { $0.addPlants(on: "desk.top", count: 2, height: 0.32) }
        },
        Trial("room, plants", .room, .walking).with {
            $0.arrange = { $0.addPlants(on: "floor", count: 3, height: 0.8) }
        },
        Trial("stairs, sideways", .stairs, .sideways),
        Trial("shelf, sideways", .shelf, .sideways),
        Trial("attic, walking", .attic, .walking),
        Trial("ramp, sideways", .ramp, .sideways),
        Trial("desk, tins", .desk, .sideways).with {
            $0.arrange = { $0.addCylinders(on: "desk.top", count: 3, radius: 0.04...0.1, height: 0.15...0.4) }
        },
        Trial("room, columns", .room, .walking).with {
            $0.arrange = { $0.addCylinders(on: "floor", count: 3, radius: 0.1...0.25, height: 2.3...2.3) }
        },
    ]
}
