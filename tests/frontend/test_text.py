"""f-strings, ``str.format``, ``%`` and ``print`` of numbers, texts, arrays and containers."""

# ruff: noqa: F507, F521, F522, F524, F525, FURB105, PIE804, PLE1307, UP018, UP030, UP031, UP032

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.frontend.programs import Programs, assert_same, name_of

X = np.array([0.5, -1.0, 2.0])
HUGE = 10**5000
"""An int that has too many digits to be shown."""

program = Programs()


# --- f-strings ------------------------------------------------------------------------------------


@program((3, 2.5))
def lists_and_tuples(n, x):
    a = [n, x]
    s = f"{a} {a!r:>20} {[1, 2.5, 'a', None]} {(n,)} {()} {(n, (x, []))} {[]}"
    a.append(n)
    return s, f"{a}", str(a), repr(a), a


@program((3, 2.5))
def dicts(n, x):
    d = {"a": n, 2: x, (1, 2): [n]}
    views = f"{d.keys()} {d.values()} {d.items()}"
    return f"{d}", str({}), repr({1: 2}), views, f"{ {None: {True: n}} }"


@program((3,))
def sets(n):
    return f"{ {1, 2, 3} } {set()} {frozenset({2})} { {(1, 'a')} } {[n, {5}]}"


@program((10**20, -0.0, math.nan))
def odd_numbers(n, x, y):
    return f"{n} {x} {y} {n:,} {x:+} {y:6.2f} {[n, x, y]}", str(n), repr(x)


@program((2, 3))
def specs_made_of_fields(a, b):
    w = 10
    known = f"{3.14159:{w}.{a}f} {'x':{'*'}^{b}}"
    return f"{a:{w}} {a:{b}} {a:>{b + 3}} {a:{'>'}{w}}", known


@program((X,), (np.zeros((2, 2)),))
def arrays(x):
    return f"{x} {x!s:>30} {x.sum():.2f} {x.sum()!r} {x.shape} {x.dtype} {[x]}", f"{x=}"


@program((3, None), (3, 4), (1, 4))
def one_of_several_types(n, other):
    v = other if n > 2 else 2.5
    return f"{v} {v!r}", str(v)


@program((3, X))
def classes_and_functions(n, x):
    return f"{int} {type(n)} {type(x)} {np.float32} {len} {np.add} {range(3)} {slice(1, n)} {...}"


@program((1,), (2,))
def same_list_by_two_names(n):
    a = [n]
    b = [a, a]
    print(b)
    a.append(1)
    print(b, a)
    b[0].append(2)
    return b, a, f"{b}"


@program((3,))
def containers_in_themselves(n):
    a = [n]
    a.append(a)
    d = {"k": n}
    d["d"] = d
    return f"{a}", f"{d}", repr([a, (d,)])


@program(([1, 2], {"a": 1}, (1, 2.5)))
def arguments(a, d, t):
    s = f"{a} {d} {t}"
    a.append(3)
    d["b"] = 4
    print(a, d)
    return s, f"{a} {d} {t}", str(a)


# --- order ----------------------------------------------------------------------------------------


@program((X,))
def fields_are_shown_in_order(x):
    def grow():
        x[0] += 1.0
        return 1

    return (
        f"{x} {grow()} {x}",
        f"{x[0]} {grow()} {x}",
        "{} {} {}".format(x, grow(), x),
        "%s %s %r" % (x, grow(), x),
        "%s %d %s" % (x, grow(), x),
    )


@program((3,))
def list_changes_between_fields(n):
    a = [n]
    return f"{a}{a.append(7)}{a} {a!r:{a.append(8) or 12}}", a


@program((3,), (0,))
def unbound_name_in_a_text(n):
    if n > 1:
        k = 5
    return f"{n} {k}"


@program((3,), (0,))
def error_in_a_field(n):
    return f"{[n]} {1 // n}"


# --- specs and templates that don't fit -----------------------------------------------------------


def _failing(*functions):
    for function in functions:
        program((3,))(function)


def bad_spec(n):
    return f"{n:zz}"


def bad_spec_of_a_constant(n):
    print("before", n)
    return f"{3:zz}"


def spec_of_a_list(n):
    return f"{[n]:>3}"


def spec_of_none(n):
    return f"{None:>3}", n


def field_too_many(n):
    return "{} {}".format(n)


def name_that_is_missing(n):
    return "{a}".format(b=n)


def numbered_and_not(n):
    return "{} {0}".format(n)


def lonely_brace(n):
    return "{} }".format(n)


def unknown_conversion(n):
    return "{!x}".format(n)


def too_few_for_percent(n):
    return "%d %d" % (n,)


def too_many_for_percent(n):
    return "%d" % (n, n)


def text_for_a_number(n):
    return "%d %d" % (n, "a")


def array_with_a_spec(n):
    return f"{np.zeros(n):.2f}"


_failing(
    bad_spec,
    bad_spec_of_a_constant,
    spec_of_a_list,
    spec_of_none,
    field_too_many,
    name_that_is_missing,
    numbered_and_not,
    lonely_brace,
    unknown_conversion,
    too_few_for_percent,
    too_many_for_percent,
    text_for_a_number,
    array_with_a_spec,
)


# --- other ways -----------------------------------------------------------------------------------


@program((3, 2.5, True, 1j))
def percent(n, x, b, z):
    return (
        "%d%% %5.2f|%-8s|%r" % (n, x, n, "a"),
        "%s %s" % (b, z),
        "%s|%s" % ([n, x], {"a": n}),
        "%(a)d-%(b)s %%" % {"a": n, "b": x},
        "%c %x %o %e" % (n, n, n, x),
        "%*d %.*f" % (n, 5, n, x),
        "%s" % None,
        "%s" % (None,),
    )


@program((3, 2.5, X))
def format_method(n, x, a):
    return (
        "{} {}".format(n, x),
        "{1} {0}".format(n, x),
        "{a:>{w}}|{d[k]}|{s[0]}".format(a=n, w=5, d={"k": x}, s=[n]),
        "{{}} {!r} {!s}".format("a", n),
        "{0:{1}.{2}f} {3.shape[0]}".format(x, n + 5, n, a),
        "{x} {x}".format(**{"x": n}),
        format(x, ".1f") + format(n) + format(n, ">5"),
    )


@program((3, "ab"))
def texts(n, s):
    return f"{s} {s!r} {s:>5} {s!a} {n:{n}}", str(s), repr(s), format(s, ">4"), s + "x"


@program((3,))
def calls_of_str(n):
    known = str(), str(object=n), str(b"ab", "utf-8"), repr("a"), str(None), str(int), repr(1.0)
    return known, str(n), str("a"), str(True), str(n > 2)


# --- print ----------------------------------------------------------------------------------------


@program((3, 2.5, X, np.float64(1.5), np.int64(3)))
def prints(n, x, a, f, i):
    print()
    print(n, x, a, f, i)
    print(n, end="")
    print("", n, sep="|")
    print([n, x, a], (f, i), {"a": f}, None, True, ..., int, 1j, b"ab")
    print("a", "b", n, sep="", end="\n\n")
    print(sep="x", end="y\n")
    print(n, sep=None, end=None, file=None, flush=True)
    print(*[n, x], sep="\n")


@program((3, "-", "!\n"), (1, "", ""))
def separators_of_run_time(n, sep, end):
    print(n, 2, "a", sep=sep, end=end)
    print(sep=sep, end=end)
    print(n, sep=sep)
    print(n, end=sep)


@program((3,))
def separator_that_is_no_text(n):
    print("before")
    print(n, sep=3)


@program((HUGE,))
def print_until_an_error(n):
    print("a", 1, n)


@program((HUGE,))
def print_a_list_until_an_error(n):
    print("a", [1], [n])


@program((3, 2.5), (0, 1.0))
def prints_in_branches(n, x):
    s = f"big {n}" if n > 1 else "small"
    a = [n]
    if x > 2:
        print(s, a)
        a.append(4)
    b = a
    b.append(5)
    print(a)
    return s, a


@program((3, 2.5), (0, 1.0))
def prints_in_loops(n, x):
    out, s = [], ""
    for i in range(n):
        print("step", i, x * i, out)
        out.append(i)
        s = s + f"{i},"
    return s, out


@pytest.mark.parametrize("item", program.table, ids=name_of)
def test_text_is_as_in_cpython(item):
    assert_same(item)
