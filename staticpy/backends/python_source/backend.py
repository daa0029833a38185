"""The python_source backend: structured, readable NumPy source, printed and executed.

In: an optimized Module. Out: an Executable whose source is what runs. The road through this
package:

    kept_tapes   lists of a gradient that keep their memory from call to call
    folding      conversions that NumPy makes by itself are taken back
    flow         what is needed, where each block hands its values
    nesting      which values are written inside the expression that reads them
    statements   lines, copies, branches and loops
    exits        early returns out of loops
    interference, naming    which values share a variable, and its name
    lifetimes    arrays that are let go early
    expressions, emitter    the syntax tree
    chains, parts, in_blocks  elementwise operations that large arrays are taken through in blocks
    timed        how long statements take
    printer      its text, checked to parse back to the same tree
    outline      what is nested too deep for Python becomes functions of its own
"""

from __future__ import annotations

import ast
import itertools
import linecache
import types
import weakref
from collections.abc import Iterable, Iterator, Mapping

from staticpy.backends.base import Executable
from staticpy.backends.options import Options
from staticpy.backends.python_source.emitter import Emitter
from staticpy.backends.python_source.exits import Exits, drop_dead
from staticpy.backends.python_source.expressions import Writer
from staticpy.backends.python_source.flow import Flow
from staticpy.backends.python_source.folding import Folding
from staticpy.backends.python_source.interference import Interference
from staticpy.backends.python_source.kept_tapes import with_kept_tapes
from staticpy.backends.python_source.lifetimes import let_go
from staticpy.backends.python_source.literals import Globals
from staticpy.backends.python_source.naming import Naming, identifier
from staticpy.backends.python_source.nesting import Nesting
from staticpy.backends.python_source.outline import is_hopeless, outlined
from staticpy.backends.python_source.printer import TooDeepError, print_tree
from staticpy.backends.python_source.statements import StatementBuilder
from staticpy.backends.python_source.timed import Timer
from staticpy.ir import Function, Module, walk
from staticpy.ops import call
from staticpy.passes import MemoryPlan, functions_with_raising_warnings, plan_memory
from staticpy.source import SourceSpan, run_deep

_BLOCKS = ("body", "orelse", "handlers", "finalbody")
_OPTIONS = Options("python_source")
_SERIAL = itertools.count(1)


class PythonSource:
    """The backend ``python_source``."""

    name = "python_source"

    def __init__(self, options: Options = _OPTIONS) -> None:
        self._options = options

    def with_options(self, options: Options) -> PythonSource:
        """The same with these options."""
        return PythonSource(options)

    def compile(self, module: Module) -> Executable:
        """Compile ``module``, which is not changed.

        Raises:
            DiagnosticError: INTERNAL_ERROR, if the printed source doesn't read back.
        """
        try:
            return self._compiled(module)
        except RecursionError:
            pass  # and no longer hold all frames of the deep recursion
        return run_deep(lambda: self._compiled(module))

    def _compiled(self, module: Module) -> Executable:
        is_timed = self._options.is_timed
        if is_hopeless(module):
            return _compile_as_it_is(outlined(module), is_timed=is_timed)
        try:
            return _compile_as_it_is(module, is_timed=is_timed)
        except TooDeepError:
            return _compile_as_it_is(outlined(module), is_timed=is_timed)


def _compile_as_it_is(module: Module, *, is_timed: bool) -> Executable:
    module = with_kept_tapes(module)
    names = _function_names(module)
    globals_ = Globals(names.values())
    writer = Writer(globals_, names)
    plans = {name: plan_memory(module.functions[name]) for name in names}
    raising = functions_with_raising_warnings(module)
    spans: dict[ast.stmt, SourceSpan] = {}
    definitions: list[ast.stmt] = []
    for name in reversed(names):
        function = module.functions[name]
        folding = Folding(function, warnings_raise_here=name in raising)
        definitions.append(emit_function(function, folding, writer, plans[name], spans))
    tree = ast.Module([*globals_.definitions, *definitions], [])
    source, parsed = print_tree(tree)
    filename = f"<staticpy {names[module.entry]} #{next(_SERIAL)}>"
    lines = dict(_lines(tree, parsed, spans))
    timings, values = None, globals_.values
    if is_timed:
        timings, found = Timer(source, lines, names.values()).change(parsed)
        values = {**values, **found}
    run = _execute(source, parsed, filename, values, names[module.entry])
    return Executable(run, source, filename, lines, plans[module.entry], timings=timings)


def emit_function(
    function: Function,
    folding: Folding,
    writer: Writer,
    plan: MemoryPlan,
    spans: dict[ast.stmt, SourceSpan],
) -> ast.FunctionDef:
    """The definition of one function; ``spans`` gets the place of each of its statements."""
    flow = Flow(function, folding)
    nesting = Nesting(function, flow, plan, writer)
    statements = StatementBuilder(flow, nesting).block(function.block)
    Exits(nesting).thread(statements)
    drop_dead(statements, nesting)
    interference = Interference(flow, nesting, list(function.args))
    interference.build(statements)
    taken = {*writer.globals.values, *writer.callees.values()}
    naming = Naming(statements, interference, nesting, plan, taken)
    let_go(statements, interference, naming, plan)
    emitter = Emitter(writer, nesting, interference, naming, plan)
    definition = emitter.function(writer.callees[function.name], function.args, statements)
    spans.update(emitter.spans)
    return definition


def _function_names(module: Module) -> dict[str, str]:
    """The functions that the entry calls, directly or not, the entry first, by their Python
    names.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    pending = [module.entry]
    while pending:
        name = pending.pop()
        if name in names:
            continue
        wanted = identifier(name.rpartition(".")[2]) or "main"
        unique = (f"{wanted}_{i}" if i else wanted for i in itertools.count())
        names[name] = next(each for each in unique if each not in taken)
        taken.add(names[name])
        pending += _callees(module.functions[name])
    return names


def _callees(function: Function) -> Iterable[str]:
    return [operation.attrs["callee"] for operation in walk(function.block) if operation.op is call]


def _execute(
    source: str, tree: ast.Module, filename: str, values: Mapping[str, object], name: str
) -> types.FunctionType:
    """Define what ``source`` defines, and let tracebacks and debuggers find its text."""
    namespace = {"__name__": "staticpy", **values}
    try:
        code = compile(tree, filename, "exec")
    except SyntaxError as error:  # too many statically nested blocks
        raise TooDeepError from error
    exec(code, namespace)
    function = namespace[name]
    assert isinstance(function, types.FunctionType)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    weakref.finalize(function, linecache.cache.pop, filename, None).atexit = False
    return function


def _lines(
    tree: ast.Module, parsed: ast.Module, spans: dict[ast.stmt, SourceSpan]
) -> Iterable[tuple[int, SourceSpan]]:
    """The place of each line: the two trees are alike, and one of them knows the lines."""
    for made, read in zip(_statements(tree), _statements(parsed), strict=True):
        if made in spans:
            yield read.lineno, spans[made]


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Every statement of a tree; none is in an expression."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt):
            yield node
        for field in _BLOCKS:
            pending += getattr(node, field, ())
