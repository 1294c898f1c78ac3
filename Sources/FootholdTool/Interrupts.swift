import Foothold
import Foundation
import Synchronization

/// Turns Ctrl-C, a polite request to end and the terminal's going away into an orderly stop. A second one shortens the
/// work of the end, where there is such, and otherwise ends at once, as a third one does.
final class Interrupts {
    let cancellation = Cancellation()
    let hurry = Cancellation()
    private let endNow = EndNow()
    private var sources: [any DispatchSourceSignal] = []
    private var numbers: [Int32] = []

    private final class EndNow: Sendable {
        let work = Mutex<@Sendable () -> Void>({})
    }

    /// - Parameter canHurry: whether an orderly stop has work left that can be shortened.
    init(canHurry: Bool = false) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Who is to outlive its terminal (nohup, a camera) doesn't listen to that.
            guard number != SIGHUP || !Self.isIgnored(number) else { continue }
            signal(number, SIG_IGN)
            numbers.append(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler { [cancellation, hurry, endNow] in
                guard cancellation.isRequested else { return cancellation.request() }
                if canHurry, !hurry.isRequested { return hurry.request() }
                Ending.begin()
                endNow.work.withLock { $0 }()
                // Who doesn't read doesn't hold up the end.
                if StandardError.isReady { Failure.say("stopped at once: what wasn't finished is gone") }
                _exit(Failure.whileRunning)
            }
            source.resume()
            sources.append(source)
        }
    }

    /// Says what still has to be done when a second signal comes and the process ends at once.
    func whenEndingAtOnce(_ work: @escaping @Sendable () -> Void) { endNow.work.withLock { $0 = work } }

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
