#include "frontend/descriptors.h"

#include <algorithm>

namespace foothold {

void PictureDescriber::look_at(const ImagePyramid &pyramid) {
    pyramid_ = &pyramid;
    const ImageView &picture = pyramid.level(0);
    memory_.resize(fh_pyramid_memory_size(picture.width, picture.height, pyramid.level_count()));
    fh_pyramid_blur(&pyramid.kernel_view(), memory_.data(), memory_.size(), &blurred_);
}

void PictureDescriber::describe(const std::vector<Eigen::Vector2d> &pixels,
                                std::vector<PlaceDescriptors> *out_descriptors) {
    const auto count = static_cast<int32_t>(pixels.size());
    points_.clear();
    for (const Eigen::Vector2d &pixel : pixels) {
        points_.push_back({static_cast<float>(pixel.x()), static_cast<float>(pixel.y())});
    }
    descriptors_.resize(pixels.size());
    out_descriptors->resize(pixels.size());
    for (int level = 0; level < kDescribedLevels; ++level) {
        levels_.assign(pixels.size(), static_cast<uint8_t>(std::min(level, blurred_.level_count - 1)));
        fh_describe_points(&blurred_, points_.data(), levels_.data(), count, nullptr, descriptors_.data());
        for (size_t i = 0; i < pixels.size(); ++i) (*out_descriptors)[i][level] = descriptors_[i];
    }
}

const std::vector<DescribedCorner> &PictureDescriber::corners() {
    constexpr int kLevels = 3;
    const fh_grid_options options = {20, 6, 12, 4, 8};
    points_.clear();
    levels_.clear();
    for (int level = 0; level < std::min(kLevels, pyramid_->level_count()); ++level) {
        const ImageView &image = pyramid_->level(level);
        if (std::min(image.width, image.height) < 48) break;
        scratch_.resize(fh_grid_scratch_size(image.width, image.height, &options));
        chosen_.resize(static_cast<size_t>(fh_grid_cell_count(image.width, image.height, options.cell_size)));
        int32_t count = 0;
        fh_select_corners_grid(&image, &options, nullptr, chosen_.data(), static_cast<int32_t>(chosen_.size()), &count,
                               scratch_.data(), scratch_.size());
        const auto scale = static_cast<float>(1 << level);
        for (int32_t i = 0; i < count; ++i) {
            points_.push_back({scale * static_cast<float>(chosen_[i].x), scale * static_cast<float>(chosen_[i].y)});
            levels_.push_back(static_cast<uint8_t>(level));
        }
    }
    descriptors_.resize(points_.size());
    fh_describe_points(&blurred_, points_.data(), levels_.data(), static_cast<int32_t>(points_.size()), nullptr,
                       descriptors_.data());
    corners_.clear();
    for (size_t i = 0; i < points_.size(); ++i) {
        corners_.push_back({Eigen::Vector2d(points_[i].x, points_[i].y), descriptors_[i]});
    }
    return corners_;
}

}  // namespace foothold
