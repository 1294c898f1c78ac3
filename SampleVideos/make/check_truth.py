"""Proves that a rendered clip and its truth files agree.

    python3 check_truth.py SEQUENCE_FOLDER WORK_FOLDER [--frames FOLDER] [--overlay FOLDER]

Pictures: the crossings of the two patchwork prints are known points of the room. They are projected with
groundtruth.csv and intrinsics.json, found again in the picture to a fraction of a pixel, and compared: the mean says
whether axes, principal point and pixel convention are right, its part along the picture's motion whether the time is.
Inertial data: angular velocity and specific force are integrated over one-second windows from true starting states.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np


def rotations(q):
    x, y, z, w = q.T
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1),
        ],
        1,
    )


def frames_of(sequence, folder):
    if folder:
        for path in sorted(folder.glob("*.png")):
            picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            yield int(path.stem), (picture >> 8).astype(np.uint8) if picture.dtype == np.uint16 else picture
        return
    video = cv2.VideoCapture(str(sequence / "video.mp4"))
    index = 0
    while True:
        got, picture = video.read()
        if not got:
            return
        yield index, picture
        index += 1


def project(points, camera, r, p):
    local = (points - p) @ r
    pixel = local[:, :2] / local[:, 2:] * [camera["fx"], camera["fy"]] + [camera["cx"], camera["cy"]]
    return pixel, local[:, 2]


def check_pictures(sequence, work, folder, overlay):
    camera = json.loads((sequence / "intrinsics.json").read_text())
    truth = np.loadtxt(sequence / "groundtruth.csv", delimiter=",", skiprows=1)
    r, p = rotations(truth[:, 4:]), truth[:, 1:4]
    landmarks = np.array(json.loads((work / "landmarks.json").read_text()))
    errors, delays, per_frame, tried = [], [], [], 0
    for index, picture in frames_of(sequence, folder):
        grey = np.ascontiguousarray(picture[..., 1])  # green parts the print's dark patches from its light ones best
        pixel, depth = project(landmarks, camera, r[index], p[index])
        after = project(landmarks, camera, r[min(index + 1, len(r) - 1)], p[min(index + 1, len(r) - 1)])[0]
        before = project(landmarks, camera, r[max(index - 1, 0)], p[max(index - 1, 0)])[0]
        span = (min(index + 1, len(r) - 1) - max(index - 1, 0)) / camera["fps"]
        motion = (after - before) / span
        inside = (depth > 0) & (pixel > 14).all(1) & (pixel < [camera["width"] - 15, camera["height"] - 15]).all(1)
        found = np.full_like(pixel, np.nan)
        for k in np.flatnonzero(inside):
            x, y = np.round(pixel[k]).astype(int)
            patch = grey[y - 6 : y + 7, x - 6 : x + 7]
            if np.ptp(patch) < 50:
                continue
            start = pixel[k].astype(np.float32).reshape(1, 1, 2)
            stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 60, 1e-4)
            found[k] = cv2.cornerSubPix(grey, start, (4, 4), (-1, -1), stop)[0, 0]
        difference = found - pixel
        good = np.linalg.norm(difference, axis=1) < 1  # further off: something stands in front of it
        errors.append(difference[good])
        tried += np.isfinite(difference[:, 0]).sum()
        delays.append(np.column_stack([difference[good], motion[good]]))
        if good.sum() >= 8:
            per_frame.append((index, good.sum(), *np.median(difference[good], 0)))
        if overlay and index % 50 == 0:
            draw(picture, pixel[inside], found[good], overlay / f"{index:05d}.png")
    errors, delays, per_frame = np.concatenate(errors), np.concatenate(delays), np.array(per_frame)
    motion = delays[:, 2:]
    delay = (delays[:, :2] * motion).sum() / (motion**2).sum()
    print(f"crossings in view: {tried}; {len(errors)} of them found within 1 px, in {len(per_frame)} frames")
    print(f"mean difference: {errors.mean(0).round(4)} px, median {np.median(errors, 0).round(4)} px")
    lengths = np.linalg.norm(errors, axis=1)
    print(f"median length: {np.median(lengths):.3f} px, 90 %: {np.quantile(lengths, 0.9):.3f} px")
    print(f"largest median difference of one frame: {np.abs(per_frame[:, 2:]).max():.3f} px")
    print(f"time offset: {delay * 1e3:.3f} ms (mean motion {np.linalg.norm(motion, axis=1).mean():.0f} px/s)")


def draw(picture, projected, found, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    big = cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    for points, colour, size in ((projected, (0, 0, 255), 9), (found, (0, 255, 0), 5)):
        for x, y in points:
            centre = (round(3 * x + 1), round(3 * y + 1))
            cv2.drawMarker(big, centre, colour, cv2.MARKER_CROSS, size * 2, 1)
    cv2.imwrite(str(path), big)


def rotation_vector(r):
    return cv2.Rodrigues(r)[0].ravel()


def check_inertial(sequence):
    truth = np.loadtxt(sequence / "groundtruth.csv", delimiter=",", skiprows=1)
    imu = np.loadtxt(sequence / "imu.csv", delimiter=",", skiprows=1)
    description = json.loads((sequence / "imu.json").read_text())
    gravity = np.array(description["gravity_world"])
    gyro = imu[:, 1:4] - description["initial_gyro_bias"]
    accel = imu[:, 4:7] - description["initial_accel_bias"]
    r, p = rotations(truth[:, 4:]), truth[:, 1:4]
    turned, moved, length = [], [], 30
    for first in range(2, len(truth) - length, 15):
        start, end = truth[first, 0], truth[first + length, 0]
        # Two true positions around the start give its velocity; cubic terms cancel.
        velocity = (8 * (p[first + 1] - p[first - 1]) - (p[first + 2] - p[first - 2])) / (12 / 30)
        pose, place, speed, clock = r[first].copy(), p[first].copy(), velocity, start
        while clock < end - 1e-6:
            step = min(0.005, end - clock)
            at = clock + step / 2
            w = np.array([np.interp(at, imu[:, 0], gyro[:, k]) for k in range(3)])
            f = np.array([np.interp(at, imu[:, 0], accel[:, k]) for k in range(3)])
            force = pose @ cv2.Rodrigues(w * step / 2)[0] @ f + gravity
            place = place + speed * step + 0.5 * force * step**2
            speed = speed + force * step
            pose = pose @ cv2.Rodrigues(w * step)[0]
            clock += step
        turned.append(np.rad2deg(np.linalg.norm(rotation_vector(r[first + length].T @ pose))))
        moved.append(np.linalg.norm(place - p[first + length]))
    print(f"inertial data integrated over {len(turned)} windows of 1 s:")
    print(f"rotation off by {np.mean(turned):.3f}° mean, {np.max(turned):.3f}° at most;")
    print(f"position off by {1000 * np.mean(moved):.1f} mm mean, {1000 * np.max(moved):.1f} mm at most")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sequence", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--frames", type=pathlib.Path)
    parser.add_argument("--overlay", type=pathlib.Path)
    options = parser.parse_args()
    check_inertial(options.sequence)
    check_pictures(options.sequence, options.work, options.frames, options.overlay)


if __name__ == "__main__":
    main()
