// How long a stage takes.
#pragma once

#include <chrono>

namespace foothold {

/// Adds the time from its making to its end.
class Stopwatch {
public:
    explicit Stopwatch(double *milliseconds) : milliseconds_(milliseconds) {}
    ~Stopwatch() {
        *milliseconds_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    double *milliseconds_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace foothold
