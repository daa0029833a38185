"""Variables whose type changes: int to float to array, None or a value, by branch and by round."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])
M = np.array([[1.0, 2.0], [3.0, -4.0]])
K = np.array([3, -1, 2])


# An int before the loop, a float in it.
@case((4, 0.5), (0, 0.5), (1, 2.0))
def int_becomes_float(n: int, x: float):
    total = 0
    for _ in range(n):
        total += x
    return total


# An int before the loop, an array in it.
@case((X, 3), (X, 0))
def int_becomes_array(x: f64["n"], n: int):
    total = 0
    for i in range(n):
        total = total + x * i
    return total


# `+=` on what is an int first and an array then.
@case((X, 3), (X, 1), (X, 0))
def augmented_int_becomes_array(x: f64["n"], n: int):
    total = 0
    for _ in range(n):
        total += x
    return total


# None first, a value after the first round.
@case((X,), (X[:0],))
def none_becomes_value(x: f64["n"]):
    best = None
    for value in x:
        if best is None or value > best:
            best = value
    return best


# None first, an array after.
@case((X, 3), (X, 0))
def none_becomes_array(x: f64["n"], n: int):
    last = None
    for i in range(n):
        last = x * i if last is None else last + x
    return last


# None, an index and a value.
@case((X, 1.0), (X, 9.0))
def index_or_none(x: f64["n"], limit: float):
    where = None
    for i, value in enumerate(x):
        if value > limit:
            where = i
            break
    if where is not None:
        return x[where], where
    return None, -1


# A value that is an int, a float, a bool by turns.
@case((0,), (1,), (2,), (5,))
def type_of_the_round(n: int):
    value = 1
    for i in range(n):
        if i % 3 == 0:
            value = value * 2
        elif i % 3 == 1:
            value = value / 4
        else:
            value = value > 0.2
    return value


# int and float by a branch, then arithmetic.
@case((3,), (-3,), (0,))
def arithmetic_after_a_branch(n: int):
    if n > 0:
        value = n
    elif n < 0:
        value = n / 2
    else:
        value = 1j
    return value + 1, value * value, value == 3


# Rank 1 or rank 2 by a branch, returned.
@case((M, 1), (M, 0))
def ranks_by_branch(m: f64["m", "n"], flag: int):
    if flag:
        result = m.sum(axis=0)
    else:
        result = m
    return result


# An array or a number by a branch.
@case((X, 1), (X, 0))
def array_or_number(x: f64["n"], flag: int):
    if flag:
        value = x
    else:
        value = 0.5
    return value * 2.0 + x


# A scalar of NumPy or of Python.
@case((X, 1), (X, 0))
def numpy_or_python(x: f64["n"], flag: int):
    value = x[0] if flag else 7
    return value / 2, value


# A dtype that changes.
@case((K, 1), (K, 0))
def dtypes_by_branch(k: i64["n"], flag: int):
    values = k
    if flag:
        values = k / 2
    return values + 1, values[0]


# A dtype that changes in a loop.
@case((K, 2), (K, 0))
def dtype_changes_in_a_loop(k: i64["n"], n: int):
    for _ in range(n):
        k = k * 0.5
    return k


# A tuple or None.
@case((5,), (-5,))
def tuple_or_none(n: int):
    pair = (n, n * 0.5) if n > 0 else None
    if pair is None:
        return 0
    a, b = pair
    return a + b


# Tuples with other types at one place.
@case((1,), (0,))
def tuples_by_branch(n: int):
    if n:
        pair = (n, 0.5)
    else:
        pair = (0.25, n)
    return pair, pair[0] + pair[1]


# A list or a tuple.
@case((1,), (0,))
def list_or_tuple(n: int):
    result = [n, 2] if n else (n, 2)
    return result, result[1]


# A list whose items change their type.
@case((4,), (1,), (0,))
def list_of_several_types(n: int):
    items = []
    for i in range(n):
        items.append(i if i % 2 else i / 2)
    return items, sum(items)


# A value of a dict that changes its type.
@case((3,), (0,))
def dict_value_changes(n: int):
    state = {"count": 0, "last": None}
    for i in range(n):
        state["count"] += 0.5
        state["last"] = i
    return state


# An attribute that changes its type.
class Meter:
    def __init__(self):
        self.value = 0
        self.last = None

    def add(self, x):
        self.value += x
        self.last = x


@case((X,), (X[:0],))
def attribute_changes(x: f64["n"]):
    meter = Meter()
    for value in x:
        meter.add(float(value))
    return meter.value, meter.last


# A text or a number.
@case((1,), (-1,))
def text_or_number(n: int):
    result = "positive" if n > 0 else n
    return result


# A flag that is None, True or False.
@case((1,), (0,), (-1,))
def three_valued_flag(n: int):
    flag = None
    if n > 0:
        flag = True
    elif n < 0:
        flag = False
    if flag is None:
        return "unknown"
    return "yes" if flag else "no"


# None in arithmetic raises TypeError at run time.
@case((1,), (0,))
def none_in_arithmetic(n: int):
    value = None
    if n:
        value = 3
    return value + 1


# None is compared.
@case((1,), (0,))
def none_is_compared(n: int):
    value = n if n else None
    return value == 1, value != None, value is None, bool(value), value or 5


# None has no order.
@case((1,), (0,))
def none_has_no_order(n: int):
    value = n if n else None
    return value > 0


# A function that gives None or a pair.
def divided(a, b):
    if b == 0:
        return None
    return a // b, a % b


@case((7, 2), (7, 0))
def none_or_a_pair(a: int, b: int):
    result = divided(a, b)
    if result:
        q, r = result
        return q * 10 + r
    return -1


@case((7, 2), (7, 0))
def none_is_unpacked(a: int, b: int):
    q, r = divided(a, b)
    return q + r


# Results of several kinds from one function.
def classified(n):
    if n < 0:
        return None
    if n == 0:
        return "zero"
    if n < 3:
        return n * 0.5
    return [n, n + 1]


@case((-1,), (0,), (2,), (3,))
def several_kinds_of_results(n: int):
    return classified(n)


# int grows past 64 bits, or becomes a float.
@case((70, 0), (70, 1), (3, 1))
def big_int_or_float(n: int, flag: int):
    value = 1
    for _ in range(n):
        value = value * 2
        if flag:
            value = value + 0.5
    return value


# A bool that becomes an int, by `+=` and by `|=`.
@case((3,), (0,))
def bool_becomes_int(n: int):
    flag = False
    total = flag
    for i in range(n):
        total += True
        flag |= i > 1
    return total, flag


# A Python float that becomes NumPy's.
@case((X,), (X[:0],))
def python_float_becomes_numpy_scalar(x: f64["n"]):
    product = 1.0
    for value in x:
        product = product * value
    return product, product / 2.0


# An int that becomes complex.
@case((3,), (0,))
def int_becomes_complex(n: int):
    z = 1
    for _ in range(n):
        z = z * 1j + 1
    return z


# A scalar becomes an array by broadcasting, and stays one.
@case((X, 2), (X, 0))
def broadcast_by_a_loop(x: f64["n"], n: int):
    y = 1.0
    for _ in range(n):
        y = y + x[:, None]
    return y


# An array whose size changes from round to round.
@case((np.arange(16.0),), (np.arange(3.0),), (np.arange(1.0),))
def size_changes(x: f64["n"]):
    while len(x) > 1:
        half = len(x) // 2
        x = x[:half] + x[half : 2 * half]
    return x


# isinstance of what changes.
@case((4,), (-3,))
def asked_at_run_time(n: int):
    value = n if n > 0 else X
    if isinstance(value, np.ndarray):
        return value.sum()
    return value * 10


# ... and used by an operation that takes both.
@case((M, 1), (M, 0))
def ranks_used_later(m: f64["m", "n"], flag: int):
    result = m if flag else m[0]
    result = result * 2.0
    return result + 1.0, result.sum()


# Tuples of other lengths.
@case((1,), (0,))
def tuples_of_other_lengths(n: int):
    result = (n, n) if n else (n, n, n)
    return result, len(result)


# Attributes, methods and functions of an array of either rank.
@case((M, 1), (M, 0))
def methods_of_either_rank(m: f64["m", "n"], flag: int):
    r = m if flag else m[0]
    return (
        r.T,
        r.shape,
        r.ndim,
        r.reshape(-1),
        r.mean(axis=0),
        np.exp(r),
        r[0],
        len(r),
        r.size,
        r.copy(),
        r.dtype,
    )


# A NumPy scalar or an array: both have the method.
@case((1,), (0,))
def scalar_or_array_method(n: int):
    r = np.float64(2.0) if n else np.ones(3)
    return r.sum(), r.shape, r.ndim


# Operators and builtins on a tuple of either length.
@case((1,), (0,))
def operators_of_tuples_of_either_length(n: int):
    r = (1, 2) if n else (1, 2, 3)
    t = 0
    for x in r:
        t += x
    return t, sum(r), r[-1], r + (5,), r[0], r == (1, 2), 3 in r, max(r)


# The length says which of the tuples it is.
@case((1,), (0,))
def length_says_which_tuple(n: int):
    t = (1, 2, 3) if n else (4.0, 5)
    if len(t) == 2:
        a, b = t
        return a + b
    a, b, c = t
    return a * b * c


# The number of axes says which rank it is; after the test there is one rank.
@case((M, 1), (M, 0))
def number_of_axes_says_which_rank(m: f64["m", "n"], flag: int):
    r = m if flag else m[0]
    if r.ndim == 1:
        r = r[None, :]
    return r.sum(axis=1), r[0, 1]


# ... in a condition of several parts.
@case((M, 1), (M, 0))
def number_of_axes_in_a_condition(m: f64["m", "n"], flag: int):
    r = m if flag else m[0]
    if r.ndim > 1 and r[0, 0] > -1:
        return r[1, 1]
    return r[1]


# ... before an early return.
@case((M, 1), (M, 0))
def ranks_told_apart_by_axes(m: f64["m", "n"], flag: int):
    r = m if flag else m[0]
    if r.ndim == 2:
        return r.sum(axis=1)
    return r


# A text or None: methods, operators, membership.
@case((1,), (0,), (2,))
def text_or_none(n: int):
    s = "ab" if n else None
    return s.upper() if s else "", (s or "x") + "y", s == "ab", s != "ab", s in ("ab", None)


# A list or None: a method writes to the list.
@case((1,), (0,), (2,))
def list_or_none(n: int):
    x = [1] if n else None
    if x is not None:
        x.append(n)
    y = x or []
    y.append(5)
    return x, y


# A text or a number is compared with both.
@case((1,), (0,), (2,))
def text_or_number_compared(n: int):
    s = "ab" if n else 3
    return s == "ab", s == 3, s != 3, "ab" == s


# An operator that one of the types lacks: TypeError on that path.
@case((1,), (0,), (2,))
def text_or_number_added(n: int):
    s = "ab" if n == 1 else 4
    return s + "c"


# An operator that means something else for each type.
@case((1,), (0,), (2,))
def text_tuple_or_number_repeated(n: int):
    s = "ab" if n == 1 else (1, 2) if n == 2 else 4
    return s * 3


def three_types(n):
    if n == 0:
        return None
    if n == 1:
        return 1.5
    return 1, 2


# A helper that returns None, a float or a tuple.
@case((1,), (0,), (2,))
def results_of_three_types(n: int):
    r = three_types(n)
    if r is None:
        return 0
    if isinstance(r, tuple):
        return r[0] + r[1]
    return r * 2


# A function or None that is called: TypeError on that path.
@case((1,), (0,), (2,))
def function_or_none_called(n: int):
    f = abs if n else None
    return f(-3)


# ... called where it is one.
@case((1,), (0,))
def function_or_none_guarded(n: int):
    f = abs if n else None
    return f(-3) if f else 0


# A dtype that a branch chooses.
@case((1,), (0,))
def dtype_by_a_branch(n: int):
    a = np.zeros(3, dtype=np.float32 if n else np.int64)
    return a, a + 1, a.dtype


# An array of either dtype: writes, casts, masks, reductions.
@case((1,), (0,), (2,))
def array_of_either_dtype(n: int):
    a = np.arange(3) if n else np.arange(3.0)
    a[0] = 7.9
    b = a.astype(np.float32)
    c = a.copy()
    c *= 2
    return (
        a.dtype,
        a / 2,
        b,
        c,
        a.tolist(),
        a.max(),
        np.concatenate([a, a]),
        a[a > 1],
        a[::-1],
        list(a),
        a.dtype == np.int64,
        np.zeros_like(a),
        np.where(a > 1, a, 0),
    )


# A list or an array: what both can do.
@case((1,), (0,))
def list_or_array(n: int):
    a = [1, 2, 3] if n else np.arange(3)
    return len(a), sum(a), a[1], [x * 2 for x in a], np.sum(a), np.asarray(a), a


# A test of the type below a test for None.
@case((1,), (0,), (2,))
def tests_below_tests(n: int):
    r = None if n == 0 else 1.5 if n == 1 else (1, 2)
    if r is not None:
        if isinstance(r, tuple):
            return r[0] + r[1]
    return 3


# '+=' of a list writes to it, of a number makes another one: which it is, the path says.
@case((6, [0]), (2, [0]))
def none_then_a_list_that_grows(n, items):
    v = None
    for i in range(n):
        if i == 2:
            v = items
        if i > 2:
            v += [i]
    return v, items


@case((5, ["c"]), (1, ["c"]))
def text_then_a_list_that_grows(n, items):
    v = "a"
    for i in range(n):
        if i == 2:
            v = items
        v += "b"
    return v, items


@case((np.ones(1), [0]), (np.ones(0), [0]))
def a_list_or_a_number_that_cannot_grow(x, items):
    for _ in range(len(x)):
        items.pop()
        items = 1
    items += [1]
    return items


# None on a path that the program never takes behind a flag: an item, a loop, a number of it.
@case((3,), (0,))
def none_behind_a_flag(n: int):
    best, found = None, False
    for i in range(n):
        if i % 2:
            best, found = [i, i + 1], True
    if not found:
        return -1
    total = best[0]
    for item in best:
        total += item
    return total, best[1:], [item + 1 for item in best], list(best), 2 in best


# The path is taken: TypeError.
@case((3,), (0,))
def item_of_none(n: int):
    best = None
    for i in range(n):
        best = (i, i + 0.5)
    return best[0]


@case((3,), (0,))
def loop_over_none(n: int):
    best = None
    for i in range(n):
        best = np.arange(i)
    total = 0
    for item in best:
        total += item
    return total


@case((3, "abs"), (0, "abs"), (3, "float"), (0, "float"), (0, "round"), (0, "divmod"))
def number_of_none(n: int, name):
    best = None
    for i in range(n):
        best = i * -0.5
    if name == "abs":
        return abs(best)
    if name == "float":
        return float(best)
    if name == "divmod":
        return divmod(best, 2)
    return round(best)


# What a handler reads of the message is Python's own.
@case((3,), (0,))
def said_of_none(n: int):
    best = None
    for i in range(n):
        best = [i]
    try:
        return best[0]
    except TypeError as error:
        return str(error)


# Two attributes that are set together, one of which is asked for.
class Averages:
    def __init__(self):
        self.first, self.second = None, None

    def update(self, x):
        if self.first is None:
            self.first = [0.0 for _ in x]
            self.second = [0.0 for _ in x]
        for i, value in enumerate(x):
            self.first[i] = 0.5 * self.first[i] + value
            self.second[i] = 0.5 * self.second[i] + value * value


@case((3,), (0,))
def set_together(n: int):
    averages = Averages()
    for i in range(n):
        averages.update([1.0, float(i)])
    return averages.first, averages.second


# A number or an array: the program knows where it has which.
@case((np.array([3.0, 4.0]), True), (np.array([3.0, 4.0]), False), (np.array([]), True))
def items_of_an_array_or_a_number(x: f64["n"], flag: bool):
    pair = [x, x.sum()]
    chosen = pair[0] if flag else pair[1]
    if flag:
        chosen[:1] = 7
        return chosen[1:], len(chosen), x
    return chosen + 1, x


# A number has no items, no length, and takes none.
@case((2, "item"), (2, "length"), (2, "store"), (0, "item"), (0, "length"), (0, "store"))
def items_of_a_number(n: int, what):
    values = [np.ones(2), 1.5, np.float64(2.5), 3]
    chosen = values[0]
    for i in range(n):
        chosen = values[1 + i]
    try:
        if what == "item":
            return chosen[0]
        if what == "store":
            chosen[0] = 1.0
            return chosen
        return len(chosen)
    except (TypeError, IndexError) as error:
        return type(error), str(error)


# A text has items and a length, but takes none.
@case((2, "ab"), (0, "ab"), (0, ""))
def items_of_a_text_or_a_number(n: int, text):
    chosen = text
    for i in range(n):
        chosen = i * 0.5
    try:
        return len(chosen), chosen[:1], chosen[0]
    except (TypeError, IndexError) as error:
        return type(error), str(error)
