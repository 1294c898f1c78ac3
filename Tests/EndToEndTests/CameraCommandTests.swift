import Foundation
import Testing

/// Taps without a screen: commands on standard input, each answered.
@Suite struct CameraCommandTests {
    @Test func everyCommandIsAnswered() throws {
        let input = Pipe()
        let folder = try TemporaryFolder()
        let scene = folder.file("scene.json").path
        let world = folder.file("desk.world").path
        func send(_ lines: [String]) { input.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8)) }
        let session = try CameraSession([:], ["--events", "-"], seconds: nil, input: input) { process in
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
                #"{"command": "reset", "id": "j"}"#, #"{"command": "undo", "id": "k"}"#,
            ])
            usleep(800_000)
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(session.outcome.status == 0, "\(session.messages)")
        let answers = try session.lines("answer")
        func answer(_ id: String) throws -> [String: Any] {
            try #require(answers.first { $0["id"] as? String == id }, "\(id)")
        }
        for id in ["a", "2", "c", "d", "e", "f", "g", "h", "w", "j"] {
            #expect(try answer(id)["done"] as? Bool == true, "\(id): \(answers)")
        }
        #expect(try answer("a")["object"] as? Int == 1)
        #expect(try #require(try answer("g")["capture"] as? [String: Any])["tracked"] as? Int ?? 0 > 10)
        // Neither is another object meant, nor is one of two files, nor does a device become a file.
        for id in ["i", "x", "y", "z", "v"] { #expect(try answer(id)["done"] as? Bool == false, "\(id): \(answers)") }
        #expect(try answer("k")["message"] as? String == "there is nothing to undo")
        #expect(answers.count == 20)
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
