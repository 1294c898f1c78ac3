#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <string.h>

#include "media_encode.h"

// Microseconds: fine enough for any camera, and the 32-bit sample durations of MP4 still span more than an hour.
static const AVRational time_base = {1, 1000000};

struct fh_encoder {
    AVFormatContext *container;
    AVCodecContext *codec;
    AVStream *stream;
    AVFrame *frame;
    AVPacket *packet;
    int32_t width;
    int32_t height;
    AVRational rate;
    int64_t last_time;
    int32_t has_header;
    int32_t is_finished;
};

static int even(int value) { return value + (value & 1); }

int32_t fh_encoder_create(const char *path, const fh_encoder_config *config, fh_encoder **out_encoder) {
    if (!path || !out_encoder || !config || config->struct_size < sizeof(fh_encoder_config) || config->width < 1 ||
        config->height < 1) {
        return AVERROR(EINVAL);
    }
    *out_encoder = NULL;
    av_log_set_level(AV_LOG_QUIET);
    const AVCodec *codec = avcodec_find_encoder_by_name("libx264");
    if (!codec) return AVERROR_ENCODER_NOT_FOUND;
    fh_encoder *encoder = av_mallocz(sizeof(*encoder));
    if (!encoder) return AVERROR(ENOMEM);
    encoder->width = config->width;
    encoder->height = config->height;
    const double rate = config->nominal_frame_rate;
    encoder->rate = av_d2q(rate >= 1 && rate <= 1000 ? rate : 30, 1001000);
    encoder->last_time = AV_NOPTS_VALUE;

    int status = avformat_alloc_output_context2(&encoder->container, NULL, "mp4", path);
    if (status >= 0) {
        encoder->stream = avformat_new_stream(encoder->container, NULL);
        encoder->codec = avcodec_alloc_context3(codec);
        encoder->frame = av_frame_alloc();
        encoder->packet = av_packet_alloc();
        if (!encoder->stream || !encoder->codec || !encoder->frame || !encoder->packet) status = AVERROR(ENOMEM);
    }
    if (status >= 0) status = avio_open(&encoder->container->pb, path, AVIO_FLAG_WRITE);
    if (status < 0) {
        fh_encoder_destroy(encoder);
        return status;
    }
    *out_encoder = encoder;
    return 0;
}

static int open_codec(fh_encoder *encoder, fh_encode_color color) {
    AVCodecContext *codec = encoder->codec;
    codec->width = even(encoder->width);
    codec->height = even(encoder->height);
    codec->pix_fmt = AV_PIX_FMT_YUV420P;
    codec->time_base = time_base;
    codec->framerate = encoder->rate;
    codec->color_range = color.is_full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    const int is_bt709 = color.matrix == FH_ENCODE_MATRIX_BT709;
    codec->colorspace = is_bt709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    codec->color_primaries = is_bt709 ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M;
    codec->color_trc = is_bt709 ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M;
    codec->gop_size = 60;
    // Without reordering, every picture keeps exactly the time that it was given.
    codec->max_b_frames = 0;
    // A fixed number of threads: the bytes depend on it, and must not depend on the machine.
    codec->thread_count = 4;
    codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    encoder->container->flags |= AVFMT_FLAG_BITEXACT;

    AVDictionary *options = NULL;
    int status = av_dict_set(&options, "preset", "veryfast", 0);
    if (status >= 0) status = av_dict_set(&options, "crf", "20", 0);
    if (status >= 0) status = avcodec_open2(codec, codec->codec, &options);
    av_dict_free(&options);
    if (status < 0) return status;

    encoder->stream->time_base = time_base;
    encoder->stream->avg_frame_rate = encoder->rate;
    status = avcodec_parameters_from_context(encoder->stream->codecpar, codec);
    if (status < 0) return status;
    encoder->stream->codecpar->codec_tag = 0;

    AVDictionary *muxing = NULL;
    status = av_dict_set(&muxing, "movflags", "+faststart", 0);
    if (status >= 0) status = av_dict_set(&muxing, "video_track_timescale", "1000000", 0);
    if (status >= 0) status = avformat_write_header(encoder->container, &muxing);
    av_dict_free(&muxing);
    if (status < 0) return status;
    encoder->has_header = 1;

    encoder->frame->format = codec->pix_fmt;
    encoder->frame->width = codec->width;
    encoder->frame->height = codec->height;
    return av_frame_get_buffer(encoder->frame, 0);
}

// Rows and columns beyond the picture repeat its edge.
static void fill_plane(const uint8_t *in, ptrdiff_t in_stride, int width, int height, uint8_t *out, int out_stride,
                       int out_width, int out_height) {
    for (int y = 0; y < out_height; y++) {
        const uint8_t *row = in + (y < height ? y : height - 1) * in_stride;
        uint8_t *out_row = out + (ptrdiff_t)y * out_stride;
        memcpy(out_row, row, (size_t)width);
        if (out_width > width) memset(out_row + width, row[width - 1], (size_t)(out_width - width));
    }
}

// The muxer's own calls report a full disk late or not at all; its byte stream knows.
static int stream_error(const fh_encoder *encoder) {
    return encoder->container->pb && encoder->container->pb->error < 0 ? encoder->container->pb->error : 0;
}

static int write_packets(fh_encoder *encoder, const AVFrame *frame) {
    int status = avcodec_send_frame(encoder->codec, frame);
    if (status < 0) return status;
    for (;;) {
        status = avcodec_receive_packet(encoder->codec, encoder->packet);
        if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return stream_error(encoder);
        if (status < 0) return status;
        // How long the last picture stays; the muxer takes all others from the next picture's time.
        encoder->packet->duration = av_rescale_q(1, av_inv_q(encoder->rate), time_base);
        av_packet_rescale_ts(encoder->packet, time_base, encoder->stream->time_base);
        encoder->packet->stream_index = encoder->stream->index;
        status = av_interleaved_write_frame(encoder->container, encoder->packet);
        if (status < 0) return status;
    }
}

int32_t fh_encoder_append(fh_encoder *encoder, const fh_encode_planes *picture, fh_encode_color color,
                          int64_t timestamp_nanoseconds) {
    if (!encoder || !picture || encoder->is_finished) return AVERROR(EINVAL);
    const int64_t time = av_rescale_q(timestamp_nanoseconds, (AVRational){1, 1000000000}, time_base);
    if (encoder->last_time != AV_NOPTS_VALUE && time <= encoder->last_time) return AVERROR(EINVAL);
    int status = encoder->has_header ? 0 : open_codec(encoder, color);
    if (status >= 0) status = av_frame_make_writable(encoder->frame);
    if (status < 0) return status;
    AVFrame *frame = encoder->frame;
    const int width = encoder->width, height = encoder->height;
    const int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
    fill_plane(picture->y, picture->y_stride, width, height, frame->data[0], frame->linesize[0], frame->width,
               frame->height);
    fill_plane(picture->u, picture->chroma_stride, chroma_width, chroma_height, frame->data[1], frame->linesize[1],
               chroma_width, chroma_height);
    fill_plane(picture->v, picture->chroma_stride, chroma_width, chroma_height, frame->data[2], frame->linesize[2],
               chroma_width, chroma_height);
    frame->pts = time;
    status = write_packets(encoder, frame);
    if (status < 0) return status;
    encoder->last_time = time;
    return 0;
}

int32_t fh_encoder_finish(fh_encoder *encoder) {
    if (!encoder || encoder->is_finished || !encoder->has_header) return AVERROR(EINVAL);
    encoder->is_finished = 1;
    int status = write_packets(encoder, NULL);
    const int trailer = av_write_trailer(encoder->container);
    if (status >= 0) status = trailer;
    if (status >= 0) status = stream_error(encoder);
    const int closed = avio_closep(&encoder->container->pb);
    return status < 0 ? status : closed < 0 ? closed : 0;
}

void fh_encoder_destroy(fh_encoder *encoder) {
    if (!encoder) return;
    if (encoder->container) {
        avio_closep(&encoder->container->pb);
        avformat_free_context(encoder->container);
    }
    avcodec_free_context(&encoder->codec);
    av_frame_free(&encoder->frame);
    av_packet_free(&encoder->packet);
    av_free(encoder);
}

void fh_encode_error_text(int32_t status, char *out_text, size_t capacity) {
    if (!out_text || capacity == 0) return;
    if (status == AVERROR_ENCODER_NOT_FOUND) {
        av_strlcpy(out_text, "the encoder is not installed", capacity);
        return;
    }
    if (av_strerror(status, out_text, capacity) < 0) av_strlcpy(out_text, "an unknown error", capacity);
}
