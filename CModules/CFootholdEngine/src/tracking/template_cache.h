// Templates of the points that are being followed, sampled again only when the view of them has changed.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "frontend/patch.h"
#include "mapping/map.h"

namespace foothold {

class TemplateCache {
public:
    /// Points kept at once; the one that was asked for longest ago makes room for the next.
    static constexpr int kCapacity = 512;

    /// The point's template as search level `level` should show it, or null where it has too little structure or the
    /// warp leaves the host's window. Valid until the next call. `point_index` is the point's place in the map.
    const fh_template *get(int point_index, const HostedPoint &point, const Eigen::Matrix2d &current_from_host,
                           int level);

private:
    /// A template without the room that its windows leave for larger ones, a quarter as large.
    class PackedTemplate {
    public:
        void pack(const fh_template &patch);
        void unpack(fh_template *out_patch) const;

    private:
        /// Of the kernels' rows for this side.
        static constexpr size_t kRowStride = 16;
        static_assert(kTemplateSide > 8 && kTemplateSide <= 16);
        static constexpr size_t kSamples = kTemplateSide * kRowStride;
        static constexpr size_t kRest = sizeof(fh_template) - offsetof(fh_template, window);
        std::array<std::array<int16_t, kSamples>, 3> samples_;
        std::array<unsigned char, kRest> rest_;
    };
    struct Entry {
        bool is_known = false;
        bool is_usable = false;
        Eigen::Matrix2d warp;
        PackedTemplate patch;
    };
    struct Slot {
        int64_t point_id = -1;
        std::array<Entry, HostPatch::kLevels> levels;
    };
    Slot &slot_of(int point_index, int64_t point_id);

    fh_template unpacked_ = {};
    std::vector<std::unique_ptr<Slot>> slots_;
    /// By slot: when it was asked for last.
    std::vector<uint64_t> last_asked_;
    std::vector<int> slot_of_point_;
    uint64_t clock_ = 0;
};

}  // namespace foothold
