import CFootholdKernels
import Testing

@Suite struct SIMDTests {
    @Test func theScalarReferenceIsAlwaysThereAndLast() {
        #expect(fh_simd_count() >= 1)
        #expect(String(cString: fh_simd_name_at(fh_simd_count() - 1)) == "SCALAR")
    }

    @Test func anUnknownInstructionSetIsRefused() {
        #expect(fh_simd_force("MMX") == FH_KERNEL_BAD_ARGUMENT)
    }
}
