// What Swift imports; C++ sources include fh_calibration.h itself.
#pragma once
#include "fh_calibration.h"
