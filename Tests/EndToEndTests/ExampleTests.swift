import Foundation
import Testing

/// What the documents show works.
@Suite struct ExampleTests {
    @Test func theLibraryExamplePutsABoxOnASurface() throws {
        let folder = try TemporaryFolder()
        let outcome = try Command.run([Clips.sample.path], of: "StandingBoxExample", in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        let surface = try #require(lines.firstIndex { $0.contains("surface of") })
        let box = try #require(lines.firstIndex { $0.contains("box placed") })
        #expect(surface < box)
    }
}
