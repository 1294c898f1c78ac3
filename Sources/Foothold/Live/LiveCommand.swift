import FootholdExport
import FootholdScene
import Foundation

/// What somebody wants of a running session, as one line of JSON.
public struct LiveCommand: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case place(name: String, PlacementRequest.Location)
        /// By its number, by where it is in the picture, or nothing.
        case select(Target?)
        case move(Target, PlacementRequest.Location)
        case turn(Target, radians: Double)
        case remove(Target)
        case undo, redo, reset
        /// The objects alone.
        case save(path: String)
        /// The world with its objects.
        case saveWorld(path: String)
        case status
    }

    public enum Target: Hashable, Sendable {
        case object(Int)
        case location(PlacementRequest.Location)
        /// The one that is selected.
        case selected
    }

    /// Whether it changes objects, which the next frame does.
    public var isChange: Bool {
        switch action {
        case .save, .saveWorld, .reset, .status: false
        default: true
        }
    }

    public static let names = ["place", "select", "move", "turn", "remove", "undo", "redo", "reset", "save", "status"]

    /// Given back with the answer.
    public var id: CommandAnswer.ID?
    public var name: String
    public var action: Action

    /// Reads a line such as `{"command": "place", "name": "chair", "pixel": [320, 240], "id": "7"}`.
    /// - Throws: `CommandError`, with as much of the line as could be read.
    public init(line: String) throws(CommandError) {
        guard let parsed = try? JSONSerialization.jsonObject(with: Data(line.utf8)),
            let object = parsed as? [String: Any]
        else { throw CommandError(id: nil, command: "", message: "a command is one JSON object on one line") }
        let id = Self.id(object["id"])
        guard let name = object["command"] as? String, Self.names.contains(name) else {
            throw CommandError(
                id: id, command: ShownText.name(object["command"] as? String ?? ""),
                message: "\"command\" is one of \(Self.names.joined(separator: ", "))")
        }
        func fail(_ message: String) -> CommandError { CommandError(id: id, command: name, message: message) }
        func needed<T>(_ value: T?, _ message: String) throws(CommandError) -> T {
            guard let value else { throw fail(message) }
            return value
        }
        /// Nil where there is none, or nothing in it.
        func text(_ key: String) -> String? { (object[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
        let location = try Self.location(object, "pixel", "share", fail)
        let target = try Self.target(object, location, fail)
        self.id = id
        self.name = name
        switch name {
        case "place":
            action = .place(
                name: try needed(text("name"), "say what to place: \"name\": \"chair\""),
                try needed(location, "say where: \"pixel\": [x, y] or \"share\": [0…1, 0…1]"))
        case "select": action = .select(object["object"] is NSNull ? nil : target)
        case "move":
            let to = try Self.location(object, "toPixel", "toShare", fail)
            action = .move(
                target ?? .selected, try needed(to, "say where to: \"toPixel\": [x, y] or \"toShare\": [x, y]"))
        case "turn":
            let degrees = Self.number(object["degrees"])
            let turn = try needed(degrees, "say how far: \"degrees\": 90 turns clockwise as seen from above")
            guard turn.isFinite, abs(turn) <= 360 else { throw fail("\"degrees\" lies between -360 and 360") }
            action = .turn(target ?? .selected, radians: turn * .pi / 180)
        case "remove": action = .remove(target ?? .selected)
        case "undo": action = .undo
        case "redo": action = .redo
        case "reset": action = .reset
        case "save":
            guard object["world"] == nil || object["file"] == nil else {
                throw fail("say \"world\" or \"file\", not both")
            }
            let message =
                "say where to: \"world\": \"desk.world\", or \"file\": \"scene.json\" for the objects alone"
            let path = try needed(text("world") ?? text("file"), message)
            action = object["world"] == nil ? .save(path: path) : .saveWorld(path: path)
        default: action = .status
        }
    }

    /// Nil for what is no text, number or truth.
    private static func id(_ value: Any?) -> CommandAnswer.ID? {
        switch value {
        case let text as String: .text(text)
        case let number as NSNumber:
            isTruth(number)
                ? .truth(number.boolValue) : number.doubleValue.isFinite ? .number(number.stringValue) : nil
        default: nil
        }
    }

    /// Foundation's true and false are numbers of one character.
    private static func isTruth(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    /// Nil for what is no number.
    private static func number(_ value: Any?) -> Double? {
        guard let number = value as? NSNumber, !isTruth(number) else { return nil }
        return number.doubleValue
    }

    private static func target(
        _ object: [String: Any], _ location: PlacementRequest.Location?, _ fail: (String) -> CommandError
    ) throws(CommandError) -> Target? {
        guard let value = object["object"], !(value is NSNull) else { return location.map { .location($0) } }
        // Anything else would mean another object than the one that was asked for.
        guard let number = Self.number(value), let whole = Int(exactly: number) else {
            throw fail("\"object\" is an object's number")
        }
        return .object(whole)
    }

    private static func location(
        _ object: [String: Any], _ pixelKey: String, _ shareKey: String, _ fail: (String) -> CommandError
    ) throws(CommandError) -> PlacementRequest.Location? {
        func pair(_ key: String) throws(CommandError) -> SIMD2<Double>? {
            guard let value = object[key] else { return nil }
            let numbers = (value as? [Any] ?? []).map { Self.number($0) }
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x.isFinite, y.isFinite else {
                throw fail("\"\(key)\" is two numbers: [x, y]")
            }
            return SIMD2(x, y)
        }
        if let pixel = try pair(pixelKey) { return .pixel(pixel) }
        return try pair(shareKey).map { .fraction($0) }
    }
}

/// Why a command cannot be carried out, with what is needed to answer it.
public struct CommandError: Error, Hashable, Sendable {
    public var id: CommandAnswer.ID?
    public var command: String
    public var message: String
}
