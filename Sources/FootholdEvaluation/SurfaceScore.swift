import Foundation

/// How well the surfaces that were found agree with the true ones.
public struct SurfaceScore: Hashable, Sendable, Codable {
    /// One found surface and the true one that it stands for.
    public struct Match: Hashable, Sendable, Codable {
        public var foundID: Int
        public var trueID: Int
        public var label: String
        public var normalErrorDegrees: Double
        /// Between the planes, in the middle of what they share.
        public var offsetErrorCentimetres: Double
        /// With the part of the true surface that was seen.
        public var intersectionOverUnion: Double
        public var overlapSquareMetres: Double
        public var secondsToFirst: Double?
    }

    public var found: Int
    /// True surfaces of at least 0.1 m² that were seen for at least two seconds.
    public var expected: Int
    public var matches: [Match]
    /// Found surfaces that stand for a true one; nil when none were found.
    public var precision: Double?
    /// Expected surfaces that were found; nil when none were expected.
    public var recall: Double?
    /// Means over the matches.
    public var normalErrorDegrees: Double?
    public var offsetErrorCentimetres: Double?
    public var intersectionOverUnion: Double?
    /// When the first surface was announced, right or wrong, and the first of those that are matched.
    public var secondsToFirst: Double?
    public var secondsToFirstMatched: Double?
    /// Labels of expected surfaces that were missed, and ids of found ones that stand for nothing.
    public var missed: [String]
    public var unmatchedIDs: [Int]
}

/// When two surfaces count as the same, and which true ones must be found.
public struct SurfaceMatchingRules: Hashable, Sendable {
    public var maximumAngleDegrees = 10.0
    /// The larger of the two is allowed.
    public var maximumOffset = 0.05
    public var maximumOffsetShareOfDistance = 0.03
    public var minimumOverlapOfSmaller = 0.3
    public var minimumExpectedArea = 0.1
    public var minimumExpectedSeconds = 2.0

    public init() {}
}

extension SurfaceScore {
    private struct Candidate {
        var found: Int
        var plane: Int
        var normalErrorDegrees: Double
        var offset: Double
        var overlap: Double
        var mask: [Bool]
    }

    /// Scores surfaces that no folder holds.
    ///
    /// - Parameters:
    ///   - surfaces: already in the truth's world.
    ///   - firstSeconds: when each surface, by id, was announced.
    ///   - truth: with a path, a camera and planes, or there is nothing to score.
    ///   - frames: the recording's frames with their times.
    public static func score(
        surfaces: [SessionRecord.Surface], firstSeconds: [Int: Double], truth: SequenceTruth,
        frames: [(index: Int, seconds: Double)]
    ) throws(EvaluationError) -> SurfaceScore? {
        guard let scene = TrueScene(truth, frames: frames) else { return nil }
        return try score(surfaces: surfaces, firstSeconds: firstSeconds, scene: scene)
    }

    /// - Parameters:
    ///   - surfaces: already in the truth's world.
    ///   - firstSeconds: when each surface, by id, was announced.
    static func score(
        surfaces: [SessionRecord.Surface], firstSeconds: [Int: Double], scene: TrueScene,
        rules: SurfaceMatchingRules = SurfaceMatchingRules()
    ) throws(EvaluationError) -> SurfaceScore {
        let interval = viewInterval(scene)
        let candidatePlanes = scene.truth.planes.filter { $0.seenDepthFrames ?? 1 > 0 }.map { PlaneGrid($0) }
        let views = try scene.seenMasks(of: candidatePlanes)
        var grids: [PlaneGrid] = []
        var seenMasks: [[Bool]] = []
        var isExpected: [Bool] = []
        for (grid, seen) in zip(candidatePlanes, views) {
            guard seen.views > 0 else { continue }
            grids.append(grid)
            seenMasks.append(seen.mask)
            isExpected.append(
                grid.plane.area >= rules.minimumExpectedArea
                    && Double(seen.views) * interval >= rules.minimumExpectedSeconds - 1e-6)
        }
        let cameras = scene.viewFrames.compactMap { scene.trajectory.pose(at: $0.seconds)?.position }
        var candidates: [Candidate] = []
        for (found, surface) in surfaces.enumerated() {
            for (plane, grid) in grids.enumerated() {
                if let candidate = compare(surface, found, grid, plane, cameras: cameras, rules: rules) {
                    candidates.append(candidate)
                }
            }
        }
        // The largest agreement first; each surface is used once.
        candidates.sort { ($0.overlap, -$0.offset) > ($1.overlap, -$1.offset) }
        var usedFound: Set<Int> = []
        var usedPlanes: Set<Int> = []
        var matches: [Match] = []
        for candidate in candidates
        where !usedFound.contains(candidate.found) && !usedPlanes.contains(candidate.plane) {
            usedFound.insert(candidate.found)
            usedPlanes.insert(candidate.plane)
            let grid = grids[candidate.plane]
            let surface = surfaces[candidate.found]
            let seen = seenMasks[candidate.plane]
            let shared = grid.area(zip(seen, candidate.mask).map { $0 && $1 })
            let outside = max(0, flatArea(surface, on: grid) - candidate.overlap)
            let union = grid.area(zip(seen, candidate.mask).map { $0 || $1 }) + outside
            matches.append(
                Match(
                    foundID: surface.id, trueID: grid.plane.id, label: grid.plane.label,
                    normalErrorDegrees: candidate.normalErrorDegrees, offsetErrorCentimetres: candidate.offset * 100,
                    intersectionOverUnion: union > 0 ? shared / union : 0, overlapSquareMetres: candidate.overlap,
                    secondsToFirst: firstSeconds[surface.id]))
        }
        let expectedPlanes = grids.indices.filter { isExpected[$0] }
        let hit = expectedPlanes.filter { usedPlanes.contains($0) }.count
        func mean(_ value: (Match) -> Double) -> Double? {
            matches.isEmpty ? nil : matches.map(value).reduce(0, +) / Double(matches.count)
        }
        return SurfaceScore(
            found: surfaces.count, expected: expectedPlanes.count, matches: matches,
            precision: surfaces.isEmpty ? nil : Double(matches.count) / Double(surfaces.count),
            recall: expectedPlanes.isEmpty ? nil : Double(hit) / Double(expectedPlanes.count),
            normalErrorDegrees: mean(\.normalErrorDegrees), offsetErrorCentimetres: mean(\.offsetErrorCentimetres),
            intersectionOverUnion: mean(\.intersectionOverUnion), secondsToFirst: firstSeconds.values.min(),
            secondsToFirstMatched: matches.compactMap(\.secondsToFirst).min(),
            missed: expectedPlanes.filter { !usedPlanes.contains($0) }.map { grids[$0].plane.label },
            unmatchedIDs: surfaces.indices.filter { !usedFound.contains($0) }.map { surfaces[$0].id })
    }

    /// Seconds that one depth picture stands for.
    private static func viewInterval(_ scene: TrueScene) -> Double {
        guard let first = scene.viewFrames.first, let last = scene.viewFrames.last, scene.viewFrames.count > 1 else {
            return 0
        }
        return (last.seconds - first.seconds) / Double(scene.viewFrames.count - 1)
    }

    private static func compare(
        _ surface: SessionRecord.Surface, _ found: Int, _ grid: PlaneGrid, _ plane: Int, cameras: [SIMD3<Double>],
        rules: SurfaceMatchingRules
    ) -> Candidate? {
        let normal = grid.plane.normal
        let angle = atan2(surface.normal.cross(normal).length, surface.normal.dot(normal)) * 180 / .pi
        guard angle <= rules.maximumAngleDegrees, surface.boundary.count > 2 else { return nil }
        let mask = zip(grid.mask(of: surface.boundary), grid.inside).map { $0 && $1 }
        let overlap = grid.area(mask)
        let smaller = min(flatArea(surface, on: grid), grid.area(grid.inside))
        guard overlap > 0, overlap >= rules.minimumOverlapOfSmaller * smaller else { return nil }
        // How far the found plane lies from the true one, along the true normal, in the middle of what they share.
        var middle = SIMD3<Double>.zero
        var count = 0.0
        for row in 0..<grid.rows {
            for column in 0..<grid.columns where mask[row * grid.columns + column] {
                middle += grid.center(column: column, row: row)
                count += 1
            }
        }
        middle /= count
        let onSurface = surface.boundary.reduce(.zero, +) / Double(surface.boundary.count)
        let offset = abs((onSurface - middle).dot(surface.normal) / surface.normal.dot(normal))
        let distances = cameras.map { $0.distance(to: middle) }.sorted()
        let distance = distances.isEmpty ? 0 : distances[distances.count / 2]
        guard offset <= max(rules.maximumOffset, rules.maximumOffsetShareOfDistance * distance) else { return nil }
        return Candidate(
            found: found, plane: plane, normalErrorDegrees: angle, offset: offset, overlap: overlap, mask: mask)
    }

    /// The area of a found surface, laid flat onto the true plane.
    private static func flatArea(_ surface: SessionRecord.Surface, on grid: PlaneGrid) -> Double {
        abs(Polygon.signedArea(surface.boundary.map(grid.local)))
    }
}
