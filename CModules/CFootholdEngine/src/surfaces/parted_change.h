// How the parts of a world moved when its keyframes were brought in line: each by a similarity of its own.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "geometry/similarity.h"

namespace foothold {

class PartedChange {
public:
    struct Part {
        /// Where the keyframe was before.
        Eigen::Vector3d position;
        Similarity change;
    };

    /// `position` is where the keyframe was before.
    void add_keyframe(int64_t id, const Eigen::Vector3d &position, const Similarity &change) {
        parts_.push_back({position, change});
        part_of_keyframe_[id] = parts_.size() - 1;
    }
    void add_point(int64_t id, int64_t host_id) { host_of_point_[id] = host_id; }

    /// Null for unknown ones.
    const Similarity *of_keyframe(int64_t id) const {
        const auto found = part_of_keyframe_.find(id);
        return found == part_of_keyframe_.end() ? nullptr : &parts_[found->second].change;
    }
    const Similarity *of_point(int64_t id) const {
        const auto found = host_of_point_.find(id);
        return found == host_of_point_.end() ? nullptr : of_keyframe(found->second);
    }
    /// That of the keyframe nearest to a place.
    const Similarity &near(const Eigen::Vector3d &place) const {
        size_t nearest = 0;
        for (size_t i = 1; i < parts_.size(); ++i) {
            if ((parts_[i].position - place).squaredNorm() < (parts_[nearest].position - place).squaredNorm()) {
                nearest = i;
            }
        }
        return parts_[nearest].change;
    }

    const std::vector<Part> &parts() const { return parts_; }

private:
    std::vector<Part> parts_;
    std::unordered_map<int64_t, size_t> part_of_keyframe_;
    std::unordered_map<int64_t, int64_t> host_of_point_;
};

}  // namespace foothold
