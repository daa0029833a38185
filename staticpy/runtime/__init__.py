"""The runtime: what happens when a jitted function is called.

In: the user's function and the arguments of a call. Out: what Python would have returned, computed
by compiled code. The top of the road; only ``staticpy`` itself and the command line stand above it.
"""

from staticpy.autodiff import GradientTape, Tensor, no_grad
from staticpy.runtime.custom import (
    checkpoint,
    checkpoint_name,
    custom_jvp,
    custom_vjp,
    stop_gradient,
)
from staticpy.runtime.decorator import jit
from staticpy.runtime.expansion import derive, transform
from staticpy.runtime.explanation import explain
from staticpy.runtime.forward_jacobians import jacfwd
from staticpy.runtime.forward_transforms import hvp, jvp
from staticpy.runtime.functions import Function
from staticpy.runtime.jacobians import hessian, jacrev
from staticpy.runtime.jitted import JittedFunction, JittedMethod, RecompilationWarning
from staticpy.runtime.linearization import linearize
from staticpy.runtime.mode import (
    GRAPH_MODE,
    PYNATIVE_MODE,
    Mode,
    disable_jit,
    get_context,
    is_jit_disabled,
    set_context,
)
from staticpy.runtime.profiling import FunctionTime, KernelTime, Profile, profile
from staticpy.runtime.pullbacks import vjp
from staticpy.runtime.stages import Compiled, Lowered
from staticpy.runtime.transforms import grad, value_and_grad
from staticpy.runtime.vectorize import vmap

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "Compiled",
    "Function",
    "FunctionTime",
    "GradientTape",
    "JittedFunction",
    "JittedMethod",
    "KernelTime",
    "Lowered",
    "Mode",
    "Profile",
    "RecompilationWarning",
    "Tensor",
    "checkpoint",
    "checkpoint_name",
    "custom_jvp",
    "custom_vjp",
    "derive",
    "disable_jit",
    "explain",
    "get_context",
    "grad",
    "hessian",
    "hvp",
    "is_jit_disabled",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "linearize",
    "no_grad",
    "profile",
    "set_context",
    "stop_gradient",
    "transform",
    "value_and_grad",
    "vjp",
    "vmap",
]
