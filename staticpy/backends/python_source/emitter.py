"""From statements to a Python syntax tree.

In: the statements of a function, with a name for each variable. Out: the tree of the function's
definition, and for each statement of the tree the place in the user's source that it stands for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from staticpy.backends.python_source.chains import Chain, split
from staticpy.backends.python_source.conditions import inverse, joined, negated
from staticpy.backends.python_source.ends import UNPACKING
from staticpy.backends.python_source.expressions import BINARY, Writer
from staticpy.backends.python_source.folding import Literal, Operand, constant_of
from staticpy.backends.python_source.interference import Interference
from staticpy.backends.python_source.lines import LINES, line_of
from staticpy.backends.python_source.literals import (
    call,
    function_definition,
    load,
    store,
)
from staticpy.backends.python_source.naming import Naming
from staticpy.backends.python_source.nesting import Nesting, written_target
from staticpy.backends.python_source.parts import Part
from staticpy.backends.python_source.statements import (
    Break,
    Copy,
    Delete,
    ErrState,
    For,
    Handler,
    If,
    Line,
    PathEnds,
    Raise,
    Return,
    Statement,
    Try,
    While,
    all_statements,
)
from staticpy.backends.python_source.tape_loops import through_tapes
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import BOOL, Operation, OpResult, Value
from staticpy.ops import REGISTRY, OpDef, constant, if_, not_, raise_, truth_op, tuple_items, undef
from staticpy.ops import call as call_op
from staticpy.passes import MemoryPlan
from staticpy.source import SourceSpan

Pair = tuple[str, ast.expr]

_DEEPEST = 12


_KEEPING = frozenset(
    (
        "py.eq",
        "object.cast",
        "object.construct",
        "set.make",
        "slice.make",
        "tuple.make",
        "list.make",
        "list.append",
        "list.insert",
        "list.insort_left",
        "list.insort_right",
        "list.heappush",
        "list.heappushpop",
        "list.heapreplace",
        "list.setitem",
        "dict.make",
        "dict.setitem",
        "object.call",
        "object.set_slot",
        "object.setattr",
    )
)


class Emitter:
    """Writes one function."""

    def __init__(
        self,
        writer: Writer,
        nesting: Nesting,
        interference: Interference,
        naming: Naming,
        plan: MemoryPlan,
    ) -> None:
        self._writer = writer
        self._interference = interference
        self._nesting = nesting
        self._naming = naming
        self._plan = plan
        self._ends = PathEnds()
        self._copied: set[str] = set()
        self._depth = 0
        self.spans: dict[ast.stmt, SourceSpan] = {}

    def function(
        self, name: str, args: Sequence[Value], statements: list[Statement]
    ) -> ast.FunctionDef:
        """The definition of the function."""
        self._copied = self._copied_names(statements)
        body = self.body(statements)
        return function_definition(name, [self._naming[value] for value in args], body)

    def body(self, statements: list[Statement], *, loops: bool = False) -> list[ast.stmt]:
        """The statements of a block; ``pass`` where there are none. With ``loops`` the block is
        the body of a loop, which goes on where the block ends.
        """
        return self._statements(statements, loops) or [ast.Pass()]

    def _statements(self, statements: list[Statement], loops: bool) -> list[ast.stmt]:
        nodes: list[ast.stmt] = []
        for statement in split(statements, self._nesting):
            if isinstance(statement, Chain):
                nodes += self._chain(statement)
            elif isinstance(statement, If):
                nodes += self._if(statement, loops and statement is statements[-1])
            else:
                nodes += self._statement(statement)
        return nodes

    def _statement(self, statement: Statement) -> list[ast.stmt]:
        match statement:
            case Line():
                return self._at(statement.operation.span, self._line(statement.operation))
            case Copy():
                return self._at(self._copy_span(statement), self._copy(statement))
            case Raise():
                node = ast.Raise() if statement.bare else self._raise(statement.operation)
                return self._at(statement.operation.span, [node])
            case Break():
                return self._at(statement.span, [ast.Break()])
            case Delete():
                return [ast.Delete([ast.Name(name, ast.Del()) for name in statement.names])]
            case Return():
                return self._return(statement)
            case If():
                return self._if(statement, False)
            case While():
                test = ast.Constant(True) if statement.test is None else self.test(statement.test)
                loop = ast.While(test, self.body(statement.body, loops=True), [])
                return self._at(self._span_of(statement.test, statement.span), [loop])
            case For():
                return self._at(statement.span, [self._for(statement)])
            case Try():
                return self._at(statement.span, [self._try(statement)])
            case ErrState():
                return self._at(statement.span, [self._errstate(statement)])

    def _chain(self, chain: Chain) -> list[ast.stmt]:
        """The call of a function of blocks, and the statements where that is not possible."""
        one_by_one = [node for each in chain.statements for node in self._statement(each)]
        part = Part(chain, self._nesting, self._naming, self._plan, self._is_live_after(chain))
        called = ast.Assign([store("_")], part.call(self._writer.globals, self.expression))
        is_undone = ast.Compare(load("_"), [ast.Is()], [ast.Constant(None)])
        results = assignments(part.results(load("_")))
        if part.made:
            results.append(ast.Delete([ast.Name("_", ast.Del())]))
        gone = part.gone()
        if gone:
            results.append(ast.Delete([ast.Name(name, ast.Del()) for name in gone]))
        span = chain.operations[0].span
        return self._at(span, [called, ast.If(is_undone, one_by_one, results)])

    def _is_live_after(self, chain: Chain) -> Callable[[Value], bool]:
        """Whether a value is read after the last operation of a chain."""
        known = self._interference
        last = next(each for each in reversed(chain.statements) if isinstance(each, Line))
        alive = known.live_after[last]
        return lambda value: value in known and bool(alive & known.bit(value))

    def _at(self, span: SourceSpan, nodes: list[ast.stmt]) -> list[ast.stmt]:
        for node in nodes:
            self.spans.setdefault(node, span)
        return nodes

    def _span_of(self, value: Operand | None, default: SourceSpan) -> SourceSpan:
        """The place of the operation that is nested where ``value`` is read."""
        if isinstance(value, OpResult) and value in self._nesting.nested:
            return value.owner.span
        return default

    # --- expressions ------------------------------------------------------------------------------

    def expression(self, operand: Operand) -> ast.expr:
        """The expression that reads ``operand``."""
        if isinstance(operand, Literal):
            return self._writer.globals.expression(operand.value)
        operation = operand.defining_op
        if operation is not None and _is_none(operation):
            return ast.Constant(None)
        if operation is not None and operation.op is constant:
            return self._writer.globals.expression(operation.attrs["value"])
        if operand in self._nesting.nested:
            assert operation is not None
            return self.operation(operation)
        return load(self._naming[operand])

    def operation(self, operation: Operation, **more: ast.expr) -> ast.expr:
        """The expression that computes an operation."""
        if operation.op is if_:
            return self._conditional(operation, is_test=False)
        operands = self._nesting.folding.operands(operation)
        args = [self.expression(operand) for operand in operands]
        if more:
            return self._writer.function(operation, args, **more)
        return self._writer.write(operation, args, [operand.type for operand in operands])

    def test(self, value: Operand) -> ast.expr:
        """The expression of which the truth value is that of ``value``, where only that counts."""
        if isinstance(value, Literal):
            return self.expression(value)
        operation = value.defining_op
        if value in self._nesting.nested and operation is not None:
            if operation.op is truth_op or operation.op is REGISTRY["py.bool"]:
                return self.test(operation.operands[0])
            if operation.op is not_:
                return negated(self.test(operation.operands[0]))
            if operation.op is if_:
                return self._conditional(operation, is_test=True)
        return self.expression(value)

    def _conditional(self, branch: Operation, *, is_test: bool) -> ast.expr:
        """``a if test else b``, or ``and``, ``or`` and ``not`` where they say the same."""
        (result,) = (r for r in branch.results if r in self._nesting.flow.needed)
        (condition,) = branch.operands
        then, orelse = (r.block.terminator.operands[result.index] for r in branch.regions)
        read = self.test if is_test else self.expression
        opposite = negated if is_test else inverse
        known = constant_of(then), constant_of(orelse)
        if known[0] is True and known[1] is False:
            return read(condition)
        if known[0] is False and known[1] is True:
            return opposite(self.test(condition))
        if known[1] is False and result.type == BOOL:
            return joined(ast.And(), read(condition), read(then))
        if known[0] is True and result.type == BOOL:
            return joined(ast.Or(), read(condition), read(orelse))
        if known[0] is False and result.type == BOOL:
            return joined(ast.And(), opposite(self.test(condition)), read(orelse))
        if known[1] is True and result.type == BOOL:
            return joined(ast.Or(), opposite(self.test(condition)), read(then))
        tested = self._tested(condition)
        if tested is not None and then is tested:
            return joined(ast.Or(), self.expression(then), read(orelse))
        if tested is not None and orelse is tested:
            return joined(ast.And(), self.expression(orelse), read(then))
        return ast.IfExp(self.test(condition), read(then), read(orelse))

    def _tested(self, condition: Value) -> Value | None:
        """The variable whose truth value ``condition`` is."""
        operation = condition.defining_op
        if condition in self._nesting.nested and operation and operation.op is truth_op:
            tested = operation.operands[0]
            return None if tested in self._nesting.nested else tested
        return condition if condition not in self._nesting.nested else None

    # --- lines ------------------------------------------------------------------------------------

    def _targets(self, operation: Operation) -> list[str]:
        needed = self._nesting.flow.needed
        return [self._naming[r] if r in needed else "_" for r in operation.results]

    def _line(self, operation: Operation) -> list[ast.stmt]:
        op = operation.op
        assert isinstance(op, OpDef)
        if written_target(operation) is not None:
            return self._in_place(operation, op.symbol[:-1])
        needed = [result for result in operation.results if result in self._nesting.flow.needed]
        if needed and needed[0] in self._plan.reuses:
            return self._reusing(operation)
        statement = self._statement_line(operation)
        if statement is not None:
            return [statement]
        value = self.operation(operation)
        if operation.op is if_:
            return [ast.Assign([store(self._naming[needed[0]])], value)]
        if not needed and operation.name not in UNPACKING:
            return [ast.Expr(value)]
        if operation.op is tuple_items and len(needed) == 1:
            item = ast.Subscript(value, ast.Constant(needed[0].index), ast.Load())
            return [ast.Assign([store(self._naming[needed[0]])], item)]
        names = self._targets(operation)
        if len(names) == 1 and operation.name not in UNPACKING:
            return [ast.Assign([store(names[0])], value)]
        return [ast.Assign([ast.Tuple([store(name) for name in names], ast.Store())], value)]

    def _statement_line(self, operation: Operation) -> ast.stmt | None:
        """An operation that Python has a statement for."""
        if operation.name not in LINES:
            return None
        args = [self.expression(operand) for operand in self._nesting.folding.operands(operation)]
        return line_of(self._writer, operation, args)

    def _in_place(self, operation: Operation, symbol: str) -> list[ast.stmt]:
        """``x += y`` of the user's program."""
        target, operand = operation.operands
        name = self._naming[target]
        nodes: list[ast.stmt] = [
            ast.AugAssign(store(name), BINARY[symbol](), self.expression(operand))
        ]
        (result,) = operation.results
        if result in self._nesting.flow.needed and self._naming[result] != name:
            nodes.append(ast.Assign([store(self._naming[result])], load(name)))
        return nodes

    def _reusing(self, operation: Operation) -> list[ast.stmt]:
        """An operation that writes into the buffer of an operand."""
        reuse = self._plan.reuses[operation.result]
        buffer, name = self._naming[reuse.buffer], self._naming[operation.result]
        op = operation.op
        assert isinstance(op, OpDef)
        operands = self._nesting.folding.operands(operation)
        is_binary = op.symbol in BINARY and len(operands) == 2
        if name == buffer and is_binary and operands[0] is reuse.buffer:
            value = self.expression(operands[1])
            return [ast.AugAssign(store(name), BINARY[op.symbol](), value)]
        value = self.operation(operation, out=load(buffer))
        if name == buffer:
            return [ast.Expr(value)]
        return [ast.Assign([store(name)], value)]

    def _raise(self, operation: Operation) -> ast.stmt:
        attrs = operation.attrs
        if operation.op is not raise_:
            raised = [self.expression(operand) for operand in operation.operands]
            return ast.Raise(raised[0], raised[1] if len(raised) > 1 else None)
        args = [self._writer.globals.expression(value) for value in attrs["args"]]
        args += [self.expression(operand) for operand in operation.operands]
        return ast.Raise(call(load(attrs["exception"]), *args))

    # --- copies -----------------------------------------------------------------------------------

    def _is_undefined(self, value: Operand) -> bool:
        if isinstance(value, Literal):
            return False
        operation = value.defining_op
        return operation is not None and operation.op is undef

    def _copied_names(self, statements: list[Statement]) -> set[str]:
        """The variables that something reads which does no more than keep what it gets, as a copy
        does, a call, or a list, or which tests it: these must be bound on every path.
        """
        names: set[str] = set()
        for statement in all_statements(statements):
            if isinstance(statement, Copy):
                for target, source in statement.pairs:
                    for leaf in self._nesting.leaves(source):
                        if source is not leaf or self._naming[leaf] != self._naming[target]:
                            names.add(self._naming[leaf])
            elif isinstance(statement, Line) and keeps_operands(statement.operation):
                names.update(
                    self._naming[leaf]
                    for read in self._nesting.reads(statement.operation)
                    for leaf in self._nesting.leaves(read)
                )
            elif isinstance(statement, Line) and statement.operation.op is if_:
                results = statement.operation.results
                leaves = (leaf for each in results for leaf in self._nesting.leaves_of(each))
                names.update(self._naming[leaf] for leaf in leaves if leaf in self._naming)
            elif isinstance(statement, Return | If):
                read = statement.values if isinstance(statement, Return) else statement.tests
                leaves = (leaf for v in read for leaf in self._nesting.leaves(v))
                names.update(self._naming[leaf] for leaf in leaves)
        return names

    def _copy(self, statement: Copy) -> list[ast.stmt]:
        pairs: list[Pair] = []
        for target, source in statement.pairs:
            name = self._naming[target]
            if self._is_undefined(source) and name not in self._copied:
                continue
            value = self.expression(source)
            if not (isinstance(value, ast.Name) and value.id == name):
                pairs.append((name, value))
        return assignments(pairs, at_once=statement.guarded)

    def _copy_span(self, statement: Copy) -> SourceSpan:
        for _, source in statement.pairs:
            if isinstance(source, OpResult) and source in self._nesting.nested:
                return source.owner.span
        return statement.span

    def _return(self, statement: Return) -> list[ast.stmt]:
        values = [self.expression(value) for value in statement.values]
        result = values[0] if len(values) == 1 else ast.Tuple(values, ast.Load())
        span = statement.span
        for value in reversed(statement.values):
            span = self._span_of(value, span)
        return self._at(span, [ast.Return(result)])

    # --- control flow -----------------------------------------------------------------------------

    def _if(self, statement: If, loops: bool) -> list[ast.stmt]:
        """An ``if``; with ``loops``, where neither branch leaves, the loop around it goes on."""
        self._depth += 1
        then = self._statements(statement.then, loops)
        orelse = self._statements(statement.orelse, loops)
        self._depth -= 1
        test = self._any(statement.tests)
        span = self._span_of(statement.tests[0], statement.span)
        leaves, leaves_else = self._ends(statement.then), self._ends(statement.orelse)
        if not then and not orelse:
            is_read = any(map(self._nesting.is_effective, statement.tests))
            return self._at(span, [ast.Expr(test)]) if is_read else []
        if loops and orelse and not leaves and (not then or self._depth > _DEEPEST):
            then, leaves = [*then, ast.Continue()], True
        if not then or (leaves_else and not leaves):
            return [*self._at(span, [ast.If(negated(test), orelse, [])]), *then]
        if orelse and leaves:
            return [*self._at(span, [ast.If(test, then, [])]), *orelse]
        return self._at(span, [ast.If(test, then, orelse)])

    def _any(self, tests: tuple[Operand, ...]) -> ast.expr:
        test = self.test(tests[0])
        for other in tests[1:]:
            test = joined(ast.Or(), test, self.test(other))
        return test

    def _for(self, statement: For) -> ast.stmt:
        start, stop, step = statement.operation.operands[:3]
        bounds = [start, stop, step]
        if constant_of(step) == 1:
            bounds = [stop] if constant_of(start) == 0 else [start, stop]
        rounds: ast.expr = call(load("range"), *(self.expression(bound) for bound in bounds))
        if statement.reads:
            loop, globals_ = statement.operation, self._writer.globals
            rounds = through_tapes(loop, statement.reads, self.expression, globals_)
        read = [target in self._nesting.flow.needed for target in statement.targets]
        pairs = zip(statement.targets, read, strict=True)
        names: list[ast.expr] = [store(self._naming[x] if is_read else "_") for x, is_read in pairs]
        target = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
        return ast.For(target, rounds, self.body(statement.body, loops=True), [])

    def _try(self, statement: Try) -> ast.stmt:
        handlers = [self._handler(handler) for handler in statement.handlers]
        if any(_WIDE.intersection(handler.caught) for handler in statement.handlers):
            refusal = self._writer.globals.name(DiagnosticError, "DiagnosticError")
            handlers.insert(0, ast.ExceptHandler(load(refusal), None, [ast.Raise()]))
        return ast.Try(self.body(statement.body), handlers, [], [])

    def _handler(self, handler: Handler) -> ast.ExceptHandler:
        caught = [
            load(each) if isinstance(each, str) else self.expression(each)
            for each in handler.caught
        ]
        classes = caught[0] if len(caught) == 1 else ast.Tuple(caught, ast.Load())
        name = None if handler.error is None else self._naming[handler.error]
        return ast.ExceptHandler(classes, name, self.body(handler.body))

    def _errstate(self, statement: ErrState) -> ast.stmt:
        options = [ast.keyword(name, ast.Constant(value)) for name, value in statement.options]
        errstate = ast.Attribute(load("np"), "errstate", ast.Load())
        manager = ast.Call(errstate, [], options)
        return ast.With([ast.withitem(manager)], self.body(statement.body))


_WIDE = frozenset({"Exception", "BaseException"})
"""What catches a refusal at run time, too: that is nothing that the program may go on after."""


def assignments(pairs: list[Pair], *, at_once: bool = False) -> list[ast.stmt]:
    """Statements that assign all pairs at once: one after the other where no value is overwritten
    before it is read, else as a tuple. With ``at_once`` none is assigned before all are computed.
    """
    reads = [
        {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} for _, value in pairs
    ]
    names = [name for name, _ in pairs]
    clash = any(names[i] in reads[j] for i in range(len(pairs)) for j in range(i + 1, len(pairs)))
    is_computed = any(not isinstance(value, ast.Name | ast.Constant) for _, value in pairs[1:])
    if not clash and not (at_once and is_computed):
        return [ast.Assign([store(name)], value) for name, value in pairs]
    targets = ast.Tuple([store(name) for name in names], ast.Store())
    return [ast.Assign([targets], ast.Tuple([value for _, value in pairs], ast.Load()))]


def keeps_operands(operation: Operation) -> bool:
    """Whether an operation takes what it gets as it is, even what is never read; a choice between
    several objects is tested for its number like that.
    """
    return operation.op is call_op or operation.name in _KEEPING


def _is_none(operation: Operation) -> bool:
    """Whether what an operation gives is written as None: None itself, or what nobody reads."""
    is_none = operation.op is constant and operation.attrs["value"] is None
    return is_none or operation.op is undef
