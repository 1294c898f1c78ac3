// Keyframes' pictures as a lens without distortion would have shown them.
#pragma once

#include <cstdint>
#include <list>
#include <opencv2/core.hpp>
#include <vector>

#include "map_view.h"

namespace foothold {

/// Keeps those that were asked for last, which the next keyframes are compared with too, and where their pixels come
/// from. What it gives outlasts what it keeps. Used by one thread at a time.
class LensFreePictures {
public:
    /// 8 bits. Without distortion the picture is neither copied nor kept: what comes back then lives as long as it
    /// does.
    cv::Mat picture(const KeyframeView &view);
    /// The same to find pieces in (fh_pieces.h), 16 bits, in rows of its width. Kept where there's a larger picture.
    cv::Mat pairs(const KeyframeView &view);
    void forget_pairs();
    void clear();

private:
    /// By a keyframe and the size of its picture.
    struct Kept {
        int64_t keyframe_id = 0;
        CameraModel camera;
        cv::Mat picture, pairs;

        size_t bytes() const { return picture.total() + 2 * pairs.total(); }
    };
    /// Where a camera's pixels lie in its pictures, as OpenCV's remap takes them.
    struct Places {
        CameraModel camera;
        cv::Mat whole, parts;
    };

    Kept &kept(const KeyframeView &view);
    const Places &places(const CameraModel &camera);
    void forget();

    // What was asked for last goes last.
    std::list<Kept> kept_;
    std::vector<Places> places_;
};

/// From those that the view's pictures are kept in, where they are.
cv::Mat without_lens(const KeyframeView &view);
cv::Mat pairs_without_lens(const KeyframeView &view);

}  // namespace foothold
