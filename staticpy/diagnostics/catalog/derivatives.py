"""SPY70x: what has no derivative."""

from staticpy.diagnostics.spec import DiagnosticSpec

NO_DERIVATIVE = DiagnosticSpec(
    code="SPY701",
    slug="no-derivative",
    message="the gradient reaches {what}, which has no derivative{why}",
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


GRADIENT_OF_RESULT = DiagnosticSpec(
    code="SPY702",
    slug="gradient-of-result",
    message="a gradient is taken of one real number, and this function returns {what}",
    help="return a float, as by .sum() or .mean(); with has_aux=True, a pair of it and the rest",
    explanation="""\
The gradient says how one real number, a loss, changes with each of the arguments. Of a function
with several results, take it of each, or of their sum.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
@staticpy.grad
def f(x):
    return np.sin(x)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
@staticpy.grad
def f(x):
    return np.sin(x).sum()


f(np.ones(3))
""",
)


GRADIENT_OF_ARGUMENT = DiagnosticSpec(
    code="SPY703",
    slug="gradient-of-argument",
    message="argument {number} holds {type}, which has no gradient",
    help="pass floats, or name other arguments by argnums or argnames; of vjp, let a lambda hold "
    "what is none",
    explanation="""\
A gradient belongs to real or complex numbers, and to arrays, tuples, lists, dicts and dataclasses
of them. An int does not change by a little, and neither do texts and flags; with allow_int=True
ints are let in, with zeros for their gradient.
""",
    bad="""\
import staticpy


@staticpy.jit
@staticpy.grad
def f(x):
    return x * 0.5


f(2)
""",
    good="""\
import staticpy


@staticpy.jit
@staticpy.grad
def f(x):
    return x * 0.5


f(2.0)
""",
)


NO_TANGENT = DiagnosticSpec(
    code="SPY704",
    slug="no-tangent",
    message="forward mode has no tangent to give: {why}",
    help="let the function return numbers and arrays, in tuples, lists and dicts; with "
    "has_aux=True, a pair of these and the rest",
    explanation="""\
Forward mode gives a tangent for each number and array that a function returns: how much it changes
with the primals. Of anything else there is none, nor of a number that is an int on some paths only.
""",
    bad="""\
import staticpy


@staticpy.jit
def f(x):
    return staticpy.jvp(lambda y: {"y": y * y, "name": "square"}, (x,), (1.0,))[1]


f(2.0)
""",
    good="""\
import staticpy


@staticpy.jit
def f(x):
    return staticpy.jvp(lambda y: {"y": y * y}, (x,), (1.0,))[1]


f(2.0)
""",
)


NOT_VECTORIZED = DiagnosticSpec(
    code="SPY705",
    slug="not-vectorized",
    message="vmap can't run this function for all examples: {what}",
    help="let the function only compute its result from its arguments, and return numbers and "
    "arrays, or tuples, lists and dicts of them; or write the loop over the examples",
    explanation="""\
vmap calls a function once for each example along an axis and stacks the results. The results must
be such that NumPy makes an array of them, and the calls must not depend on each other: a variable
or a list around the function that one call changes is what the next one would read.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return staticpy.vmap(lambda row: str(row))(x)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return staticpy.vmap(lambda row: row * 2)(x)


f(np.ones(3))
""",
)


NO_PULLBACK = DiagnosticSpec(
    code="SPY706",
    slug="no-pullback",
    message="vjp or linearize of this function is refused: {why}",
    help="use value_and_grad or jvp (for a Hessian jacfwd of grad), which run the function once, "
    "or compute this outside of it and pass it as an argument",
    explanation="""\
What vjp and linearize give may have to run the compiled function once more, since what it needs of
the first run is no longer there. So nothing may tell that it is run again: it prints nothing,
writes only to arrays and lists that it has made, and reads no list, dict or object that is written
to before the way back is over. Its result holds numbers and arrays, and None.
""",
    bad="""\
import staticpy


@staticpy.jit
def f(x):
    def g(y):
        print("g")
        return y * y

    out, back = staticpy.vjp(g, x)
    return back(out)


f(2.0)
""",
    good="""\
import staticpy


@staticpy.jit
def f(x):
    def g(y):
        return y * y

    out, back = staticpy.vjp(g, x)
    print("g")
    return back(out)


f(2.0)
""",
)


CUSTOM_RULE = DiagnosticSpec(
    code="SPY707",
    slug="custom-rule",
    message="{why}",
    help="{way_out}",
    explanation="""\
A function with a rule of its own is differentiated by that rule alone. So the rule must be one:
`fwd(*args)` gives a pair of the result and anything that `bwd(residuals, cotangent)` needs, and
`bwd` gives a tuple of cotangents, one for each argument that isn't named in `nondiff_argnums`, with
the structure and shapes of that argument (None for zero). A rule for tangents,
`jvp(primals, tangents)`, gives a pair of the result and its tangent. Nothing may get round a rule:
numbers that are differentiated by are arguments, not variables from around, and the rule changes no
memory of others. What is in `checkpoint` runs twice, so it prints nothing and changes nothing of
others.
""",
    bad="""\
import staticpy


@staticpy.custom_vjp
def cube(x):
    return x**3


cube.defvjp(lambda x: (x**3, x), lambda x, g: 3 * x * x * g)


@staticpy.jit
@staticpy.grad
def f(x):
    return cube(x)


f(0.5)
""",
    good="""\
import staticpy


@staticpy.custom_vjp
def cube(x):
    return x**3


cube.defvjp(lambda x: (x**3, x), lambda x, g: (3 * x * x * g,))


@staticpy.jit
@staticpy.grad
def f(x):
    return cube(x)


f(0.5)
""",
)


SAVED_VALUE_CHANGED = DiagnosticSpec(
    code="SPY708",
    slug="saved-value-changed",
    message="this changes in place what {what} reads later",
    help="make a new array, 't = t + 1' for 't += 1', or write to a copy; or compile the function "
    "with @staticpy.jit",
    explanation="""\
The gradient goes back through the operations that were recorded of Tensors, and reads what they
have read or computed. This write has replaced it since, so the gradient would be wrong. A compiled
function has no such limit: there, what a gradient reads is copied before it is written to.
""",
    bad="""\
import numpy as np
import staticpy

x = staticpy.Tensor(np.ones(3), requires_grad=True)
y = np.exp(x)
y += 1.0
y.sum().backward()
""",
    good="""\
import numpy as np
import staticpy

x = staticpy.Tensor(np.ones(3), requires_grad=True)
y = np.exp(x)
y = y + 1.0
y.sum().backward()
""",
)


NO_RULE = DiagnosticSpec(
    code="SPY709",
    slug="no-rule",
    message="the gradient reaches a call of '{name}', for whose derivative there is no rule",
    help="compute it by functions that have one (the reference of operations says which), or give "
    "it one of your own: staticpy.custom_vjp",
    explanation="""\
Some functions of NumPy are called as they are, and for some of these staticpy has no rule by which
a gradient goes through. The function may well have a derivative; who knows it can give it. That of
`as_strided` is known where nothing is written to the array, or to one that may share its memory.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
@staticpy.grad
def f(x, out):
    out[0] = 1.0
    return np.lib.stride_tricks.as_strided(x, (2, 2), (8, 8)).sum()


f(np.ones(3), np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
@staticpy.grad
def f(x, out):
    out[0] = 1.0
    return np.lib.stride_tricks.sliding_window_view(x, 2).sum()


f(np.ones(3), np.ones(3))
""",
)
