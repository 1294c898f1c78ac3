import Foothold
import Foundation

/// Turns Ctrl-C and a polite request to end into an orderly stop; a second one ends at once.
final class Interrupts {
    let cancellation = Cancellation()
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameter endNow: what still has to be done when a second signal comes and the process ends at once.
    init(endNow: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { [cancellation] in
                guard cancellation.isRequested else { return cancellation.request() }
                endNow()
                _exit(Failure.whileRunning)
            }
            source.resume()
            sources.append(source)
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
