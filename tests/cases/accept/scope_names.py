"""Names and scopes: whose variable a name is, when it is read, what is bound when."""

from __future__ import annotations

import math

import numpy as np

from staticpy import f64
from tests.support.cases import case

LIMIT = 3
SCALES = [1.0, 2.0]


# A parameter, a local, a nested local and a global of one name.
@case((1.0,))
def one_name_on_four_levels(LIMIT: float):
    def inner():
        LIMIT = 10
        return -LIMIT

    def outer():
        return LIMIT

    return LIMIT, inner(), outer(), read_the_global()


def read_the_global():
    return LIMIT


# `nonlocal` of a run-time value that changes its type.
@case((3,), (0,))
def nonlocal_widens(n: int):
    total = 0

    def add(x):
        nonlocal total
        total = total + x

    for i in range(n):
        add(i / 2)
    return total


# A list of the outer function needs no `nonlocal`.
@case((3,), (1,))
def outer_list(n: int):
    seen = []

    def remember(x):
        seen.append(x)
        return len(seen)

    counts = [remember(i * n) for i in range(3)]
    return seen, counts


# The variable of a comprehension doesn't leak; that of a loop does.
@case((4,), (0,))
def leaks(n: int):
    i = -1
    squares = [i * i for i in range(n)]
    after = i
    for i in range(n):  # noqa: B007
        pass
    return squares, after, i


# A walrus in a comprehension does leak.
@case((np.array([1.0, 5.0, 2.0]),), (np.array([9.0]),))
def walrus_leaks(x: f64["n"]):
    last = None
    kept = [y for v in x if (y := v * 2) > 3]
    last = y
    return kept, last


# A name that is deleted is unbound; bound again it is another one.
@case((1,), (-1,))
def deleted_names(n: int):
    value = n
    if n > 0:
        del value
        value = "again"
    return value


# A local that hides a builtin.
@case((3, 4))
def hidden_builtins(a: int, b: int):
    max = min  # noqa: A001
    sum = a - b  # noqa: A001
    return max(a, b), sum, len([a, b])


# A global list, read at each call.
@case((1,), (0,), (5,))
def global_list(i: int):
    return SCALES[i] * 2


# The function's own name inside it.
@case((4,), (1,))
def own_name(n: int):
    return n if n <= 1 else n + own_name(n - 2)


# Class attributes are not in the scope of methods; they are reached through the class.
class Scaled:
    factor = 2

    def plain(self, x):
        return x * self.factor

    @classmethod
    def through_the_class(cls, x):
        return x * cls.factor

    @staticmethod
    def through_the_name(x):
        return x * Scaled.factor


@case((1.5,))
def attributes_of_a_class(x: float):
    s = Scaled()
    s.factor = 3
    return s.plain(x), s.through_the_class(x), Scaled.through_the_name(x)


# Closures in a list see the last value, with a default the one of their round.
@case((10,))
def late_and_early(n: int):
    late = [lambda: n + k for k in range(3)]  # noqa: B023
    early = [lambda k=k: n + k for k in range(3)]
    return [f() for f in late], [f() for f in early]


# A variable that a nested function reads is assigned after the definition.
@case((1,), (-1,))
def assigned_later(n: int):
    def value():
        return later * 2

    if n > 0:
        later = n
    else:
        later = n
        later -= 0.5
    return value()


# ... or not at all: a NameError of the free variable.
@case((1,), (-1,))
def perhaps_never_assigned(n: int):
    def value():
        return later

    if n > 0:
        later = n
    try:
        return value()
    except NameError:
        return "unbound"


# Private names of a class are mangled.
class Account:
    def __init__(self, start):
        self.__balance = start

    def pay(self, amount):
        self.__balance += amount
        return self.__balance


@case((5, 2.5))
def private_names(start, amount):
    account = Account(start)
    account.pay(amount)
    return account.pay(-1), hasattr(account, "__balance"), account._Account__balance


# --- imports in functions -------------------------------------------------------------------------


@case((4.0,))
def imports_of_several_forms(x: float):
    import math
    import numpy.linalg as la
    from functools import reduce
    from math import pi, sqrt
    from operator import add

    return math.sin(x), sqrt(x), la.norm(np.array([x, 1.0])), pi, reduce(add, [x, x])


# Which module it is depends on a run-time value.
@case((4.0,), (-4.0,))
def module_of_a_branch(x: float):
    if x > 0:
        import math as m
        from math import floor as rounded
    else:
        import cmath as m
        from math import ceil as rounded
    return m.sqrt(x), rounded(x)


@case((4.0,))
def module_that_is_missing(x: float):
    try:
        import no_module_has_this_name
    except ImportError:
        return x
    return no_module_has_this_name.f(x)


@case((4.0,))
def name_that_a_module_lacks(x: float):
    try:
        from math import no_function_has_this_name as f
    except ImportError:
        from math import sqrt as f
    return f(x)


@case((3,), (0,))
def import_in_a_loop(n: int):
    total = 0.0
    for i in range(n):
        from math import sin

        total += sin(i)
    return total


@case((4.0,))
def modules_are_one(x: float):
    import math as first
    import math as second

    import numpy

    return first is second, numpy is np, first is np, x
