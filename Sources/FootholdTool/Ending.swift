import Foundation

/// The end of the process.
enum Ending {
    /// Ends at once when everything is written: graphics drivers' exit handlers would race with what is left of the
    /// drawing thread, and have crashed there.
    static func end(_ status: Int32) -> Never {
        let isPrinted = fflush(nil) == 0
        guard status == 0, !isPrinted else { _exit(status) }
        Failure.say("not all of the answer could be printed: is the disk full that it goes to?")
        _exit(Failure.whileRunning)
    }
}
