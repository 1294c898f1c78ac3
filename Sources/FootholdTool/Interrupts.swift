import Foothold
import Foundation

/// Turns Ctrl-C, a polite request to end and the terminal's going away into an orderly stop; a second one ends at once.
final class Interrupts {
    let cancellation = Cancellation()
    private var sources: [any DispatchSourceSignal] = []
    private var numbers: [Int32] = []

    /// - Parameter endNow: what still has to be done when a second signal comes and the process ends at once.
    init(endNow: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Who is to outlive its terminal (nohup, a camera) doesn't listen to that.
            guard number != SIGHUP || !Self.isIgnored(number) else { continue }
            signal(number, SIG_IGN)
            numbers.append(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { [cancellation] in
                guard cancellation.isRequested else { return cancellation.request() }
                Ending.begin()
                endNow()
                // Who doesn't read doesn't hold up the end.
                if StandardError.isReady { Failure.say("stopped at once: what wasn't finished is gone") }
                _exit(Failure.whileRunning)
            }
            source.resume()
            sources.append(source)
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in numbers { signal(number, SIG_DFL) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        return sigaction(number, nil, &action) == 0
            && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
