import FootholdPlacement
import FootholdRendering
import Foundation

/// What can be placed by name.
public enum ObjectLibrary {
    /// Whether the name needs no file.
    static func isBuiltIn(_ name: String) -> Bool { ObjectTemplate.builtIn.contains { $0.name == name } }

    /// A built-in object by its name, or the model in a glTF or OBJ file at its own size.
    ///
    /// - Parameter option: where the name was written, for telling what is wrong; nil where that is plain.
    /// - Throws: `UsageError` when there is neither.
    public static func template(
        _ name: String, asWrittenIn option: String? = "--place"
    ) throws(UsageError) -> ObjectTemplate {
        if var builtIn = ObjectTemplate.builtIn.first(where: { $0.name == name }) {
            // As it is drawn, so that nothing is stretched.
            if let model = BuiltInModel(rawValue: builtIn.model) { builtIn.size = model.size }
            return builtIn
        }
        let file = URL(fileURLWithPath: name)
        do {
            let model = try ModelInfo(path: name)
            return ObjectTemplate(
                name: file.deletingPathExtension().lastPathComponent, model: name, size: model.size,
                alignment: .any)
        } catch {
            throw UsageError(option.map { "\($0): \(error)" } ?? String(describing: error))
        }
    }
}
