"""Draws every picture that the desk scene uses: wood, floor, paint, print. Nothing is downloaded.

    python3 textures.py OUTPUT_FOLDER

Colours are sRGB reflectances. Every texture has its own seed, so one can be changed without touching the others.
"""

import pathlib
import sys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONT_FOLDER = pathlib.Path("/usr/share/fonts/truetype/dejavu")

WORDS = (
    "window harbour letter orchard signal copper winter garden river meadow lantern paper compass island "
    "quiet morning kettle marble thread summit valley shore timber cloud bridge stone amber northern field"
).split()


def font(size, name="DejaVuSans"):
    return ImageFont.truetype(str(FONT_FOLDER / f"{name}.ttf"), size)


def noise(rng, height, width, cell_y, cell_x):
    """Smooth noise with unit variance whose bumps measure about cell_y × cell_x pixels."""
    rows, columns = max(2, round(height / cell_y) + 1), max(2, round(width / cell_x) + 1)
    grid = rng.standard_normal((rows, columns)).astype(np.float32)
    picture = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
    return picture / max(picture.std(), 1e-6)


def fractal(rng, height, width, cell, octaves, gain=0.5):
    total, weight = np.zeros((height, width), np.float32), 1.0
    for octave in range(octaves):
        total += weight * noise(rng, height, width, cell / 2**octave, cell / 2**octave)
        weight *= gain
    return total / total.std()


def mix(low, high, amount):
    amount = np.clip(amount, 0, 1)[..., None]
    return np.asarray(low, np.float32) * (1 - amount) + np.asarray(high, np.float32) * amount


def wood_board(rng, height, width, dark, light):
    """One board, grain along x: growth rings cut at a slant, fibres and pores."""
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    bend = 0.30 * noise(rng, height, width, height * 0.9, width * 0.45)
    bend += 0.07 * noise(rng, height, width, height * 0.35, width * 0.15)
    centre = rng.uniform(-0.8, 1.8)
    rings = np.abs(y - centre + bend) ** 0.8 * rng.uniform(9, 16)
    late = (rings % 1.0) ** 2.5
    fibre = noise(rng, height, width, 2.2, 150) * 0.10 + noise(rng, height, width, 4.5, 320) * 0.08
    pores = noise(rng, height, width, 1.6, 26)
    amount = 0.62 - 0.42 * late + fibre + 0.10 * noise(rng, height, width, 60, 500)
    board = mix(dark, light, amount)
    board *= 1 - 0.30 * np.clip(pores - 1.5, 0, 1)[..., None]
    return board


def desk_top(rng):
    """1.5 m × 0.74 m at 2 pixels a millimetre: five oak staves glued together."""
    staves = []
    for _ in range(5):
        tint = rng.uniform(0.88, 1.08)
        stave = wood_board(rng, 296, 3000, np.array([104, 66, 38]) * tint, np.array([205, 152, 98]) * tint)
        stave[:2] *= 0.72
        staves.append(stave)
    top = np.concatenate(staves)
    wear = fractal(rng, *top.shape[:2], 260, 4)
    top *= 1 + 0.03 * wear[..., None]
    for _ in range(26):
        start = rng.uniform([0, 0], [3000, 1480])
        end = start + rng.normal(0, 90, 2)
        scratch = np.zeros(top.shape[:2], np.float32)
        cv2.line(scratch, tuple(map(int, start)), tuple(map(int, end)), float(rng.uniform(0.05, 0.16)), 1, cv2.LINE_AA)
        top *= 1 - scratch[..., None]
    for _ in range(3):
        ring = np.zeros(top.shape[:2], np.float32)
        centre = (int(rng.uniform(300, 2700)), int(rng.uniform(600, 1300)))
        cv2.circle(ring, centre, 78, 0.10, 5, cv2.LINE_AA)
        top *= 1 - cv2.GaussianBlur(ring, (0, 0), 2)[..., None]
    return top


def floor(rng):
    """4.5 m × 4.2 m of strip parquet, 9 cm × about 70 cm, 0.6 pixels a millimetre."""
    height, width, strip = 2520, 2700, 54
    picture = np.zeros((height, width, 3), np.float32)
    sheet = wood_board(rng, 1200, 2400, np.array([92, 62, 40]), np.array([168, 124, 84]))
    for top in range(0, height, strip):
        left = -int(rng.uniform(0, 420))
        while left < width:
            length = int(rng.uniform(300, 480))
            source_y, source_x = int(rng.uniform(0, 1200 - strip)), int(rng.uniform(0, 2400 - 480))
            piece = sheet[source_y : source_y + strip, source_x : source_x + length] * rng.uniform(0.74, 1.14)
            piece[:1] *= 0.45
            piece[:, :1] *= 0.45
            begin, end = max(left, 0), min(left + length, width)
            rows = min(strip, height - top)
            if end > begin:
                picture[top : top + rows, begin:end] = piece[:rows, begin - left : end - left]
            left += length
    return picture


def wall(rng):
    """4.5 m × 2.55 m of rolled paint over old plaster."""
    height, width = 1530, 2700
    tone = 0.020 * fractal(rng, height, width, 420, 5, 0.62) + 0.016 * noise(rng, height, width, 3, 3)
    tone += 0.012 * noise(rng, height, width, 7, 7)
    picture = np.array([203, 197, 184], np.float32) * (1 + tone[..., None])
    for _ in range(60):
        spot = (int(rng.uniform(0, width)), int(rng.uniform(500, height)))
        mark = np.zeros((height, width), np.float32)
        end = (spot[0] + int(rng.normal(0, 9)), spot[1] + int(rng.normal(0, 9)))
        cv2.line(mark, spot, end, float(rng.uniform(0.06, 0.2)), int(rng.integers(1, 3)), cv2.LINE_AA)
        picture *= 1 - mark[..., None]
    return picture


def rug(rng):
    """1.6 m × 1.1 m woven rug with stripes and lozenges."""
    height, width = 1100, 1600
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    band = ((y + 6 * noise(rng, height, width, 90, 90)) // 92).astype(int)
    palette = np.array([[150, 60, 48], [196, 172, 130], [52, 74, 96], [190, 132, 62], [176, 160, 136]], np.float32)
    picture = palette[(band * 7 + band // 3) % len(palette)]
    lozenge = np.abs((x % 160) - 80) / 80 + np.abs((y % 184) - 92) / 92
    picture = np.where((lozenge < 0.62)[..., None], palette[(band * 3 + 1) % len(palette)], picture)
    picture = np.where((lozenge < 0.28)[..., None], palette[(band + 2) % len(palette)], picture)
    weave = 0.10 * np.sin(x * 1.05) * np.sin(y * 1.05) + 0.10 * noise(rng, height, width, 3, 5)
    return picture * (0.95 + weave[..., None])


def printed_lines(draw, rng, box, size, colour, fill=1.0, face="DejaVuSerif"):
    left, top, right, bottom = box
    face = font(size, face)
    y = top
    while y + size < bottom:
        line, limit = "", right - left
        if rng.random() < 0.12:
            limit *= rng.uniform(0.3, 0.8)
        while True:
            word = WORDS[rng.integers(len(WORDS))]
            if draw.textlength(line + word, font=face) > limit * fill:
                break
            line += word + " "
        draw.text((left, y), line, font=face, fill=colour)
        y += int(size * 1.45)


def sheet(rng, title, coloured):
    """An A4 page, 4 pixels a millimetre: heading, two columns, a figure."""
    page = Image.new("RGB", (840, 1188), (226, 224, 216))
    draw = ImageDraw.Draw(page)
    draw.text((80, 70), title, font=font(58, "DejaVuSerif-Bold"), fill=(30, 30, 34))
    draw.line((80, 152, 760, 152), fill=(60, 60, 66), width=4)
    printed_lines(draw, rng, (80, 175, 405, 1100), 17, (48, 48, 52))
    printed_lines(draw, rng, (435, 560, 760, 1100), 17, (48, 48, 52))
    draw.rectangle((435, 180, 760, 520), fill=(206, 210, 208), outline=(70, 70, 70), width=3)
    heights = rng.uniform(60, 280, 6)
    for index, value in enumerate(heights):
        shade = coloured if index % 2 else (64, 70, 84)
        draw.rectangle((460 + index * 48, 500 - value, 494 + index * 48, 500), fill=shade)
    return np.asarray(page, np.float32)


def notebook(rng):
    """An open squared notebook with notes and a sketch, 4 pixels a millimetre."""
    page = Image.new("RGB", (1180, 820), (228, 226, 214))
    draw = ImageDraw.Draw(page)
    for x in range(0, 1180, 20):
        draw.line((x, 0, x, 820), fill=(186, 200, 212), width=1)
    for y in range(0, 820, 20):
        draw.line((0, y, 1180, y), fill=(186, 200, 212), width=1)
    printed_lines(draw, rng, (60, 60, 540, 560), 27, (38, 52, 110), face="DejaVuSans-Oblique")
    for _ in range(5):
        x, y = rng.uniform(660, 960), rng.uniform(90, 540)
        w, h = rng.uniform(70, 170, 2)
        draw.rectangle((x, y, x + w, y + h), outline=(38, 52, 110), width=4)
        draw.line((x + w / 2, y + h / 2, rng.uniform(660, 1120), rng.uniform(90, 700)), fill=(150, 44, 40), width=4)
    printed_lines(draw, rng, (660, 640, 1120, 780), 27, (38, 52, 110), face="DejaVuSans-Oblique")
    picture = np.asarray(page, np.float32)
    shade = 1 - 0.35 * np.exp(-np.abs(np.arange(1180) - 590) / 14.0)
    return picture * shade[None, :, None]


def title_colour(base):
    return (232, 228, 216) if sum(base) < 420 else (44, 40, 44)


def cover(rng, kind, title, author, base, accent):
    """A book's cover, 3 pixels a millimetre (15 cm × 22 cm)."""
    page = Image.new("RGB", (450, 660), tuple(base))
    draw = ImageDraw.Draw(page)
    for index in range(9):
        if kind == 0:
            radius = 20 + 24 * index
            draw.arc((225 - radius, 380 - radius, 225 + radius, 380 + radius), 180, 360, fill=tuple(accent), width=9)
        elif kind == 1:
            x, y = rng.uniform(20, 380), rng.uniform(230, 540)
            w = rng.uniform(30, 110)
            shade = tuple(int(c * rng.uniform(0.6, 1.0)) for c in accent)
            draw.polygon([(x, y), (x + w, y + w * 0.3), (x + w * 0.4, y + w)], fill=shade)
        else:
            draw.rectangle((30, 230 + 38 * index, 30 + rng.uniform(60, 390), 252 + 38 * index), fill=tuple(accent))
    size = 58
    while draw.textlength(title, font=font(size, "DejaVuSans-Bold")) > 390:
        size -= 2
    draw.text((30, 50), title, font=font(size, "DejaVuSans-Bold"), fill=title_colour(base))
    draw.text((30, 150), author, font=font(28), fill=tuple(accent))
    draw.rectangle((10, 10, 439, 649), outline=tuple(int(c * 0.7) for c in base), width=4)
    picture = np.asarray(page, np.float32)
    return picture * (1 + 0.025 * noise(rng, 660, 450, 2, 2)[..., None])


def spine(rng, title, base, accent):
    """A book's spine, 22 cm × 3 cm, 3 pixels a millimetre; text runs along x."""
    page = Image.new("RGB", (660, 90), tuple(base))
    draw = ImageDraw.Draw(page)
    draw.rectangle((24, 0, 40, 90), fill=tuple(accent))
    draw.rectangle((610, 0, 636, 90), fill=tuple(accent))
    draw.text((70, 16), title, font=font(46, "DejaVuSans-Bold"), fill=title_colour(base))
    return np.asarray(page, np.float32)


def pages(rng):
    lines = noise(rng, 128, 512, 1.3, 400)
    return np.array([214, 204, 180], np.float32) * (1 + 0.07 * lines[..., None])


def hills(rng):
    """A framed print: layered hills under a low sun."""
    height, width = 900, 680
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None] * np.ones((1, width), np.float32)
    picture = mix([120, 158, 178], [228, 188, 140], y * 1.7)
    yy, xx = np.mgrid[0:height, 0:width]
    picture[(yy - 330) ** 2 + (xx - 440) ** 2 < 84**2] = (222, 104, 62)
    for layer in range(6):
        ridge = 380 + 80 * layer + (46 - 4 * layer) * noise(rng, 2, width, 2, 150 - 12 * layer)[0]
        ridge += 6 * noise(rng, 2, width, 2, 14)[0]
        shade = np.array([150, 160, 150]) * (1 - 0.15 * layer) + np.array([0, 6, 14]) * (layer % 2)
        picture[yy > ridge[None, :]] = shade
        trees = rng.uniform(0, width, 12 + 4 * layer)
        for x in trees:
            base = ridge[int(x)]
            size = rng.uniform(14, 34) * (0.6 + 0.12 * layer)
            triangle = np.array([[x - size * 0.3, base + 6], [x + size * 0.3, base + 6], [x, base - size]])
            cv2.fillPoly(picture, [triangle.astype(np.int32)], tuple(float(c) * 0.62 for c in shade), cv2.LINE_AA)
    picture[:44] = picture[-44:] = (226, 222, 212)
    picture[:, :44] = picture[:, -44:] = (226, 222, 212)
    return picture


QUILT_ROWS, QUILT_COLUMNS, QUILT_CELL = 7, 6, 100


def quilt(rng):
    """A framed patchwork print. Inner crossings of its patches are exact landmarks for the truth check."""
    palette = np.array([[30, 62, 84], [214, 200, 168], [176, 72, 50], [226, 214, 190], [60, 96, 84], [220, 176, 96]])
    picture = np.zeros((QUILT_ROWS * QUILT_CELL, QUILT_COLUMNS * QUILT_CELL, 3), np.float32)
    for row in range(QUILT_ROWS):
        for column in range(QUILT_COLUMNS):
            dark = (row + column) % 2 == 0
            colour = palette[[0, 2, 4][rng.integers(3)] if dark else [1, 3, 5][rng.integers(3)]]
            top, left = row * QUILT_CELL, column * QUILT_CELL
            picture[top : top + QUILT_CELL, left : left + QUILT_CELL] = colour
    return picture * (1 + 0.03 * noise(rng, *picture.shape[:2], 2, 3)[..., None])


def pinboard(rng):
    """0.9 m × 0.6 m of cork with notes, photographs and a calendar."""
    height, width = 1200, 1800
    grain = 0.10 * noise(rng, height, width, 5, 7) + 0.09 * noise(rng, height, width, 14, 14)
    picture = np.array([168, 124, 80], np.float32) * (1 + grain[..., None])
    picture *= 1 - 0.35 * np.clip(noise(rng, height, width, 6, 9) - 1.6, 0, 1)[..., None]
    canvas = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))

    def pin(card, x, y, angle):
        turned = card.convert("RGBA").rotate(angle, expand=True, resample=Image.BICUBIC)
        shadow = Image.new("RGBA", turned.size, (0, 0, 0, 0))
        shadow.paste((40, 26, 14, 130), mask=turned.getchannel("A"))
        canvas.paste(shadow, (x + 6, y + 8), shadow)
        canvas.paste(turned, (x, y), turned)
        middle = (x + turned.width // 2, y + 26)
        colour = [(176, 40, 36), (40, 80, 140), (214, 180, 60)][rng.integers(3)]
        ImageDraw.Draw(canvas).ellipse((middle[0] - 13, middle[1] - 13, middle[0] + 13, middle[1] + 13), fill=colour)

    def note(size, colour, lines):
        card = Image.new("RGB", size, colour)
        draw = ImageDraw.Draw(card)
        printed_lines(draw, rng, (24, 50, size[0] - 20, 60 + lines * 46), 30, (44, 44, 60), face="DejaVuSans-Oblique")
        return card

    def photograph():
        view = mix([96, 130, 150], [214, 190, 150], np.linspace(0, 1, 230)[:, None] * np.ones((1, 310)))
        view[130:] = np.array([84, 104, 70]) * (1 + 0.2 * fractal(rng, 100, 310, 40, 4)[..., None])
        for _ in range(5):
            x, w, h = rng.uniform(0, 270), rng.uniform(24, 56), rng.uniform(30, 90)
            shade = rng.uniform(70, 190, 3)
            cv2.rectangle(view, (int(x), int(140 - h)), (int(x + w), 146), tuple(map(float, shade)), -1)
        card = Image.new("RGB", (350, 300), (228, 226, 220))
        card.paste(Image.fromarray(np.clip(view, 0, 255).astype(np.uint8)), (20, 20))
        return card

    calendar = Image.new("RGB", (520, 620), (226, 224, 218))
    draw = ImageDraw.Draw(calendar)
    draw.rectangle((0, 0, 520, 130), fill=(168, 58, 46))
    draw.text((40, 30), "October", font=font(64, "DejaVuSans-Bold"), fill=(236, 232, 224))
    for day in range(31):
        x, y = 30 + (day + 3) % 7 * 68, 160 + (day + 3) // 7 * 76
        draw.text((x, y), str(day + 1), font=font(34), fill=(44, 44, 48))
    pin(calendar, 80, 90, 1.5)
    pin(note((330, 330), (226, 206, 110), 5), 660, 90, -5)
    pin(photograph(), 1060, 110, 4)
    pin(photograph(), 1400, 420, -6)
    pin(note((330, 330), (164, 196, 206), 5), 690, 520, 3)
    pin(note((420, 520), (228, 226, 220), 9), 1060, 500, -2)
    pin(note((280, 240), (222, 160, 150), 3), 1460, 800, 6)
    pin(photograph(), 200, 800, -3)
    pin(note((300, 200), (222, 222, 206), 2), 640, 920, -2)
    return np.asarray(canvas, np.float32)


KEY_ROWS = ["`1234567890-=<", ">QWERTYUIOP[]\\", "^ASDFGHJKL;'#", "!ZXCVBNM,./?"]


def keyboard(rng):
    """Seen from above, 0.36 m × 0.13 m, 5 pixels a millimetre; keys lie on the grid that scene.py builds."""
    page = Image.new("RGB", (1800, 650), (205, 204, 200))
    draw = ImageDraw.Draw(page)
    for row, keys in enumerate(KEY_ROWS):
        pitch = (1800 - 60) / len(keys)
        for column, key in enumerate(keys):
            draw.text((30 + column * pitch + 34, 20 + row * 122 + 24), key, font=font(46), fill=(52, 54, 60))
    picture = np.asarray(page, np.float32)
    return picture * (1 + 0.015 * noise(rng, 650, 1800, 2, 2)[..., None])


def mug(rng):
    picture = np.full((400, 1100, 3), (206, 202, 190), np.float32)
    picture[290:] = (44, 84, 108)
    picture[276:284] = (196, 120, 60)
    for index in range(11):
        centre = (50 + index * 100, 170)
        cv2.circle(picture, centre, 36, (44, 84, 108), 9, cv2.LINE_AA)
        cv2.circle(picture, centre, 12, (196, 120, 60), -1, cv2.LINE_AA)
    return picture * (1 + 0.03 * noise(rng, 400, 1100, 3, 3)[..., None])


def leaf(rng):
    picture = np.full((256, 512, 3), (62, 104, 48), np.float32)
    cv2.line(picture, (0, 128), (512, 128), (128, 160, 92), 7, cv2.LINE_AA)
    for x in range(20, 500, 44):
        cv2.line(picture, (x, 128), (x + 70, 10), (92, 132, 70), 3, cv2.LINE_AA)
        cv2.line(picture, (x, 128), (x + 70, 246), (92, 132, 70), 3, cv2.LINE_AA)
    return picture * (1 + 0.10 * fractal(rng, 256, 512, 60, 4)[..., None])


def speckle(rng, colour, strength, cell):
    tone = fractal(rng, 512, 512, 128, 5) * 0.5 + noise(rng, 512, 512, cell, cell)
    return np.asarray(colour, np.float32) * (1 + strength * tone[..., None])


def linen(rng):
    threads = noise(rng, 512, 1024, 2, 90) + noise(rng, 512, 1024, 90, 2)
    return np.array([214, 196, 160], np.float32) * (1 + 0.06 * threads[..., None])


def screen(rng):
    """What the monitor shows: a drawing program with a map, a list and a curve."""
    page = Image.new("RGB", (1040, 600), (58, 64, 74))
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, 1040, 34), fill=(36, 40, 48))
    draw.text((14, 7), "Harbour survey", font=font(18), fill=(206, 208, 210))
    draw.rectangle((16, 50, 690, 584), fill=(206, 204, 194))
    for _ in range(26):
        x, y = rng.uniform(30, 600), rng.uniform(60, 520)
        w, h = rng.uniform(24, 80, 2)
        shade = [(150, 176, 142), (128, 164, 188), (214, 178, 120), (180, 170, 160)][rng.integers(4)]
        draw.rectangle((x, y, min(x + w, 686), min(y + h, 580)), fill=shade, outline=(90, 90, 90), width=2)
    for _ in range(9):
        points = [(rng.uniform(20, 680), rng.uniform(56, 576)) for _ in range(3)]
        draw.line(points, fill=(236, 232, 222), width=6)
    printed_lines(draw, rng, (716, 60, 1020, 330), 17, (196, 200, 204), face="DejaVuSansMono")
    draw.rectangle((710, 350, 1024, 584), fill=(40, 46, 54))
    curve = [(716 + 6 * k, 470 - 70 * np.sin(k * 0.21) * np.exp(-k * 0.02)) for k in range(51)]
    draw.line(curve, fill=(230, 160, 70), width=4)
    for k in range(6):
        draw.line((716, 370 + 40 * k, 1018, 370 + 40 * k), fill=(80, 88, 98), width=1)
    return np.asarray(page, np.float32)


BOOKS = [
    ("North Harbour", "E. Lindqvist", (34, 66, 92), (214, 156, 74)),
    ("Copper & Salt", "M. Oduya", (158, 62, 44), (226, 196, 140)),
    ("Quiet Orchards", "R. Tamm", (52, 92, 70), (222, 206, 150)),
    ("A Winter Atlas", "J. Havel", (196, 162, 92), (60, 52, 60)),
    ("Letters West", "P. Moreau", (86, 54, 88), (206, 150, 160)),
    ("The Kettle Year", "S. Baird", (206, 198, 178), (168, 58, 46)),
    ("Signal Hill", "T. Aoki", (46, 48, 54), (120, 170, 178)),
    ("Marble Thread", "C. Iyer", (178, 106, 56), (46, 62, 80)),
]


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    makers = {
        "desk": desk_top, "floor": floor, "wall": wall, "rug": rug, "hills": hills, "quilt": quilt,
        "pinboard": pinboard, "keyboard": keyboard, "mug": mug, "leaf": leaf, "linen": linen, "pages": pages,
        "notebook": notebook, "screen": screen,
        "sheet0": lambda rng: sheet(rng, "The Tide Tables", (168, 74, 52)),
        "sheet1": lambda rng: sheet(rng, "Field Notes", (58, 104, 128)),
        "terracotta": lambda rng: speckle(rng, (168, 92, 62), 0.07, 3),
        "soil": lambda rng: speckle(rng, (62, 46, 34), 0.30, 4),
        "paint": lambda rng: speckle(rng, (190, 184, 170), 0.02, 2),
        "ceiling": lambda rng: speckle(rng, (214, 210, 202), 0.01, 2),
        "slate": lambda rng: speckle(rng, (52, 56, 62), 0.10, 2),
        "brass": lambda rng: speckle(rng, (150, 112, 58), 0.05, 2),
        "pale": lambda rng: wood_board(rng, 512, 1024, np.array([150, 112, 74]), np.array([216, 182, 136])),
        "walnut": lambda rng: wood_board(rng, 512, 1024, np.array([60, 38, 26]), np.array([122, 82, 54])),
        "pencil": lambda rng: speckle(rng, (206, 152, 50), 0.04, 2),
    }
    for index, (title, author, base, accent) in enumerate(BOOKS):
        makers[f"cover{index}"] = lambda rng, a=(index % 3, title, author, base, accent): cover(rng, *a)
        makers[f"spine{index}"] = lambda rng, a=(title, base, accent): spine(rng, *a)
    for index, (name, maker) in enumerate(makers.items()):
        picture = np.clip(maker(np.random.default_rng(1000 + index)), 0, 255).astype(np.uint8)
        Image.fromarray(picture).save(folder / f"{name}.png")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
