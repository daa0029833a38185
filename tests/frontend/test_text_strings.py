"""Strings that are known at run time only: joined, repeated, cut, searched and compared."""

# ruff: noqa: C416, FURB171, PERF401, SIM300, SIM905, UP032

from __future__ import annotations

import pytest

from tests.frontend.programs import Programs, assert_same, name_of

program = Programs()


@program((3,), (0,))
def joins(n):
    lines = [f"{i}:{n}" for i in range(n)]
    return (
        "\n".join(lines),
        ", ".join(["a", f"{n}"]),
        "".join([]),
        f"{n}".join(["a", "b"]),
        "-".join(str(i) for i in range(n)),
        "-".join(("a", "b")),
    )


@program((3,), (0,), (-1,))
def repeats(n):
    return "#" * n, n * "ab", f"{n}" * 2, f"{n}" * n, "-" * 3, "#" * True


@program((3,), (0,))
def join_of_ints(n):
    return ",".join([n, n])


@program((3,), (0,))
def join_of_a_list_of_ints(n):
    return ",".join([i for i in range(n)])


@program((13,), (-7,))
def methods(n):
    s = f"{n} items"
    return (
        s.upper(),
        s.rjust(20),
        s.split(),
        s.split(" ", 1),
        s.startswith("13"),
        s.find("t"),
        s.replace("items", "x"),
        s.partition(" "),
        s.zfill(12),
        len(s),
        s.isdigit(),
        str(n).zfill(5),
        "a".ljust(n),
        "a,b".split(","),
        "ab".startswith("a" * n),
        "x{}".format(n).strip("x"),
    )


@program((13,), (-7,))
def items(n):
    s = f"{n} items"
    return s[0], s[-1], s[1:3], s[::-1], s[:n], "items"[n % 5], "items"[:n], "items"[n % 3 :]


@program((13,), (-70,))
def place_out_of_range(n):
    return f"{n}"[n]


@program((13,), (70,))
def place_out_of_a_known_text(n):
    return "abc"[n]


@program((13,), (-7,))
def compares(n):
    s = f"{n} items"
    return (
        "item" in s,
        s in "13 items",
        s < "2",
        "2" < s,
        s == "13 items",
        s != "13 items",
        s >= s,
        "1" in "123",
        s not in "abc",
        s in ["a", "13 items"],
        s in ("x",),
    )


@program((13,))
def number_in_a_text(n):
    return n in f"{n}"


@program((13,), (0,))
def truth(n):
    s = "a" * n
    if s:
        return "some"
    return "none", not s, s or "x"


@program((13,), (0,))
def method_that_is_missing(n):
    return f"{n}".nothing()


@program((13,), (0,))
def loops(n):
    s = ""
    for i in range(n):
        s += str(i)
        if len(s) > 5:
            break
    t = {"a": n}
    return s, s[:2] + "x" * n, t


@program((3,))
def lists_of_texts(n):
    rows = []
    for i in range(n):
        rows.append(f"row {i}".upper().center(12, "*"))
    rows.sort(reverse=True)
    return rows, "|".join(rows), len("".join(rows))


@program((3,))
def chars(n):
    return list(f"{n}ab"), [c for c in f"{n}ab"]


@pytest.mark.parametrize("item", program.table, ids=name_of)
def test_string_is_as_in_cpython(item):
    assert_same(item)
