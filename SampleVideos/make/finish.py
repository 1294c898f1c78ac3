"""Makes a camera's video of the rendered frames: lens blur and falloff, exposure control, sensor noise; then H.264.

    python3 finish.py WORK_FOLDER OUTPUT_FOLDER [--crf N]

Reads WORK_FOLDER/frames/*.png (16 bit) and copies the truth files beside the video. Seeded: the pixels that go into
the encoder are the same in every run.
"""

import argparse
import json
import pathlib
import shutil
import subprocess

import cv2
import numpy as np

SEED = 30
GAMMA = 2.2
TARGET = 0.205  # mean linear brightness that the exposure control strives for
LENS_BLUR = 0.45  # pixels
READ_NOISE, SHOT_NOISE = 0.0012, 0.00012  # linear: variance = read² + shot × level


def falloff(height, width):
    """Natural vignetting about the picture's centre: 1 in the middle, about 0.72 in the corners."""
    y, x = np.mgrid[0:height, 0:width]
    radius = np.hypot(x - (width - 1) / 2, y - (height - 1) / 2) / np.hypot(width / 2, height / 2)
    return (1 - 0.28 * radius**2.2).astype(np.float32)[..., None]


def developed(paths, rng):
    """Yields 8-bit BGR frames. Exposure follows the scene's brightness, slowly and in part, as a phone's does."""
    gain, shade = None, None
    for path in paths:
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED).astype(np.float32) / 65535
        linear = picture**GAMMA
        if shade is None:
            shade = falloff(*linear.shape[:2])
        linear = linear * shade
        linear = cv2.GaussianBlur(linear, (0, 0), LENS_BLUR)
        wanted = (TARGET / max(float(linear.mean()), 1e-3)) ** 0.6
        gain = wanted if gain is None else gain + 0.06 * (wanted - gain)
        linear *= gain
        deviation = np.sqrt(READ_NOISE**2 + SHOT_NOISE * np.maximum(linear, 0))
        fine = rng.standard_normal(linear.shape).astype(np.float32)
        # Demosaicing spreads noise over neighbours; colour noise is weaker after a phone's processing.
        fine = cv2.GaussianBlur(fine, (0, 0), 0.55) * 1.6
        grey = fine.mean(2, keepdims=True) * np.sqrt(3)
        linear += deviation * (0.8 * grey + 0.45 * fine)
        yield (255 * np.clip(linear, 0, 1) ** (1 / GAMMA) + 0.5).astype(np.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--crf", type=int, default=19)
    parser.add_argument("--lossless", type=pathlib.Path, help="also keep the frames that go into the encoder")
    options = parser.parse_args()
    intrinsics = json.loads((options.work / "intrinsics.json").read_text())
    frames = json.loads((options.work / "camera_keys.json").read_text())["frames"]
    paths = [options.work / "frames" / f"{index:05d}.png" for index in range(frames)]
    missing = [path.name for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"finish.py: {len(missing)} frames are not rendered yet ({missing[0]} …); run make.sh again")
    options.output.mkdir(parents=True, exist_ok=True)
    size = f"{intrinsics['width']}x{intrinsics['height']}"
    command = [
        "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", size, "-r", str(intrinsics["fps"]),
        "-i", "-", "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-c:v", "libx264", "-preset", "slow",
        "-crf", str(options.crf), "-pix_fmt", "yuv420p", "-g", "60", "-threads", "1", "-colorspace", "bt709",
        "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "-movflags", "+faststart",
        "-fflags", "+bitexact", "-flags:v", "+bitexact", str(options.output / "video.mp4"),
    ]  # fmt: skip
    encoder = subprocess.Popen(command, stdin=subprocess.PIPE)
    if options.lossless:
        options.lossless.mkdir(parents=True, exist_ok=True)
    for index, picture in enumerate(developed(paths, np.random.default_rng(SEED))):
        encoder.stdin.write(picture.tobytes())
        if options.lossless:
            cv2.imwrite(str(options.lossless / f"{index:05d}.png"), picture)
    encoder.stdin.close()
    if encoder.wait() != 0:
        raise SystemExit("finish.py: ffmpeg could not encode the video; its message is above")
    for name in ("intrinsics.json", "groundtruth.csv", "imu.csv", "imu.json", "planes.json", "events.json"):
        shutil.copyfile(options.work / name, options.output / name)


if __name__ == "__main__":
    main()
