import Foundation
import Synchronization

/// The end of the process.
enum Ending {
    private static let hasBegun = Atomic(false)

    /// Called before the last words are said: whoever comes second, on another thread, waits for the end.
    static func begin() {
        if hasBegun.exchange(true, ordering: .acquiringAndReleasing) { while true { pause() } }
    }

    /// Ends at once when everything is written: graphics drivers' exit handlers would race with what is left of the
    /// drawing thread, and have crashed there.
    static func end(_ status: Int32) -> Never {
        let isPrinted = fflush(nil) == 0
        guard status == 0, !isPrinted else { _exit(status) }
        Failure.say("not all of the answer could be printed: is the disk full that it goes to?")
        _exit(Failure.whileRunning)
    }
}
