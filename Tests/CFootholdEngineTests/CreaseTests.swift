import CFootholdEngineChecks
import Testing

/// Plain walls, which only their creases with walls that are known tell, in painted rooms with exact truth.
@Suite struct CreaseTests {
    @Test(arguments: [UInt64(1), 2, 3], [Int32(0), 1])
    func tellsWhereAWallEnds(seed: UInt64, isBent: Int32) {
        var (views, error) = (0.0, 1.0)
        #expect(fh_check_crease(seed, FH_CHECK_PLAIN_WALL, isBent, &views, &error) == 0)
        #expect(views == 8)
        #expect(error < 0.01, "\(error) m")
    }

    /// A step of 2.8 grey levels, where 2 are the least, in pictures whose noise is 0.8.
    @Test(arguments: [UInt64(1), 2, 3])
    func tellsAFaintCreaseFromNoise(seed: UInt64) {
        var (views, error) = (0.0, 1.0)
        #expect(fh_check_crease(seed, FH_CHECK_FAINT_CREASE, 0, &views, &error) == 0)
        #expect(views == 8)
        #expect(error < 0.01, "\(error) m")
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func takesNothingBeforeAWallForACrease(seed: UInt64) {
        var (views, error) = (1.0, 0.0)
        #expect(fh_check_crease(seed, FH_CHECK_POST_BEFORE, 0, &views, &error) == 0)
        #expect(views == 0, "\(error) m off")
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func findsAPlainWallByItsCrease(seed: UInt64) {
        var wall = fh_check_side_wall()
        #expect(fh_check_wall_at_crease(seed, FH_CHECK_PLAIN_WALL, &wall) == 0)
        #expect(wall.is_found == 1)
        #expect(wall.to_the_side == 1)
        #expect(wall.degrees < 1, "\(wall.degrees)°")
        #expect(wall.offset_m < 0.02, "\(wall.offset_m) m")
        #expect(wall.share_inside > 0.95, "\(wall.share_inside)")
        #expect(wall.area_m2 > 0.5, "\(wall.area_m2) m²")
    }

    /// The crease is there, but what lies behind such a wall is seen.
    @Test(arguments: [UInt64(1), 2, 3])
    func noWallStandsWhereMoreIsSeenBehind(seed: UInt64) {
        var (views, error) = (0.0, 1.0)
        #expect(fh_check_crease(seed, FH_CHECK_WARDROBE, 0, &views, &error) == 0)
        #expect(views == 8)
        var wall = fh_check_side_wall()
        #expect(fh_check_wall_at_crease(seed, FH_CHECK_WARDROBE, &wall) == 0)
        #expect(wall.to_the_side == 0)
    }

    /// A shadow's edge beside the corner is a crease as good as any; the wall's few points tell where it is.
    @Test(arguments: [UInt64(1), 2, 3])
    func pointsTellAWallTruerThanAShadowsEdge(seed: UInt64) {
        var (views, error) = (0.0, 0.0)
        #expect(fh_check_crease(seed, FH_CHECK_SHADOW, 0, &views, &error) == 0)
        #expect(views == 8)
        #expect(error > 0.1, "\(error) m")
        var wall = fh_check_side_wall()
        #expect(fh_check_wall_at_crease(seed, FH_CHECK_SHADOW, &wall) == 0)
        #expect(wall.is_found == 1)
        #expect(wall.to_the_side == 1)
        #expect(wall.offset_m < 0.02, "\(wall.offset_m) m")
    }

    /// The skirting board's upper edge is a crease all along the wall, too.
    @Test(arguments: [UInt64(1), 2, 3], [Int32(0), 1])
    func findsOneFloorBelowASkirtingBoard(seed: UInt64, isTextured: Int32) {
        var floor = fh_check_floor()
        #expect(fh_check_floor_at_crease(seed, isTextured, &floor) == 0)
        #expect(floor.facing_up == 1)
        #expect(floor.height_m < 0.02, "\(floor.height_m) m")
        #expect(floor.degrees < 1, "\(floor.degrees)°")
        #expect(floor.area_m2 > 0.5, "\(floor.area_m2) m²")
    }
}
