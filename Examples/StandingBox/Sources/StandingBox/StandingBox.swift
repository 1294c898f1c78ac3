import Foothold

/// Puts a box on the first surface that a recording shows, and tells where it stands and when it moved.
@main
struct StandingBox {
    static func main() throws {
        guard let path = CommandLine.arguments.dropFirst().first else {
            print("usage: StandingBox RECORDING")
            return
        }
        let source = try FrameSources.open(path)
        let session = try SceneSession(source: source.info)
        let middle = SIMD2(Double(source.info.width) / 2, Double(source.info.height) * 0.6)
        var hasTapped = false

        while let frame = try source.nextFrame() {
            let scene = try session.process(frame)
            for case .added(let surface) in scene.result.surfaceEvents {
                print("\(frame.seconds) s: a \(surface.alignment) surface of \(surface.area) m²")
            }
            if !hasTapped, !scene.result.surfaces.isEmpty {
                session.place(.box, atPixel: middle)
                hasTapped = true
            }
            for event in scene.objectEvents {
                print(
                    "\(frame.seconds) s: \(event.object.name) \(event.kind) at \(event.object.worldFromObject.position)"
                )
            }
        }
    }
}
