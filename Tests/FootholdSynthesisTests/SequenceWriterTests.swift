import FootholdCapture
import FootholdEvaluation
import FootholdSynthesis
import Foundation
import Testing

@Suite struct SequenceWriterTests {
    /// What is written is read back by the rooms that read sequence folders.
    @Test func aWrittenFolderIsASequenceFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("foothold-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sequence = SyntheticSequence(
            seed: 17, kind: .desk, style: .sideways, duration: 1, width: 160, height: 120)
        try sequence.write(to: folder, events: [(start: 0.2, end: 0.5, kind: "excessive_motion")])

        let truth = try SequenceTruth.load(folder)
        #expect(truth.intrinsics == sequence.intrinsics)
        #expect(truth.failures == [TrueFailure(start: 0.2, end: 0.5, kind: "excessive_motion")])
        let entries = try #require(truth.trajectory?.entries)
        #expect(entries.count == 30)
        for index in [0, 13, 29] {
            let pose = sequence.worldFromCamera(atFrame: index).flippingCameraAxes
            #expect(abs(entries[index].seconds - Double(index) / 30) < 1e-8)
            #expect(entries[index].worldFromCamera.position.distance(to: pose.position) < 1e-8)
            #expect((entries[index].worldFromCamera.rotation.inverse * pose.rotation).angleRadians < 1e-7)
        }
        #expect(truth.depthFrames == [0, 10, 20])
        let picture = try truth.depthPicture(frame: 20)
        for (read, true_) in zip(picture.depths, sequence.depths(atFrame: 20)) {
            #expect(abs(read - true_) < 0.000_51)
        }
        #expect(truth.planes.count == sequence.world.planes.count)
        for (read, plane) in zip(truth.planes, sequence.world.planes) {
            #expect(read.label == plane.label)
            #expect(read.normal.distance(to: plane.normal) < 1e-5)
            #expect(abs(read.area - plane.area) < 1e-5)
        }
        #expect(truth.planes.first { $0.label == "desk.top" }?.seenDepthFrames == 3)

        let source = try FrameSources.open(folder.path)
        let camera = try #require(source.info.intrinsics)
        #expect(abs(camera.fx - sequence.intrinsics.fx) < 1e-9 && abs(camera.cy - sequence.intrinsics.cy) < 1e-9)
        #expect(source.info.inertial.count == 201)
        sequence.rewind()
        var count = 0
        while let read = try source.nextFrame() {
            let drawn = try #require(sequence.nextFrame())
            #expect(read.timestampNanoseconds == drawn.timestampNanoseconds)
            let (a, b) = (read.pixels.luma, drawn.pixels.luma)
            for row in stride(from: 0, to: 120, by: 7) {
                let same = memcmp(a.base + row * a.bytesPerRow, b.base + row * b.bytesPerRow, 160) == 0
                #expect(same)
            }
            count += 1
        }
        #expect(count == 30)
    }
}
