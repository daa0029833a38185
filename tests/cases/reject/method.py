"""A method, with text that is not ASCII before the error."""

import staticpy


class Größe:
    """Eine Größe."""

    @staticpy.jit
    def höhe(self, x):
        é = "größer"; x[0] = 1.0  # error: SPY115
        return x
