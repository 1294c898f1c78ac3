import CFootholdCalibration

/// A flat board of known pattern that a camera is calibrated with.
public struct CalibrationBoard: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Black and white squares.
        case chessboard
        /// A chessboard with markers in its white squares, of which a part in view is enough.
        case charuco
    }

    public var kind: Kind
    /// Squares, not the corners between them.
    public var columns: Int
    public var rows: Int
    /// Side of a square, metres.
    public var squareMetres: Double
    /// ChArUco: side of a marker as a share of a square's.
    public var markerShare: Double
    /// ChArUco: bits along a marker's side, which names the dictionary (DICT_4X4_50 and so on).
    public var markerBits: Int

    public init(
        kind: Kind = .chessboard, columns: Int = 10, rows: Int = 7, squareMetres: Double = 0.025,
        markerShare: Double = 0.75, markerBits: Int = 4
    ) {
        self.kind = kind
        self.columns = columns
        self.rows = rows
        self.squareMetres = squareMetres
        self.markerShare = markerShare
        self.markerBits = markerBits
    }

    var cBoard: fh_board {
        fh_board(
            kind: Int32(kind == .charuco ? FH_BOARD_CHARUCO : FH_BOARD_CHESSBOARD), columns: Int32(clamping: columns),
            rows: Int32(clamping: rows), square: squareMetres, marker_share: markerShare,
            marker_bits: Int32(clamping: markerBits))
    }

    /// The board as it is to be printed, with a white margin of a square around it; luma, rows packed.
    /// Nil for a board that makes no sense.
    public func drawn(pixelsPerSquare: Int) -> (width: Int, height: Int, luma: [UInt8])? {
        guard (8...4096).contains(pixelsPerSquare), (1...20).contains(columns), (1...20).contains(rows) else {
            return nil
        }
        let (width, height) = (columns * pixelsPerSquare, rows * pixelsPerSquare)
        var inner = [UInt8](repeating: 255, count: width * height)
        var board = cBoard
        guard fh_board_draw(&board, Int32(pixelsPerSquare), &inner, inner.count) == 0 else { return nil }
        let margin = pixelsPerSquare
        var luma = [UInt8](repeating: 255, count: (width + 2 * margin) * (height + 2 * margin))
        for y in 0..<height {
            let start = (y + margin) * (width + 2 * margin) + margin
            luma.replaceSubrange(start..<start + width, with: inner[y * width..<(y + 1) * width])
        }
        return (width + 2 * margin, height + 2 * margin, luma)
    }
}
