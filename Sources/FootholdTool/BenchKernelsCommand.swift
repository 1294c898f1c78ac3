import ArgumentParser
import CFootholdKernelBenchmarks
import CFootholdKernels
import Foothold
import Foundation

struct BenchKernelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernels",
        abstract: "Measures the image kernels beside their scalar reference and beside OpenCV, one thread each.")

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Fewer runs, pictures of 640×480 only.")
    var quick = false

    func run() throws {
        let bar = ProgressBar(label: "kernels")
        let measured: KernelBenchmark
        do {
            defer { bar.finish() }
            measured = try KernelBenchmark.run(quick: quick) { bar.update(done: $0, total: $1) }
        }
        print(json ? try JSONOutput.text(measured) : Self.text(measured))
    }

    private static func text(_ measured: KernelBenchmark) -> String {
        var speed = MarkdownTable(columns: [
            "kernel", "size", "median ms", "spread", "÷ scalar", "÷ OpenCV", "cold ms", "cold ÷ OpenCV", "OpenCV's",
        ])
        for row in measured.kernels {
            speed.add([
                row.name, row.size, decimal(row.medianMilliseconds, 4), decimal(row.spreadMilliseconds, 4),
                decimal(row.ratioToScalar, 3), decimal(row.ratioToOpenCV, 3), decimal(row.coldMedianMilliseconds, 4),
                decimal(row.coldRatioToOpenCV, 3), row.openCV ?? "–",
            ])
        }
        var accuracy = MarkdownTable(columns: [
            "second picture", "window", "points", "< 0.1 px", "fixed brightness", "OpenCV", "< 0.5 px",
            "fixed brightness", "OpenCV",
        ])
        for row in measured.trackingAccuracy {
            accuracy.add([
                row.motion, "\(row.window)×\(row.window)", "\(row.points)", percent(row.withinTenth),
                percent(row.fixedBrightnessWithinTenth), percent(row.openCVWithinTenth), percent(row.withinHalf),
                percent(row.fixedBrightnessWithinHalf), percent(row.openCVWithinHalf),
            ])
        }
        return """
            Instruction set: \(measured.simd). Ratios are time, ours / theirs.

            \(speed.text)

            Points that KLT brings within 0.1 and 0.5 pixels of the truth:

            \(accuracy.text)
            """
    }

    private static func decimal(_ value: Double?, _ digits: Int) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? "–"
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }
}

/// What `foothold bench kernels` measures.
struct KernelBenchmark: Encodable {
    /// One kernel at one size. Ratios are time, ours / theirs; nil where there is nothing to compare with.
    struct Kernel: Encodable {
        var name: String
        var size: String
        /// OpenCV's function.
        var openCV: String?
        var medianMilliseconds: Double
        /// Interquartile range of the runs.
        var spreadMilliseconds: Double
        var ratioToScalar: Double?
        var ratioToOpenCV: Double?
        /// With inputs and outputs out of the caches.
        var coldMedianMilliseconds: Double
        var coldRatioToOpenCV: Double?

        private enum CodingKeys: String, CodingKey {
            case name, size, openCV, medianMilliseconds, spreadMilliseconds, ratioToScalar, ratioToOpenCV
            case coldMedianMilliseconds, coldRatioToOpenCV
        }

        /// Absent values are written as null, so that every kernel has every key.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(size, forKey: .size)
            try container.encode(openCV, forKey: .openCV)
            try container.encode(medianMilliseconds, forKey: .medianMilliseconds)
            try container.encode(spreadMilliseconds, forKey: .spreadMilliseconds)
            try container.encode(ratioToScalar, forKey: .ratioToScalar)
            try container.encode(ratioToOpenCV, forKey: .ratioToOpenCV)
            try container.encode(coldMedianMilliseconds, forKey: .coldMedianMilliseconds)
            try container.encode(coldRatioToOpenCV, forKey: .coldRatioToOpenCV)
        }
    }

    /// Shares of points that tracking brings near the truth.
    struct Accuracy: Encodable {
        var motion: String
        var window: Int
        var points: Int
        var withinTenth: Double
        var withinHalf: Double
        var fixedBrightnessWithinTenth: Double
        var fixedBrightnessWithinHalf: Double
        var openCVWithinTenth: Double
        var openCVWithinHalf: Double
    }

    var simd: String
    var kernels: [Kernel]
    var trackingAccuracy: [Accuracy]

    static func run(quick: Bool, progress: (_ done: Int, _ total: Int) -> Void) throws -> KernelBenchmark {
        var figures = [fhb_figures](repeating: fhb_figures(), count: Int(FHB_MOST_FIGURES))
        var accuracies = [fhb_accuracy](repeating: fhb_accuracy(), count: Int(FHB_MOST_ACCURACIES))
        var figureCount: Int32 = 0
        var accuracyCount: Int32 = 0
        let status = withoutActuallyEscaping(progress) { progress in
            var report = progress
            return withUnsafeMutablePointer(to: &report) { report in
                var options = fhb_options(
                    quick: quick ? 1 : 0,
                    progress: { context, done, total in
                        typealias Progress = (Int, Int) -> Void
                        context?.assumingMemoryBound(to: Progress.self).pointee(Int(done), Int(total))
                    }, context: report)
                return fhb_run(&options, &figures, &figureCount, &accuracies, &accuracyCount)
            }
        }
        guard status == FHB_OK else {
            throw KernelBenchmarkFailure(reason: String(cString: fhb_last_error()))
        }
        return KernelBenchmark(
            simd: String(cString: fh_simd_name()), kernels: figures.prefix(Int(figureCount)).map(Kernel.init),
            trackingAccuracy: accuracies.prefix(Int(accuracyCount)).map(Accuracy.init))
    }
}

struct KernelBenchmarkFailure: LocalizedError {
    var reason: String

    var errorDescription: String? { "the kernels could not be measured: \(reason); try again with more free memory" }
}

/// Text in a C structure's array of characters.
private func text(_ characters: some Any) -> String {
    withUnsafeBytes(of: characters) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// Not-a-number means that there is nothing.
private func known(_ value: Double) -> Double? { value.isFinite ? value : nil }

extension KernelBenchmark.Kernel {
    fileprivate init(_ figures: fhb_figures) {
        let peer = text(figures.peer)
        self.init(
            name: text(figures.name), size: text(figures.size), openCV: peer.isEmpty ? nil : peer,
            medianMilliseconds: figures.median, spreadMilliseconds: figures.spread,
            ratioToScalar: known(figures.ratio_to_scalar), ratioToOpenCV: known(figures.ratio_to_opencv),
            coldMedianMilliseconds: figures.cold_median, coldRatioToOpenCV: known(figures.cold_ratio_to_opencv))
    }
}

extension KernelBenchmark.Accuracy {
    fileprivate init(_ accuracy: fhb_accuracy) {
        self.init(
            motion: text(accuracy.motion), window: Int(accuracy.window), points: Int(accuracy.points),
            withinTenth: accuracy.ours_tenth, withinHalf: accuracy.ours_half,
            fixedBrightnessWithinTenth: accuracy.fixed_tenth, fixedBrightnessWithinHalf: accuracy.fixed_half,
            openCVWithinTenth: accuracy.opencv_tenth, openCVWithinHalf: accuracy.opencv_half)
    }
}
