import Foundation

/// A value of a JSON or YAML file.
enum ConfigValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([ConfigValue])
    case object([String: ConfigValue])

    /// Reads JSON, or YAML where the text doesn't start like JSON.
    static func read(_ path: String, failure: CaptureError.Kind) throws -> ConfigValue {
        try read(text: FileAccess.text(path), name: FileAccess.name(path), failure: failure)
    }

    static func read(text: String, name: String, failure: CaptureError.Kind) throws -> ConfigValue {
        guard let first = text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else {
            throw CaptureError(failure, "\"\(name)\" is empty: give a JSON or YAML file")
        }
        if first == "{" || first == "[" {
            guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) else {
                throw CaptureError(failure, "\"\(name)\" is not valid JSON: correct it, or write it anew")
            }
            return ConfigValue(json: object)
        }
        var parser = YAMLParser(text)
        guard let value = parser.parse(), case .object = value else {
            throw CaptureError(failure, "\"\(name)\" is neither JSON nor YAML that can be read: check the file")
        }
        return value
    }

    init(json: Any) {
        switch json {
        case let number as NSNumber:
            // Foundation's true and false are numbers of one character.
            self =
                String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
        case let string as String: self = .string(string)
        case let array as [Any]: self = .array(array.map(ConfigValue.init(json:)))
        case let object as [String: Any]: self = .object(object.mapValues(ConfigValue.init(json:)))
        default: self = .null
        }
    }

    subscript(key: String) -> ConfigValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    /// The first of the keys that is there.
    func first(_ keys: String...) -> ConfigValue? { keys.lazy.compactMap { self[$0] }.first }

    /// Also of a number in quotation marks.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// All numbers of an array or of arrays in it, in order; nil where there is anything else.
    var flattenedNumbers: [Double]? {
        switch self {
        case .number, .string: return number.map { [$0] }
        case .array(let values):
            let rows = values.compactMap(\.flattenedNumbers)
            // Ragged rows, or numbers beside rows, are no matrix.
            guard rows.count == values.count, rows.allSatisfy({ $0.count == rows[0].count }) else { return nil }
            return Array(rows.joined())
        default: return nil
        }
    }
}
