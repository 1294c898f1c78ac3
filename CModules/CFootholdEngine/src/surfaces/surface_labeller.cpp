#include "surfaces/surface_labeller.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "surfaces/lens_free_picture.h"

namespace foothold {
namespace {

/// Deviations of the noise up to which differences count, and what noise there is at least: a picture that is moved by
/// parts of a pixel differs, too.
constexpr float most_difference = 4;
constexpr double least_noise = 2.5, noise_of_two = 2;
/// In these: what it takes to be none of the surfaces, to be one at `reach` beyond its outline, and to be another than
/// the neighbour.
constexpr float price_of_nothing = 0.6f, price_of_reach = 0.375f, price_of_change = 1.5f;
/// What is known of nothing costs, and what can't be.
constexpr float unknown = 1, impossible = 8;
/// Grey levels of an edge across which neighbours hardly matter, and how much they still do.
constexpr float typical_edge = 8, least_say = 0.1f;
/// Every so many pixels the pictures' brightness is compared.
constexpr int sparse_step = 4;

}  // namespace

void SurfaceLabeller::prepare(std::span<const ViewPair> pairs, const KeptDepth &depth) {
    const KeyframeView &newest = *pairs[0].from;
    own_ = without_lens(newest);
    noise_ = std::max(least_noise, noise_of_two * depth.grey_noise);
    const Eigen::Matrix3d ray_of_pixel = newest.luma_camera.matrix().inverse();
    const cv::Mat known = layer(depth, 0, 0);
    others_.clear();
    for (const ViewPair &pair : pairs) {
        const Eigen::Matrix3d pixel_of_ray = pair.to->luma_camera.matrix();
        Other other{without_lens(*pair.to), (pixel_of_ray * pair.to_from_rotation * ray_of_pixel).cast<float>(),
                    (pixel_of_ray * pair.to_from_translation).cast<float>()};
        note_offset(known, &other);
        others_.push_back(std::move(other));
    }
}

cv::Mat SurfaceLabeller::layer(const KeptDepth &depth, int across, int down) const {
    constexpr int size = DepthSweep::cell_size / 2;
    cv::Mat inverse_depth(own_.size(), CV_32F, cv::Scalar(0));
    for (int row = 0; row < depth.rows(); ++row) {
        for (int column = 0; column < depth.columns; ++column) {
            const int from_x = column + across, from_y = row + down;
            if (from_x < 0 || from_y < 0 || from_x >= depth.columns || from_y >= depth.rows()) continue;
            const Eigen::Vector3f &piece = depth.pieces[static_cast<size_t>(from_y) * depth.columns + from_x];
            if (!(piece.x() > 0)) continue;
            const Eigen::Vector2f middle = DepthSweep::middle_of_quarter(from_x, from_y).cast<float>();
            for (int y = row * size; y < row * size + size && y < own_.rows; ++y) {
                float *out = inverse_depth.ptr<float>(y);
                for (int x = column * size; x < column * size + size && x < own_.cols; ++x) {
                    out[x] = std::max(0.0f, piece.x() + piece.y() * (static_cast<float>(x) - middle.x()) +
                                                piece.z() * (static_cast<float>(y) - middle.y()));
                }
            }
        }
    }
    return inverse_depth;
}

cv::Mat SurfaceLabeller::differences(const cv::Mat &inverse_depth, const Other &other) const {
    cv::Mat out(own_.size(), CV_32F);
    const auto scale = static_cast<float>(1 / noise_);
    const cv::Mat &picture = other.picture;
    const float right = static_cast<float>(picture.cols) - 2, bottom = static_cast<float>(picture.rows) - 2;
    for (int y = 0; y < own_.rows; ++y) {
        const float *depths = inverse_depth.ptr<float>(y);
        const uint8_t *own = own_.ptr<uint8_t>(y);
        float *to = out.ptr<float>(y);
        const Eigen::Vector3f start = other.matrix.col(1) * static_cast<float>(y) + other.matrix.col(2);
        for (int x = 0; x < own_.cols; ++x) {
            to[x] = -1;
            if (!(depths[x] > 0)) continue;
            const Eigen::Vector3f seen = start + other.matrix.col(0) * static_cast<float>(x) + other.shift * depths[x];
            if (!(seen.z() > 0)) continue;
            const float u = seen.x() / seen.z(), v = seen.y() / seen.z();
            if (!(u >= 1 && v >= 1 && u <= right && v <= bottom)) continue;
            const int left = static_cast<int>(u), top = static_cast<int>(v);
            const float across = u - static_cast<float>(left), down = v - static_cast<float>(top);
            const uint8_t *above = picture.ptr<uint8_t>(top) + left, *below = above + picture.step;
            const float value =
                (1 - down) * (static_cast<float>(above[0]) + across * static_cast<float>(above[1] - above[0])) +
                down * (static_cast<float>(below[0]) + across * static_cast<float>(below[1] - below[0]));
            const float difference = std::abs(value - other.offset - static_cast<float>(own[x])) * scale;
            to[x] = std::min(difference, most_difference);
        }
    }
    return out;
}

void SurfaceLabeller::note_offset(const cv::Mat &inverse_depth, Other *other) const {
    std::vector<float> found;
    for (int y = 0; y < own_.rows; y += sparse_step) {
        for (int x = 0; x < own_.cols; x += sparse_step) {
            const float depth = inverse_depth.at<float>(y, x);
            if (!(depth > 0)) continue;
            const Eigen::Vector3f seen =
                other->matrix * Eigen::Vector3f(static_cast<float>(x), static_cast<float>(y), 1) + other->shift * depth;
            if (!(seen.z() > 0)) continue;
            const int u = static_cast<int>(std::lround(seen.x() / seen.z()));
            const int v = static_cast<int>(std::lround(seen.y() / seen.z()));
            if (u < 0 || v < 0 || u >= other->picture.cols || v >= other->picture.rows) continue;
            found.push_back(static_cast<float>(other->picture.at<uint8_t>(v, u) - own_.at<uint8_t>(y, x)));
        }
    }
    if (found.empty()) return;
    const auto middle = found.begin() + static_cast<ptrdiff_t>(found.size() / 2);
    std::nth_element(found.begin(), middle, found.end());
    other->offset = *middle;
}

cv::Mat SurfaceLabeller::compare(const cv::Mat &inverse_depth) const {
    std::vector<cv::Mat> all;
    for (const Other &other : others_) all.push_back(differences(inverse_depth, other));
    const int columns = own_.cols / site_step, rows = own_.rows / site_step;
    cv::Mat out(rows, columns, CV_32F, cv::Scalar(-1));
    std::vector<float> costs(all.size());
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int x = site_step * column, y = site_step * row;
            if (!(inverse_depth.at<float>(y, x) > 0)) continue;
            size_t known = 0;
            for (const cv::Mat &differences_to : all) {
                float sum = 0;
                int count = 0;
                for (int below = std::max(y - 1, 0); below <= std::min(y + 1, own_.rows - 1); ++below) {
                    const float *values = differences_to.ptr<float>(below);
                    for (int beside = std::max(x - 1, 0); beside <= std::min(x + 1, own_.cols - 1); ++beside) {
                        if (values[beside] < 0) continue;
                        sum += values[beside];
                        ++count;
                    }
                }
                if (count > 4) costs[known++] = sum / static_cast<float>(count);
            }
            if (known == 0) continue;
            // What hides it in some pictures doesn't in all.
            const size_t best = (known + 1) / 2;
            std::partial_sort(costs.begin(), costs.begin() + static_cast<ptrdiff_t>(best),
                              costs.begin() + static_cast<ptrdiff_t>(known));
            float sum = 0;
            for (size_t i = 0; i < best; ++i) sum += costs[i];
            out.at<float>(row, column) = sum / static_cast<float>(best);
        }
    }
    return out;
}

void SurfaceLabeller::choose(size_t count) {
    const int columns = labels_.cols, rows = labels_.rows;
    const auto luma = [&](int column, int row) {
        return static_cast<float>(own_.at<uint8_t>(site_step * row, site_step * column));
    };
    const auto price = [&](float a, float b) {
        const float edge = (a - b) / typical_edge;
        return price_of_change * (least_say + (1 - least_say) * std::exp(-edge * edge));
    };
    const auto cost = [&](std::vector<float> &of, int column, int row) {
        return of.data() + (static_cast<size_t>(row) * columns + column) * count;
    };
    sums_.assign(costs_.size(), 0.0f);
    std::vector<float> last(count), next(count);
    const auto walk = [&](int column, int row, int across, int down, int steps) {
        for (int step = 0; step < steps; ++step, column += across, row += down) {
            const float *own = cost(costs_, column, row);
            float *sum = cost(sums_, column, row);
            const float least = step == 0 ? 0 : *std::min_element(last.begin(), last.end());
            const float change = step == 0 ? 0 : price(luma(column, row), luma(column - across, row - down));
            for (size_t i = 0; i < count; ++i) {
                next[i] = own[i] + (step == 0 ? 0 : std::min(last[i] - least, change));
                sum[i] += next[i];
            }
            std::swap(last, next);
        }
    };
    for (int row = 0; row < rows; ++row) {
        walk(0, row, 1, 0, columns);
        walk(columns - 1, row, -1, 0, columns);
    }
    for (int column = 0; column < columns; ++column) {
        walk(column, 0, 0, 1, rows);
        walk(column, rows - 1, 0, -1, rows);
    }
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float *sum = cost(sums_, column, row);
            const auto best = static_cast<size_t>(std::min_element(sum, sum + count) - sum);
            labels_.at<int16_t>(row, column) =
                static_cast<int16_t>(best + 1 == count ? nothing : static_cast<int>(best));
        }
    }
}

bool SurfaceLabeller::label(std::span<const ViewPair> pairs, const KeptDepth &depth,
                            std::span<const LabelCandidate> candidates) {
    if (pairs.size() < 2 || candidates.empty()) return false;
    prepare(pairs, depth);
    const int columns = own_.cols / site_step, rows = own_.rows / site_step;
    const size_t count = candidates.size() + 1;
    costs_.assign(static_cast<size_t>(columns) * rows * count, impossible);
    const auto cost = [&](int column, int row) {
        return costs_.data() + (static_cast<size_t>(row) * columns + column) * count;
    };
    // The cheapest of what is known of each site's depth, and that.
    cv::Mat least(rows, columns, CV_32F, cv::Scalar(impossible));
    labels_.create(rows, columns, CV_16S);
    shown_ = cv::Mat(rows, columns, CV_32F, cv::Scalar(0));
    static constexpr std::array<std::array<int, 2>, 5> around = {{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    for (const auto &[across, down] : around) {
        const cv::Mat inverse_depth = layer(depth, across, down), found = compare(inverse_depth);
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
                const float value = found.at<float>(row, column);
                if (value < 0 || value >= least.at<float>(row, column)) continue;
                least.at<float>(row, column) = value;
                if (value > unknown) continue;
                shown_.at<float>(row, column) = inverse_depth.at<float>(site_step * row, site_step * column);
            }
        }
    }
    std::vector<cv::Mat> planes, compared;
    for (size_t i = 0; i < candidates.size(); ++i) {
        const LabelCandidate &candidate = candidates[i];
        cv::Mat inverse_depth(own_.size(), CV_32F);
        for (int y = 0; y < own_.rows; ++y) {
            for (int x = 0; x < own_.cols; ++x) {
                const int column = std::min(x / site_step, columns - 1), row = std::min(y / site_step, rows - 1);
                const bool is_possible = candidate.away.at<float>(row, column) >= 0;
                inverse_depth.at<float>(y, x) =
                    is_possible ? static_cast<float>(candidate.inverse_depth.dot(Eigen::Vector3d(1, x, y))) : 0;
            }
        }
        const cv::Mat found = compare(inverse_depth);
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
                const float away = candidate.away.at<float>(row, column), value = found.at<float>(row, column);
                if (away < 0) continue;
                const float differs = value < 0 ? unknown : value;
                cost(column, row)[i] = differs + price_of_reach * away / static_cast<float>(reach);
                least.at<float>(row, column) = std::min(least.at<float>(row, column), differs);
            }
        }
        planes.push_back(inverse_depth);
        compared.push_back(found);
    }
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float known = least.at<float>(row, column);
            cost(column, row)[count - 1] = std::min(known, unknown) + price_of_nothing;
        }
    }
    choose(count);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int label = label_at(column, row);
            if (label == nothing) continue;
            const auto index = static_cast<size_t>(label);
            float &shown = shown_.at<float>(row, column);
            shown = planes[index].at<float>(site_step * row, site_step * column);
            if (compared[index].at<float>(row, column) >= 0) continue;
            // Nothing but what lies beside it told.
            labels_.at<int16_t>(row, column) = nothing;
            shown = 0;
        }
    }
    return true;
}

}  // namespace foothold
