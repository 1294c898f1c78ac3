#pragma once
// What recordings say about themselves beside their pictures.
#include <libavformat/avformat.h>

/// The stream's display matrix (nine 16.16 numbers); NULL when it has none.
const int32_t *fh_stream_display_matrix(const AVStream *stream);

/// 35 mm equivalent focal length in millimetres from tags that phones write; 0 when there is none.
double fh_focal_length_35mm(const AVDictionary *tags);
