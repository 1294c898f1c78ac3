// The best corner of every free cell: the search runs only where a corner is wanted.
#include <algorithm>
#include <cstring>

#include "corners/corners.h"
#include "dispatch/arguments.h"

namespace foothold::kernels {

namespace {

constexpr int32_t kMaxCandidates = 64;

int32_t CellsAlong(int32_t side, int32_t cell_size) { return (side + cell_size - 1) / cell_size; }

/// Non-maximum suppression leaves at most one corner per 2×2 pixels.
size_t MostCorners(int32_t width, int32_t cell_size) {
    return static_cast<size_t>(width / 2 + 1) * static_cast<size_t>(cell_size / 2 + 1);
}

/// Where things lie in the scratch memory, as offsets from its first multiple of 64.
struct Layout {
    size_t candidates;
    size_t candidate_counts;
    size_t fast;

    Layout(int32_t width, const fh_grid_options &options) {
        const size_t columns = static_cast<size_t>(CellsAlong(width, options.cell_size));
        candidates = RoundUp(MostCorners(width, options.cell_size) * sizeof(fh_corner), 64);
        candidate_counts =
            candidates + RoundUp(columns * static_cast<size_t>(options.candidates) * sizeof(fh_corner), 64);
        fast = candidate_counts + RoundUp(columns * sizeof(int32_t), 64);
    }
};

bool IsValid(const fh_grid_options *options) {
    return options != nullptr && options->cell_size >= 8 && options->cell_size <= FH_IMAGE_MAX_SIDE &&
           options->threshold >= 1 && options->threshold <= 255 && options->margin >= kStructureReach &&
           options->margin <= FH_IMAGE_MAX_SIDE && options->candidates >= 1 && options->candidates <= kMaxCandidates;
}

/// Keeps the highest scores, best first; of equal ones those that came first.
void Insert(const fh_corner &corner, fh_corner *kept, int32_t *count, int32_t most) {
    int32_t place = *count;
    while (place > 0 && kept[place - 1].score < corner.score) --place;
    if (place >= most) return;
    if (*count < most) ++*count;
    for (int32_t i = *count - 1; i > place; --i) kept[i] = kept[i - 1];
    kept[place] = corner;
}

/// The candidate with the highest Shi-Tomasi score; false when none reaches the least score.
bool ChooseBest(const KernelTable &kernels, const fh_image &image, const fh_corner *candidates, int32_t count,
                float min_score, fh_grid_corner *best) {
    int32_t sums[kMaxCandidates][3];
    kernels.structure_sums(image, candidates, count, sums);
    bool found = false;
    for (int32_t i = 0; i < count; ++i) {
        const fh_corner &corner = candidates[i];
        const float score = SmallerEigenvalue(sums[i]);
        if (!(score >= min_score)) continue;
        const bool better =
            !found || score > best->score ||
            (score == best->score && (corner.y < best->y || (corner.y == best->y && corner.x < best->x)));
        if (!better) continue;
        best->x = corner.x;
        best->y = corner.y;
        best->score = score;
        best->fast_score = corner.score;
        found = true;
    }
    return found;
}

}  // namespace

}  // namespace foothold::kernels

using namespace foothold::kernels;

extern "C" {

int32_t fh_grid_cell_count(int32_t width, int32_t height, int32_t cell_size) {
    if (!IsSize(width, height) || cell_size < 1) return 0;
    return CellsAlong(width, cell_size) * CellsAlong(height, cell_size);
}

size_t fh_grid_scratch_size(int32_t width, int32_t height, const fh_grid_options *options) {
    if (!IsSize(width, height) || !IsValid(options)) return 0;
    return Layout(width, *options).fast + fh_fast_scratch_size(width) + 63;
}

int32_t fh_select_corners_grid(const fh_image *image, const fh_grid_options *options, const uint8_t *taken,
                               fh_grid_corner *out_corners, int32_t capacity, int32_t *out_count, void *memory,
                               size_t memory_size) {
    if (!IsValid(image) || !IsValid(options) || capacity < 0 || (out_corners == nullptr && capacity > 0) ||
        out_count == nullptr || memory == nullptr) {
        return FH_KERNEL_BAD_ARGUMENT;
    }
    if (memory_size < fh_grid_scratch_size(image->width, image->height, options)) return FH_KERNEL_TOO_SMALL;
    const KernelTable &kernels = Kernels();
    const Layout layout(image->width, *options);
    uint8_t *const scratch = static_cast<uint8_t *>(Align64(memory));
    fh_corner *const found_corners = reinterpret_cast<fh_corner *>(scratch);
    fh_corner *const candidates = reinterpret_cast<fh_corner *>(scratch + layout.candidates);
    int32_t *const candidate_counts = reinterpret_cast<int32_t *>(scratch + layout.candidate_counts);
    const int32_t size = options->cell_size;
    const int32_t columns = CellsAlong(image->width, size), rows = CellsAlong(image->height, size);
    const int32_t most_found = static_cast<int32_t>(MostCorners(image->width, size));
    const int32_t last_x = image->width - options->margin, last_y = image->height - options->margin;
    int32_t count = 0;
    for (int32_t row = 0; row < rows; ++row) {
        const uint8_t *taken_row = taken == nullptr ? nullptr : taken + static_cast<ptrdiff_t>(row) * columns;
        const auto is_free = [&](int32_t column) { return taken_row == nullptr || taken_row[column] == 0; };
        const int32_t top = std::max(row * size, options->margin), bottom = std::min((row + 1) * size, last_y);
        std::memset(candidate_counts, 0, static_cast<size_t>(columns) * sizeof(int32_t));
        for (int32_t begin = 0; begin < columns;) {
            if (!is_free(begin)) {
                ++begin;
                continue;
            }
            int32_t end = begin + 1;
            while (end < columns && is_free(end)) ++end;
            const int32_t left = std::max(begin * size, options->margin), right = std::min(end * size, last_x);
            begin = end;
            if (left >= right || top >= bottom) continue;
            const fh_rect area = {left, top, right - left, bottom - top};
            const int32_t found = std::min(FindCorners(kernels, *image, area, options->threshold, true, found_corners,
                                                       most_found, scratch + layout.fast),
                                           most_found);
            for (int32_t i = 0; i < found; ++i) {
                const int32_t column = found_corners[i].x / size;
                Insert(found_corners[i], candidates + static_cast<ptrdiff_t>(column) * options->candidates,
                       &candidate_counts[column], options->candidates);
            }
        }
        for (int32_t column = 0; column < columns; ++column) {
            const int32_t candidate_count = candidate_counts[column];
            if (candidate_count == 0) continue;
            fh_grid_corner best = {};
            if (!ChooseBest(kernels, *image, candidates + static_cast<ptrdiff_t>(column) * options->candidates,
                            candidate_count, options->min_score, &best)) {
                continue;
            }
            best.cell = row * columns + column;
            if (count < capacity) out_corners[count] = best;
            ++count;
        }
    }
    *out_count = count;
    return FH_KERNEL_OK;
}

}  // extern "C"
