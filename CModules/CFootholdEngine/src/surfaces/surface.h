// A flat surface as the rest of the engine sees it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace foothold {

enum class SurfaceAlignment : int32_t { horizontal_up = 0, horizontal_down = 1, vertical = 2, other = 3 };

enum class SurfaceClass : int32_t { floor = 0, wall = 1, ceiling = 2, table = 3, seat = 4, unknown = 5 };

/// The local frame: Y is the normal towards the side that was seen, x and z lie in the surface. The frame's origin
/// and x axis stay with the surface's points for its whole life; the outline grows around them.
struct Surface {
    int32_t id = 0;
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
    Eigen::Vector3d origin_in_world = Eigen::Vector3d::Zero();
    /// Columns are the local x, y (the normal) and z axes in the world.
    Eigen::Matrix3d world_from_surface_rotation = Eigen::Matrix3d::Identity();
    /// The outline in local (x, z), counter-clockwise seen from the normal's side; may be concave.
    std::vector<Eigen::Vector2d> boundary;
    /// Middle of the outline's bounding box in local (x, z), and its size along x and z.
    Eigen::Vector2d center = Eigen::Vector2d::Zero();
    Eigen::Vector2d extent = Eigen::Vector2d::Zero();
    double area = 0;
    SurfaceAlignment alignment = SurfaceAlignment::other;
    SurfaceClass classification = SurfaceClass::unknown;
    /// 0…1.
    double confidence = 0;
    double classification_confidence = 0;
    int64_t first_seen_ns = 0;
    int64_t last_updated_ns = 0;
    /// The normal from the points alone, before gravity was taken into account, and how sure it is.
    Eigen::Vector3d free_normal = Eigen::Vector3d::UnitY();
    double free_normal_sigma_rad = 1;
    /// Which way it faces if most that is known of it stands on it; zero where that wasn't asked.
    Eigen::Vector3d resting_normal = Eigen::Vector3d::Zero();
    /// Standard deviation of the plane along its normal, metres.
    double offset_sigma_m = 1;
    int point_count = 0;

    Eigen::Vector2d to_local(const Eigen::Vector3d &point) const {
        const Eigen::Vector3d p = point - origin_in_world;
        return {world_from_surface_rotation.col(0).dot(p), world_from_surface_rotation.col(2).dot(p)};
    }
    Eigen::Vector3d to_world(const Eigen::Vector2d &local) const {
        return origin_in_world + world_from_surface_rotation.col(0) * local.x() +
               world_from_surface_rotation.col(2) * local.y();
    }
};

enum class SurfaceEventKind : int32_t { added = 0, updated = 1, merged = 2, removed = 3 };

struct SurfaceEvent {
    SurfaceEventKind kind = SurfaceEventKind::updated;
    int32_t id = 0;
    /// For merged: the surface that took it in.
    int32_t into = -1;
};

}  // namespace foothold
