import CFootholdEngineChecks
import Testing

/// The depth of whole pictures, on painted planes with exact truth.
@Suite struct SweepTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func tellsFloorFromWall(seed: UInt64) {
        var report = fh_check_sweep_report()
        #expect(fh_check_sweep(seed, 40, 0, &report) == 0)
        #expect(report.told * 2 > report.places)
        #expect(report.right * 10 > report.told * 9)
        #expect(report.wrong * 50 < report.told)
        #expect(report.facing * 2 > report.told)
        #expect(report.facing_right * 10 > report.facing * 9)
    }

    @Test func seesThroughALens() {
        var report = fh_check_sweep_report()
        #expect(fh_check_sweep(4, 40, 1, &report) == 0)
        #expect(report.told * 5 > report.places * 2)
        #expect(report.right * 10 > report.told * 9)
        #expect(report.wrong * 50 < report.told)
    }

    @Test func picturesWithoutTheirLensAreKept() {
        var report = fh_check_lens_free_report()
        #expect(fh_check_lens_free(&report) == 0)
        #expect(report.worst < 2)
        #expect(report.is_kept == 1)
        #expect(report.tells_keyframes_apart == 1)
        #expect(report.tells_lenses_apart == 1)
        #expect(report.is_drawn_anew == 1)
        #expect(report.pairs_agree == 1)
        #expect(report.many_are_as_one == 1)
    }

    /// Squared errors over claimed variances: 1 in the mean when claims are true.
    @Test(arguments: [40.0, 80])
    func claimsWhatItKnows(contrast: Double) {
        var report = fh_check_sweep_report()
        #expect(fh_check_sweep(5, contrast, 0, &report) == 0)
        #expect(report.normalised_error > 0.5)
        #expect(report.normalised_error < 2)
    }

    @Test func saysNothingWhereThereIsNothingToSee() {
        var report = fh_check_sweep_report()
        #expect(fh_check_sweep(1, 0, 0, &report) == 0)
        // The border between floor and wall shows where it is.
        #expect(report.told * 10 < report.places)
    }

    /// More pictures tell more of the room, and which way it faces more exactly.
    @Test(arguments: [UInt64(1), 2, 3], [Int32(0), 1])
    func refinesWithMorePictures(seed: UInt64, isBent: Int32) {
        var swept = fh_check_sweep_report()
        var refined = fh_check_sweep_report()
        #expect(fh_check_sweep(seed, 40, isBent, &swept) == 0)
        #expect(fh_check_refined_sweep(seed, 40, isBent, &refined) == 0)
        #expect(refined.told > swept.told)
        #expect(refined.right * 20 > refined.told * 19)
        #expect(refined.wrong * 100 < refined.told)
        #expect(refined.facing * 10 > refined.told * 9)
        #expect(refined.facing_error_degrees < 0.67 * swept.facing_error_degrees)
        // Careful claims: the pictures that are compared share the own one's noise.
        #expect(refined.normalised_error > 0.2)
        #expect(refined.normalised_error < 1)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func whatIsSettledStaysAsItIs(seed: UInt64) {
        var halves = fh_check_refined_halves()
        #expect(fh_check_refined_open(seed, &halves) == 0)
        #expect(halves.settled > 100 && halves.settled_changed == 0)
        #expect(halves.open > 100 && halves.open_changed > 0)
    }

    /// What is narrow is seen truer in quarters of squares: fewer of them hang over its edges.
    @Test(arguments: [Int32(0), 1])
    func quartersTellMoreOfWhatIsNarrow(isBent: Int32) {
        // Which way a place faces is right or wrong at a handful of places a room: of all rooms together.
        var facingRight = (whole: Int32(0), quarters: Int32(0))
        for seed in UInt64(1)...6 {
            var whole = fh_check_sweep_report()
            var quarters = fh_check_sweep_report()
            #expect(fh_check_refined_board(seed, isBent, 0, &whole) == 0)
            #expect(fh_check_refined_board(seed, isBent, 1, &quarters) == 0)
            #expect(whole.places > 100 && quarters.places == whole.places)
            #expect(quarters.right > whole.right)
            #expect(quarters.wrong * 10 < quarters.told)
            #expect(quarters.facing_error_degrees < whole.facing_error_degrees)
            facingRight.whole += whole.facing_right
            facingRight.quarters += quarters.facing_right
        }
        #expect(facingRight.quarters > facingRight.whole + 12)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func aSecondThreadRefinesTheSame(seed: UInt64) {
        var known: Int32 = 0
        var different: Int32 = 0
        #expect(fh_check_refined_by_two(seed, &known, &different) == 0)
        #expect(known > 1000)
        #expect(different == 0)
    }

    @Test func refinesNothingWhereThereIsNothingToSee() {
        var report = fh_check_sweep_report()
        #expect(fh_check_refined_sweep(1, 0, 0, &report) == 0)
        #expect(report.told * 10 < report.places)
    }
}
