#include "CFootholdKernels.h"
int32_t fh_kernels_version(void) { return 1; }
