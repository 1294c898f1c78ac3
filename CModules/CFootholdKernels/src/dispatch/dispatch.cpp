// Chooses the kernels: the best instruction set of the machine, the one that FOOTHOLD_SIMD names, or the one that a
// test forces on its thread.
#include "dispatch/targets.h"
// After it:
#include <hwy/targets.h>

#include <cstdlib>
#include <cstring>

#include "dispatch/kernel_table.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace foothold::kernels {

namespace {

/// Best first, as their bits are ordered.
constexpr int64_t kTargets[] = {
#if HWY_ARCH_X86
    HWY_AVX3_DL,
    HWY_AVX3,
    HWY_AVX2,
    HWY_SSE4,
#elif HWY_ARCH_ARM
    HWY_NEON,
#endif
};
constexpr int32_t kMaxTables = static_cast<int32_t>(sizeof(kTargets) / sizeof(kTargets[0])) + 1;

/// Of those, the ones that this processor has.
int64_t SupportedTargets() {
    int64_t targets = hwy::SupportedTargets();
#if HWY_ARCH_X86
    // Highway 1.0 lets the compiler use AVX-VNNI in AVX3_DL, and doesn't ask the processor for it: Ice Lake and Zen 4
    // have everything else of it.
    constexpr unsigned kAvxVnni = 1u << 4;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (__get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) == 0 || (eax & kAvxVnni) == 0) targets &= ~int64_t{HWY_AVX3_DL};
#endif
    return targets;
}

struct Tables {
    KernelTable table[kMaxTables];
    int32_t count = 0;
    int32_t chosen = 0;
    int32_t environment = FH_SIMD_ENVIRONMENT_UNSET;

    int32_t Find(const char *name) const {
        for (int32_t i = 0; i < count; ++i) {
            if (std::strcmp(table[i].name, name) == 0) return i;
        }
        return -1;
    }

    Tables() {
        KernelTable scalar = {};
        scalar.name = "SCALAR";
        scalar.vector_bytes = [] { return 1; };
        AddScalarPyramid(&scalar);
        AddScalarCorners(&scalar);
        AddScalarKlt(&scalar);
        AddScalarAffine(&scalar);
        AddScalarPieces(&scalar);
        AddScalarStatistics(&scalar);
        AddScalarDescriptors(&scalar);
        AddScalarLens(&scalar);
        AddScalarRemap(&scalar);
        AddScalarReprojection(&scalar);
        AddScalarSweep(&scalar);
        AddScalarDifferences(&scalar);
        const int64_t supported = SupportedTargets();
        for (const int64_t target : kTargets) {
            if ((supported & target) == 0) continue;
            KernelTable vector = scalar;
            vector.name = hwy::TargetName(target);
            AddVectorPyramid(target, &vector);
            AddVectorCorners(target, &vector);
            AddVectorKlt(target, &vector);
            AddVectorAffine(target, &vector);
            AddVectorPieces(target, &vector);
            AddVectorStatistics(target, &vector);
            AddVectorDescriptors(target, &vector);
            AddVectorLens(target, &vector);
            AddVectorRemap(target, &vector);
            AddVectorReprojection(target, &vector);
            AddVectorSweep(target, &vector);
            AddVectorDifferences(target, &vector);
            table[count++] = vector;
        }
        table[count++] = scalar;
        // Read once. NOLINTNEXTLINE(concurrency-mt-unsafe)
        if (const char *wanted = std::getenv("FOOTHOLD_SIMD"); wanted != nullptr && *wanted != 0) {
            const int32_t found = Find(wanted);
            environment = found >= 0 ? FH_SIMD_ENVIRONMENT_FOLLOWED : FH_SIMD_ENVIRONMENT_IGNORED;
            if (found >= 0) chosen = found;
        }
    }
};

const Tables &AllTables() {
    static const Tables tables;
    return tables;
}

thread_local const KernelTable *forced = nullptr;

}  // namespace

const KernelTable &Kernels() {
    if (forced != nullptr) return *forced;
    const Tables &tables = AllTables();
    return tables.table[tables.chosen];
}

const KernelTable &ScalarKernels() {
    const Tables &tables = AllTables();
    return tables.table[tables.count - 1];
}

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

const char *fh_simd_name(void) { return Kernels().name; }

int32_t fh_simd_vector_bytes(void) { return Kernels().vector_bytes(); }

int32_t fh_simd_count(void) { return AllTables().count; }

const char *fh_simd_name_at(int32_t index) {
    const Tables &tables = AllTables();
    return index >= 0 && index < tables.count ? tables.table[index].name : nullptr;
}

int32_t fh_simd_environment(void) { return AllTables().environment; }

int32_t fh_simd_force(const char *name) {
    if (name == nullptr) {
        forced = nullptr;
        return FH_KERNEL_OK;
    }
    const Tables &tables = AllTables();
    const int32_t found = tables.Find(name);
    if (found < 0) return FH_KERNEL_BAD_ARGUMENT;
    forced = &tables.table[found];
    return FH_KERNEL_OK;
}

}  // extern "C"
