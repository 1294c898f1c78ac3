import FootholdRendering
import FootholdScene
import Foundation
import Testing

/// Objects behind something real.
@Suite struct OcclusionTests {
    /// A box stands on the floor, seen from above; something real stands half-way before its left half.
    private static let pose = Cameras.looking(from: SIMD3(0, 0.5, 1.2), at: SIMD3(0, 0.1, 0))

    /// The depth of the floor, and of an upright board before it whose right edge is at x = 0.
    private static func map(
        _ camera: CameraIntrinsics = Cameras.plain, board: Double? = 0.6, deviation: Double = 0.005,
        isKnown: (Int, Int) -> Bool = { _, _ in true }
    ) -> DepthMap {
        let (width, height) = (80, 60)
        let cameraFromWorld = pose.inverse
        var depths: [Float] = []
        var luma: [UInt8] = []
        for index in 0..<(width * height) {
            let pixel = SIMD2(Double(index % width), Double(index / width)) * 8
            let ray = camera.ray(through: pixel, worldFromCamera: pose)
            func depth(_ distance: Double) -> Float { Float(-(cameraFromWorld * ray.point(at: distance)).z) }
            var value: Float = 0
            var level: UInt8 = 170
            if let distance = ray.distance(toPlaneThrough: .zero, normal: .unitY) { value = depth(distance) }
            if let board, let distance = ray.distance(toPlaneThrough: SIMD3(0, 0, board), normal: .unitZ) {
                let p = ray.point(at: distance)
                if p.x < 0, p.y > 0, p.y < 0.5 { (value, level) = (depth(distance), 60) }
            }
            if !isKnown(index % width, index / width) { value = 0 }
            depths.append(value)
            luma.append(level)
        }
        return DepthMap(
            width: width, height: height, cellPixels: 8, depths: depths,
            deviations: depths.map { $0 > 0 ? Float(deviation) : 0 }, luma: luma)
    }

    /// The frame that the map belongs to: dark where the board is.
    private static func frame(_ map: DepthMap) -> Frame {
        let luma: [UInt8] = (0..<(640 * 480)).map { (index: Int) -> UInt8 in
            let (row, column): (Int, Int) = ((index / 640 + 4) / 8, (index % 640 + 4) / 8)
            return map.luma[min(59, row) * 80 + min(79, column)]
        }
        return Frame(
            index: 0, timestampNanoseconds: 1_000_000_000,
            pixels: PixelBuffer(copyingLuma: luma, width: 640, height: 480))
    }

    private func draw(
        _ map: DepthMap, shown: Bool = true, camera: CameraIntrinsics = Cameras.plain
    ) throws -> (drawn: Pixels, bare: Pixels) {
        let renderer = try OverlayRenderer(width: 640, height: 480, fontLanguage: "en")
        var overlay = Overlay(worldFromCamera: Self.pose, intrinsics: camera)
        let frame = Self.frame(map)
        let bare = Pixels(try renderer.render(frame, overlay: overlay))
        overlay.objects = [Objects.make(.box)]
        if shown { overlay.depthMap = map }
        return (Pixels(try renderer.render(frame, overlay: overlay)), bare)
    }

    private func count(_ pair: (drawn: Pixels, bare: Pixels), _ isWanted: (SIMD2<Int>) -> Bool = { _ in true }) -> Int {
        pair.drawn.changed(from: pair.bare).filter(isWanted).count
    }

    @Test func whatStandsBeforeAnObjectHidesItAndNothingElse() throws {
        let map = Self.map()
        let whole = try draw(map, shown: false)
        let hidden = try draw(map)
        // Well inside of either half of the box, a cell from the board's edge.
        let left: (SIMD2<Int>) -> Bool = { $0.x < 308 }
        let right: (SIMD2<Int>) -> Bool = { $0.x > 332 }
        #expect(count(whole, left) > 2000)
        #expect(count(hidden, left) == 0)
        #expect(count(whole, right) > 2000)
        #expect(count(hidden, right) == count(whole, right))
        // Within a pixel's row the border goes from one to the other once, and softly.
        #expect(hidden.drawn.changed(from: whole.drawn).allSatisfy { $0.x < 332 })
    }

    @Test(arguments: [Cameras.plain, Cameras.barrel])
    func theGroundNeverEatsWhatStandsOnIt(camera: CameraIntrinsics) throws {
        for tooNear in [0.0, 0.03] {
            // Also when the ground is thought to be a little nearer than it is.
            let ground = Self.map(camera, board: nil)
            let map = DepthMap(
                width: ground.width, height: ground.height, cellPixels: ground.cellPixels,
                depths: ground.depths.map { $0 * Float(1 - tooNear) }, deviations: ground.depths.map { 0.02 * $0 },
                luma: ground.luma)
            let whole = try draw(map, shown: false, camera: camera)
            #expect(try draw(map, camera: camera).drawn.largestDifference(from: whole.drawn) == 0)
        }
    }

    @Test func whereNothingIsKnownNothingIsHidden() throws {
        let map = Self.map(isKnown: { _, _ in false })
        let whole = try draw(map, shown: false)
        #expect(try draw(map).drawn.largestDifference(from: whole.drawn) == 0)
    }

    @Test func aDepthThatIsHardlyKnownHidesNothing() throws {
        let map = Self.map(deviation: 0.5)
        let whole = try draw(map, shown: false)
        #expect(try draw(map).drawn.largestDifference(from: whole.drawn) == 0)
    }

    @Test func theBorderIsSoftAndWhereTheMapSaysItIs() throws {
        let map = Self.map()
        let whole = try draw(map, shown: false).drawn
        let (drawn, bare) = try draw(map)
        var widths: [Int] = []
        for y in 225...255 {
            // How much of the object is shown, from what it changes.
            let shares = (290...350).map { x -> Double in
                let full = (whole[x, y] &- bare[x, y]).wrappedSum()
                guard abs(full) > 30 else { return .nan }
                return Double((drawn[x, y] &- bare[x, y]).wrappedSum()) / Double(full)
            }
            guard !shares.contains(where: \.isNaN) else { continue }
            #expect(shares.first! < 0.02 && shares.last! > 0.98)
            widths.append(shares.filter { $0 > 0.05 && $0 < 0.95 }.count)
            let middle = 290 + (shares.firstIndex { $0 > 0.5 } ?? 0)
            #expect(abs(middle - 316) <= 5)
        }
        #expect(widths.count > 10)
        #expect(widths.allSatisfy { $0 <= 8 })
    }
}
