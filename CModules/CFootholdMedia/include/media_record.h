#pragma once
// Recording what a camera saw, without loss: FFVHUFF in NUT, whose time stamps are exact to the nanosecond and which
// can be read up to wherever writing stopped. A handle is used by one thread at a time. Functions return 0 or a
// negative libav error code (`fh_encode_error_text`); a full disk is -ENOSPC.
#include <stddef.h>
#include <stdint.h>

#include "media_encode.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fh_recorder fh_recorder;

typedef struct fh_recorder_config {
    uint32_t struct_size;
    int32_t width;
    int32_t height;
    /// 1 for luma alone.
    int32_t is_gray;
    fh_encode_color color;
    /// The usual time between two pictures, nanoseconds; for programs that want to know beforehand.
    int64_t nominal_interval_nanoseconds;
    /// Kept in the file under `FH_RECORD_TAG_CAMERA`; NULL for nothing.
    const char *camera_json;
} fh_recorder_config;

/// Metadata of a recording made here: its presence says that the time stamps are a camera's own, and exact.
#define FH_RECORD_TAG_INTERVAL "FOOTHOLD_FRAME_INTERVAL"
#define FH_RECORD_TAG_CAMERA "FOOTHOLD_CAMERA"
/// Only in recordings of pictures that span 0…255.
#define FH_RECORD_TAG_RANGE "FOOTHOLD_RANGE"
#define FH_RECORD_RANGE_FULL "full"

/// Creates the file, or empties the one that is there.
int32_t fh_recorder_create(const char *path, const fh_recorder_config *config, fh_recorder **out_recorder);

/// Appends one picture; `chroma_step` of the source may be 1 or 2. Times must rise.
int32_t fh_recorder_append(fh_recorder *recorder, const fh_encode_source *picture, int64_t timestamp_nanoseconds);

/// Writes what is left and closes the file, also after an append that failed.
int32_t fh_recorder_finish(fh_recorder *recorder);

/// Closes and frees. NULL is allowed.
void fh_recorder_destroy(fh_recorder *recorder);

#ifdef __cplusplus
}
#endif
