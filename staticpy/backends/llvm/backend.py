"""The backend ``llvm``, all of it in order.

In: an optimized Module. Out: an Executable whose function is a C function. ``host`` is the backend
that makes the twin: the same function for the calls that native code can't finish, compiled when
the first of them comes.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from functools import partial

from staticpy.backends.base import Backend, Executable, NativeCode, unsupported
from staticpy.backends.default import NATIVE_PROCESSORS
from staticpy.backends.llvm import (
    array_copies,
    common,
    complex_numbers,
    containers,
    control,
    crosses,
    extreme_places,
    extremes,
    halos,
    ir,
    lock,
    long_rows,
    loop_frames,
    math_functions,
    memory,
    number_lists,
    numbers,
    packing,
    parts,
    pool,
    python_numbers,
    recycling,
    repeats,
    reshapes,
    rolls,
    running,
    scatters,
    selections,
    shared_loops,
    stacks,
    unions,
    unsigned_numbers,
)
from staticpy.backends.llvm.boxes import Boxes
from staticpy.backends.llvm.calls import NativeCalls, native_functions
from staticpy.backends.llvm.carried_lists import with_carried_lists
from staticpy.backends.llvm.clock import Clock, TimedLowering
from staticpy.backends.llvm.constants import Constants
from staticpy.backends.llvm.context import Context, Rule
from staticpy.backends.llvm.dispatch import dispatcher
from staticpy.backends.llvm.editions import CELL, LeanLowering, Whole
from staticpy.backends.llvm.engine import compile_modules
from staticpy.backends.llvm.entry import EntryWriter, Reruns, function_of
from staticpy.backends.llvm.flat_rows import with_flat_rows
from staticpy.backends.llvm.forms import Native, form_of, is_float
from staticpy.backends.llvm.function import FunctionLowering
from staticpy.backends.llvm.host import HostFunctions, separated
from staticpy.backends.llvm.kernels import Kernels
from staticpy.backends.llvm.longlong import has_longlong
from staticpy.backends.llvm.loop_forms import has_form
from staticpy.backends.llvm.products import product_rules
from staticpy.backends.llvm.tables import with_tables
from staticpy.backends.llvm.units import Effort, at_once
from staticpy.backends.llvm.unsigned import with_unsigned_ints
from staticpy.backends.llvm.visible import visible_operations
from staticpy.backends.llvm.wide_lists import with_wide_lists
from staticpy.backends.options import Options
from staticpy.backends.threads import get_num_threads
from staticpy.ir import Module, Operation, Type, walk
from staticpy.ops import undef
from staticpy.passes import (
    compare_elements,
    edge_rounds_apart,
    nest_branches,
    plan_memory,
    sizes_of_arguments,
    split_unions,
    stretch_again,
    unroll,
    unswitch,
    with_contractions_as_products,
    with_differences_in_steps,
    with_gradients_in_steps,
    with_halos,
    with_norms_in_steps,
    with_outer_products_in_steps,
    with_outputs_stored,
    with_row_gathers,
    with_selections_in_steps,
    with_stacked_products,
    with_triangles_in_steps,
    with_variances_in_steps,
)

_REWRITTEN = (
    with_unsigned_ints,
    with_flat_rows,
    with_wide_lists,
    with_tables,
    with_carried_lists,
    with_variances_in_steps,
    with_norms_in_steps,
    with_differences_in_steps,
    with_triangles_in_steps,
    with_outer_products_in_steps,
    with_selections_in_steps,
    with_gradients_in_steps,
    with_halos,
    with_row_gathers,
    with_contractions_as_products,
)
"""What makes operations that loops and products can do of others, one after the other."""


def prepare() -> None:
    """Compile what functions call that are large enough, and what takes their calls; and have LLVM
    do with it what it does once: read its own tables, for code of each kind.
    """
    makes: list[Callable[[], object]] = [packing.compiled, parts.compiled, common.compiled]
    makes += [each.compile for each in stacks.called_by_all()]
    makes += [pool.compiled, dispatcher, loop_frames.compiled, recycling.compiled]
    makes += [long_rows.compiled, lock.compiled]
    left = iter(makes)

    def some() -> None:
        for make in left:
            make()

    at_once([some] * get_num_threads())


class Llvm:
    """The backend ``llvm``."""

    name = "llvm"

    def __init__(self, host: Backend, options: Options) -> None:
        self._host = host
        self._options = options

    def compile(self, module: Module) -> Executable:
        """Compile ``module``, which is not changed.

        Raises:
            DiagnosticError: UNSUPPORTED_BY_BACKEND, for what has neither native form nor kernel,
                and on a processor that is not x86-64.
        """
        if platform.machine() not in NATIVE_PROCESSORS:
            raise unsupported(self.name, f"processors of the kind {platform.machine()!r}")
        if has_longlong(module):
            return self._host.compile(module)
        return self._edition(module, FunctionLowering if self._options.is_timed else LeanLowering)

    def _edition(self, module: Module, lowering: type[FunctionLowering]) -> Executable:
        parts: list[Executable] = []
        whole = Whole(partial(self._edition, module, FunctionLowering), parts)
        module = separated(module, rules(Boxes(Constants())))
        unroll(module, _is_number)
        split_unions(module, _is_number)
        edge_rounds_apart(module, _is_number)
        unswitch(module, _is_number)
        nest_branches(module, is_float)
        compare_elements(module)
        stretch_again(module)
        host = HostFunctions(self._host, module, parts)
        for rewritten in _REWRITTEN:
            module = rewritten(module)
        sizes_of_arguments(module)
        module = with_outputs_stored(module, has_form)
        visible = visible_operations(module)
        if not visible:  # what warns is then done again by the twin
            module = with_stacked_products(module)
        function = module.main
        constants = Constants()
        boxes = Boxes(constants, may_lack=_leaves_undefined(module))
        kernels = Kernels(boxes, module.entry, host)
        native = ir.Module(module.entry)
        known = rules(boxes)
        functions = {} if visible else native_functions(module, known)
        calls = NativeCalls(native, functions, kernels, known)
        clock = Clock() if self._options.is_timed else None
        lower = lowering if clock is None else partial(TimedLowering, clock)
        every = {**known, "call": calls.rule}
        cx = lower(native, function, kernels, every, visible)
        called = calls.finish()
        cx.warns |= any(each.warns for each in called)
        kernels.lock.decide()
        reruns = Reruns(kernels.host.twin(), whole)
        EntryWriter(cx, constants, reruns, writes=bool(visible))
        exported = ["entry", *constants.finish(native), *([CELL] if cx.leaves_out else [])]
        exported += () if clock is None else clock.finish(native)
        effort = Effort.LOOPS if cx.has_serial_loops else Effort.ONCE
        effort = Effort.NUMBERS if cx.has_number_loops or called else effort
        shared = (cx.rounds_module, Effort.NUMBERS), (cx.loop_module, Effort.LOOPS)
        keeps = self._options.keeps_code
        code = compile_modules([(native, effort)], exported, shared=shared, keeps_code=keeps)
        kernels.define()
        if cx.leaves_out:
            whole.stands_behind(code)
        timings = None if clock is None else clock.timings(code)
        keep = (constants.store(code), reruns, kernels, timings)
        run = function_of(code, module.entry, [], keep)
        plan = plan_memory(function, cx.fused)
        entry = code.address("entry")
        made = NativeCode(code.text, tuple(cx.loops), code.assembly, entry, dispatcher)
        return Executable(
            run, code.units[0].text, kernels.filename, kernels.spans, plan, made, parts, timings
        )


def _is_number(type_: Type) -> bool:
    return form_of(type_).is_scalar


def rules(boxes: Boxes) -> dict[str, Rule]:
    """The rule of each op that has one. Where several tables have one, the first that has a form
    for the types counts.
    """
    tables = (
        unsigned_numbers.RULES,
        python_numbers.RULES,
        extremes.RULES,
        math_functions.RULES,
        numbers.RULES,
        complex_numbers.RULES,
        memory.RULES,
        unions.rules(boxes),
        array_copies.rules(boxes),
        reshapes.rules(boxes),
        selections.rules(boxes),
        extreme_places.rules(boxes),
        running.rules(boxes),
        rolls.rules(boxes),
        halos.rules(boxes),
        repeats.rules(boxes),
        crosses.rules(boxes),
        scatters.rules(boxes),
        number_lists.rules(boxes),
        containers.rules(boxes),
        product_rules(boxes),
        {
            "constant": control.constant_rule(boxes.constants),
            "undef": control.undef_rule,
            "if": control.if_rule,
            "while": control.while_rule,
            "for": shared_loops.for_rule,
        },
    )
    found: dict[str, Rule] = {}
    for table in tables:
        found |= {n: _first(found[n], rule) if n in found else rule for n, rule in table.items()}
    return found


def _first(one: Rule, other: Rule) -> Rule:
    """What one rule gives, or else the other."""

    def rule(
        cx: Context, operation: Operation, operands: Sequence[Native]
    ) -> Sequence[Native] | None:
        found = one(cx, operation, operands)
        return other(cx, operation, operands) if found is None else found

    return rule


def _leaves_undefined(module: Module) -> bool:
    functions = module.functions.values()
    return any(each.op is undef for function in functions for each in walk(function.block))
