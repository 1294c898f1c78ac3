import FootholdScene
import FootholdSynthesis
import Foundation
import Testing

/// Luma as numbers.
private func luma(_ frame: Frame) -> [UInt8] {
    let plane = frame.pixels.luma
    return (0..<plane.height).flatMap { row in
        UnsafeBufferPointer(start: plane.base + row * plane.bytesPerRow, count: plane.width)
    }
}

private func frames(_ sequence: SyntheticSequence, _ count: Int) -> [[UInt8]] {
    (0..<count).compactMap { _ in sequence.nextFrame().map(luma) }
}

private func mean(_ picture: [UInt8]) -> Double { Double(picture.reduce(0) { $0 + Int($1) }) / Double(picture.count) }

/// Mean absolute difference of neighbours: falls with blur.
private func sharpness(_ picture: [UInt8]) -> Double {
    Double(zip(picture, picture.dropFirst()).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(picture.count)
}

@Suite struct RenderingTests {
    @Test func theSameSeedGivesTheSameBytesAndAnotherOneDoesNot() {
        func record(_ seed: UInt64) -> [[UInt8]] {
            frames(
                SyntheticSequence(seed: seed, kind: .desk, style: .sideways, duration: 1, width: 96, height: 72), 4)
        }
        #expect(record(1) == record(1))
        #expect(record(1) != record(2))
    }

    @Test func startingOverGivesTheSameFrames() {
        let sequence = SyntheticSequence(seed: 4, kind: .room, style: .walking, duration: 1, width: 96, height: 72)
        let first = frames(sequence, 3)
        sequence.rewind()
        #expect(frames(sequence, 3) == first)
    }

    @Test func framesCountFromZeroAndEndWithTheRecording() {
        let sequence = SyntheticSequence(seed: 4, kind: .blank, style: .still, duration: 0.5, width: 33, height: 17)
        var stamps: [Int64] = []
        while let frame = sequence.nextFrame() {
            #expect(frame.index == stamps.count)
            #expect(frame.pixels.width == 33 && frame.pixels.height == 17)
            stamps.append(frame.timestampNanoseconds)
        }
        #expect(stamps.count == 15)
        #expect(stamps[3] == 100_000_000)
    }

    @Test func depthsAreThoseOfTheTruePlanes() {
        let sequence = SyntheticSequence(seed: 9, kind: .room, style: .walking, duration: 2)
        let camera = sequence.intrinsics
        for index in [0, 30, 59] {
            let depths = sequence.depths(atFrame: index)
            let pose = sequence.worldFromCamera(atFrame: index)
            var onPlane = 0
            for y in stride(from: 4, to: camera.height, by: 8) {
                for x in stride(from: 4, to: camera.width, by: 8) {
                    let depth = Double(depths[y * camera.width + x])
                    let d = camera.unproject(SIMD2(Double(x), Double(y))) * depth
                    let point = pose * SIMD3(d.x, -d.y, -d.z)
                    if sequence.world.planes.contains(where: { abs((point - $0.center).dot($0.normal)) < 0.0025 }) {
                        onPlane += 1
                    }
                }
            }
            // All but the round things.
            #expect(Double(onPlane) / 1200 > 0.93)
        }
    }

    @Test func groundDepthIsExact() {
        let sequence = SyntheticSequence(seed: 2, kind: .planarOnly, style: .sideways, duration: 1)
        let depths = sequence.depths(atFrame: 10)
        let pose = sequence.worldFromCamera(atFrame: 10)
        let camera = sequence.intrinsics
        for (x, y) in [(0, 239), (160, 120), (319, 239), (80, 200)] {
            let ray = camera.ray(through: SIMD2(Double(x), Double(y)), worldFromCamera: pose)
            let hit = ray.distance(toPlaneThrough: .zero, normal: .unitY).map { ray.point(at: $0) } ?? .zero
            let depth = -(pose.inverse * hit).z
            // Sheets of paper lie a millimetre above.
            #expect(abs(Double(depths[y * camera.width + x]) - depth) < 0.002)
        }
    }

    /// The strictest check of all: what one frame shows is what its depth and the poses say another frame shows.
    @Test(arguments: [World.Kind.desk, .room, .planarOnly])
    func picturesDepthsAndPosesBelongTogether(kind: World.Kind) throws {
        let sequence = SyntheticSequence(
            seed: 21, kind: kind, style: .sideways, duration: 2, camera: .ideal)
        let pictures = frames(sequence, 16)
        let camera = sequence.intrinsics
        let (from, to) = (0, 15)
        let depths = sequence.depths(atFrame: from)
        let otherDepths = sequence.depths(atFrame: to)
        let (source, target) = (sequence.worldFromCamera(atFrame: from), sequence.worldFromCamera(atFrame: to))
        var differences: [Double] = []
        var unmoved: [Double] = []
        for y in stride(from: 10, to: camera.height - 10, by: 3) {
            for x in stride(from: 10, to: camera.width - 10, by: 3) {
                let at = y * camera.width + x
                guard depths[at] > 0 else { continue }
                let d = camera.unproject(SIMD2(Double(x), Double(y))) * Double(depths[at])
                let world = source * SIMD3(d.x, -d.y, -d.z)
                guard let pixel = camera.project(worldPoint: world, worldFromCamera: target),
                    pixel.x > 2, pixel.y > 2, pixel.x < Double(camera.width) - 3, pixel.y < Double(camera.height) - 3
                else { continue }
                let (px, py) = (Int(pixel.x), Int(pixel.y))
                let depth = -(target.inverse * world).z
                guard abs(Double(otherDepths[py * camera.width + px]) - depth) < 0.02 * depth else { continue }
                let (u, v) = (pixel.x - Double(px), pixel.y - Double(py))
                func value(_ i: Int, _ j: Int) -> Double { Double(pictures[to][(py + j) * camera.width + px + i]) }
                let there =
                    (value(0, 0) * (1 - u) + value(1, 0) * u) * (1 - v) + (value(0, 1) * (1 - u) + value(1, 1) * u) * v
                differences.append(abs(there - Double(pictures[from][at])))
                unmoved.append(abs(Double(pictures[to][at]) - Double(pictures[from][at])))
            }
        }
        let error = differences.reduce(0, +) / Double(differences.count)
        let baseline = unmoved.reduce(0, +) / Double(unmoved.count)
        #expect(differences.count > 4000)
        #expect(error < 0.45 * baseline, "\(error) of \(baseline)")
        #expect(error < 6)
    }

    @Test func blurFollowsTheMovement() {
        func look(_ exposure: Double) -> Double {
            var camera = SyntheticCamera.ideal
            camera.exposureSeconds = exposure
            let world = World.random(seed: 8, kind: .desk)
            let path = CameraPath.random(seed: 8, style: .shaking, in: world, duration: 3)
            let intrinsics = CameraIntrinsics(width: 320, height: 240, fx: 266, fy: 266, cx: 159.5, cy: 119.5)
            let sequence = SyntheticSequence(world: world, path: path, intrinsics: intrinsics, camera: camera, seed: 1)
            // In the middle of the shake.
            return frames(sequence, 48).suffix(4).map(sharpness).reduce(0, +)
        }
        #expect(look(0.03) < 0.75 * look(0))
    }

    @Test func noiseGrowsAsStatedAndIsNewInEveryFrame() {
        func record(_ noise: Double, _ level: Double = 1) -> [[UInt8]] {
            var camera = SyntheticCamera.ideal
            camera.readNoise = noise
            camera.lightLevels = [.init(seconds: 0, level: level)]
            return frames(
                SyntheticSequence(
                    seed: 3, kind: .blank, style: .still, duration: 1, width: 96, height: 72, camera: camera), 2)
        }
        func light(_ value: UInt8) -> Double { pow(Double(value) / 255, 2.2) }
        /// Back through gamma, the noise of pixels that are neither dark nor bright.
        func deviation(_ noisy: [UInt8], _ clean: [UInt8]) -> Double {
            var squares: [Double] = []
            for (value, expected) in zip(noisy, clean) where expected > 60 && expected < 230 {
                squares.append((light(value) - light(expected)) * (light(value) - light(expected)))
            }
            #expect(squares.count > 3000)
            return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
        }
        let clean = record(0)
        #expect(clean[0] == clean[1])
        let weak = record(0.03)
        #expect(weak[0] != weak[1])
        let strong = deviation(record(0.06)[0], clean[0])
        #expect(abs(strong / deviation(weak[0], clean[0]) - 2) < 0.1)
        #expect(strong > 0.01 && strong < 0.06)
        // Half the light needs twice the gain, which doubles the noise of the sensor.
        #expect(abs(deviation(record(0.03, 0.5)[0], record(0, 0.5)[0]) / strong - 1) < 0.1)
    }

    @Test func darknessIsDarkAndTheCameraComesBackFromIt() {
        var camera = SyntheticCamera()
        camera.lightLevels = [
            .init(seconds: 0.4, level: 1), .init(seconds: 0.5, level: 0.01), .init(seconds: 1.2, level: 0.01),
            .init(seconds: 1.3, level: 1),
        ]
        let sequence = SyntheticSequence(
            seed: 12, kind: .desk, style: .sideways, duration: 3, width: 96, height: 72, camera: camera)
        let brightness = frames(sequence, 90).map(mean)
        #expect(brightness[5] > 90 && brightness[5] < 160)
        #expect(brightness[33] < 55)
        #expect(brightness[42] > brightness[5])
        #expect(abs(brightness[89] - brightness[5]) < 25)
    }

    @Test func cornersOfThePictureAreDarkerWithVignetting() {
        var camera = SyntheticCamera.ideal
        let plain = SyntheticSequence(
            seed: 3, kind: .blank, style: .still, duration: 1, width: 96, height: 72, camera: camera)
        camera.vignetting = 0.4
        let dark = SyntheticSequence(
            seed: 3, kind: .blank, style: .still, duration: 1, width: 96, height: 72, camera: camera)
        let (a, b) = (plain.nextFrame().map(luma) ?? [], dark.nextFrame().map(luma) ?? [])
        // 0.6 of the light, by gamma.
        #expect(abs(Double(b[0]) / Double(a[0]) - pow(0.6, 1 / 2.2)) < 0.02)
        #expect(b[36 * 96 + 48] == a[36 * 96 + 48])
    }

    @Test func worldsHaveAsMuchDetailAsTheyAreCalled() {
        /// Share of 16-pixel cells that hold strong gradients in two directions.
        func detail(_ kind: World.Kind, _ seed: UInt64) -> Double {
            let sequence = SyntheticSequence(seed: seed, kind: kind, style: .sideways, duration: 1, camera: .ideal)
            let picture = frames(sequence, 1)[0]
            var rich = 0
            for cellY in 0..<14 {
                for cellX in 0..<19 {
                    var (across, down) = (0, 0)
                    for y in (cellY * 16 + 1)..<(cellY * 16 + 16) {
                        for x in (cellX * 16 + 1)..<(cellX * 16 + 16) {
                            let value = Int(picture[y * 320 + x])
                            across = max(across, abs(value - Int(picture[y * 320 + x - 1])))
                            down = max(down, abs(value - Int(picture[(y - 1) * 320 + x])))
                        }
                    }
                    if min(across, down) > 14 { rich += 1 }
                }
            }
            return Double(rich) / Double(14 * 19)
        }
        for seed in 0..<4 as Range<UInt64> {
            #expect(detail(.desk, seed) > 0.3)
            #expect(detail(.planarOnly, seed) > 0.25)
            #expect(detail(.blank, seed) < 0.1)
            #expect(detail(.sparse, seed) < detail(.desk, seed))
        }
    }

    @Test func planesLookAtTheCameraSideAndAreWoundThatWay() {
        for kind in World.Kind.allCases {
            let world = World.random(seed: 31, kind: kind)
            #expect(world.planes.map(\.id) == Array(world.planes.indices))
            for plane in world.planes {
                let (a, b, c) = (plane.polygon[0], plane.polygon[1], plane.polygon[2])
                let area = (b - a).cross(c - b)
                #expect(area.normalized.distance(to: plane.normal) < 1e-9)
                #expect(abs(area.length - plane.area) < 1e-9)
                if plane.label == "floor" { #expect(plane.alignment == .horizontalUp) }
                if plane.label.hasPrefix("wall") {
                    #expect(plane.alignment == .vertical)
                    #expect((world.focus - plane.center).dot(plane.normal) > 0)
                }
            }
        }
    }

    @Test func furnitureDoesNotStickInEachOther() {
        func holds(_ polygon: [SIMD3<Double>], _ point: SIMD3<Double>) -> Bool {
            polygon.indices.allSatisfy { index in
                let side = polygon[(index + 1) % polygon.count] - polygon[index]
                return side.cross(point - polygon[index]).y > 0
            }
        }
        var cartons = 0
        for seed in 0..<100 as Range<UInt64> {
            // All boxes of a room stand on the floor, so that their tops tell.
            let tops = World.random(seed: seed, kind: .room).planes.filter { $0.label.hasSuffix(".top") }
            cartons += tops.count { $0.label == "carton.top" }
            for top in tops {
                for other in tops where other.id != top.id {
                    for (i, j) in (0...20).flatMap({ i in (0...20).map { (Double(i) / 20, Double($0) / 20) } }) {
                        let corner = top.polygon[0]
                        let point = corner + i * (top.polygon[1] - corner) + j * (top.polygon[3] - corner)
                        #expect(!holds(other.polygon, SIMD3(point.x, other.center.y, point.z)))
                    }
                }
            }
        }
        #expect(cartons > 250)
    }

    @Test func lensesBendThePicture() {
        let world = World.random(seed: 5, kind: .room)
        let path = CameraPath.random(seed: 5, style: .still, in: world, duration: 1)
        let pinhole = CameraIntrinsics(width: 160, height: 120, fx: 133, fy: 133, cx: 79.5, cy: 59.5)
        var bent = pinhole
        bent.distortion = .radialTangential(k1: -0.25, k2: 0.05, p1: 0.001, p2: -0.001, k3: 0)
        let straight = SyntheticSequence(world: world, path: path, intrinsics: pinhole, camera: .ideal, seed: 1)
        let curved = SyntheticSequence(world: world, path: path, intrinsics: bent, camera: .ideal, seed: 1)
        let (a, b) = (straight.depths(atFrame: 0), curved.depths(atFrame: 0))
        var compared = 0
        for y in stride(from: 10, to: 110, by: 10) {
            for x in stride(from: 10, to: 150, by: 10) {
                let direction = bent.unproject(SIMD2(Double(x), Double(y)))
                guard let pixel = pinhole.project(direction) else { continue }
                let (px, py) = (Int(pixel.x.rounded()), Int(pixel.y.rounded()))
                guard px >= 1, py >= 1, px < 159, py < 119 else { continue }
                let there = [-1, 0, 1].flatMap { i in [-1, 0, 1].map { a[(py + $0) * 160 + px + i] } }
                let depth = b[y * 160 + x]
                #expect((there.min() ?? 0) * 0.99 <= depth && depth <= (there.max() ?? 0) * 1.01)
                compared += 1
            }
        }
        #expect(compared > 60)
    }

    @Test func aMirrorShowsWhatStandsBeforeIt() {
        // What a mirror shows is what a camera behind it would see: the room's front wall, as far behind it as before.
        let kind = World.Kind.room
        var world = World.random(seed: 12, kind: kind)
        world.addMirror(on: "wall_back", width: 3, height: 2, share: 1)
        let back = world.planes.first { $0.label == "wall_back" }!.center.z
        let intrinsics = CameraIntrinsics(width: 160, height: 120, fx: 130, fy: 130, cx: 79.5, cy: 59.5)
        func picture(_ world: World, from camera: Pose) -> [UInt8] {
            let point = CameraPath.ControlPoint(
                position: camera.position, lookingAt: camera * SIMD3(0, 0, -1))
            let path = CameraPath(controlPoints: [point, point, point, point], interval: 1)
            let sequence = SyntheticSequence(
                world: world, path: path, intrinsics: intrinsics, camera: .ideal, duration: 0.1, seed: 1)
            return frames(sequence, 1)[0]
        }
        let eye = SIMD3(0.3, 1.35, back + 1.2)
        let seen = picture(world, from: Pose(rotation: .identity, position: eye))
        // The camera behind the mirror looks the other way, into the room; its picture has left and right exchanged.
        // Walls have no backs, so it sees through the one that it is behind.
        let behind = World.random(seed: 12, kind: kind)
        let turned = Pose(
            rotation: Rotation(axis: .unitY, angleRadians: .pi), position: SIMD3(eye.x, eye.y, 2 * back - eye.z))
        let expected = picture(behind, from: turned)
        var differences = 0
        for y in 20..<100 {
            for x in 30..<130 {
                let difference = abs(Int(seen[y * 160 + x]) - Int(expected[y * 160 + 159 - x]))
                if difference > 12 { differences += 1 }
            }
        }
        // Gain follows the whole picture, and outlines within the mirror are drawn with other samples.
        #expect(differences < 400, "\(differences) of 8000 pixels differ")
    }
}
