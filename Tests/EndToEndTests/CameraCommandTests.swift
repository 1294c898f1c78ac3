import Foundation
import Testing

/// Taps without a screen: commands on standard input, each answered.
@Suite struct CameraCommandTests {
    @Test func everyCommandIsAnswered() throws {
        let input = Pipe()
        let folder = try TemporaryFolder()
        let scene = folder.file("scene.json").path
        let world = folder.file("desk.world").path
        let pipe = folder.file("toy.obj").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let notes = Data(#"{"what": "nothing that may be lost"}"#.utf8)
        try notes.write(to: folder.file("notes.json"))
        func send(_ lines: [String]) { input.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8)) }
        let session = try CameraSession(
            [:], ["--events", "-", "--record", "recorded.nut", "--save-world", "new.world"], seconds: nil, input: input
        ) { process in
            usleep(2_000_000)
            send([#"{"command": "place", "name": "cylinder", "share": [0.46, 0.7], "id": "a"}"#])
            usleep(800_000)
            send([
                #"{"command": "select", "object": 1, "id": 2}"#,
                #"{"command": "turn", "degrees": 45, "id": "c"}"#,
            ])
            usleep(500_000)
            send([#"{"command": "move", "object": 1, "toShare": [0.5, 0.72], "id": "d"}"#])
            usleep(800_000)
            send([
                #"{"command": "undo", "id": "e"}"#, #"{"command": "redo", "id": "f"}"#,
                #"{"command": "status", "id": "g"}"#, "{\"command\": \"save\", \"file\": \"\(scene)\", \"id\": \"h\"}",
                "{\"command\": \"save\", \"world\": \"\(world)\", \"id\": \"w\"}",
                #"{"command": "dance", "id": "i"}"#, "not json",
                #"{"command": "place", "name": "sofa", "pixel": [1, 1]}"#,
                #"{"command": "place", "name": "box", "pixel": [1000, 1]}"#,
                #"{"command": "turn", "object": 77, "degrees": 5}"#,
                #"{"command": "remove", "object": "1", "id": "x"}"#,
                #"{"command": "remove", "object": 1.5, "id": "y"}"#,
                #"{"command": "save", "file": "a.json", "world": "b.world", "id": "z"}"#,
                #"{"command": "save", "file": "/dev/null", "id": "v"}"#,
                #"{"command": "save", "world": "", "id": 1.5}"#,
                #"{"command": "place", "name": "", "pixel": [1, 1], "id": "m"}"#,
                #"{"command": "place", "name": "box", "pixel": [true, 1], "id": "n"}"#,
                #"{"command": "remove", "object": true, "id": "o"}"#,
                #"{"command": "save", "file": "a\u0000b", "id": true}"#,
                #"{"command": "save", "file": "recorded.nut", "id": "r"}"#,
                #"{"command": "save", "file": "new.world", "id": "s"}"#,
                "{\"command\": \"save\", \"file\": \"\(folder.file("missing/scene.json").path)\", \"id\": \"t\"}",
                "{\"command\": \"save\", \"file\": \"\(folder.file("notes.json").path)\", \"id\": \"q\"}",
                "{\"command\": \"save\", \"world\": \"\(folder.file("notes.json").path)\", \"id\": \"u\"}",
                "{\"command\": \"save\", \"file\": \"\(scene)\", \"id\": \"h2\"}",
                "{\"command\": \"save\", \"world\": \"\(world)\", \"id\": \"w2\"}",
                "{\"command\": \"place\", \"name\": \"\(pipe)\", \"pixel\": [1, 1], \"id\": \"p\"}",
                "{\"command\": \"\(String(repeating: "x", count: 9000))\", \"id\": \"l\"}",
                #"{"command": "reset", "id": "j"}"#, #"{"command": "undo", "id": "k"}"#,
            ])
            usleep(800_000)
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        let answers = try session.lines("answer")
        func answer(_ id: String) throws -> [String: Any] {
            let found = answers.first { $0["id"] as? String == id || ($0["id"] as? Int).map(String.init) == id }
            return try #require(found, "\(id)")
        }
        for id in ["a", "2", "c", "d", "e", "f", "g", "h", "w", "h2", "w2", "j"] {
            #expect(try answer(id)["done"] as? Bool == true, "\(id): \(answers)")
        }
        #expect(try answer("a")["object"] as? Int == 1)
        #expect(try #require(try answer("g")["capture"] as? [String: Any])["tracked"] as? Int ?? 0 > 10)
        // Neither is another object meant, nor is one of two files, nor does a device become a file.
        for id in ["i", "x", "y", "z", "v", "r", "s", "t", "q", "u", "p", "l", "m", "n", "o"] {
            #expect(try answer(id)["done"] as? Bool == false, "\(id): \(answers)")
        }
        #expect(try answer("k")["message"] as? String == "there is nothing to undo")
        #expect(answers.count == 34)
        // An id comes back as it was given.
        #expect(session.outcome.output.contains("\"id\":2,") && session.outcome.output.contains("\"id\":1.5,"))
        #expect(session.outcome.output.contains("\"id\":true,") && session.outcome.output.contains("\"id\":\"a\","))
        func message(_ id: String) throws -> String { try #require(try answer(id)["message"] as? String) }
        #expect(try message("r").contains("is the file of --record"))
        #expect(try message("s").contains("is the file of --save-world"))
        #expect(try message("q").contains("isn't a saved scene"))
        #expect(try message("u").contains("isn't a saved world"))
        #expect(try Data(contentsOf: folder.file("notes.json")) == notes)
        #expect(try message("t").contains("no such file or directory"))
        #expect(try message("p").contains("is a folder, device or pipe"))
        #expect(try #require(try answer("l")["command"] as? String).count <= 80)
        #expect(!session.outcome.output.contains("--place"))
        #expect(!session.outcome.output.contains("output folder"))
        for refused in answers where refused["done"] as? Bool == false {
            #expect(!(try #require(refused["message"] as? String)).isEmpty)
        }
        let objects = try session.lines("object").compactMap { $0["event"] as? String }
        for event in ["placed", "selected", "turned", "moved", "removed"] {
            #expect(objects.contains(event), "\(event)")
        }
        #expect(try session.lines("session").contains { $0["event"] as? String == "reset" })
        let saved =
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: scene))) as? [String: Any]
        #expect((saved?["objects"] as? [Any])?.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: world)).starts(with: Data("FHWORLD\n".utf8)))
    }

    /// A large model is read beside the session, and the commands after it wait for it.
    @Test func aLargeModelDoesNotHoldUpTheSession() throws {
        let folder = try TemporaryFolder()
        let side = 250
        var text = ""
        for index in 0..<side * side {
            text += "v \(Double(index / side) / 1000) \(Double(index * 7 % 13) / 1000) \(Double(index % side) / 1000)\n"
        }
        for row in 0..<side - 1 {
            for corner in row * side + 1..<row * side + side {
                text +=
                    "f \(corner) \(corner + 1) \(corner + side)\nf \(corner + 1) \(corner + side + 1) \(corner + side)\n"
            }
        }
        try Data(text.utf8).write(to: folder.file("large.obj"))
        let (input, path) = (Pipe(), folder.file("large.obj").path)
        let session = try CameraSession([:], ["--events", "-"], seconds: 6, input: input) { _ in
            usleep(1_000_000)
            let lines = [
                "{\"command\": \"place\", \"name\": \"\(path)\", \"share\": [0.5, 0.7], \"id\": 1}",
                #"{"command": "undo", "id": 2}"#,
                "{\"command\": \"place\", \"name\": \"\(path).missing\", \"share\": [0.5, 0.7], \"id\": 3}",
            ]
            input.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8))
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        let answers = try session.lines("answer")
        #expect(answers.map { $0["id"] as? Int } == [1, 2, 3], "\(answers)")
        #expect(answers.map { $0["done"] as? Bool } == [true, true, false], "\(answers)")
        #expect(!(try session.lines("session").contains { $0["event"] as? String == "interrupted" }))
        let times = try session.lines("frame").compactMap { $0["t"] as? Double }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.6 })
    }

    /// What the next frame does is done before what comes after it, so a scene is saved with what was just put into it.
    @Test func whatIsSavedHoldsTheChangesBeforeIt() throws {
        let input = Pipe()
        let folder = try TemporaryFolder()
        let (scene, later) = (folder.file("scene.json"), folder.file("later.json"))
        let session = try CameraSession([:], ["--events", "-"], seconds: nil, input: input) { process in
            usleep(2_000_000)
            let lines = [
                #"{"command": "place", "name": "cylinder", "share": [0.46, 0.7], "id": 1}"#,
                "{\"command\": \"save\", \"file\": \"\(scene.path)\", \"id\": 2}",
                #"{"command": "move", "object": 1, "toShare": [0.5, 0.72], "id": 3}"#,
                #"{"command": "status", "id": 4}"#,
                "{\"command\": \"save\", \"file\": \"\(later.path)\", \"id\": 5}",
                #"{"command": "reset", "id": 6}"#, #"{"command": "undo", "id": 7}"#, "nonsense",
            ]
            input.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8))
            usleep(1_500_000)
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        let answers = try session.lines("answer")
        #expect(answers.compactMap { $0["id"] as? Int } == [1, 2, 3, 4, 5, 6, 7])
        #expect(answers.count == 8 && answers.prefix(6).allSatisfy { $0["done"] as? Bool == true }, "\(answers)")
        func place(_ file: URL) throws -> [Double] {
            let saved = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            let objects = try #require(saved?["objects"] as? [[String: Any]])
            #expect(objects.count == 1)
            return try #require(objects.first?["position"] as? [Double])
        }
        #expect(try place(scene) != place(later))
    }

    @Test func commandsAreAnsweredWithoutEventsToo() throws {
        let input = Pipe()
        let session = try CameraSession([:], [], seconds: 1.5, input: input) { _ in
            input.fileHandleForWriting.write(Data("{\"command\": \"status\"}\n".utf8))
        }
        let first = try #require(session.outcome.output.split(separator: "\n").first)
        #expect(first.hasPrefix("{\"type\":\"answer\""))
        #expect(
            session.outcome.output.contains("Followed the camera") || session.outcome.output.contains("was not found"))
    }

    @Test func commandsAreAnsweredWhileTheCameraIsAway() throws {
        let (input, output) = (Pipe(), Pipe())
        var seen = ""
        /// Reads what the session sends, until it has sent this so many times.
        func read(until text: String, times: Int = 1) {
            while seen.components(separatedBy: text).count <= times {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { return }
                seen += String(decoding: data, as: UTF8.self)
            }
        }
        let session = try CameraSession(
            ["away": "1"], ["--events", "-"], seconds: nil, input: input, output: output
        ) { process in
            try output.fileHandleForWriting.close()
            read(until: "\"kind\":\"unplugged\"")
            input.fileHandleForWriting.write(
                Data(
                    "{\"command\": \"place\", \"name\": \"box\", \"share\": [0.5, 0.5]}\n{\"command\": \"status\"}\n"
                        .utf8))
            read(until: "\"type\":\"answer\"", times: 2)
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        let answers = seen.split(separator: "\n").filter { $0.contains("\"type\":\"answer\"") }
        #expect(answers.count == 2)
        #expect(answers.first?.contains("no picture now") == true)
        #expect(answers.last?.contains("\"done\":true") == true)
    }
}
