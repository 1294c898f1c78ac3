import Foundation

/// What happens when in a failure sequence.
struct FailureScript {
    struct Take {
        var world: World
        var path: CameraPath
        var camera = SyntheticCamera()
    }

    var variant: String
    /// What is filmed; more than one for a recording with cuts.
    var takes: [Take]
    /// From when on another take is seen.
    var cuts: [(seconds: Double, take: Int)] = []
    var interval: ClosedRange<Double>?
    var duration: Double
    /// What is wrong with the picture at a time.
    var fault: (Double) -> PictureFault? = { _ in nil }
    /// True when pictures are repeated.
    var mayFreeze = false

    func take(at seconds: Double) -> Int { cuts.last { $0.seconds <= seconds }?.take ?? 0 }

    func fault(at seconds: Double) -> PictureFault? { fault(seconds) }

    /// When it goes wrong in the middle of a recording, and when from its first picture on.
    private static func middle(_ seed: UInt64) -> ClosedRange<Double> {
        // At any time from the third second on: an invitation may be on the screen, or not.
        var random = SeededRandom(seed: seed ^ 0x0B5E7)
        let start = random.uniform(3...6)
        return start...(start + 3)
    }
    private static let beginning = 0.0...3.0

    init(kind: FailureSequence.Kind, seed: UInt64, intrinsics: CameraIntrinsics) {
        var random = SeededRandom(seed: seed ^ UInt64(kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
        self =
            switch kind {
            case .insufficientLight: .darkness(seed, &random)
            case .tooBright: .glare(seed, intrinsics, &random)
            case .excessiveMotion: .shaking(seed, &random)
            case .insufficientFeatures: .plainWall(seed, intrinsics, &random)
            case .repeatedPattern: .dottedWall(seed, intrinsics, &random)
            case .hardSurfaces: .shinyWall(seed, intrinsics, &random)
            case .noTranslation: .turning(seed, &random)
            case .viewBlocked: .covered(seed, &random)
            case .tooClose: .nearby(seed, intrinsics, &random)
            case .searchingTooLong: .nothingFlat(seed)
            case .relocalizing: .elsewhere(seed, &random)
            case .frozen: .stopped(seed, &random)
            case .lowQuality: .poorRecording(seed, intrinsics, &random)
            case .calm: .calm(seed, &random)
            }
    }

    private init(
        variant: String, takes: [Take], interval: ClosedRange<Double>?, duration: Double,
        fault: @escaping (Double) -> PictureFault? = { _ in nil }
    ) {
        self.variant = variant
        self.takes = takes
        self.interval = interval
        self.duration = duration
        self.fault = fault
    }

    /// From the first picture on in every third recording.
    private static func span(_ seed: UInt64) -> (interval: ClosedRange<Double>, duration: Double, name: String) {
        seed % 3 == 2
            ? (beginning, 5, " from the start") : (middle(seed), middle(seed).upperBound + 1.5, "")
    }

    private static func place(_ seed: UInt64, _ random: inout SeededRandom) -> World {
        World.random(seed: seed, kind: random.chance(0.6) ? .desk : .room)
    }

    // MARK: Light

    private static func darkness(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let (interval, duration, name) = span(seed)
        let world = place(seed, &random)
        var take = Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration))
        take.camera.maximumGain = 4
        let dark = random.uniform(0.002...0.006)
        // A lamp goes out within a fifth of a second, and on again.
        take.camera.lightLevels = steps(interval, from: 1, to: dark, within: 0.2)
        return FailureScript(variant: "lamp off" + name, takes: [take], interval: interval, duration: duration)
    }

    private static func steps(
        _ interval: ClosedRange<Double>, from calm: Double, to level: Double, within seconds: Double
    ) -> [SyntheticCamera.LightLevel] {
        let (a, b) = (interval.lowerBound, interval.upperBound)
        let half = seconds / 2
        let rise = [(b - half, level), (b + half, calm)]
        let fall: [(Double, Double)] = a > 0 ? [(a - half, calm), (a + half, level)] : [(0, level)]
        return (fall + rise).map { SyntheticCamera.LightLevel(seconds: $0.0, level: $0.1) }
    }

    private static func glare(
        _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ random: inout SeededRandom
    ) -> FailureScript {
        if seed.isMultiple(of: 2) {
            let (interval, duration, name) = span(seed)
            let world = place(seed, &random)
            var take = Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration))
            take.camera.lightLevels = steps(interval, from: 1, to: random.uniform(25...60), within: 0.2)
            return FailureScript(variant: "glare" + name, takes: [take], interval: interval, duration: duration)
        }
        // A window by day seen from a dim room: the sky is white and the room black beside it.
        var world = World.desk(seed: seed, wall: SurfacePattern(.plaster, tone: 0.5, seed: 3))
        let (position, target) = World.beforeTrouble(&random)
        world.addQuad(
            "window", center: SIMD3(2.49, target.y + 0.28, target.z), right: .unitZ, up: .unitY,
            width: random.uniform(0.8...1.0), height: 0.5, pattern: SurfacePattern(.plain, tone: 0.9, seed: 4),
            isDecal: true)
        world.quads[world.quads.count - 1].glow = 2500
        world.addQuad(
            "haze", center: SIMD3(2.49, target.y - 0.1, target.z), right: .unitZ, up: .unitY, width: 0.9, height: 0.24,
            pattern: SurfacePattern(.plain, tone: 0.5, seed: 5), isDecal: true)
        world.quads[world.quads.count - 1].glow = 350
        var script = visiting(
            World.troubleWall, world, seed, intrinsics, position, target, "backlit", ["window", "haze"])
        script.takes[0].camera.minimumGain = 0.0005
        return script
    }

    // MARK: Movement

    private static func shaking(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let (interval, duration, name) = span(seed)
        let world = place(seed, &random)
        var camera = SyntheticCamera()
        camera.exposureSeconds = random.uniform(0.018...0.03)
        if seed.isMultiple(of: 2) {
            // The tremor fades in over half a second; halfway it is violent.
            let full = (interval.lowerBound == 0 ? -1 : interval.lowerBound + 0.2)...(interval.upperBound - 0.2)
            let tremors = (3..<6).map { channel in
                CameraPath.Tremor(
                    channel: channel, amplitude: random.uniform(0.12...0.18), frequencyHertz: random.uniform(3.2...5),
                    phaseRadians: random.uniform(0...6.28), interval: full)
            }
            let path = FailurePath.make(in: world, seed: seed, duration: duration, tremors: tremors)
            return FailureScript(
                variant: "shaken" + name, takes: [Take(world: world, path: path, camera: camera)], interval: interval,
                duration: duration)
        }
        let hertz = random.uniform(1...1.3)
        let path = FailurePath.make(
            in: world, seed: seed, duration: duration,
            sweep: (interval.lowerBound, interval.upperBound, random.uniform(0.9...1.2), hertz))
        return FailureScript(
            variant: "swept about" + name, takes: [Take(world: world, path: path, camera: camera)], interval: interval,
            duration: duration)
    }

    private static func turning(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let world = place(seed, &random)
        let duration = 9.0
        let path = CameraPath.random(seed: seed, style: .turningThenSideways, in: world, duration: duration)
        let first = path.pose(at: 0)
        // Turning is nobody's fault until it has been some: 9 degrees. It ends with the step to the side.
        let times = stride(from: 0, to: duration, by: 1 / 30.0)
        let start = times.first { (first.rotation.inverse * path.pose(at: $0).rotation).angleRadians > 0.157 } ?? 0
        let end = times.first { (path.pose(at: $0).position - first.position).length > 0.03 } ?? duration
        return FailureScript(
            variant: "turning first", takes: [Take(world: world, path: path)], interval: start...end,
            duration: duration)
    }

    // MARK: What is seen

    /// A way to the special wall and back, or away from it, with the time when it fills nine tenths of the view.
    private static func visiting(
        _ wall: String, _ world: World, _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ position: SIMD3<Double>,
        _ target: SIMD3<Double>, _ variant: String, _ alsoCounted: Set<String> = [],
        way: Double = 2.6, sway: SIMD3<Double> = SIMD3(0, 0.02, 0.16), swaySeconds: Double = 5
    ) -> FailureScript {
        let isFirst = seed % 3 == 2
        let start = isFirst ? -5 : middle(seed).lowerBound + 1.5
        let end = isFirst ? 3 : start + 2.6
        let duration = end + 3
        let visit = FailurePath.Visit(
            position: position, target: target, from: start, until: end, way: way, sway: sway,
            swaySeconds: swaySeconds)
        let path = FailurePath.make(in: world, seed: seed, duration: duration, visit: visit)
        let counted = alsoCounted.union([wall])
        let times = stride(from: 0, to: duration, by: 1 / 30.0).filter {
            world.share(of: counted, from: path.pose(at: $0), intrinsics) >= 0.9
        }
        return FailureScript(
            variant: variant + (isFirst ? " from the start" : ""), takes: [Take(world: world, path: path)],
            interval: (times.first ?? 0)...(times.last ?? 0), duration: duration)
    }

    private static func plainWall(
        _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ random: inout SeededRandom
    ) -> FailureScript {
        let paint = SurfacePattern(.plain, tone: random.uniform(0.45...0.8), seed: UInt32(truncatingIfNeeded: seed))
        let world = World.desk(seed: seed, wall: paint)
        let (position, target) = World.beforeTrouble(&random)
        return visiting(World.troubleWall, world, seed, intrinsics, position, target, "plain wall")
    }

    /// Dots that are all alike, filmed with few pictures a second: from one to the next they move by about half of
    /// what lies between two of them, so that each lands where another was. With thirty pictures a second dots do no
    /// harm.
    private static func dottedWall(
        _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ random: inout SeededRandom
    ) -> FailureScript {
        let paint = SurfacePattern(.dots, tone: random.uniform(0.5...0.8), seed: UInt32(truncatingIfNeeded: seed))
        let world = World.desk(seed: seed, wall: paint)
        let (position, target) = World.beforeTrouble(&random)
        var script = visiting(
            World.troubleWall, world, seed, intrinsics, position, target, "dots, few pictures",
            way: 4.5, sway: SIMD3(0, 0.04, 0.22), swaySeconds: 3.5)
        script.takes[0].camera.framesPerSecond = 10
        return script
    }

    private static func shinyWall(
        _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ random: inout SeededRandom
    ) -> FailureScript {
        // An even mirror and a clean pane are missing on purpose: what they show is a room that stands still, and it is
        // followed as well as any other. Ripples and a mixture of two pictures are what does harm.
        let isFoil = seed.isMultiple(of: 2)
        let reflection =
            isFoil
            ? Reflection(share: 0.9, ripple: random.uniform(0.05...0.1), rippleLength: 0.16)
            : Reflection(share: 0.55, ripple: random.uniform(0.015...0.03), rippleLength: 0.1)
        let pattern = SurfacePattern(isFoil ? .plain : .plaster, tone: isFoil ? 0.3 : 0.2, seed: 11)
        let world = World.desk(seed: seed, wall: pattern, reflection: reflection)
        let (position, target) = World.beforeTrouble(&random)
        // Always after a calm beginning, so that every form is seen in the same way.
        return visiting(
            World.troubleWall, world, 3 * (seed / 3), intrinsics, position, target,
            isFoil ? "wavy foil" : "polished stone")
    }

    private static func nearby(
        _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ random: inout SeededRandom
    ) -> FailureScript {
        let duration = 9.5
        let world = World.random(seed: seed, kind: .desk)
        let spot = world.focus + SIMD3(random.uniform(-0.2...0.2), 0.02, random.uniform(0.02...0.2))
        let height = random.uniform(0.07...0.1)
        let visit = FailurePath.Visit(
            position: spot + SIMD3(0, height, 0.02), target: spot, from: 4.2, until: 7, way: 1.4,
            sway: SIMD3(0.03, 0, 0.01))
        let path = FailurePath.make(in: world, seed: seed, duration: duration, visit: visit)
        func distance(_ t: Double) -> Double { path.pose(at: t).position.y - world.focus.y }
        let times = stride(from: 0, to: duration, by: 1 / 30.0).filter { distance($0) < 0.14 }
        let focus = random.uniform(0.0025...0.0038) * Double(intrinsics.width)
        return FailureScript(
            variant: "right over the desk", takes: [Take(world: world, path: path)],
            interval: (times.first ?? 0)...(times.last ?? 0), duration: duration,
            fault: { t in
                // What is nearer than a quarter of a metre gets out of focus.
                let radius = Int((focus * max(0, 1 / max(0.03, distance(t)) - 4) / 3).rounded())
                return radius > 0 ? .defocus(radius: radius) : nil
            })
    }

    private static func nothingFlat(_ seed: UInt64) -> FailureScript {
        let world = World.hedge(seed: seed)
        let duration = 14.0
        return FailureScript(
            variant: "a hedge",
            takes: [
                Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration))
            ], interval: 10...duration, duration: duration)
    }

    // MARK: The recording itself

    private static func covered(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let world = place(seed, &random)
        let isLid = !seed.isMultiple(of: 2)
        let isFirst = isLid && seed % 3 == 2
        let (interval, duration) = isFirst ? (beginning, 5) : (middle(seed), middle(seed).upperBound + 1.5)
        let tone = random.uniform(35...120)
        return FailureScript(
            variant: (isLid ? "lid" : "finger") + (isFirst ? " from the start" : ""),
            takes: [Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration))],
            interval: interval, duration: duration,
            fault: { t in
                // Within 0.2 s, half of it before the interval begins.
                let into = interval.lowerBound == 0 ? 1 : (t - interval.lowerBound) / 0.2 + 0.5
                let share = min(1, min(into, (interval.upperBound - t) / 0.2 + 0.5))
                guard share > 0 else { return nil }
                return isLid ? .lid(share: share) : .finger(share: share, tone: tone)
            })
    }

    private static func elsewhere(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let (world, other) = (
            World.random(seed: seed, kind: .desk), World.random(seed: seed &+ 1000, kind: .room)
        )
        let interval = 5.0...8.0
        let duration = 10.0
        var script = FailureScript(
            variant: "cut to another room",
            takes: [
                Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration)),
                Take(world: other, path: FailurePath.make(in: other, seed: seed &+ 1, duration: duration)),
            ], interval: interval, duration: duration)
        script.cuts = [(interval.lowerBound, 1), (interval.upperBound, 0)]
        return script
    }

    private static func stopped(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let world = place(seed, &random)
        let interval = middle(seed)
        let duration = interval.upperBound + 1.5
        var script = FailureScript(
            variant: "stopped",
            takes: [Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration))],
            interval: interval, duration: duration,
            fault: { interval.contains($0) ? .frozen : nil })
        script.mayFreeze = true
        return script
    }

    /// Small pictures in every second poor recording.
    static func lowQualitySize(seed: UInt64, _ width: Int, _ height: Int) -> (Int, Int) {
        seed.isMultiple(of: 2) ? (160, 160 * height / width) : (width, height)
    }

    private static func poorRecording(
        _ seed: UInt64, _ intrinsics: CameraIntrinsics, _ random: inout SeededRandom
    ) -> FailureScript {
        let world = place(seed, &random)
        let duration = 7.0
        let isSmall = seed.isMultiple(of: 2)
        let radius = isSmall ? 1 : random.integer(intrinsics.width / 90...intrinsics.width / 64)
        let step = random.integer(24...40)
        return FailureScript(
            variant: isSmall ? "tiny and coarse" : "blurred and coarse",
            takes: [Take(world: world, path: FailurePath.make(in: world, seed: seed, duration: duration))],
            interval: 0...duration, duration: duration,
            fault: { _ in .coarse(radius: radius, step: step) })
    }

    // MARK: Nothing wrong

    private static func calm(_ seed: UInt64, _ random: inout SeededRandom) -> FailureScript {
        let kinds: [World.Kind] = [.desk, .room, .planarOnly]
        let styles: [CameraPath.Style] = [.sideways, .walking, .forward]
        let world = World.random(seed: seed, kind: kinds[Int(seed % 3)])
        let style = kinds[Int(seed % 3)] == .room ? styles[random.integer(0...1)] : styles[random.integer(0...1) * 2]
        let duration = 12.0
        return FailureScript(
            variant: "\(world.kind.rawValue), \(style.rawValue)",
            takes: [
                Take(world: world, path: CameraPath.random(seed: seed, style: style, in: world, duration: duration))
            ], interval: nil, duration: duration)
    }
}

extension World {
    /// How much of a camera's view rectangles of these labels fill, 0…1, by a grid of rays.
    func share(of labels: Set<String>, from camera: Pose, _ intrinsics: CameraIntrinsics) -> Double {
        var hits = 0
        for row in 0..<7 {
            for column in 0..<9 {
                let pixel = SIMD2(
                    Double(intrinsics.width - 1) * Double(column) / 8, Double(intrinsics.height - 1) * Double(row) / 6)
                let ray = intrinsics.ray(through: pixel, worldFromCamera: camera)
                var best: (distance: Double, label: String) = (.infinity, "")
                for quad in quads {
                    let slope = ray.direction.dot(quad.normal)
                    guard slope < 0 else { continue }
                    let distance = (quad.center - ray.origin).dot(quad.normal) / slope
                    let offset = ray.origin + ray.direction * distance - quad.center
                    if distance > 0, distance < best.distance, abs(offset.dot(quad.right)) <= quad.width / 2,
                        abs(offset.dot(quad.up)) <= quad.height / 2
                    {
                        best = (distance, quad.label)
                    }
                }
                if labels.contains(best.label) { hits += 1 }
            }
        }
        return Double(hits) / 63
    }
}
