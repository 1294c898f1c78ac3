#include "surfaces/label_votes.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace foothold {
namespace {

/// Of a piece, relative to the surface's distance, and how many there are to a side at most.
constexpr double piece_share = 0.007;
constexpr int largest_side = 360;
/// Relative to its distance: how far beyond its outline a surface is looked for. Plain walls reach far beyond what is
/// known of them, and things end.
constexpr double usual_reach = 0.25, reach_of_walls = 0.5, reach_of_small = 0.12;
/// So many times as many, and pieces become larger.
constexpr double most_growth = 1.25;
/// Radians, and relative to the distance: what a surface's frame turns and moves when it's refined.
constexpr double most_turned = 0.05, most_rolled = 0.01, most_moved = 0.05;
/// Cosine of the least angle to the plane under which it's looked at.
constexpr double least_facing = 0.08;
/// Relative: what lies this far behind a plane is behind it.
constexpr float clearly_behind = 0.02f;
/// Relative to its distance, what is behind what bounds the place.
constexpr double leeway_of_bounds = 0.01;
/// Cosine of the angle between normals up to which one plane ends another, and the share of its extent that it may take
/// away.
constexpr double crossing = 0.7, most_behind = 0.4;
/// Of a straight view's vote: what the outline so far counts, and in its rim.
constexpr double say_of_outline = 0.6, say_of_rim = 0.05;
/// Evidence may hang over a large level surface's edge by this share of its distance, seen under a flat angle; of a
/// narrow one by this share of its half width.
constexpr double rim_of_large = 0.084, rim_of_narrow = 0.5;
/// What is plain itself by this share has no such rim: what lies on it has edges, too.
constexpr double plain_itself = 0.3;
/// Of another place's: what a plain one counts, which belongs to what it touches, unless the surface is plain itself.
constexpr double say_of_plain = 0.2;
/// Of the outline so far, so much must be voted about, and so much must be left: what pictures can't tell from others
/// at its depth isn't gone.
constexpr double least_voted = 0.3, least_left = 0.3;
/// Deviation of the weights with which a piece's neighbours have a say, pieces.
constexpr double neighbourhood = 0.8;
/// Of the distance squared: what is smaller is in one piece, without necks narrower than this share of its width, but
/// for floors: beside a desk little is seen of them, here and there.
constexpr double may_be_parted = 0.25, narrow = 0.5;
/// Half of that, pieces.
constexpr int widest_neck = 8;
/// Of a disc's radius: how far from it a square's corner is, that it touches with both sides.
constexpr double cut_from_corners = 0.42;
/// Around the outline so far of what is small: of the mean votes within it, so many say nothing.
constexpr double least_share = 0.2;

/// The inverse depth of a plane in a camera's axes, by pixels.
Eigen::Vector3d inverse_depth_of(const Plane &plane, const KeyframeView &view) {
    const Eigen::Vector3d normal = view.world_from_camera_rotation.transpose() * plane.normal;
    const double height = plane.offset - plane.normal.dot(view.camera_in_world);
    const CameraModel &camera = view.luma_camera;
    const double right = normal.x() / camera.fx, down = normal.y() / camera.fy;
    return Eigen::Vector3d(normal.z() - right * camera.cx - down * camera.cy, right, down) / height;
}

/// Keeps the parts that share something with `known`, or of these only the one that shares the most.
void keep_parts(const cv::Mat &known, bool only_best, cv::Mat &mask) {
    cv::Mat parts;
    const int count = cv::connectedComponents(mask, parts, 4, CV_32S);
    std::vector<int> shared(static_cast<size_t>(count), 0);
    for (int row = 0; row < mask.rows; ++row) {
        for (int column = 0; column < mask.cols; ++column) {
            if (known.at<uint8_t>(row, column)) ++shared[static_cast<size_t>(parts.at<int>(row, column))];
        }
    }
    shared[0] = 0;
    const int most = *std::max_element(shared.begin(), shared.end());
    const int least = only_best ? std::max(most, 1) : 1;
    for (int row = 0; row < mask.rows; ++row) {
        for (int column = 0; column < mask.cols; ++column) {
            if (shared[static_cast<size_t>(parts.at<int>(row, column))] < least) mask.at<uint8_t>(row, column) = 0;
        }
    }
}

/// An outline has no holes: what stands on a table leaves no neck between it and the table's edge.
void fill_holes(cv::Mat &mask) {
    std::vector<std::vector<cv::Point>> contours;
    cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
    cv::drawContours(mask, contours, -1, cv::Scalar(255), cv::FILLED);
}

}  // namespace

LabelVotes::LabelVotes(const TrackedSurface &surface) { follow(surface); }

bool LabelVotes::is_where_it_was(const TrackedSurface &surface) const {
    const Eigen::Matrix3d &axes = surface.shown.world_from_surface_rotation;
    return std::abs(axes.col(0).dot(axes_.col(2))) < most_rolled &&
           angle_between(axes.col(0), axes_.col(0)) < most_turned &&
           angle_between(axes.col(1), axes_.col(1)) < most_turned &&
           (surface.shown.origin_in_world - origin_).norm() < most_moved * distance_;
}

void LabelVotes::make_pieces_larger() {
    // Two pieces become one, so that the first of them has an even place.
    const int left = known_.first.x() & 1, above = known_.first.y() & 1;
    for (cv::Mat *votes : {&inside_, &outside_}) {
        const int right = (votes->cols + left) & 1, below = (votes->rows + above) & 1;
        cv::copyMakeBorder(*votes, *votes, above, below, left, right, cv::BORDER_CONSTANT, cv::Scalar(0));
        cv::resize(*votes, *votes, {votes->cols / 2, votes->rows / 2}, 0, 0, cv::INTER_AREA);
    }
    known_.first = {(known_.first.x() - left) / 2, (known_.first.y() - above) / 2};
    known_.piece_size *= 2;
}

void LabelVotes::cover(const Eigen::Vector2d &low, const Eigen::Vector2d &high) {
    const double side = (high - low).maxCoeff();
    if (inside_.empty()) {
        known_.piece_size = std::max(piece_share * distance_, side / largest_side);
    } else {
        while (side > most_growth * largest_side * known_.piece_size) make_pieces_larger();
    }
    Eigen::Array2i first = (low / known_.piece_size).array().floor().cast<int>();
    Eigen::Array2i end = (high / known_.piece_size).array().ceil().cast<int>() + 1;
    const Eigen::Array2i old_first = known_.first, old_end = old_first + Eigen::Array2i(inside_.cols, inside_.rows);
    if (!inside_.empty()) {
        const Eigen::Array2i both_first = first.min(old_first), both_end = end.max(old_end);
        // What was voted on beside it is kept where there's room.
        if ((both_end - both_first).maxCoeff() <= most_growth * largest_side) {
            first = both_first;
            end = both_end;
        }
        if ((first == old_first).all() && (end == old_end).all()) return;
    }
    const Eigen::Array2i size = end - first;
    const Eigen::Array2i from = first.max(old_first), to = end.min(old_end);
    for (cv::Mat *votes : {&inside_, &outside_}) {
        cv::Mat wider(size.y(), size.x(), CV_32F, cv::Scalar(0));
        if (!votes->empty() && (from < to).all()) {
            const cv::Size shared(to.x() - from.x(), to.y() - from.y());
            const Eigen::Array2i source = from - old_first, target = from - first;
            (*votes)(cv::Rect(cv::Point(source.x(), source.y()), shared))
                .copyTo(wider(cv::Rect(cv::Point(target.x(), target.y()), shared)));
        }
        *votes = wider;
    }
    known_.first = first;
}

bool LabelVotes::follow(const TrackedSurface &surface) {
    const FineMask before = known_;
    const bool was_floor = is_floor_;
    const bool is_new = inside_.empty() || !is_where_it_was(surface);
    if (is_new) {
        inside_.release();
        outside_.release();
        ends_.clear();
        shown_ = shown_plain_ = 0;
    }
    plane_ = surface.plane();
    axes_ = surface.shown.world_from_surface_rotation;
    origin_ = surface.shown.origin_in_world;
    distance_ = surface.distance;
    is_floor_ = surface.shown.classification == SurfaceClass::floor;
    is_slope_ = surface.constraint() == GravityConstraint::none;
    ends_at_edges_ = !is_floor_ && surface.constraint() == GravityConstraint::horizontal &&
                     surface.shown.alignment == SurfaceAlignment::horizontal_up;
    const bool is_small = is_in_one_piece(surface.shown.area);
    goes_on_ = !is_small && surface.constraint() == GravityConstraint::vertical;
    reach_ = is_small ? reach_of_small : goes_on_ ? reach_of_walls : usual_reach;
    reach_ = std::clamp(surface.most_reach() / distance_, piece_share, reach_);
    const double margin = (reach_ + 3 * piece_share) * distance_;
    const Eigen::Vector2d half = 0.5 * surface.shown.extent + Eigen::Vector2d::Constant(margin);
    cover(surface.shown.center - half, surface.shown.center + half);
    std::vector<cv::Point> corners;
    for (const Eigen::Vector2d &corner : surface.shown.boundary) {
        const Eigen::Vector2d place = place_of(corner);
        corners.emplace_back(static_cast<int>(std::lround(place.x())), static_cast<int>(std::lround(place.y())));
    }
    known_.inside = cv::Mat(inside_.size(), CV_8U, cv::Scalar(0));
    cv::fillPoly(known_.inside, std::vector<std::vector<cv::Point>>{corners}, cv::Scalar(255));
    const bool has_rim = ends_at_edges_ && !is_small && shown_ > 0 && !is_plain_itself();
    const bool is_changed = is_new || has_rim == rim_.empty() || was_floor != is_floor_ ||
                            before.first != known_.first || before.piece_size != known_.piece_size ||
                            before.inside.size() != known_.inside.size() ||
                            cv::countNonZero(before.inside != known_.inside) > 0;
    if (is_changed) {
        cv::distanceTransform(known_.around(), away_, cv::DIST_L2, 3);
        note_rim(has_rim);
    }
    return is_changed;
}

void LabelVotes::note_rim(bool has_rim) {
    rim_.release();
    if (!has_rim) return;
    cv::Mat depth;
    double deepest = 0;
    cv::distanceTransform(known_.inside, depth, cv::DIST_L2, 3);
    cv::minMaxLoc(depth, nullptr, &deepest);
    rim_ = depth <= std::min(rim_of_large * distance_ / known_.piece_size, rim_of_narrow * deepest);
    rim_ &= known_.inside;
}

void LabelVotes::transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation) {
    plane_.transform(scale, rotation, translation);
    axes_ = rotation * axes_;
    origin_ = scale * (rotation * origin_) + translation;
    distance_ *= scale;
    for (Eigen::Vector3d &end : ends_) end.x() *= scale;
    known_.piece_size *= scale;
}

Eigen::Vector2d LabelVotes::place_of(const Eigen::Vector2d &local) const {
    return local / known_.piece_size - known_.first.cast<double>() - Eigen::Vector2d::Constant(0.5);
}

bool LabelVotes::is_in_one_piece(double area) const {
    return !is_floor_ && area < may_be_parted * distance_ * distance_;
}

bool LabelVotes::is_plain_itself() const {
    return shown_ > 0 && static_cast<double>(shown_plain_) >= plain_itself * static_cast<double>(shown_);
}

float LabelVotes::piece_in_reach() const { return static_cast<float>(known_.piece_size / (reach_ * distance_)); }

bool LabelVotes::candidate_in(const KeyframeView &view, std::span<const Plane> bounds, LabelCandidate *out) const {
    const double height = plane_.distance(view.camera_in_world);
    if (height <= 0) return false;
    const CameraModel &camera = view.luma_camera;
    out->inverse_depth = inverse_depth_of(plane_, view);
    out->goes_on = goes_on_;
    out->is_slope = is_slope_;
    out->ends_at_edges = ends_at_edges_;
    out->away = cv::Mat(SurfaceLabeller::rows(camera), SurfaceLabeller::columns(camera), CV_32F, cv::Scalar(-1));
    if (!rim_.empty()) out->rim = cv::Mat(out->away.size(), CV_8U, cv::Scalar(0));
    int left = out->away.cols, top = out->away.rows, right = 0, bottom = 0;
    // All of it is linear in (1, u, v): the ray to a pixel with z = 1 in the camera's axes, and by its inverse depth
    // where it meets the plane.
    Eigen::Matrix3d ray_of_pixel;
    ray_of_pixel << -camera.cx / camera.fx, 1 / camera.fx, 0, -camera.cy / camera.fy, 0, 1 / camera.fy, 1, 0, 0;
    const Eigen::Matrix3d way_of_pixel = view.world_from_camera_rotation * ray_of_pixel;
    const auto across_plane = [&](int axis) {
        const Eigen::Vector3d direction = axes_.col(axis);
        return Eigen::Vector3d((way_of_pixel.transpose() * direction +
                                direction.dot(view.camera_in_world - origin_) * out->inverse_depth) /
                               known_.piece_size);
    };
    const Eigen::Vector3d place_x = across_plane(0), place_y = across_plane(2);
    // How far what is seen lies before a plane, over its depth.
    std::vector<Eigen::Vector3d> before;
    for (const Plane &bound : bounds) {
        before.emplace_back(way_of_pixel.transpose() * bound.normal +
                            bound.distance(view.camera_in_world) * out->inverse_depth);
    }
    bool is_seen = false;
    const float piece = piece_in_reach();
    for (int row = 0; row < out->away.rows; ++row) {
        float *const away_in_row = out->away.ptr<float>(row);
        constexpr int step = SurfaceLabeller::site_step;
        const Eigen::Vector3d first_pixel(1, 0, step * row);
        const double first_depth = out->inverse_depth.dot(first_pixel), first_x = place_x.dot(first_pixel),
                     first_y = place_y.dot(first_pixel);
        for (int column = 0; column < out->away.cols; ++column) {
            const double across = step * column, inverse_depth = first_depth + across * out->inverse_depth.y();
            if (!(inverse_depth > 0)) continue;
            const double x = (first_x + across * place_x.y()) / inverse_depth - known_.first.x();
            const double y = (first_y + across * place_y.y()) / inverse_depth - known_.first.y();
            if (!(x >= 0 && y >= 0 && x < away_.cols && y < away_.rows)) continue;
            const Eigen::Vector3d pixel(1, across, step * row);
            const int piece_row = static_cast<int>(y), piece_column = static_cast<int>(x);
            const float away = piece * away_.at<float>(piece_row, piece_column);
            if (away > 1) continue;
            const Eigen::Vector3d ray = ray_of_pixel * pixel;
            const double length = ray.norm();
            // Where a lens shows less than it would without distortion, there is no picture.
            if (height * inverse_depth < least_facing * length || !camera.holds(camera.pixel(ray.head<2>()), 0))
                continue;
            const bool is_beyond = std::any_of(before.begin(), before.end(), [&](const Eigen::Vector3d &bound) {
                return bound.dot(pixel) < -leeway_of_bounds * length;
            });
            if (is_beyond) continue;
            away_in_row[column] = away;
            if (!rim_.empty()) out->rim.at<uint8_t>(row, column) = rim_.at<uint8_t>(piece_row, piece_column);
            left = std::min(left, column);
            right = std::max(right, column + 1);
            top = std::min(top, row);
            bottom = row + 1;
            is_seen = is_seen || away == 0;
        }
    }
    out->sites = {left, top, std::max(right - left, 0), std::max(bottom - top, 0)};
    return is_seen;
}

void LabelVotes::add(const KeyframeView &view, const SurfaceLabeller &labels, int place) {
    const CameraModel &camera = view.luma_camera;
    const Eigen::Matrix3d camera_from_world = view.world_from_camera_rotation.transpose();
    const Eigen::Matrix3d axes = camera_from_world * axes_;
    const Eigen::Vector3d origin = camera_from_world * (origin_ - view.camera_in_world);
    // The same everywhere on the plane.
    const double height = -axes.col(1).dot(origin);
    const int columns = SurfaceLabeller::columns(camera), rows = SurfaceLabeller::rows(camera);
    const float piece = piece_in_reach();
    const double of_plain = is_plain_itself() ? 1 : say_of_plain;
    for (int y = 0; y < inside_.rows; ++y) {
        const float *const away = away_.ptr<float>(y);
        float *const inside = inside_.ptr<float>(y), *const outside = outside_.ptr<float>(y);
        for (int x = 0; x < inside_.cols; ++x) {
            if (piece * away[x] > 1) continue;
            const Eigen::Vector2d local = known_.middle_of(x, y);
            const Eigen::Vector3d p = origin + local.x() * axes.col(0) + local.y() * axes.col(2);
            if (!(p.z() > 0)) continue;
            // A site stands for what is nearest to its pixel.
            constexpr double step = SurfaceLabeller::site_step;
            const double u = (camera.fx * p.x() / p.z() + camera.cx) / step + 0.5;
            const double v = (camera.fy * p.y() / p.z() + camera.cy) / step + 0.5;
            if (!(u >= 0 && v >= 0 && u < columns && v < rows)) continue;
            const auto column = static_cast<int>(u), row = static_cast<int>(v);
            const int label = labels.label_at(column, row);
            const float shown = labels.inverse_depth_at(column, row);
            const bool is_unknown = label != place && !(shown > 0);
            // Past an edge, and where one parts a rim from the rest, something else begins.
            const bool is_in_rim = !rim_.empty() && rim_.at<uint8_t>(y, x);
            const bool is_parted = is_unknown && (labels.is_past_edge_at(place, column, row) ||
                                                  (is_in_rim && labels.is_open_at(column, row)));
            if (is_unknown && !is_parted) continue;
            const double length = p.norm();
            if (height < least_facing * length) continue;
            const double nearness = std::min(1.0, distance_ / length);
            const double share = !is_parted && labels.is_plain_at(column, row) ? of_plain : 1;
            const auto say = static_cast<float>(share * height / length * nearness * nearness);
            if (is_parted) {
                outside[x] += say;
                continue;
            }
            if (label == place) {
                if (away[x] == 0 && (rim_.empty() || !rim_.at<uint8_t>(y, x))) {
                    ++shown_;
                    shown_plain_ += labels.is_plain_at(column, row);
                }
                inside[x] += say;
                continue;
            }
            // Beside another surface's edge both lie at one depth.
            const float nearest = label == SurfaceLabeller::nothing ? 1 - clearly_behind : 1 + clearly_behind;
            if (shown < nearest / static_cast<float>(p.z())) outside[x] += say;
        }
    }
}

void LabelVotes::end_at(std::span<const Plane> bounds) {
    ends_.clear();
    for (const Plane &bound : bounds) {
        if (std::abs(bound.normal.dot(plane_.normal)) > crossing) continue;
        ends_.emplace_back(bound.distance(origin_), bound.normal.dot(axes_.col(0)), bound.normal.dot(axes_.col(2)));
    }
}

void LabelVotes::cut_at_ends(cv::Mat &mask) const {
    if (ends_.empty()) return;
    const int most = static_cast<int>(most_behind * cv::countNonZero(mask));
    cv::Mat cut = mask.clone(), behind(mask.size(), CV_8U);
    for (const Eigen::Vector3d &end : ends_) {
        for (int y = 0; y < mask.rows; ++y) {
            uint8_t *const row = behind.ptr<uint8_t>(y);
            const Eigen::Vector2d first = known_.middle_of(0, y);
            const double at_first = end.dot(Eigen::Vector3d(1, first.x(), first.y())) + leeway_of_bounds * distance_;
            const double step = end.y() * known_.piece_size;
            for (int x = 0; x < mask.cols; ++x) row[x] = at_first + step * x < 0 ? 255 : 0;
        }
        if (cv::countNonZero(behind & mask) <= most) cut.setTo(0, behind);
    }
    mask = cut;
}

void LabelVotes::add_outline() {
    cv::add(inside_, cv::Scalar(1), inside_, known_.inside);
    cv::add(outside_, cv::Scalar(1), outside_, known_.around());
}

void LabelVotes::fill_gaps(const LabelVotes &earlier) {
    const double scale = known_.piece_size / earlier.known_.piece_size;
    const Eigen::Vector2d shift = earlier.place_of(known_.middle_of(0, 0));
    const cv::Matx23d place_in_earlier(scale, 0, shift.x(), 0, scale, shift.y());
    const cv::Mat is_unknown = (inside_ + outside_) == 0;
    for (cv::Mat LabelVotes::*votes : {&LabelVotes::inside_, &LabelVotes::outside_}) {
        cv::Mat before;
        cv::warpAffine(earlier.*votes, before, place_in_earlier, inside_.size(),
                       cv::INTER_NEAREST | cv::WARP_INVERSE_MAP);
        before.copyTo(this->*votes, is_unknown);
    }
}

FineMask LabelVotes::extent() const {
    cv::Mat voted = (inside_ + outside_) > 0;
    voted &= known_.inside;
    const int known = cv::countNonZero(known_.inside);
    if (cv::countNonZero(voted) < least_voted * known) return {};
    const bool is_small = is_in_one_piece(known_.area());
    const double votes = cv::mean(inside_, voted)[0];
    cv::Mat sure = inside_ - outside_;
    cv::add(sure, cv::Scalar(say_of_outline), sure, known_.inside);
    if (!rim_.empty()) cv::subtract(sure, cv::Scalar(say_of_outline - say_of_rim), sure, rim_);
    cv::subtract(sure, cv::Scalar(say_of_outline + (is_small ? least_share * votes : 0)), sure, known_.around());
    cv::GaussianBlur(sure, sure, cv::Size(), neighbourhood);
    cv::Mat inside = sure > 0;
    const auto round = [](int radius) {
        return cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * radius + 1, 2 * radius + 1});
    };
    cv::morphologyEx(inside, inside, cv::MORPH_CLOSE, round(2));
    fill_holes(inside);
    cut_at_ends(inside);
    int neck = 1;
    if (is_small) {
        cv::Mat depth;
        double deepest = 0;
        cv::distanceTransform(inside, depth, cv::DIST_L2, 3);
        cv::minMaxLoc(depth, nullptr, &deepest, nullptr, nullptr, known_.inside);
        neck = std::clamp(static_cast<int>(narrow * deepest), 1, widest_neck);
    }
    cv::Mat core;
    cv::erode(inside, core, round(neck));
    keep_parts(known_.inside, is_small, core);
    // A corner lies farther from what is left of it than an edge does.
    cv::dilate(core, core, round(neck + static_cast<int>(std::ceil(cut_from_corners * neck))));
    inside &= core;
    if (cv::countNonZero(inside) < least_left * known) return {};
    return {inside, known_.first, known_.piece_size};
}

}  // namespace foothold
