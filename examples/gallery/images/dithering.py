"""Floyd-Steinberg dithering in serpentine order, to a palette of colours.

Source: Floyd and Steinberg, "An adaptive algorithm for spatial grey scale", 1976.
"""

import numpy as np


def nearest(palette, colour):
    best, best_distance = 0, float("inf")
    for k, candidate in enumerate(palette):
        d = 0.0
        for c in range(3):
            d += (candidate[c] - colour[c]) ** 2
        if d < best_distance:
            best, best_distance = k, d
    return best


def program(image, palette):
    work = image.astype(np.float32)
    h, w, _ = work.shape
    index = np.zeros((h, w), dtype=np.uint8)
    for y in range(h):
        forward = y % 2 == 0
        columns = range(w) if forward else range(w - 1, -1, -1)
        step = 1 if forward else -1
        for x in columns:
            old = work[y, x].copy()
            k = nearest(palette, old)
            index[y, x] = k
            error = old - palette[k]
            if 0 <= x + step < w:
                work[y, x + step] += error * 7 / 16
            if y + 1 < h:
                if 0 <= x - step < w:
                    work[y + 1, x - step] += error * 3 / 16
                work[y + 1, x] += error * 5 / 16
                if 0 <= x + step < w:
                    work[y + 1, x + step] += error * 1 / 16
    return index, palette[index].astype(np.uint8)


def arguments(size):
    ramp = np.linspace(0, 255, size + 2)
    image = np.stack(np.broadcast_arrays(ramp[:, None], ramp[None, :], 128.0), axis=-1)
    palette = np.array([[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255.0]])
    return image.astype(np.uint8), palette.astype(np.float32)
