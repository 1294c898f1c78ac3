"""Makes the trajectories beside this file and, from them, the numbers that the `evo` tool gives (`evo_reference.json`).

Run it from anywhere with evo and numpy installed; the result is the same every time. The tests compare with the stored
numbers and need neither.
"""

import copy
import json
import pathlib

import numpy as np
from evo.core import metrics, sync
from evo.tools import file_interface

HERE = pathlib.Path(__file__).resolve().parent


def quaternion(axis, angle):
    axis = np.asarray(axis, float)
    axis /= np.linalg.norm(axis)
    return np.concatenate([np.sin(angle / 2) * axis, [np.cos(angle / 2)]])


def multiply(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return np.array([
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ])


def rotate(q, v):
    u = q[:3]
    t = 2 * np.cross(u, v)
    return v + q[3] * t + np.cross(u, t)


def write(name, rows):
    with open(HERE / name, "w") as file:
        for row in rows:
            file.write(" ".join(f"{value:.9f}" for value in row) + "\n")


def make(name, seed, count, planar, jitter, drop, noise, scale):
    """A smooth path, and an estimate of it in another world, with other time stamps, gaps and noise."""
    random = np.random.default_rng(seed)
    times = np.arange(count) / 30
    a, b, c = random.uniform(0.3, 1.1, 3)
    path = np.stack([np.sin(a * times), 0.3 * np.sin(b * times + 1), np.cos(c * times) + 0.1 * times], axis=1)
    if planar:
        path[:, 1] = 1.2
    turn = [
        multiply(quaternion([0, 1, 0], 0.4 * np.sin(a * t)), quaternion([1, 0.2, 0], 0.3 + 0.2 * np.cos(b * t)))
        for t in times
    ]
    write(f"{name}_reference.tum", [[t, *p, *q] for t, p, q in zip(times, path, turn)])
    world = quaternion(random.normal(size=3), random.uniform(0.5, 2.5))
    shift = random.normal(size=3)
    rows = []
    for t, p, q in zip(times, path, turn):
        if random.uniform() < drop:
            continue
        estimate = scale * rotate(world, p) + shift + random.normal(scale=noise, size=3)
        wobble = quaternion(random.normal(size=3), random.normal(scale=noise))
        rows.append([t + random.uniform(-jitter, jitter), *estimate, *multiply(multiply(world, q), wobble)])
    write(f"{name}_estimate.tum", rows)


def statistics(metric):
    values = metric.get_all_statistics()
    return {
        "rmse": values["rmse"], "mean": values["mean"], "median": values["median"],
        "standardDeviation": values["std"], "min": values["min"], "max": values["max"],
    }


def measure(name):
    reference = file_interface.read_tum_trajectory_file(str(HERE / f"{name}_reference.tum"))
    estimate = file_interface.read_tum_trajectory_file(str(HERE / f"{name}_estimate.tum"))
    reference, estimate = sync.associate_trajectories(reference, estimate, max_diff=0.01)
    result = {"pairs": reference.num_poses}
    for kind in ["none", "se3", "sim3"]:
        aligned = copy.deepcopy(estimate)
        if kind != "none":
            _, _, factor = aligned.align(reference, correct_scale=kind == "sim3")
            if kind == "sim3":
                result["scale"] = factor
        data = (reference, aligned)
        figures = {}
        for key, relation in [
            ("absolute", metrics.PoseRelation.translation_part),
            ("absoluteRotationRadians", metrics.PoseRelation.rotation_angle_rad),
        ]:
            metric = metrics.APE(relation)
            metric.process_data(data)
            figures[key] = statistics(metric)
        for step in [1, 4]:
            for key, relation in [
                ("relative", metrics.PoseRelation.translation_part),
                ("relativeRotationRadians", metrics.PoseRelation.rotation_angle_rad),
            ]:
                metric = metrics.RPE(relation, delta=step, delta_unit=metrics.Unit.frames, all_pairs=False)
                metric.process_data(data)
                figures[f"{key}{step}"] = statistics(metric)
        result[kind] = figures
    return result


make("space", seed=1, count=150, planar=False, jitter=0.004, drop=0.1, noise=0.02, scale=2.7)
make("flat", seed=2, count=120, planar=True, jitter=0.0145, drop=0.0, noise=0.003, scale=0.31)
make("sparse", seed=3, count=90, planar=False, jitter=0.0, drop=0.85, noise=0.1, scale=1.0)
with open(HERE / "evo_reference.json", "w") as file:
    json.dump({name: measure(name) for name in ["space", "flat", "sparse"]}, file, indent=1)
    file.write("\n")
