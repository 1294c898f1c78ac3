import Foundation

/// Reads trajectories as they are published. Quaternions need not have length one. Numbers that aren't finite, rotations
/// that are none and places that nothing on earth is at are errors.
public enum TrajectoryReader {
    /// Metres from the origin, either way: some worlds are a country's grid.
    private static let farthest = 1e8

    /// `t tx ty tz qx qy qz qw` a line, seconds; `#` begins a comment (TUM RGB-D benchmark, `trajectory.tum`).
    public static func tum(at url: URL) throws(EvaluationError) -> Trajectory {
        try rows(at: url, separator: " ", columns: 8) { row in
            guard let pose = pose(position: row[1...3], xyzw: row[4...7]) else { return nil }
            return .some(Trajectory.Entry(seconds: row[0], worldFromCamera: pose))
        }
    }

    /// `t,px,py,pz,qx,qy,qz,qw` with a header line, seconds (a sequence folder's `groundtruth.csv`).
    public static func groundTruthCSV(at url: URL) throws(EvaluationError) -> Trajectory {
        try rows(at: url, separator: ",", columns: 8) { row in
            guard let pose = pose(position: row[1...3], xyzw: row[4...7]) else { return nil }
            return .some(Trajectory.Entry(seconds: row[0], worldFromCamera: pose))
        }
    }

    /// `frame,px,py,pz,qx,qy,qz,qw` with a header line.
    ///
    /// - Parameter seconds: the time of a frame by its index, or nil to leave the pose out.
    public static func frameIndexedCSV(
        at url: URL, seconds: (Int) -> Double?
    ) throws(EvaluationError) -> Trajectory {
        try rows(at: url, separator: ",", columns: 8) { row in
            guard let pose = pose(position: row[1...3], xyzw: row[4...7]) else { return nil }
            let time = Int(exactly: row[0]).flatMap(seconds)
            return .some(time.map { Trajectory.Entry(seconds: $0, worldFromCamera: pose) })
        }
    }

    /// EuRoC's `state_groundtruth_estimate0/data.csv`: nanoseconds, position, quaternion w first, of the body.
    ///
    /// - Parameters:
    ///   - firstFrameNanoseconds: the time that becomes 0.
    ///   - bodyFromCamera: where the camera sits on the body.
    public static func eurocCSV(
        at url: URL, firstFrameNanoseconds: Int64, bodyFromCamera: Pose
    ) throws(EvaluationError) -> Trajectory {
        // Nanoseconds since 1970 do not fit a double: the first column is read as a whole number.
        try textRows(at: url, separator: ",", columns: 8) { fields in
            guard let nanoseconds = Int64(fields[0]) else { return nil }
            guard let row = finite(fields.dropFirst().prefix(7)) else { return nil }
            guard let body = pose(position: row[0...2], xyzw: row[4...6] + row[3...3]) else { return nil }
            return .some(
                Trajectory.Entry(
                    seconds: Double(nanoseconds - firstFrameNanoseconds) / 1e9, worldFromCamera: body * bodyFromCamera))
        }
    }

    /// Nil where these numbers are no pose.
    private static func pose(position: ArraySlice<Double>, xyzw: ArraySlice<Double>) -> Pose? {
        let p = Array(position)
        let q = Array(xyzw)
        guard p.allSatisfy({ abs($0) <= farthest }), q.contains(where: { abs($0) > 1e-9 }),
            q.allSatisfy({ abs($0) < 1e9 })
        else { return nil }
        return Pose(
            rotation: Rotation(x: q[0], y: q[1], z: q[2], w: q[3]), position: SIMD3(p[0], p[1], p[2]))
    }

    private static func rows(
        at url: URL, separator: Character, columns: Int, entry: ([Double]) -> Trajectory.Entry??
    ) throws(EvaluationError) -> Trajectory {
        try textRows(at: url, separator: separator, columns: columns) { fields -> Trajectory.Entry?? in
            guard let numbers = finite(fields.prefix(columns)) else { return nil }
            return entry(numbers)
        }
    }

    private static func finite(_ fields: ArraySlice<Substring>) -> [Double]? {
        let numbers = fields.compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == fields.count ? numbers : nil
    }

    /// - Parameter entry: nil when the fields are not what they should be; `.some(nil)` to leave the row out.
    private static func textRows(
        at url: URL, separator: Character, columns: Int, entry: ([Substring]) -> Trajectory.Entry??
    ) throws(EvaluationError) -> Trajectory {
        var entries: [Trajectory.Entry] = []
        var isFirst = true
        for (number, line) in try FileText.lines(at: url).enumerated() {
            guard let first = line.first(where: { $0 != " " }), first != "#" else { continue }
            let fields = line.split(separator: separator).map { $0.trimmedOfSpaces }
            // A header is a first line that does not begin with a number.
            let mayBeHeader = isFirst
            isFirst = false
            if mayBeHeader, let field = fields.first, Double(field) == nil, first.isLetter { continue }
            guard fields.count >= columns, let parsed = entry(fields) else {
                throw .malformed(path: url.path, line: number + 1, expected: "\(columns) numbers that are a pose")
            }
            if let parsed { entries.append(parsed) }
        }
        return Trajectory(entries)
    }
}

extension Substring {
    fileprivate var trimmedOfSpaces: Substring {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
