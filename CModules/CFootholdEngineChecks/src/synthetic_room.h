// A made-up room with exact truth, seen the way a tracker's map sees it: noisy points, keyframes, small pictures.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "map_view.h"
#include "surfaces/seeded_random.h"

namespace foothold::checks {

/// A rectangle; its normal (u × v turned to where it's seen from) faces the camera.
struct Panel {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();
    Eigen::Vector3d u = Eigen::Vector3d::UnitX();
    Eigen::Vector3d v = Eigen::Vector3d::UnitZ();
    double half_u = 1;
    double half_v = 1;
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
    /// Map points per square metre.
    double points_per_square_metre = 60;
    /// Contrast of its texture in the pictures, grey levels; 0 is plain.
    double contrast = 40;
    double brightness = 128;
    /// False for what should not be found (small things, reflections).
    bool is_surface = true;
    /// Hides nothing: only there to score against.
    bool is_open = false;
    /// Keyframes during which it's there.
    int first_keyframe = 0;
    int last_keyframe = 1 << 30;
};

struct RoomOptions {
    int keyframes = 24;
    /// Camera path: from `start` to `end`, looking at `target`.
    Eigen::Vector3d start{-0.4, 1.25, 1.0};
    Eigen::Vector3d end{0.4, 1.2, 0.9};
    Eigen::Vector3d target{0, 0.75, 0};
    /// Noise of the map's points: pixels of the full-size picture.
    double pixel_noise = 0.5;
    /// Map points that belong to nothing, spread through a box.
    int clutter = 0;
    Eigen::Vector3d clutter_low = Eigen::Vector3d::Zero();
    Eigen::Vector3d clutter_high = Eigen::Vector3d::Ones();
    /// Deviation by which adjustments move the whole map from keyframe to keyframe, metres.
    double wobble = 0;
    bool renders_pictures = false;
    double up_error_rad = 0.003;
    double up_sigma_rad = 0.006;
    uint64_t seed = 1;
};

class SyntheticRoom {
public:
    SyntheticRoom(std::vector<Panel> panels, const RoomOptions &options);

    const std::vector<Panel> &panels() const { return panels_; }
    int keyframe_count() const { return options_.keyframes; }
    /// The map after keyframe `index`; valid until the next call. Call with 0, 1, 2…
    MapView view_at(int index);

private:
    struct TruePoint {
        Eigen::Vector3d position = Eigen::Vector3d::Zero();
        int panel = -1;
        double along_noise = 0;
        Eigen::Vector3d across_noise = Eigen::Vector3d::Zero();
        std::vector<int> seen_by;
    };
    struct Camera {
        Eigen::Matrix3d world_from_camera = Eigen::Matrix3d::Identity();
        Eigen::Vector3d position = Eigen::Vector3d::Zero();
    };

    double uniform() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }
    double gaussian();
    Camera camera_at(int index) const;
    bool is_hidden(const Eigen::Vector3d &point, int panel, const Eigen::Vector3d &camera, int keyframe) const;
    bool exists(const Panel &panel, int keyframe) const {
        return keyframe >= panel.first_keyframe && keyframe <= panel.last_keyframe;
    }
    void render(const Camera &camera, int keyframe, std::vector<uint8_t> *out_luma);

    std::vector<Panel> panels_;
    RoomOptions options_;
    SeededRandom random_;
    CameraModel full_, half_;
    std::vector<TruePoint> truth_;
    std::vector<MapPoint> points_;
    std::vector<KeyframeView> views_;
    std::vector<std::vector<Observation>> observations_;
    std::vector<std::vector<uint8_t>> pictures_;
};

}  // namespace foothold::checks
