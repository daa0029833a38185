"""Binary morphology: opening, the distance transform, and Zhang and Suen's skeleton.

Source: Zhang and Suen, "A fast parallel algorithm for thinning digital patterns", 1984; Rosenfeld
and Pfaltz, 1966.
"""

import numpy as np

CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=bool)


def dilate(img, element=CROSS):
    out = np.zeros_like(img)
    H, W = img.shape
    padded = np.pad(img, 1)
    for dy, row in enumerate(element):
        for dx, on in enumerate(row):
            if on:
                out |= padded[dy : dy + H, dx : dx + W]
    return out


def erode(img, element=CROSS):
    return ~dilate(~img, element[::-1, ::-1])


def distance_transform(img):
    H, W = img.shape
    d = np.where(img, H + W, 0)
    for y in range(H):
        for x in range(W):
            if y > 0:
                d[y, x] = min(d[y, x], d[y - 1, x] + 1)
            if x > 0:
                d[y, x] = min(d[y, x], d[y, x - 1] + 1)
    for y in range(H - 1, -1, -1):
        for x in range(W - 1, -1, -1):
            if y < H - 1:
                d[y, x] = min(d[y, x], d[y + 1, x] + 1)
            if x < W - 1:
                d[y, x] = min(d[y, x], d[y, x + 1] + 1)
    return d


def neighbours(y, x, img):
    return [
        img[y - 1, x],
        img[y - 1, x + 1],
        img[y, x + 1],
        img[y + 1, x + 1],
        img[y + 1, x],
        img[y + 1, x - 1],
        img[y, x - 1],
        img[y - 1, x - 1],
    ]


def transitions(n):
    n = n + n[0:1]
    return sum((n1, n2) == (0, 1) for n1, n2 in zip(n, n[1:]))


def skeleton(image):
    thinned = image.astype(int)
    changing1 = changing2 = [(-1, -1)]
    while changing1 or changing2:
        changing1 = []
        for y in range(1, len(thinned) - 1):
            for x in range(1, len(thinned[0]) - 1):
                P2, P3, P4, P5, P6, P7, P8, P9 = n = neighbours(y, x, thinned)
                if (
                    thinned[y, x] == 1
                    and P4 * P6 * P8 == 0
                    and P2 * P4 * P6 == 0
                    and transitions(n) == 1
                    and 2 <= sum(n) <= 6
                ):
                    changing1.append((y, x))
        for y, x in changing1:
            thinned[y, x] = 0
        changing2 = []
        for y in range(1, len(thinned) - 1):
            for x in range(1, len(thinned[0]) - 1):
                P2, P3, P4, P5, P6, P7, P8, P9 = n = neighbours(y, x, thinned)
                if (
                    thinned[y, x] == 1
                    and P2 * P6 * P8 == 0
                    and P2 * P4 * P8 == 0
                    and transitions(n) == 1
                    and 2 <= sum(n) <= 6
                ):
                    changing2.append((y, x))
        for y, x in changing2:
            thinned[y, x] = 0
    return thinned


def program(img):
    opened = dilate(erode(img))
    return opened, distance_transform(img), skeleton(dilate(opened))


def arguments(size):
    n = 2 * size + 5
    y, x = np.mgrid[:n, :n]
    return ((np.abs(y - x) < 4) | (np.random.default_rng(4).random((n, n)) < 0.1),)
