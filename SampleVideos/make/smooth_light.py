"""Takes the grain out of the baked light (every texel was lit by few random rays) and keeps the edges of shadows.

    python3 smooth_light.py WORK_FOLDER
"""

import math
import pathlib
import sys

import cv2
import numpy as np


def smooth(light):
    """Works on the logarithm, so that the dark side of a shadow's edge is treated like its bright side."""
    level = np.log(light + 0.02)
    middle = np.stack([cv2.medianBlur(np.ascontiguousarray(level[..., c]), 5) for c in range(3)], 2)
    level = np.where(np.abs(level - middle) > 0.45, middle, level)
    guide = cv2.GaussianBlur(level, (0, 0), 1.2)
    for sigma in (0.30, 0.18):
        level = cv2.bilateralFilter(level, 11, sigma, 3.0)
    level = 0.85 * level + 0.15 * cv2.bilateralFilter(guide, 9, 0.25, 2.0)
    return np.exp(level) - 0.02


def main(folder):
    (folder / "light_smooth").mkdir(exist_ok=True)
    for path in sorted((folder / "light").glob("*.f32")):
        pixels = np.fromfile(path, np.float32).reshape(-1, 4)
        side = math.isqrt(len(pixels))
        picture = pixels.reshape(side, side, 4)
        picture[..., :3] = smooth(np.ascontiguousarray(picture[..., :3]))
        picture.tofile(folder / "light_smooth" / path.name)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
