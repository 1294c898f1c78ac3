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

    public static let names = ["place", "select", "move", "turn", "remove", "undo", "redo", "reset", "save", "status"]

    /// Given back with the answer.
    public var id: String?
    public var name: String
    public var action: Action

    /// Reads a line such as `{"command": "place", "name": "chair", "pixel": [320, 240], "id": "7"}`.
    /// - Throws: `CommandError`, with as much of the line as could be read.
    public init(line: String) throws(CommandError) {
        guard let parsed = try? JSONSerialization.jsonObject(with: Data(line.utf8)),
            let object = parsed as? [String: Any]
        else { throw CommandError(id: nil, command: "", message: "a command is one JSON object on one line") }
        let id = (object["id"] as? String) ?? (object["id"] as? NSNumber)?.stringValue
        guard let name = object["command"] as? String, Self.names.contains(name) else {
            throw CommandError(
                id: id, command: object["command"] as? String ?? "",
                message: "\"command\" is one of \(Self.names.joined(separator: ", "))")
        }
        func fail(_ message: String) -> CommandError { CommandError(id: id, command: name, message: message) }
        func needed<T>(_ value: T?, _ message: String) throws(CommandError) -> T {
            guard let value else { throw fail(message) }
            return value
        }
        let location = try Self.location(object, "pixel", "share", fail)
        let target = try Self.target(object, location, fail)
        self.id = id
        self.name = name
        switch name {
        case "place":
            action = .place(
                name: try needed(object["name"] as? String, "say what to place: \"name\": \"chair\""),
                try needed(location, "say where: \"pixel\": [x, y] or \"share\": [0…1, 0…1]"))
        case "select": action = .select(object["object"] is NSNull ? nil : target)
        case "move":
            let to = try Self.location(object, "toPixel", "toShare", fail)
            action = .move(
                target ?? .selected, try needed(to, "say where to: \"toPixel\": [x, y] or \"toShare\": [x, y]"))
        case "turn":
            let degrees = (object["degrees"] as? NSNumber)?.doubleValue
            let turn = try needed(degrees, "say how far: \"degrees\": 90 turns clockwise as seen from above")
            guard turn.isFinite, abs(turn) <= 360 else { throw fail("\"degrees\" lies between -360 and 360") }
            action = .turn(target ?? .selected, radians: turn * .pi / 180)
        case "remove": action = .remove(target ?? .selected)
        case "undo": action = .undo
        case "redo": action = .redo
        case "reset": action = .reset
        case "save":
            if let world = object["world"] as? String {
                guard object["file"] == nil else { throw fail("say \"world\" or \"file\", not both") }
                action = .saveWorld(path: world)
            } else {
                let message =
                    "say where to: \"world\": \"desk.world\", or \"file\": \"scene.json\" for the objects alone"
                action = .save(path: try needed(object["file"] as? String, message))
            }
        default: action = .status
        }
    }

    private static func target(
        _ object: [String: Any], _ location: PlacementRequest.Location?, _ fail: (String) -> CommandError
    ) throws(CommandError) -> Target? {
        guard let value = object["object"], !(value is NSNull) else { return location.map { .location($0) } }
        // Anything else would mean another object than the one that was asked for.
        guard let number = value as? NSNumber, let whole = Int(exactly: number.doubleValue) else {
            throw fail("\"object\" is an object's number")
        }
        return .object(whole)
    }

    private static func location(
        _ object: [String: Any], _ pixelKey: String, _ shareKey: String, _ fail: (String) -> CommandError
    ) throws(CommandError) -> PlacementRequest.Location? {
        func pair(_ key: String) throws(CommandError) -> SIMD2<Double>? {
            guard let value = object[key] else { return nil }
            guard let numbers = value as? [NSNumber], numbers.count == 2,
                numbers.allSatisfy({ $0.doubleValue.isFinite })
            else { throw fail("\"\(key)\" is two numbers: [x, y]") }
            return SIMD2(numbers[0].doubleValue, numbers[1].doubleValue)
        }
        if let pixel = try pair(pixelKey) { return .pixel(pixel) }
        return try pair(shareKey).map { .fraction($0) }
    }
}

/// Why a command cannot be carried out, with what is needed to answer it.
public struct CommandError: Error, Hashable, Sendable {
    public var id: String?
    public var command: String
    public var message: String
}
