import Foundation

/// The end of the process.
enum Ending {
    /// Ends at once when everything is written: graphics drivers' exit handlers would race with what is left of the
    /// drawing thread, and have crashed there.
    static func end(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}
