/// A camera's poses in time order, as trajectory files hold them.
public struct Trajectory: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// Since the first frame.
        public var seconds: Double
        /// Camera to world; the camera's axes are those of computer vision (x right, y down, z forward).
        public var worldFromCamera: Pose

        public init(seconds: Double, worldFromCamera: Pose) {
            self.seconds = seconds
            self.worldFromCamera = worldFromCamera
        }
    }

    /// In time order.
    public var entries: [Entry]

    /// Sorts the entries by time.
    public init(_ entries: [Entry]) {
        self.entries = entries.sorted { $0.seconds < $1.seconds }
    }

    public var positions: [SIMD3<Double>] { entries.map(\.worldFromCamera.position) }

    /// Metres from entry to entry.
    public var pathLength: Double {
        zip(entries, entries.dropFirst()).reduce(0) {
            $0 + $1.0.worldFromCamera.position.distance(to: $1.1.worldFromCamera.position)
        }
    }

    /// The same poses with times counted from another moment.
    public func shifted(bySeconds offset: Double) -> Trajectory {
        Trajectory(entries.map { Entry(seconds: $0.seconds + offset, worldFromCamera: $0.worldFromCamera) })
    }

    /// The index of the entry nearest in time; the earlier of two that are equally near. Nil when empty.
    public func nearestIndex(to seconds: Double) -> Int? {
        guard !entries.isEmpty else { return nil }
        let after = firstIndex(notBefore: seconds)
        if after == 0 { return 0 }
        if after == entries.count { return after - 1 }
        return seconds - entries[after - 1].seconds <= entries[after].seconds - seconds ? after - 1 : after
    }

    /// The pose at a moment: the entry there, or between two entries that are at most `maximumGap` seconds apart.
    public func pose(at seconds: Double, maximumGap: Double = 0.15) -> Pose? {
        guard let nearest = nearestIndex(to: seconds) else { return nil }
        if abs(entries[nearest].seconds - seconds) < 1e-4 { return entries[nearest].worldFromCamera }
        let after = firstIndex(notBefore: seconds)
        guard after > 0, after < entries.count else { return nil }
        let (a, b) = (entries[after - 1], entries[after])
        guard b.seconds - a.seconds <= maximumGap else { return nil }
        return a.worldFromCamera.interpolated(
            to: b.worldFromCamera, fraction: (seconds - a.seconds) / (b.seconds - a.seconds))
    }

    private func firstIndex(notBefore seconds: Double) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].seconds < seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Seconds between poses that are taken to be of the same moment.
    public static let sameMoment = 0.01

    /// The entry nearest in time, if it is at most so many seconds away.
    func nearestIndex(to seconds: Double, within difference: Double) -> Int? {
        nearestIndex(to: seconds).flatMap { abs(entries[$0].seconds - seconds) <= difference ? $0 : nil }
    }

    /// Pairs of indices (here, reference) of poses at the same time: for each pose of the shorter trajectory the
    /// nearest of the longer one, if it is at most `maximumDifference` seconds away, as evaluation tools commonly do.
    public func association(
        with reference: Trajectory, maximumDifference: Double = sameMoment
    ) -> [(index: Int, referenceIndex: Int)] {
        let ownIsShorter = entries.count <= reference.entries.count
        let (shorter, longer) = ownIsShorter ? (self, reference) : (reference, self)
        return shorter.entries.enumerated().compactMap { index, entry in
            guard let nearest = longer.nearestIndex(to: entry.seconds, within: maximumDifference) else { return nil }
            return ownIsShorter ? (index, nearest) : (nearest, index)
        }
    }
}
