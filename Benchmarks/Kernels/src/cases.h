// What is measured: pairs of functions that do the same, ours and OpenCV's.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace foothold::benchmarks {

struct Case {
    std::string name;
    std::string size;
    /// OpenCV's function; empty where there is none.
    std::string peer;
    std::function<void()> ours;
    std::function<void()> opencv;
};

/// Cases on pictures of one size. Their functions own what they work on.
void AddImageCases(int width, int height, std::vector<Case> *cases);
void AddTrackingCases(int width, int height, std::vector<Case> *cases);
/// Cases on lists of points and descriptors.
void AddPointCases(std::vector<Case> *cases);

}  // namespace foothold::benchmarks
