// Takes the noise of a dim room out of a picture before anything is looked for in it.
#pragma once

#include <opencv2/core.hpp>

#include "frontend/image_pyramid.h"

namespace foothold {

class NoiseFilter {
public:
    /// The picture itself while its noise does no harm; otherwise a smoothed copy, as strongly as the noise needs,
    /// valid until the next call.
    ImageView clean(const ImageView &luma);
    /// Standard deviation of the last picture's noise in grey levels, before it was cleaned.
    double noise() const { return noise_; }
    /// What cleaning left of it in the picture at half its size, grey levels; 0 where it wasn't cleaned. It can't be
    /// told from that picture: smoothed noise looks like texture.
    double left_at_half_size() const { return left_at_half_size_; }

private:
    double noise_ = 0;
    double left_at_half_size_ = 0;
    bool is_on_ = false;
    cv::Mat smoothed_;
};

/// Standard deviation of a picture's noise in grey levels, from how much a second difference in both directions varies
/// where the picture is flattest (Immerkær, "Fast noise variance estimation", 1996; the lower quartile in place of the
/// mean, so that texture doesn't count).
double noise_of(const ImageView &luma);

}  // namespace foothold
