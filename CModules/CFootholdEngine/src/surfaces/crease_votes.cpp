#include "surfaces/crease_votes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foothold {
namespace {

/// Between places, relative to the distance: about a pixel of a half-size picture.
constexpr double step_share = 0.004;
/// On either side of the lines that are known, places at most.
constexpr int most_places = 2048;
/// Places along a line, and at each what is averaged: noise, but nothing that is larger.
constexpr int samples = 24, averaged = 3;
/// Pixels to either side of a line between which brightness changes.
constexpr double half_step = 1;
constexpr int widest_step = 6;
/// Grey levels, and deviations of the noise: what changes less is no step.
constexpr double least_step = 2, noise_share = 1;
/// Grey levels: what changes more says no more.
constexpr float highest_step = 20;
/// Relative to the distance: a view that sees less of a line says nothing of it.
constexpr double least_seen = 0.09;
/// Keyframes that are known to have voted.
constexpr size_t most_voters = 256;
/// Views that count: beyond that the newer ones count more.
constexpr float most_views = 60;
/// Places around the best one that say where exactly it is.
constexpr int around = 2;
/// Pixels from the picture's edges that a place must be away to be asked.
constexpr double margin = 2;

/// Where along a line a picture may show it: nowhere when that ends before it begins.
struct Stretch {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

    bool holds(double along) const { return along >= low && along <= high; }
    bool is_empty() const { return !(low <= high); }
};

/// Of a line from `origin` in a direction, in the camera's axes, what lies before the camera and within a pixel more
/// than the picture's field; all of it where the picture has a lens. Most of a long wall is out of view.
Stretch stretch_in_view(const CameraModel &camera, const Eigen::Vector3d &origin, const Eigen::Vector3d &direction) {
    Stretch stretch;
    if (camera.distortion != Distortion::none) return stretch;
    constexpr double beyond = margin - 1;
    const Eigen::Vector3d sides[] = {{0, 0, 1},
                                     {camera.fx, 0, camera.cx - beyond},
                                     {-camera.fx, 0, camera.width - beyond - camera.cx},
                                     {0, camera.fy, camera.cy - beyond},
                                     {0, -camera.fy, camera.height - beyond - camera.cy}};
    for (const Eigen::Vector3d &side : sides) {
        const double at_origin = side.dot(origin), slope = side.dot(direction);
        if (slope > 0) {
            stretch.low = std::max(stretch.low, -at_origin / slope);
        } else if (slope < 0) {
            stretch.high = std::min(stretch.high, -at_origin / slope);
        } else if (at_origin < 0) {
            stretch.high = -std::numeric_limits<double>::infinity();
        }
    }
    return stretch;
}

}  // namespace

void CreaseVotes::make_room(int first, int last) {
    if (votes_.empty()) first_ = first;
    const int begin = std::min(first, first_), end = std::max(last + 1, first_ + static_cast<int>(votes_.size()));
    votes_.insert(votes_.begin(), static_cast<size_t>(first_ - begin), Votes());
    votes_.resize(static_cast<size_t>(end - begin));
    first_ = begin;
}

void CreaseVotes::add(const KeyframeView &view, const LocalFrame &camera_from_local,
                      std::span<const CreaseSweep> sweeps, double distance, double noise, const cv::Mat &hidden) {
    if (!view.luma || std::find(voters_.begin(), voters_.end(), view.id) != voters_.end()) return;
    if (voters_.size() == most_voters) voters_.pop_front();
    voters_.push_back(view.id);
    for (const CreaseSweep &sweep : sweeps) ask(view, camera_from_local, sweep, distance, noise, hidden);
}

void CreaseVotes::ask(const KeyframeView &view, const LocalFrame &camera_from_local, const CreaseSweep &sweep,
                      double distance, double noise, const cv::Mat &hidden) {
    if (step_ == 0) step_ = step_share * distance;
    const auto first = static_cast<int>(std::floor(sweep.first / step_));
    const auto count = static_cast<int>(std::floor(sweep.last / step_)) - first + 1;
    if (count < 3 || count > most_places) return;
    constexpr float unseen = std::numeric_limits<float>::quiet_NaN();
    const auto threshold = static_cast<float>(std::max(least_step, noise_share * noise / std::sqrt(averaged)));
    const auto local_at = [&](int place, double along) {
        const double across = (first + place + 0.5) * step_;
        return sweep.runs_along_z ? Eigen::Vector2d(across, along) : Eigen::Vector2d(along, across);
    };
    std::vector<Stretch> in_view(static_cast<size_t>(count));
    int begin = count, end = 0;
    for (int i = 0; i < count; ++i) {
        in_view[i] = stretch_in_view(view.luma_camera, camera_from_local.at(local_at(i, 0)),
                                     sweep.runs_along_z ? camera_from_local.z : camera_from_local.x);
        if (in_view[i].is_empty()) continue;
        begin = std::min(begin, i);
        end = i + 1;
    }
    if (begin >= end) return;
    std::vector<float> luma(static_cast<size_t>(count), unseen);
    std::vector<Eigen::Vector2d> pixels(static_cast<size_t>(count));
    std::vector<int> seen(static_cast<size_t>(count), 0), balance(static_cast<size_t>(count), 0);
    std::vector<float> steps(static_cast<size_t>(count), 0.0f);
    for (int sample = 0; sample < samples; ++sample) {
        std::fill(luma.begin() + begin, luma.begin() + end, 0.0f);
        for (int part = 0; part < averaged; ++part) {
            const double along = sweep.low + (sample + (part + 0.5) / averaged) / samples * (sweep.high - sweep.low);
            for (int i = begin; i < end; ++i) {
                Eigen::Vector2d pixel;
                const bool is_shown =
                    in_view[i].holds(along) &&
                    view.luma_camera.project(camera_from_local.at(local_at(i, along)), margin, &pixel);
                const bool is_hidden = is_shown && hidden.at<uint8_t>(static_cast<int>(std::lround(pixel.y())),
                                                                      static_cast<int>(std::lround(pixel.x()))) != 0;
                luma[i] += is_shown && !is_hidden ? static_cast<float>(view.luma_at(pixel)) / averaged : unseen;
                if (part == averaged / 2) pixels[i] = pixel;
            }
        }
        for (int i = std::max(begin, 1); i < std::min(end, count - 1); ++i) {
            if (std::isnan(luma[i]) || std::isnan(luma[i + 1])) continue;
            const double pixels_a_place = (pixels[i + 1] - pixels[i]).norm();
            const int reach =
                std::clamp(static_cast<int>(std::lround(half_step / std::max(pixels_a_place, 1e-6))), 1, widest_step);
            if (i < reach || i + reach >= count) continue;
            const float change = luma[i + reach] - luma[i - reach];
            if (std::isnan(change)) continue;
            ++seen[i];
            steps[i] += std::clamp(change, -highest_step, highest_step);
            balance[i] += change > threshold ? 1 : change < -threshold ? -1 : 0;
        }
    }
    make_room(first, first + count - 1);
    const double length = (sweep.high - sweep.low) / samples;
    for (int i = 0; i < count; ++i) {
        if (seen[i] * length < least_seen * distance) continue;
        Votes &votes = votes_[static_cast<size_t>(first + i - first_)];
        votes.coherence += static_cast<float>(balance[i]) / static_cast<float>(seen[i]);
        votes.step += steps[i] / static_cast<float>(seen[i]);
        votes.views += 1;
        if (votes.views > most_views) votes = {0.5f * votes.coherence, 0.5f * votes.step, 0.5f * votes.views};
    }
}

template <typename Visit>
void CreaseVotes::visit(double first, double last, double least_views, Visit visit) const {
    if (votes_.empty()) return;
    const int from = std::max(0, static_cast<int>(std::floor(first / step_)) - first_);
    const int to = std::min(static_cast<int>(votes_.size()) - 1, static_cast<int>(std::floor(last / step_)) - first_);
    for (int i = from; i <= to; ++i) {
        const Votes &votes = votes_[static_cast<size_t>(i)];
        if (votes.views >= least_views) visit(i, votes);
    }
}

std::optional<double> CreaseVotes::coherence(double first, double last, double least_views) const {
    std::optional<double> most;
    visit(first, last, least_views, [&](int, const Votes &votes) {
        most = std::max<double>(most.value_or(0), std::abs(votes.coherence) / votes.views);
    });
    return most;
}

float CreaseVotes::step_at(int place) const {
    if (place < 0 || place >= static_cast<int>(votes_.size())) return 0;
    const Votes &votes = votes_[static_cast<size_t>(place)];
    return votes.views > 0 ? std::abs(votes.step) / votes.views : 0;
}

int CreaseVotes::strongest_place(double first, double last, double least_coherence, double least_views) const {
    int best = -1;
    visit(first, last, least_views, [&](int i, const Votes &votes) {
        if (std::abs(votes.coherence) < least_coherence * votes.views) return;
        if (best < 0 || step_at(i) > step_at(best)) best = i;
    });
    return best;
}

std::optional<CreaseVotes::Crease> CreaseVotes::crease_at(int place) const {
    if (place < 0) return std::nullopt;
    double weight = 0, sum = 0;
    for (int i = place - around; i <= place + around; ++i) {
        weight += step_at(i);
        sum += step_at(i) * (first_ + i + 0.5);
    }
    if (weight <= 0) return std::nullopt;
    const Votes &votes = votes_[static_cast<size_t>(place)];
    return Crease{step_ * sum / weight, std::abs(votes.coherence) / votes.views, votes.views};
}

std::optional<CreaseVotes::Crease> CreaseVotes::strongest(double first, double last, double least_coherence,
                                                          double least_views) const {
    return crease_at(strongest_place(first, last, least_coherence, least_views));
}

std::optional<CreaseVotes::Crease> CreaseVotes::last_of_strong(double first, double last, double least_coherence,
                                                               double least_views, double share) const {
    const int strongest = strongest_place(first, last, least_coherence, least_views);
    int found = strongest;
    visit(first, last, least_views, [&](int i, const Votes &votes) {
        const bool is_peak = step_at(i) >= step_at(i - 1) && step_at(i) > step_at(i + 1);
        if (i > found && is_peak && std::abs(votes.coherence) >= least_coherence * votes.views &&
            step_at(i) >= share * step_at(strongest))
            found = i;
    });
    return crease_at(found);
}

}  // namespace foothold
