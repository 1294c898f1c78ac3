// Which instruction set the kernels run with.
//
// The best one of the machine is chosen at the first call. The environment variable FOOTHOLD_SIMD, read once, forces
// another by name: SCALAR (the reference), SSE4, AVX2, AVX3 (AVX-512), AVX3_DL (AVX-512 as of Ice Lake), NEON.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether FOOTHOLD_SIMD was followed.
enum {
    FH_SIMD_ENVIRONMENT_UNSET = 0,
    FH_SIMD_ENVIRONMENT_FOLLOWED = 1,
    /// It names no instruction set, or one that this machine lacks; the best one runs instead.
    FH_SIMD_ENVIRONMENT_IGNORED = 2,
};

/// Name of the instruction set that kernels called from this thread run with. Static memory.
const char *fh_simd_name(void);

/// Bytes in one of its vectors, as its own code counts them; 1 for the scalar reference.
int32_t fh_simd_vector_bytes(void);

/// How many instruction sets this machine has, the scalar reference included.
int32_t fh_simd_count(void);

/// Name of one of them, best first, "SCALAR" last; NULL when `index` is out of range. Static memory.
const char *fh_simd_name_at(int32_t index);

/// What became of FOOTHOLD_SIMD: an FH_SIMD_ENVIRONMENT_ value.
int32_t fh_simd_environment(void);

/// Forces an instruction set for kernels called from this thread (tests and benchmarks); NULL returns to the default.
/// FH_KERNEL_BAD_ARGUMENT when this machine doesn't have it.
int32_t fh_simd_force(const char *name);

#ifdef __cplusplus
}
#endif
