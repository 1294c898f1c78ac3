#pragma once
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
int32_t fh_kernels_version(void);
#ifdef __cplusplus
}
#endif
