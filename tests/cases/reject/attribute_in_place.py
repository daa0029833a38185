"""An attribute changed in place."""

import staticpy


class Counter:
    @staticpy.jit
    def step(self, x):
        self.count += 1  # error: SPY116
        return x
