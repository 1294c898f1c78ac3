"""What stands where in the sample's room. Sizes in metres, Blender's axes (see scene.py)."""

import math

import bpy
from mathutils import Euler, Vector

from scene import BACK, CEILING, DESK_HEIGHT, FRONT, LEFT, RIGHT, WINDOW, Look, to_world

OAK = dict(gloss=0.75, roughness=0.22)
PAINT = Look("paint", (1.0, 1.0))
WALNUT = Look("walnut", (0.6, 0.3), gloss=0.5, roughness=0.3)
PALE = Look("pale", (0.6, 0.3), gloss=0.4, roughness=0.35)
# Key widths row by row, in units; rows of equal keys carry the letters that textures.keyboard draws.
KEY_ROWS = [[1] * 14, [1] * 14, [1] * 13, [1] * 12, [1.5, 1.2, 1.2, 5.5, 1.2, 1.2, 1.5]]
SLATE = Look("slate", (0.2, 0.2), gloss=0.5, roughness=0.35)


def build(scene):
    shell(scene)
    desk(scene)
    on_the_desk(scene)
    on_the_wall(scene)
    on_the_floor(scene)


def shell(scene):
    width, depth = RIGHT - LEFT, BACK - FRONT
    middle = ((LEFT + RIGHT) / 2, (BACK + FRONT) / 2)
    scene.box("floor", (width, depth, 0.1), (*middle, -0.1), {"": Look("floor", gloss=0.55, roughness=0.3)},
              skip=("bottom", "left", "right", "front", "back"), light=448)
    scene.box("ceiling", (width, depth, 0.1), (*middle, CEILING), {"": Look("ceiling", (1, 1))},
              skip=("top", "left", "right", "front", "back"), light=128)
    scene.box("wall_back", (width, 0.1, CEILING), (middle[0], BACK + 0.05, 0), {"": Look("wall")},
              skip=("top", "bottom", "left", "right", "back"), light=640)
    scene.box("wall_front", (width, 0.1, CEILING), (middle[0], FRONT - 0.05, 0), {"": Look("wall")},
              skip=("top", "bottom", "left", "right", "front"), light=128)
    scene.box("wall_right", (0.1, depth, CEILING), (RIGHT + 0.05, middle[1], 0), {"": PAINT},
              skip=("top", "bottom", "front", "back", "right"), light=256)
    # The left wall goes round the window: below, above, and on both sides of it.
    y0, y1 = WINDOW["y"]
    z0, z1 = WINDOW["z"]
    pieces = [("below", FRONT, BACK, 0, z0), ("above", FRONT, BACK, z1, CEILING),
              ("before", FRONT, y0, z0, z1), ("behind", y1, BACK, z0, z1)]
    for name, from_y, to_y, from_z, to_z in pieces:
        scene.box(f"wall_left_{name}", (0.12, to_y - from_y, to_z - from_z), (LEFT - 0.06, (from_y + to_y) / 2, from_z),
                  {"": PAINT}, skip=("left",), light=192, counts_as="wall_left")
    wall_left = [(LEFT, FRONT, 0), (LEFT, BACK, 0), (LEFT, BACK, CEILING), (LEFT, FRONT, CEILING)]
    scene.add_plane("wall_left", "wall_left", (1, 0, 0), [to_world(corner) for corner in wall_left])
    bar = Look("ceiling", (1, 1), gloss=0.3)
    for y in (y0, (y0 + y1) / 2, y1):
        scene.box(f"window_bar_{y:.2f}", (0.05, 0.05, z1 - z0), (LEFT - 0.05, y, z0), {"": bar}, light=32, planes=False)
    for z in (z0, (z0 + z1) / 2 + 0.1, z1 - 0.05):
        scene.box(f"window_rail_{z:.2f}", (0.05, y1 - y0, 0.05), (LEFT - 0.05, (y0 + y1) / 2, z), {"": bar}, light=32,
                  planes=False)
    skirting = Look("ceiling", (1, 1), gloss=0.3, roughness=0.4)
    scene.box("skirting_back", (width, 0.014, 0.085), (middle[0], BACK - 0.007, 0), {"": skirting}, light=256,
              planes=False)
    scene.box("skirting_left", (0.014, depth, 0.085), (LEFT + 0.007, middle[1], 0), {"": skirting}, light=128,
              planes=False)


def desk(scene):
    top = {"top": Look("desk", **OAK), "": Look("pale", (0.9, 0.3), **OAK)}
    scene.box("desk", (1.5, 0.74, 0.032), (0, 1.61, DESK_HEIGHT - 0.032), top, light=832)
    for x in (-0.69, 0.69):
        for y in (1.30, 1.92):
            scene.box(f"leg_{x}_{y}", (0.055, 0.055, DESK_HEIGHT - 0.032), (x, y, 0), {"": PALE}, light=64)
    for y in (1.30, 1.92):
        scene.box(f"apron_{y}", (1.325, 0.022, 0.08), (0, y, DESK_HEIGHT - 0.112), {"": PALE}, light=128)
    scene.box("drawers", (0.38, 0.50, 0.56), (-0.44, 1.62, 0.02), {"": Look("paint", (0.7, 0.7), gloss=0.4)}, light=192)
    for level in range(3):
        z = 0.05 + level * 0.18
        scene.box(f"drawer_{level}", (0.35, 0.012, 0.16), (-0.44, 1.364, z), {"": PALE}, light=64,
                  counts_as="drawers.front")
        scene.box(f"handle_{level}", (0.11, 0.02, 0.012), (-0.44, 1.348, z + 0.10), {"": SLATE}, light=32)
    scene.shift_plane("drawers.front", 0.012)


def on_the_desk(scene):
    z = DESK_HEIGHT
    monitor(scene, z)
    keyboard(scene, z)
    body = Look("slate", (0.3, 0.3), gloss=0.6, roughness=0.2)
    mouse = [(0.0001 + 0.031 * math.cos(a), 0.026 * math.sin(a)) for a in [math.pi / 2 * k / 8 for k in range(9)]]
    thing = scene.lathe("mouse", mouse, (0.30, 1.50, z), body, light=64)
    thing.scale, thing.rotation_euler = (1, 1.75, 1), (0, 0, -0.15)

    scene.book(0, "book_a0", (-0.50, 1.50, z), 0.20, 0.036, scale=1.22, light=144)
    scene.book(3, "book_a1", (-0.51, 1.51, z + 0.036), -0.09, 0.028, scale=1.06, light=144)
    scene.book(1, "book_a2", (-0.49, 1.51, z + 0.064), 0.33, 0.024, light=144)
    scene.book(5, "book_b0", (0.585, 1.40, z), 1.25, 0.03, scale=1.1, light=144)
    paper = dict(light=112, counts_as="desk.top")
    a4 = (0.21, 0.297, 0.0008)
    scene.box("sheet0", a4, (-0.27, 1.395, z), {"top": Look("sheet0"), "": Look("pages")}, 0.24, **paper)
    scene.box("sheet1", a4, (0.455, 1.62, z), {"top": Look("sheet1"), "": Look("pages")}, -0.42, **paper)
    scene.box("notebook", (0.295, 0.205, 0.006), (0.31, 1.335, z), {"top": Look("notebook"), "": Look("pages")}, -0.10,
              **paper)
    glass = Look("slate", (0.3, 0.3), gloss=1.0, roughness=0.06)
    scene.box("phone", (0.072, 0.148, 0.008), (-0.155, 1.68, z), {"": glass}, 0.35, counts_as="desk.top")

    mug(scene, "mug", (0.175, 1.655, z), -0.6)
    cup = [(0.0001, 0.002), (0.036, 0.002), (0.039, 0.0), (0.040, 0.10), (0.037, 0.10), (0.035, 0.006), (0.0001, 0.006)]
    scene.lathe("cup", cup, (-0.30, 1.80, z), Look("brass", gloss=0.9, roughness=0.25))
    for index in range(6):
        angle = index * 1.05 + 0.3
        lean = Euler((0.16 * math.sin(angle), 0.16 * math.cos(angle), 0))
        length = 0.15 + 0.012 * (index % 3)
        profile = [(0.0001, 0.0), (0.0036, 0.0), (0.0036, length), (0.0008, length + 0.016), (0.0001, length + 0.016)]
        look = Look(("pencil", "terracotta", "slate")[index % 3], gloss=0.5)
        pencil = scene.lathe(f"pencil_{index}", profile, (-0.30, 1.80, z + 0.008), look, steps=10, light=32)
        pencil.rotation_euler = lean
    pen = scene.lathe("pen", [(0.0001, 0), (0.002, 0.002), (0.0045, 0.02), (0.0045, 0.135), (0.0001, 0.136)],
                      (0.20, 1.33, z + 0.0105), Look("slate", gloss=0.8, roughness=0.15), steps=14, light=32)
    pen.rotation_euler = (math.pi / 2 - 0.02, 0, -1.15)

    plant(scene, "plant", (0.60, 1.83, z), 0.075, 26, 0.24)
    lamp(scene, (-0.62, 1.82, z))
    carton = Look("quilt")
    scene.box("box", (0.18, 0.12, 0.21), (0.40, 1.865, z), {"front": carton, "top": PALE, "": WALNUT}, -0.22, light=192)


def monitor(scene, z):
    at = (0.03, 1.80, z + 0.115)
    screen = Look("screen", gloss=0.8, roughness=0.12, glow=(0.46, 0.48, 0.52))
    scene.box("monitor", (0.54, 0.035, 0.325), at, {"": SLATE}, 0.05, light=128)
    in_front = (at[0] + 0.0009, at[1] - 0.0183, at[2] + 0.0125)
    scene.box("screen", (0.52, 0.002, 0.300), in_front, {"front": screen, "": SLATE}, 0.05, light=128,
              counts_as="monitor.front")
    scene.box("monitor_neck", (0.06, 0.03, 0.14), (0.035, 1.835, z), {"": SLATE}, 0.05, light=64)
    scene.box("monitor_foot", (0.24, 0.19, 0.010), (0.03, 1.81, z), {"": SLATE}, 0.05, light=128, counts_as="desk.top")
    path = [(0.06, 1.84, z + 0.16), (0.10, 1.90, z + 0.05), (0.14, 1.93, z + 0.004), (0.26, 1.95, z + 0.003),
            (0.30, 1.978, z + 0.004), (0.31, 1.99, z - 0.05)]
    scene.tube("monitor_cable", smooth(path), 0.003, Look("slate"))


def keyboard(scene, z):
    """A slim keyboard; one mesh holds its keys as small frustums that share the picture seen from above."""
    width, depth, turn, at = 0.36, 0.13, 0.06, (-0.03, 1.52, z)
    grey = Look("slate", (0.2, 0.2), gloss=0.3, roughness=0.4)
    base = scene.box("keyboard", (width, depth, 0.012), at, {"": grey}, turn, light=112)
    vertices, faces, uvs = [], [], []
    for row, count in enumerate(KEY_ROWS):
        pitch = (width - 0.012) / sum(count)
        x = 0.006
        for units in count:
            key = (x + 0.0012, x + units * pitch - 0.0012)
            far = depth - 0.004 - row * 0.0244
            near = far - 0.0220
            first = len(vertices)
            for inset, height in ((0, 0.0122), (0.0016, 0.0172)):
                for px, py in ((key[0] + inset, near + inset), (key[1] - inset, near + inset),
                               (key[1] - inset, far - inset), (key[0] + inset, far - inset)):
                    vertices.append((px - width / 2, py - depth / 2, height))
            quads = [[4, 5, 6, 7]] + [[i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4] for i in range(4)]
            for quad in quads:
                faces.append([first + i for i in quad])
                for i in quad:
                    corner = vertices[first + i]
                    uvs.append((corner[0] / width + 0.5, corner[1] / depth + 0.5))
            x += units * pitch
    keys = scene.mesh("keys", vertices, faces, uvs, [Look("keyboard", gloss=0.3, roughness=0.4)], [0] * len(faces), 320)
    keys.matrix_world = base.matrix_world.copy()
    keys.location.z = z
    keys["counts_as"] = "keyboard.top"
    scene.shift_plane("keyboard.top", 0.0052)
    path = [(-0.05, 1.585, z + 0.006), (-0.06, 1.64, z + 0.003), (-0.02, 1.72, z + 0.003), (-0.12, 1.83, z + 0.003),
            (-0.16, 1.975, z + 0.003), (-0.16, 1.99, z - 0.05)]
    scene.tube("keyboard_cable", smooth(path), 0.0022, Look("slate"))


def mug(scene, name, at, turn):
    glaze = Look("mug", gloss=1.0, roughness=0.08)
    inner = Look("ceiling", gloss=1.0, roughness=0.08)
    profile = [(0.0001, 0.001), (0.034, 0.001), (0.0385, 0.005), (0.041, 0.02), (0.041, 0.09), (0.0405, 0.0945),
               (0.039, 0.095), (0.0375, 0.093), (0.0365, 0.02), (0.030, 0.007), (0.0001, 0.006)]
    scene.lathe(name, profile, at, glaze, 56, 192, inside=(6, inner))
    points = []
    for k in range(15):
        angle = math.pi * k / 14
        out, up = 0.038 + 0.030 * math.sin(angle), 0.050 + 0.029 * math.cos(angle)
        points.append((at[0] + out * math.cos(turn), at[1] + out * math.sin(turn), at[2] + up))
    scene.tube(f"{name}_handle", points, 0.0052, inner, 10, 64)


def plant(scene, name, at, radius, leaves, length):
    pot = [(0.0001, 0.0), (radius * 0.72, 0.0), (radius * 0.95, 0.10), (radius * 1.08, 0.10), (radius * 1.08, 0.128),
           (radius * 0.96, 0.128), (radius * 0.90, 0.108), (0.0001, 0.112)]
    scene.lathe(f"{name}_pot", pot, at, Look("terracotta"), 40, 192, inside=(6, Look("soil")))
    vertices, faces, uvs = [], [], []
    rows = 9
    for index in range(leaves):
        turn = index * 2.399963 + scene.random.uniform(-0.3, 0.3)
        rise = scene.random.uniform(0.35, 1.25)
        size = length * scene.random.uniform(0.65, 1.1)
        first = len(vertices)
        x = r = 0.012
        height, slope = 0.11, rise
        for row in range(rows):
            share = row / (rows - 1)
            half = 0.5 * size * 0.30 * math.sin(math.pi * min(1, 0.06 + share * 0.94)) ** 0.8 + 0.0015
            for side, lift in ((-1, 0.25), (0, 0), (1, 0.25)):
                px = r * math.cos(turn) - side * half * math.sin(turn)
                py = r * math.sin(turn) + side * half * math.cos(turn)
                vertices.append((px, py, height + lift * half))
            step = size / (rows - 1)
            r += step * math.cos(slope)
            height += step * math.sin(slope)
            slope -= 1.9 / rows * scene.random.uniform(0.6, 1.2)
        for row in range(rows - 1):
            for side in range(2):
                a = first + row * 3 + side
                faces.append([a, a + 3, a + 4, a + 1])
                u0, u1, v0, v1 = row / (rows - 1), (row + 1) / (rows - 1), side / 2, (side + 1) / 2
                uvs += [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
    look = Look("leaf", gloss=0.5, roughness=0.35)
    thing = scene.mesh(f"{name}_leaves", vertices, faces, uvs, [look], [0] * len(faces), 320, smooth=True)
    thing.location = at


def lamp(scene, at):
    brass = Look("brass", gloss=0.9, roughness=0.2)
    base = [(0.0001, 0.0), (0.075, 0.0), (0.078, 0.006), (0.076, 0.014), (0.012, 0.022), (0.007, 0.03), (0.007, 0.30),
            (0.0001, 0.30)]
    scene.lathe("lamp_base", base, at, brass)
    shade = [(0.125, 0.24), (0.075, 0.41), (0.073, 0.41), (0.123, 0.24)]
    scene.lathe("lamp_shade", shade, at, Look("linen", glow=(1.7, 1.15, 0.62)), 48)
    bulb = bpy.data.lights.new("bulb", "POINT")
    bulb.energy, bulb.color, bulb.shadow_soft_size = 3.2, (1.0, 0.72, 0.42), 0.03
    thing = bpy.data.objects.new("bulb", bulb)
    thing.location = Vector(at) + Vector((0, 0, 0.345))
    bpy.context.collection.objects.link(thing)


def on_the_wall(scene):
    flat = dict(counts_as="wall_back")

    def picture(name, look, width, height, x, z, frame, light=112):
        scene.box(f"{name}_frame", (width + 0.03, 0.014, height + 0.03), (x, BACK - 0.007, z - 0.015), {"": frame},
                  light=light, **flat)
        scene.box(name, (width, 0.002, height), (x, BACK - 0.0142, z), {"front": look, "": frame}, light=light, **flat)

    picture("pinboard", Look("pinboard"), 0.90, 0.60, -0.80, 1.05, PALE, 224)
    picture("quilt", Look("quilt", gloss=0.3, roughness=0.25), 0.36, 0.42, 0.56, 1.10, SLATE)
    picture("hills", Look("hills", gloss=0.3, roughness=0.25), 0.42, 0.556, 0.07, 1.36, WALNUT)
    scene.box("shelf", (0.80, 0.21, 0.024), (1.32, BACK - 0.105, 1.24), {"": WALNUT}, light=224)
    for x in (1.02, 1.62):
        scene.box(f"bracket_{x}", (0.02, 0.17, 0.10), (x, BACK - 0.085, 1.14), {"": SLATE}, light=32)
    x = 0.985
    row = [(6, 0.034), (2, 0.026), (4, 0.04), (7, 0.03), (1, 0.022), (3, 0.036), (0, 0.028)]
    for index, (book, thickness) in enumerate(row):
        scene.book(book, f"shelf_book_{index}", (x + thickness / 2, BACK - 0.10, 1.264), 0, thickness, True,
                   scale=0.95 + 0.05 * (index % 3))
        x += thickness + 0.002
    plant(scene, "shelf_plant", (1.53, BACK - 0.10, 1.264), 0.06, 16, 0.18)


def on_the_floor(scene):
    wool = {"top": Look("rug"), "": Look("pages")}
    scene.box("rug", (1.6, 1.1, 0.007), (0.25, 0.55, 0), wool, 0.05, light=192, counts_as="floor")
    basket = [(0.0001, 0.004), (0.105, 0.004), (0.11, 0.0), (0.145, 0.30), (0.140, 0.30), (0.106, 0.008),
              (0.0001, 0.008)]
    scene.lathe("basket", basket, (1.02, 1.74, 0), Look("linen"), 48, 192)
    scene.box("carton", (0.34, 0.26, 0.30), (1.45, 1.78, 0), {"": Look("pale", (0.5, 0.5))}, 0.15, light=192)
    scene.box("stool", (0.36, 0.36, 0.03), (-1.15, 1.30, 0.42), {"": WALNUT}, 0.3, light=128)
    for index in range(4):
        angle = 0.3 + math.pi / 4 + index * math.pi / 2
        at = (-1.15 + 0.2 * math.cos(angle), 1.30 + 0.2 * math.sin(angle), 0)
        scene.box(f"stool_leg_{index}", (0.03, 0.03, 0.42), at, {"": WALNUT}, 0.3, light=32)


def smooth(points, per_segment=8):
    """Catmull-Rom through the points."""
    points = [Vector(p) for p in points]
    padded = [2 * points[0] - points[1]] + points + [2 * points[-1] - points[-2]]
    result = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:]):
        for k in range(per_segment):
            t = k / per_segment
            bent = (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
            result.append(0.5 * (2 * b + (c - a) * t + bent))
    return result + [points[-1]]


def lights():
    """Daylight through the window, a low sun, and a little light from the rest of the flat."""

    def add(name, kind, energy, colour, at, direction, **settings):
        lamp = bpy.data.lights.new(name, kind)
        lamp.energy, lamp.color = energy, colour
        for key, value in settings.items():
            setattr(lamp, key, value)
        thing = bpy.data.objects.new(name, lamp)
        thing.location = at
        thing.rotation_euler = Vector(direction).to_track_quat("-Z", "Y").to_euler()
        bpy.context.collection.objects.link(thing)

    y, z = sum(WINDOW["y"]) / 2, sum(WINDOW["z"]) / 2
    add("sky", "AREA", 75, (0.80, 0.90, 1.0), (LEFT - 0.14, y, z), (1, 0, 0), shape="RECTANGLE",
        size=WINDOW["y"][1] - WINDOW["y"][0], size_y=WINDOW["z"][1] - WINDOW["z"][0])
    add("sun", "SUN", 5.0, (1.0, 0.80, 0.56), (-5, 0, 3), (1, 0.42, -0.30), angle=math.radians(2.2))
    add("room", "AREA", 34, (1.0, 0.93, 0.84), (0.6, -1.0, CEILING - 0.05), (0, 0.25, -1), shape="RECTANGLE", size=1.4,
        size_y=1.0)
