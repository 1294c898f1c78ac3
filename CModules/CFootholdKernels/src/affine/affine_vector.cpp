// Affine sampling for Highway's targets.
#include "dispatch/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "affine/affine_vector.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "affine/affine.h"
#include "dispatch/kernel_table.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace foothold::kernels::HWY_NAMESPACE {
#if FH_IS_VECTOR_TARGET

namespace hn = hwy::HWY_NAMESPACE;

#include "affine/affine_body.h"

void AddAffine(KernelTable *table) { table->affine_sample = SampleAffine; }

#endif
}  // namespace foothold::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold::kernels {
void AddVectorAffine(int64_t target, KernelTable *table) { FH_CALL_TARGET(target, AddAffine, table) }
}  // namespace foothold::kernels
#endif
