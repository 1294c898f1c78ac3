// What became of surfaces over several searches, told as if it had been one.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "surfaces/surface.h"

namespace foothold {

class SurfaceChanges {
public:
    explicit SurfaceChanges(std::span<const Surface> before) {
        for (const Surface &surface : before) before_.push_back(surface.id);
    }

    /// After each search: what it says happened.
    void note(std::span<const SurfaceEvent> events);
    /// What made the surfaces that are there now of those that were there before: added and updated ones first, so that
    /// whatever took another one in is known when that is told.
    std::vector<SurfaceEvent> until(std::span<const Surface> now) const;
    /// Lets what one search says of mergers be of surfaces that are there now: what took one in may have been taken in
    /// itself, or have gone.
    static void settle_mergers(std::span<const Surface> now, std::vector<SurfaceEvent> *events);

private:
    /// What became of one that isn't there any more, where these are.
    SurfaceEvent end_of(int32_t id, const std::unordered_set<int32_t> &present) const;

    /// Ids, in order.
    std::vector<int32_t> before_;
    /// By the id of one that was taken in: by which.
    std::unordered_map<int32_t, int32_t> taken_in_;
};

}  // namespace foothold
