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
        /// No camera there.
        case missingCamera
        /// Another program has it.
        case cameraBusy
        /// The user may not use it.
        case cameraForbidden
        /// A device, but not one that gives pictures.
        case notACamera
        /// It doesn't offer what was asked for, or nothing that can be read.
        case noCameraMode
        /// It can't be opened or started, in a way of its own.
        case failingCamera
        /// It was started and gave nothing.
        case badCamera
        /// A recording or calibration cannot be written there.
        case unwritable
        case diskFull
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
