import FootholdCoaching

/// The user asked for something that cannot be done; one line that says what is wrong and what to do.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }

    /// - Throws: itself where the catalogue of hints doesn't have the language.
    static func checkThatThereAreWords(in language: String) throws {
        guard HintCatalogue.language(matching: language) == nil else { return }
        let known = HintCatalogue.languages.joined(separator: ", ")
        throw UsageError("there are no words in '\(language)': choose one of \(known)")
    }
}

/// All that was asked for is there but the saved world.
public struct WorldNotSavedError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// A calibration was found, but couldn't be written everywhere where it should be.
public struct CalibrationNotSavedError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The run was asked to stop before its end.
public struct StoppedError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
