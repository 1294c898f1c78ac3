#include <errno.h>
#include <libavcodec/avcodec.h>
#include <stdio.h>
#include <string.h>

#include "media_encode.h"

static int encode(const AVFrame *frame, AVPacket *packet) {
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_PNG);
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    AVCodecContext *context = avcodec_alloc_context3(codec);
    if (!context) return AVERROR(ENOMEM);
    context->width = frame->width;
    context->height = frame->height;
    context->pix_fmt = frame->format;
    context->time_base = (AVRational){1, 1};
    context->thread_count = 1;
    int status = avcodec_open2(context, codec, NULL);
    if (status >= 0) status = avcodec_send_frame(context, frame);
    if (status >= 0) status = avcodec_receive_packet(context, packet);
    avcodec_free_context(&context);
    return status;
}

static int write_file(const char *path, const AVPacket *packet) {
    FILE *file = fopen(path, "wb");
    if (!file) return AVERROR(errno);
    int status = 0;
    if (fwrite(packet->data, 1, (size_t)packet->size, file) != (size_t)packet->size) status = AVERROR(errno);
    if (fclose(file) != 0 && status == 0) status = AVERROR(errno);
    return status;
}

int32_t fh_png_write(const char *path, const uint8_t *rgba, int32_t width, int32_t height, int32_t has_alpha) {
    if (!path || !rgba || width < 1 || height < 1) return AVERROR(EINVAL);
    av_log_set_level(AV_LOG_QUIET);
    AVFrame *frame = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int status = frame && packet ? 0 : AVERROR(ENOMEM);
    if (status >= 0) {
        frame->format = has_alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
        frame->width = width;
        frame->height = height;
        status = av_frame_get_buffer(frame, 0);
    }
    if (status >= 0) {
        for (int32_t y = 0; y < height; y++) {
            const uint8_t *in = rgba + (ptrdiff_t)y * width * 4;
            uint8_t *out = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
            if (has_alpha) {
                memcpy(out, in, (size_t)width * 4);
            } else {
                for (int32_t x = 0; x < width; x++) memcpy(out + 3 * x, in + 4 * x, 3);
            }
        }
        status = encode(frame, packet);
    }
    if (status >= 0) status = write_file(path, packet);
    av_packet_free(&packet);
    av_frame_free(&frame);
    return status;
}
