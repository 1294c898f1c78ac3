// Keeps the room's flat surfaces from keyframe to keyframe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "map_view.h"
#include "surfaces/dense_map.h"
#include "surfaces/surface.h"

namespace foothold {

class ArchiveReader;
class ArchiveWriter;
class PartedChange;

/// Finds and keeps surfaces. Not thread-safe: one thread at a time. Deterministic: the same views give the same
/// surfaces. Memory is bounded by the number of surfaces (at most 32), their grids and votes, and in a review
/// by what is kept of the depth of keyframes (at most 96).
class SurfaceTracker {
public:
    SurfaceTracker();
    ~SurfaceTracker();
    SurfaceTracker(SurfaceTracker &&) noexcept;
    SurfaceTracker &operator=(SurfaceTracker &&) noexcept;

    /// Takes in the map as it is after a new keyframe (the newest of the view's window).
    void update(const MapView &view);
    /// The same in parts, for whoever can't wait for all at once: `begin`, then `advance` until it says that nothing is
    /// left. The view and what it points to must stay as they are, and nothing else be called, until then.
    void begin(const MapView &view);
    /// Does the next part; true while more are left.
    bool advance();
    static constexpr size_t part_count = 16;
    /// What so many parts from the first on take of all that the update costs that was begun last.
    double share_of_first(size_t parts) const;

    /// After every keyframe was looked at in a review: what each place of the newest one's picture shows.
    void label(const MapView &view);
    /// Then surfaces reach as far as most pictures show them. The view is the last one.
    void trace_labels(const MapView &view);

    /// Confirmed surfaces by id. Valid until the next call of a non-const function.
    std::span<const Surface> surfaces() const;
    /// The same as far as evidence alone reaches. What labels say of extents has no part in what is found.
    std::vector<Surface> surfaces_by_evidence() const;

    /// What happened in the last update, in the order in which it happened. Valid until the next call.
    std::span<const SurfaceEvent> events() const;

    /// Pieces of the picture whose depth is known. Valid until the next call of a non-const function.
    std::span<const DensePoint> dense_points() const;

    /// The world's frame was changed: x' = scale · rotation · x + translation for every point of it.
    void transform(double scale, const Eigen::Matrix3d &rotation, const Eigen::Vector3d &translation);

    /// Parts of the world moved, each in its own way: surfaces follow the points that carry them.
    void transform_each(const PartedChange &change);

    /// Forgets everything; ids go on counting.
    void reset();
    /// Gives away everything; ids go on counting.
    SurfaceTracker leave();
    /// Goes on in place of another one. No id is given twice.
    void resume_after(const SurfaceTracker &other);
    /// Takes in what another one knows, which lies in the same frame and has other ids: surfaces that are one are found
    /// to be so at the next updates.
    void take_in(SurfaceTracker other);

    /// To and from a saved world: see persistence/.
    void save(ArchiveWriter &archive) const;
    void load(ArchiveReader &archive);
    /// What pictures say of the edges of the surfaces that are known.
    void save_edges(ArchiveWriter &archive) const;
    void load_edges(ArchiveReader &archive);
    /// After the surfaces were loaded: what of them hangs from the edges of tops.
    void save_hanging(ArchiveWriter &archive) const;
    void load_hanging(ArchiveReader &archive);
    /// Times of another session mean nothing in this one: everything counts as seen first at this moment.
    void date(int64_t timestamp_ns);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace foothold
