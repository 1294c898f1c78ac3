#!/bin/sh
# Makes the tiny recordings that the tests read (ffmpeg 5 with x264, x265 and libvpx). Run in this folder.
#
# Every picture has four quarters of luma 40, 90 (top), 140, 200 (bottom), and in the middle a square that tells the
# frame's number: luma 20 + 10 · n.
set -eu
cd "$(dirname "$0")/Fixtures"
rm -f -- *

number='20+10*N'
quarters="if(lt(Y,H/2),if(lt(X,W/2),40,90),if(lt(X,W/2),140,200))"
pattern() { # size, frames, rate
    echo "nullsrc=s=$1:r=$3,format=yuv420p,geq=lum='if(lt(abs(X-W/2),H/6)*lt(abs(Y-H/2),H/6),$number,$quarters)':cb=110:cr=140,trim=end_frame=$2"
}
make() { # output, size, frames, rate, options…
    output=$1 source=$(pattern "$2" "$3" "$4")
    shift 4
    ffmpeg -v error -y -f lavfi -i "$source" -fflags +bitexact -flags:v +bitexact -threads 1 "$@" "$output"
}
h264='-c:v libx264 -preset veryslow -crf 18'

make plain.mp4 160x120 12 30 $h264 -movflags +faststart
make index-last.mp4 160x120 12 30 $h264
make one-frame.mp4 160x120 1 30 $h264
make smallest.mp4 64x48 3 30 $h264
make large.mp4 3840x2160 2 30 $h264 -crf 30
make anamorphic.mp4 120x120 2 30 $h264 -vf setsar=4/3
make wide-lens.mp4 160x120 2 30 $h264 -movflags +use_metadata_tags \
    -metadata com.apple.quicktime.camera.focal_length.35mm_equivalent=26
# 40 ms apart, every third frame 7 ms late.
make variable.mp4 160x120 10 25 $h264 -vf "settb=1/1000,setpts='N*40+if(eq(mod(N,3),2),7,0)'" -vsync passthrough \
    -video_track_timescale 1000 -enc_time_base 1:1000 -bf 0
# After the second frame, five frames within five microseconds.
make crammed.mp4 160x120 12 30 $h264 -bf 0 -vsync passthrough -video_track_timescale 1000000 -enc_time_base 1:1000000 \
    -vf "settb=1/1000000,setpts='if(lte(N,1),N*33333,if(lte(N,6),33333+N-1,(N-5)*33333))'"
# Stored lying on its side, to be shown turned by 90° clockwise (ffmpeg counts the other way round).
make lying.mp4 120x160 3 30 $h264 -vf transpose=cclock
ffmpeg -v error -y -i lying.mp4 -c copy -fflags +bitexact -metadata:s:v:0 rotate=270 portrait.mp4
rm lying.mp4
make hevc10.mp4 160x120 4 30 -c:v libx265 -x265-params log-level=none:pools=1:frame-threads=1 -crf 18 \
    -pix_fmt yuv420p10le -tag:v hvc1
make hi10.mp4 160x120 4 30 $h264 -pix_fmt yuv420p10le
make odd.webm 161x121 4 30 -c:v libvpx-vp9 -crf 20 -b:v 0
make odd.mov 161x121 3 30 -c:v mjpeg -q:v 2 -huffman optimal
make gray.mkv 160x120 3 30 -c:v ffv1 -pix_fmt gray
make yuv422.mkv 160x120 3 30 -c:v ffv1 -pix_fmt yuv422p
make nv12.avi 64x48 2 30 -c:v rawvideo -pix_fmt nv12
make small.h264 64x48 3 30 $h264
make big.h264 96x72 3 30 $h264
cat small.h264 big.h264 >changing.h264
rm small.h264 big.h264
ffmpeg -v error -y -f lavfi -i sine=duration=0.3 -fflags +bitexact -c:a aac -b:a 24k sound.mp4
make picture%d.png 64x48 3 30 -vf format=rgb24 -pred mixed
make gray%d.png 64x48 2 30 -vf format=gray -pred mixed
make picture.jpg 64x48 1 30 -c:v mjpeg -q:v 2
# As a USB camera sends it: JPEG pictures one after the other, chroma at half width.
ffmpeg -v error -y -i ../../../SampleVideos/desk/video.mp4 -vf scale=160:120:flags=area -frames:v 12 -c:v mjpeg -q:v 4 \
    -pix_fmt yuvj422p -f mjpeg camera.mjpg
ls -l
