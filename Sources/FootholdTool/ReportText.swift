import Foothold
import Foundation

/// What a finished run says on standard output.
enum ReportText {
    static func lines(_ report: ProcessReport, output: URL, writesVideo: Bool) -> [String] {
        let totals = report.totals
        var lines = [tracking(totals), surfaces(report.totals, report.surfaces)]
        if let advice = report.advice { lines.append("What may help: \(advice)") }
        if !report.objects.isEmpty { lines.append(objects(report.objects)) }
        lines += report.worldLines
        lines.append(speed(report))
        lines.append("Results are in \(shortest(output))" + (writesVideo ? "; watch annotated.mp4 there." : "."))
        return lines
    }

    static func lines(_ report: LiveReport, output: URL?) -> [String] {
        // Where no picture came there is nothing to tell.
        guard report.totals.frames > 0 else { return [] }
        var lines = [tracking(report.totals), surfaces(report.totals, report.surfaces)]
        if !report.objects.isEmpty { lines.append(objects(report.objects)) }
        lines += report.worldLines
        if let capture = report.measurements.capture { lines.append(self.capture(capture)) }
        if let output { lines.append("Results are in \(shortest(output)).") }
        return lines
    }

    private static func capture(_ capture: CaptureMeasurements) -> String {
        var text = "Camera: \(capture.captured) pictures, \(capture.replaced) of them passed over for newer ones"
        if capture.lost > 0 { text += ", \(capture.lost) lost on the way" }
        if capture.damaged > 0 { text += ", \(capture.damaged) damaged" }
        if capture.interruptions > 0 { text += ", \(capture.interruptions) interruptions" }
        if let median = capture.latencyMedian, let p99 = capture.latencyP99 {
            text += "; from picture to result \(decimal(median)) ms, \(decimal(p99)) ms at worst (99 %)"
        }
        if let recorded = capture.recorded { text += "; \(recorded) recorded" }
        return text + "."
    }

    private static func tracking(_ totals: SessionTotals) -> String {
        guard let first = totals.secondsToFirstTracking else {
            return "The camera's movement was not found in \(totals.frames) frames."
        }
        return "Followed the camera in \(totals.trackedFrames) of \(totals.frames) frames, "
            + "from \(decimal(first)) s on."
    }

    private static func surfaces(_ totals: SessionTotals, _ surfaces: [PlaneAnchor]) -> String {
        guard !surfaces.isEmpty else { return "No surface was found." }
        let counts = Dictionary(grouping: surfaces, by: \.alignment).mapValues(\.count)
        let words: [(PlaneAnchor.Alignment, String)] = [
            (.horizontal, "horizontal"), (.vertical, "vertical"), (.horizontalDown, "facing down"), (.other, "sloping"),
        ]
        let list = words.compactMap { alignment, word in counts[alignment].map { "\($0) \(word)" } }
        let first = totals.secondsToFirstSurface.map { "the first after \(decimal($0)) s" }
        return "Found \(list.joined(separator: ", ")) surface\(surfaces.count == 1 ? "" : "s"), "
            + "\(first ?? "when everything was looked at once more"); scale: \(scale(totals.scale))."
    }

    private static func scale(_ scale: ScaleEstimate?) -> String {
        guard let scale, scale.source != .assumed else {
            return scale?.metresPerUnit.map { "assumed; by the inertial readings its metre is \(decimal($0)) m" }
                ?? "assumed"
        }
        return "\(scale.source.rawValue), \(Int((scale.confidence * 100).rounded())) % sure"
    }

    private static func objects(_ objects: [PlacedObject]) -> String {
        let list = objects.map { object in
            let place = object.surfaceID.map { "on surface \($0)" } ?? "with no surface under it yet"
            return "\(object.name) \(place)"
        }
        return "Placed: \(list.joined(separator: ", "))."
    }

    private static func speed(_ report: ProcessReport) -> String {
        let measurements = report.measurements
        var parts: [String] = []
        if let total = measurements.stages.first(where: { $0.name == "engine" }) {
            parts.append("engine \(decimal(total.mean)) ms a frame")
        }
        if let decode = measurements.decodeMilliseconds { parts.append("decoding \(decimal(decode)) ms") }
        if let wall = measurements.wallSeconds { parts.append("\(decimal(wall)) s in all") }
        return "Time: \(parts.joined(separator: ", "))."
    }

    static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

    /// Relative to the working directory where that is shorter.
    private static func shortest(_ url: URL) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return url.path.hasPrefix(here) ? String(url.path.dropFirst(here.count)) : url.path
    }
}
