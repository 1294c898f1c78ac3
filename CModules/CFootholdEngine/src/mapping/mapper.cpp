#include "mapping/mapper.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/median.h"
#include "geometry/radial_lens.h"

namespace foothold {

namespace {

/// What surfaces are looked for in at the end: 37 MB at 640 × 480.
constexpr int kKeptPictures = 96;
/// Levels at which new points may be hosted.
constexpr int kHostLevels = 3;
/// Everything is adjusted again whenever the map has grown by this factor: early errors don't stay.
constexpr double kGrowth = 1.15;
/// Keyframes adjusted at once: the time grows with the third power. So many between two frames, and so many when there
/// is time, at the end.
constexpr int kMostAtOnce = 64;
constexpr int kMostAfterwards = 300;
/// Fewer say too little about the focal length.
constexpr int kKeyframesForFocal = 5;
/// What lens and shutter that nobody modelled do to a picture is shared by all of its points and by neighbouring
/// pictures: beside a prior, observations count as if they were as noisy as this.
constexpr double kModelErrorPixels = 2;
/// Standard deviation of the logarithm of the focal length below which an estimate of it is final.
constexpr double kCertainFocalSigma = 0.003;
/// Share of its inverse depth that a point's standard deviation may be for the point to count as settled.
constexpr double kSettledSpread = 0.1;
constexpr double kOutlierPixels = 1.5;
/// A rolling shutter is believed in when the observations ask for at least so many seconds and so many standard
/// deviations; most cameras' readout lies between 5 and 33 ms.
constexpr int kKeyframesForReadout = 8;
constexpr double kLeastReadout = 0.006;
constexpr double kReadoutSigmas = 2;
constexpr double kMostReadout = 0.04;

/// A calibration is doubted when the observations ask for so much of another focal length and so many standard
/// deviations, which are this small. Of true ones it was one of them at most.
constexpr double kDoubtSigmas = 2;
constexpr double kLeastDoubt = 0.01, kMostDoubtSigma = 0.02;
/// Or of another principal point, as shares of the picture's longer side.
constexpr double kLeastCenterDoubt = 0.0075, kMostCenterDoubtSigma = 0.0075;
/// Or of a lens that bends the picture.
constexpr double kLeastBendDoubt = 0.01, kMostBendDoubtSigma = 0.01;
/// Where sights lie further off than this (standard deviation) it's the map that doesn't fit.
constexpr double kMostDoubtNoise = 0.6;
/// How far off a doubted focal length is, by belief.
constexpr double kDoubtedFocalSigma = 0.05;

/// The lens's bend is believed in when the observations ask for at least so much and so many standard deviations.
constexpr int kKeyframesForLens = 8;
constexpr double kLeastBend = 0.004;
constexpr double kBendSigmas = 2;
/// Most lenses bend the picture's corners by less, and have a second term that is nearer to the first one's square.
constexpr double kBendSigma = 0.08;
constexpr double kExcessSigma = 0.02;
/// How far from the picture's middle most principal points lie, as a share of its longer side. None lies exactly there:
/// it is taken for what the observations say beside that belief.
constexpr double kCenterSigma = 0.015;

std::vector<uint8_t> without_gaps(const ImageView &image) {
    std::vector<uint8_t> luma(static_cast<size_t>(image.width) * image.height);
    for (int row = 0; row < image.height; ++row) {
        std::copy_n(image.data + static_cast<ptrdiff_t>(row) * image.stride, image.width,
                    luma.data() + static_cast<ptrdiff_t>(row) * image.width);
    }
    return luma;
}

std::shared_ptr<const KeyframePicture> picture_of(const ImagePyramid &pyramid) {
    auto picture = std::make_shared<KeyframePicture>();
    const ImageView &full = pyramid.level(0), &half = pyramid.level(std::min(1, pyramid.level_count() - 1));
    picture->width = full.width;
    picture->height = full.height;
    picture->luma = without_gaps(full);
    picture->half_width = half.width;
    picture->half_height = half.height;
    picture->half_luma = without_gaps(half);
    picture->smoothed_noise = pyramid.smoothed_noise();
    return picture;
}

}  // namespace

int Mapper::add_keyframe(int64_t timestamp_ns, const SE3 &pose, const Twist &twist, const ImagePyramid &pyramid,
                         const Thumbnail &thumbnail, const std::vector<Track> &tracks) {
    Keyframe keyframe;
    keyframe.id = map_.next_keyframe_id();
    keyframe.timestamp_ns = timestamp_ns;
    keyframe.world_from_camera = pose;
    keyframe.twist = twist;
    keyframe.thumbnail = thumbnail;
    const int index = static_cast<int>(map_.keyframes.size());
    for (const Track &track : tracks) {
        HostedPoint &point = map_.points[track.point];
        const bool usable = track.found && (track.is_inlier || point.state == PointState::immature);
        if (!usable || point.host == index || track.level > point.level) continue;
        keyframe.observations.push_back({track.point, track.centred});
        ++point.observation_count;
    }
    keyframe.picture = picture_of(pyramid);
    map_.keyframes.push_back(std::move(keyframe));
    if (index >= kKeptPictures) {
        map_.keyframes[index - kKeptPictures].picture.reset();
    }
    return index;
}

void Mapper::host_points(int keyframe, const ImagePyramid &pyramid, int wanted_tracks, double typical_inverse_depth,
                         std::vector<Track> *tracks) {
    taken_.clear();
    for (const Track &track : *tracks) {
        if (track.found) taken_.push_back(track.pixel);
    }
    const int wanted = wanted_tracks - static_cast<int>(tracks->size());
    const double spacing = std::sqrt(static_cast<double>(camera_.width) * camera_.height / wanted_tracks) * 0.45;
    const std::vector<NewCorner> &corners = find_corners(pyramid, std::max(wanted, 0), spacing);
    if (corners.empty()) return;
    describer_.look_at(pyramid);
    described_.clear();
    for (const NewCorner &corner : corners) described_.push_back(corner.pixel);
    describer_.describe(described_, &descriptors_);
    for (size_t i = 0; i < corners.size(); ++i) {
        const Eigen::Vector2d &pixel = corners[i].pixel;
        const int index = map_.add_point();
        HostedPoint &point = map_.points[index];
        point.host = keyframe;
        point.level = corners[i].level;
        point.host_raw_pixel = pixel;
        point.host_pixel = map_.centred(camera_, pixel);
        point.host_row_rate = map_.row_rate(Eigen::Vector3d(point.host_pixel.x(), point.host_pixel.y(), map_.focal) /
                                                (map_.focal * typical_inverse_depth),
                                            map_.keyframes[keyframe].twist);
        point.inverse_depth = typical_inverse_depth;
        point.inverse_depth_variance = typical_inverse_depth * typical_inverse_depth;
        point.patch.extract(pyramid, pixel);
        point.descriptors = descriptors_[i];
        Track track;
        track.point = index;
        track.pixel = track.previous_pixel = pixel;
        track.centred = point.host_pixel;
        track.found = true;
        track.level = point.level;
        tracks->push_back(track);
    }
}

const std::vector<Mapper::NewCorner> &Mapper::find_corners(const ImagePyramid &pyramid, int wanted, double spacing) {
    new_corners_.clear();
    for (const Eigen::Vector2d &pixel : detector_.detect(pyramid.level(0), taken_, wanted, spacing, 16)) {
        new_corners_.push_back({pixel, 0});
    }
    // Where the finest level leaves too few to go by, soft spots of coarser ones have to do.
    const int enough = (wanted + static_cast<int>(taken_.size())) / 2;
    for (int level = 1; level < std::min(kHostLevels, pyramid.level_count()); ++level) {
        const int missing = enough - static_cast<int>(taken_.size() + new_corners_.size());
        if (missing <= 0) break;
        const double scale = 1 << level;
        taken_at_level_.clear();
        for (const Eigen::Vector2d &pixel : taken_) taken_at_level_.push_back(pixel / scale);
        for (const NewCorner &corner : new_corners_) taken_at_level_.push_back(corner.pixel / scale);
        for (const Eigen::Vector2d &pixel : coarse_detector_.detect(pyramid.level(level), taken_at_level_, missing,
                                                                    std::max(4.0, spacing / scale), 8)) {
            new_corners_.push_back({pixel * scale, level});
        }
    }
    return new_corners_;
}

void Mapper::look_for_texture(const ImagePyramid &pyramid) {
    taken_.clear();
    detector_.detect(pyramid.level(0), taken_, 0, 1, 16);
}

double Mapper::typical_inverse_depth() const {
    std::vector<double> values;
    const int newest = static_cast<int>(map_.keyframes.size()) - 1;
    const SE3 camera_from_world = map_.keyframes[newest].world_from_camera.inverse();
    const auto consider = [&](const HostedPoint &point) {
        if (point.state != PointState::mature) return;
        const double z = (camera_from_world * map_.position_in_world(point)).z();
        if (z > 1e-6) values.push_back(1 / z);
    };
    for (const Sighting &o : map_.keyframes[newest].observations) consider(map_.points[o.point]);
    return values.empty() ? 1 : median(values);
}

void Mapper::free_focal(double prior, double sigma) {
    focal_is_free_ = true;
    prior_focal_ = prior;
    prior_focal_sigma_ = log_focal_sigma_ = sigma;
}

Mapper::Knowledge Mapper::knowledge() const {
    return {noise_pixels, adjusted_count_, focal_is_free_, prior_focal_, prior_focal_sigma_, log_focal_sigma_};
}

void Mapper::restore(const Knowledge &knowledge) {
    noise_pixels = knowledge.noise_pixels;
    adjusted_count_ = knowledge.adjusted_count;
    focal_is_free_ = knowledge.focal_is_free;
    prior_focal_ = knowledge.prior_focal;
    prior_focal_sigma_ = knowledge.prior_focal_sigma;
    log_focal_sigma_ = knowledge.log_focal_sigma;
    // What doesn't fit doesn't fit another world of the session either.
    if (has_doubted_ && prior_focal_ == 0) free_focal(map_.focal, kDoubtedFocalSigma);
}

void Mapper::take_lens(double sigma) {
    // Centred pixels don't depend on the focal length where the bend stays the same.
    const CameraModel before = camera_;
    camera_.fx *= problem_.focal / map_.focal;
    camera_.fy *= problem_.focal / map_.focal;
    map_.focal = problem_.focal;
    log_focal_sigma_ = sigma;
    focal_is_free_ = sigma > kCertainFocalSigma;
    if (!is_bend_all(before)) return;
    set_bend(problem_.shared.bend, &camera_);
    set_center(problem_.shared.center, &camera_);
    map_.change_lens({before, camera_});
}

void Mapper::take_readout(const BundleSummary &summary) {
    const double readout = summary.shared.readout, size = std::abs(readout);
    const bool is_believed = size > kLeastReadout && size > kReadoutSigmas * summary.shared_sigma.readout;
    map_.readout = is_believed ? std::clamp(readout, -kMostReadout, kMostReadout) : 0;
}

BundleSummary Mapper::adjust_window(int window) {
    const int count = static_cast<int>(map_.keyframes.size());
    if (count < adjusted_count_) adjusted_count_ = 0;
    const bool all = count <= window || (count >= kGrowth * adjusted_count_ && count <= kMostAtOnce);
    if (all) adjusted_count_ = count;
    return adjust_from(all ? 1 : count - window, 5, 1e-4);
}

BundleSummary Mapper::adjust_all(int max_iterations) {
    const int count = static_cast<int>(map_.keyframes.size());
    // What was told until then is of the camera as it was given.
    return adjust_from(std::max(1, count - kMostAfterwards), max_iterations, 1e-7, false);
}

void Mapper::state_problem(int max_iterations, double tolerance, const Asked &asked) {
    const int keyframe_count = static_cast<int>(map_.keyframes.size());
    problem_.world_from_camera.clear();
    problem_.is_fixed.clear();
    problem_.points.clear();
    problem_.observations.clear();
    problem_.focal = map_.focal;
    problem_.refine_focal = asked.focal;
    problem_.prior_focal = prior_focal_;
    problem_.prior_focal_sigma = prior_focal_sigma_;
    problem_.prior_noise_pixels = kModelErrorPixels;
    problem_.huber_pixels = std::max(0.5, 2 * noise_pixels);
    problem_.max_iterations = max_iterations;
    problem_.tolerance = tolerance;
    pose_of_keyframe_.assign(keyframe_count, -1);
    point_of_map_.assign(map_.points.size(), -1);
    map_of_point_.clear();
    keyframe_of_pose_.clear();
    problem_.shared = {map_.readout, bend_of(camera_), center_of(camera_)};
    problem_.refine_readout = asked.readout && map_.readout != 0;
    problem_.probe_readout = asked.readout && map_.readout == 0;
    problem_.refine_bend = asked.bend;
    problem_.probe_bend = asked.probes_bend;
    problem_.prior_bend_sigma = {kBendSigma, kExcessSigma};
    const double longer_side = std::max(camera_.width, camera_.height);
    problem_.refine_center = asked.center;
    problem_.probe_camera = asked.probes_camera;
    problem_.prior_center = believed_center_;
    problem_.prior_center_sigma = kCenterSigma * longer_side;
    problem_.half_diagonal = half_diagonal(camera_);
    const auto sight_of = [&](const Eigen::Vector2d &pixel) {
        BundleSight sight;
        sight.pixel = pixel;
        const SharedModel &lens = problem_.shared;
        if (asked.center) sight.in_picture = lens.center + bent(pixel, lens.bend, problem_.half_diagonal);
        return sight;
    };
    const auto pose_index = [&](int keyframe) {
        if (pose_of_keyframe_[keyframe] < 0) {
            pose_of_keyframe_[keyframe] = static_cast<int>(problem_.world_from_camera.size());
            problem_.world_from_camera.push_back(map_.keyframes[keyframe].world_from_camera);
            problem_.is_fixed.push_back(is_variable_[keyframe] == 0);
            keyframe_of_pose_.push_back(keyframe);
        }
        return pose_of_keyframe_[keyframe];
    };
    // Every mature point that a variable keyframe sees or hosts takes part, with all of its observations.
    for (int k = 0; k < keyframe_count; ++k) {
        if (is_variable_[k] == 0) continue;
        pose_index(k);
        for (const Sighting &o : map_.keyframes[k].observations) {
            if (map_.points[o.point].state != PointState::unused) point_of_map_[o.point] = 0;
        }
    }
    for (size_t i = 0; i < map_.points.size(); ++i) {
        HostedPoint &point = map_.points[i];
        const bool hosted_here = point.state != PointState::unused && is_variable_[point.host] != 0;
        const bool used = (point_of_map_[i] == 0 || hosted_here) && point.observation_count > 0;
        point_of_map_[i] = -1;
        if (!used) continue;
        point_of_map_[i] = static_cast<int>(problem_.points.size());
        BundlePoint bundle_point;
        bundle_point.host = pose_index(point.host);
        bundle_point.in_host = sight_of(point.host_pixel);
        bundle_point.inverse_depth = point.inverse_depth;
        bundle_point.weight = 1 / (level_noise(point.level) * level_noise(point.level));
        point.host_row_rate =
            map_.row_rate(map_.host_bearing(point) / point.inverse_depth, map_.keyframes[point.host].twist);
        bundle_point.in_host.row_rate = point.host_row_rate;
        problem_.points.push_back(bundle_point);
        map_of_point_.push_back(static_cast<int>(i));
    }
    for (int k = 0; k < keyframe_count; ++k) {
        const Keyframe &keyframe = map_.keyframes[k];
        const SE3 camera_from_world = keyframe.world_from_camera.inverse();
        for (const Sighting &o : keyframe.observations) {
            const int point = point_of_map_[o.point];
            if (point < 0) continue;
            BundleObservation observation;
            observation.point = point;
            observation.pose = pose_index(k);
            observation.sight = sight_of(o.pixel);
            // Without a readout nothing asks for it.
            if (asked.readout || map_.readout != 0) {
                observation.sight.row_rate =
                    map_.row_rate(camera_from_world * map_.position_in_world(map_.points[o.point]), keyframe.twist);
            }
            problem_.observations.push_back(observation);
        }
    }
    std::stable_sort(problem_.observations.begin(), problem_.observations.end(),
                     [](const BundleObservation &a, const BundleObservation &b) { return a.point < b.point; });
}

bool Mapper::is_doubtful(const BundleSummary &answer) const {
    // A deviation of 0 is of a variance that came out negative.
    const auto is_surely_off = [](double off, double sigma, double least, double most_sigma) {
        return sigma > 0 && sigma < most_sigma && std::abs(off) > std::max(least, kDoubtSigmas * sigma);
    };
    if (answer.noise_pixels > kMostDoubtNoise) return false;
    const double side = std::max(camera_.width, camera_.height);
    const Eigen::Vector2d off = (answer.shared.center - center_of(camera_)) / side;
    const Eigen::Vector2d sigma = answer.shared_sigma.center / side;
    return is_surely_off(answer.log_focal_step, answer.log_focal_sigma, kLeastDoubt, kMostDoubtSigma) ||
           is_surely_off(off.x(), sigma.x(), kLeastCenterDoubt, kMostCenterDoubtSigma) ||
           is_surely_off(off.y(), sigma.y(), kLeastCenterDoubt, kMostCenterDoubtSigma) ||
           is_surely_off(answer.shared.bend.x(), answer.shared_sigma.bend.x(), kLeastBendDoubt, kMostBendDoubtSigma);
}

BundleSummary Mapper::adjust_from(int first_variable, int max_iterations, double tolerance, bool may_begin_doubt) {
    const auto count = static_cast<int>(map_.keyframes.size());
    is_variable_.assign(count, 0);
    std::fill(is_variable_.begin() + std::min(first_variable, count), is_variable_.end(), 1);
    return adjust(first_variable <= 1, max_iterations, tolerance, may_begin_doubt);
}

BundleSummary Mapper::adjust_around(const std::vector<int> &nearness, int max_iterations) {
    const auto count = static_cast<int>(map_.keyframes.size());
    if (count <= kMostAtOnce) {
        adjusted_count_ = count;
        return adjust_from(1, max_iterations, 1e-4);
    }
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return nearness[a] > nearness[b]; });
    is_variable_.assign(count, 0);
    for (int i = 0; i < kMostAtOnce && nearness[order[i]] > 0; ++i) is_variable_[order[i]] = order[i] > 0;
    return adjust(false, max_iterations, 1e-4);
}

BundleSummary Mapper::adjust(bool is_whole, int max_iterations, double tolerance, bool may_begin_doubt) {
    const auto count = static_cast<int>(map_.keyframes.size());
    Asked asked;
    asked.focal = focal_is_free_ && is_whole && count >= kKeyframesForFocal;
    asked.readout = is_whole && count >= kKeyframesForReadout;
    // Once it was free, it isn't the calibration's any more.
    const bool is_as_given = may_doubt_ && !has_doubted_ && prior_focal_ == 0;
    asked.probes_camera = is_as_given && may_begin_doubt && is_whole && count >= kKeyframesForLens;
    const auto weigh_lens = [&] {
        asked.center = asked.focal && is_bend_all(camera_) && count >= kKeyframesForLens;
        asked.bend = asked.center && !bend_of(camera_).isZero(0);
        asked.probes_bend = asked.center && !asked.bend;
    };
    weigh_lens();
    const auto solve = [&] {
        state_problem(max_iterations, tolerance, asked);
        return adjuster_.solve(problem_);
    };
    BundleSummary summary = solve();
    if (asked.probes_camera && is_doubtful(summary)) {
        note_doubt(summary.shared.center);
        free_focal(map_.focal, kDoubtedFocalSigma);
        asked.focal = true;
        asked.probes_camera = false;
        weigh_lens();
        summary = solve();
    }
    if (asked.probes_bend &&
        std::abs(summary.shared.bend.x()) > std::max(kLeastBend, kBendSigmas * summary.shared_sigma.bend.x())) {
        asked.bend = true;
        asked.probes_bend = false;
        summary = solve();
    }
    if (is_whole) {
        before_.clear();
        for (const Keyframe &keyframe : map_.keyframes) before_.push_back(keyframe.world_from_camera);
    }
    if (asked.focal) take_lens(summary.log_focal_sigma);
    if (asked.readout) take_readout(summary);
    noise_pixels = std::clamp(summary.noise_pixels, 0.15, 1.0);
    for (size_t p = 0; p < problem_.world_from_camera.size(); ++p) {
        map_.keyframes[keyframe_of_pose_[p]].world_from_camera = problem_.world_from_camera[p];
    }
    for (size_t p = 0; p < problem_.points.size(); ++p) {
        HostedPoint &point = map_.points[map_of_point_[p]];
        point.inverse_depth = problem_.points[p].inverse_depth;
        point.inverse_depth_variance = problem_.points[p].variance * noise_pixels * noise_pixels;
        const double relative = std::sqrt(point.inverse_depth_variance) / point.inverse_depth;
        if (point.state == PointState::immature && relative < kSettledSpread) point.state = PointState::mature;
    }
    if (is_whole) stay_in_place();
    // Observations that no pose explains are wrong matches.
    for (const BundleObservation &o : problem_.observations) {
        if (o.residual < std::max(kOutlierPixels, 5 * noise_pixels)) continue;
        const int index = map_of_point_[o.point];
        Keyframe &keyframe = map_.keyframes[keyframe_of_pose_[o.pose]];
        std::erase_if(keyframe.observations, [index](const Sighting &other) { return other.point == index; });
        --map_.points[index].observation_count;
    }
    return summary;
}

void Mapper::stay_in_place() {
    const auto count = static_cast<double>(before_.size());
    Eigen::Vector3d turn = Eigen::Vector3d::Zero(), middle_before = turn, middle = turn;
    for (size_t k = 0; k < before_.size(); ++k) {
        const SE3 &pose = map_.keyframes[k].world_from_camera;
        turn += so3_log(before_[k].rotation * pose.rotation.transpose()) / count;
        middle_before += before_[k].translation / count;
        middle += pose.translation / count;
    }
    Similarity change;
    change.rotation = so3_exp(turn);
    double agreement = 0, spread = 0;
    for (size_t k = 0; k < before_.size(); ++k) {
        const Eigen::Vector3d away = map_.keyframes[k].world_from_camera.translation - middle;
        agreement += (before_[k].translation - middle_before).dot(change.rotation * away);
        spread += away.squaredNorm();
    }
    if (!(agreement > 0)) return;
    change.scale = agreement / spread;
    change.translation = middle_before - change.scale * (change.rotation * middle);
    for (Keyframe &keyframe : map_.keyframes) keyframe.world_from_camera = change * keyframe.world_from_camera;
    for (const int index : map_of_point_) {
        HostedPoint &point = map_.points[index];
        point.inverse_depth /= change.scale;
        point.inverse_depth_variance /= change.scale * change.scale;
    }
}

void Mapper::cull(const std::vector<Track> &tracks) {
    std::vector<uint8_t> followed(map_.points.size(), 0);
    for (const Track &track : tracks) followed[track.point] = 1;
    std::vector<uint8_t> useless(map_.points.size(), 0);
    for (size_t i = 0; i < map_.points.size(); ++i) {
        const HostedPoint &point = map_.points[i];
        if (point.state == PointState::unused || followed[i]) continue;
        useless[i] = point.state == PointState::immature || point.observation_count < 2;
    }
    map_.remove_points(useless);
}

}  // namespace foothold
