"""SPY70x: what has no derivative."""

from staticpy.diagnostics.spec import DiagnosticSpec

NO_DERIVATIVE = DiagnosticSpec(
    code="SPY701",
    slug="no-derivative",
    message="the gradient reaches '{name}', which has no derivative{why}",
    help="compute this value outside of what is differentiated, or pass it as an argument that the "
    "gradient is not taken of",
    explanation="""\
A gradient goes backwards from the result through every operation that the result was computed by.
This operation is among them, and staticpy knows no derivative of it.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
@staticpy.grad
def f(x):
    return np.nextafter(x, 1.0)


f(0.5)
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
@staticpy.grad
def f(x):
    return np.sin(x)


f(0.5)
""",
)
