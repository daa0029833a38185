"""What ``vmap`` says where it is called wrongly, in plain Python and in compiled functions."""

from __future__ import annotations

SIZES = "vmap got inconsistent sizes for array axes to be mapped: {} and {}"
NO_SIZE = "vmap must have at least one non-None value in in_axes, or get axis_size"
NO_EXAMPLES = "need at least one array to stack"
IN_AXES = (
    "vmap in_axes must be an int, None, or a tuple, list or dict of these, "
    "a prefix of the arguments"
)
OUT_AXES = (
    "vmap out_axes must be an int, None, or a tuple, list or dict of these, a prefix of the result"
)
RANK = (
    "vmap was requested to map its argument along axis {axis}, which implies that its rank should "
    "be at least {least}, but is only {rank}"
)
CELL = (
    "vmap: a Cell has no axis of examples: pass it by position, with None in its place in in_axes"
)
OUT_RANK = "vmap out_axes is {axis}, but each result has {rank} axes"
OUT_NONE = "vmap has mapped output but out_axes is None"
STRUCTURE = "vmap: the results of the examples differ in their structure"
AXIS_SIZE = "vmap axis_size must be an int or None"


def least_rank(axis: int) -> int:
    """How many axes an array has at least that has this one."""
    return axis + 1 if axis >= 0 else -axis
