import CFootholdKernels
import Foundation
import Testing

@Suite struct SIMDTests {
    @Test func theScalarReferenceIsAlwaysThereAndLast() {
        #expect(instructionSets.last == "SCALAR")
        #expect(Set(instructionSets).count == instructionSets.count)
        #expect(fh_simd_name_at(-1) == nil)
        #expect(fh_simd_name_at(fh_simd_count()) == nil)
    }

    @Test func everyInstructionSetCanBeForcedAndRunsItsOwnCode() {
        let vectorBytes: [String: Int32] = ["SCALAR": 1, "SSE4": 16, "NEON": 16, "AVX2": 32, "AVX3": 64, "AVX3_DL": 64]
        for name in instructionSets {
            withInstructionSet(name) {
                #expect(String(cString: fh_simd_name()) == name)
                #expect(fh_simd_vector_bytes() == vectorBytes[name])
            }
        }
    }

    /// The compiler uses AVX-VNNI there, which processors that have all else of it may lack.
    @Test func theLargestInstructionSetIsOfferedOnlyWhereAllOfItIs() throws {
        let text = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") })
        let flags = Set(line.split(separator: " "))
        let isWhole = flags.isSuperset(of: ["avx_vnni", "avx512_vnni", "avx512_vbmi2"])
        #expect(instructionSets.contains("AVX3_DL") == isWhole)
    }

    @Test func anUnknownInstructionSetIsRefusedAndChangesNothing() {
        let before = String(cString: fh_simd_name())
        #expect(fh_simd_force("MMX") == FH_KERNEL_BAD_ARGUMENT)
        #expect(String(cString: fh_simd_name()) == before)
    }

    @Test func forcingConcernsOnlyTheCallingThread() throws {
        let best = try #require(instructionSets.first)
        withInstructionSet("SCALAR") {
            let seen = ResultBox()
            let thread = Thread { seen.finish(String(cString: fh_simd_name())) }
            thread.start()
            #expect(seen.wait() == environmentChoice ?? best)
        }
    }

    /// The choice is made at a process's first call, so each name is tried in a process of its own.
    @Test func theEnvironmentVariableForcesTheScalarReference() async {
        await #expect(processExitsWith: .success) { try expectChoice("SCALAR") }
    }

    @Test func theEnvironmentVariableForcesSSE4() async {
        await #expect(processExitsWith: .success) { try expectChoice("SSE4") }
    }

    @Test func theEnvironmentVariableForcesAVX2() async {
        await #expect(processExitsWith: .success) { try expectChoice("AVX2") }
    }

    @Test func theEnvironmentVariableForcesAVX3() async {
        await #expect(processExitsWith: .success) { try expectChoice("AVX3") }
    }

    @Test func theEnvironmentVariableForcesNEON() async {
        await #expect(processExitsWith: .success) { try expectChoice("NEON") }
    }

    @Test func anUnknownNameInTheEnvironmentIsIgnoredAndReported() async {
        await #expect(processExitsWith: .success) { try expectChoice("MMX") }
    }
}

/// What FOOTHOLD_SIMD chose for this very run, if anything.
private var environmentChoice: String? {
    fh_simd_environment() == FH_SIMD_ENVIRONMENT_FOLLOWED ? ProcessInfo.processInfo.environment["FOOTHOLD_SIMD"] : nil
}

/// Sets FOOTHOLD_SIMD before the first kernel call and checks what becomes of it.
private func expectChoice(_ name: String) throws {
    setenv("FOOTHOLD_SIMD", name, 1)
    let active = String(cString: fh_simd_name())
    let known = instructionSets.contains(name)
    try #require(active == (known ? name : instructionSets[0]))
    try #require(
        fh_simd_environment() == Int32(known ? FH_SIMD_ENVIRONMENT_FOLLOWED : FH_SIMD_ENVIRONMENT_IGNORED))
}

/// Hands a string from one thread to another.
private final class ResultBox: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var value = ""

    func finish(_ result: String) {
        value = result
        done.signal()
    }

    func wait() -> String {
        done.wait()
        return value
    }
}
