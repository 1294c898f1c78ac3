// Runs in turn, so that whatever else the machine does hits all of them alike; medians, so that it hardly counts.
#include "measure.h"

#include <fh_simd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace foothold::benchmarks {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double Now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Milliseconds of one call, from `calls` of them.
double Time(const std::function<void()> &run, int calls) {
    const double start = Now();
    for (int i = 0; i < calls; ++i) run();
    return (Now() - start) / calls;
}

/// The same with what it works on in the caches, whatever ran before.
double TimeWarm(const std::function<void()> &run, int calls) {
    run();
    return Time(run, calls);
}

double TimeScalar(const std::function<void()> &run, int calls) {
    fh_simd_force("SCALAR");
    const double time = Time(run, calls);
    fh_simd_force(nullptr);
    return time;
}

double Quantile(std::vector<double> values, double share) {
    if (values.empty()) return kNothing;
    const size_t index = static_cast<size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(index), values.end());
    return values[index];
}

std::vector<double> Ratios(const std::vector<double> &ours, const std::vector<double> &theirs) {
    std::vector<double> ratios;
    for (size_t i = 0; i < theirs.size(); ++i) ratios.push_back(ours[i] / theirs[i]);
    return ratios;
}

/// Fills the caches with something else.
void EmptyCaches() {
    static std::vector<uint64_t> other(size_t{96} << 17);
    for (size_t i = 0; i < other.size(); i += 8) other[i] += i;
}

/// Calls that take long enough together to be timed.
int CallsFor(double milliseconds) {
    constexpr double kEnough = 0.05;
    return std::max(1, static_cast<int>(std::ceil(kEnough / std::max(milliseconds, 1e-6))));
}

}  // namespace

fhb_figures Measure(const Case &measured, bool quick) {
    fhb_figures figures = {};
    std::snprintf(figures.name, sizeof(figures.name), "%s", measured.name.c_str());
    std::snprintf(figures.size, sizeof(figures.size), "%s", measured.size.c_str());
    std::snprintf(figures.peer, sizeof(figures.peer), "%s", measured.peer.c_str());
    const bool has_peer = static_cast<bool>(measured.opencv);
    // The first calls warm up.
    Time(measured.ours, 1);
    if (has_peer) Time(measured.opencv, 1);
    const int calls = CallsFor(Time(measured.ours, 1));
    const int opencv_calls = has_peer ? CallsFor(Time(measured.opencv, 1)) : 0;

    const double budget = quick ? 40 : 150;
    const size_t least = quick ? 9 : 21, most = 400, scalar_runs = quick ? 3 : 5;
    std::vector<double> ours, theirs, scalar;
    const double start = Now();
    while (ours.size() < least || (ours.size() < most && Now() - start < budget)) {
        ours.push_back(TimeWarm(measured.ours, calls));
        if (has_peer) theirs.push_back(TimeWarm(measured.opencv, opencv_calls));
        if (scalar.size() < scalar_runs && ours.size() % 3 == 1) scalar.push_back(TimeScalar(measured.ours, 1));
    }
    figures.median = Quantile(ours, 0.5);
    figures.spread = Quantile(ours, 0.75) - Quantile(ours, 0.25);
    figures.ratio_to_scalar = figures.median / Quantile(scalar, 0.5);
    figures.ratio_to_opencv = Quantile(Ratios(ours, theirs), 0.5);

    std::vector<double> cold, cold_theirs;
    for (int i = 0; i < (quick ? 3 : 7); ++i) {
        EmptyCaches();
        cold.push_back(Time(measured.ours, 1));
        if (!has_peer) continue;
        EmptyCaches();
        cold_theirs.push_back(Time(measured.opencv, 1));
    }
    figures.cold_median = Quantile(cold, 0.5);
    figures.cold_ratio_to_opencv = Quantile(Ratios(cold, cold_theirs), 0.5);
    return figures;
}

}  // namespace foothold::benchmarks
