// What is known of up and of surfaces in a saved world.
#pragma once

#include <algorithm>
#include <unordered_set>

#include "gravity/gravity_estimator.h"
#include "persistence/archive.h"
#include "surfaces/surface_tracker_state.h"

namespace foothold {

template <typename Archive, typename Self>
void GravityEstimator::transfer(Archive &archive, Self &self) {
    const size_t directions = self.directions_.size();
    transfer_rotation(archive, self.own_from_world_);
    for (auto *votes : {&self.held_votes_, &self.edge_votes_}) {
        archive.list(*votes, directions, 4, [&](auto &vote) { archive.brief(vote, -1e9, 1e9); });
        if constexpr (Archive::reads) archive.require(votes->size() == directions);
    }
    archive.whole(self.held_count_, 0, 1'000'000'000);
    archive.whole(self.edge_count_, 0, 1'000'000'000);
    archive.list(self.edges_, kept_edges, 32, [&](auto &edge) {
        transfer_unit(archive, edge.normal);
        archive.real(edge.sigma, 1e-6, 10);
    });
    uint64_t next = self.next_edge_;
    archive.whole(next, 0, kept_edges - 1);
    transfer_vector(archive, self.force_sum_, 1e12);
    archive.real(self.force_seconds_, 0, 1e12);
    if constexpr (Archive::reads) {
        archive.require(self.force_seconds_ == 0 || self.force_sum_.norm() > 1e-9);
        self.next_edge_ = next;
        self.is_stale_ = true;
    }
}

template <typename Archive, typename Self>
void EvidenceGrid::transfer(Archive &archive, Self &self) {
    archive.real(self.cell_size_, 1 / kFarthest, kFarthest);
    for (int axis = 0; axis < 2; ++axis) archive.whole(self.base_[axis], -100'000'000, 100'000'000);
    archive.whole(self.width_, 0, largest_side);
    archive.whole(self.height_, 0, largest_side);
    constexpr size_t kMostCells = static_cast<size_t>(largest_side) * largest_side;
    archive.list(self.values_, kMostCells, 4, [&](auto &value) { archive.brief(value, -limit, limit); });
    archive.list(self.blank_, kMostCells, 1, [&](auto &count) { archive.whole(count, 0, 255); });
    if constexpr (Archive::reads) {
        const auto cells = static_cast<size_t>(self.width_) * self.height_;
        archive.require((self.width_ == 0) == (self.height_ == 0));
        archive.require(self.values_.size() == cells && self.blank_.size() == cells);
        if (!archive.is_sound()) self.clear();
    }
}

template <typename Archive, typename Self>
void EdgeVotes::transfer(Archive &archive, Self &self) {
    for (int axis = 0; axis < 2; ++axis) archive.whole(self.first_[axis], -1'000'000'000, 1'000'000'000);
    archive.real(self.piece_size_, 1 / kFarthest / pieces_per_cell, kFarthest);
    archive.whole(self.width_, 0, largest_side);
    archive.whole(self.height_, 0, largest_side);
    archive.whole(self.views_, 0, 1'000'000'000);
    archive.list(self.votes_, static_cast<size_t>(largest_side) * largest_side, 1,
                 [&](auto &vote) { archive.whole(vote, -limit, limit); });
    if constexpr (Archive::reads) {
        archive.require(self.votes_.size() == static_cast<size_t>(self.width_) * self.height_);
        archive.require((self.views_ == 0) == self.votes_.empty());
        if (!archive.is_sound()) self.clear();
    }
}

template <typename Archive, typename Fit>
void transfer_fit(Archive &archive, Fit &fit) {
    transfer_unit(archive, fit.plane.normal);
    archive.real(fit.plane.offset, -kFarthest, kFarthest);
    transfer_vector(archive, fit.centroid, kFarthest);
    transfer_unit(archive, fit.major);
    transfer_unit(archive, fit.minor);
    archive.real(fit.major_spread, 0, kFarthest);
    archive.real(fit.minor_spread, 0, kFarthest);
    for (int i = 0; i < 9; ++i) archive.real(fit.covariance.data()[i], -1e12, 1e12);
    archive.real(fit.residual_scale, 0, 1e9);
    archive.truth(fit.valid);
    if constexpr (Archive::reads) archive.require(fit.covariance.diagonal().minCoeff() >= 0);
}

template <typename Archive, typename Shown>
void transfer_surface(Archive &archive, Shown &surface) {
    constexpr size_t kMostCorners = 65'536;
    archive.whole(surface.id, 1, INT32_MAX - 1);
    transfer_unit(archive, surface.normal);
    transfer_vector(archive, surface.origin_in_world, kFarthest);
    transfer_rotation(archive, surface.world_from_surface_rotation);
    archive.list(surface.boundary, kMostCorners, 16,
                 [&](auto &corner) { transfer_vector(archive, corner, 2 * kFarthest); });
    transfer_vector(archive, surface.center, 2 * kFarthest);
    for (int axis = 0; axis < 2; ++axis) archive.real(surface.extent[axis], 0, 4 * kFarthest);
    archive.real(surface.area, 0, kFarthest * kFarthest * 16);
    archive.choice(surface.alignment, SurfaceAlignment::other);
    archive.choice(surface.classification, SurfaceClass::unknown);
    archive.real(surface.confidence, 0, 1);
    archive.real(surface.classification_confidence, 0, 1);
    transfer_unit(archive, surface.free_normal);
    archive.real(surface.free_normal_sigma_rad, 0, 1e9);
    archive.real(surface.offset_sigma_m, 0, 1e9);
}

template <typename Archive, typename Face>
void transfer_face(Archive &archive, Face &face) {
    transfer_vector(archive, face.middle, kFarthest);
    transfer_unit(archive, face.outward);
    transfer_unit(archive, face.up);
    archive.real(face.length, 0, 4 * kFarthest);
    archive.real(face.height, 0, 4 * kFarthest);
    archive.whole(face.of, 0, INT32_MAX);
}

template <typename Archive, typename Self>
void TrackedSurface::transfer(Archive &archive, Self &self) {
    transfer_fit(archive, self.fit_);
    transfer_fit(archive, self.free_fit_);
    archive.choice(self.constraint_, GravityConstraint::vertical);
    transfer_surface(archive, self.shown);
    // Of a surface that is out of view fewer points are left than told its plane.
    archive.whole(self.most_fitted, 0, 1'000'000'000);
    if constexpr (Archive::reads) self.shown.point_count = self.most_fitted;
    EvidenceGrid::transfer(archive, self.grid);
    archive.list(self.members, 1'000'000, 16, [&](auto &member) {
        archive.whole(member.point_id, INT64_MIN, INT64_MAX);
        transfer_brief_vector(archive, member.local, 2 * kFarthest);
    });
    archive.truth(self.is_confirmed);
    archive.whole(self.standing, -100, 100);
    archive.real(self.log_false_alarms, -1e12, 1e12);
    archive.real(self.distance, 1 / kFarthest, kFarthest);
    archive.whole(self.updates, 0, 1'000'000'000);
    archive.real(self.contradiction, 0, 1);
    archive.real(self.belief, -1e6, 1e6);
    if constexpr (Archive::reads) {
        archive.require(
            std::is_sorted(self.members.begin(), self.members.end(),
                           [](const SurfaceMember &a, const SurfaceMember &b) { return a.point_id < b.point_id; }));
        archive.require(!self.is_confirmed || self.shown.boundary.size() >= 3);
        self.rows_ = PolygonRows(self.shown.boundary);
    }
}

template <typename Archive, typename Point>
void transfer_dense_point(Archive &archive, Point &point) {
    archive.whole(point.id, INT64_MIN, -1);
    archive.whole(point.host_id, 0, INT64_MAX - 1);
    transfer_rotation(archive, point.world_from_host_rotation);
    transfer_vector(archive, point.host_in_world, kFarthest);
    transfer_brief_vector(archive, point.host_ray, kFarthest);
    archive.brief(point.inverse_depth, 1 / kFarthest, kFarthest);
    archive.brief(point.variance, 0, kFarthest * kFarthest);
    transfer_brief_vector(archive, point.normal_in_world, 1.001);
    transfer_brief_vector(archive, point.view_sum, 1e9);
    archive.whole(point.observations, 0, 1'000'000'000);
    archive.whole(point.misses, 0, 1'000'000'000);
    archive.whole(point.keyframes_unseen, 0, 1'000'000'000);
    archive.truth(point.is_fine);
    archive.truth(point.is_explained);
}

template <typename Archive, typename Self>
void DenseMap::transfer(Archive &archive, Self &self) {
    constexpr size_t kDensePointBytes = 160;
    const auto transfer_points = [&](auto &points) {
        archive.list(points, 2 * capacity, kDensePointBytes,
                     [&](auto &point) { transfer_dense_point(archive, point); });
    };
    if constexpr (Archive::reads) {
        transfer_points(self.points_);
    } else {
        std::vector<DensePoint> near = self.points_;
        std::erase_if(
            near, [](const DensePoint &point) { return point.is_swept || !(point.inverse_depth * kFarthest > 1.001); });
        transfer_points(near);
    }
    archive.whole(self.next_id_, INT64_MIN + 1, -1);
    archive.whole(self.updates_, 0, INT64_MAX / 2);
    archive.whole(self.next_row_, 0, 1'000'000);
    if constexpr (Archive::reads) {
        std::unordered_set<int64_t> ids;
        for (const DensePoint &point : self.points_) {
            archive.require(point.id > self.next_id_ && ids.insert(point.id).second);
        }
    }
}

}  // namespace foothold
