import FootholdScene

/// Plays a script against a session, frame by frame.
public struct GesturePlayer: Sendable {
    private let entries: [GestureScript.Entry]
    private var next = 0
    private var recognizer: GestureRecognizer
    private var fingers: [Int: SIMD2<Double>] = [:]

    public init(script: GestureScript, surface: TouchSurface) {
        entries = script.entries
        recognizer = GestureRecognizer(surface: surface)
    }

    /// True when everything was played.
    public var isFinished: Bool { next == entries.count }

    /// When what wasn't played yet is due, nanoseconds; nil when everything was.
    public var nextNanoseconds: Int64? { isFinished ? nil : entries[next].timestampNanoseconds }

    /// Where fingers are on the picture now.
    public var touches: [SIMD2<Double>] { fingers.sorted { $0.key < $1.key }.map(\.value) }

    /// Does everything that is due by a frame's time. Call it just before the session's `update` of that frame.
    ///
    /// - Throws: ``GestureScript/ScriptError`` for a name that the session has no template for.
    public mutating func play(
        on session: inout PlacementSession, context: PlacementContext
    ) throws -> PlacementOutput {
        var output = PlacementOutput()
        while next < entries.count, entries[next].timestampNanoseconds <= context.timestampNanoseconds {
            let entry = entries[next]
            next += 1
            switch entry.action {
            case .touch(let touch):
                fingers[touch.id] = touch.phase == .began || touch.phase == .moved ? touch.pixel : nil
                for gesture in recognizer.update(touch) { output += session.handle(gesture, context: context) }
            case .place(let name, let pixel, let isFixedSize):
                var template = try template(name, session)
                if isFixedSize { template.scaling = .fixed }
                output += session.place(template, atPixel: pixel, context: context)
            case .undo: output += session.undo(context)
            case .redo: output += session.redo(context)
            case .remove:
                if let id = session.selectedID { output += session.remove(id, context: context) }
            case .exchange(let name):
                let template = try template(name, session)
                if let id = session.selectedID { output += session.exchange(id, for: template, context: context) }
            case .shake: output += session.handle(.shake, context: context)
            case .reset: output += session.reset()
            }
        }
        for gesture in recognizer.advance(to: context.timestampNanoseconds) {
            output += session.handle(gesture, context: context)
        }
        return output
    }

    private func template(_ name: String, _ session: PlacementSession) throws -> ObjectTemplate {
        if let template = session.template(named: name) { return template }
        let known = session.templates.map(\.name).joined(separator: ", ")
        throw GestureScript.ScriptError(
            description: "there is no object called “\(name)” to place; there are: \(known)")
    }
}
