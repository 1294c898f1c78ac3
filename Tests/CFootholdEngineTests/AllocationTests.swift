import CFootholdEngineChecks
import Testing

/// What tracking takes from the heap once its buffers have grown.
@Suite struct AllocationTests {
    @Test(arguments: [
        FH_CHECK_CALL_ALIGN, FH_CHECK_CALL_FIND_POINT, FH_CHECK_CALL_OPTIMISE_POSE, FH_CHECK_CALL_AFFINE_WARP,
        FH_CHECK_CALL_TRACK,
    ])
    func trackingCallsTakeNothing(call: fh_check_call) {
        #expect(fh_check_call_allocations(Int32(call.rawValue)) == 0)
    }

    /// Ordinary: neither a keyframe nor one of those after it that look for surfaces.
    @Test func ordinaryFramesTakeNoMoreThanTheirPyramidThumbnailAndTexture() {
        var report = fh_check_frame_allocations()
        #expect(fh_check_session_allocations(1, &report) == 0)
        #expect(report.ordinary_frames > 20)
        // OpenCV's pyramid takes 2 blocks a frame and the thumbnail 13; every tenth frame looks for texture with
        // OpenCV's corners, which take up to 7; the log of frames grows now and then.
        #expect(report.mean_of_ordinary < 16.5)
        #expect(report.most_of_ordinary <= 24)
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension fh_check_call: @retroactive CustomTestStringConvertible {
    public var testDescription: String { "call \(rawValue)" }
}
