#include "metadata.h"

#include <libavcodec/avcodec.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const int32_t *fh_stream_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 36 ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 36 ? (const int32_t *)data : NULL;
#endif
}

double fh_focal_length_35mm(const AVDictionary *tags) {
    // QuickTime's key as Apple writes it (whole, or after a vendor's prefix), and EXIF's name.
    static const char *const names[] = {"focal_length.35mm_equivalent", "FocalLengthIn35mmFilm"};
    const AVDictionaryEntry *entry = NULL;
    while ((entry = av_dict_get(tags, "", entry, AV_DICT_IGNORE_SUFFIX))) {
        const size_t length = strlen(entry->key);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const size_t wanted = strlen(names[i]);
            if (length < wanted || strcasecmp(entry->key + length - wanted, names[i]) != 0) continue;
            const double value = strtod(entry->value, NULL);
            // What a lens can have; also refuses NaN.
            if (value >= 4 && value <= 1200) return value;
        }
    }
    return 0;
}
