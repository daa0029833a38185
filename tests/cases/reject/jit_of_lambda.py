"""A lambda that is passed to `jit`."""

import staticpy


run = staticpy.jit(lambda x: [(yield x)])  # error: SPY202
