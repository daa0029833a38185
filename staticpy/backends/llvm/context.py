"""What every rule emits into: values, references, blocks and errors of one function.

Each array or object that is alive holds one reference, which is kept in a slot of its own: an exit
lets go of all slots. What can go wrong leaves by one of two exits: ``RAISED``, where a Python
exception is set, and ``OVERFLOWED``, where an int doesn't fit into 64 bits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from staticpy.backends.llvm import ir
from staticpy.backends.llvm.capi import declare
from staticpy.backends.llvm.either import wrapped
from staticpy.backends.llvm.forms import (
    F32,
    F64,
    I8,
    I32,
    I64,
    POINTER,
    Form,
    Native,
    View,
    form_of,
)
from staticpy.backends.llvm.references import keep_function, release_function
from staticpy.backends.llvm.status import (
    FLAGS,
    INTERRUPTED,
    LEFT_OUT,
    OVERFLOWED,
    PIN_FLAGS,
    RAISED,
    RETURNED,
    ROUNDS,
)
from staticpy.ir import Block, Operation, Type, Value

NULL = ir.Constant(POINTER, None)

_TWO_FLOATS = ir.VectorType(F32, 2)


class Context(ABC):
    """Emits one function.

    Attributes:
        module: the LLVM module.
        loop_module: that of the loops over arrays, on which more time is spent.
        builder: where the next instruction goes.
        operation: the operation that is being lowered.
        warns, sets_flags: whether something native may have to warn; sets flags, but never warns.
        has_number_loops: whether a loop only calculates with numbers.
        has_serial_loops: whether there are such that are mostly done on several threads.
        shows: whether anything that it does can be seen by others.
        can_run_again: whether nothing that others can see has been done before.
        checked: the accesses to elements that are known to be in bounds there (``bounds``).
        looks_ahead: whether a loop gets a form that has no checks in its rounds.
        hints: those of the module.
        is_lean, leaves_out: whether forms of loops that are rarely needed are left out; one was.
        new_arrays, writeable: what can be written to; of the first, if it is in C order.
        polls: whether it lets signals and other threads interrupt it.
        rounds_left: where it is kept how many rounds loops have until they do.
        makes_vectors: whether LLVM is to make vectors of the loop (``vector_loops``).
        unbroken: the loops that aren't cut into pieces.
        steady, relied_on: the elements that were read before the loop; those by which indexes go.
        within: the sums of ints that don't leave 64 bits (``counters``).
        overflown: where the signs of sums are that overflow (``deferred``).
        leaving: what would leave the function, where both sides of a branch are computed.
        refusal: where the kernel of an operation raises that was asked about last.
        handed_on: the elements that rounds of the loop hand on (``handed_on``).
        packed: where products of a loop keep the matrix on the right (``packed_matrices``).
    """

    operation: Operation
    looks_ahead = True
    is_lean = leaves_out = makes_vectors = polls = shows = False

    def __init__(self, module: ir.Module, body: ir.Function) -> None:
        self.module = module
        self.loop_module = ir.Module(f"{module.name}.loops")
        self.warns = self.sets_flags = self.has_number_loops = self.has_serial_loops = False
        self.can_run_again = True
        self.hints: Mapping[str, int] = {}
        self.new_arrays: Mapping[Value, bool] = {}
        self.checked: Mapping[Operation, Any] = {}
        self.steady: dict[Operation, Any] = {}
        self.writeable: Collection[Value] = ()
        self.relied_on: Collection[Operation] = ()
        self.unbroken: Collection[Operation] = ()
        self.within: set[Operation] = set()
        self.overflown: ir.Value | None = None
        self.leaving: list[ir.Value] | None = None
        self.refusal: tuple[Operation, ir.Block] | None = None
        self.handed_on: Any = None
        self.packed: dict[Operation, ir.Value] = {}
        self._values: dict[Value, Native] = {}
        self._slot_count = 0
        self.body = body
        self._entry = ir.IRBuilder(self.body.append_basic_block("entry"))
        codes = (RAISED, OVERFLOWED, INTERRUPTED, *((LEFT_OUT,) if self.is_lean else ()))
        self._exits = {code: body.append_basic_block() for code in codes}
        self._cleanup = body.append_basic_block("cleanup")
        self._slots = self._entry.alloca(POINTER)
        self._result = self._entry.alloca(body.function_type.return_type)
        self._entry.store(ir.Constant(body.function_type.return_type, None), self._result)
        self._visible = self.variable(I32, I32(0))
        self.rounds_left = self.variable(I32, I32(ROUNDS))
        self._start = self.body.append_basic_block("start")
        self.builder = ir.IRBuilder(self._start)

    @abstractmethod
    def may_leave_out(self, loop: Operation) -> bool:
        """Whether forms of a loop may be left out: when it begins nobody can have seen anything."""

    @abstractmethod
    def are_apart(self, written: Value, read: Value) -> bool:
        """Whether it is known that two arrays share no memory, of which one is written to."""

    @abstractmethod
    def is_not_negative(self, value: Value, operation: Operation) -> bool:
        """Whether it is known that an int isn't below 0 where an operation is done (``signs``)."""

    @abstractmethod
    def block(self, block: Block, *, until: Operation | None = None) -> Operation:
        """Lower operations of a block, up to one of them or its terminator, which is returned."""

    @abstractmethod
    def kernel(self, *, is_rare: bool = False) -> Sequence[Native]:
        """Call the kernel of the current operation."""

    @abstractmethod
    def kernel_into(self, outcome: Any) -> None:
        """Call the kernel of the current operation, of which ``outcome`` is the only result."""

    @abstractmethod
    def together(
        self, operations: Sequence[Operation], results: Sequence[Value], outcomes: Sequence[Any]
    ) -> None:
        """Do operations, of which ``results`` are read, as one Python function."""

    @abstractmethod
    def refuse(self) -> None:
        """Call the kernel of the current operation, which raises."""

    @abstractmethod
    def box(self, native: Native) -> ir.Value:
        """A new reference to a value as a Python object."""

    @abstractmethod
    def note(self, builder: ir.IRBuilder, code: int) -> None:
        """Say how the function ends, at each of its ends."""

    @abstractmethod
    def interrupted(self) -> ir.Value:
        """Let the handlers of signals and other threads run: whether a handler has raised."""

    @abstractmethod
    def without_lock(self) -> AbstractContextManager[None]:
        """What is emitted within may run without the interpreter's lock (``stretches``)."""

    @abstractmethod
    def with_lock(self) -> AbstractContextManager[None]:
        """What is emitted within has the interpreter's lock, wherever it is."""

    @abstractmethod
    def calls_left(self) -> ir.Value:
        """How many calls of functions within each other there may still be."""

    def finish(self, result: ir.Value) -> None:
        """Return ``result``, of which a reference is a new one, and emit the exits."""
        self.builder.store(result, self._result)
        self.note(self.builder, RETURNED)
        self.builder.branch(self._cleanup)
        self._entry.branch(self._start)
        for code, block in self._exits.items():
            builder = ir.IRBuilder(block)
            self.note(builder, code)
            builder.branch(self._cleanup)
        builder = ir.IRBuilder(self._cleanup)
        if self._slot_count:
            self._slots.allocated_type = ir.ArrayType(POINTER, self._slot_count)
            builder.call(release_function(self.module), [self._slots, I64(self._slot_count)])
        builder.ret(builder.load(self._result, typ=self.body.function_type.return_type))

    # --- values -----------------------------------------------------------------------------------

    def get(self, value: Value) -> Native:
        """What a value of the graph is."""
        return self._values[value]

    def has(self, value: Value) -> bool:
        """Whether a value of the graph is anywhere: what stays in registers of a loop isn't."""
        return value in self._values

    def set(self, value: Value, native: Native) -> None:
        """Note what a value of the graph is, for all that comes."""
        self._values[value] = native

    def operands(self) -> list[Native]:
        """The operands of the current operation."""
        return [self.get(value) for value in self.operation.operands]

    def variable(self, type_: ir.Type, start: ir.Value | None = None) -> ir.Value:
        """Memory of the function itself, of which LLVM makes a register; what it holds at first."""
        variable = self._entry.alloca(type_)
        if start is not None:
            self._entry.store(start, variable)
        return variable

    def at_entry(self, emit: Callable[[Context], ir.Value]) -> ir.Value:
        """A value that is computed when the function begins."""
        here, self.builder = self.builder, self._entry
        value, self.builder = emit(self), here
        return value

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        """Call a C function."""
        return self.builder.call(declare(self.module, name), arguments)

    def loop_function(
        self, name: str, type_: ir.FunctionType
    ) -> tuple[ir.Function, ir.Function | None]:
        """A function of ``loop_module``, as it is called from here; and, if it is new, as it is to
        be defined there.
        """
        body = None
        if name not in self.loop_module.globals:
            body = ir.Function(self.loop_module, type_, name)
        return self.module.declared(name, type_), body

    def mark_visible(self) -> None:
        """From here on others can see that the function has run."""
        self.builder.store(I32(1), self._visible)

    def around_kernel(self, name: str) -> None:
        """Keep or clear the flags of the processor."""
        self.builder.call(self.flags_function(name), [self.at(self.body.args[0], FLAGS)])

    def pin_flags(self, value: ir.Value) -> None:
        """Let a float be computed before what follows, which may leave the function: LLVM knows
        nothing of the flags.
        """
        value = self._for_assembly(value)
        name = f"{PIN_FLAGS}.{value.type}"
        known: ir.Function | None = self.module.globals.get(name)
        if known is None:
            type_ = ir.FunctionType(ir.VoidType(), [value.type])
            known = ir.Function(self.module, type_, name)
            known.linkage = "internal"
            known.attributes.add("alwaysinline")
        self.builder.call(known, [value])

    @abstractmethod
    def may_come_early(self) -> bool:
        """Whether LLVM may do the operation before a loop without a round, and this shows."""

    @property
    @abstractmethod
    def is_in_branch(self) -> bool:
        """Whether the operation is on one side of a branch, and LLVM may do it for both."""

    def read_here(self, value: ir.Value) -> ir.Value:
        """A float, or a complex number, of which nothing is computed before the next instruction:
        what one side of a branch computes would set flags if LLVM did it for both.
        """
        if not self.is_in_branch or not self.is_float(value.type):
            return value
        given = self._for_assembly(value)
        read = self.builder.asm(ir.FunctionType(given.type, [given.type]), "", "=x,0", [given])
        return read if given is value else self.builder.bitcast(read, value.type)

    def unforeseen(self, native: Native) -> Native:
        """A number of which LLVM computes nothing ahead, if it is one of NumPy's floats: no flag of
        the processor would tell what NumPy warns of.
        """
        known = native.parts[0]
        if native.form.dtype is None or not isinstance(known, ir.Constant):
            return native
        if not self.is_float(known.type) or native.form.is_complex:
            return native
        type_ = ir.FunctionType(known.type, [known.type])
        with self.builder.goto_entry_block():
            return Native(native.form, (self.builder.asm(type_, "", "=x,0", [known]),))

    def _for_assembly(self, value: ir.Value) -> ir.Value:
        """Floats as assembly takes them: it has no register for two of 32 bits."""
        return self.builder.bitcast(value, F64) if value.type == _TWO_FLOATS else value

    @staticmethod
    def is_float(type_: ir.Type) -> bool:
        """Whether a register has floats."""
        element = type_.element if isinstance(type_, ir.VectorType) else type_
        return element in (F32, F64)

    def flags_function(self, name: str) -> ir.Function:
        """One of KEEP_FLAGS and CLEAR_FLAGS."""
        known: ir.Function | None = self.module.globals.get(name)
        if known is not None:
            return known
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [POINTER]), name)
        function.linkage = "internal"
        function.attributes.add("alwaysinline")
        return function

    def at(self, pointer: ir.Value, offset: ir.Value | int) -> ir.Value:
        """The address ``offset`` bytes after another."""
        if isinstance(offset, int):
            offset = I64(offset)
        if isinstance(offset, ir.Constant) and offset.constant == 0:
            return pointer
        return self.builder.gep(pointer, [offset], source_etype=I8)

    # --- references -------------------------------------------------------------------------------

    def new_slot(self) -> ir.Value:
        """A place for a reference that the function lets go of when it ends.

        All are in one table in memory: as registers they would meet at the exits, each with each
        of the places that lead there.
        """
        offset = I64(8 * self._slot_count)
        self._slot_count += 1
        slot = self._entry.gep(self._slots, [offset], source_etype=I8)
        self._entry.store(NULL, slot)
        return slot

    def keep(self, reference: ir.Value, slot: ir.Value) -> None:
        """Keep a new reference in place of what was kept in ``slot``."""
        self.builder.call(keep_function(self.module), [reference, slot])

    def drop(self, native: Native) -> None:
        """Let go of the reference of a value that nobody reads any more."""
        if native.slot is not None:
            self.keep(NULL, native.slot)

    def owned(self, native: Native) -> Native:
        """The same value, an array or object, whose new reference is kept from now on."""
        slot = self.new_slot()
        self.keep(native.value, slot)
        return replace(native, slot=slot)

    def shared(self, native: Native) -> Native:
        """The same value with a reference of its own."""
        if native.form.is_scalar:
            return native
        self.call("Py_IncRef", native.value)
        return self.owned(native)

    def new_view(self, form: Form, parts: tuple[ir.Value, ...]) -> Native:
        """An array of these parts, with a reference of its own to the owner of the memory."""
        native = self.shared(Native(form, parts))
        return replace(native, view=View(self.builder.block))

    def slot_of(self, view: View) -> ir.Value:
        """Where the ndarray that a view becomes is kept; emptied each time the view is made."""
        if view.slot is None:
            view.slot = self.new_slot()
            builder = ir.IRBuilder(view.block)
            if view.last is None:
                builder.position_at_start(view.block)
            else:
                builder.position_after(view.block, view.last)
            here, self.builder = self.builder, builder
            self.keep(NULL, view.slot)
            self.builder = here
            self.go_to(here.block)  # it may be that block, whose end has moved
        return view.slot

    def let_go(self, values: Iterable[Value]) -> None:
        """Let go of what nobody reads any more."""
        for value in values:
            native = self._values[value]
            if native.view is not None and native.view.slot is not None:
                self.keep(NULL, native.view.slot)
            self.drop(native)

    # --- blocks -----------------------------------------------------------------------------------

    def new_block(self, name: str = "") -> ir.Block:
        """A block at the end of the function."""
        return self.body.append_basic_block(name)

    def go_to(self, block: ir.Block) -> None:
        """Let the next instructions go to the end of ``block``."""
        self.builder.position_at_end(block)

    @contextmanager
    def on(
        self, condition: ir.Value, name: str = "then", weights: Sequence[int] = ()
    ) -> Iterator[None]:
        """What is emitted within runs where ``condition`` holds, and how often if it is known."""
        then, after = self.new_block(name), self.new_block()
        branch = self.builder.cbranch(condition, then, after)
        if weights:
            branch.set_weights(weights)
        self.go_to(then)
        yield
        self.builder.branch(after)
        self.go_to(after)

    @contextmanager
    def inside(self, function: ir.Function) -> Iterator[None]:
        """What is emitted within goes into ``function``, which is another than the body."""
        here = self.builder, self._entry
        block = function.append_basic_block()
        self.builder, self._entry = ir.IRBuilder(block), ir.IRBuilder(block)
        yield
        self.builder, self._entry = here

    # --- what can go wrong ------------------------------------------------------------------------

    def exit(self, code: int) -> None:
        """Leave the function."""
        self.builder.branch(self._exits[code])

    def exit_if(self, condition: ir.Value, code: int, *, is_whole: bool = False) -> None:
        """Leave the function where ``condition`` holds. With ``is_whole`` that is computed as a
        whole, and not one part after the other: the first, for itself, can't be foreseen.
        """
        rest = self.new_block()
        branch = self.builder.cbranch(condition, self._exits[code], rest)
        branch.set_weights([1, 1 << 20])
        if is_whole:
            branch.compute_whole()
        self.go_to(rest)

    def leave_out_unless(self, condition: ir.Value) -> None:
        """Where ``condition`` doesn't hold, let the edition go on that has all forms of a loop."""
        if not (isinstance(condition, ir.Constant) and condition.constant):
            self.leaves_out = True
            self.exit_if(self.builder.not_(condition), LEFT_OUT)

    def _go_on_if(self, condition: ir.Value, otherwise: ir.Block) -> None:
        rest = self.new_block()
        self.builder.cbranch(condition, rest, otherwise).set_weights([1 << 20, 1])
        self.go_to(rest)

    def require(self, condition: ir.Value) -> None:
        """Where ``condition`` doesn't hold, let the kernel of the current operation raise."""
        if isinstance(condition, ir.Constant) and condition.constant:
            return
        if self.refusal is not None and self.refusal[0] is self.operation:
            self._go_on_if(condition, self.refusal[1])
            return
        slow = self.new_block("refuse")
        self.refusal = self.operation, slow
        self._go_on_if(condition, slow)
        rest = self.builder.block
        self.go_to(slow)
        self.refuse()
        self.exit(RAISED)
        self.go_to(rest)

    def where(self, condition: ir.Value, fast: Callable[[], ir.Value]) -> Native:
        """The number that ``fast`` emits where ``condition`` holds; elsewhere that of the kernel.

        ``fast`` may call ``where_also`` for what is known only later.
        """
        form = form_of(self.operation.results[0].type)
        variable = self.variable(form.parts[0])
        self._slow, rest = self.new_block("slow"), self.new_block()
        slow = self._slow
        self._go_on_if(condition, slow)
        self.builder.store(fast(), variable)
        self.builder.branch(rest)
        self.go_to(slow)
        self.builder.store(self.kernel(is_rare=True)[0].value, variable)
        self.builder.branch(rest)
        self.go_to(rest)
        return Native(form, (self.builder.load(variable, typ=form.parts[0]),))

    def where_also(self, condition: ir.Value) -> None:
        """Within ``fast`` of ``where``: go to the kernel unless ``condition`` holds."""
        self._go_on_if(condition, self._slow)

    def convert(self, native: Native, type_: Type) -> Native:
        """``native`` as a value of ``type_``, which holds it: an object where forms differ.

        The reference of an array or object is a new one, which the caller keeps.
        """
        form = form_of(type_)
        if form.kind == "either" and form != native.form:
            return wrapped(self.builder, native, form)
        if form.is_scalar:
            return native
        reference = self.box(native)
        if form.kind == "object":
            return Native(form, (reference,))
        return Native(form, (reference, *native.parts[1:]))


Rule = Callable[[Context, Operation, Sequence[Native]], "Sequence[Native] | None"]
"""What an op is in LLVM's terms: gets the operation and its operands and gives the results; None,
with nothing emitted, where the operation has no native form."""
