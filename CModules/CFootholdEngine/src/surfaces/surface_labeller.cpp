#include "surfaces/surface_labeller.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "geometry/median.h"
#include "surfaces/lens_free_picture.h"
#include "surfaces/plain_regions.h"

namespace foothold {
namespace {

/// Deviations of the noise up to which differences count, and what noise there is at least: a picture that is moved by
/// parts of a pixel differs, too.
constexpr float most_difference = 4;
constexpr double least_noise = 2.5, noise_of_two = 2;
/// In these: what it takes to be none of the surfaces, to be one as far beyond its outline as it's looked for, and to
/// be another than the neighbour.
constexpr float price_of_nothing = 0.6f, price_of_reach = 0.375f, price_of_change = 1.5f;
/// What it costs to be a surface where it's plain and beyond all outlines: hardly more than to be nothing, so that what
/// lies beside it decides, up to an edge.
constexpr float price_in_open = 0.01f;
/// What costs less is told well.
constexpr float told_well = 0.6f;
/// What is known of nothing costs, and what can't be.
constexpr float unknown = 1, impossible = 8;
/// Grey levels of an edge across which neighbours hardly matter, and how much they still do.
constexpr float typical_edge = 8, least_say = 0.1f;
/// Pixels, and deviations of the noise: what differs less within such a square is plain.
constexpr int plain_side = 5;
constexpr double plain_range = 3;
/// Every so many pixels the pictures' brightness is compared.
constexpr int sparse_step = 4;

/// Sites: an edge of the picture is so wide, with those beside it that aren't plain.
constexpr int edge_width = 4;

/// What no picture tells costs more than anything.
constexpr float untold = 1e9f;

/// Adds a row of differences to sums of them, and to how many there are; those below 0 are none.
void add_row(const float *values, size_t count, float *sums, float *counts) {
    for (size_t x = 0; x < count; ++x) {
        const bool is_told = values[x] >= 0;
        sums[x] += is_told ? values[x] : 0.0f;
        counts[x] += is_told ? 1.0f : 0.0f;
    }
}

/// Means over three places from each one on, where enough of them are told.
void take_means(const float *sums, const float *counts, size_t count, float *out) {
    for (size_t x = 0; x < count; ++x) {
        const float known = counts[x] + counts[x + 1] + counts[x + 2], sum = sums[x] + sums[x + 1] + sums[x + 2];
        out[x] = known > 4 ? sum / known : untold;
    }
}

/// Of three costs or four the mean of the best two, of fewer the best: what hides a place in some pictures doesn't in
/// all. -1 where none is told.
float better_half(const std::array<float, SurfaceLabeller::most_pairs> &costs) {
    float first = untold, second = untold, third = untold;
    for (const float cost : costs) {
        third = std::min(third, std::max(second, cost));
        second = std::min(second, std::max(first, cost));
        first = std::min(first, cost);
    }
    if (first >= untold) return -1;
    return third >= untold ? first : 0.5f * (first + second);
}

}  // namespace

void SurfaceLabeller::prepare(std::span<const ViewPair> pairs, const KeptDepth &depth) {
    const KeyframeView &newest = *pairs[0].from;
    own_ = without_lens(newest);
    noise_ = std::max(least_noise, noise_of_two * depth.grey_noise);
    pairs_.clear();
    others_.clear();
    for (const ViewPair &pair : pairs) {
        const cv::Mat &numbers = pairs_.emplace_back(pairs_without_lens(*pair.to));
        fh_sweep_other other = {};
        other.picture = {numbers.ptr<uint16_t>(), numbers.cols, numbers.rows, numbers.cols};
        const Eigen::Matrix3d matrix = pair.pixel_matrix();
        const Eigen::Vector3d shift = pair.pixel_shift();
        for (int k = 0; k < 9; ++k) other.matrix[k] = static_cast<float>(matrix(k / 3, k % 3));
        for (int k = 0; k < 3; ++k) other.shift[k] = static_cast<float>(shift(k));
        note_offset(depth, &other);
        others_.push_back(other);
    }
}

void SurfaceLabeller::layer(const KeptDepth &depth, int across, int down, int row, std::span<float> out) const {
    constexpr int size = DepthSweep::cell_size / 2;
    std::fill(out.begin(), out.end(), 0.0f);
    const auto end = static_cast<int>(out.size());
    const int from_y = row / size + down;
    if (row / size >= depth.rows() || from_y < 0 || from_y >= depth.rows()) return;
    for (int column = 0; column < depth.columns; ++column) {
        const int from_x = column + across;
        if (from_x < 0 || from_x >= depth.columns) continue;
        const Eigen::Vector3f &piece = depth.pieces[static_cast<size_t>(from_y) * depth.columns + from_x];
        if (!(piece.x() > 0)) continue;
        const Eigen::Vector2f middle = DepthSweep::middle_of_quarter(from_x, from_y).cast<float>();
        const float own = piece.x() + piece.z() * (static_cast<float>(row) - middle.y());
        for (int x = column * size; x < std::min((column + 1) * size, end); ++x)
            out[x] = std::max(0.0f, own + piece.y() * (static_cast<float>(x) - middle.x()));
    }
}

void SurfaceLabeller::note_offset(const KeptDepth &depth, fh_sweep_other *other) const {
    std::vector<double> found;
    std::vector<float> inverse_depths(static_cast<size_t>(own_.cols));
    for (int y = 0; y < own_.rows; y += sparse_step) {
        layer(depth, 0, 0, y, inverse_depths);
        for (int x = 0; x < own_.cols; x += sparse_step) {
            const float inverse = inverse_depths[static_cast<size_t>(x)];
            if (!(inverse > 0)) continue;
            const auto seen = [&](int k) {
                const float *row = other->matrix + static_cast<ptrdiff_t>(3) * k;
                return row[0] * static_cast<float>(x) + row[1] * static_cast<float>(y) + row[2] +
                       other->shift[k] * inverse;
            };
            const float z = seen(2);
            if (!(z > 0)) continue;
            const float u = seen(0) / z + 0.5f, v = seen(1) / z + 0.5f;
            if (!(u >= 0 && v >= 0 && u < static_cast<float>(other->picture.width) &&
                  v < static_cast<float>(other->picture.height)))
                continue;
            const size_t at = static_cast<size_t>(v) * other->picture.stride + static_cast<size_t>(u);
            found.push_back((other->picture.pairs[at] & 255) - own_.at<uint8_t>(y, x));
        }
    }
    other->offset = static_cast<float>(median(found));
}

cv::Mat SurfaceLabeller::compare(const RowOfDepths &depths, const cv::Rect &sites) const {
    cv::Mat out(own_.rows / site_step, own_.cols / site_step, CV_32F, cv::Scalar(-1));
    // The pixels that the sites are told by.
    const int begin = std::max(site_step * sites.x - 1, 0);
    const int end = std::min(site_step * sites.br().x, own_.cols), width = end - begin;
    std::vector<fh_sweep_other> others = others_;
    for (fh_sweep_other &other : others) {
        for (int k = 0; k < 3; ++k) other.matrix[3 * k + 2] += other.matrix[3 * k] * static_cast<float>(begin);
    }
    const auto scale = static_cast<float>(1 / noise_);
    // Of each picture the three rows that a row of sites is told by. Sums have a place before the first pixel and one
    // after the last, where nothing is.
    const auto length = static_cast<size_t>(width);
    std::vector<float> inverse(3 * length), differences(3 * length * others.size()), sums(length + 2),
        counts(length + 2);
    std::array<std::vector<float>, most_pairs> means;
    means.fill(std::vector<float>(length, untold));
    int prepared = -1;
    for (int row = sites.y; row < sites.br().y; ++row) {
        const int middle = site_step * row, first = std::max(middle - 1, 0), last = std::min(middle + 1, own_.rows - 1);
        for (int y = std::max(first, prepared + 1); y <= last; ++y) {
            float *const own = inverse.data() + y % 3 * length;
            depths(y, begin, {own, length});
            for (size_t i = 0; i < others.size(); ++i) {
                fh_sweep_differ_row(own_.ptr<uint8_t>(y) + begin, width, y, own, &others[i], scale, most_difference,
                                    differences.data() + (3 * i + y % 3) * length);
            }
        }
        prepared = last;
        for (size_t i = 0; i < others.size(); ++i) {
            std::fill(sums.begin(), sums.end(), 0.0f);
            std::fill(counts.begin(), counts.end(), 0.0f);
            for (int y = first; y <= last; ++y)
                add_row(differences.data() + (3 * i + y % 3) * length, length, sums.data() + 1, counts.data() + 1);
            take_means(sums.data(), counts.data(), length, means[i].data());
        }
        float *const to = out.ptr<float>(row);
        const float *const own = inverse.data() + middle % 3 * length;
        for (int column = sites.x; column < sites.br().x; ++column) {
            const auto x = static_cast<size_t>(site_step * column - begin);
            if (own[x] > 0) to[column] = better_half({means[0][x], means[1][x], means[2][x], means[3][x]});
        }
    }
    return out;
}

void SurfaceLabeller::choose(size_t count) {
    const int columns = labels_.cols, rows = labels_.rows;
    const auto luma = [&](int column, int row) {
        return static_cast<int>(own_.at<uint8_t>(site_step * row, site_step * column));
    };
    std::array<float, 256> prices;
    for (size_t difference = 0; difference < prices.size(); ++difference) {
        const float edge = static_cast<float>(difference) / typical_edge;
        prices[difference] = price_of_change * (least_say + (1 - least_say) * std::exp(-edge * edge));
    }
    const auto price = [&](int a, int b) { return prices[static_cast<size_t>(std::abs(a - b))]; };
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

void SurfaceLabeller::compare_known(const KeptDepth &depth) {
    const int columns = own_.cols / site_step, rows = own_.rows / site_step;
    least_ = cv::Mat(rows, columns, CV_32F, cv::Scalar(impossible));
    shown_ = cv::Mat(rows, columns, CV_32F, cv::Scalar(0));
    static constexpr std::array<std::array<int, 2>, 5> around = {{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    cv::Mat inverse_depths(rows, columns, CV_32F);
    for (const auto &beside : around) {
        const int across = beside[0], down = beside[1];
        const bool is_own = across == 0 && down == 0;
        const auto depths = [&](int row, int, std::span<float> out) {
            layer(depth, across, down, row, out);
            const int site_row = std::min(row / site_step, rows - 1);
            if (row == site_step * site_row) {
                float *const at_sites = inverse_depths.ptr<float>(site_row);
                for (int column = 0; column < columns; ++column) at_sites[column] = out[site_step * column];
            }
            if (is_own) return;
            // What its own quarter tells well needn't be told by others.
            const float *known = least_.ptr<float>(site_row);
            for (int column = 0; column < columns; ++column) {
                if (known[column] < told_well) std::fill_n(out.data() + site_step * column, site_step, 0.0f);
            }
        };
        const cv::Mat found = compare(depths, cv::Rect(0, 0, columns, rows));
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
                const float value = found.at<float>(row, column);
                if (value < 0 || value >= least_.at<float>(row, column)) continue;
                least_.at<float>(row, column) = value;
                if (value > unknown) continue;
                shown_.at<float>(row, column) = inverse_depths.at<float>(row, column);
            }
        }
    }
}

void SurfaceLabeller::note_plain(std::span<const LabelCandidate> candidates) {
    const cv::Mat around = cv::getStructuringElement(cv::MORPH_RECT, {plain_side, plain_side});
    const auto at_sites = [&](const cv::Mat &pixels) {
        cv::Mat sites(own_.rows / site_step, own_.cols / site_step, CV_8U);
        for (int row = 0; row < sites.rows; ++row) {
            for (int column = 0; column < sites.cols; ++column)
                sites.at<uint8_t>(row, column) = pixels.at<uint8_t>(site_step * row, site_step * column);
        }
        return sites;
    };
    cv::Mat brightest, darkest;
    cv::dilate(own_, brightest, around);
    cv::erode(own_, darkest, around);
    const cv::Mat plain = brightest - darkest < plain_range * noise_;
    plain_ = at_sites(plain);
    open_ = plain_.clone();
    // Beside the edge at which a rim ends what lies beyond is in plain squares, too.
    cv::Mat in_plain;
    for (const LabelCandidate &candidate : candidates) {
        if (candidate.rim.empty()) continue;
        if (in_plain.empty()) {
            cv::dilate(plain, in_plain, around);
            in_plain = at_sites(in_plain);
        }
        cv::bitwise_or(open_, candidate.rim & in_plain, open_);
    }
    for (const LabelCandidate &candidate : candidates) {
        const cv::Mat away = candidate.away(candidate.sites);
        cv::Mat is_claimed = candidate.goes_on ? away >= 0 : away == 0;
        if (!candidate.rim.empty()) is_claimed.setTo(0, candidate.rim(candidate.sites));
        open_(candidate.sites).setTo(0, is_claimed);
    }
}

void SurfaceLabeller::note_ends(std::span<const LabelCandidate> candidates, std::span<const cv::Mat> compared) {
    past_.assign(candidates.size(), {});
    if (std::none_of(candidates.begin(), candidates.end(), [](const auto &c) { return c.ends_at_edges; })) return;
    cv::Mat luma;
    cv::blur(own_, luma, {plain_side, plain_side});
    cv::resize(luma, luma, plain_.size(), 0, 0, cv::INTER_NEAREST);
    luma.convertTo(luma, CV_32F);
    const PlainRegions regions(luma, plain_);
    cv::Mat least(plain_.size(), CV_32F, cv::Scalar(untold));
    for (const cv::Mat &of : compared) of.copyTo(least, (of >= 0) & (of < least));
    for (size_t i = 0; i < candidates.size(); ++i) {
        if (!candidates[i].ends_at_edges) continue;
        cv::Mat told = (candidates[i].away == 0) & (compared[i] >= 0) & (compared[i] <= unknown) &
                       (compared[i] <= least) & (plain_ == 0);
        // On the far side of an edge pictures differ already.
        cv::dilate(told, told, cv::Mat());
        told &= plain_ == 0;
        past_[i] = regions.past_edge_of(told, edge_width);
    }
}

bool SurfaceLabeller::begin(std::span<const ViewPair> pairs, const KeptDepth &depth) {
    if (pairs.size() < 2 || pairs.size() > most_pairs) return false;
    prepare(pairs, depth);
    compare_known(depth);
    return true;
}

void SurfaceLabeller::label(std::span<const LabelCandidate> candidates) {
    const int columns = own_.cols / site_step, rows = own_.rows / site_step;
    const size_t count = candidates.size() + 1;
    costs_.assign(static_cast<size_t>(columns) * rows * count, impossible);
    const auto cost = [&](int column, int row) {
        return costs_.data() + (static_cast<size_t>(row) * columns + column) * count;
    };
    labels_.create(rows, columns, CV_16S);
    note_plain(candidates);
    // Slopes are rare: what is plain is none where something level or upright may be.
    cv::Mat is_level_or_upright(rows, columns, CV_8U, cv::Scalar(0));
    for (const LabelCandidate &candidate : candidates) {
        if (!candidate.is_slope) is_level_or_upright(candidate.sites).setTo(255, candidate.away(candidate.sites) >= 0);
    }
    std::vector<cv::Mat> compared;
    for (const LabelCandidate &candidate : candidates) {
        const auto depths = [&](int row, int begin, std::span<float> out) {
            const float *away = candidate.away.ptr<float>(std::min(row / site_step, rows - 1));
            const Eigen::Vector3f plane = candidate.inverse_depth.cast<float>();
            const float first = plane.x() + plane.z() * static_cast<float>(row);
            for (int x = begin; x < begin + static_cast<int>(out.size()); ++x) {
                const bool is_possible = away[std::min(x / site_step, columns - 1)] >= 0;
                out[x - begin] = is_possible ? first + plane.y() * static_cast<float>(x) : 0;
            }
        };
        compared.push_back(compare(depths, candidate.sites));
    }
    note_ends(candidates, compared);
    for (size_t i = 0; i < candidates.size(); ++i) {
        const LabelCandidate &candidate = candidates[i];
        for (int row = candidate.sites.y; row < candidate.sites.br().y; ++row) {
            for (int column = candidate.sites.x; column < candidate.sites.br().x; ++column) {
                const float away = candidate.away.at<float>(row, column), value = compared[i].at<float>(row, column);
                if (away < 0 || is_past_edge_at(static_cast<int>(i), column, row)) continue;
                const float differs = value < 0 ? unknown : value;
                const float price = differs + price_of_reach * away;
                const bool is_open = open_.at<uint8_t>(row, column) != 0;
                const bool is_others = candidate.is_slope && is_level_or_upright.at<uint8_t>(row, column) != 0;
                if (!(is_open && is_others)) cost(column, row)[i] = is_open ? price_in_open : price;
                least_.at<float>(row, column) = std::min(least_.at<float>(row, column), differs);
            }
        }
    }
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const float price = std::min(least_.at<float>(row, column), unknown);
            cost(column, row)[count - 1] = open_.at<uint8_t>(row, column) ? 0 : price + price_of_nothing;
        }
    }
    choose(count);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int label = label_at(column, row);
            if (label == nothing) continue;
            const auto index = static_cast<size_t>(label);
            float &shown = shown_.at<float>(row, column);
            shown = static_cast<float>(
                candidates[index].inverse_depth.dot(Eigen::Vector3d(1, site_step * column, site_step * row)));
            if (compared[index].at<float>(row, column) >= 0) continue;
            // Nothing but what lies beside it told.
            labels_.at<int16_t>(row, column) = nothing;
            shown = 0;
        }
    }
}

}  // namespace foothold
