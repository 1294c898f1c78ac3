// Per-keyframe work: new keyframes, new points, and the optimisation of the window they lie in.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "frontend/corners.h"
#include "frontend/image_pyramid.h"
#include "frontend/rotation_alignment.h"
#include "geometry/camera_model.h"
#include "mapping/map.h"
#include "optimisation/bundle_adjuster.h"
#include "tracking/tracker.h"

namespace foothold {

class Mapper {
public:
    Mapper(Map &map, CameraModel &camera) : map_(map), camera_(camera) {}

    /// Adds a keyframe that sees what `tracks` found, and returns its index.
    int add_keyframe(int64_t timestamp_ns, const SE3 &pose, const Twist &twist, const ImagePyramid &pyramid,
                     const Thumbnail &thumbnail, const std::vector<Track> &tracks);
    /// Hosts new points in a keyframe where the picture has no track yet, and follows them.
    void host_points(int keyframe, const ImagePyramid &pyramid, int wanted_tracks, double typical_inverse_depth,
                     std::vector<Track> *tracks);
    /// Refines the newest keyframes and every point they see, older poses fixed; every keyframe while there are few,
    /// and each time that a map of moderate size has grown by a seventh.
    BundleSummary adjust_window(int window);
    /// Refines everything, or of a very long recording the newest few hundred keyframes.
    BundleSummary adjust_all(int max_iterations);
    /// Refines everything, or of a large map the keyframes that are nearest by this measure, the others fixed.
    BundleSummary adjust_around(const std::vector<int> &nearness, int max_iterations);
    /// Forgets points that nothing will find again. Points in `tracks` are kept.
    void cull(const std::vector<Track> &tracks);
    /// Frees what adjustments keep from one to the next, until the next one.
    void free_memory() {
        adjuster_ = BundleAdjuster();
        problem_ = BundleProblem();
    }

    /// Looks only at how much of the picture holds corners.
    void look_for_texture(const ImagePyramid &pyramid);
    double texture_share() const { return detector_.texture_share(); }
    /// Median inverse depth of the mature points that the newest keyframe sees.
    double typical_inverse_depth() const;

    /// Lets adjustments of everything refine the focal length, until it is certain, and the principal point and how
    /// much the lens bends the picture, where the camera has no distortion. `sigma` is the standard deviation of the
    /// logarithm of the focal length that is known beforehand.
    void free_focal(double prior, double sigma);
    bool focal_is_free() const { return focal_is_free_; }
    /// The camera's calibration was given, and says nothing of its lens: where what is seen says otherwise, it's taken
    /// for a guess from then on, in all worlds.
    void allow_doubt() { may_doubt_ = true; }
    /// It was found not to fit, in this session or before the world was saved, and its principal point rather lies here
    /// (from the picture's middle).
    void note_doubt(const Eigen::Vector2d &center) {
        has_doubted_ = true;
        believed_center_ = center;
    }
    bool has_doubted() const { return has_doubted_; }
    /// Standard deviation of the logarithm of the focal length.
    double log_focal_sigma() const { return log_focal_sigma_; }

    /// What the mapper has learnt beside the map itself.
    struct Knowledge {
        double noise_pixels = 0.5;
        /// How many keyframes there were when all of them were adjusted last.
        int adjusted_count = 0;
        bool focal_is_free = false;
        double prior_focal = 0, prior_focal_sigma = 0, log_focal_sigma = 0;
    };
    Knowledge knowledge() const;
    void restore(const Knowledge &knowledge);

    /// One-sigma noise of a good measurement, from the last adjustment.
    double noise_pixels = 0.5;

private:
    struct NewCorner {
        /// Level-0 pixel.
        Eigen::Vector2d pixel;
        int level;
    };
    /// Places for new points where `taken_` has none, at level 0 where there are enough.
    const std::vector<NewCorner> &find_corners(const ImagePyramid &pyramid, int wanted, double spacing);
    /// What an adjustment asks of what all observations share.
    struct Asked {
        bool focal = false;
        /// Only until there is an answer that the calibration can't be right by.
        bool probes_camera = false;
        bool readout = false;
        /// With either of the next two. How much the lens bends the picture is only asked about until there is an
        /// answer that can be believed.
        bool center = false;
        bool probes_bend = false;
        bool bend = false;
    };
    void state_problem(int max_iterations, double tolerance, const Asked &asked);
    /// The keyframes from `first_variable` on.
    BundleSummary adjust_from(int first_variable, int max_iterations, double tolerance, bool may_begin_doubt = true);
    /// The keyframes of `is_variable_`; `is_whole`: nearly all of them are.
    BundleSummary adjust(bool is_whole, int max_iterations, double tolerance, bool may_begin_doubt = true);
    /// Whether what an adjustment would rather have is surely another camera than the calibration's.
    bool is_doubtful(const BundleSummary &answer) const;
    void take_lens(double sigma);
    /// After everything was adjusted, which leaves open where the whole lies and how large it is: moves, turns and
    /// resizes it so that the keyframes lie as near as possible to where they were (`before_`). Otherwise the first
    /// keyframe would hold still, and all that is near the camera would move.
    void stay_in_place();
    void take_readout(const BundleSummary &summary);

    Map &map_;
    CameraModel &camera_;
    CornerDetector detector_;
    /// Coarser levels have hardly any noise.
    CornerDetector coarse_detector_{{3, 1.5f}};
    PictureDescriber describer_;
    std::vector<PlaceDescriptors> descriptors_;
    BundleAdjuster adjuster_;
    BundleProblem problem_;
    /// How many keyframes there were when all of them were adjusted last.
    int adjusted_count_ = 0;
    bool focal_is_free_ = false, may_doubt_ = false, has_doubted_ = false;
    /// Where the principal point is believed to lie, from the picture's middle.
    Eigen::Vector2d believed_center_ = Eigen::Vector2d::Zero();
    double prior_focal_ = 0, prior_focal_sigma_ = 0, log_focal_sigma_ = 0;
    std::vector<SE3> before_;
    std::vector<uint8_t> is_variable_;
    std::vector<int> pose_of_keyframe_, point_of_map_, map_of_point_, keyframe_of_pose_;
    std::vector<Eigen::Vector2d> taken_, taken_at_level_, described_;
    std::vector<NewCorner> new_corners_;
};

}  // namespace foothold
