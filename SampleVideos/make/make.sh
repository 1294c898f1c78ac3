#!/bin/sh
# Remakes SampleVideos/desk. Wants Debian's blender, ffmpeg, python3-numpy, python3-opencv, python3-pil and
# fonts-dejavu-core.
# Takes about half an hour on two cores; stopped, it goes on with the frames that are missing.
#   ./make.sh [WORK_FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-"$here/../../.build/sample-desk"}
samples=5
mkdir -p "$work"
export PYTHONDONTWRITEBYTECODE=1

for tool in blender ffmpeg python3; do
    command -v "$tool" > /dev/null ||
        { echo "make.sh: $tool is missing; install it with: apt-get install $tool" >&2; exit 1; }
done

in_blender() {
    nice -n 15 blender --background "$@" > "$work/blender-$log.log" 2>&1 ||
        { echo "make.sh: Blender failed; see $work/blender-$log.log" >&2; exit 1; }
}

echo "Pictures and path"
python3 "$here/textures.py" "$work/textures"
python3 "$here/motion.py" "$work"

if [ ! -f "$work/desk.blend" ]; then
    echo "Room and its light (some minutes)"
    log=bake in_blender --factory-startup --python-exit-code 1 --python "$here/render_desk.py" -- "$work" bake
fi
python3 "$here/smooth_light.py" "$work"

echo "Frames"
# Two processes of one thread keep two cores busier than one process of two.
log=even in_blender "$work/desk.blend" -t 1 --python-exit-code 1 --python "$here/render_desk.py" -- \
    "$work" render 0 269 2 $samples &
even=$!
log=odd in_blender "$work/desk.blend" -t 1 --python-exit-code 1 --python "$here/render_desk.py" -- \
    "$work" render 1 269 2 $samples
wait $even

if [ ! -f "$work/planes.json" ]; then
    echo "Truth"
    log=truth in_blender --factory-startup --python-exit-code 1 --python "$here/render_desk.py" -- "$work" truth
fi

echo "Video"
python3 "$here/finish.py" "$work" "$here/../desk"
python3 "$here/check_truth.py" "$here/../desk" "$work"
