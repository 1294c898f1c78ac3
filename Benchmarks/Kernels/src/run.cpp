// All cases, behind the C interface.
#include <algorithm>
#include <exception>
#include <functional>
#include <opencv2/core/utility.hpp>
#include <string>

#include "measure.h"

namespace {

thread_local std::string last_error;

constexpr int kSizes[][2] = {{640, 480}, {1280, 720}, {1920, 1080}};

/// Makes the cases of one kind and measures them; their memory goes before the next kind's is made.
using Maker = std::function<void(std::vector<foothold::benchmarks::Case> *)>;

}  // namespace

using namespace foothold::benchmarks;

extern "C" {

int32_t fhb_run(const fhb_options *options, fhb_figures *out_figures, int32_t *out_figure_count,
                fhb_accuracy *out_accuracies, int32_t *out_accuracy_count) {
    if (options == nullptr || out_figures == nullptr || out_figure_count == nullptr || out_accuracies == nullptr ||
        out_accuracy_count == nullptr) {
        last_error = "a null pointer";
        return FHB_BAD_ARGUMENT;
    }
    const int threads = cv::getNumThreads();
    int32_t result = FHB_OK;
    try {
        cv::setNumThreads(1);
        const bool quick = options->quick != 0;
        std::vector<Maker> makers;
        for (const auto &size : kSizes) {
            const int width = size[0], height = size[1];
            makers.push_back([=](std::vector<Case> *cases) { AddImageCases(width, height, cases); });
            makers.push_back([=](std::vector<Case> *cases) { AddTrackingCases(width, height, cases); });
            if (quick) break;
        }
        makers.push_back(AddPointCases);
        // The accuracy counts as one more.
        const int32_t total = static_cast<int32_t>(makers.size()) + 1;
        int32_t count = 0, done = 0;
        const auto report = [&] {
            ++done;
            if (options->progress != nullptr) options->progress(options->context, done, total);
        };
        for (const Maker &make : makers) {
            std::vector<Case> cases;
            make(&cases);
            for (const Case &measured : cases) {
                if (count < FHB_MOST_FIGURES) out_figures[count++] = Measure(measured, quick);
            }
            report();
        }
        *out_figure_count = count;
        const std::vector<fhb_accuracy> accuracies = MeasureAccuracy(quick);
        *out_accuracy_count = std::min<int32_t>(FHB_MOST_ACCURACIES, static_cast<int32_t>(accuracies.size()));
        std::copy_n(accuracies.begin(), *out_accuracy_count, out_accuracies);
        report();
    } catch (const std::exception &error) {
        last_error = error.what();
        result = FHB_FAILED;
    }
    cv::setNumThreads(threads);
    return result;
}

const char *fhb_last_error(void) { return last_error.c_str(); }

}  // extern "C"
