// Thin shims over Video4Linux for what Swift cannot import: ioctl numbers, unions, mapped buffers.
#pragma once
#include "fh_v4l2.h"
