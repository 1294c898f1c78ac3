#include <errno.h>
#include <inttypes.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdio.h>
#include <string.h>

#include "media_record.h"

static const AVRational nanoseconds = {1, 1000000000};

struct fh_recorder {
    AVFormatContext *container;
    AVCodecContext *codec;
    AVStream *stream;
    AVFrame *frame;
    AVPacket *packet;
    int64_t last_time;
    int32_t has_header;
};

static int32_t open_codec(fh_recorder *recorder, const fh_recorder_config *config) {
    AVCodecContext *codec = recorder->codec;
    codec->width = config->width;
    codec->height = config->height;
    codec->pix_fmt = config->is_gray ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_YUV420P;
    codec->time_base = nanoseconds;
    codec->color_range = config->color.is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    codec->colorspace = config->color.matrix == FH_ENCODE_MATRIX_BT709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    codec->thread_count = 1;
    AVDictionary *options = NULL;
    av_dict_set(&options, "pred", "median", 0);
    int32_t status = avcodec_open2(codec, codec->codec, &options);
    av_dict_free(&options);
    if (status < 0) return status;
    recorder->frame->format = codec->pix_fmt;
    recorder->frame->width = codec->width;
    recorder->frame->height = codec->height;
    status = av_frame_get_buffer(recorder->frame, 0);
    if (status < 0) return status;
    recorder->stream->time_base = nanoseconds;
    return avcodec_parameters_from_context(recorder->stream->codecpar, codec);
}

static int32_t open_container(fh_recorder *recorder, const char *path, const fh_recorder_config *config) {
    char interval[32];
    snprintf(interval, sizeof interval, "%" PRId64, config->nominal_interval_nanoseconds);
    AVDictionary **tags = &recorder->container->metadata;
    int32_t status = av_dict_set(tags, FH_RECORD_TAG_INTERVAL, interval, 0);
    if (status >= 0 && config->camera_json) status = av_dict_set(tags, FH_RECORD_TAG_CAMERA, config->camera_json, 0);
    if (status >= 0 && config->color.is_full_range) {
        status = av_dict_set(tags, FH_RECORD_TAG_RANGE, FH_RECORD_RANGE_FULL, 0);
    }
    if (status < 0) return status;
    recorder->container->flags |= AVFMT_FLAG_BITEXACT;
    status = avio_open(&recorder->container->pb, path, AVIO_FLAG_WRITE);
    if (status < 0) return status;
    // Nothing is kept back: whatever ends the recording, it holds every picture up to then.
    recorder->container->flush_packets = 1;
    status = avformat_write_header(recorder->container, NULL);
    if (status >= 0) recorder->has_header = 1;
    return status < 0 ? status : 0;
}

int32_t fh_recorder_create(const char *path, const fh_recorder_config *config, fh_recorder **out_recorder) {
    if (!path || !out_recorder || !config || config->struct_size != sizeof *config || config->width < 1 ||
        config->height < 1)
        return AVERROR(EINVAL);
    *out_recorder = NULL;
    av_log_set_level(AV_LOG_QUIET);
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_FFVHUFF);
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    fh_recorder *recorder = av_mallocz(sizeof *recorder);
    if (!recorder) return AVERROR(ENOMEM);
    recorder->last_time = AV_NOPTS_VALUE;
    int32_t status = avformat_alloc_output_context2(&recorder->container, NULL, "nut", path);
    if (status >= 0) {
        recorder->stream = avformat_new_stream(recorder->container, NULL);
        recorder->codec = avcodec_alloc_context3(codec);
        recorder->frame = av_frame_alloc();
        recorder->packet = av_packet_alloc();
        if (!recorder->stream || !recorder->codec || !recorder->frame || !recorder->packet) status = AVERROR(ENOMEM);
    }
    if (status >= 0) status = open_codec(recorder, config);
    if (status >= 0) status = open_container(recorder, path, config);
    if (status >= 0 && av_cmp_q(recorder->stream->time_base, nanoseconds) != 0) status = AVERROR(ENOSYS);
    if (status < 0) {
        fh_recorder_destroy(recorder);
        return status;
    }
    *out_recorder = recorder;
    return 0;
}

static void copy_rows(const uint8_t *in, ptrdiff_t in_stride, int step, uint8_t *out, ptrdiff_t out_stride, int width,
                      int height) {
    for (int row = 0; row < height; row++, in += in_stride, out += out_stride) {
        if (step == 1)
            memcpy(out, in, (size_t)width);
        else
            for (int x = 0; x < width; x++) out[x] = in[(ptrdiff_t)x * step];
    }
}

int32_t fh_recorder_append(fh_recorder *recorder, const fh_encode_source *picture, int64_t timestamp_nanoseconds) {
    if (!recorder || !picture || !picture->y) return AVERROR(EINVAL);
    if (recorder->last_time != AV_NOPTS_VALUE && timestamp_nanoseconds <= recorder->last_time) return AVERROR(EINVAL);
    AVFrame *frame = recorder->frame;
    int32_t status = av_frame_make_writable(frame);
    if (status < 0) return status;
    copy_rows(picture->y, picture->y_stride, 1, frame->data[0], frame->linesize[0], frame->width, frame->height);
    if (frame->format != AV_PIX_FMT_GRAY8) {
        if (!picture->u || !picture->v) return AVERROR(EINVAL);
        const int width = (frame->width + 1) / 2, height = (frame->height + 1) / 2;
        copy_rows(picture->u, picture->chroma_stride, picture->chroma_step, frame->data[1], frame->linesize[1], width,
                  height);
        copy_rows(picture->v, picture->chroma_stride, picture->chroma_step, frame->data[2], frame->linesize[2], width,
                  height);
    }
    frame->pts = timestamp_nanoseconds;
    status = avcodec_send_frame(recorder->codec, frame);
    while (status >= 0) {
        status = avcodec_receive_packet(recorder->codec, recorder->packet);
        if (status == AVERROR(EAGAIN)) break;
        if (status < 0) return status;
        recorder->packet->stream_index = recorder->stream->index;
        status = av_write_frame(recorder->container, recorder->packet);
        av_packet_unref(recorder->packet);
        // The muxer's own calls report a full disk late or not at all; its byte stream knows.
        if (status >= 0 && recorder->container->pb->error < 0) status = recorder->container->pb->error;
        if (status < 0) return status;
    }
    recorder->last_time = timestamp_nanoseconds;
    return 0;
}

int32_t fh_recorder_finish(fh_recorder *recorder) {
    if (!recorder || !recorder->has_header) return AVERROR(EINVAL);
    recorder->has_header = 0;
    int32_t status = av_write_trailer(recorder->container);
    if (status >= 0 && recorder->container->pb->error < 0) status = recorder->container->pb->error;
    const int32_t closed = avio_closep(&recorder->container->pb);
    return status < 0 ? status : closed < 0 ? closed : 0;
}

void fh_recorder_destroy(fh_recorder *recorder) {
    if (!recorder) return;
    if (recorder->container) {
        avio_closep(&recorder->container->pb);
        avformat_free_context(recorder->container);
    }
    avcodec_free_context(&recorder->codec);
    av_frame_free(&recorder->frame);
    av_packet_free(&recorder->packet);
    av_free(recorder);
}
