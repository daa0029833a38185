"""SPY6xx, more of them: sizes that don't fit."""

from staticpy.diagnostics.spec import DiagnosticSpec

FIT_STRETCHED = (
    "look at the sizes from the right: each pair must be equal, or one of the two 1; add a "
    "dimension with 'x[:, None]' or turn one over with '.T'"
)
FIT_JOINED = "make all sizes equal but those of the axis along which they are joined"
FIT_MULTIPLIED = (
    "the {axis} size of the first, {left}, and the {other} size of the second, {right}, must be "
    "equal; turn one over with '.T', or give one of them other sizes"
)

SHAPE_MISMATCH = DiagnosticSpec(
    code="SPY606",
    slug="shape-mismatch",
    message="the sizes of {types} don't fit",
    help="{way_out}",
    explanation="""\
Sizes that are part of the program, or that were deduced from it, never fit here: NumPy would
raise `ValueError` at this line for every call.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x + np.zeros(2) + np.zeros(3)


f(np.ones(1))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x + np.zeros(3) + np.zeros(3)


f(np.ones(1))
""",
)
