// Calibrating a camera with a board of known pattern. Nothing is thrown, printed or aborted across this boundary. One
// handle is used by one thread at a time. Pixels: the centre of the top-left pixel is (0, 0).
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FH_CALIBRATION_OK = 0,
    FH_CALIBRATION_INVALID_ARGUMENT = 1,
    FH_CALIBRATION_OUT_OF_MEMORY = 2,
    /// Too few views, or views from which no camera follows.
    FH_CALIBRATION_NO_SOLUTION = 3,
    FH_CALIBRATION_INTERNAL_ERROR = 4,
};

enum {
    /// Black and white squares; only whole boards are found.
    FH_BOARD_CHESSBOARD = 0,
    /// A chessboard with markers in its white squares; parts of it are enough.
    FH_BOARD_CHARUCO = 1,
};

typedef struct fh_board {
    int32_t kind;
    /// Squares, not inner corners; 3 to 20 each way.
    int32_t columns, rows;
    /// Side of a square, metres. Only distances to the board depend on it.
    double square;
    /// ChArUco: side of a marker as a share of a square's, bits along its side (4, 5 or 6: the dictionaries
    /// DICT_4X4_…, DICT_5X5_… and DICT_6X6_…), of which the first fifty markers are known.
    double marker_share;
    int32_t marker_bits;
} fh_board;

typedef struct fh_calibrator fh_calibrator;

int32_t fh_calibrator_create(const fh_board *board, int32_t width, int32_t height, fh_calibrator **out_calibrator);
/// NULL is allowed.
void fh_calibrator_destroy(fh_calibrator *calibrator);

/// What one picture shows of the board.
typedef struct fh_board_view {
    int32_t is_found;
    int32_t corner_count;
    /// The middle and the span of the corners, as shares of the picture's width and height.
    double center_x, center_y, span_x, span_y;
    /// How much the board is tilted against the picture: 0 is parallel, 1 is seen from the side.
    double tilt_x, tilt_y;
    /// How far its corners moved since the last picture that showed it, pixels; negative where there is none.
    double movement;
} fh_board_view;

/// Looks for the board; `stride` bytes a row, luma borrowed for the call.
int32_t fh_calibrator_look(fh_calibrator *calibrator, const uint8_t *luma, int32_t stride, fh_board_view *out_view);

/// Keeps what the last look found, for the solution.
int32_t fh_calibrator_keep(fh_calibrator *calibrator);

typedef struct fh_calibration {
    int32_t width, height;
    double fx, fy, cx, cy;
    /// k1 k2 p1 p2 k3
    double distortion[5];
    /// Root mean square distance between where corners were seen and where the solution puts them, pixels.
    double error;
    /// Standard deviation of the focal length that the views leave, pixels.
    double focal_deviation;
    /// Views that were used, and those left out as outliers.
    int32_t view_count, left_out_count;
} fh_calibration;

/// Finds the camera from what was kept. Views that fit much worse than the others are left out.
int32_t fh_calibrator_solve(const fh_calibrator *calibrator, fh_calibration *out_calibration);

/// Draws the board as it is to be printed, `pixels_per_square` pixels for each square, without a border: 8-bit luma,
/// rows packed, into a buffer of columns · pixels_per_square × rows · pixels_per_square bytes.
int32_t fh_board_draw(const fh_board *board, int32_t pixels_per_square, uint8_t *out_luma, size_t capacity);

#ifdef __cplusplus
}
#endif
