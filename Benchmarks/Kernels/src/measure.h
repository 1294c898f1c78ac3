// Times of one case.
#pragma once

#include "CFootholdKernelBenchmarks.h"
#include "cases.h"

namespace foothold::benchmarks {

fhb_figures Measure(const Case &measured, bool quick);

/// How close tracking comes to known motions; `quick` leaves most of them out.
std::vector<fhb_accuracy> MeasureAccuracy(bool quick);

}  // namespace foothold::benchmarks
