// Numbers about the engine's inner parts, measured against exact synthetic truth, for its tests. Every check is a pure
// function of its seed.
#pragma once

#include "crease_checks.h"
#include "depth_checks.h"
#include "estimator_checks.h"
#include "face_checks.h"
#include "jacobian_checks.h"
#include "loop_checks.h"
#include "outline_checks.h"
#include "surface_checks.h"
#include "sweep_checks.h"
#include "thread_checks.h"
#include "tracking_checks.h"
