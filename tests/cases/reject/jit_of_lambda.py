"""A lambda that is passed to `jit`."""

import staticpy


run = staticpy.jit(lambda x: [y for y in x])  # error: SPY204
