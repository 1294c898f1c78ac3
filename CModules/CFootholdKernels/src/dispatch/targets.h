// Which instruction sets are compiled, and how a kernel's versions get into their tables. Included before anything of
// Highway's by every file that has kernels in it.
#pragma once

// Between SSE4 and the scalar reference there is nothing worth its code. Vectors of SVE have no size that a structure
// of them could have; machines with SVE have NEON too.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_WANT_AVX3_DL

#include <hwy/detect_targets.h>

// Highway's own fallback isn't used: the scalar reference is.
#define FH_IS_VECTOR_TARGET (HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR)

#if HWY_TARGETS & HWY_AVX3_DL
#define FH_CASE_AVX3_DL(function, table) \
    case HWY_AVX3_DL:                    \
        N_AVX3_DL::function(table);      \
        break;
#else
#define FH_CASE_AVX3_DL(function, table)
#endif
#if HWY_TARGETS & HWY_AVX3
#define FH_CASE_AVX3(function, table) \
    case HWY_AVX3:                    \
        N_AVX3::function(table);      \
        break;
#else
#define FH_CASE_AVX3(function, table)
#endif
#if HWY_TARGETS & HWY_AVX2
#define FH_CASE_AVX2(function, table) \
    case HWY_AVX2:                    \
        N_AVX2::function(table);      \
        break;
#else
#define FH_CASE_AVX2(function, table)
#endif
#if HWY_TARGETS & HWY_SSE4
#define FH_CASE_SSE4(function, table) \
    case HWY_SSE4:                    \
        N_SSE4::function(table);      \
        break;
#else
#define FH_CASE_SSE4(function, table)
#endif
#if HWY_TARGETS & HWY_NEON
#define FH_CASE_NEON(function, table) \
    case HWY_NEON:                    \
        N_NEON::function(table);      \
        break;
#else
#define FH_CASE_NEON(function, table)
#endif

/// Calls a function of one target's namespace, chosen at run time.
#define FH_CALL_TARGET(target, function, table) \
    switch (target) {                           \
        FH_CASE_AVX3_DL(function, table)        \
        FH_CASE_AVX3(function, table)           \
        FH_CASE_AVX2(function, table)           \
        FH_CASE_SSE4(function, table)           \
        FH_CASE_NEON(function, table)           \
        default:                                \
            break;                              \
    }
