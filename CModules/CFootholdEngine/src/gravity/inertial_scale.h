// How long a metre is in a world whose own unit is arbitrary, from an accelerometer.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>
#include <optional>

#include "geometry/se3.h"
#include "gravity/inertial_reading.h"
#include "gravity/reading_delay.h"

namespace foothold {

/// Two stretches of the path that follow each other tell how the velocity changed, in the world's unit; the forces in
/// between, turned into the world by the poses and integrated, tell the same in metres. Scale, gravity and the sensor's
/// bias are what makes them agree (linear, as in Martinelli, "Closed-form solution of visual-inertial structure from
/// motion", IJCV 2014, with the turns known from pictures), with gravity as strong as it is on Earth.
/// How late the readings are dated is told by the gyroscope first.
class InertialScale {
public:
    struct Estimate {
        /// Metres in a unit of the world.
        double metres_per_unit = 1;
        /// Standard deviation, relative.
        double relative_sigma = 1;
        /// The sensor's bias in the camera's axes, m/s².
        Eigen::Vector3d bias = Eigen::Vector3d::Zero();
        /// m/s², in the world; and the deviation of its direction about each axis normal to it, radians.
        Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
        double gravity_sigma_rad = 1;
    };

    /// Angular rate (rad/s) and specific force (m/s²) in the camera's axes, in time order.
    void add_reading(int64_t timestamp_ns, const Eigen::Vector3d &gyro, const Eigen::Vector3d &accel);
    /// The camera's pose at a frame's time, after the readings up to then.
    void add_pose(int64_t timestamp_ns, const SE3 &world_from_camera);
    /// The world's frame was changed: x' = scale · rotation · x + anything.
    void transform(double scale, const Eigen::Matrix3d &rotation);
    /// The world is another one; how late readings are dated stays known.
    void reset();

    /// None while too little is known. Takes some tens of microseconds.
    std::optional<Estimate> estimate() const;

private:
    /// A stretch of the path.
    struct Stretch {
        double seconds = 0;
        /// In the world's unit.
        Eigen::Vector3d way = Eigen::Vector3d::Zero();
        /// What the forces make of a camera that was at rest: its velocity, and how far it came, m/s and m.
        Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), path = Eigen::Vector3d::Zero();
        /// Of these by the bias, negated.
        Eigen::Matrix3d velocity_by_bias = Eigen::Matrix3d::Zero(), path_by_bias = Eigen::Matrix3d::Zero();
    };
    /// unit_change = (metric_change + seconds · gravity − by_bias · bias) / scale
    struct Equation {
        Eigen::Vector3d unit_change, metric_change;
        double seconds;
        Eigen::Matrix3d by_bias;
    };

    /// The next pose doesn't follow on from the last one.
    void interrupt();
    InertialReading reading_at(int64_t timestamp_ns) const;
    /// From the oldest pose that waits to the one after it; false where readings lack.
    bool integrate();
    void close_stretch();
    /// Dates readings anew where they are found to be late.
    void follow_delay();

    /// From the last before the oldest pose that waits, dated as the poses are.
    std::deque<InertialReading> readings_;
    std::deque<TimedPose> poses_;
    Stretch stretch_;
    std::optional<Stretch> last_;
    std::deque<Equation> equations_;
    ReadingDelay delay_;
    /// What was taken from the readings' dates so far.
    int64_t taken_delay_ns_ = 0;
};

}  // namespace foothold
