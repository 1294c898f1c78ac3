import CFootholdEngineChecks
import Testing

@Suite struct SecondThreadTests {
    /// The caller's own failure comes before the other's; either way the thread goes on.
    @Test(arguments: zip([Int32(-1), 0, 1, 2], [Int32(-1), 0, 1, 0]))
    func failuresArriveAndItGoesOn(thrower: Int32, arrives: Int32) {
        for _ in 0..<50 {
            var failed: Int32 = 9
            var done: Int32 = 0
            fh_check_second_thread(thrower, &failed, &done)
            #expect(failed == arrives)
            #expect(done == 2)
        }
    }

    @Test(arguments: [Int32(0), 1, 2, 7, 80], [Int32(0), 1])
    func everyRowIsTakenOnce(rows: Int32, hasSecondThread: Int32) {
        #expect(fh_check_shared_rows(rows, hasSecondThread) == 0)
    }
}
