"""Maxwell's equations in two dimensions by finite differences in time (Yee's scheme).

Source: Yee, 1966; PolyBench/C 4.2, ``fdtd-2d``, with a class that keeps the fields.
"""

import numpy as np


class Fields:
    def __init__(self, nx, ny):
        self.ex = np.zeros((nx, ny))
        self.ey = np.zeros((nx, ny))
        self.hz = np.zeros((nx, ny))
        self.time = 0

    def drive(self, amplitude):
        self.ey[0, :] = amplitude

    def advance(self):
        self.ey[1:, :] -= 0.5 * (self.hz[1:, :] - self.hz[:-1, :])
        self.ex[:, 1:] -= 0.5 * (self.hz[:, 1:] - self.hz[:, :-1])
        self.hz[:-1, :-1] -= 0.7 * (
            self.ex[:-1, 1:] - self.ex[:-1, :-1] + self.ey[1:, :-1] - self.ey[:-1, :-1]
        )
        self.time += 1

    @property
    def energy(self):
        return 0.5 * float(np.sum(self.ex**2 + self.ey**2 + self.hz**2))


def program(nx, ny, source):
    fields = Fields(nx, ny)
    energies = []
    for amplitude in source:
        fields.drive(amplitude)
        fields.advance()
        energies.append(fields.energy)
    return fields.hz, fields.time, energies


def arguments(size):
    return size, size + 1, np.sin(0.4 * np.arange(size))
