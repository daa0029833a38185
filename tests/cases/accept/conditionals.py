"""`if`, `elif`, `else` and conditional expressions over values known only at run time."""

from __future__ import annotations

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([1.0, -2.0, 3.0])
Y = np.array([10.0, 20.0, 30.0])


# A variable that both branches set.
@case((3,), (-3,), (0,))
def both_branches(n: int):
    if n > 0:
        value = n * 2
    else:
        value = -n
    return value


# `if` without `else`.
@case((3,), (-3,))
def one_branch(n: int):
    value = n
    if n < 0:
        value = -n
    return value


# `elif` takes the first that holds.
@case((-5,), (0,), (5,), (50,))
def elif_chain(n: int):
    if n < 0:
        kind = -1
    elif n == 0:
        kind = 0
    elif n < 10:
        kind = 1
    else:
        kind = 2
    return kind


# Conditions after the first that holds are not evaluated.
@case((0,), (3,), (-3,))
def elif_conditions_are_lazy(n: int):
    if n == 0:
        return 0
    elif 10 // n > 2:
        return 1
    return 2


# Branches inside branches.
@case((1, 1), (1, -1), (-1, 1), (-1, -1))
def nested_branches(a: int, b: int):
    if a > 0:
        if b > 0:
            quadrant = 1
        else:
            quadrant = 4
    else:
        quadrant = 2
        if b < 0:
            quadrant += 1
    return quadrant


# Several variables, some set in one branch only but bound before.
@case((2.0,), (-2.0,))
def several_variables(x: float):
    low, high = 0.0, 1.0
    if x > 0.0:
        high = x
    else:
        low = x
    return low, high, high - low


# A branch on an array's scalar, arrays as results.
@case((X, Y), (Y, X))
def arrays_from_branches(x: f64["n"], y: f64["n"]):
    if x.sum() > y.sum():
        z = x - y
    else:
        z = y * 2.0
    return z


# Branches of different shape, same rank.
@case((X, 1), (X, -1))
def branches_of_different_length(x: f64["n"], n: int):
    if n > 0:
        y = x[1:]
    else:
        y = np.concatenate([x, x])
    return y, y.sum()


# A branch may hand out an argument, the other a new array.
@case((X, 1), (X, -1))
def branch_returns_an_argument_or_a_copy(x: f64["n"], n: int):
    if n > 0:
        y = x
    else:
        y = x + 0.0
    return y


# Early return in one branch.
@case((3,), (-3,))
def early_return(n: int):
    if n > 0:
        return n
    return n * n


# Every branch returns.
@case((3,), (-3,), (0,))
def all_branches_return(n: int):
    if n > 0:
        return 1
    elif n < 0:
        return -1
    else:
        return 0


# Returns among other statements.
@case((0.0,), (0.5,), (2.0,), (-1.0,))
def returns_between_statements(x: float):
    if x < 0.0:
        return 0.0
    y = x * 2.0
    if y > 2.0:
        return 2.0
    y += 0.25
    return y


# A conditional expression evaluates one side.
@case((0,), (4,))
def conditional_expression_is_lazy(n: int):
    return 100 // n if n != 0 else -1


# Conditional expressions in conditional expressions.
@case((-1,), (0,), (1,))
def nested_conditional_expressions(n: int):
    return "negative" == "zero" if n is None else (1 if n > 0 else (0 if n == 0 else -1))


# A conditional expression as operand and as argument.
@case((X, 1), (X, 0))
def conditional_expression_as_operand(x: f64["n"], n: int):
    return x * (2.0 if n else 3.0) + np.sum(x if n else -x)


# The condition may be a NumPy scalar.
@case((np.float64(0.5),), (np.float64(-0.5),))
def condition_is_a_numpy_bool(x: np.float64):
    if x > 0:
        return x
    return -x


# ... or an array with one element; an array with several: ValueError.
@case((np.array([1.0]),), (np.array([0.0]),), (X,))
def condition_is_an_array(x: f64["n"]):
    if x:
        return 1
    return 0


# ... or a number, a NaN being true.
@case((0.0,), (float("nan"),), (-0.0,), (1e-300,))
def condition_is_a_float(x: float):
    if x:
        return True
    return False


# A condition that is known while compiling takes its branch, whatever the other holds.
@case((X,))
def condition_known_while_compiling(x: f64["n"]):
    use_mean = True
    if use_mean:
        result = x.mean()
    else:
        result = x.nothing_of_that_name
    return result


# The rank of an argument is known: a branch on it is no branch of the graph.
@case((X,), (np.ones((2, 3)),))
def branch_on_the_rank(x):
    if x.ndim == 1:
        return x.sum()
    return x.sum(axis=1)


# The length is known at run time only.
@case((X,), (np.array([1.0]),), (np.array([], dtype=np.float64),))
def branch_on_the_length(x: f64["n"]):
    if len(x) > 1:
        return x[1]
    return np.float64(0.0)


# `pass` does nothing.
@case((1,), (-1,))
def branch_that_does_nothing(n: int):
    if n > 0:
        pass
    else:
        n = 0
    return n


# An `if` inside a function that is called.
def sign(n):
    if n > 0:
        return 1
    if n < 0:
        return -1
    return 0


@case((4, -4), (0, 9))
def branches_in_a_called_function(a: int, b: int):
    return sign(a), sign(b), sign(a) * sign(b)


# The value of a branch may be a tuple.
@case((1, 2), (2, 1))
def tuples_from_branches(a: int, b: int):
    pair = (a, b) if a < b else (b, a)
    low, high = pair
    return pair, high - low


# Integers and bits as conditions.
@case((6,), (9,), (0,))
def condition_on_a_bit(n: int):
    if n & 1:
        return 3 * n + 1
    return n // 2


# Elementwise choice is np.where, which evaluates both sides.
@case((np.array([-1, 0, 4]),))
def where_evaluates_both_sides(x: i64["n"]):
    return np.where(x > 0, x * 2, -x)
