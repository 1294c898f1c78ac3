// Where a surface's edge runs, told by the edges of the picture.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "map_view.h"
#include "surfaces/local_frame.h"
#include "surfaces/outline.h"

namespace foothold {

/// A surface's extent and what of it may turn out otherwise.
struct EdgeZone {
    explicit EdgeZone(FineMask mask);

    FineMask extent;
    /// By piece (CV_32S): 0 undecided, 1 surely inside, 2 surely outside.
    cv::Mat labels;
};

/// What pictures say of the pieces around a surface's edge: do they belong to what is inside it or to what is around
/// it? Evidence comes in cells as large as what it's made of, and a carton is six of them wide. Between what is surely
/// inside and what is surely outside, a watershed of the picture laid onto the plane finds the edge (Meyer, "Color
/// image segmentation", 1992), and the views vote.
class EdgeVotes {
public:
    /// Lets a picture vote, unless it shows too little of the surface. The plane is seen from its front.
    void add(const EdgeZone &zone, const LocalFrame &camera_from_local, const KeyframeView &view);
    /// The extent with its edge where most views saw it.
    FineMask apply(const EdgeZone &zone) const;
    /// Pictures that voted.
    int views() const { return views_; }
    void clear();
    void rescale(double scale) { piece_size_ *= scale; }

    /// To and from a saved world: see persistence/.
    template <typename Archive, typename Self>
    static void transfer(Archive &archive, Self &self);

private:
    /// Of the sum of a piece's votes, either way.
    static constexpr int limit = 12;
    /// Of a mask, pieces.
    static constexpr int largest_side = 512;

    bool counts_like(const FineMask &mask) const;
    /// The sum of a piece's votes; 0 outside of what was voted about.
    int at(int column, int row) const;

    /// As of the mask that was voted about last.
    Eigen::Vector2i first_ = Eigen::Vector2i::Zero();
    double piece_size_ = 1;
    int width_ = 0;
    int height_ = 0;
    int views_ = 0;
    std::vector<int8_t> votes_;
};

}  // namespace foothold
