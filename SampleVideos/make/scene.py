"""Builds the desk scene in Blender: geometry, albedo pictures, lamps, and the list of its true planes.

Blender's axes here are x right, y towards the back wall, z up; `to_world` turns them into the sequence folder's
world (x right, y up, z towards the room). Blender's Python in Debian has no numpy, so this file needs none.
"""

import math
import random

import bpy
from mathutils import Matrix, Vector

DESK_HEIGHT = 0.735
LEFT, RIGHT, BACK, FRONT, CEILING = -2.2, 2.3, 2.0, -2.2, 2.55
WINDOW = dict(y=(0.25, 1.55), z=(0.95, 2.15))
FACES = {  # name: outward normal and the four corners (signs of half the size), counter-clockwise from outside
    "top": ((0, 0, 1), [(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]),
    "bottom": ((0, 0, -1), [(-1, 1, -1), (1, 1, -1), (1, -1, -1), (-1, -1, -1)]),
    "front": ((0, -1, 0), [(-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1)]),
    "back": ((0, 1, 0), [(1, 1, -1), (-1, 1, -1), (-1, 1, 1), (1, 1, 1)]),
    "left": ((-1, 0, 0), [(-1, 1, -1), (-1, -1, -1), (-1, -1, 1), (-1, 1, 1)]),
    "right": ((1, 0, 0), [(1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)]),
}


def to_world(v):
    return (v[0], v[2], -v[1])


class Look:
    """A material: which picture, how it is laid on, how it shines, how much it glows by itself."""

    def __init__(self, picture, metres=None, gloss=0.0, roughness=0.3, glow=(0, 0, 0)):
        self.picture, self.metres = picture, metres
        self.gloss, self.roughness, self.glow = gloss, roughness, glow


class Scene:
    def __init__(self, texture_folder):
        self.texture_folder = texture_folder
        self.planes = []
        self.landmarks = []
        self.baked = []
        self.random = random.Random(7)

    # Materials

    def material(self, look, light_image):
        """Diffuse for baking; `render_desk.use_baked_light` rewires it to the baked light afterwards."""
        material = bpy.data.materials.new(look.picture)
        material.use_nodes = True
        nodes, links = material.node_tree.nodes, material.node_tree.links
        nodes.clear()
        picture = nodes.new("ShaderNodeTexImage")
        picture.name = "picture"
        picture.image = bpy.data.images.load(f"{self.texture_folder}/{look.picture}.png", check_existing=True)
        light_uv = nodes.new("ShaderNodeUVMap")
        light_uv.uv_map = "light"
        light = nodes.new("ShaderNodeTexImage")
        light.name = "light"
        light.image = light_image
        links.new(light_uv.outputs["UV"], light.inputs["Vector"])
        diffuse = nodes.new("ShaderNodeBsdfDiffuse")
        output = nodes.new("ShaderNodeOutputMaterial")
        output.name = "output"
        links.new(picture.outputs["Color"], diffuse.inputs["Color"])
        links.new(diffuse.outputs["BSDF"], output.inputs["Surface"])
        nodes.active = light
        material["gloss"], material["roughness"], material["glow"] = look.gloss, look.roughness, look.glow
        return material

    def mesh(self, name, vertices, faces, uvs, looks, face_looks, light_size, smooth=False, own_uv_for_light=False):
        """`uvs` holds one (u, v) per face corner; `face_looks` one index into `looks` per face."""
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata([Vector(v) for v in vertices], [], faces)
        layer = mesh.uv_layers.new(name="UVMap")
        for index, uv in enumerate(uvs):
            layer.data[index].uv = uv
        light_layer = mesh.uv_layers.new(name="light")
        if own_uv_for_light:
            for index, uv in enumerate(uvs):
                light_layer.data[index].uv = (0.02 + 0.96 * uv[0], 0.02 + 0.96 * uv[1])
        mesh.uv_layers.active = light_layer  # where baking writes; pictures use the render layer, which stays UVMap
        image = bpy.data.images.new(f"light {name}", light_size, light_size, float_buffer=True)
        image.colorspace_settings.name = "Non-Color"
        for look in looks:
            mesh.materials.append(self.material(look, image))
        for polygon, look in zip(mesh.polygons, face_looks):
            polygon.material_index = look
            polygon.use_smooth = smooth
        thing = bpy.data.objects.new(name, mesh)
        bpy.context.collection.objects.link(thing)
        if not own_uv_for_light:
            self.unwrap(thing)
        self.baked.append(thing)
        return thing

    def unwrap(self, thing):
        bpy.ops.object.select_all(action="DESELECT")
        thing.select_set(True)
        bpy.context.view_layer.objects.active = thing
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.uv.smart_project(angle_limit=math.radians(66), island_margin=0.012)
        bpy.ops.object.mode_set(mode="OBJECT")

    # Shapes

    def box(self, name, size, at, looks, turn=0.0, light=88, counts_as=None, skip=(), planes=True):
        """`looks`: face name → Look, with "" for the rest. `at` is the centre of the underside.

        `counts_as`: the plane that a thin flat thing lies on; it then has no plane of its own. A box of one face
        gives its plane its own name, others name.face.
        """
        half = [s / 2 for s in size]
        matrix = Matrix.Translation(Vector(at) + Vector((0, 0, half[2]))) @ Matrix.Rotation(turn, 4, "Z")
        vertices, faces, uvs, used, face_looks = [], [], [], [], []
        for face, (normal, corners) in FACES.items():
            if face in skip:
                continue
            look = looks.get(face, looks.get(""))
            if look not in used:
                used.append(look)
            base = len(vertices)
            points = [Vector([c * h for c, h in zip(corner, half)]) for corner in corners]
            vertices += points
            faces.append([base, base + 1, base + 2, base + 3])
            face_looks.append(used.index(look))
            width, height = (points[1] - points[0]).length, (points[3] - points[0]).length
            u, v = (1, 1) if look.metres is None else (width / look.metres[0], height / look.metres[1])
            u0, v0 = (0, 0) if look.metres is None else (self.random.random(), self.random.random())
            uvs += [(u0, v0), (u0 + u, v0), (u0 + u, v0 + v), (u0, v0 + v)]
            corners_world = [to_world(matrix @ p) for p in points]
            if planes and counts_as is None and width * height >= 0.04:
                turned = matrix.to_3x3() @ Vector(normal)
                self.add_plane(f"{name}.{face}" if len(skip) < 4 else name, name, to_world(turned), corners_world)
            if look.picture == "quilt":
                self.add_quilt_landmarks(corners_world)
        thing = self.mesh(name, vertices, faces, uvs, used, face_looks, light)
        thing.matrix_world = matrix
        if counts_as:
            thing["counts_as"] = counts_as
        return thing

    def add_plane(self, label, thing, normal, polygon):
        alignment = "other"
        if abs(normal[1]) > 0.99:
            alignment = "horizontal-up" if normal[1] > 0 else "horizontal-down"
        elif abs(normal[1]) < 0.01:
            alignment = "vertical"
        sides = [math.dist(polygon[i], polygon[(i + 1) % 4]) for i in range(2)]
        self.planes.append(
            dict(
                label=label, thing=thing, alignment=alignment, normal=normal, polygon=polygon,
                area_m2=sides[0] * sides[1],
            )
        )

    def shift_plane(self, label, distance):
        """Moves a plane along its normal, to where most of what counts as it has its face (drawers, keys)."""
        plane = next(plane for plane in self.planes if plane["label"] == label)
        plane["polygon"] = [[c + distance * n for c, n in zip(p, plane["normal"])] for p in plane["polygon"]]

    def add_quilt_landmarks(self, corners, rows=7, columns=6):
        """Crossings between patches: `textures.quilt` draws rows × columns of them over the whole face."""
        origin, along, up = Vector(corners[0]), Vector(corners[1]), Vector(corners[3])
        for row in range(1, rows):
            for column in range(1, columns):
                point = origin + (along - origin) * (column / columns) + (up - origin) * (row / rows)
                self.landmarks.append([round(c, 9) for c in point])

    def lathe(self, name, profile, at, look, steps=40, light=88, inside=None):
        """Turns (radius, height) pairs about the vertical axis.

        `inside`: an index into the profile and the look that is used from there on.
        """
        vertices, faces, uvs, face_looks = [], [], [], []
        lengths = [0.0]
        for a, b in zip(profile, profile[1:]):
            lengths.append(lengths[-1] + math.dist(a, b))
        for radius, height in profile:
            for step in range(steps):
                angle = 2 * math.pi * step / steps
                vertices.append((radius * math.cos(angle), radius * math.sin(angle), height))
        for ring in range(len(profile) - 1):
            v0, v1 = lengths[ring] / lengths[-1], lengths[ring + 1] / lengths[-1]
            for step in range(steps):
                after = (step + 1) % steps
                low, high = ring * steps, (ring + 1) * steps
                faces.append([low + step, low + after, high + after, high + step])
                u0, u1 = step / steps, (step + 1) / steps
                uvs += [(u0, v0), (u1, v0), (u1, v1), (u0, v1)]
                face_looks.append(1 if inside and ring >= inside[0] else 0)
        looks = [look] + ([inside[1]] if inside else [])
        thing = self.mesh(name, vertices, faces, uvs, looks, face_looks, light, smooth=True, own_uv_for_light=True)
        thing.location = at
        return thing

    def tube(self, name, points, radius, look, steps=8, light=64):
        vertices, faces, uvs = [], [], []
        points = [Vector(p) for p in points]
        for index, point in enumerate(points):
            ahead = points[min(index + 1, len(points) - 1)] - points[max(index - 1, 0)]
            side = ahead.cross(Vector((0, 0, 1)))
            side = side.normalized() if side.length > 1e-6 else Vector((1, 0, 0))
            up = side.cross(ahead).normalized()
            for step in range(steps):
                angle = 2 * math.pi * step / steps
                vertices.append(point + radius * (math.cos(angle) * side + math.sin(angle) * up))
        last = len(points) - 1
        for ring in range(last):
            for step in range(steps):
                after = (step + 1) % steps
                low, high = ring * steps, (ring + 1) * steps
                faces.append([low + after, low + step, high + step, high + after])
                u, v = ring / last, step / steps
                uvs += [(u, v + 1 / steps), (u, v), (u + 1 / last, v), (u + 1 / last, v + 1 / steps)]
        face_looks = [0] * len(faces)
        return self.mesh(name, vertices, faces, uvs, [look], face_looks, light, smooth=True, own_uv_for_light=True)

    def book(self, index, name, at, turn=0.0, thickness=0.03, upright=False, scale=1.0, light=88):
        """Lying: spine towards −y. Upright: spine towards −y, standing on its short edge."""
        long_side, short_side = 0.22 * scale, 0.15 * scale
        cover = Look(f"cover{index}", gloss=0.5, roughness=0.25)
        spine, pages = Look(f"spine{index}", gloss=0.4, roughness=0.3), Look("pages")
        if upright:
            looks = {"left": cover, "right": cover, "front": spine, "": pages}
            thing = self.box(name, (thickness, short_side, long_side), at, looks, turn, light)
            self.rotate_uv(thing, "front")
            return thing
        looks = {"top": cover, "bottom": cover, "front": spine, "": pages}
        thing = self.box(name, (long_side, short_side, thickness), at, looks, turn, light)
        self.rotate_uv(thing, "top")
        return thing

    def rotate_uv(self, thing, face):
        """Turns the picture on one face by 90°, so that a portrait picture lies along the face's long side."""
        first = list(FACES).index(face) * 4
        layer = thing.data.uv_layers["UVMap"].data
        corners = [tuple(layer[first + i].uv) for i in range(4)]
        for i in range(4):
            layer[first + i].uv = corners[(i + 1) % 4]
