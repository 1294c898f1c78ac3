/// Why a source cannot be read, in one friendly line that says what to do.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable {
        case missingFile
        /// The operating system refuses it.
        case unreadable
        case emptyFile
        case notAVideo
        case noVideoStream
        /// Cut off so that nothing of it can be used.
        case truncated
        /// Complete, but not one picture could be decoded.
        case damaged
        case unsupported
        /// A folder in which no frames were found, or whose lists don't fit.
        case badFolder
        case badCalibration
        case badInertial
        case outOfMemory
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
