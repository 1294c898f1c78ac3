import FootholdEvaluation
import Foundation
import Testing

@Suite struct TrajectoryTests {
    private func entries(_ seconds: [Double]) -> Trajectory {
        Trajectory(
            seconds.map { .init(seconds: $0, worldFromCamera: Pose(rotation: .identity, position: SIMD3($0, 0, 0))) })
    }

    @Test func posesArePairedWithTheNearestInTimeWithinTheTolerance() {
        let a = entries([0, 0.1, 0.2, 0.3])
        let b = entries([0.004, 0.12, 0.195, 0.309, 0.4])
        let pairs = a.association(with: b)
        #expect(pairs.map(\.index) == [0, 2, 3])
        #expect(pairs.map(\.referenceIndex) == [0, 2, 3])
    }

    @Test func poseBetweenTwoEntriesIsInterpolatedButNotAcrossAGap() throws {
        let path = entries([0, 0.1, 0.5])
        #expect(try #require(path.pose(at: 0.025)).position.distance(to: SIMD3(0.025, 0, 0)) < 1e-12)
        #expect(path.pose(at: 0.3) == nil)
        #expect(path.pose(at: 0.6) == nil)
        #expect(path.pose(at: 0.5) != nil)
    }

    @Test func aligningFindsTheSimilarityThatMadeThePoints() throws {
        let truth = Similarity(
            scale: 1.7, rotation: Rotation(axis: SIMD3(1, 2, -0.5), angleRadians: 2.9), translation: SIMD3(4, -2, 0.3))
        let points = (0..<20).map { SIMD3(sin(Double($0)), cos(1.7 * Double($0)), 0.1 * Double($0)) }
        let found = try #require(Similarity.aligning(points, to: points.map { truth * $0 }, withScale: true))
        #expect(abs(found.scale - 1.7) < 1e-12)
        for point in points { #expect((found * point).distance(to: truth * point) < 1e-12) }
        #expect((found.inverse * (found * points[3])).distance(to: points[3]) < 1e-12)
    }

    @Test func posesOnAStraightLineAreAligned() throws {
        let truth = Similarity(
            scale: 0.6, rotation: Rotation(axis: SIMD3(-1, 0.4, 2), angleRadians: 1.9), translation: SIMD3(1, 5, -3))
        let poses = (0..<12).map { index in
            Pose(
                rotation: Rotation(axis: SIMD3(0.3, 1, 0.2), angleRadians: 0.1 * Double(index)),
                position: SIMD3(0.2, 0.1, 0.4) * Double(index))
        }
        let found = try #require(Similarity.aligning(poses, to: poses.map { truth * $0 }))
        #expect(abs(found.scale - 0.6) < 1e-12)
        #expect((found.rotation.inverse * truth.rotation).angleRadians < 1e-7)
        #expect(found.translation.distance(to: truth.translation) < 1e-12)
        #expect(Similarity.aligning(Array(poses.prefix(2)), to: Array(poses.prefix(2))) == nil)
        let standing = poses.map { Pose(rotation: $0.rotation, position: .zero) }
        #expect(Similarity.aligning(standing, to: poses) == nil)
    }

    @Test func aligningNeverMirrors() throws {
        let points = (0..<20).map { SIMD3(sin(Double($0)), cos(1.7 * Double($0)), 0.1 * Double($0)) }
        let mirrored = points.map { SIMD3(-$0.x, $0.y, $0.z) }
        let found = try #require(Similarity.aligning(points, to: mirrored, withScale: false))
        let (a, b, c) = found.rotation.columns
        #expect(abs(a.cross(b).dot(c) - 1) < 1e-12)
    }

    @Test func tooFewOrCoincidingPointsHaveNoAlignment() {
        let point = SIMD3(1.0, 2, 3)
        #expect(Similarity.aligning([point, .zero], to: [point, .zero], withScale: true) == nil)
        #expect(Similarity.aligning([point, point, point], to: [point, .zero, point], withScale: true) == nil)
    }

    @Test func frameIndexedReferenceIsReadByTheTimesOfFrames() throws {
        let scratch = try Scratch()
        try scratch.write(
            "frame,px,py,pz,qx,qy,qz,qw\n0,1,2,3,0,0,0,1\n8,4,5,6,0,0,0,2\n99,0,0,0,0,0,0,1\n", to: "r.csv")
        let path = try TrajectoryReader.frameIndexedCSV(at: scratch.url.appendingPathComponent("r.csv")) {
            $0 < 50 ? Double($0) / 60 : nil
        }
        #expect(path.entries.count == 2)
        #expect(path.entries[1].seconds == 8.0 / 60)
        #expect(path.entries[1].worldFromCamera == Pose(rotation: .identity, position: SIMD3(4, 5, 6)))
    }

    @Test func eurocTruthBecomesTheCamerasPathFromTheFirstFrameOn() throws {
        let scratch = try Scratch()
        let start: Int64 = 1_403_715_284_262_142_976
        try scratch.write("#timestamp [ns],filename\n\(start),\(start).png\n", to: "clip/mav0/cam0/data.csv")
        try scratch.write(
            "sensor_type: camera\nT_BS:\n  cols: 4\n  rows: 4\n  data: [0.0, -1.0, 0.0, 0.1,\n    1.0, 0.0, 0.0, 0.2,\n"
                + "    0.0, 0.0, 1.0, 0.3,\n    0.0, 0.0, 0.0, 1.0]\nrate_hz: 20\n",
            to: "clip/mav0/cam0/sensor.yaml")
        try scratch.write(
            "#timestamp [ns],p_x,p_y,p_z,q_w,q_x,q_y,q_z,v_x\n\(start + 50_000_000),1,2,3,0,1,0,0,9\n",
            to: "clip/mav0/state_groundtruth_estimate0/data.csv")
        let truth = try SequenceTruth.load(scratch.url.appendingPathComponent("clip"))
        let entry = try #require(truth.trajectory?.entries.first)
        #expect(abs(entry.seconds - 0.05) < 1e-9)
        // The body is turned half about x, so the camera's offset (0.1, 0.2, 0.3) points to (0.1, −0.2, −0.3).
        #expect(entry.worldFromCamera.position.distance(to: SIMD3(1.1, 1.8, 2.7)) < 1e-12)
        #expect((entry.worldFromCamera.rotation * .unitX).distance(to: SIMD3(0, -1, 0)) < 1e-12)
        #expect(truth.up == .unitZ)
    }

    @Test func aBadLineIsNamedByItsNumber() throws {
        let scratch = try Scratch()
        try scratch.write("# made by hand\n0 0 0 0 0 0 0 1\n1 0 0 zero 0 0 0 1\n", to: "bad.tum")
        let url = scratch.url.appendingPathComponent("bad.tum")
        let error = #expect(throws: EvaluationError.self) { try TrajectoryReader.tum(at: url) }
        #expect(error == .malformed(path: url.path, line: 3, expected: "8 numbers that are a pose"))
        #expect(throws: EvaluationError.self) {
            try TrajectoryReader.tum(at: scratch.url.appendingPathComponent("none"))
        }
    }

    @Test(arguments: ["nan", "inf", "-inf"]) func aPoseIsOfNumbersThatAreFinite(number: String) throws {
        let scratch = try Scratch()
        try scratch.write("t,px,py,pz,qx,qy,qz,qw\n0,0,0,\(number),0,0,0,1\n", to: "bad.csv")
        let url = scratch.url.appendingPathComponent("bad.csv")
        let error = #expect(throws: EvaluationError.self) { try TrajectoryReader.groundTruthCSV(at: url) }
        #expect(error == .malformed(path: url.path, line: 2, expected: "8 numbers that are a pose"))
    }

    @Test(arguments: ["0,0,0,0,0,0,0,0", "0,0,1e18,0,0,0,0,1", "0,0,0,0,0,0,1e200,0"])
    func aPoseHasARotationAndAPlace(row: String) throws {
        let scratch = try Scratch()
        try scratch.write("t,px,py,pz,qx,qy,qz,qw\n\(row)\n", to: "bad.csv")
        let url = scratch.url.appendingPathComponent("bad.csv")
        let error = #expect(throws: EvaluationError.self) { try TrajectoryReader.groundTruthCSV(at: url) }
        #expect(error == .malformed(path: url.path, line: 2, expected: "8 numbers that are a pose"))
    }

    @Test func wordsAreAHeaderOnce() throws {
        let scratch = try Scratch()
        try scratch.write("no truth\nat all\n", to: "bad.csv")
        let url = scratch.url.appendingPathComponent("bad.csv")
        let error = #expect(throws: EvaluationError.self) { try TrajectoryReader.groundTruthCSV(at: url) }
        #expect(error == .malformed(path: url.path, line: 2, expected: "8 numbers that are a pose"))
    }

    @Test func aTruthWithoutAPoseIsAnError() throws {
        let scratch = try Scratch()
        try scratch.write("t,px,py,pz,qx,qy,qz,qw\n", to: "clip/groundtruth.csv")
        let error = #expect(throws: EvaluationError.self) {
            try SequenceTruth.load(scratch.url.appendingPathComponent("clip"))
        }
        #expect("\(try #require(error))".hasSuffix("it holds no pose"))
    }

    @Test func depthPicturesOfEveryFilterAreRead() throws {
        let camera = CameraIntrinsics(width: 23, height: 10, fx: 20, fy: 20, cx: 11, cy: 4.5)
        let picture = try DepthPicture(pngAt: fixture("depth_filters.png"), camera: camera)
        #expect(picture.intrinsics.width == 23 && picture.intrinsics.height == 10)
        for y in 0..<10 {
            for x in 0..<23 {
                let millimetres = (x * 977 + y * y * 3571) % 65536
                let depth = picture.depth(at: SIMD2(Double(x) + 0.3, Double(y) - 0.3))
                #expect(depth.map { abs($0 - Double(millimetres) / 1000) < 1e-4 } ?? (millimetres == 0))
            }
        }
        #expect(picture.depth(at: SIMD2(23, 2)) == nil)
        #expect(picture.depth(at: SIMD2(-0.6, 2)) == nil)
    }

    /// The file has 23 × 10 pixels.
    @Test(arguments: [(46, 20), (230, 100), (229, 100)])
    func depthPicturesOfAnotherSizeAreOfTheSameView(width: Int, height: Int) throws {
        let camera = CameraIntrinsics(
            width: width, height: height, fx: 400, fy: 400, cx: Double(width) / 4, cy: Double(height) / 3)
        let picture = try DepthPicture(pngAt: fixture("depth_filters.png"), camera: camera)
        let small = picture.intrinsics
        #expect((small.width, small.height) == (23, 10))
        #expect(abs(small.fx - 400 * 23 / Double(width)) < 1e-9 && abs(small.fy - 400 * 10 / Double(height)) < 1e-9)
        // The same point, in pixels of its own: what lies at a picture's edge stays there.
        #expect(abs((small.cx + 0.5) / 23 - (camera.cx + 0.5) / Double(width)) < 1e-9)
        #expect(abs((small.cy + 0.5) / 10 - (camera.cy + 0.5) / Double(height)) < 1e-9)
    }

    @Test(arguments: [(640, 480), (10, 23), (23, 11)])
    func depthPicturesOfAnotherShapeAreRefused(width: Int, height: Int) throws {
        let camera = CameraIntrinsics(width: width, height: height, fx: 20, fy: 20, cx: 5, cy: 5)
        #expect {
            _ = try DepthPicture(pngAt: fixture("depth_filters.png"), camera: camera)
        } throws: {
            "\($0)".contains("it has 23×10 pixels, another shape than the camera's \(width)×\(height)")
        }
    }

    /// Said when the folder is read, before anything is run on it.
    @Test func aFolderWithDepthPicturesOfAnotherShapeIsRefused() throws {
        let scratch = try Scratch()
        func write(width: Int, height: Int) throws {
            try scratch.write(
                #"{"width": \#(width), "height": \#(height), "fx": 20, "fy": 20, "cx": 5, "cy": 5}"#,
                to: "clip/intrinsics.json")
        }
        try write(width: 46, height: 20)
        let folder = scratch.url.appendingPathComponent("clip")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("depth"), withIntermediateDirectories: true)
        for name in ["00000.png", "00010.png"] {
            try FileManager.default.copyItem(
                at: fixture("depth_filters.png"), to: folder.appendingPathComponent("depth/\(name)"))
        }
        let truth = try SequenceTruth.load(folder)
        #expect(truth.depthFrames == [0, 10])
        try truth.check(width: 92, height: 40)
        #expect(throws: EvaluationError.self) { try truth.check(width: 40, height: 92) }
        try write(width: 40, height: 30)
        let error = #expect(throws: EvaluationError.self) { try SequenceTruth.load(folder) }
        #expect("\(try #require(error))".contains("00000.png (it has 23×10 pixels, another shape"))
    }

    @Test func damagedDepthPicturesAreRefused() throws {
        let scratch = try Scratch()
        let camera = CameraIntrinsics(width: 23, height: 10, fx: 20, fy: 20, cx: 11, cy: 4.5)
        let bytes = try Data(contentsOf: fixture("depth_filters.png"))
        for cut in [0, 7, 20, 60, bytes.count - 30] {
            let url = scratch.url.appendingPathComponent("cut.png")
            try bytes.prefix(cut).write(to: url)
            #expect(throws: EvaluationError.self) { try DepthPicture(pngAt: url, camera: camera) }
        }
    }
}
