#include "tracking/template_cache.h"

#include <algorithm>
#include <cstring>

namespace foothold {

namespace {

/// How far a change of the warp may move the template's corner, in pixels, before it is sampled again. The middle, by
/// which the point is located, stays where it is.
constexpr double kSlackPixels = 0.1;

}  // namespace

const fh_template *TemplateCache::get(int point_index, const HostedPoint &point,
                                      const Eigen::Matrix2d &current_from_host, int level) {
    Entry &entry = slot_of(point_index, point.id).levels[level];
    constexpr double kReach = 0.5 * (kTemplateSide - 1) * 1.4142;
    const bool is_current =
        entry.is_known && (current_from_host - entry.warp).cwiseAbs().maxCoeff() * kReach < kSlackPixels;
    if (!is_current) {
        entry.is_known = true;
        entry.warp = current_from_host;
        entry.is_usable = sample_template(point.patch, current_from_host, level, &unpacked_);
        if (entry.is_usable) entry.patch.pack(unpacked_);
    } else if (entry.is_usable) {
        entry.patch.unpack(&unpacked_);
    }
    return entry.is_usable ? &unpacked_ : nullptr;
}

void TemplateCache::PackedTemplate::pack(const fh_template &patch) {
    std::copy_n(patch.value, kSamples, samples_[0].begin());
    std::copy_n(patch.gradient_x, kSamples, samples_[1].begin());
    std::copy_n(patch.gradient_y, kSamples, samples_[2].begin());
    std::memcpy(rest_.data(), &patch.window, kRest);
}

void TemplateCache::PackedTemplate::unpack(fh_template *out_patch) const {
    std::copy_n(samples_[0].begin(), kSamples, out_patch->value);
    std::copy_n(samples_[1].begin(), kSamples, out_patch->gradient_x);
    std::copy_n(samples_[2].begin(), kSamples, out_patch->gradient_y);
    std::memcpy(&out_patch->window, rest_.data(), kRest);
}

TemplateCache::Slot &TemplateCache::slot_of(int point_index, int64_t point_id) {
    if (static_cast<int>(slot_of_point_.size()) <= point_index) slot_of_point_.resize(point_index + 1, -1);
    int &slot = slot_of_point_[point_index];
    if (slot < 0 || slots_[slot]->point_id != point_id) {
        if (static_cast<int>(slots_.size()) < kCapacity) {
            slot = static_cast<int>(slots_.size());
            slots_.push_back(std::make_unique<Slot>());
            last_asked_.push_back(0);
        } else {
            const auto oldest = std::min_element(last_asked_.begin(), last_asked_.end());
            slot = static_cast<int>(oldest - last_asked_.begin());
        }
        slots_[slot]->point_id = point_id;
        for (Entry &entry : slots_[slot]->levels) entry.is_known = false;
    }
    last_asked_[slot] = ++clock_;
    return *slots_[slot];
}

}  // namespace foothold
