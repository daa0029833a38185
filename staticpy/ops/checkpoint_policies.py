"""What a ``checkpoint`` saves besides what goes into it, as ``jax.checkpoint_policies`` says it.

In: a policy, and operations of a checkpoint. Out: those of their results that the way back gets as
they are, in the place of computing them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from staticpy.ir import Operation, Value, dims_of

__all__ = [
    "checkpoint_dots",
    "checkpoint_dots_with_no_batch_dims",
    "dots_saveable",
    "dots_with_no_batch_dims_saveable",
    "everything_saveable",
    "nothing_saveable",
    "save_any_names_but_these",
    "save_anything_except_these_names",
    "save_from_both_policies",
    "save_only_these_names",
]


class Policy(NamedTuple):
    """What is saved: a kind of results, and the names, or the two policies, that it is made of."""

    kind: str
    given: tuple[Any, ...] = ()


everything_saveable = Policy("everything_saveable")
"""Nothing is computed again, as if there was no ``checkpoint``."""
nothing_saveable = Policy("nothing_saveable")
"""Everything is computed again: what no policy means."""
dots_saveable = checkpoint_dots = Policy("dots_saveable")
"""Products of vectors and matrices are saved, and convolutions."""
dots_with_no_batch_dims_saveable = Policy("dots_with_no_batch_dims_saveable")
"""Products of vectors and matrices are saved, but not those of stacks of both."""
checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable


def save_only_these_names(*names_which_can_be_saved: str) -> Policy:
    """What ``checkpoint_name`` has given one of these names is saved."""
    return Policy("save_only_these_names", names_which_can_be_saved)


def save_any_names_but_these(*names_not_to_save: str) -> Policy:
    """What ``checkpoint_name`` has given a name is saved, but for these names."""
    return Policy("save_any_names_but_these", names_not_to_save)


def save_anything_except_these_names(*names_not_to_save: str) -> Policy:
    """Everything is saved but what ``checkpoint_name`` has given one of these names."""
    return Policy("save_anything_except_these_names", names_not_to_save)


def save_from_both_policies(policy_1: Policy, policy_2: Policy) -> Policy:
    """What one of the two policies saves is saved."""
    return Policy("save_from_both_policies", (policy_1, policy_2))


_OF_NAMES = (
    "save_only_these_names",
    "save_any_names_but_these",
    "save_anything_except_these_names",
)
_ALONE = (
    everything_saveable.kind,
    nothing_saveable.kind,
    dots_saveable.kind,
    dots_with_no_batch_dims_saveable.kind,
)
NO_POLICY = "checkpoint: policy is None or one of staticpy.checkpoint_policies, not {!r}"
NO_NUMBERS = "checkpoint: static_argnums is an int or a tuple of ints, not {!r}"
OUT_OF_RANGE = (
    "checkpoint: static_argnums is {!r}, and the call has {} arguments by position: a number is at "
    "least -{} and below {}"
)
NO_NAME = "checkpoint_name: the name is a str, not {!r}"


def checked_policy(policy: Any) -> Policy | None:
    """``policy``; None for one that saves nothing.

    Raises:
        TypeError: it is no policy.
    """
    if policy is None or policy == nothing_saveable:
        return None
    if not _is_policy(policy):
        raise TypeError(NO_POLICY.format(policy))
    return Policy(*policy)


def _is_policy(policy: Any) -> bool:
    if not isinstance(policy, Policy):
        return False
    if policy.kind in _OF_NAMES:
        return all(isinstance(name, str) for name in policy.given)
    if policy.kind == "save_from_both_policies":
        return all(map(_is_policy, policy.given))
    return policy.kind in _ALONE


def require_static(numbers: Any, count: int) -> None:
    """Refuse ``static_argnums`` that are no numbers of ``count`` arguments by position.

    Raises:
        TypeError: they are no int and no tuple of ints.
        ValueError: there is no such argument.
    """
    given = numbers if isinstance(numbers, tuple) else (numbers,)
    if not all(type(number) is int for number in given):
        raise TypeError(NO_NUMBERS.format(numbers))
    if not all(-count <= number < count for number in given):
        raise ValueError(OUT_OF_RANGE.format(numbers, count, count, count))


# --- what is saved --------------------------------------------------------------------------------


def saves_everything(policy: Sequence[Any] | None) -> bool:
    """Whether nothing is left to be computed again."""
    kind, given = policy or nothing_saveable
    is_any = kind == "save_from_both_policies" and any(map(saves_everything, given))
    return is_any or kind == everything_saveable.kind


def saved_by(policy: Sequence[Any] | None, operations: Iterable[Operation]) -> list[Value]:
    """What operations have made that a policy lets be saved. What is given a name is saved under
    both: rules may read what it was before.
    """
    found: dict[Value, None] = {}
    for operation in operations if policy else ():
        if _saves(policy, operation):
            if operation.name == "checkpoint_name":
                found[operation.operands[0]] = None
            found.update(dict.fromkeys(operation.results))
    return list(found)


def _saves(policy: Sequence[Any] | None, operation: Operation) -> bool:
    kind, given = policy or nothing_saveable
    if kind == "save_from_both_policies":
        return any(_saves(each, operation) for each in given)
    name = operation.attrs["name"] if operation.name == "checkpoint_name" else None
    if kind == "save_only_these_names":
        return name in given
    if kind == "save_any_names_but_these":
        return name is not None and name not in given
    if kind == "save_anything_except_these_names":
        return name not in given and _names_of(operation).isdisjoint(given)
    if kind == everything_saveable.kind:
        return True
    return _is_dot(operation, kind == dots_with_no_batch_dims_saveable.kind)


def _names_of(operation: Operation) -> set[str]:
    """The names that are given to what an operation has made."""
    users = {user for result in operation.results for user, _ in result.uses}
    return {user.attrs["name"] for user in users if user.name == "checkpoint_name"}


# --- products -------------------------------------------------------------------------------------

_DOTS = frozenset({"matmul", "any.matmul", "dot", "inner", "vdot"})
_FUNCTIONS = frozenset(
    {"einsum", "tensordot", "vecdot", "matvec", "vecmat", "convolve", "correlate"}
    | {f"linalg.{name}" for name in ("matmul", "tensordot", "vecdot", "multi_dot", "matrix_power")}
)
"""Functions of NumPy that are products."""
_STACKED = frozenset({"matmul", "any.matmul", "linalg.matmul", "linalg.matrix_power"})
"""Those that are products of one stack by another where both operands have three axes."""
_BY_ROWS = frozenset({"vecdot", "linalg.vecdot", "matvec", "vecmat"})
"""Those that are products of one stack by another where the vectors have two axes."""


def _is_dot(operation: Operation, is_single: bool) -> bool:
    """Whether an operation is a product; ``is_single``, of none of which both operands are stacks
    that go through side by side.
    """
    name = operation.attrs["function"] if operation.name == "numpy.call" else operation.name
    if name not in (_FUNCTIONS if operation.name == "numpy.call" else _DOTS):
        return False
    return not is_single or not _is_stacked(name, operation.operands)


def _is_stacked(name: str, operands: Sequence[Value]) -> bool:
    ranks = [len(dims_of(operand.type)) for operand in operands]
    if name in _STACKED:
        return min(ranks[:2]) > 2 or (name == "linalg.matrix_power" and ranks[0] > 2)
    if name in _BY_ROWS:
        vectors = {"matvec": ranks[1:2], "vecmat": ranks[:1]}.get(name, ranks[:2])
        return min(vectors) > 1
    if name == "einsum":
        return _einsum_is_stacked(operands[0])
    return name in ("convolve", "correlate")


def _einsum_is_stacked(subscripts: Value) -> bool:
    """Whether operands of ``einsum`` have an index in common that the result has, too; where that
    is not written out, it counts as if.
    """
    made = subscripts.defining_op
    text = made.attrs.get("value") if made is not None else None
    if not isinstance(text, str) or "->" not in text or "." in text:
        return True
    given, result = text.replace(" ", "").split("->")
    return any(sum(index in each for each in given.split(",")) > 1 for index in result)
