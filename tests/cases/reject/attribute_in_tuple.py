"""Attributes in a tuple of targets."""

import staticpy


class Counter:
    @staticpy.jit
    def step(self, x):
        (a, [self.b, self.c]) = x  # error: SPY116, SPY116
        return a
