import Foothold
import Foundation
import Testing

/// Whatever is wrong is said in one line, with the right exit status, and leaves nothing behind.
@Suite struct BadInputTests {
    let folder = try! TemporaryFolder()

    /// Runs `foothold process` in the folder, and checks what holds for every refusal.
    private func refusal(_ arguments: [String], status: Int32 = 2, leaves: [String]) throws -> String {
        let outcome = try Command.run(["process"] + arguments, in: folder.url)
        #expect(outcome.reason == .exit)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("foothold: "))
        #expect(!outcome.errors.contains("Error"))
        #expect(folder.contents == leaves)
        return outcome.errors
    }

    @Test func anEmptyFile() throws {
        try Data().write(to: folder.file("empty.mp4"))
        let message = try refusal(["empty.mp4"], leaves: ["empty.mp4"])
        #expect(message.contains("empty.mp4") && message.contains("is empty"))
    }

    /// Results replace their folder as a whole, under the feet of whoever stands in it.
    @Test(arguments: [".", "../here", "./"]) func theFolderOneStandsInAsTheOutput(out: String) throws {
        let here = folder.file("here")
        try FileManager.default.createDirectory(at: here, withIntermediateDirectories: true)
        let outcome = try Command.run(["process", Clips.sampleVideo.path, "--out", out], in: here)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("is the folder that you are in"), "\(outcome.errors)")
        #expect(folder.contents == ["here"])
    }

    @Test func aTextNamedLikeAVideo() throws {
        try Data("This is a shopping list: eggs, milk.\n".utf8).write(to: folder.file("list.mp4"))
        let message = try refusal(["list.mp4"], leaves: ["list.mp4"])
        #expect(message.contains("list.mp4"))
    }

    /// Some make pictures of text, minutes of them.
    @Test(arguments: ["list.txt", "list.nfo", "list.yuv", "list"], ["process", "calibrate"])
    func aTextThatIsNamedLikeOne(name: String, command: String) throws {
        try Data(String(repeating: "eggs, milk, bread\n", count: 2000).utf8).write(to: folder.file(name))
        let start = Date()
        let outcome = try Command.run([command, name], in: folder.url)
        #expect(outcome.status == 2)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("\"\(name)\" is not a video that can be read"), "\(outcome.errors)")
        #expect(Date().timeIntervalSince(start) < 20)
        #expect(folder.contents == [name])
    }

    @Test(arguments: [
        (["video.mp4", "--save-world", "video.mp4"], "the recording and --save-world are the same file"),
        (["video.mp4", "--camera", "camera.json", "--save-world", "./camera.json"], "--camera and --save-world"),
        (
            ["results/annotated.mp4", "--out", "results"],
            "the recording results/annotated.mp4 lies in the folder of --out"
        ),
        (["video.mp4", "--out", ""], "--out has an empty name"),
    ])
    func whatWouldReplaceItsOwnInput(arguments: [String], words: String) throws {
        try Data("precious".utf8).write(to: folder.file("camera.json"))
        try FileManager.default.copyItem(at: Clips.sampleVideo, to: folder.file("video.mp4"))
        try FileManager.default.createDirectory(at: folder.file("results"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(at: Clips.sampleVideo, to: folder.file("results/annotated.mp4"))
        let message = try refusal(arguments, leaves: ["camera.json", "results", "video.mp4"])
        #expect(message.contains(words), "\(message)")
    }

    @Test func aPipeAmongTheFilesIsNotWaitedFor() throws {
        try #require(mkfifo(folder.file("pipe").path, 0o600) == 0)
        for option in ["--camera", "--imu", "--gestures", "--world"] {
            let message = try refusal([Clips.sampleVideo.path, option, "pipe"], leaves: ["pipe"])
            #expect(message.contains("pipe"))
        }
        try FileManager.default.moveItem(at: folder.file("pipe"), to: folder.file("video.mp4"))
        let message = try refusal(["."], leaves: ["video.mp4"])
        #expect(message.contains("check that it is a file"))
    }

    /// A model's own file is one, and it names another that isn't.
    @Test func aModelThatNamesAPipeIsNotWaitedFor() throws {
        try #require(mkfifo(folder.file("points").path, 0o600) == 0)
        let text = """
            {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
             "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"uri": "points", "byteLength": 36}]}
            """
        try Data(text.utf8).write(to: folder.file("toy.gltf"))
        let message = try refusal(
            [Clips.sampleVideo.path, "--place", "toy.gltf@10,10"], leaves: ["points", "toy.gltf"])
        #expect(message.contains("toy.gltf can't be read"), "\(message)")
    }

    @Test func aVideoWhoseEndIsMissing() throws {
        // Without the index that cameras write last.
        let whole = try Data(contentsOf: Clips.fixture("index-last.mp4"))
        try whole.prefix(whole.count / 2).write(to: folder.file("cut.mp4"))
        let message = try refusal(["cut.mp4"], leaves: ["cut.mp4"])
        #expect(message.contains("cut.mp4"))
    }

    @Test func aVideoOfOneFrame() throws {
        let message = try refusal([Clips.fixture("one-frame.mp4").path], leaves: [])
        #expect(message.contains("one-frame.mp4") && message.contains("only one frame"))
    }

    @Test(arguments: ["smallest.mp4", "picture.jpg"])
    func picturesTooSmallToSeeAnythingIn(name: String) throws {
        let message = try refusal([Clips.fixture(name).path], leaves: [])
        #expect(message.contains(name) && message.contains("160×120"))
    }

    @Test func aSoundRecording() throws {
        let message = try refusal([Clips.fixture("sound.mp4").path], leaves: [])
        #expect(message.contains("sound.mp4"))
    }

    @Test func aMissingFile() throws {
        let message = try refusal(["nowhere.mp4"], leaves: [])
        #expect(message.contains("nowhere.mp4"))
    }

    @Test(arguments: ["not json at all", "{\"width\": 640}", ""])
    func anUnreadableCalibration(text: String) throws {
        try Data(text.utf8).write(to: folder.file("camera.json"))
        let message = try refusal([Clips.sampleVideo.path, "--camera", "camera.json"], leaves: ["camera.json"])
        #expect(message.contains("camera.json"))
    }

    @Test func aMissingCalibration() throws {
        let message = try refusal([Clips.sampleVideo.path, "--camera", "camera.json"], leaves: [])
        #expect(message.contains("camera.json"))
    }

    // Also root can write into none of these.
    @Test(arguments: ["file/results", "file", "/proc/foothold-results"])
    func anOutputFolderThatCannotBeWritten(path: String) throws {
        try Data("precious".utf8).write(to: folder.file("file"))
        let message = try refusal([Clips.sampleVideo.path, "--out", path], leaves: ["file"])
        #expect(message.contains(path))
        #expect(try String(contentsOf: folder.file("file"), encoding: .utf8) == "precious")
    }

    @Test func aFolderOfSomebodyElsesFilesIsNotReplaced() throws {
        let out = folder.file("photos")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        try Data("precious".utf8).write(to: out.appendingPathComponent("photo.jpg"))
        let message = try refusal([Clips.sampleVideo.path, "--out", "photos"], leaves: ["photos"])
        #expect(message.contains("photo.jpg"))
    }

    @Test(arguments: [
        ["chair"], ["chair@9000,10"], ["sofa@10,10"], ["missing.glb@10,10"],
    ])
    func aPlacementThatMakesNoSense(place: [String]) throws {
        let message = try refusal([Clips.sampleVideo.path, "--place"] + place, leaves: [])
        #expect(message.contains("--place"))
    }

    @Test func aModelThatCannotBeRead() throws {
        try Data("not a model".utf8).write(to: folder.file("toy.glb"))
        let message = try refusal([Clips.sampleVideo.path, "--place", "toy.glb@10,10"], leaves: ["toy.glb"])
        #expect(message.contains("toy.glb"))
    }

    @Test func aLanguageWithoutWords() throws {
        let message = try refusal([Clips.sampleVideo.path, "--language", "tlh"], leaves: [])
        #expect(message.contains("tlh") && message.contains("en") && message.contains("ko"))
    }

    @Test(arguments: [[], ["--no-such-option"], ["a.mp4", "b.mp4"], ["a.mp4", "--out"]])
    func wrongUsage(arguments: [String]) throws {
        let message = try refusal(arguments, leaves: [])
        #expect(message.contains("foothold process --help"))
    }
}
