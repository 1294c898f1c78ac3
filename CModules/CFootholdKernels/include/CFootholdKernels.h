// Image kernels of Foothold: plain C, no allocation, no global state that a caller can see.
//
// Rules that hold for every function here:
// - A picture is 8-bit luma. Pixel (0, 0) is the centre of the top-left pixel; x runs right, y down.
// - Functions that can fail return FH_KERNEL_OK or a negative FH_KERNEL_ code, and then leave outputs unspecified.
// - Memory is the caller's: inputs are borrowed for the call; outputs and scratch are written within their stated
// sizes.
// - Any function may be called from any thread at any time; two calls may not share output or scratch memory.
// - Results don't depend on the instruction set: every one gives the scalar reference's result, bit for bit.
#pragma once

#include "fh_affine.h"
#include "fh_corners.h"
#include "fh_descriptors.h"
#include "fh_image.h"
#include "fh_klt.h"
#include "fh_lens.h"
#include "fh_pieces.h"
#include "fh_pyramid.h"
#include "fh_remap.h"
#include "fh_reprojection.h"
#include "fh_simd.h"
#include "fh_statistics.h"
#include "fh_sweep.h"
