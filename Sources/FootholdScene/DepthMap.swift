import Foundation

/// What lies how deep in one frame's picture, coarsely, in square cells of some pixels.
///
/// A depth is the distance along the camera's optical axis, in the world's metres, as the frame's pose sees it. Where
/// nothing can be said, nothing is said: such a cell has no depth.
public struct DepthMap: Hashable, Sendable {
    public struct Cell: Hashable, Sendable {
        /// Along the optical axis, metres of the world.
        public var depth: Double
        /// Standard deviation of the depth, metres of the world.
        public var deviation: Double
        /// 0…1: 1 for a depth that is known exactly, 0 for one that may be a quarter off.
        public var confidence: Double { max(0, 1 - 4 * deviation / depth) }
    }

    /// Cells across and down.
    public let width: Int
    public let height: Int
    /// Side of a cell, pixels of the frame: cell (x, y) is centred on pixel (x, y) · `cellPixels`.
    public let cellPixels: Int
    /// Row by row; 0 where nothing can be said.
    public let depths: [Float]
    public let deviations: [Float]
    /// The picture's brightness in each cell: edges of depth lie where it has edges.
    public let luma: [UInt8]

    public init(width: Int, height: Int, cellPixels: Int, depths: [Float], deviations: [Float], luma: [UInt8]) {
        precondition(
            depths.count == width * height && deviations.count == depths.count && luma.count == depths.count,
            "one number a cell")
        self.width = width
        self.height = height
        self.cellPixels = cellPixels
        self.depths = depths
        self.deviations = deviations
        self.luma = luma
    }

    /// One cell; nil outside the map or where nothing can be said.
    public subscript(column: Int, row: Int) -> Cell? {
        guard column >= 0, row >= 0, column < width, row < height else { return nil }
        let index = row * width + column
        guard depths[index] > 0 else { return nil }
        return Cell(depth: Double(depths[index]), deviation: Double(deviations[index]))
    }

    /// The cell that a pixel of the frame lies in; nil where nothing can be said.
    public subscript(pixel: SIMD2<Double>) -> Cell? {
        let place = (pixel / Double(cellPixels)).rounded(.toNearestOrEven)
        guard place.x >= 0, place.y >= 0, place.x < Double(width), place.y < Double(height) else { return nil }
        return self[Int(place.x), Int(place.y)]
    }

    /// Share of the cells that have a depth, 0…1.
    public var knownShare: Double {
        depths.isEmpty ? 0 : Double(depths.lazy.filter { $0 > 0 }.count) / Double(depths.count)
    }
}

extension DepthMap {
    /// How what is drawn is hidden behind what is real. The margins keep wrong depths from hiding anything.
    public enum Hiding {
        /// A thing begins to be hidden this share of the depth behind what is real, and these deviations more.
        public static let margin = 0.02
        public static let deviations = 2.0
        /// Cells around a pixel whose brightness is this many grey levels off count e times less.
        public static let brightness = 25.0
        /// Cells from a pixel at which another counts e times less.
        public static let reach = 1.0
        /// Shares of the cells around a pixel between which its border lies.
        public static let border = 0.35...0.75
    }

    /// How much of something at a pixel is hidden by what is real, 0…1: 0 where nothing is known.
    ///
    /// - Parameters:
    ///   - pixel: of the frame.
    ///   - depth: of the thing, along the optical axis.
    ///   - brightness: of the picture there, 0…255.
    public func hiddenShare(at pixel: SIMD2<Double>, depth: Double, brightness: Double) -> Double {
        let place = pixel / Double(cellPixels)
        let middle = place.rounded(.toNearestOrEven)
        guard middle.x >= -1, middle.y >= -1, middle.x <= Double(width), middle.y <= Double(height) else { return 0 }
        var (sum, total) = (0.0, 0.0)
        for row in (Int(middle.y) - 1)...(Int(middle.y) + 1) {
            for column in (Int(middle.x) - 1)...(Int(middle.x) + 1) {
                guard column >= 0, row >= 0, column < width, row < height else { continue }
                let index = row * width + column
                let away: Double = (SIMD2(Double(column), Double(row)) - place).length / Hiding.reach
                let unlike: Double = (Double(luma[index]) - brightness) / Hiding.brightness
                let weight: Double = exp(-away * away - unlike * unlike)
                total += weight
                guard depths[index] > 0 else { continue }
                let real = Double(depths[index])
                let margin = Hiding.margin * real + Hiding.deviations * Double(deviations[index])
                sum += weight * Self.unit((depth - real) / margin - 1)
            }
        }
        guard total > 1e-9 else { return 0 }
        let (low, high) = (Hiding.border.lowerBound, Hiding.border.upperBound)
        let share = Self.unit((sum / total - low) / (high - low))
        return share * share * (3 - 2 * share)
    }

    private static func unit(_ value: Double) -> Double { min(max(value, 0), 1) }
}
