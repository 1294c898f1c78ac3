"""Runs inside Blender (3.4, Cycles on the CPU).

    blender --background --factory-startup --python render_desk.py -- WORK_FOLDER bake [SAMPLES]
    blender --background WORK_FOLDER/desk.blend --python render_desk.py -- WORK_FOLDER render FIRST LAST STEP [SAMPLES]
    blender --background --factory-startup --python render_desk.py -- WORK_FOLDER truth

`bake` builds the room and stores its diffuse light in pictures; after that a frame needs few samples a pixel, because
only reflections are still random. `render` writes WORK_FOLDER/frames/NNNNN.png (16 bit). `truth` casts a ray through
every pixel of every tenth frame and writes planes.json, landmarks.json and depth/NNNNN.png.
"""

import array
import json
import math
import pathlib
import struct
import sys
import time
import zlib

import bpy
from mathutils import Matrix, Quaternion, Vector

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

CELL = 0.05  # metres; the seen part of a plane is counted in cells of this size
MINIMUM_PIXELS = 200


def cycles(samples):
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = samples
    scene.cycles.use_denoising = False
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.seed = 1
    return scene


def build_room(folder):
    import desk_room
    from scene import Scene

    bpy.ops.wm.read_factory_settings(use_empty=True)
    room = Scene(str(folder / "textures"))
    desk_room.build(room)
    return room


# Light


def bake(folder, samples):
    import desk_room

    room = build_room(folder)
    desk_room.lights()
    world = bpy.data.worlds.new("dark")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0, 0, 0, 1)
    bpy.context.scene.world = world
    scene = cycles(samples)
    scene.cycles.max_bounces = scene.cycles.diffuse_bounces = 2
    scene.cycles.sample_clamp_indirect = 3.0
    scene.render.bake.use_pass_direct = scene.render.bake.use_pass_indirect = True
    scene.render.bake.use_pass_color = False
    scene.render.bake.margin = 6
    bpy.ops.object.select_all(action="DESELECT")
    for thing in room.baked:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = room.baked[0]
    started = time.time()
    bpy.ops.object.bake(type="DIFFUSE", pass_filter={"DIRECT", "INDIRECT"}, use_clear=True)
    print(f"baked {len(room.baked)} objects in {time.time() - started:.0f} s")
    use_baked_light(room.baked)
    sky_for_reflections()
    bpy.ops.file.pack_all()
    (folder / "light").mkdir(exist_ok=True)
    for image in light_images():
        pixels = array.array("f", bytes(4 * len(image.pixels)))
        image.pixels.foreach_get(pixels)
        (folder / "light" / f"{image.name}.f32").write_bytes(pixels.tobytes())
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "desk.blend"))


def light_images():
    return [image for image in bpy.data.images if image.name.startswith("light ")]


def load_light(folder):
    """Takes the baked light back in after smooth_light.py has been over it."""
    for image in light_images():
        pixels = array.array("f", (folder / "light_smooth" / f"{image.name}.f32").read_bytes())
        image.pixels.foreach_set(pixels)
        image.update()


def use_baked_light(things):
    """Emission of albedo × baked light, plus a mirror-like coat where the material shines; lamps go away."""
    for thing in things:
        for material in thing.data.materials:
            nodes, links = material.node_tree.nodes, material.node_tree.links
            picture, light, output = nodes["picture"], nodes["light"], nodes["output"]
            product = nodes.new("ShaderNodeMixRGB")
            product.blend_type, product.inputs["Fac"].default_value = "MULTIPLY", 1.0
            lit = light.outputs["Color"]
            if any(material["glow"]):
                glow = nodes.new("ShaderNodeMixRGB")
                glow.blend_type, glow.inputs["Fac"].default_value = "ADD", 1.0
                glow.inputs["Color2"].default_value = (*material["glow"], 1)
                links.new(lit, glow.inputs["Color1"])
                lit = glow.outputs["Color"]
            links.new(picture.outputs["Color"], product.inputs["Color1"])
            links.new(lit, product.inputs["Color2"])
            emission = nodes.new("ShaderNodeEmission")
            links.new(product.outputs["Color"], emission.inputs["Color"])
            surface = emission.outputs["Emission"]
            if material["gloss"] > 0:
                coat = nodes.new("ShaderNodeBsdfGlossy")
                coat.inputs["Roughness"].default_value = material["roughness"]
                fresnel = nodes.new("ShaderNodeFresnel")
                fresnel.inputs["IOR"].default_value = 1.45
                strength = nodes.new("ShaderNodeMath")
                strength.operation = "MULTIPLY"
                strength.inputs[1].default_value = material["gloss"]
                links.new(fresnel.outputs["Fac"], strength.inputs[0])
                mixed = nodes.new("ShaderNodeMixShader")
                links.new(strength.outputs["Value"], mixed.inputs["Fac"])
                links.new(surface, mixed.inputs[1])
                links.new(coat.outputs["BSDF"], mixed.inputs[2])
                surface = mixed.outputs["Shader"]
            links.new(surface, output.inputs["Surface"])
            material.cycles.sample_as_light = False
    for thing in [t for t in bpy.data.objects if t.type == "LIGHT"]:
        bpy.data.objects.remove(thing)


def sky_for_reflections():
    """A bright sheet behind the window, which the baked lamps stood for."""
    from scene import LEFT, WINDOW

    (y0, y1), (z0, z1) = WINDOW["y"], WINDOW["z"]
    mesh = bpy.data.meshes.new("sky")
    x = LEFT - 0.13
    mesh.from_pydata([(x, y0, z0), (x, y1, z0), (x, y1, z1), (x, y0, z1)], [], [[0, 1, 2, 3]])
    material = bpy.data.materials.new("sky")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    emission, output = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    emission.inputs["Color"].default_value = (0.86, 0.92, 1.0, 1)
    emission.inputs["Strength"].default_value = 9.0
    links.new(emission.outputs["Emission"], output.inputs["Surface"])
    mesh.materials.append(material)
    bpy.context.collection.objects.link(bpy.data.objects.new("sky", mesh))


# Camera


def world_to_blender(v):
    return Vector((v[0], -v[2], v[1]))


def camera_matrix(position, quaternion_xyzw):
    """Blender's camera looks along −z with y up; the sequence's along +z with y down."""
    x, y, z, w = quaternion_xyzw
    rotation = Quaternion((w, x, y, z)).to_matrix() @ Matrix.Diagonal((1, -1, -1))
    turned = Matrix(((1, 0, 0), (0, 0, -1), (0, 1, 0))) @ rotation
    return Matrix.Translation(world_to_blender(position)) @ turned.to_4x4()


def add_camera(keys):
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = keys["focal"] * 36.0 / keys["width"]
    camera.clip_start, camera.clip_end = 0.02, 50
    thing = bpy.data.objects.new("camera", camera)
    thing.rotation_mode = "QUATERNION"
    bpy.context.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    curves = {}
    thing.animation_data_create()
    action = thing.animation_data.action = bpy.data.actions.new("path")
    for path, size in (("location", 3), ("rotation_quaternion", 4)):
        for index in range(size):
            curve = action.fcurves.new(path, index=index)
            curve.keyframe_points.add(len(keys["t"]))
            curves[path, index] = curve
    previous = None
    for number, (t, position, quaternion) in enumerate(zip(keys["t"], keys["position"], keys["quaternion_xyzw"])):
        location, rotation, _ = camera_matrix(position, quaternion).decompose()
        if previous is not None and rotation.dot(previous) < 0:
            rotation.negate()
        previous = rotation
        for (path, index), curve in curves.items():
            point = curve.keyframe_points[number]
            point.co = (t * keys["fps"], location[index] if path == "location" else rotation[index])
            point.interpolation = "LINEAR"
    for curve in curves.values():
        curve.update()


def render(folder, first, last, step, samples):
    keys = json.loads((folder / "camera_keys.json").read_text())
    scene = cycles(samples)
    load_light(folder)
    add_camera(keys)
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 1, 0, 1
    scene.cycles.sample_clamp_indirect = 3.0
    scene.cycles.use_animated_seed = True
    scene.render.use_persistent_data = True
    scene.render.use_motion_blur = True
    scene.cycles.motion_blur_position = "CENTER"
    scene.render.motion_blur_shutter = keys["exposure_s"] * keys["fps"]
    scene.render.fps = keys["fps"]
    scene.render.resolution_x, scene.render.resolution_y = keys["width"], keys["height"]
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode, scene.render.image_settings.color_depth = "RGB", "16"
    scene.render.image_settings.compression = 20
    scene.render.use_file_extension = False
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "Medium High Contrast"
    scene.view_settings.exposure = 0.35
    for frame in range(first, last + 1, step):
        target = folder / "frames" / f"{frame:05d}.png"
        if target.exists():
            continue
        scene.frame_set(frame)
        scene.render.filepath = str(target.with_suffix(".part"))
        started = time.time()
        bpy.ops.render.render(write_still=True)
        target.with_suffix(".part").rename(target)
        print(f"frame {frame}: {time.time() - started:.2f} s", flush=True)


# Truth


def truth(folder):
    keys = json.loads((folder / "camera_keys.json").read_text())
    room = build_room(folder)
    planes = room.planes
    by_label = {plane["label"]: plane for plane in planes}
    by_thing = {}
    for plane in planes:
        plane["cells"], plane["counts"] = set(), []
        by_thing.setdefault(plane["thing"], []).append(plane)
    graph = bpy.context.evaluated_depsgraph_get()
    width, height, focal = keys["width"], keys["height"], keys["focal"]
    (folder / "depth").mkdir(exist_ok=True)
    for frame in range(0, keys["frames"], 10):
        matrix = camera_matrix(keys["position"][3 * frame + 1], keys["quaternion_xyzw"][3 * frame + 1])
        origin, rotation = matrix.to_translation(), matrix.to_3x3()
        counts, rows = {}, []
        for y in range(height):
            row = []
            for x in range(width):
                local = Vector(((x - (width - 1) / 2) / focal, -(y - (height - 1) / 2) / focal, -1))
                ray = (rotation @ local).normalized()
                hit, point, normal, _, thing, _ = bpy.context.scene.ray_cast(graph, origin, ray)
                if not hit:
                    row.append(0)
                    continue
                row.append(min(65535, round(1000 * (point - origin).dot(rotation @ Vector((0, 0, -1))))))
                plane = hit_plane(thing, point, normal, by_label, by_thing)
                if plane is not None:
                    counts[plane["label"]] = counts.get(plane["label"], 0) + 1
                    plane["cells"].add(cell(plane, (point[0], point[2], -point[1])))
            rows.append(struct.pack(f">{width}H", *row))
        for plane in planes:
            plane["counts"].append(counts.get(plane["label"], 0))
        write_png16(folder / "depth" / f"{frame:05d}.png", width, height, rows)
        print(f"truth of frame {frame}", flush=True)
    result = []
    for index, plane in enumerate(planes):
        frames = [number for number, count in enumerate(plane["counts"]) if count >= MINIMUM_PIXELS]
        seen = dict(
            depth_frames=len(frames),
            peak_pixels=max(plane["counts"]) if frames else 0,
            first_t=round(frames[0] * 10 / keys["fps"], 6) if frames else None,
            area_m2=round(min(len(plane["cells"]) * CELL**2, plane["area_m2"]), 4) if frames else 0.0,
        )
        polygon = [[round(c, 6) + 0.0 for c in corner] for corner in plane["polygon"]]
        result.append(
            dict(
                id=index, label=plane["label"], alignment=plane["alignment"],
                normal=[round(c, 9) + 0.0 for c in plane["normal"]],
                point=[round(sum(corner[i] for corner in plane["polygon"]) / 4, 6) + 0.0 for i in range(3)],
                polygon=polygon, area_m2=round(plane["area_m2"], 4), seen=seen,
            )
        )
    world = "Y up, metres, same as groundtruth.csv; normals point to the free side"
    (folder / "planes.json").write_text(json.dumps({"world": world, "planes": result}, indent=1))
    (folder / "landmarks.json").write_text(json.dumps(room.landmarks))


def hit_plane(thing, point, normal, by_label, by_thing):
    world_normal = Vector((normal[0], normal[2], -normal[1]))
    host = thing.get("counts_as")
    candidates = [by_label[host]] if host else by_thing.get(thing.name, [])
    for plane in candidates:
        if world_normal.dot(Vector(plane["normal"])) > 0.95:
            return plane
    return None


def cell(plane, point):
    origin = Vector(plane["polygon"][0])
    along = (Vector(plane["polygon"][1]) - origin).normalized()
    up = (Vector(plane["polygon"][3]) - origin).normalized()
    offset = Vector(point) - origin
    return (math.floor(offset.dot(along) / CELL), math.floor(offset.dot(up) / CELL))


def write_png16(path, width, height, rows):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    raw = b"".join(b"\x00" + row for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")
    )


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    folder, command, numbers = pathlib.Path(arguments[0]).resolve(), arguments[1], [int(a) for a in arguments[2:]]
    if command == "bake":
        bake(folder, *(numbers or [40]))
    elif command == "render":
        (folder / "frames").mkdir(exist_ok=True)
        render(folder, *numbers[:3], *(numbers[3:] or [16]))
    elif command == "truth":
        truth(folder)
    else:
        raise SystemExit(f"render_desk.py: unknown command {command}; use bake, render or truth")


main()
