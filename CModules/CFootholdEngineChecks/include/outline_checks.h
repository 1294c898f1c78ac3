// Numbers about where surfaces are: their outlines, and the places that rays lead to.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Random masks of `width` × `height` cells, grown, shrunk, closed and opened by discs of one to nine cells: how many
/// cells differ from what OpenCV makes of them.
int32_t fh_check_cell_mask(uint64_t seed, int32_t width, int32_t height);

/// A disc of `radius` cells was seen: the outline's area relative to the disc's, and how far its corners lie from the
/// circle at most, cells. 0, or -1 when there is no outline.
int32_t fh_check_outline_of_disc(double radius, double *out_area, double *out_farthest);

/// A square of twelve cells and beside it one of `second` cells, three cells apart, that pictures parted: the outline's
/// area relative to that of the first. -1 when there is no outline.
double fh_check_outline_of_two(int32_t second);

/// A place of 20 × 20 cells was seen and another of 10 × 10, ten cells apart, and between them something behind; so
/// many points lie on each: which of them the outline holds, 1 for the large, 2 for the small one, 3 for both.
/// `joins_all`: pieces are joined whatever lies between.
int32_t fh_check_outline_of_places(int32_t points_on_large, int32_t points_on_small, int32_t joins_all);

struct fh_check_simple_report {
    /// Of random closed lines of whole numbers: how many met themselves before; how many do after, turn around a point
    /// more than once or both ways, or have one or two corners.
    int32_t met_before;
    int32_t wrong;
    /// Of random stars, which are simple: how many changed.
    int32_t changed;
    /// What is left of an hourglass of 4.5 and 0.5: 4.5.
    double hourglass;
};
void fh_check_simple_polygon(uint64_t seed, struct fh_check_simple_report *out_report);

/// How much more area a rectangle of 3 × 2 and an L of 3 have than they should once their edges are moved outwards by
/// so much, whichever way round they go: the largest difference.
double fh_check_widened_polygon(double by);
/// The area of the outline of a square of so many pieces a side, where it's widened by so many.
double fh_check_outline_of_square(int32_t side, double widening);

struct fh_check_edge_report {
    /// Intersection over union with what is really there, before and after pictures had a say.
    double before;
    double after;
    /// Relative to what is really there.
    double area_after;
    int32_t views;
};

/// A sheet of 0.4 × 0.3 m, `contrast` grey levels lighter than the ground that it lies on, both faintly textured and
/// noisy, is seen aslant from a metre away by `views` cameras. It's taken to be `grown` cells (of 2 cm) larger on all
/// sides than it is, and to lie `shifted` cells beside its place. Every camera sees it through a lens that bends.
int32_t fh_check_edges(uint64_t seed, double grown, double shifted, double contrast, int32_t views,
                       struct fh_check_edge_report *out_report);

typedef struct fh_check_polygon_report {
    /// Points that the polygon turns around an odd number of times, and others.
    int32_t inside, outside;
    /// Of both, those of which the rows say otherwise.
    int32_t differing;
} fh_check_polygon_report;

/// Two hundred random polygons of 3 to 62 corners, which may cross themselves, with two hundred points each: half of
/// the polygons have upright and level edges, at the others half of the points have a corner's height. And nothing, a
/// line, and what isn't a number.
void fh_check_polygon_rows(uint64_t seed, fh_check_polygon_report *out_report);

typedef struct fh_check_sight_report {
    /// Farthest that a ray's place lies from where the ray crosses the plane, metres.
    double error;
    /// Rays that `meet` decides otherwise than the angle, the distance and the side of the plane do.
    int32_t misjudged;
    /// Rays that it takes, and others.
    int32_t met, refused;
} fh_check_sight_report;

/// A hundred random surfaces, each with a camera on either side and a hundred rays of random lengths.
void fh_check_sight(uint64_t seed, fh_check_sight_report *out_report);

typedef struct fh_check_axes_report {
    /// How far the axis that should run down is off, radians.
    double roll;
    /// Farthest that a corner of the outline and a point on the surface move in the world, metres.
    double corner_moved, member_moved;
    /// Of places that were seen to be on the surface, were seen through or look plain, those that are known as such no
    /// more, but for the outermost; and of others, those that are known as such.
    double lost, invented;
} fh_check_axes_report;

/// A wall, found when up was taken to be `roll` radians beside where it is, and asked to level its axes by the true
/// one, known to `up_sigma` radians.
void fh_check_axes(uint64_t seed, double roll, double up_sigma, fh_check_axes_report *out_report);

/// How far a strip, 1 m wide and so high, may go on over what is plain, metres; infinite where nothing limits it. One
/// in forty of its points lies 0.5 m below it.
double fh_check_most_reach(uint64_t seed, double height, int32_t is_level, int32_t bounds_place);

#ifdef __cplusplus
}
#endif
