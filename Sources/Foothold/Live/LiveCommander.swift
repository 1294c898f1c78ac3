import FootholdExport
import FootholdPlacement
import FootholdScene
import Foundation

/// Carries out the commands that come while a session runs, and answers each.
final class LiveCommander {
    private let reader: CommandReader
    private let info: SourceInfo
    private let claims: FileClaims
    private var answers: [CommandAnswer] = []
    /// What has come after a model that is being read, or after changes that the next frame makes.
    private var waiting: ArraySlice<String> = []
    private var load: ModelLoad?
    /// Drags that are still held, with when they are let go.
    private var held: [(until: Int64, release: SceneSession.Change)] = []
    private let status: () -> CaptureMeasurements
    /// Said where a command points into a picture and no frame has come since commands were looked at last.
    private static let withoutPicture = "there is no picture now: the camera is being waited for"
    /// Long enough on another surface for a move to end there.
    private static let dragNanoseconds: Int64 = 300_000_000

    /// - Parameters:
    ///   - claims: the files of the session, which commands may not write.
    ///   - status: how the camera does now.
    init(reader: CommandReader, info: SourceInfo, claims: FileClaims, status: @escaping () -> CaptureMeasurements) {
        self.claims = claims
        self.reader = reader
        self.info = info
        self.status = status
    }

    /// Prepares what has come for the next frame.
    func prepare(_ session: SceneSession, time: Int64) {
        for (_, release) in held.filter({ $0.until <= time }) { session.change(release) }
        held.removeAll { $0.until <= time }
        handleAll(session, hasPicture: true, time: time)
    }

    /// Answers what came while no frame did.
    func answerWithoutPicture(_ session: SceneSession) { handleAll(session, hasPicture: false, time: 0) }

    /// Answers what will not be done any more.
    func end(_ session: SceneSession) {
        answerWithoutPicture(session)
        if let load { answer(load.command, "the session ended before the model was read") }
        load = nil
        answerWithoutPicture(session)
    }

    /// Commands are carried out and answered in their order: those after a model wait for it, and what isn't done by a
    /// frame waits for the frame that makes the changes before it.
    private func handleAll(_ session: SceneSession, hasPicture: Bool, time: Int64) {
        finishLoading(session, hasPicture: hasPicture)
        if waiting.isEmpty, load == nil { waiting = reader.take()[...] }
        while load == nil, let line = waiting.first {
            let command = Result { () throws(CommandError) in try LiveCommand(line: line) }
            let isChange = (try? command.get().isChange) ?? false
            // Where no picture comes, nothing is waited for.
            if !isChange, hasPicture, session.hasWaitingChanges || !held.isEmpty { break }
            waiting.removeFirst()
            handle(command, session, hasPicture: hasPicture, time: time)
        }
    }

    private func finishLoading(_ session: SceneSession, hasPicture: Bool) {
        guard let load, let loaded = load.loaded else { return }
        self.load = nil
        guard hasPicture else { return answer(load.command, Self.withoutPicture) }
        do {
            try place(try loaded.get(), load.command, at: load.location, session)
        } catch {
            answer(load.command, error.description)
        }
    }

    /// The answers since the last call; those to changes are known once the frame was processed.
    func takeAnswers() -> [CommandAnswer] {
        defer { answers.removeAll() }
        return answers
    }

    private func handle(
        _ parsed: Result<LiveCommand, CommandError>, _ session: SceneSession, hasPicture: Bool, time: Int64
    ) {
        let command: LiveCommand
        switch parsed {
        case .success(let parsed): command = parsed
        case .failure(let error):
            answers.append(
                CommandAnswer(id: error.id, command: error.command, isDone: false, message: error.message))
            return
        }
        switch command.action {
        case .status:
            answers.append(CommandAnswer(id: command.id, command: command.name, isDone: true, capture: status()))
        case .save(let path): keep(command, .savedScene, at: path, replacing: []) { try session.save().data() }
        case .saveWorld(let path):
            keep(command, .savedWorld, at: path, replacing: ["--world", "--save-world"]) { try session.saveWorld() }
        case .reset: answer(command, Self.refusal { try session.reset() })
        default:
            guard hasPicture else { return answer(command, Self.withoutPicture) }
            do {
                try change(command, session, time)
            } catch {
                answer(command, error.description)
            }
        }
    }

    private func change(_ command: LiveCommand, _ session: SceneSession, _ time: Int64) throws(UsageError) {
        switch command.action {
        case .place(let name, let location):
            _ = try location.pixel(in: info)
            guard ObjectLibrary.isBuiltIn(name) else {
                load = ModelLoad(name, for: command, at: location)
                return
            }
            try place(try ObjectLibrary.template(name), command, at: location, session)
        case .undo, .redo:
            let isUndo = command.action == .undo
            session.change { [self] placement, context in
                guard (isUndo ? placement.undoableChange : placement.redoableChange) != nil else {
                    answer(command, isUndo ? "there is nothing to undo" : "there is nothing to redo")
                    return PlacementOutput()
                }
                answer(command)
                return isUndo ? placement.undo(context) : placement.redo(context)
            }
        case .select(nil):
            session.change { [self] placement, _ in
                answer(command)
                return placement.select(nil)
            }
        case .select(let target?):
            try withObject(target, command, session) { placement, _, id in placement.select(id) }
        case .remove(let target):
            try withObject(target, command, session) { placement, context, id in placement.remove(id, context: context)
            }
        case .turn(let target, let radians):
            try withObject(target, command, session) { placement, context, id in
                var output = placement.select(id)
                guard let foot = Self.foot(id, placement, context) else { return nil }
                output += placement.handle(.turn(.began, at: foot, radians: 0), context: context)
                output += placement.handle(.turn(.changed, at: foot, radians: radians), context: context)
                output += placement.handle(.turn(.ended, at: foot, radians: radians), context: context)
                return output
            }
        case .move(let target, let location):
            let pixel = try location.pixel(in: info)
            let end = time + Self.dragNanoseconds
            try withObject(target, command, session) { [self] placement, context, id in
                guard let foot = Self.foot(id, placement, context),
                    placement.object(at: foot, context: context) == id
                else { return nil }
                var output = placement.handle(.drag(.began, start: foot, at: foot), context: context)
                output += placement.handle(.drag(.changed, start: foot, at: pixel), context: context)
                held.append((end, { $0.handle(.drag(.ended, start: foot, at: pixel), context: $1) }))
                return output
            }
        case .reset, .save, .saveWorld, .status: break
        }
    }

    private func place(
        _ template: ObjectTemplate, _ command: LiveCommand, at location: PlacementRequest.Location,
        _ session: SceneSession
    ) throws(UsageError) {
        let pixel = try location.pixel(in: info)
        session.change { [self] placement, context in
            let output = placement.place(template, atPixel: pixel, context: context)
            let placed = output.objectEvents.first { $0.kind == .placed }?.object.id
            let isRefused = output.feedback.contains { $0.kind == .error }
            let note = placed == nil && !isRefused ? "it is placed as soon as the camera's place is known" : nil
            answer(command, isRefused ? "there is no room for it there" : nil, object: placed, note: note)
            return output
        }
    }

    /// - Parameter body: nil when the object cannot be reached in the picture now.
    private func withObject(
        _ target: LiveCommand.Target, _ command: LiveCommand, _ session: SceneSession,
        _ body: @escaping (inout PlacementSession, PlacementContext, Int) -> PlacementOutput?
    ) throws(UsageError) {
        var point: SIMD2<Double>?
        if case .location(let location) = target { point = try location.pixel(in: info) }
        session.change { [self] placement, context in
            let id: Int? =
                switch target {
                case .object(let id): placement.objects.first { $0.id == id }?.id
                case .selected: placement.objects.first(where: \.isSelected)?.id
                case .location: point.flatMap { placement.object(at: $0, context: context) }
                }
            guard let id else {
                answer(command, "there is no such object: say \"object\": its number, or \"pixel\": where it is")
                return PlacementOutput()
            }
            guard let output = body(&placement, context, id) else {
                answer(command, "the object can't be reached: point the camera at it", object: id)
                return PlacementOutput()
            }
            answer(command, object: id)
            return output
        }
    }

    /// Where the object's foot is in the picture; nil when it is not in view.
    private static func foot(_ id: Int, _ placement: PlacementSession, _ context: PlacementContext) -> SIMD2<Double>? {
        guard let camera = context.worldFromCamera, let object = placement.objects.first(where: { $0.id == id }) else {
            return nil
        }
        return context.intrinsics.project(worldPoint: object.worldFromObject.position, worldFromCamera: camera)
    }

    /// - Parameter refusal: nil when it was done.
    private func answer(_ command: LiveCommand, _ refusal: String? = nil, object: Int? = nil, note: String? = nil) {
        answers.append(
            CommandAnswer(
                id: command.id, command: command.name, isDone: refusal == nil,
                message: (refusal ?? note).map { ShownText.line($0) },
                objectID: object))
    }

    private func keep(
        _ command: LiveCommand, _ kind: FileClaims.Kind, at path: String, replacing: Set<String>,
        _ data: () throws -> Data
    ) {
        let refusal =
            claims.refusal(ofWriting: path, replacing: replacing) ?? FileClaims.refusal(ofReplacing: path, by: kind)
        if let refusal { return answer(command, refusal) }
        answer(command, Self.refusal { try WholeFile.write(try data(), to: URL(fileURLWithPath: path)) })
    }

    private static func refusal(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch {
            return String(describing: error)
        }
    }
}
