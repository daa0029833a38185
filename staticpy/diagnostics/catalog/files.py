"""SPY0xx: files that can't be read, text that is not Python, functions without source.

The examples of files that can't be read are programs that write such a file; the command under
them, ``# $ staticpy check …``, is what finds it.
"""

from staticpy.diagnostics.spec import DiagnosticSpec

SYNTAX_ERROR = DiagnosticSpec(
    code="SPY001",
    slug="syntax-error",
    message="this is not Python: {detail}",
    help="correct the line; nothing after it could be read",
    explanation="""\
Python itself can't read the file, so none of its functions could be checked. The text after the
colon is Python's own. Syntax that is newer than the Python that runs staticpy is an error too.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text("def f(x):\\n    return x +\\n")

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text("def f(x):\\n    return x + 1\\n")

# $ staticpy check model.py
""",
)

UNREADABLE_FILE = DiagnosticSpec(
    code="SPY002",
    slug="unreadable-file",
    message="the file cannot be read: {reason}",
    help="check its permissions and that it is a regular file, or leave it out",
    explanation="""\
The file was found, but reading it failed. Devices, pipes and sockets are never opened: reading
one could wait for ever.
""",
    bad="""\
from pathlib import Path

Path("models").mkdir()
Path("models", "model.py").symlink_to("missing.py")

# $ staticpy check models
""",
    good="""\
from pathlib import Path

Path("models").mkdir()
Path("models", "model.py").write_text("factor = 2.0\\n")

# $ staticpy check models
""",
)

BAD_ENCODING = DiagnosticSpec(
    code="SPY003",
    slug="bad-encoding",
    message="the text cannot be decoded: {detail}",
    help="save the file as UTF-8, or name its encoding in the first line: '# coding: latin-1'",
    explanation="""\
Python source is UTF-8 unless a comment in one of the first two lines names another encoding. Some
byte of the file is not text in that encoding, or the encoding is not known.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_bytes(b"name = 'caf\\xe9'\\n")

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_bytes(b"# coding: latin-1\\nname = 'caf\\xe9'\\n")

# $ staticpy check model.py
""",
)

NUL_BYTES = DiagnosticSpec(
    code="SPY004",
    slug="nul-bytes",
    message="the file holds a NUL byte",
    help="remove it; a file full of them is UTF-16 text (save it as UTF-8) or not text at all",
    explanation="""\
Python refuses source with NUL bytes. They come from files that are not text, from text saved as
UTF-16, and from disks that failed.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_bytes(b"factor = 2.0\\n\\x00\\n")

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_bytes(b"factor = 2.0\\n")

# $ staticpy check model.py
""",
)

FILE_TOO_LARGE = DiagnosticSpec(
    code="SPY005",
    slug="file-too-large",
    message="the file is larger than {limit}",
    help="keep data in data files, or leave the file out of the check",
    explanation="""\
A Python file of this size is generated data, and reading it would take minutes and gigabytes of
memory.
""",
    bad="""\
from pathlib import Path

Path("table.py").write_text("table = [\\n" + "    1.0,\\n" * 1_300_000 + "]\\n")

# $ staticpy check table.py
""",
    good="""\
from pathlib import Path

Path("table.py").write_text("table = [\\n" + "    1.0,\\n" * 13 + "]\\n")

# $ staticpy check table.py
""",
)

NESTING_TOO_DEEP = DiagnosticSpec(
    code="SPY006",
    slug="nesting-too-deep",
    message="the code is nested too deeply here",
    help="split the expression or the function into smaller ones",
    explanation="""\
Python's own parser gives up on code that is nested too deeply, and may end the whole process. The
nesting of brackets, blocks and operators is measured before anything is parsed.
""",
    bad="""\
from pathlib import Path

Path("model.py").write_text("x = " + "-" * 100_000 + "1\\n")

# $ staticpy check model.py
""",
    good="""\
from pathlib import Path

Path("model.py").write_text("x = " + "-" * 10 + "1\\n")

# $ staticpy check model.py
""",
)

NO_SOURCE = DiagnosticSpec(
    code="SPY007",
    slug="no-source",
    message="the source of '{name}' is not available",
    help="define the function in a file or a notebook cell; one made by 'exec' can be registered "
    "in 'linecache'",
    explanation="""\
A function is compiled from its source text. Code made by `exec` from a string, and code in an
interpreter that keeps no history, has none.
""",
    bad="""\
import numpy as np
import staticpy

namespace = {}
exec("def f(x): return x + 1", namespace)

staticpy.jit(namespace["f"])(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy


def f(x):
    return x + 1


staticpy.jit(f)(np.ones(3))
""",
)

SOURCE_CHANGED = DiagnosticSpec(
    code="SPY008",
    slug="source-changed",
    message="the source of '{name}' has changed since it was imported",
    help="import the module anew, or start Python again",
    explanation="""\
The text at the place where the function was defined is another one now: the file was edited after
it was imported. What was imported would run, but something else would be compiled.
""",
    bad="""\
import importlib
import sys
from pathlib import Path

import numpy as np
import staticpy

sys.path.insert(0, str(Path.cwd()))
Path("edited_model.py").write_text("def f(x):\\n    return x + 1\\n")
edited_model = importlib.import_module("edited_model")
Path("edited_model.py").write_text("# new\\ndef g(x):\\n    return x + 2\\n")

staticpy.jit(edited_model.f)(np.ones(3))
""",
    good="""\
import importlib
import sys
from pathlib import Path

import numpy as np
import staticpy

sys.path.insert(0, str(Path.cwd()))
Path("kept_model.py").write_text("def f(x):\\n    return x + 1\\n")
kept_model = importlib.import_module("kept_model")

staticpy.jit(kept_model.f)(np.ones(3))
""",
)

AMBIGUOUS_LAMBDA = DiagnosticSpec(
    code="SPY009",
    slug="ambiguous-lambda",
    message="there is more than one lambda here that this function could be",
    help="put each lambda on a line of its own, or use 'def'",
    explanation="""\
A lambda is found in the source by its position. Where Python kept no columns (it was started with
`-X no_debug_ranges`), two lambdas on one line that read variables of the function around them can't
be told apart.
""",
    bad="""\
import numpy as np
import staticpy


def without_columns(function):
    empty = b"".join(bytes([0b11101000 | (size - 1), 0]) for size in [8] * 20)
    code = function.__code__.replace(co_linetable=empty)
    return type(function)(code, globals(), closure=function.__closure__)


def make(n):
    return lambda x: x + n, lambda x: x - n


both = make(2.0)

staticpy.jit(without_columns(both[0]))(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy

def make(n):
    return lambda x: x + n, lambda x: x - n


both = make(2.0)

staticpy.jit(both[0])(np.ones(3))
""",
)

NOT_A_PYTHON_FUNCTION = DiagnosticSpec(
    code="SPY010",
    slug="not-a-python-function",
    message="{name} is not a function written in Python",
    help="wrap what can be called: 'def f(x): return {call}(x)'; of a property, compile the "
    "function: '@property' over '@staticpy.jit'",
    explanation="""\
Only functions, methods and lambdas written in Python have source that can be compiled. Builtins,
NumPy's functions, classes, and objects that can be called, such as those of `functools.partial`,
have not; they can be called from a function that is compiled.
""",
    bad="""\
import numpy as np
import staticpy

staticpy.jit(np.tanh)(np.ones(3))
""",
    good="""\
import numpy as np
import staticpy

staticpy.jit(lambda x: np.tanh(x))(np.ones(3))
""",
)
