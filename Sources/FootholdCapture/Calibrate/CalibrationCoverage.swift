import Foundation

/// What views of a board have shown so far, and what is still missing for a good calibration.
///
/// A camera follows from views that fill the picture's corners (where the lens bends most), near and far ones, and
/// tilted ones (without which focal length and distance can't be told apart).
public struct CalibrationCoverage: Sendable {
    /// One view, as shares of the picture.
    public struct View: Hashable, Sendable {
        public var centerX, centerY: Double
        public var spanX, spanY: Double
        /// −1…1: which side of the board is nearer; 0 is parallel to the picture.
        public var tiltX, tiltY: Double

        public init(
            centerX: Double, centerY: Double, spanX: Double, spanY: Double, tiltX: Double = 0, tiltY: Double = 0
        ) {
            self.centerX = centerX
            self.centerY = centerY
            self.spanX = spanX
            self.spanY = spanY
            self.tiltX = tiltX
            self.tiltY = tiltY
        }

        var size: Double { max(spanX, spanY) }

        func touches(_ column: Int, _ row: Int) -> Bool {
            let (x, y) = ((Double(column) + 0.5) / 3, (Double(row) + 0.5) / 3)
            return abs(x - centerX) <= spanX / 2 && abs(y - centerY) <= spanY / 2
        }
    }

    /// What to do next, the most needed first.
    public enum Need: Hashable, Sendable {
        /// A part of the picture, 0…2 from the left and from the top.
        case cell(column: Int, row: Int)
        case near, far
        case tiltLeftRight, tiltUpDown
        case more

        /// In words, for whoever holds the board.
        public var words: String {
            switch self {
            case .cell(1, 1): "hold it in the middle of the picture"
            case .cell(let column, let row):
                "move it to the "
                    + [
                        row == 0 ? "top" : row == 2 ? "bottom" : nil,
                        column == 0 ? "left" : column == 2 ? "right" : nil,
                    ]
                    .compactMap(\.self).joined(separator: " ") + " of the picture"
            case .near: "hold it nearer, until it nearly fills the picture"
            case .far: "hold it further away"
            case .tiltLeftRight: "turn it so that its left or right side comes nearer"
            case .tiltUpDown: "tilt it so that its upper or lower side comes nearer"
            case .more: "keep moving and tilting it"
            }
        }
    }

    /// How many views make a calibration that later ones hardly change.
    public static let wantedViews = 20
    /// A view must differ from all others by at least this.
    private static let leastDifference = 0.12
    private static let tilted = 0.12
    private static let nearSize = 0.5
    private static let farSize = 0.35

    public private(set) var views: [View] = []

    public init() {}

    /// True when the view shows something that none before it did.
    public func isNew(_ view: View) -> Bool {
        views.allSatisfy { other in
            let place = hypot(view.centerX - other.centerX, view.centerY - other.centerY)
            let size = abs(view.size - other.size)
            let tilt = hypot(view.tiltX - other.tiltX, view.tiltY - other.tiltY)
            return place + size + tilt >= Self.leastDifference
        }
    }

    public mutating func add(_ view: View) { views.append(view) }

    /// What is missing; empty when nothing is.
    public var needs: [Need] {
        var needs: [Need] = []
        for (column, row) in [(1, 1), (0, 0), (2, 2), (2, 0), (0, 2), (1, 0), (1, 2), (0, 1), (2, 1)]
        where !views.contains(where: { $0.touches(column, row) }) {
            needs.append(.cell(column: column, row: row))
        }
        func count(_ isOne: (View) -> Bool) -> Int { views.filter(isOne).count }
        if count({ abs($0.tiltX) >= Self.tilted }) < 3 { needs.append(.tiltLeftRight) }
        if count({ abs($0.tiltY) >= Self.tilted }) < 3 { needs.append(.tiltUpDown) }
        if count({ $0.size >= Self.nearSize }) < 2 { needs.append(.near) }
        if count({ $0.size <= Self.farSize }) < 2 { needs.append(.far) }
        if needs.isEmpty, views.count < Self.wantedViews { needs.append(.more) }
        return needs
    }

    public var isComplete: Bool { needs.isEmpty }

    /// 0…1.
    public var progress: Double {
        let missing = needs.filter { $0 != .more }.count
        let coverage = 1 - Double(missing) / 13
        return min(coverage, Double(views.count) / Double(Self.wantedViews)) * 0.5 + coverage * 0.5
    }
}
