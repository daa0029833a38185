"""A method, with text that is not ASCII before the error."""

import staticpy


class Größe:
    """Eine Größe."""

    @staticpy.jit
    def höhe(self, x):
        é = "größer"; y = (yield x)  # error: SPY202
        return x
