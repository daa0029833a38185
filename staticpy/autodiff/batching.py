"""``vmap`` as operations on all examples at once.

Before:
    %out = vmap %n, %x {axes = (0,), outs = (0,)} (%x.1: f64[k]) {
      %y = sin %x.1 : f64[k]
      %s = sum %y : f64
      region_yield %s
    }
After:
    %y = sin %x : f64[n, k]
    %out = sum %y {axis = 1} : f64[n]

What is the same for all examples is computed once. An op with a rule (``ops.rules.batching``) works
on arrays of examples; the others run in a loop over them, next to each other in one, and so do
branches and loops of which the examples decide the way. Where others could see in which order the
examples run, all of it is a loop (``examples``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from staticpy import ops
from staticpy.autodiff.batched_values import (
    Form,
    Forms,
    Item,
    LoopNeededError,
    has_array_form,
    is_convertible,
    is_uniform,
    type_in,
)
from staticpy.autodiff.batching_order import Order, is_pure
from staticpy.autodiff.custom import lift_barriers
from staticpy.autodiff.dependence import undefined_in
from staticpy.autodiff.examples import loop_over_examples, moved, require_alike, stacked_rows
from staticpy.diagnostics import DiagnosticError
from staticpy.ir import (
    UNKNOWN,
    Block,
    Builder,
    Operation,
    PythonType,
    Region,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    Value,
    copy_operations,
    dims_of,
    rewriter,
    walk,
)
from staticpy.ops import (
    BATCHING,
    COPIED,
    REGISTRY,
    Alike,
    BatchingOperand,
    CannotBatchError,
    Traced,
)
from staticpy.ops import untrace as untraced


def vectorize(operation: Operation) -> None:
    """Replace a ``vmap`` by operations on all examples, or by a loop over them.

    Raises:
        DiagnosticError: NOT_VECTORIZED.
    """
    if not _is_differentiated(operation):
        lift_barriers(operation.regions[0].block)
    require_alike(operation)
    if not is_pure(operation.regions[0].block):
        loop_over_examples(operation)
        return
    stage = Block()
    builder = Builder(stage)
    try:
        with builder.current(), builder.at(operation.span):
            results = Batching(builder, operation.operands[0]).run(operation)
    except LoopNeededError:
        _forget(stage.operations)
        loop_over_examples(operation)
        return
    rewriter.move_all_before(stage.operations, operation)
    rewriter.replace(operation, results)


def _is_differentiated(operation: Operation) -> bool:
    """Whether a derivative is yet to be taken of what an operation is part of: then what a program
    says of it has to stay, one time for each example.
    """
    outer = operation.parent
    while outer is not None and outer.name not in ops.DIFFERENTIATING:
        outer = outer.parent
    return outer is not None


def _forget(operations: Sequence[Operation]) -> None:
    for operation in operations:
        rewriter.detach(operation)


class Batching:
    """Works through the block of one example, and emits what it is for all of them."""

    def __init__(self, builder: Builder, size: Value) -> None:
        self.builder = builder
        self.forms = Forms(builder, size)
        self.order = Order()
        self._items: dict[Value, Item] = {}
        self._alike: dict[Value, Value] = {}
        self._pending: list[Operation] = []
        """Operations that wait to be run in one loop over the examples."""
        self._waiting: set[Value] = set()
        """Their results."""
        self._undefined: set[Value] = set()
        """What has no value on some paths."""

    def run(self, operation: Operation) -> list[Value]:
        """The results of a ``vmap``."""
        block, outs = operation.regions[0].block, operation.attrs["outs"]
        arrays = zip(block.args, operation.operands[1:], operation.attrs["axes"], strict=True)
        for argument, array, axis in arrays:
            self._set(argument, self._argument(array, axis, argument.type))
        self._undefined = undefined_in(block)
        self._operations(block.operations[:-1])
        self._flush()
        taken: set[Value] = set()
        results = zip(block.terminator.operands, outs, strict=True)
        return [self._result(self._item(value), axis, taken) for value, axis in results]

    def _argument(self, array: Value, axis: int, type_: Type) -> Item:
        """An array of examples, with their axis first."""
        place = axis % len(dims_of(array.type))
        if place:
            axes = (place, *(i for i in range(len(dims_of(array.type))) if i != place))
            array = self.builder.emit(ops.transpose, [array], {"axes": axes}).result
            array = self.builder.emit(ops.copy, [array], {"order": "C"}).result
        if has_array_form(array.type):
            return Item(Form.ARRAY, array, type_)
        rows = self.forms.rows(Item(Form.ARRAY, array, type_), type_)  # in the other byte order
        return Item(Form.ROWS, rows, type_)

    def _result(self, item: Item, axis: int | str | None, taken: set[Value]) -> Value:
        if axis is None:
            return item.value
        if isinstance(axis, str):  # ROWS
            return self.forms.rows(item, item.type)
        if isinstance(ops.stacked_type(item.type, axis), UnionType):
            return stacked_rows(self.forms.rows(item, item.type), axis)
        made = moved(self.forms.array(item), axis)
        if not _is_fresh(made) or made in taken:
            made = self.builder.emit(ops.copy, [made], {"order": "C"}).result
        taken.add(made)
        return made

    def _item(self, value: Value) -> Item:
        """What a value of an example is; one from around the block is the same for all."""
        return self._items.get(value) or Item(Form.ALIKE, value, value.type)

    def _set(self, value: Value, item: Item) -> None:
        may_lack = value in self._undefined
        self._items[value] = item = replace(item, may_lack=may_lack)
        if item.form is Form.ALIKE:
            self._alike[value] = item.value
        else:
            self._alike.pop(value, None)

    # --- operations -------------------------------------------------------------------------------

    def _operations(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            with self.builder.at(operation.span):
                self._operation(operation)

    def _operation(self, operation: Operation) -> None:
        read = _read(operation)
        if any(value in self._waiting for value in read):
            if not self._may_be_batched(operation):
                self._wait(operation)
                return
            self._flush()
        if all(self._item(value).form is Form.ALIKE for value in read):
            self._copy(operation)
        elif not (self._region(operation) if operation.regions else self._batched(operation)):
            self._wait(operation)

    def _may_be_batched(self, operation: Operation) -> bool:
        """Whether an operation may do without a loop, although what it reads waits for one."""
        if operation.name in ("if", "for"):
            deciding = operation.operands[: 1 if operation.name == "if" else 3]
            return not any(value in self._waiting for value in deciding)
        return bool(operation.regions) or operation.name in BATCHING

    def _copy(self, operation: Operation) -> None:
        """An operation that does the same for all examples."""
        self.order.uniform(operation)
        copy_operations([operation], self.builder, self._alike)
        for result in operation.results:
            self._set(result, Item(Form.ALIKE, self._alike[result], result.type))

    def _batched(self, operation: Operation) -> bool:
        """Apply the rule of an operation; whether it has one for these operands."""
        rule = BATCHING.get(operation.name)
        items = [self._item(value) for value in operation.operands]
        if rule is None or not all(map(_fits_a_rule, items)):
            return False
        block = self.builder.block
        mark = len(block.operations)
        try:
            operands = [self._operand(item) for item in items]
            made = rule(Traced(self.forms.size), *operands, **operation.attrs)
            found = self._results(operation, made)
        except (CannotBatchError, DiagnosticError):
            found = None
        if found is None:
            _forget(block.operations[mark:])
            del block.operations[mark:]
            return False
        self.order.batched(operation, [item.form is not Form.ALIKE for item in items])
        for result, item in found.items():
            self._set(result, item)
        return True

    def _operand(self, item: Item) -> BatchingOperand:
        is_batched = item.form is not Form.ALIKE
        value = self.forms.array(item) if is_batched else item.value
        return BatchingOperand(Traced(value), item.type, is_batched)

    def _results(self, operation: Operation, made: Any) -> dict[Value, Item] | None:
        """The results of a rule; None if it gives something else than the op."""
        rows = made if isinstance(made, tuple) else (made,)
        found: dict[Value, Item] = {}
        for result, each in zip(operation.results, rows, strict=True):
            form = Form.ALIKE if isinstance(each, Alike) else Form.ARRAY
            value = ops.as_value(untraced(each.value if isinstance(each, Alike) else each))
            if not _is_as_good(value.type, form, result.type):
                return None
            found[result] = Item(form, value, result.type)
        return found

    # --- in a loop --------------------------------------------------------------------------------

    def _wait(self, operation: Operation) -> None:
        self.order.looped(operation)
        self._pending.append(operation)
        self._waiting.update(operation.results)

    def _flush(self) -> None:
        """Run the operations that wait, in one loop over the examples."""
        if not self._pending:
            return
        segment, self._pending, self._waiting = self._pending, [], set()
        inner = set(walk_all(segment))
        outputs = [
            result
            for operation in segment
            for result in operation.results
            if any(user not in inner for user in result.users)
        ]
        own = {result for operation in inner for result in operation.results}
        read = dict.fromkeys(value for operation in segment for value in _read(operation))
        given = [(value, self._item(value)) for value in read if value not in own]

        def run(number: Value) -> list[Value]:
            values = dict(self._alike)
            for value, item in given:
                values[value] = self.forms.example(item, number)
            copy_operations(segment, self.builder, values)
            return [values[output] for output in outputs]

        rows = self.forms.for_each([output.type for output in outputs], run)
        for output, row in zip(outputs, rows, strict=True):
            item = Item(Form.ROWS, row, output.type)
            if is_uniform(output.type) and output not in self._undefined:
                item = Item(Form.ARRAY, self.forms.array(item), output.type)
            self._set(output, item)

    # --- regions ----------------------------------------------------------------------------------

    def _region(self, operation: Operation) -> bool:
        """A branch or a loop that goes the same way for all examples; whether it does."""
        run = {"if": self._if, "for": self._for, "while": self._while}[operation.name]
        self._flush()
        saved = self.order.saved()
        if run(operation):
            self.order.region(operation, saved)
            return True
        self.order.restore(saved)
        return False

    def _if(self, operation: Operation) -> bool:
        condition = self._item(operation.operands[0])
        if condition.form is not Form.ALIKE:
            return False
        sides = []
        for region in operation.regions:
            block = Block()
            with self.builder.inside(block):
                sides.append((block, self._yielded(region.block)))
        forms = [
            self._joined([items[at] for _, items in sides], result.type)
            for at, result in enumerate(operation.results)
        ]
        for block, items in sides:
            with self.builder.inside(block):
                self._end(items, forms, operation.results)
        regions = [Region(block) for block, _ in sides]
        made = self.builder.emit(ops.if_, [condition.value], {}, regions).results
        self._keep(operation.results, forms, made)
        return True

    def _yielded(self, block: Block) -> list[Item]:
        """Emit a block; what it yields."""
        self._operations(block.operations[:-1])
        self._flush()
        return [self._item(value) for value in block.terminator.operands]

    def _joined(self, items: list[Item], type_: Type) -> Form:
        """The form that holds all of ``items``, of which one becomes a value of ``type_``."""
        form = max(item.form for item in items)
        return Form.ROWS if form is Form.ARRAY and not has_array_form(type_) else form

    def _end(
        self,
        items: list[Item],
        forms: list[Form],
        targets: Sequence[Value],
        first: Sequence[Value] = (),
    ) -> None:
        """End a block that hands ``items`` to ``targets``."""
        self.builder.emit(ops.region_yield, [*first, *self._in_forms(items, forms, targets)])

    def _in_forms(
        self, items: list[Item], forms: list[Form], targets: Sequence[Value]
    ) -> list[Value]:
        rows = zip(forms, items, targets, strict=True)
        return [self.forms.to(form, item, target.type) for form, item, target in rows]

    def _keep(self, values: Sequence[Value], forms: list[Form], made: Sequence[Value]) -> None:
        for value, form, new in zip(values, forms, made, strict=True):
            self._set(value, Item(form, new, value.type))

    def _for(self, operation: Operation) -> bool:
        bounds = [self._item(value) for value in operation.operands[:3]]
        if any(item.form is not Form.ALIKE for item in bounds):
            return False
        source, breaks = operation.regions[0].block, operation.attrs["breaks"]
        inits = [self._item(value) for value in operation.operands[3:]]
        forms = self._forms(inits, source.args[1:])
        saved = self.order.saved()
        while True:
            self.order.restore(saved)
            block = Block()
            self._enter(block, source.args, [Form.ALIKE, *forms])
            with self.builder.inside(block):
                items = self._yielded(source)
                flags = [items.pop(0)] if breaks else []
                found = self._widened(forms, items, source.args[1:])
                is_done = found == forms and all(flag.form is Form.ALIKE for flag in flags)
                if is_done:
                    self._end(items, forms, source.args[1:], [flag.value for flag in flags])
            if is_done:
                break
            _forget(block.operations)
            if found == forms:
                return False
            forms = found
        given = self._in_forms(inits, forms, source.args[1:])
        operands = [*(item.value for item in bounds), *given]
        made = self.builder.emit(ops.for_, operands, {"breaks": breaks}, [Region(block)]).results
        self._keep(operation.results, forms, made)
        return True

    def _enter(self, block: Block, arguments: Sequence[Value], forms: list[Form]) -> None:
        for argument, form in zip(arguments, forms, strict=True):
            made = block.add_arg(type_in(form, argument.type), argument.name)
            self._set(argument, Item(form, made, argument.type))

    def _forms(self, items: list[Item], arguments: Sequence[Value]) -> list[Form]:
        """The forms of the arguments of a block that gets ``items``."""
        return [self._joined([x], a.type) for x, a in zip(items, arguments, strict=True)]

    def _widened(
        self, forms: list[Form], items: list[Item], arguments: Sequence[Value]
    ) -> list[Form]:
        """The forms that hold what is carried and what a round ends with."""
        rows = zip(forms, items, arguments, strict=True)
        return [self._joined([Item(form, x.value, x.type), x], a.type) for form, x, a in rows]

    def _while(self, operation: Operation) -> bool:
        before, after = (region.block for region in operation.regions)
        inits = [self._item(value) for value in operation.operands]
        forms = self._forms(inits, before.args)
        saved = self.order.saved()
        while True:
            self.order.restore(saved)
            first, last = Block(), Block()
            self._enter(first, before.args, forms)
            with self.builder.inside(first):
                condition, *handed = self._yielded(before)
                shared = [
                    self._joined([x], a.type) for x, a in zip(handed, after.args, strict=True)
                ]
                self._end(handed, shared, after.args, [condition.value])
            self._enter(last, after.args, shared)
            with self.builder.inside(last):
                items = self._yielded(after)
                found = self._widened(forms, items, before.args)
                if found == forms:
                    self._end(items, forms, before.args)
            if found == forms and condition.form is Form.ALIKE:
                break
            _forget([*first.operations, *last.operations])
            if found == forms:
                return False
            forms = found
        given = self._in_forms(inits, forms, before.args)
        regions = [Region(first), Region(last)]
        made = self.builder.emit(ops.while_, given, {}, regions).results
        self._keep(operation.results, shared, made)
        return True


# --- helpers --------------------------------------------------------------------------------------


def _is_fresh(array: Value) -> bool:
    """Whether an array is of its own: nobody else can write to it, or see that it is written to."""
    operation = array.defining_op
    if operation is None or operation.regions:
        return False
    is_of_list = operation.name.startswith(("list.", "tuple.")) and operation.name not in COPIED
    return not REGISTRY[operation.name].view and not is_of_list


def walk_all(operations: Sequence[Operation]) -> list[Operation]:
    """Operations with all that their regions hold."""
    inner = [each for op in operations for region in op.regions for each in walk(region.block)]
    return [*operations, *inner]


def _read(operation: Operation) -> list[Value]:
    """What an operation and its regions read of what is around it."""
    operations = walk_all([operation])
    own: set[Value] = {result for each in operations for result in each.results}
    own.update(arg for each in operations for region in each.regions for arg in region.block.args)
    return [value for each in operations for value in each.operands if value not in own]


def _fits_a_rule(item: Item) -> bool:
    """Whether a rule may be given an item: as it is, or as an array."""
    return item.form is not Form.ROWS or is_convertible(item.type)


def _is_as_good(found: Type, form: Form, type_: Type) -> bool:
    """Whether a rule's result is of the type that the op gives, and knows its sizes as well."""
    if form is Form.ALIKE:
        return found == type_ or isinstance(type_, PythonType | ScalarType)
    if not isinstance(found, TensorType) or not has_array_form(type_):
        return False
    dims = found.dims[1:]
    is_known = len(found.dims) == len(dims_of(type_)) + 1 and all(
        known in (UNKNOWN, size) for known, size in zip(dims_of(type_), dims, strict=True)
    )
    return is_known and found.dtype == type_.dtype  # type: ignore[attr-defined]
