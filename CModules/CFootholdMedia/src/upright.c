#include "upright.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_llong live_frames;

int64_t fh_media_live_frame_count(void) { return atomic_load(&live_frames); }

void fh_media_frame_release(fh_media_frame *frame) {
    if (!frame) return;
    av_frame_free(&frame->frame);
    free(frame);
    atomic_fetch_sub(&live_frames, 1);
}

int32_t fh_media_frame_picture(const fh_media_frame *frame, fh_media_picture *out) {
    if (!frame || !out) return FH_MEDIA_ERROR_ARGUMENT;
    const AVFrame *f = frame->frame;
    const int half_width = (f->width + 1) / 2, half_height = (f->height + 1) / 2;
    *out = (fh_media_picture){.width = f->width,
                              .height = f->height,
                              .is_full_range = frame->is_full_range,
                              .time_nanoseconds = frame->time_nanoseconds,
                              .decoder_luma = frame->decoder_luma};
    switch (f->format) {
        case AV_PIX_FMT_GRAY8:
            out->format = FH_MEDIA_FORMAT_GRAY8;
            out->plane_count = 1;
            break;
        case AV_PIX_FMT_NV12:
            out->format = FH_MEDIA_FORMAT_NV12;
            out->plane_count = 2;
            break;
        default:
            out->format = FH_MEDIA_FORMAT_YUV420P;
            out->plane_count = 3;
            break;
    }
    for (int i = 0; i < out->plane_count; i++)
        out->planes[i] =
            (fh_media_plane){f->data[i], i ? half_width : f->width, i ? half_height : f->height, f->linesize[i]};
    return FH_MEDIA_OK;
}

void fh_upright_init(fh_upright *upright, fh_orientation orientation, fh_unstated_range unstated_range) {
    *upright = (fh_upright){.orientation = orientation, .unstated_range = unstated_range};
}

void fh_upright_clear(fh_upright *upright) {
    sws_freeContext(upright->scaler);
    upright->scaler = NULL;
    av_buffer_pool_uninit(&upright->pool);
}

static int is_gray(enum AVPixelFormat format) {
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    if (!d || (d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL))) return 0;
    return d->nb_components - ((d->flags & AV_PIX_FMT_FLAG_ALPHA) ? 1 : 0) == 1;
}

static int is_rgb(enum AVPixelFormat format) {
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    return d && (d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL));
}

static int passes_through(const AVFrame *f) {
    switch (f->format) {
        case AV_PIX_FMT_YUV420P:
        case AV_PIX_FMT_YUVJ420P:
            return f->linesize[0] > 0 && f->linesize[1] > 0 && f->linesize[2] > 0;
        case AV_PIX_FMT_NV12:
            return f->linesize[0] > 0 && f->linesize[1] > 0;
        case AV_PIX_FMT_GRAY8:
            return f->linesize[0] > 0;
        default:
            return 0;
    }
}

static int is_full_range(const fh_upright *upright, const AVFrame *f) {
    switch (f->format) {
        case AV_PIX_FMT_YUVJ420P:
        case AV_PIX_FMT_YUVJ411P:
        case AV_PIX_FMT_YUVJ422P:
        case AV_PIX_FMT_YUVJ440P:
        case AV_PIX_FMT_YUVJ444P:
            return 1;
        default:
            break;
    }
    if (f->color_range != AVCOL_RANGE_UNSPECIFIED) return f->color_range == AVCOL_RANGE_JPEG;
    return upright->unstated_range == FH_UNSTATED_IS_FULL ||
           (upright->unstated_range == FH_UNSTATED_GRAY_IS_FULL && is_gray(f->format));
}

/// A frame of ours whose memory goes back to a pool: fresh pages for every big picture would cost more than filling
/// them.
static AVFrame *pooled_frame(fh_upright *upright, enum AVPixelFormat format, int width, int height) {
    const int luma_stride = (width + 63) & ~63, chroma_stride = ((width + 1) / 2 + 63) & ~63;
    const size_t luma = (size_t)luma_stride * height, chroma = (size_t)chroma_stride * ((height + 1) / 2);
    const size_t size = luma + (format == AV_PIX_FMT_GRAY8 ? 0 : 2 * chroma) + 64;
    if (upright->pool_size < size) {
        av_buffer_pool_uninit(&upright->pool);
        upright->pool = av_buffer_pool_init(size, NULL);
        upright->pool_size = upright->pool ? size : 0;
    }
    AVFrame *frame = upright->pool ? av_frame_alloc() : NULL;
    if (!frame) return NULL;
    frame->buf[0] = av_buffer_pool_get(upright->pool);
    if (!frame->buf[0]) {
        av_frame_free(&frame);
        return NULL;
    }
    frame->format = format;
    frame->width = width;
    frame->height = height;
    frame->data[0] = frame->buf[0]->data;
    frame->linesize[0] = luma_stride;
    if (format != AV_PIX_FMT_GRAY8) {
        frame->data[1] = frame->data[0] + luma;
        frame->data[2] = frame->data[1] + chroma;
        frame->linesize[1] = frame->linesize[2] = chroma_stride;
    }
    frame->extended_data = frame->data;
    return frame;
}

/// The format without the range that libav's older names carry.
static enum AVPixelFormat plain_format(enum AVPixelFormat format) {
    switch (format) {
        case AV_PIX_FMT_YUVJ411P:
            return AV_PIX_FMT_YUV411P;
        case AV_PIX_FMT_YUVJ420P:
            return AV_PIX_FMT_YUV420P;
        case AV_PIX_FMT_YUVJ422P:
            return AV_PIX_FMT_YUV422P;
        case AV_PIX_FMT_YUVJ440P:
            return AV_PIX_FMT_YUV440P;
        case AV_PIX_FMT_YUVJ444P:
            return AV_PIX_FMT_YUV444P;
        default:
            return format;
    }
}

static enum AVPixelFormat delivered_format(enum AVPixelFormat format) {
    return is_gray(format) ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_YUV420P;
}

/// Makes the scaler fit the frame, if it doesn't already.
static int prepare_scaler(fh_upright *upright, const AVFrame *from) {
    const fh_conversion wanted = {
        .width = from->width,
        .height = from->height,
        .format = plain_format(from->format),
        .is_full_range = is_full_range(upright, from) || is_rgb(from->format),
        .matrix = from->colorspace == AVCOL_SPC_BT709        ? SWS_CS_ITU709
                  : from->colorspace == AVCOL_SPC_BT2020_NCL ? SWS_CS_BT2020
                                                             : SWS_CS_DEFAULT,
    };
    const fh_conversion have = upright->conversion;
    if (upright->scaler && have.width == wanted.width && have.height == wanted.height && have.format == wanted.format &&
        have.is_full_range == wanted.is_full_range && have.matrix == wanted.matrix)
        return 1;
    sws_freeContext(upright->scaler);
    // Bit-exact so that every machine gives the same picture.
    upright->scaler = sws_getContext(wanted.width, wanted.height, wanted.format, upright->width, upright->height,
                                     delivered_format(wanted.format), SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT,
                                     NULL, NULL, NULL);
    if (!upright->scaler) return 0;
    // Colours become full range, which keeps every grey level; the rest keeps its own range.
    const int *table = sws_getCoefficients(wanted.matrix);
    sws_setColorspaceDetails(upright->scaler, table, wanted.is_full_range, table, wanted.is_full_range, 0, 1 << 16,
                             1 << 16);
    upright->conversion = wanted;
    return 1;
}

/// 8-bit planes in the delivered size before turning; NULL when swscale can't.
static AVFrame *converted(fh_upright *upright, const AVFrame *from, int32_t *status) {
    *status = FH_MEDIA_ERROR_UNSUPPORTED;
    if (!sws_isSupportedInput(from->format) || !prepare_scaler(upright, from)) return NULL;
    *status = FH_MEDIA_ERROR_MEMORY;
    AVFrame *to = pooled_frame(upright, delivered_format(from->format), upright->width, upright->height);
    if (!to) return NULL;
    const int rows = sws_scale(upright->scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height,
                               to->data, to->linesize);
    *status = FH_MEDIA_OK;
    if (rows == upright->height) return to;
    *status = FH_MEDIA_ERROR_UNSUPPORTED;
    av_frame_free(&to);
    return NULL;
}

static AVFrame *turned(fh_upright *upright, const AVFrame *from) {
    const int swaps = upright->orientation.a == 0;
    const enum AVPixelFormat format = from->format == AV_PIX_FMT_GRAY8 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_YUV420P;
    AVFrame *to = pooled_frame(upright, format, swaps ? from->height : from->width, swaps ? from->width : from->height);
    if (!to) return NULL;
    const int planes = format == AV_PIX_FMT_GRAY8 ? 1 : 3;
    for (int i = 0; i < planes; i++)
        fh_orient_plane(upright->orientation, from->data[i], from->linesize[i], i ? (from->width + 1) / 2 : from->width,
                        i ? (from->height + 1) / 2 : from->height, to->data[i], to->linesize[i]);
    return to;
}

static void choose_size(fh_upright *upright, const AVFrame *frame, AVRational aspect) {
    upright->width = upright->stored_width = frame->width;
    upright->height = upright->stored_height = frame->height;
    const double shape = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
    // Pixels that aren't square are stretched, never squeezed, so that no detail is lost.
    if (shape > 1.01 && shape < 4) upright->width = (int)(frame->width * shape + 0.5);
    if (shape < 0.99 && shape > 0.25) upright->height = (int)(frame->height / shape + 0.5);
}

int32_t fh_upright_deliver(fh_upright *upright, AVFrame *decoded, AVRational aspect, fh_media_frame **out_frame) {
    if (!upright->width) choose_size(upright, decoded, aspect);
    const uint8_t *const decoder_luma = decoded->data[0];
    const int full_range = is_full_range(upright, decoded) || is_rgb(decoded->format);
    int32_t status = FH_MEDIA_OK;
    AVFrame *frame = av_frame_alloc();
    if (!frame) {
        av_frame_unref(decoded);
        return FH_MEDIA_ERROR_MEMORY;
    }
    av_frame_move_ref(frame, decoded);

    const int is_upright = fh_orientation_is_identity(upright->orientation);
    const int same_size = frame->width == upright->width && frame->height == upright->height;
    const int kept = passes_through(frame) && same_size && (is_upright || frame->format != AV_PIX_FMT_NV12);
    if (!kept) {
        AVFrame *next = converted(upright, frame, &status);
        if (next && (frame->width != upright->stored_width || frame->height != upright->stored_height))
            upright->resized++;
        av_frame_free(&frame);
        frame = next;
    }
    if (frame && !is_upright) {
        AVFrame *next = turned(upright, frame);
        if (!next) status = FH_MEDIA_ERROR_MEMORY;
        av_frame_free(&frame);
        frame = next;
    }
    if (!frame) return status;
    if (!kept || !is_upright) upright->copied++;

    fh_media_frame *result = malloc(sizeof *result);
    if (!result) {
        av_frame_free(&frame);
        return FH_MEDIA_ERROR_MEMORY;
    }
    *result = (fh_media_frame){frame, decoder_luma, FH_MEDIA_TIME_UNKNOWN, full_range};
    atomic_fetch_add(&live_frames, 1);
    *out_frame = result;
    return FH_MEDIA_OK;
}
