"""Assignment to an attribute."""

import staticpy


class Counter:
    @staticpy.jit
    def step(self, x):
        self.count = x  # error: SPY116
        return x
