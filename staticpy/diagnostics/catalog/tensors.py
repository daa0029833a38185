"""SPY710 to SPY713: what Tensors and Cells can't be used for."""

from __future__ import annotations

from staticpy.diagnostics.spec import DiagnosticSpec

TENSOR_AS_PLAIN = DiagnosticSpec(
    code="SPY710",
    slug="tensor-as-plain",
    message="a plain number or array is asked of a Tensor{by}: its derivative would be lost",
    help="use np.sin for math.sin, np.stack for np.array of several Tensors, and for 'a[i] = t' an "
    "'a' that is a Tensor, as np.zeros_like(t) and staticpy.Tensor(np.zeros(3)) are; or compile "
    "the function with @staticpy.jit; without its derivative, take t.item() for the number or "
    "t.detach().numpy() for the array",
    explanation="""\
Where a plain function is differentiated its arguments are Tensors, which record what NumPy does
with them. Python's own functions, items of ndarrays and what NumPy has written in Python for arrays
take plain numbers, of which no record is kept. A compiled function has no such limit.
""",
    bad="""\
import numpy as np
import staticpy


def f(x):
    y = np.zeros(3)
    y[0] = x[1]
    return y.sum()


staticpy.grad(f)(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


def f(x):
    y = np.zeros_like(x)
    y[0] = x[1]
    return y.sum()


staticpy.grad(f)(np.ones(3))
""",
)


CHANGED_ON_TAPE = DiagnosticSpec(
    code="SPY711",
    slug="changed-on-tape",
    message="{what} is changed in place, which is not recorded",
    help="make a new array, 'y = y + t' for 'y += t' and np.exp(t) for out=; or write to a Tensor, "
    "as np.zeros_like(t) and staticpy.Tensor(np.zeros(3)) are, by 'y[i] = t' or 'y += t'; or "
    "compile the function with @staticpy.jit",
    explanation="""\
Derivatives in plain Python go through what is recorded of Tensors: new arrays, and writes to
Tensors by an index, an operator, or a function as np.copyto. An ndarray keeps no record, and an
argument of the function is not written to. A compiled function has no such limit.
""",
    bad="""\
import numpy as np
import staticpy


def f(x):
    y = np.zeros(3)
    y += x
    return (y * y).sum()


staticpy.grad(f)(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


def f(x):
    y = np.zeros_like(x)
    y += x
    return (y * y).sum()


staticpy.grad(f)(np.ones(3))
""",
)


CLASS_OF_TENSOR = DiagnosticSpec(
    code="SPY712",
    slug="class-of-tensor",
    message="the class is asked of an array where Tensors are given to the function: in plain "
    "Python it may be a Tensor",
    help="ask before the call, or ask for the number of axes or the dtype: x.ndim, x.dtype",
    explanation="""\
A compiled function computes with the arrays that Tensors hold, and gives Tensors for what depends
on them. Which of its values those are is known when all is compiled, and the class is asked while
that is going on.
""",
    bad="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x * 2.0 if isinstance(x, np.ndarray) else x


f(staticpy.Tensor(np.ones(3)))
""",
    good="""\
import numpy as np
import staticpy


@staticpy.jit
def f(x):
    return x * 2.0 if x.ndim else x


f(staticpy.Tensor(np.ones(3)))
""",
)


BACKWARD_HOOK = DiagnosticSpec(
    code="SPY713",
    slug="backward-hook",
    message="a Cell with a backward hook, which is plain Python, is called in a compiled function",
    help="call .remove() of what register_backward_hook gave, or call the Cell in plain Python",
    explanation="""\
The way back of a compiled function is a graph of its own, which is compiled when somebody goes
back. There is no place in it where Python could call a hook, with the gradients that there are.
Around a compiled function hooks are called: those of Tensors that go into it or come out of it, and
in GRAPH_MODE those of the Cell that is called.
""",
    bad="""\
import numpy as np
import staticpy
from staticpy import nn

net = nn.Dense(2, 1)
net.register_backward_hook(lambda cell, grad_input, grad_output: print(grad_output))


@staticpy.jit
def f(x):
    return net(x)


f(np.ones((3, 2), np.float32))
""",
    good="""\
import numpy as np
import staticpy
from staticpy import nn

net = nn.Dense(2, 1)


@staticpy.jit
def f(x):
    return net(x)


y = f(np.ones((3, 2), np.float32))
y.register_hook(lambda gradient: print(gradient))
""",
)


HOLOMORPHIC = DiagnosticSpec(
    code="SPY714",
    slug="holomorphic",
    message="with holomorphic=True arguments and results are complex: {what}",
    help="pass complex numbers, as x.astype(complex) is, and return one; or leave out "
    "holomorphic=True, which functions of real numbers don't need",
    explanation="""\
A holomorphic function has a derivative by a complex number: in whichever direction that moves, the
result moves by the derivative times as much. So both are complex, and of `grad` and
`value_and_grad` the result is one number. Of other functions that give a real number, the gradient
by a complex one is what `grad` gives without `holomorphic=True`.
""",
    bad="""\
import staticpy


@staticpy.jit
def f(z):
    return z**2


staticpy.grad(f, holomorphic=True)(2.0)
""",
    good="""\
import staticpy


@staticpy.jit
def f(z):
    return z**2


staticpy.grad(f, holomorphic=True)(2.0 + 0j)
""",
)
