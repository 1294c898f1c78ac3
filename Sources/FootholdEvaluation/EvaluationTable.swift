import Foundation

/// Reports as tables beside the project's goals.
public enum EvaluationTable {
    private struct Column: Sendable {
        var title: String
        var goal: String
        var value: @Sendable (EvaluationReport) -> String
    }

    /// A Markdown table with one row a report and the goals last; the units are in the head.
    public static func markdown(_ reports: [EvaluationReport]) -> String {
        let rows = reports.map { report in columns.map { $0.value(report) } }
        let lines =
            [columns.map(\.title), columns.map { _ in "---" }] + rows + [columns.map(\.goal)]
        return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    /// One report as lines of `name  value` for a terminal, figures that are missing left out.
    public static func text(_ report: EvaluationReport) -> String {
        let rows = (columns + details).map { (title: $0.title, value: $0.value(report), goal: $0.goal) }
            .filter { $0.value != missing }
        let width = rows.map(\.title.count).max() ?? 0
        var lines = rows.map { row in
            let padding = String(repeating: " ", count: width - row.title.count + 2)
            return row.title + padding + row.value
                + (row.goal.isEmpty || row.title == "sequence" ? "" : "   (\(row.goal))")
        }
        for match in report.surfaces?.matches ?? [] {
            lines.append(
                "  surface \(match.foundID) is \(match.label): \(number(match.normalErrorDegrees, 2))°, "
                    + "\(number(match.offsetErrorCentimetres, 2)) cm, IoU \(number(match.intersectionOverUnion, 2)), "
                    + "\(number(match.overlapSquareMetres, 2)) m² shared")
        }
        if let surfaces = report.surfaces {
            if !surfaces.missed.isEmpty { lines.append("  missed: \(surfaces.missed.joined(separator: ", "))") }
            if !surfaces.unmatchedIDs.isEmpty {
                lines.append("  stand for nothing: \(surfaces.unmatchedIDs.map(String.init).joined(separator: ", "))")
            }
        }
        for plane in report.referencePlanes {
            guard let id = plane.surfaceID, let angle = plane.angleDegrees, let offset = plane.offsetCentimetres else {
                lines.append("  reference \(plane.label): no surface near it")
                continue
            }
            lines.append(
                "  reference \(plane.label): surface \(id), \(number(angle, 2))°, \(number(offset, 1)) cm"
                    + (plane.isFound ? "" : " (not within 3° and 5 cm)"))
        }
        for object in report.objects {
            let settled = object.settledDrift.map { ", settled \(number($0.rmsPixels, 2))" } ?? ""
            lines.append(
                "  object \(object.id) \(object.name): \(number(object.drift.rmsPixels, 2)) px RMS"
                    + ", at most \(number(object.drift.maximumPixels, 2))" + settled)
            if let placing = object.placing { lines.append("    " + sentence(placing, at: object.placedAtSeconds)) }
        }
        for interval in report.hints?.intervals ?? [] {
            let when = interval.secondsToRightHint.map { "right hint after \(number($0, 2)) s" } ?? "no right hint"
            lines.append(
                "  \(interval.kind) from \(number(interval.start, 1)) to \(number(interval.end, 1)) s: \(when)")
        }
        lines += report.remarks.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Columns

    private static let missing = "–"

    private static let columns: [Column] = [
        Column(title: "sequence", goal: "goal") { $0.sequence },
        Column(title: "tracked after first, %", goal: "≥ 99.5") { percent($0.tracking.trackedFractionAfterFirst, 1) },
        Column(title: "first tracked, s", goal: "≤ 0.5") { number($0.tracking.secondsToFirst, 2) },
        Column(title: "ATE Sim3, cm", goal: "≤ 0.09 / 0.26 / 0.35 (desk_easy / room_floor / textureless)") {
            centimetres($0.sim3)
        },
        Column(title: "refined, cm", goal: "≤ 0.09 / 0.13 (desk_easy / room_floor)") { centimetres($0.refinedSim3) },
        Column(title: "ATE, % of path", goal: "≤ 0.5 (hard)") { report in
            guard let path = report.pathLength, path > 0, let sim3 = report.sim3 else { return missing }
            return percent(sim3.absolute.rmse / path, 2)
        },
        Column(title: "scale error, %", goal: "≤ 3 after 2 s, 1 after 10 s") { percent($0.scaleError, 1) },
        Column(title: "focal error, %", goal: "≤ 3") { percent($0.focalLengthError, 1) },
        Column(title: "drift, px", goal: "≤ 0.8") { number($0.poseDrift?.rmsPixels, 2) },
        Column(title: "jitter, px", goal: "≤ 0.06") { number($0.poseDrift?.jitterPixels, 3) },
        Column(title: "placed drift, px", goal: "≤ 2") { number($0.placedDrift?.rmsPixels, 2) },
        Column(title: "put before / after known, cm", goal: "≤ 1") { report in
            let errors = [true, false].map { isEarly in
                report.objects.compactMap(\.placing).filter { $0.wasEarly == isEarly }.compactMap(\.finalError)
                    .max()
            }
            guard errors.contains(where: { $0 != nil }) else { return missing }
            return errors.map { number($0.map { $0 * 100 }, 2) }.joined(separator: " / ")
        },
        Column(title: "correction, m/s", goal: "≤ 1.5") { report in
            number(report.objects.compactMap { $0.placing?.largestCorrectionSpeed }.max(), 3)
        },
        Column(title: "first surface, s", goal: "≤ 1.5") { number($0.secondsToFirstSurface, 2) },
        Column(title: "precision", goal: "≥ 0.95") { surfaces($0, \.precision) },
        Column(title: "recall", goal: "≥ 0.9") { surfaces($0, \.recall) },
        Column(title: "normal, °", goal: "≤ 1") { surfaces($0, \.normalErrorDegrees) },
        Column(title: "offset, cm", goal: "≤ 1 at 2 m") { surfaces($0, \.offsetErrorCentimetres) },
        Column(title: "IoU", goal: "≥ 0.75") { surfaces($0, \.intersectionOverUnion) },
        Column(title: "right hint, s", goal: "≤ 0.5") { report in
            guard let intervals = report.hints?.intervals, !intervals.isEmpty else { return missing }
            return intervals.map { number($0.secondsToRightHint, 2) }.joined(separator: ", ")
        },
        Column(title: "wrong hints per minute", goal: "0") { number($0.hints?.wrongHintsPerMinute, 1) },
        Column(title: "engine mean / p99, ms", goal: "≤ 1 / 5") { report in
            guard let engine = report.speed?.engine else { return missing }
            return "\(number(engine.meanMilliseconds, 2)) / \(number(engine.p99Milliseconds, 2))"
        },
        Column(title: "decoding, ms", goal: "≥ engine") { number($0.speed?.decodeMilliseconds, 2) },
    ]

    private static let details: [Column] = [
        Column(title: "frames", goal: "") { String($0.tracking.frames) },
        Column(title: "tracked, %", goal: "") { percent($0.tracking.trackedFraction, 1) },
        Column(title: "path, m", goal: "") { number($0.pathLength, 2) },
        Column(title: "ATE SE3, cm", goal: "") { centimetres($0.se3) },
        Column(title: "refined SE3, cm", goal: "") { centimetres($0.refinedSE3) },
        Column(title: "turn between frames, °", goal: "") { number($0.sim3?.relativeRotationDegrees?.rmse, 3) },
        Column(title: "scale from", goal: "") { $0.scaleSource ?? missing },
        Column(title: "up error, °", goal: "") { number($0.gravityErrorDegrees, 2) },
        Column(title: "shortest hint, s", goal: "") { number($0.hints?.shortestSecondsOnScreen, 1) },
    ]

    private static func sentence(_ placing: PlacingScore, at seconds: Double) -> String {
        let known = placing.wasEarly ? "before it was known" : "once it was known"
        let start = "put on \(placing.surface) at \(number(seconds, 2)) s, \(known): "
        guard let after = placing.secondsToSettle, let settled = placing.settledError, let final = placing.finalError
        else { return start + "never came to rest" }
        return start + "at rest after \(number(after, 2)) s, \(number(settled * 100, 2)) cm from the true point, "
            + "\(number(final * 100, 2)) at the end (height \(number(placing.finalHeightError.map { $0 * 100 }, 2))); "
            + "corrected at up to \(number(placing.largestCorrectionSpeed, 3)) m/s, "
            + "\(number(placing.largestSettledSpeed, 4)) after that"
    }

    /// As they were told by the last frame / after all was looked at once more, where that was done.
    private static func surfaces(_ report: EvaluationReport, _ figure: (SurfaceScore) -> Double?) -> String {
        let reviewed = number(report.surfaces.flatMap(figure), 2)
        guard let live = report.liveSurfaces else { return reviewed }
        return number(figure(live), 2) + " / " + reviewed
    }

    private static func centimetres(_ accuracy: EvaluationReport.Accuracy?) -> String {
        number(accuracy.map { $0.absolute.rmse * 100 }, 2)
    }

    private static func percent(_ value: Double?, _ decimals: Int) -> String {
        number(value.map { $0 * 100 }, decimals)
    }

    private static func number(_ value: Double?, _ decimals: Int) -> String {
        value.map { String(format: "%.\(decimals)f", $0) } ?? missing
    }
}
