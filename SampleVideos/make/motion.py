"""The camera's path, its inertial readings, and the files that state them.

    python3 motion.py WORK_FOLDER

Writes `groundtruth.csv`, `imu.csv`, `imu.json`, `intrinsics.json` and `camera_keys.json` (what Blender animates).
Position and aim are quintic B-splines plus sums of sines (steps, tremor), so they have analytic derivatives of every
order that is needed; angular velocity is the derivative of the rotation that they give.
World: +Y up, metres. Camera: x right, y down, z forward.
"""

import json
import pathlib
import sys

import numpy as np

WIDTH, HEIGHT, FPS, FRAMES, EXPOSURE = 640, 480, 30, 270, 0.008
FOCAL = 520.0
IMU_RATE = 200
GRAVITY = np.array([0, -9.81, 0])
SEED = 20

# Control points at whole seconds, from −2 s: x, height, towards the room (all world axes).
EYE = np.array(
    [
        (-1.08, 1.27, -0.46), (-0.83, 1.27, -0.46), (-0.57, 1.26, -0.47), (-0.28, 1.26, -0.49), (0.03, 1.28, -0.53),
        (0.40, 1.33, -0.58), (0.78, 1.38, -0.74), (1.04, 1.42, -0.98), (0.82, 1.40, -0.72), (0.34, 1.36, -0.44),
        (-0.12, 1.30, -0.40), (-0.48, 1.26, -0.45), (-0.56, 1.26, -0.47), (-0.58, 1.26, -0.47),
    ]
)
AIM = np.array(
    [
        (-0.30, 0.76, -1.62), (-0.18, 0.76, -1.62), (-0.08, 0.76, -1.62), (0.02, 0.76, -1.62), (0.08, 0.74, -1.62),
        (0.08, 0.70, -1.60), (0.00, 0.60, -1.56), (-0.06, 0.56, -1.52), (0.16, 0.90, -1.72), (0.28, 1.10, -1.88),
        (0.06, 0.90, -1.74), (-0.07, 0.77, -1.62), (-0.09, 0.76, -1.62), (-0.10, 0.76, -1.62),
    ]
)
# Amplitude, frequency in Hz and phase of what a hand and a step add.
EYE_SINES = [
    [(0.0042, 0.83, 0.3), (0.0016, 2.3, 1.1), (0.00045, 5.1, 2.0), (0.00016, 8.7, 0.4)],
    [(0.0058, 1.72, 0.9), (0.0014, 3.1, 0.2), (0.00040, 6.3, 1.3), (0.00015, 9.4, 2.2)],
    [(0.0036, 0.97, 2.4), (0.0013, 2.7, 0.7), (0.00035, 5.9, 0.1), (0.00012, 8.1, 1.9)],
]
TURN_SINES = [  # about the camera's x, y, z; radians
    [(0.0060, 0.71, 0.2), (0.0030, 1.9, 1.4), (0.0009, 4.7, 0.8), (0.00028, 8.3, 2.9)],
    [(0.0070, 0.59, 1.9), (0.0026, 2.2, 0.3), (0.0008, 5.3, 2.2), (0.00026, 9.1, 0.5)],
    [(0.0160, 0.47, 2.7), (0.0048, 1.3, 0.9), (0.0010, 4.1, 1.7), (0.00030, 7.7, 1.1)],
]


def bspline(control, t, derivative=0):
    """Uniform quintic B-spline with knots at whole seconds; control[i] is centred at i − 2 s."""
    knots = np.arange(-6, len(control) + 2, dtype=float) + 1  # basis i spans knots i … i+6, centre knot i+3 = i−2
    def basis(i, degree, order):
        if order > 0:
            return degree * (
                basis(i, degree - 1, order - 1) / (knots[i + degree] - knots[i])
                - basis(i + 1, degree - 1, order - 1) / (knots[i + degree + 1] - knots[i + 1])
            )
        if degree == 0:
            return ((t >= knots[i]) & (t < knots[i + 1])).astype(float)
        rising = (t - knots[i]) / (knots[i + degree] - knots[i]) * basis(i, degree - 1, 0)
        falling = (knots[i + degree + 1] - t) / (knots[i + degree + 1] - knots[i + 1]) * basis(i + 1, degree - 1, 0)
        return rising + falling
    t = np.asarray(t, float)
    return sum(basis(i, 5, derivative)[:, None] * control[i] for i in range(len(control)))


def sines(terms, t, derivative=0):
    columns = []
    for axis in terms:
        total = 0.0
        for amplitude, frequency, phase in axis:
            omega = 2 * np.pi * frequency
            total = total + amplitude * omega**derivative * np.sin(omega * t + phase + derivative * np.pi / 2)
        columns.append(total)
    return np.stack(columns, 1)


def position(t, derivative=0):
    t = np.atleast_1d(np.asarray(t, float))
    return bspline(EYE, t, derivative) + sines(EYE_SINES, t, derivative)


def exp_so3(v):
    angle = np.linalg.norm(v, axis=1)[:, None, None]
    k = np.zeros((len(v), 3, 3))
    k[:, 0, 1], k[:, 0, 2], k[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    k -= k.transpose(0, 2, 1)
    return np.eye(3) + np.sinc(angle / np.pi) * k + 0.5 * np.sinc(angle / 2 / np.pi) ** 2 * (k @ k)


def rotation(t):
    """World from camera: aimed at the moving target, level, then turned by the hand's tremor."""
    t = np.atleast_1d(np.asarray(t, float))
    forward = bspline(AIM, t) - bspline(EYE, t)
    forward /= np.linalg.norm(forward, axis=1)[:, None]
    right = np.cross(forward, [0, 1, 0])
    right /= np.linalg.norm(right, axis=1)[:, None]
    down = np.cross(forward, right)
    return np.stack([right, down, forward], 2) @ exp_so3(sines(TURN_SINES, t))


def angular_velocity(t, step=1e-3):
    """In the camera's axes: fourth-order central differences of the exact rotation (error below 1e-8 rad/s)."""
    def slope(h):
        turn = rotation(t - h).transpose(0, 2, 1) @ rotation(t + h)
        skew = 0.5 * (turn - turn.transpose(0, 2, 1))
        vee = np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], 1)
        sine = np.linalg.norm(vee, axis=1)[:, None]
        return vee * (np.arcsin(sine) / np.maximum(sine, 1e-12)) / (2 * h)
    t = np.atleast_1d(np.asarray(t, float))
    return (4 * slope(step) - slope(2 * step)) / 3


def quaternion(r):
    """x, y, z, w; continuous along the path."""
    result = []
    for m in r:
        k = np.array(
            [
                [m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0],
                [m[1, 0] + m[0, 1], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
                [m[2, 0] + m[0, 2], m[2, 1] + m[1, 2], m[2, 2] - m[0, 0] - m[1, 1], 0],
                [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], np.trace(m)],
            ]
        )
        q = np.linalg.eigh(k)[1][:, -1]
        if result and np.dot(q, result[-1]) < 0 or not result and q[3] < 0:
            q = -q
        result.append(q)
    return np.array(result)


def inertial(rng):
    """Readings and the description that states their noise."""
    noise = {
        "rate_hz": float(IMU_RATE),
        "gyro_noise_density": 0.00025,
        "gyro_bias_walk": 2e-05,
        "gyro_bias_sigma": 0.004,
        "accel_noise_density": 0.002,
        "accel_bias_walk": 0.0003,
        "accel_bias_sigma": 0.04,
        "gyro_quant": np.deg2rad(2000) / 32768,
        "accel_quant": 8 * 9.81 / 32768,
    }
    count = FRAMES * IMU_RATE // FPS + 1
    t = np.arange(count) / IMU_RATE
    gyro = angular_velocity(t)
    accel = np.einsum("nji,nj->ni", rotation(t), position(t, 2) - GRAVITY)
    described = {}
    readings = []
    for name, exact in (("gyro", gyro), ("accel", accel)):
        first_bias = rng.normal(0, noise[f"{name}_bias_sigma"], 3)
        steps = rng.normal(0, noise[f"{name}_bias_walk"] / np.sqrt(IMU_RATE), (count, 3))
        steps[0] = 0
        white = rng.normal(0, noise[f"{name}_noise_density"] * np.sqrt(IMU_RATE), (count, 3))
        quantum = noise[f"{name}_quant"]
        readings.append(np.round((exact + first_bias + np.cumsum(steps, 0) + white) / quantum) * quantum)
        described[f"initial_{name}_bias"] = first_bias.tolist()
    header = {
        "frame": "IMU axes = camera axes (x right, y down, z forward), same origin, no time offset",
        "gravity_world": [0, -9.81, 0],
        "accel": "specific force: at rest it reads +9.81 m/s^2 upwards (camera -y when level)",
    }
    return np.column_stack([t, *readings]), {**header, **described, **noise}


def write_csv(path, header, rows):
    lines = [header] + [",".join([f"{row[0]:.6f}"] + [f"{v:.9f}" for v in row[1:]]) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    t = np.arange(FRAMES) / FPS
    q = quaternion(rotation(t))
    write_csv(folder / "groundtruth.csv", "t,px,py,pz,qx,qy,qz,qw", np.column_stack([t, position(t), q]))

    readings, description = inertial(np.random.default_rng(SEED))
    write_csv(folder / "imu.csv", "t,gx,gy,gz,ax,ay,az", readings)
    (folder / "imu.json").write_text(json.dumps(description, indent=1))
    intrinsics = {
        "width": WIDTH, "height": HEIGHT, "fps": FPS, "fx": FOCAL, "fy": FOCAL,
        "cx": (WIDTH - 1) / 2, "cy": (HEIGHT - 1) / 2,
        "distortion_model": "none", "k1": 0.0, "k2": 0.0, "p1": 0.0, "p2": 0.0,
        "pixel_convention": "OpenCV: the centre of the top-left pixel is (0, 0)",
        "shutter": "global", "exposure_s": EXPOSURE, "timestamp": "middle of the exposure",
        "frame_time": "t = index / fps",
    }
    (folder / "intrinsics.json").write_text(json.dumps(intrinsics, indent=1))

    # Opening, middle and end of every exposure, so that blur follows the true path.
    moments = (t[:, None] + np.array([-0.5, 0, 0.5]) * EXPOSURE).ravel()
    keys = {
        "fps": FPS, "exposure_s": EXPOSURE, "focal": FOCAL, "width": WIDTH, "height": HEIGHT, "frames": FRAMES,
        "t": moments.tolist(), "position": position(moments).tolist(),
        "quaternion_xyzw": quaternion(rotation(moments)).tolist(),
    }
    (folder / "camera_keys.json").write_text(json.dumps(keys))

    speed = np.linalg.norm(position(t, 1), axis=1)
    turning = np.rad2deg(np.linalg.norm(angular_velocity(t), axis=1))
    events = {
        "name": "desk", "duration_s": FRAMES / FPS, "frames": FRAMES, "scene": "desk",
        "speed_mean": round(speed.mean(), 3), "speed_max": round(speed.max(), 3),
        "rot_rate_mean_dps": round(turning.mean(), 1), "rot_rate_max_dps": round(turning.max(), 1),
        "intervals": [],
    }
    (folder / "events.json").write_text(json.dumps(events, indent=1))
    print(json.dumps(events))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
