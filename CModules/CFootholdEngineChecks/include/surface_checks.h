// Numbers about surface detection and gravity, measured on made-up rooms with exact truth.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fh_check_room {
    /// A floor, a wall, a table and a ramp of 20°; map points only.
    FH_CHECK_ROOM_FURNISHED = 0,
    /// Two boards side by side, `parameter` metres apart in height, seen from 1.5 m.
    FH_CHECK_ROOM_TWO_HEIGHTS = 1,
    /// Points all through a box, and nothing else.
    FH_CHECK_ROOM_CLUTTER = 2,
    /// A wall with a mirror in it, that shows a floor beyond; with `parameter` 1 nothing is seen of the wall above it,
    /// with 2 nothing below, as of a door; with 3 many things stand before it; with 4 only the wall to the left of it
    /// is known, and little is seen in it.
    FH_CHECK_ROOM_MIRROR = 3,
    /// A white table with a keyboard and a book on it; `parameter` 1 gives pictures, 0 map points only. With 2 and 3
    /// hardly any points are on the table itself: 2 puts many things on it, 3 a laptop's plain deck that slopes by 20°.
    FH_CHECK_ROOM_PLAIN_TABLE = 4,
    /// A table over a floor that is taken away half-way.
    FH_CHECK_ROOM_TAKEN_AWAY = 5,
    /// A table known in two parts at first, whose middle comes to be known later.
    FH_CHECK_ROOM_TWO_PARTS = 6,
    /// The furnished room with a map that moves as a whole by `parameter` metres between keyframes.
    FH_CHECK_ROOM_WOBBLING = 7,
    /// A narrow board amid `parameter` points of a hedge.
    FH_CHECK_ROOM_SLICE = 8,
    /// The tops of a wide box and a narrow one beside it, `parameter` metres apart in height, seen from 2.6 m; with a
    /// negative `parameter` the narrow one is shorter, too.
    FH_CHECK_ROOM_TWO_BOXES = 9,
    /// A wall, the middle of which stands behind a wardrobe; with `parameter` 1 there is an opening instead, through
    /// which another wall is seen.
    FH_CHECK_ROOM_PARTED_WALL = 10,
    /// Two sides of a leg of a table, with a few points of other things beside it; with `parameter` 2 twice as wide;
    /// with 1 the side of a cabinet, five times as wide.
    FH_CHECK_ROOM_LEG = 11,
    /// A plain white wall with three posters on it, in pictures; with `parameter` 1 a table stands against it.
    FH_CHECK_ROOM_PLAIN_WALL = 12,
    /// A table and, turned by 10° against it, what can't be: a board through its middle, each seen through the other.
    /// With `parameter` 1 it lies on the table with one edge, and hides what is under it.
    FH_CHECK_ROOM_CROSSING = 13,
    /// A table seen from 1.2 m with a keyboard on it, `parameter` metres high; with a negative one a tray of twice the
    /// depth.
    FH_CHECK_ROOM_KEYBOARD = 14,
    /// A table seen over its corner, with many things on it and the floor around it.
    FH_CHECK_ROOM_CORNERWISE = 15,
    /// A round bin on a floor; with `parameter` 1 a box of its width.
    FH_CHECK_ROOM_ROUND_BIN = 16,
    /// Two pieces of a floor, two metres apart, and a counter between them; the second lies `parameter` metres higher.
    FH_CHECK_ROOM_TWO_FLOORS = 17,
    /// As the two boxes, but no wider than parcels.
    FH_CHECK_ROOM_SMALL_BOXES = 18,
} fh_check_room;

typedef struct fh_check_surface_report {
    int32_t true_count;
    int32_t found_count;
    /// Found surfaces that are a true one (normals within 10°, offset within 5 cm, overlap), one to one.
    int32_t matched_count;
    /// Found surfaces that are nothing real.
    int32_t wrong_count;
    double worst_normal_degrees;
    double worst_offset_m;
    /// Intersection over union with the whole true rectangle.
    double lowest_iou;
    /// Keyframe after which the first surface was there, -1 without one.
    int32_t first_keyframe;
    int32_t added_count, updated_count, merged_count, removed_count;
    /// Outlines whose winding is wrong or that have fewer than three corners, over all updates.
    int32_t malformed_count;
    /// Greatest angle between a surface's frame before and after an update, radians, of those older than three updates.
    double largest_turn_rad;
    /// Greatest move of a surface's origin in an update relative to the map's own move, metres, likewise.
    double largest_move_m;
    /// The confidence and class (FH surface class numbers) of the largest surface at the end.
    double largest_confidence;
    int32_t largest_classification;
    /// FNV-1a over all surfaces of all updates.
    uint64_t digest;
} fh_check_surface_report;

/// Runs a whole made-up session. 0, or -1 for an unknown room or null.
int32_t fh_check_surfaces_run(int32_t room, uint64_t seed, double parameter, fh_check_surface_report *out_report);

/// What is said for a surface with so many points that chance explains so little, that looks like this and has so many
/// others among its own.
double fh_check_say(int32_t points, double log_false_alarms, double belief, double disorder);

/// A wall that was seen well and is left behind: how far its surface turns (degrees) while the camera looks elsewhere
/// and few of its points are left, which lie as if it were turned by 2°. -1 where it isn't found or is lost.
double fh_check_wall_left_behind(uint64_t seed);

typedef struct fh_check_picture_fit_report {
    int32_t fits, differs, unknown;
} fh_check_picture_fit_report;

/// Pieces of pictures of a textured floor, asked whether they show a level plane `rise` metres above it (1.3 m below
/// the camera). 0, or -1 when the pictures couldn't be compared.
int32_t fh_check_picture_fit(uint64_t seed, double rise, fh_check_picture_fit_report *out_report);

/// A piece of a picture that hangs over a board's edge by `offset_pixels` (negative: its middle is on the board) onto
/// what lies behind: how far from the edge the match says that its depth holds (pixels), and that depth's error, of the
/// board's. -1 when nothing is found.
int32_t fh_check_patch_over_edge(double offset_pixels, double *out_place_error_pixels, double *out_depth_error);

/// Plain regions of a random grid of squares and what lies along their borders, as they are found and by letting names
/// spread: how many squares and regions differ, -1 where nothing is plain.
int32_t fh_check_blank_regions(uint64_t seed);
/// A plain surface, a rectangle that lies across a picture at an angle, told of along its edges and at spots within it.
/// Beyond it the picture is darker on one side and in between on the other (0), it looks the same as within (1: a cable
/// lies around a part of a table), or it is the darker mat on a table that is told of nowhere else (2). The shares of
/// the plain places within and beyond that are taken for what lies past its edge.
int32_t fh_check_past_edge(int32_t kind, double radians, double *out_within, double *out_beyond);

/// Greatest difference (metres) between surfaces after `transform` and the transformed surfaces; 0 surfaces give -1.
/// `in_parts`: after every keyframe's part was moved by itself, all alike.
double fh_check_surfaces_transform_error(uint64_t seed, int32_t in_parts);

/// Looks at a furnished room at once and part by part; the largest share of an update that a part claims.
/// Returns 0 where both find the same and shares add up, the number of keyframes at which they don't, or -1 for a null
/// pointer.
int32_t fh_check_surfaces_in_parts(uint64_t seed, double *out_largest);

/// Fits planes to points with known noise: the mean of (error / claimed deviation)² over trials of tilt and height;
/// 1 when the covariance tells the truth, the shared floor left aside it's below.
int32_t fh_check_plane_fit_consistency(uint64_t seed, int32_t trials, double *out_tilt, double *out_height);

/// A level desk, 1.2 × 0.8 m, of which 150 points are known, and 380 of what stands on it (`has_things`): a keyboard
/// that rises by 5° to the back, and cables at the far end. How far the plane fitted to all is turned, and the plane
/// beneath them, degrees; and how high that is in the desk's middle, metres.
int32_t fh_check_plane_beneath(uint64_t seed, int32_t has_things, double *out_fit_degrees, double *out_degrees,
                               double *out_height);

/// Share of random point clouds without any plane in which one is found.
double fh_check_plane_false_alarm_rate(uint64_t seed, int32_t trials);

/// A top of 1.2 × 0.2 m, level or `is_upright` before, that is seen from 3.6 m away and whose points are off as if it
/// were tilted by so much about its long side: whether it becomes a slope (1) or stays what it was (0), and how far
/// it's turned from that then, degrees. -1 where a fit from nothing wouldn't call it a slope.
int32_t fh_check_held_level(uint64_t seed, int32_t is_upright, double tilt_degrees, double *out_degrees);

/// How well steps explain points, relative to the slope of 30° fitted to them that faces down: points of that slope
/// (0), or of the front of a table top and the rail 5 cm behind it and below (1). All are known to 3 mm from 1.2 m.
double fh_check_explained_by_steps(uint64_t seed, int32_t is_step);

/// Whether what lies in a strip across an upright plane is told to be the side of something round: points of a can
/// whose radius is `radius` halves of the plane's width (1), or, without one (0), of a box with a side of that width
/// and what is seen of the two beside it. All are known to 2 mm from 1 m; the plane is 6 cm wide.
int32_t fh_check_is_round(uint64_t seed, double radius);

/// Scores random planes among random points, some facing a known way, as the search does and point by point: the
/// largest difference, or -1 where no plane scores anything.
double fh_check_plane_score_error(uint64_t seed, int32_t trials);

/// Error (degrees) of up from how the camera is held and the edges of a made-up room's pictures, in which posts stand
/// and beams lie at all angles, perhaps with the normal of its ground; and the deviation it claims (degrees).
int32_t fh_check_gravity_from_pictures(uint64_t seed, int32_t posts, int32_t beams, int32_t has_ground,
                                       double *out_error_degrees, double *out_sigma_degrees);

/// The same from half a second of inertial samples of a moving hand, with biases, and after four seconds with poses,
/// `wrong_surfaces` of sloping surfaces beside.
int32_t fh_check_gravity_from_inertial(uint64_t seed, int32_t wrong_surfaces, double *out_first_error_degrees,
                                       double *out_error_degrees, double *out_sigma_degrees);

enum {
    /// Poses and readings without noise, but for a bias.
    FH_CHECK_SCALE_EXACT = 0,
    /// Poses that are off by 0.2 mm and 0.2 mrad, a phone's sensor.
    FH_CHECK_SCALE_NOISY = 1,
    /// The same, and the world's frame and unit are changed on the way.
    FH_CHECK_SCALE_CHANGED = 2,
    /// The same, lost on the way for half a second, after which the world lies elsewhere.
    FH_CHECK_SCALE_LOST = 3,
    /// The same, of a camera that moves on evenly.
    FH_CHECK_SCALE_NO_PUSH = 4,
    /// The same as noisy, of readings that are dated 30 ms late or early.
    FH_CHECK_SCALE_LATE = 5,
    FH_CHECK_SCALE_EARLY = 6,
    /// The same, of a sensor that stands on its side beside the camera.
    FH_CHECK_SCALE_ASKEW = 7,
    /// The same as noisy, of poses that are off by 1.5 mm.
    FH_CHECK_SCALE_ROUGH = 8,
    /// The same as noisy, of forces in units of gravity.
    FH_CHECK_SCALE_IN_G = 9,
};

typedef struct fh_check_scale_report {
    /// Relative error of how many metres a unit has, and the deviation that it claims.
    double error, sigma;
    /// m/s².
    double bias_error;
    /// Of the direction of gravity.
    double down_error_degrees, down_sigma_degrees;
} fh_check_scale_report;

/// What inertial readings say of a metre after five seconds in a moving hand. 1 where nothing is known, -1 for null.
int32_t fh_check_inertial_scale(uint64_t seed, int32_t what, fh_check_scale_report *out_report);

/// Error (degrees) of up where forces with a bias and a table that stands askew are 0.8° and 1° off, and forces without
/// the bias say it to 0.1°.
double fh_check_gravity_without_bias(uint64_t seed);

/// Error (degrees) of up from the fit normals of a floor and two walls with one sloping surface among them.
int32_t fh_check_gravity_from_surfaces(uint64_t seed, double *out_error_degrees, double *out_sigma_degrees);

/// The same from pictures of a ground with parallel stripes, whose edges look like those of something upright, and the
/// ground's own normal. The camera looks down by `pitch_degrees`.
int32_t fh_check_gravity_over_stripes(uint64_t seed, double pitch_degrees, double *out_error_degrees,
                                      double *out_sigma_degrees);

enum {
    /// A table with a small box on it.
    FH_CHECK_CLASSES_BOX_ON_TABLE = 0,
    /// A floor with a table on it.
    FH_CHECK_CLASSES_TABLE = 1,
    /// A floor with a box as high and as large as a chair's seat.
    FH_CHECK_CLASSES_BOX = 2,
    /// The same with a back.
    FH_CHECK_CLASSES_CHAIR = 3,
};

/// What the lowest of some level surfaces is called, and the highest: without a metre (0), or in a world in whose unit
/// a metre is so long.
int32_t fh_check_classes(int32_t room, double metre, int32_t *out_lowest, int32_t *out_highest);

/// Error of an edge's direction (degrees) and place (pixels) that the line detector finds in a picture with one edge;
/// -1 when it finds none.
int32_t fh_check_line_segment(double angle_degrees, double noise, double *out_angle_error_degrees,
                              double *out_distance_pixels);

/// Whether events add up to the surfaces that are told, where two worlds meet in the very frame in which a search is
/// taken over that tells of a new one (`is_due` 1), or half-way through the next search: how many surfaces were told of
/// in the end; -1 where events and surfaces differ after any frame, -2 where there was no such search.
int32_t fh_check_events_of_meeting(uint64_t seed, int32_t is_due);

/// What several searches come to, told as if they had been one: ids of surfaces before and after, and pairs of which
/// one was merged into which other, one pair a search. Writes at most `capacity` events as kind, id and into; how many
/// there are.
size_t fh_check_surface_changes(const int32_t *before, size_t before_count, const int32_t *merges, size_t merge_count,
                                const int32_t *now, size_t now_count, int32_t *out_events, size_t capacity);

/// What the mergers of one search, told as such pairs, say once they are of surfaces that are there now: as many
/// events.
void fh_check_settled_mergers(const int32_t *merges, size_t merge_count, const int32_t *now, size_t now_count,
                              int32_t *out_events);

#ifdef __cplusplus
}
#endif
