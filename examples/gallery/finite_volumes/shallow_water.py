"""The shallow water equations over two dimensions: fluxes of Rusanov, walls around, dry cells.

Source: Toro, "Shock-Capturing Methods for Free-Surface Shallow Flows", chapters 8 and 10.
"""

import numpy as np

g = 9.81
DRY = 1e-6


def physical_flux(q, axis):
    h = q[0]
    u = np.where(h > DRY, q[1 + axis] / np.maximum(h, DRY), 0.0)
    f = q * u
    f[1 + axis] += 0.5 * g * h**2
    return f, np.abs(u) + np.sqrt(g * h)


def rusanov(q, axis):
    """Fluxes between neighbours along an axis, and the greatest speed."""
    f, speed = physical_flux(q, axis)
    n = q.shape[axis + 1]
    left = [slice(None)] * 3
    right = [slice(None)] * 3
    left[axis + 1] = slice(0, n - 1)
    right[axis + 1] = slice(1, n)
    left, right = tuple(left), tuple(right)
    s = np.maximum(speed[left[1:]], speed[right[1:]])
    return 0.5 * (f[left] + f[right]) - 0.5 * s * (q[right] - q[left]), speed.max()


def fill_ghosts(q):
    for axis in (0, 1):
        ghost = np.moveaxis(q, axis + 1, 1)
        ghost[:, 0] = ghost[:, 1]
        ghost[:, -1] = ghost[:, -2]
        ghost[1 + axis, 0] *= -1
        ghost[1 + axis, -1] *= -1


def program(h, dx, t_end):
    ny, nx = h.shape
    q = np.zeros((3, ny + 2, nx + 2))
    q[0, 1:-1, 1:-1] = h
    t, gauges = 0.0, []
    while True:
        fill_ghosts(q)
        fy, sy = rusanov(q, 0)
        fx, sx = rusanov(q, 1)
        dt = 0.4 * dx / max(sx, sy)
        if t + dt >= t_end:
            break
        q[:, 1:-1, 1:-1] -= (
            dt / dx * (fy[:, 1:, 1:-1] - fy[:, :-1, 1:-1] + fx[:, 1:-1, 1:] - fx[:, 1:-1, :-1])
        )
        t += dt
        gauges.append((t, q[0, ny // 2, nx // 2]))
    return q[:, 1:-1, 1:-1], gauges


def arguments(size):
    y, x = np.mgrid[: size + 2, : size + 3] / (size + 2)
    return 1.0 + 0.5 * np.exp(-20 * ((x - 0.5) ** 2 + (y - 0.4) ** 2)), 1 / (size + 2), 0.2
