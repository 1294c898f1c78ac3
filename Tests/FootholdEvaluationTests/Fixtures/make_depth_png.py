"""Makes `depth_filters.png`: a 16-bit grey PNG whose rows use each of PNG's five filters, in two data chunks.

Pixel (x, y) holds (x * 977 + y * y * 3571) mod 65536, as the test expects.
"""

import pathlib
import struct
import zlib

WIDTH, HEIGHT = 23, 10


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


rows = [b"".join(struct.pack(">H", (x * 977 + y * y * 3571) % 65536) for x in range(WIDTH)) for y in range(HEIGHT)]
raw = bytearray()
for y, row in enumerate(rows):
    above = rows[y - 1] if y else bytes(len(row))
    raw.append(y % 5)
    for i, value in enumerate(row):
        left = row[i - 2] if i >= 2 else 0
        corner = above[i - 2] if i >= 2 else 0
        guess = [0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner)][y % 5]
        raw.append((value - guess) % 256)
data = zlib.compress(bytes(raw))
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 16, 0, 0, 0, 0))
png += chunk(b"IDAT", data[:40]) + chunk(b"IDAT", data[40:]) + chunk(b"IEND", b"")
(pathlib.Path(__file__).resolve().parent / "depth_filters.png").write_bytes(png)
