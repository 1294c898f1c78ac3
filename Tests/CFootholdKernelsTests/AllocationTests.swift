import CAllocationCounter
import CFootholdKernels
import Testing

@Suite struct AllocationTests {
    @Test func theCounterCounts() {
        let before = allocation_count()
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 1000)
        defer { memory.deallocate() }
        #expect(allocation_count() == before + 1)
    }

    @Test func noKernelAllocates() {
        let scene = Scene(seed: 21)
        let (first, second) = (scene.picture(), scene.picture { $0 - SIMD2(1.5, 0.5) })
        var (image, previous) = (first.image, second.image)
        let (fromOwner, toOwner) = (TestPyramid(first), TestPyramid(second))
        var (from, to) = (fromOwner.pyramid, toOwner.pyramid)
        let memory = FencedMemory(byteCount: 4 << 20, at: .last)
        let size = 4 << 20
        var pyramid = fh_pyramid()
        var corners = [fh_corner](repeating: fh_corner(), count: 4000)
        var gridCorners = [fh_grid_corner](repeating: fh_grid_corner(), count: 4000)
        var scores = [Float](repeating: 0, count: 4000)
        var out = [UInt8](repeating: 0, count: 200 * 150)
        var grid = fh_grid_options(cell_size: 16, threshold: 10, margin: 8, min_score: 1, candidates: 8)
        var measured = fh_statistics_options(columns: 8, rows: 6, dark_below: 30, bright_above: 220)
        var statistics = fh_statistics()
        var options = KLTTests.options
        options.max_forward_backward = 1
        let points: [fh_point] = (0..<50).map { fh_point(x: 20 + 3 * Float($0), y: 20 + 2 * Float($0)) }
        var found = points.map { fh_point(x: $0.x + 1, y: $0.y) }
        var results = [fh_klt_result](repeating: fh_klt_result(), count: 50)
        var patch = fh_template()
        var piece = [Int16](repeating: 0, count: 16)
        let unturned: [Float] = [1, 0, 0, 1]
        var align = fh_align_options(
            max_iterations: 20, epsilon: 0.01, max_shift: 6, min_eigenvalue: 0, min_correlation: -1)
        var position = points[10]
        var aligned = fh_align_result()
        var count: Int32 = 0
        var lens = fh_lens(
            model: Int32(FH_LENS_RADIAL_TANGENTIAL), fx: 150, fy: 150, cx: 100, cy: 75, k: (-0.2, 0.05, 0, 0, 0))
        var fisheye = lens
        fisheye.model = Int32(FH_LENS_FISHEYE)
        var remap = fh_remap()
        let blurredMemory = FencedMemory(byteCount: size, at: .last)
        var blurred = fh_pyramid()
        let levels = [UInt8](repeating: 1, count: 50)
        var angles = [Float](repeating: 0, count: 50)
        var descriptors = [fh_descriptor](repeating: fh_descriptor(), count: 50)
        var matches = [fh_match](repeating: fh_match(), count: 50)
        let places = (0..<150).map { 1 + Double($0) * 0.3 }
        var numbers = [Double](repeating: 0, count: 100)
        var (byPose, byPoint) = ([Double](repeating: 0, count: 600), [Double](repeating: 0, count: 300))
        var inFront = [UInt8](repeating: 0, count: 50)
        var (camera, pose) = (
            fh_pinhole(fx: 150, fy: 150, cx: 100, cy: 75),
            fh_camera_pose(rotation: (1, 0, 0, 0, 1, 0, 0, 0, 1), translation: (0, 0, 0))
        )
        var equations = fh_normal_equations()
        var residuals = ([Double](repeating: 0, count: 50), [Double](repeating: 0, count: 50))
        let coordinates = UnsafeMutablePointer<Double>.allocate(capacity: 50)
        defer { coordinates.deallocate() }
        for i in 0..<50 { coordinates[i] = 1 + Double(i) * 0.1 }
        var seen = fh_observations(
            x: coordinates, y: coordinates, z: coordinates, u: coordinates, v: coordinates, information: nil, count: 50)
        let pairs = UnsafeMutablePointer<UInt16>.allocate(capacity: 200 * 150)
        defer { pairs.deallocate() }
        var pairSource = fh_piece_picture(pairs: pairs, width: 200, height: 150, stride: 200)
        var compared = fh_piece()
        let depths = [Float](repeating: 0.5, count: 200)
        var differences = [Float](repeating: 0, count: 200)
        var other = fh_sweep_other(
            picture: pairSource, matrix: (1, 0, 0, 0, 1, 0, 0, 0, 1), shift: (1, 1, 0), offset: 0)
        var correlation: Float = 0
        for name in instructionSets {
            withInstructionSet(name) {
                let before = allocation_count()
                fh_pyramid_build(image.data, 200, 150, 200, 4, memory.base, size, &pyramid)
                fh_halve_gaussian(&image, &out, 100, memory.base, size)
                fh_halve_mean(&image, &out, 100)
                fh_blur_gaussian(&image, &out, 200, memory.base, size)
                fh_fast_corners(&image, nil, 10, 1, &corners, 4000, &count, memory.base, size)
                fh_shi_tomasi(&image, corners, count, &scores)
                fh_select_corners_grid(&image, &grid, nil, &gridCorners, 4000, &count, memory.base, size)
                fh_statistics_measure(&image, &previous, &measured, &statistics, &scores)
                fh_klt_track(&from, &to, points, nil, &found, &results, 50, &options)
                fh_template_sample(&image, points[10], nil, 11, Int32(FH_BRIGHTNESS_GAIN_OFFSET), &patch)
                fh_affine_sample(&image, points[10], unturned, 4, 4, &piece, 4, nil)
                fh_piece_pairs(&image, pairs)
                fh_piece_correlate(&compared, &pairSource, points[10], unturned, &correlation)
                fh_sweep_differ_row(image.data, 200, 9, depths, &other, 1, 9, &differences)
                fh_patch_align(&patch, &to, 0, &align, &position, &aligned)
                fh_pyramid_blur(&pyramid, blurredMemory.base, size, &blurred)
                fh_describe_points(&blurred, points, levels, 50, &angles, &descriptors)
                fh_match_all(descriptors, 50, descriptors, 50, &matches, memory.base, size)
                fh_match_near(descriptors, points, 50, descriptors, points, 50, 20, &matches, memory.base, size)
                fh_lens_distort(&fisheye, places, 50, &numbers)
                fh_lens_undistort(&lens, places, 50, &numbers)
                fh_lens_project(&lens, places, 50, &numbers, &inFront)
                fh_remap_build(&fisheye, 200, 150, &lens, 200, 150, memory.base, size, &remap)
                fh_remap_apply(&remap, &image, &out, 200)
                fh_reproject(
                    &camera, &pose, &seen, &residuals.0, &residuals.1, &inFront, &byPose, &byPoint)
                fh_pose_equations(&camera, &pose, &seen, Int32(FH_ROBUST_CAUCHY), 3, &equations)
                #expect(allocation_count() == before, "\(name)")
            }
        }
        #expect(equations.count == 50 && matches[49].best == 49)
        #expect(count > 0 && results.contains { $0.status == FH_TRACK_FOUND })
        withExtendedLifetime((first, second, memory, fromOwner, toOwner, blurredMemory)) {}
    }
}
