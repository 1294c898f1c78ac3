#include <libavcodec/avcodec.h>
#include <stdlib.h>
#include <string.h>

#include "media_decode.h"
#include "metadata.h"
#include "upright.h"

enum { codec_count = 5 };

struct fh_media_image_decoder {
    /// One for each kind of picture, made when first met.
    AVCodecContext *codecs[codec_count];
    AVPacket *packet;
    AVFrame *decoded;
    fh_upright upright;
    int has_orientation;
    double focal_length_35mm;
    fh_media_counters counters;
};

typedef struct signature {
    enum AVCodecID codec;
    size_t offset, length;
    const char *bytes;
} signature;

static const signature signatures[codec_count + 1] = {
    {AV_CODEC_ID_PNG, 0, 8, "\x89PNG\r\n\x1a\n"},
    {AV_CODEC_ID_MJPEG, 0, 3, "\xff\xd8\xff"},
    {AV_CODEC_ID_BMP, 0, 2, "BM"},
    {AV_CODEC_ID_WEBP, 8, 4, "WEBP"},
    {AV_CODEC_ID_TIFF, 0, 4, "II*\0"},
    {AV_CODEC_ID_TIFF, 0, 4, "MM\0*"},
};

static int find_kind(const uint8_t *bytes, size_t size) {
    for (int i = 0; i <= codec_count; i++) {
        const signature *s = &signatures[i];
        if (size >= s->offset + s->length && !memcmp(bytes + s->offset, s->bytes, s->length))
            return i < codec_count ? i : codec_count - 1;
    }
    return -1;
}

static AVCodecContext *codec_for(fh_media_image_decoder *d, int kind) {
    if (d->codecs[kind]) return d->codecs[kind];
    const AVCodec *codec = avcodec_find_decoder(signatures[kind].codec);
    AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
    if (!context) return NULL;
    context->thread_count = 1;
    if (avcodec_open2(context, codec, NULL) < 0) avcodec_free_context(&context);
    return d->codecs[kind] = context;
}

int32_t fh_media_image_decoder_create(fh_media_image_decoder **out_decoder) {
    if (!out_decoder) return FH_MEDIA_ERROR_ARGUMENT;
    av_log_set_level(AV_LOG_QUIET);
    fh_media_image_decoder *d = calloc(1, sizeof *d);
    if (!d) return FH_MEDIA_ERROR_MEMORY;
    d->packet = av_packet_alloc();
    d->decoded = av_frame_alloc();
    if (!d->packet || !d->decoded) {
        fh_media_image_decoder_destroy(d);
        return FH_MEDIA_ERROR_MEMORY;
    }
    *out_decoder = d;
    return FH_MEDIA_OK;
}

int32_t fh_media_image_decoder_decode(fh_media_image_decoder *d, const uint8_t *bytes, size_t size,
                                      fh_media_frame **out_frame) {
    if (!d || !bytes || !out_frame || size > INT32_MAX) return FH_MEDIA_ERROR_ARGUMENT;
    *out_frame = NULL;
    const int kind = find_kind(bytes, size);
    if (kind < 0) return FH_MEDIA_ERROR_FORMAT;
    AVCodecContext *const codec = codec_for(d, kind);
    if (!codec) return FH_MEDIA_ERROR_UNSUPPORTED;
    // Borrowed: the decoder is done with it when it has given its picture.
    d->packet->data = (uint8_t *)bytes;
    d->packet->size = (int)size;
    d->packet->flags = AV_PKT_FLAG_KEY;
    int result = avcodec_send_packet(codec, d->packet);
    av_packet_unref(d->packet);
    if (result >= 0) result = avcodec_receive_frame(codec, d->decoded);
    if (result < 0) {
        avcodec_flush_buffers(codec);
        d->counters.lost++;
        return result == AVERROR(ENOMEM) ? FH_MEDIA_ERROR_MEMORY : FH_MEDIA_ERROR_NO_FRAMES;
    }
    if (!d->has_orientation) {
        const AVFrameSideData *matrix = av_frame_get_side_data(d->decoded, AV_FRAME_DATA_DISPLAYMATRIX);
        fh_upright_init(&d->upright, fh_orientation_from_matrix(matrix ? (const int32_t *)matrix->data : NULL),
                        FH_UNSTATED_GRAY_IS_FULL);
        d->has_orientation = 1;
    }
    if (d->decoded->decode_error_flags || (d->decoded->flags & AV_FRAME_FLAG_CORRUPT)) d->counters.concealed++;
    d->focal_length_35mm = fh_focal_length_35mm(d->decoded->metadata);
    // Pixel shapes in picture files are printing resolutions more often than not.
    const int32_t status = fh_upright_deliver(&d->upright, d->decoded, (AVRational){0, 1}, out_frame);
    if (status == FH_MEDIA_OK) d->counters.delivered++;
    return status;
}

double fh_media_image_decoder_focal_length_35mm(const fh_media_image_decoder *decoder) {
    return decoder ? decoder->focal_length_35mm : 0;
}

int32_t fh_media_image_decoder_counters(const fh_media_image_decoder *decoder, fh_media_counters *out_counters) {
    if (!decoder || !out_counters) return FH_MEDIA_ERROR_ARGUMENT;
    *out_counters = decoder->counters;
    out_counters->resized = decoder->upright.resized;
    out_counters->copied = decoder->upright.copied;
    return FH_MEDIA_OK;
}

void fh_media_image_decoder_destroy(fh_media_image_decoder *decoder) {
    if (!decoder) return;
    fh_upright_clear(&decoder->upright);
    for (int i = 0; i < codec_count; i++) avcodec_free_context(&decoder->codecs[i]);
    av_frame_free(&decoder->decoded);
    av_packet_free(&decoder->packet);
    free(decoder);
}
