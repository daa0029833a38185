"""The subscripts of ``np.einsum``, as text.

np.einsum(x, [0, 1], y, [1, 2])  →  np.einsum("AB,BC", x, y)
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

LETTERS = string.ascii_uppercase + string.ascii_lowercase
"""The letter of each number, in the order by which NumPy sorts both."""


def with_subscripts(operands: Sequence[Any]) -> Sequence[Any]:
    """The arguments of ``np.einsum`` with the subscripts as one text before the arrays; as they
    are where they come so already, or are no lists of known numbers.
    """
    lists = operands[1::2]
    if len(operands) < 2 or isinstance(operands[0], str) or not all(map(_is_known, lists)):
        return operands
    arrays = operands[: 2 * len(lists) : 2]
    text = ",".join(map(_text, lists))
    if len(operands) % 2 == 1:
        if not _is_known(operands[-1]):
            return operands
        text += f"->{_text(operands[-1])}"
    return (text, *arrays)


def labels_of(text: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The letters of the axes of each operand, whose ranks are known, and of the result; those of
    an ellipsis are spelled out.
    """
    inputs, arrow, output = text.replace(" ", "").partition("->")
    terms = inputs.split(",")
    extra = [r - len(t.replace("...", "")) for t, r in zip(terms, ranks, strict=True)]
    spare = [each for each in LETTERS if each not in text][: max([0, *extra])]
    named = "".join(spare)
    if not arrow:
        plain = inputs.replace("...", "").replace(",", "")
        output = "..." * ("..." in inputs)
        output += "".join(sorted(each for each in set(plain) if plain.count(each) == 1))
    found = [
        term.replace("...", named[len(named) - count :] if "..." in term else "")
        for term, count in zip(terms, extra, strict=True)
    ]
    return found, output.replace("...", named)


def sums_nothing(text: str) -> bool:
    """Whether ``np.einsum`` of one array moves its axes, or takes a diagonal: a view of it."""
    given, arrow, wanted = text.replace(" ", "").replace("...", "").partition("->")
    if "," in given:
        return False
    found = set(wanted) if arrow else {label for label in given if given.count(label) == 1}
    return found == set(given)


def _is_known(labels: Any) -> bool:
    if not isinstance(labels, list | tuple):
        return False
    return all(
        label is ... or (type(label) is int and 0 <= label < len(LETTERS)) for label in labels
    )


def _text(labels: Sequence[Any]) -> str:
    return "".join("..." if label is ... else LETTERS[label] for label in labels)
