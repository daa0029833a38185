"""Forward mode through branches and loops: they yield and carry tangents beside what varies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from staticpy import ops
from staticpy.autodiff.activity import writes
from staticpy.autodiff.forward_memory import MemoryForward
from staticpy.autodiff.refusals import FROM_OUTSIDE, HANDS_ON_CAUGHT, refusal
from staticpy.autodiff.scopes import always_raises, is_caught
from staticpy.autodiff.tangents import holds_tangents, places_with_tangents, tangent_type
from staticpy.ir import Block, ObjectType, Operation, Region, Value, rewriter, walk
from staticpy.ops import REGISTRY


class RegionForward(MemoryForward):
    """Forward mode of one block, with the operations that hold regions."""

    def begin(self, given: Mapping[Value, Value], free: Iterable[Value]) -> None:
        """Take the tangents that are ``given``; memory from around has none so far."""
        for value, tangent in given.items():
            self.tangents[value] = self._own(value, tangent) if self.is_memory(value) else tangent
        for value in free:
            if value not in given and self.is_memory(value):
                self.tangents[value] = self.fresh(value)

    def _own(self, value: Value, tangent: Value) -> Value:
        """A copy of a tangent that lies in memory as ``value`` does: views are made of both."""
        with self.builder.current():
            made = self.fresh(value)
            self.builder.emit(REGISTRY["copyto"], [made, tangent], {})
        return made

    def run(self, block: Block, operations: Sequence[Operation]) -> None:
        """Put ``operations``, the last of which is the terminator, back into the empty ``block``,
        with those that compute their tangents; but for the terminator.
        """
        self.order[block] = list(operations)
        self.places.update((operation, place) for place, operation in enumerate(operations))
        for operation in operations[:-1]:
            with self.builder.at(operation.span):
                if operation.regions:
                    self.region_operation(operation)
                elif operation.op is ops.call:
                    self._call(operation)
                elif self.run_before(operation):
                    block.operations.append(operation)
                else:
                    block.operations.append(operation)
                    self.run_behind(operation)

    @contextmanager
    def _body(self, region: Region) -> Iterator[Operation]:
        """Run a region; its terminator, which follows at the end."""
        block = region.block
        operations, block.operations = block.operations, []
        with self.builder.inside(block):
            self.run(block, operations)
            yield operations[-1]
            block.operations.append(operations[-1])

    def region_operation(self, operation: Operation) -> None:
        """Put an operation that holds regions back, with its tangents."""
        if operation.op is ops.for_:
            self._for(operation)
        elif operation.op is ops.while_:
            self._while(operation)
        elif operation.op in (ops.if_, ops.errstate) or _is_guarded(operation):
            self.branches(operation)
        else:
            self._unknown(operation)

    def _unknown(self, operation: Operation) -> None:
        """What has no derivative, but may stand beside what has one."""
        for region in operation.regions:
            for inner in filter(writes, walk(region.block)):
                self.require_unchanged_by(inner)
        varied = any(result in self.activity.varied for result in operation.results)
        if varied:
            why = HANDS_ON_CAUGHT if operation.op is ops.try_ else FROM_OUTSIDE
            self.forget(operation, refusal(operation, why))
        assert self.builder.block is not None
        self.builder.block.operations.append(operation)

    def _call(self, operation: Operation) -> None:
        """Call the function that gives tangents as well."""
        places = tuple(self._carried(operation.operands))
        if not places or self.derive is None:
            self._unknown(operation)
            return
        tangents = [self.held(operation.operands[place]) for place in places]
        types = operation.attrs["result_types"]
        flowing = places_with_tangents(operation)
        attrs = {
            **operation.attrs,
            "callee": self.derive(operation, places, self._is_written_around(operation)),
            "result_types": (*types, *(tangent_type(types[place]) for place in flowing)),
        }
        self._replace(operation, [*operation.operands, *tangents], attrs, flowing)

    def _is_written_around(self, operation: Operation) -> bool:
        """Whether something writes to memory that goes into a call, or comes out of it."""
        values: list[Value] = [*operation.operands, *operation.results]
        return any(self.activity.writes_to(value) is not None for value in values)

    # --- branches ---------------------------------------------------------------------------------

    def branches(self, operation: Operation) -> None:
        """Let each region yield tangents beside its values."""
        ends: list[Operation] = []
        for region in operation.regions:
            with self._body(region) as end:
                ends.append(end)
        places = [
            place
            for place, result in enumerate(operation.results)
            if self._flows(result) and self._is_known(operation, place, ends)
        ]
        for region, end in zip(operation.regions, ends, strict=True):
            self._yield(region.block, [end.operands[place] for place in places])
        self._again(operation, operation.operands, places)

    def _is_known(self, operation: Operation, place: int, ends: Sequence[Operation]) -> bool:
        """Whether a branch gives a tangent at a place; unknown ones are noted."""
        given = [end.operands[place] for end in ends]
        errors = [self.unknown[value] for value in given if value in self.unknown]
        if errors:
            self.unknown[operation.results[place]] = errors[0]
            return False
        return any(value in self.tangents for value in given)

    def _flows(self, value: Value) -> bool:
        return value in self.activity.varied and holds_tangents(value.type)

    def _yield(self, block: Block, values: Sequence[Value], targets: Sequence[Value] = ()) -> None:
        """Let a block yield the tangents of ``values`` as well, for the arguments ``targets``."""
        end = block.operations.pop()
        with self.builder.inside(block):
            more = self._held(values, targets or values)
        block.operations.append(end)
        rewriter.set_operands(end, [*end.operands, *more])

    def _held(self, values: Iterable[Value], targets: Iterable[Value]) -> list[Value]:
        pairs = zip(values, targets, strict=True)
        return [self.held(value, target.type) for value, target in pairs]

    # --- loops ------------------------------------------------------------------------------------

    def _for(self, operation: Operation) -> None:
        (region,) = operation.regions
        body, first = region.block, int(bool(operation.attrs["breaks"]))
        arguments = body.args[1:]
        places = self._carried_by(operation, arguments)
        carried = [arguments[place] for place in places]
        inits = self._held((operation.operands[3 + place] for place in places), carried)
        self._enter(body, carried)
        with self._body(region) as end:
            pass
        self._yield(body, [end.operands[first + place] for place in places], carried)
        self._again(operation, [*operation.operands, *inits], places)

    def _while(self, operation: Operation) -> None:
        before, after = (region.block for region in operation.regions)
        places = self._carried_by(operation, before.args)
        handed = self._carried_by(operation, after.args)
        carried, given = ([before.args[n] for n in places], [after.args[n] for n in handed])
        inits = self._held((operation.operands[place] for place in places), carried)
        self._enter(before, carried)
        with self._body(operation.regions[0]) as end:
            pass
        self._yield(before, [end.operands[1 + place] for place in handed], given)
        self._enter(after, given)
        with self._body(operation.regions[1]) as end:
            pass
        self._yield(after, [end.operands[place] for place in places], carried)
        self._again(operation, [*operation.operands, *inits], handed)

    def _carried(self, arguments: Sequence[Value]) -> list[int]:
        return [place for place, argument in enumerate(arguments) if self._flows(argument)]

    def _carried_by(self, loop: Operation, arguments: Sequence[Value]) -> list[int]:
        """The places of what a loop carries with a tangent: not of what a handler has caught, which
        has none.
        """
        places = self._carried(arguments)
        caught = [place for place in places if self._is_caught(arguments[place])]
        self.unknown.update((arguments[place], refusal(loop, HANDS_ON_CAUGHT)) for place in caught)
        return [place for place in places if place not in caught]

    def _is_caught(self, argument: Value) -> bool:
        return isinstance(argument.type, ObjectType) and is_caught(argument)

    def _enter(self, block: Block, arguments: Sequence[Value]) -> None:
        for argument in arguments:
            self.tangents[argument] = block.add_arg(tangent_type(argument.type))

    def _again(
        self, operation: Operation, operands: Sequence[Value], places: Sequence[int]
    ) -> None:
        """The operation, which yields the tangents of its results at ``places`` behind them."""
        self._replace(operation, operands, operation.attrs, places)

    def _replace(
        self,
        operation: Operation,
        operands: Sequence[Value],
        attrs: Mapping[str, Any],
        places: Sequence[int],
    ) -> None:
        regions = [Region(region.block) for region in operation.regions]
        made = self.builder.emit(operation.op, operands, attrs, regions)
        for old, new in zip(operation.results, made.results, strict=False):
            rewriter.replace_all_uses(old, new)
            self.activity.rename(old, new)
            if old in self.unknown:
                self.unknown[new] = self.unknown[old]
        operation.regions = ()
        rewriter.detach(operation)
        first = len(operation.results)
        for number, place in enumerate(places):
            self.tangents[made.results[place]] = made.results[first + number]


def _is_guarded(operation: Operation) -> bool:
    """Whether an operation is a ``try`` of which only the body goes on behind it."""
    return operation.op is ops.try_ and always_raises(operation)
