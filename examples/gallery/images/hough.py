"""Lines by the Hough transform: vote, suppress what is not a maximum, list the peaks.

Source: Duda and Hart, "Use of the Hough transformation to detect lines and curves in pictures",
1972.
"""

import numpy as np


def hough_line(img):
    thetas = np.deg2rad(np.arange(-90.0, 90.0, 15.0))
    width, height = img.shape
    diag_len = int(round(np.sqrt(width * width + height * height)))
    cos_t, sin_t = np.cos(thetas), np.sin(thetas)
    accumulator = np.zeros((2 * diag_len + 1, len(thetas)), dtype=np.uint64)
    y_idxs, x_idxs = np.nonzero(img)
    for i in range(len(x_idxs)):
        x, y = x_idxs[i], y_idxs[i]
        for t_idx in range(len(thetas)):
            rho = int(round(x * cos_t[t_idx] + y * sin_t[t_idx])) + diag_len
            accumulator[rho, t_idx] += 1
    return accumulator, thetas, diag_len


def program(img, count=3):
    acc, thetas, offset = hough_line(img)
    peaks = []
    votes = acc.copy()
    while len(peaks) < count:
        rho, t = np.unravel_index(votes.argmax(), votes.shape)
        if votes[rho, t] < 2:
            break
        peaks.append((float(thetas[t]), int(rho) - offset, int(votes[rho, t])))
        votes[max(rho - 1, 0) : rho + 2, max(t - 1, 0) : t + 2] = 0
    return acc, peaks


def arguments(size):
    n = size + 4
    img = np.eye(n, dtype=np.uint8)
    img[n // 2] = 1
    return (img,)
