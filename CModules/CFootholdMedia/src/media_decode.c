// For O_CLOEXEC.
#define _POSIX_C_SOURCE 200809L
#include "media_decode.h"

#include <fcntl.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "media_record.h"
#include "metadata.h"
#include "upright.h"

struct fh_media_decoder {
    AVFormatContext *container;
    AVCodecContext *codec;
    AVStream *stream;
    AVPacket *packet;
    AVFrame *decoded;
    fh_upright upright;
    fh_media_frame *first;
    fh_media_video_info info;
    fh_media_counters counters;
    /// Coded frames that the container's index names; 0 when it doesn't name all.
    int64_t indexed_packets;
    int64_t read_packets;
    /// Of MP4 and MOV, whose index names each frame's place in the file: how many entries it has, 0 when they aren't
    /// followed; the one that should be read next; how often reading failed.
    int entry_count;
    int next_entry;
    int failed_reads;
    /// Frames that aren't where the index says, with readable ones after them.
    int64_t unreadable_packets;
    /// From the first frame's decoding to its presentation, in the stream's time base.
    int64_t delay;
    /// Those of them that the container's edit list hides.
    int64_t hidden_packets;
    int64_t failed_packets;
    int is_draining;
    int is_finished;
};

int32_t fh_media_can_decode(const char *codec_name) {
    const AVCodecDescriptor *descriptor = codec_name ? avcodec_descriptor_get_by_name(codec_name) : NULL;
    return descriptor && avcodec_find_decoder(descriptor->id) ? 1 : 0;
}

static int compare_intervals(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/// The median distance of the index's entries: unlike the average it isn't spoiled by broken times.
/// Nanoseconds; 0 without a usable index.
static int64_t indexed_interval(AVStream *stream, int *out_is_constant) {
    enum { most = 4096 };
    const int entries = avformat_index_get_entries_count(stream);
    const int count = entries - 1 < most ? entries - 1 : most;
    *out_is_constant = 0;
    if (count < 1) return 0;
    int64_t *intervals = malloc((size_t)count * sizeof *intervals);
    if (!intervals) return 0;
    for (int i = 0; i < count; i++)
        intervals[i] =
            avformat_index_get_entry(stream, i + 1)->timestamp - avformat_index_get_entry(stream, i)->timestamp;
    qsort(intervals, (size_t)count, sizeof *intervals, compare_intervals);
    const int64_t median = intervals[count / 2];
    *out_is_constant = intervals[0] == intervals[count - 1];
    free(intervals);
    return median > 0 ? av_rescale_q(median, stream->time_base, (AVRational){1, 1000000000}) : 0;
}

/// The containers and streams that recordings, sound and pictures come in, by libav's names. Others make pictures of
/// text (tty), or lists of other files.
static const char recordings[] =
    "mov,mp4,matroska,webm,avi,nut,mpegts,mpeg,mpegvideo,m4v,h264,hevc,av1,obu,ivf,vvc,flv,asf,ogg,mxf,dv,gxf,rm,swf,"
    "yuv4mpegpipe,mjpeg,mpjpeg,mjpeg_2000,gif,apng,vc1,vc1test,h263,h261,dirac,cavsvideo,wtv,nsv,nuv,"
    "image2,jpeg_pipe,png_pipe,bmp_pipe,tiff_pipe,webp_pipe,j2k_pipe,jpegls_pipe,webp,"
    "mp3,wav,w64,flac,aac,aiff,au,caf,ac3,eac3,amr,ape,wv,tta,dts,truehd";

/// A plain file, whatever its name looks like, and nothing that it may point to. What libav returns.
static int open_input(const char *path, int follows_edit_list, AVFormatContext **out_container) {
    const size_t length = strlen(path) + 6;
    char *url = malloc(length);
    if (!url) return AVERROR(ENOMEM);
    snprintf(url, length, "file:%s", path);
    AVDictionary *options = NULL;
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    av_dict_set(&options, "format_whitelist", recordings, 0);
    if (!follows_edit_list) av_dict_set(&options, "ignore_editlist", "1", 0);
    const int result = avformat_open_input(out_container, url, NULL, &options);
    av_dict_free(&options);
    free(url);
    return result;
}

/// How many frames of the stream MP4's and MOV's index names, also those that the edit list leaves out.
static int64_t unedited_frame_count(const char *path, int stream) {
    AVFormatContext *container = NULL;
    if (open_input(path, 0, &container) < 0) return 0;
    const int64_t count =
        stream < (int)container->nb_streams ? avformat_index_get_entries_count(container->streams[stream]) : 0;
    avformat_close_input(&container);
    return count;
}

/// The first entry of the index from this one on that has data: an empty one says that the last picture stays.
static int with_data(const fh_media_decoder *d, int entry) {
    while (entry < d->entry_count && avformat_index_get_entry(d->stream, entry)->size == 0) entry++;
    return entry;
}

/// Counts what the index names and what of it will be shown.
static void read_index(fh_media_decoder *d, const char *path) {
    AVStream *const s = d->stream;
    const int entries = avformat_index_get_entries_count(s);
    const int is_movie = strncmp(d->container->iformat->name, "mov,", 4) == 0;
    d->info.frame_count = s->nb_frames;
    // An edit list leaves frames out, or shows them again.
    if (entries == 0 || (is_movie ? s->nb_frames == 0 : s->nb_frames != entries)) return;
    int64_t hidden = 0;
    for (int i = 0; i < entries; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(s, i);
        if (entry->size == 0) continue;
        d->indexed_packets++;
        if (entry->flags & AVINDEX_DISCARD_FRAME) hidden++;
    }
    d->info.frame_count = d->indexed_packets - hidden;
    if (!is_movie) return;
    d->entry_count = entries;
    d->next_entry = with_data(d, 0);
    if (s->nb_frames <= entries) return;
    // Where it isn't the edit list, the index's own tables disagree, and libav leaves the rest out.
    const int64_t all = unedited_frame_count(path, s->index);
    if (all == 0 || all >= s->nb_frames) return;
    d->counters.ends_early = 1;
    d->info.frame_count += s->nb_frames - all;
}

static void gather_info(fh_media_decoder *d, const char *path) {
    AVStream *const s = d->stream;
    fh_media_video_info *const info = &d->info;
    const AVRational nanoseconds = {1, 1000000000};
    read_index(d, path);
    int is_constant = 0;
    // Only where every frame has an entry (MP4, MOV) does the index tell the frames' distances.
    const int entries = avformat_index_get_entries_count(s);
    if (entries > 0 && s->nb_frames == entries) info->frame_interval_nanoseconds = indexed_interval(s, &is_constant);
    const AVRational rate = av_guess_frame_rate(d->container, s, NULL);
    if (!info->frame_interval_nanoseconds && rate.num > 0 && rate.den > 0)
        info->frame_interval_nanoseconds = av_rescale(1000000000, rate.den, rate.num);
    info->is_constant_rate = is_constant;
    if (s->duration > 0) {
        info->duration_nanoseconds = av_rescale_q(s->duration, s->time_base, nanoseconds);
    } else if (d->container->duration > 0) {
        info->duration_nanoseconds = av_rescale_q(d->container->duration, AV_TIME_BASE_Q, nanoseconds);
    }
    if (!info->frame_count && info->frame_interval_nanoseconds)
        info->frame_count = info->duration_nanoseconds / info->frame_interval_nanoseconds;
    if (s->start_time != AV_NOPTS_VALUE)
        info->start_nanoseconds = av_rescale_q(s->start_time, s->time_base, nanoseconds);
    info->focal_length_35mm = fh_focal_length_35mm(s->metadata);
    if (info->focal_length_35mm == 0) info->focal_length_35mm = fh_focal_length_35mm(d->container->metadata);
}

static int32_t open_container(fh_media_decoder *d, const char *path) {
    // Asked here because libav's answer may be about another file that this one names.
    // A pipe would keep us waiting, and a device may do anything.
    struct stat status;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return FH_MEDIA_ERROR_OPEN;
    const int is_plain = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    close(file);
    if (!is_plain) return FH_MEDIA_ERROR_OPEN;
    const int result = open_input(path, 1, &d->container);
    if (result == AVERROR(ENOMEM)) return FH_MEDIA_ERROR_MEMORY;
    if (result < 0) return FH_MEDIA_ERROR_FORMAT;
    if (avformat_find_stream_info(d->container, NULL) < 0) return FH_MEDIA_ERROR_FORMAT;
    return FH_MEDIA_OK;
}

static int32_t open_codec(fh_media_decoder *d, int thread_count, char *detail, size_t detail_capacity) {
    const AVCodec *codec = NULL;
    const int index = av_find_best_stream(d->container, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (index < 0 || (d->container->streams[index]->disposition & AV_DISPOSITION_ATTACHED_PIC)) {
        // Text is taken for subtitles or the like now and then: without sound it is no recording at all.
        const int sound = av_find_best_stream(d->container, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
        return sound >= 0 ? FH_MEDIA_ERROR_NO_VIDEO : FH_MEDIA_ERROR_FORMAT;
    }
    d->stream = d->container->streams[index];
    for (unsigned i = 0; i < d->container->nb_streams; i++)
        if ((int)i != index) d->container->streams[i]->discard = AVDISCARD_ALL;
    codec = avcodec_find_decoder(d->stream->codecpar->codec_id);
    if (detail) snprintf(detail, detail_capacity, "%s", avcodec_get_name(d->stream->codecpar->codec_id));
    if (!codec) return FH_MEDIA_ERROR_UNSUPPORTED;
    d->codec = avcodec_alloc_context3(codec);
    if (!d->codec || avcodec_parameters_to_context(d->codec, d->stream->codecpar) < 0) return FH_MEDIA_ERROR_MEMORY;
    d->codec->pkt_timebase = d->stream->time_base;
    d->codec->thread_count = thread_count;
    if (avcodec_open2(d->codec, codec, NULL) < 0) return FH_MEDIA_ERROR_UNSUPPORTED;
    if (detail && detail_capacity) detail[0] = 0;
    return FH_MEDIA_OK;
}

/// Reads the next coded frame of the stream; what libav returns.
static int read_packet(fh_media_decoder *d) {
    for (;;) {
        const int result = av_read_frame(d->container, d->packet);
        // To the decoder an empty one would be the end.
        if (result < 0 || (d->packet->stream_index == d->stream->index && d->packet->size > 0)) return result;
        av_packet_unref(d->packet);
    }
}

static int is_entry(const fh_media_decoder *d, int entry) {
    const AVIndexEntry *e = avformat_index_get_entry(d->stream, entry);
    return e->pos == d->packet->pos && e->size == d->packet->size;
}

/// Reads a frame of the index again: libav dates those after one that it couldn't read as if they came before it, and
/// knows better after a seek. 0 when that isn't possible.
static int read_again(fh_media_decoder *d, int entry) {
    const int64_t time = avformat_index_get_entry(d->stream, entry)->timestamp;
    // It seeks by the time of presentation where it knows how that follows from the time of decoding.
    const int64_t times[2] = {time, time + d->delay};
    for (int i = 0; i < 2; i++) {
        av_packet_unref(d->packet);
        if (av_seek_frame(d->container, d->stream->index, times[i], AVSEEK_FLAG_ANY) < 0 || read_packet(d) < 0)
            continue;
        if (is_entry(d, entry)) return 1;
    }
    return 0;
}

/// Reads the next coded frame that is where the index says; what libav returns.
static int read_indexed(fh_media_decoder *d) {
    int result = read_packet(d);
    // Where the index leads out of the file, or the file was cut off, later frames may be there still.
    while ((result == AVERROR_EOF || result == AVERROR_INVALIDDATA) && d->next_entry < d->entry_count &&
           d->failed_reads < d->entry_count) {
        d->failed_reads++;
        result = read_packet(d);
    }
    if (result < 0 || d->next_entry >= d->entry_count) return result;
    if (d->read_packets == 0 && d->packet->pts != AV_NOPTS_VALUE && d->packet->dts != AV_NOPTS_VALUE)
        d->delay = d->packet->pts - d->packet->dts;
    int entry = d->next_entry;
    int64_t passed_over = 0;
    while (entry < d->entry_count && !is_entry(d, entry)) {
        entry = with_data(d, entry + 1);
        passed_over++;
    }
    if (entry == d->entry_count) {
        // The index isn't what is read.
        d->entry_count = 0;
        return result;
    }
    if (passed_over > 0 && !read_again(d, entry)) return AVERROR_EOF;
    d->unreadable_packets += passed_over;
    d->next_entry = with_data(d, entry + 1);
    return result;
}

/// Gives the decoder the next coded frame, or tells it that there are no more.
static void feed(fh_media_decoder *d) {
    const int result = read_indexed(d);
    if (result < 0) {
        if (result != AVERROR_EOF || d->read_packets + d->unreadable_packets < d->indexed_packets)
            d->counters.ends_early = 1;
        d->is_draining = 1;
        avcodec_send_packet(d->codec, NULL);
        return;
    }
    d->read_packets++;
    if (d->packet->flags & AV_PKT_FLAG_DISCARD) d->hidden_packets++;
    if (avcodec_send_packet(d->codec, d->packet) < 0) d->failed_packets++;
    av_packet_unref(d->packet);
}

static int32_t decode_next(fh_media_decoder *d, fh_media_frame **out_frame) {
    if (d->is_finished) return FH_MEDIA_END;
    for (;;) {
        const int result = avcodec_receive_frame(d->codec, d->decoded);
        if (result == AVERROR(EAGAIN) && !d->is_draining) {
            feed(d);
            continue;
        }
        if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) {
            d->is_finished = 1;
            // What comes after the last picture can have its memory: it keeps some of them to decode others from.
            avcodec_free_context(&d->codec);
            return FH_MEDIA_END;
        }
        if (result == AVERROR(ENOMEM)) return FH_MEDIA_ERROR_MEMORY;
        if (result < 0) {
            d->failed_packets++;
            continue;
        }
        if (d->decoded->decode_error_flags || (d->decoded->flags & AV_FRAME_FLAG_CORRUPT)) d->counters.concealed++;
        const int64_t time = d->decoded->best_effort_timestamp;
        const AVRational aspect = av_guess_sample_aspect_ratio(d->container, d->stream, d->decoded);
        const int32_t status = fh_upright_deliver(&d->upright, d->decoded, aspect, out_frame);
        if (status != FH_MEDIA_OK) return status;
        if (time != AV_NOPTS_VALUE)
            (*out_frame)->time_nanoseconds = av_rescale_q(time, d->stream->time_base, (AVRational){1, 1000000000});
        d->counters.delivered++;
        return FH_MEDIA_OK;
    }
}

static int32_t open_all(fh_media_decoder *d, const char *path, int thread_count, char *detail, size_t capacity) {
    int32_t status = open_container(d, path);
    if (status == FH_MEDIA_OK) status = open_codec(d, thread_count, detail, capacity);
    if (status != FH_MEDIA_OK) return status;
    d->packet = av_packet_alloc();
    d->decoded = av_frame_alloc();
    if (!d->packet || !d->decoded) return FH_MEDIA_ERROR_MEMORY;
    gather_info(d, path);
    // Our own recordings say it beside the pictures, since their container has no place for it.
    const AVDictionaryEntry *range = av_dict_get(d->container->metadata, FH_RECORD_TAG_RANGE, NULL, 0);
    fh_upright_init(
        &d->upright, fh_orientation_from_matrix(fh_stream_display_matrix(d->stream)),
        range && strcmp(range->value, FH_RECORD_RANGE_FULL) == 0 ? FH_UNSTATED_IS_FULL : FH_UNSTATED_IS_LIMITED);
    status = decode_next(d, &d->first);
    if (status == FH_MEDIA_END) return FH_MEDIA_ERROR_NO_FRAMES;
    if (status != FH_MEDIA_OK) {
        const char *name = av_get_pix_fmt_name(d->codec->pix_fmt);
        if (detail) snprintf(detail, capacity, "%s", name ? name : "");
        return status;
    }
    d->info.width = d->first->frame->width;
    d->info.height = d->first->frame->height;
    d->info.rotation_degrees = fh_orientation_degrees(d->upright.orientation);
    d->info.is_mirrored = fh_orientation_is_mirrored(d->upright.orientation);
    return FH_MEDIA_OK;
}

int32_t fh_media_decoder_create(const char *path, const fh_media_decoder_config *config, fh_media_decoder **out_decoder,
                                char *out_detail, size_t detail_capacity) {
    if (out_detail && detail_capacity) out_detail[0] = 0;
    if (!path || !config || config->struct_size != sizeof *config || config->thread_count < 1 || !out_decoder)
        return FH_MEDIA_ERROR_ARGUMENT;
    av_log_set_level(AV_LOG_QUIET);
    fh_media_decoder *d = calloc(1, sizeof *d);
    if (!d) return FH_MEDIA_ERROR_MEMORY;
    const int32_t status = open_all(d, path, config->thread_count, out_detail, detail_capacity);
    if (status != FH_MEDIA_OK) {
        fh_media_decoder_destroy(d);
        return status;
    }
    *out_decoder = d;
    return FH_MEDIA_OK;
}

int32_t fh_media_decoder_info(const fh_media_decoder *decoder, fh_media_video_info *out_info) {
    if (!decoder || !out_info) return FH_MEDIA_ERROR_ARGUMENT;
    *out_info = decoder->info;
    return FH_MEDIA_OK;
}

int32_t fh_media_decoder_tag(const fh_media_decoder *decoder, const char *name, char *out_value, size_t capacity) {
    if (!decoder || !name || !out_value || capacity == 0) return FH_MEDIA_ERROR_ARGUMENT;
    out_value[0] = 0;
    const AVDictionaryEntry *entry = av_dict_get(decoder->container->metadata, name, NULL, 0);
    if (!entry || strlen(entry->value) >= capacity) return FH_MEDIA_ERROR_ARGUMENT;
    memcpy(out_value, entry->value, strlen(entry->value) + 1);
    return FH_MEDIA_OK;
}

int32_t fh_media_decoder_next(fh_media_decoder *decoder, fh_media_frame **out_frame) {
    if (!decoder || !out_frame) return FH_MEDIA_ERROR_ARGUMENT;
    *out_frame = NULL;
    if (decoder->first) {
        *out_frame = decoder->first;
        decoder->first = NULL;
        return FH_MEDIA_OK;
    }
    return decode_next(decoder, out_frame);
}

int32_t fh_media_decoder_counters(const fh_media_decoder *decoder, fh_media_counters *out_counters) {
    if (!decoder || !out_counters) return FH_MEDIA_ERROR_ARGUMENT;
    *out_counters = decoder->counters;
    // Some decoders pass over damage without a word. Where every coded frame is one picture, what is missing at the
    // end tells.
    int64_t lost = decoder->failed_packets;
    const int64_t missing = decoder->read_packets - decoder->hidden_packets - decoder->counters.delivered;
    if (decoder->is_finished && decoder->indexed_packets && missing > lost) lost = missing;
    out_counters->lost = lost + decoder->unreadable_packets;
    out_counters->resized = decoder->upright.resized;
    out_counters->copied = decoder->upright.copied;
    return FH_MEDIA_OK;
}

void fh_media_decoder_destroy(fh_media_decoder *decoder) {
    if (!decoder) return;
    fh_media_frame_release(decoder->first);
    fh_upright_clear(&decoder->upright);
    av_frame_free(&decoder->decoded);
    av_packet_free(&decoder->packet);
    avcodec_free_context(&decoder->codec);
    avformat_close_input(&decoder->container);
    free(decoder);
}
