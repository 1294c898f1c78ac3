import Foothold
import Foundation

/// A line on the terminal that says how far long work is; nothing at all where standard error is not a terminal.
final class ProgressBar {
    private let label: String
    private let isShown: Bool
    private let start = Date()
    private var lastDrawn = Date.distantPast
    private var hasDrawn = false
    private static let cells = 24
    private static let interval = 0.1

    init(label: String) {
        self.label = label
        isShown = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// - Parameter total: nil where the length is unknown; then only the count is shown.
    func update(done: Int, total: Int?) {
        guard isShown, Date().timeIntervalSince(lastDrawn) >= Self.interval else { return }
        lastDrawn = Date()
        hasDrawn = true
        write("\r\(line(done: done, total: total))\u{1B}[K")
    }

    /// Takes the line away.
    func finish() {
        if hasDrawn { write("\r\u{1B}[K") }
        hasDrawn = false
    }

    private func line(done: Int, total: Int?) -> String {
        guard let total, total > 0 else { return "\(label)  \(done) frames" }
        // An estimated length may turn out too short.
        let share = min(1, Double(done) / Double(total))
        let filled = Int((share * Double(Self.cells)).rounded(.down))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.cells - filled)
        var line = "\(label)  \(bar) \(Int(share * 100)) %"
        let elapsed = Date().timeIntervalSince(start)
        if elapsed > 1, share > 0.02 {
            let left = Int((elapsed / share * (1 - share)).rounded(.up))
            line += "  \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
        }
        return line
    }

    private func write(_ text: String) { StandardError.write(text) }
}
