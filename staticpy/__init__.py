"""staticpy: plain NumPy functions as compiled graphs that do exactly what Python would have done.

In: ``import staticpy``. Out: the names below, each of which loads its part of the package when it
is first used, so that the command line starts without NumPy and an embedder of the frontend loads
no backend.
"""

from __future__ import annotations

import importlib

# "python -m staticpy" runs this file while the folder that is checked is still on sys.path, and a
# typing.py there must not be run: no import here may reach beyond what Python itself has loaded.
TYPE_CHECKING = False

if TYPE_CHECKING:
    # A type checker takes f64[np.ndarray, "n 3"] for an annotated ndarray.
    from typing import Annotated as b1
    from typing import Annotated as c64
    from typing import Annotated as c128
    from typing import Annotated as f16
    from typing import Annotated as f32
    from typing import Annotated as f64
    from typing import Annotated as i8
    from typing import Annotated as i16
    from typing import Annotated as i32
    from typing import Annotated as i64
    from typing import Annotated as u8
    from typing import Annotated as u16
    from typing import Annotated as u32
    from typing import Annotated as u64
    from typing import Any

    from numpy import (
        complex64,
        complex128,
        float16,
        float32,
        float64,
        int32,
        int64,
        ones_like,
        zeros_like,
    )

    from staticpy import nn, optim, xp
    from staticpy.backends.threads import get_num_threads, set_num_threads
    from staticpy.check import check_source
    from staticpy.diagnostics import CompileError
    from staticpy.nn import Parameter, set_seed
    from staticpy.ops import checkpoint_policies
    from staticpy.runtime import (
        GRAPH_MODE,
        PYNATIVE_MODE,
        Function,
        GradientTape,
        RecompilationWarning,
        Tensor,
        checkpoint,
        checkpoint_name,
        custom_jvp,
        custom_vjp,
        disable_jit,
        explain,
        get_context,
        grad,
        hessian,
        hvp,
        jacfwd,
        jacrev,
        jit,
        jvp,
        linearize,
        no_grad,
        profile,
        set_context,
        stop_gradient,
        value_and_grad,
        vjp,
        vmap,
    )

__version__ = "0.1.0"

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "CompileError",
    "Function",
    "GradientTape",
    "Parameter",
    "RecompilationWarning",
    "Tensor",
    "__version__",
    "b1",
    "c64",
    "c128",
    "check_source",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "complex64",
    "complex128",
    "custom_jvp",
    "custom_vjp",
    "disable_jit",
    "explain",
    "f16",
    "f32",
    "f64",
    "float16",
    "float32",
    "float64",
    "get_context",
    "get_num_threads",
    "grad",
    "hessian",
    "hvp",
    "i8",
    "i16",
    "i32",
    "i64",
    "int32",
    "int64",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "linearize",
    "nn",
    "no_grad",
    "ones_like",
    "optim",
    "profile",
    "set_context",
    "set_num_threads",
    "set_seed",
    "stop_gradient",
    "u8",
    "u16",
    "u32",
    "u64",
    "value_and_grad",
    "vjp",
    "vmap",
    "xp",
    "zeros_like",
]

_ANNOTATIONS = frozenset(name for name in __all__ if name[1:].isdecimal())
_MODULES = {
    "nn": "staticpy.nn",
    "optim": "staticpy.optim",
    "xp": "staticpy.xp",
    "checkpoint_policies": "staticpy.ops.checkpoint_policies",
}
_OF_NUMPY = (
    "complex64",
    "complex128",
    "float16",
    "float32",
    "float64",
    "int32",
    "int64",
    "ones_like",
    "zeros_like",
)
_HOME = dict.fromkeys(__all__, "staticpy.runtime") | {
    **dict.fromkeys(_OF_NUMPY, "numpy"),
    "CompileError": "staticpy.diagnostics",
    "check_source": "staticpy.check",
    "get_num_threads": "staticpy.backends.threads",
    "set_num_threads": "staticpy.backends.threads",
    "Parameter": "staticpy.nn",
    "set_seed": "staticpy.nn",
}


def __getattr__(name: str) -> Any:
    if name in _ANNOTATIONS:
        value = importlib.import_module("staticpy.frontend").ArrayAnnotation(name)
    elif name in _MODULES:
        value = importlib.import_module(_MODULES[name])
    elif name in _HOME:
        value = getattr(importlib.import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'staticpy' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
