import Foundation

/// One way in which a camera can be run.
public struct CameraMode: Hashable, Sendable, CustomStringConvertible {
    public var format: CameraFormat
    public var width: Int
    public var height: Int
    /// Seconds between two frames as a fraction; nil where the driver doesn't say.
    public var interval: Fraction?

    public struct Fraction: Hashable, Sendable {
        public var numerator: UInt32
        public var denominator: UInt32

        public init(_ numerator: UInt32, _ denominator: UInt32) {
            (self.numerator, self.denominator) = (numerator, denominator)
        }

        var seconds: Double { Double(numerator) / Double(denominator) }
    }

    public init(format: CameraFormat, width: Int, height: Int, interval: Fraction? = nil) {
        self.format = format
        self.width = width
        self.height = height
        self.interval = interval
    }

    /// Frames per second.
    public var rate: Double? { interval.map { 1 / $0.seconds } }

    /// `640×480 YUYV at 30 frames a second`
    public var description: String {
        let size = "\(width)×\(height) \(format.rawValue)"
        guard let rate else { return size }
        return "\(size) at \(Self.text(rate)) frames a second"
    }

    static func text(_ rate: Double) -> String {
        String(format: abs(rate - rate.rounded()) < 0.05 ? "%.0f" : "%.1f", rate)
    }
}

/// What a user wants of a mode; nil leaves the choice to what serves tracking.
public struct CameraWish: Hashable, Sendable {
    public var width: Int?
    public var height: Int?
    public var rate: Double?
    public var format: CameraFormat?

    public init(width: Int? = nil, height: Int? = nil, rate: Double? = nil, format: CameraFormat? = nil) {
        self.width = width
        self.height = height
        self.rate = rate
        self.format = format
    }

    func allows(_ mode: CameraMode) -> Bool {
        if let width, width != mode.width { return false }
        if let height, height != mode.height { return false }
        if let format, format != mode.format { return false }
        // Where the driver tells no rates, whatever comes is taken.
        if let rate, let offered = mode.rate, abs(offered - rate) > 0.02 * rate { return false }
        return true
    }

    /// For messages: `1280×720 at 60 frames a second`
    var text: String {
        var parts: [String] = []
        if let width, let height { parts.append("\(width)×\(height)") }
        if let format { parts.append(format.rawValue) }
        if let rate { parts.append("\(parts.isEmpty ? "" : "at ")\(CameraMode.text(rate)) frames a second") }
        return parts.joined(separator: " ")
    }
}

/// Chooses how a camera is run.
public enum CameraModeChooser {
    /// Sizes that are tried where a camera offers a range of them.
    static let usualSizes = [(640, 480), (848, 480), (800, 600), (1280, 720), (320, 240), (1920, 1080), (160, 120)]
    /// Rates that are tried where a camera offers a range of them.
    static let usualRates: [UInt32] = [30, 60, 25, 15, 50, 10]

    /// The best mode for tracking among those that the wish allows; nil when it allows none.
    public static func best(_ modes: [CameraMode], wish: CameraWish) -> CameraMode? {
        modes.filter(wish.allows).min { (cost($0), order($0)) < (cost($1), order($1)) }
    }

    /// About 640×480 at 30 to 60 frames a second: enough detail to follow, little motion between two frames, and time
    /// enough for each. Luma that needn't be decoded goes before colour to be unpacked, and that before JPEG, whose
    /// blocks also cost accuracy.
    static func cost(_ mode: CameraMode) -> Double {
        let size = log2(Double(mode.width * mode.height) / (640 * 480))
        var cost = size < 0 ? -1.5 * size : size
        let rate = mode.rate ?? 30
        if rate < 30 { cost += 2 * log2(30 / rate) }
        if rate > 60 { cost += 0.3 * log2(rate / 60) }
        switch mode.format {
        case .grey: break
        case .nv12: cost += 0.05
        case .yu12: cost += 0.06
        case .yuyv, .uyvy: cost += 0.1
        case .mjpg, .jpeg: cost += 0.6
        }
        return cost
    }

    /// Between equals the quicker, and then always the same one.
    private static func order(_ mode: CameraMode) -> Double { -(mode.rate ?? 0) }

    /// What a camera offers, for a message: sizes with their formats, the smallest first, few enough for one line.
    static func summary(_ modes: [CameraMode]) -> String {
        var offers: [String] = []
        for mode in modes.sorted(by: {
            ($0.width * $0.height, $0.format.rawValue) < ($1.width * $1.height, $1.format.rawValue)
        }) {
            let rates = modes.filter { $0.width == mode.width && $0.height == mode.height && $0.format == mode.format }
                .compactMap(\.rate)
            let most = rates.max().map { " up to \(CameraMode.text($0))" } ?? ""
            let offer = "\(mode.width)×\(mode.height) \(mode.format.rawValue)\(most)"
            if !offers.contains(offer) { offers.append(offer) }
        }
        let shown = offers.prefix(8).joined(separator: ", ")
        return offers.count > 8 ? "\(shown) and \(offers.count - 8) more" : shown
    }
}
