"""SPY9xx: what is wrong on staticpy's own side of the line, or in the IR that an embedder made."""

from staticpy.diagnostics.spec import DiagnosticSpec

INVALID_IR = DiagnosticSpec(
    code="SPY901",
    slug="invalid-ir",
    message="the graph is not valid: {detail}",
    help="if you build or change graphs yourself, look at the last pass that ran; "
    "otherwise this is a bug of staticpy: please report it with the function",
    explanation="""\
The verifier checks every graph that a stage hands to the next: each value is defined before it is
used, operands and results have the types that the operation's rule gives, and each block ends in
one terminator. This one doesn't hold.

Passes and frontends of your own are checked by the same rules: call `verify` after each of them.
""",
    bad="""\
from staticpy.ir import parse_module, verify
from staticpy.ops import REGISTRY

TEXT = '''
module @f {
  func @f(%x: f64[n]) -> f32[n] {
    %y = negative %x : f32[n]
    return %y
  }
}
'''

verify(parse_module(TEXT, REGISTRY))
""",
    good="""\
from staticpy.ir import parse_module, verify
from staticpy.ops import REGISTRY

TEXT = '''
module @f {
  func @f(%x: f64[n]) -> f64[n] {
    %y = negative %x : f64[n]
    return %y
  }
}
'''

verify(parse_module(TEXT, REGISTRY))
""",
)

INTERNAL_ERROR = DiagnosticSpec(
    code="SPY902",
    slug="internal-error",
    message="staticpy failed on this code: {detail}",
    help="this is a bug of staticpy, not of your program: please report it with the function",
    explanation="""\
An exception that no stage expected: a bug of staticpy, or of a pass or backend that was added to
it. For `staticpy check`, the rest of the files are still checked, and the command ends
with exit code 3. The report that helps most is the shortest function that still shows it, with
the line that this diagnostic names, and the output of `staticpy version`.
""",
    bad="""\
import numpy as np
import staticpy
from staticpy.backends import get_backend, register_backend


class Unfinished:
    name = "unfinished"

    def compile(self, module):
        return get_backend("python_source").compile(module.main_function)


register_backend(Unfinished())


@staticpy.jit(backend="unfinished")
def f(x):
    return np.sin(x)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy
from staticpy.backends import get_backend, register_backend


class Unfinished:
    name = "unfinished"

    def compile(self, module):
        return get_backend("python_source").compile(module)


register_backend(Unfinished())


@staticpy.jit(backend="unfinished")
def f(x):
    return np.sin(x)


f(np.ones(3))
""",
)

UNSUPPORTED_BY_BACKEND = DiagnosticSpec(
    code="SPY903",
    slug="unsupported-by-backend",
    message="the backend '{backend}' cannot run {what}",
    help="compile with another backend, or rewrite this operation with others that it has",
    explanation="""\
The function is part of the language, but the backend that was asked for has no form of this
operation or type. A backend never falls back to Python by itself: it says so.
""",
    bad="""\
import numpy as np
import staticpy
from staticpy.backends import get_backend, register_backend, unsupported
from staticpy.ir import walk


class NoSine:
    name = "no-sine"

    def compile(self, module):
        for operation in walk(module.main.block):
            if operation.name == "sin":
                raise unsupported(self.name, "'sin'", operation.span)
        return get_backend("python_source").compile(module)


register_backend(NoSine())


@staticpy.jit(backend="no-sine")
def f(x):
    return np.sin(x)


f(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy
from staticpy.backends import get_backend, register_backend, unsupported
from staticpy.ir import walk


class NoSine:
    name = "no-sine"

    def compile(self, module):
        for operation in walk(module.main.block):
            if operation.name == "sin":
                raise unsupported(self.name, "'sin'", operation.span)
        return get_backend("python_source").compile(module)


register_backend(NoSine())


@staticpy.jit(backend="no-sine")
def f(x):
    return np.cos(x)


f(np.ones(3))
""",
)

IR_SYNTAX_ERROR = DiagnosticSpec(
    code="SPY904",
    slug="ir-syntax-error",
    message="this is not the text of a graph: {detail}",
    help="compare with the text that printing a graph gives",
    explanation="""\
The text form of a graph can be read back; this text cannot. The position is the first place where
the parser could not go on.
""",
    bad="""\
from staticpy.ir import parse_module, verify
from staticpy.ops import REGISTRY

TEXT = '''
module @f {
  func @f(%x: f64[n]) -> f64[n] {
    %y = negative(%x)
    return %y
  }
}
'''

verify(parse_module(TEXT, REGISTRY))
""",
    good="""\
from staticpy.ir import parse_module, verify
from staticpy.ops import REGISTRY

TEXT = '''
module @f {
  func @f(%x: f64[n]) -> f64[n] {
    %y = negative %x : f64[n]
    return %y
  }
}
'''

verify(parse_module(TEXT, REGISTRY))
""",
)
