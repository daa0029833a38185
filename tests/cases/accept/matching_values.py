"""`match` on run-time numbers: literals, `|`, guards, captures, wildcards."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


class Code:
    OK = 0
    WARNING = 3
    LIMITS = (10, 20)


# Literals and a wildcard.
@case((0,), (1,), (2,), (-1,))
def literals(n: int):
    match n:
        case 0:
            return "zero"
        case 1:
            return "one"
        case -1:
            return "minus one"
        case _:
            return "other"


# No case fits: nothing happens.
@case((0,), (5,))
def no_case_fits(n: int):
    result = -1
    match n:
        case 0:
            result = 10
        case 1:
            result = 20
    return result


# Alternatives.
@case((1,), (4,), (6,), (9,))
def alternatives(n: int):
    match n:
        case 1 | 2 | 3:
            result = "low"
        case 4 | 5:
            result = "middle"
        case 6:
            result = "six"
        case _:
            result = "high"
    return result


# Guards, tried in order.
@case((7, 3), (6, 3), (-6, 3), (0, 0))
def guards(n: int, k: int):
    match n:
        case 0 if k == 0:
            return 100
        case 7 if k > 5:
            return 200
        case _ if n < 0:
            return 300
        case _ if n % k == 0:
            return 400
    return 500


# A capture binds, in the guard and after.
@case((7,), (-7,), (0,))
def captures(n: int):
    match n * 2:
        case 0:
            result = 0
        case value if value > 0:
            result = value + 1
        case other:
            result = -other
    return result


# What a failed guard has bound stays bound.
@case((7,), (3,))
def captured_before_a_failed_guard(n: int):
    match n:
        case value if value > 5:
            result = "big"
        case 3:
            result = "three"
    return result, value


# `as` binds what an alternative took.
@case((1,), (2,), (5,))
def alternative_with_a_name(n: int):
    match n:
        case (1 | 2) as low:
            return low * 10
        case high:
            return high


# Floats; an int equals a float.
@case((0.0,), (1.0,), (2.5,), (-0.0,), (float("nan"),))
def float_literals(x: float):
    match x:
        case 0:
            return "zero"
        case 1.0:
            return "one"
        case 2.5 | 3.5:
            return "half"
        case _:
            return "other"


# The subject is an int and the literal a float.
@case((1,), (2,))
def ints_and_floats(n: int):
    match n:
        case 1.0:
            return "one"
        case True:
            return "never"
        case 2:
            return "two"


# True and False are compared by identity, 1 and 0 by value.
@case((True,), (False,))
def bool_subject(flag: bool):
    match flag:
        case True:
            return "yes"
        case False:
            return "no"


@case((3,), (0,))
def comparison_as_a_subject(n: int):
    match n > 2:
        case 1:
            return "above"
        case _:
            return "not above"


@case((1,), (0,))
def singletons_are_compared_by_identity(n: int):
    match n:
        case True:
            return "True"
        case None:
            return "None"
        case 1:
            return "1"
        case _:
            return "other"


# None or a number.
@case((X, 1.0), (X, 9.0))
def none_or_a_number(x: f64["n"], limit: float):
    found = None
    for value in x:
        if value > limit:
            found = float(value)
    match found:
        case None:
            return -1.0
        case value:
            return value


# Values by a dotted name.
@case((0,), (3,), (4,))
def dotted_names(n: int):
    match n:
        case Code.OK:
            return "ok"
        case Code.WARNING:
            return "warning"
        case _:
            return "unknown"


# Negative and complex literals.
@case((-1.5,), (2.0,))
def negative_literals(x: float):
    match x:
        case -1.5:
            return 1
        case -2.0 | 2.0:
            return 2


@case((1 + 2j,), (0j,), (-3 - 1j,))
def complex_literals(z: complex):
    match z:
        case 0j:
            return "zero"
        case 1 + 2j:
            return "one"
        case -3 - 1j:
            return "two"


# A NumPy scalar as the subject.
@case((X, 0), (X, 2), (X, 1))
def numpy_scalar_as_a_subject(x: f64["n"], i: int):
    match x[i]:
        case 0.5:
            return "half"
        case value if value > 0.0:
            return value
        case _:
            return None


# Class patterns on numbers.
@case((3, 2.5), (-3, -2.5))
def classes_of_numbers(n: int, x: float):
    results = []
    for value in (n, x, n > 0, None):
        match value:
            case bool():
                results.append("bool")
            case int(i) if i > 0:
                results.append(i)
            case int() | float():
                results.append("number")
            case _:
                results.append("other")
    return results


# The class depends on a run-time value.
@case((4,), (-4,))
def class_at_run_time(n: int):
    value = n if n > 0 else n / 3
    match value:
        case int():
            return value * 2
        case float(x):
            return x * 3.0


# match in a loop, with break and continue.
@case((10,), (2,), (0,))
def match_in_a_loop(n: int):
    total = 0
    for i in range(n):
        match i % 5:
            case 0:
                continue
            case 1 | 2:
                total += i
            case 3 if total > 10:
                break
            case rest:
                total += rest * 100
    return total


# A state machine.
@case((7,), (1,), (0,))
def state_machine(n: int):
    state = 0
    trace = 0
    while n > 0:
        match state, n % 2:
            case 0, 0:
                state = 1
            case 0, 1:
                state = 2
                n -= 1
            case 1, _:
                n //= 2
                state = 0
            case 2, parity:
                trace += 10 + parity
                state = 0
        trace = trace * 3 % 10007 + state
    return trace, state


# match in match.
@case((1, 1), (1, 2), (2, 1), (3, 3))
def nested_match(a: int, b: int):
    match a:
        case 1:
            match b:
                case 1:
                    return 11
                case _:
                    return 10
        case 2:
            result = 20
        case _:
            match b:
                case 3:
                    result = 33
    return result


# The subject is evaluated once.
@case((3,), (0,))
def subject_is_evaluated_once(n: int):
    log = []

    def subject():
        log.append("subject")
        return n

    match subject():
        case 0:
            result = "zero"
        case 1 | 2:
            result = "small"
        case _:
            result = "large"
    return result, log


# A guard with an effect and an error.
@case((5, 0), (5, 2), (1, 0))
def guard_with_an_error(n: int, k: int):
    match n:
        case 1:
            return 0
        case 5 if n // k > 1:
            return 1
    return 2


# Each case binds a value of another type.
@case((0,), (1,), (2,))
def types_by_case(n: int):
    match n:
        case 0:
            value = 1
        case 1:
            value = 0.5
        case _:
            value = X[0]
    return value + 1


# A name bound in one case only.
@case((1,), (2,))
def bound_in_one_case(n: int):
    match n:
        case 1:
            value = n * 10
    return value


# Returns in all cases: what follows is never reached.
@case((1,), (5,))
def returns_in_all_cases(n: int):
    match n:
        case 1:
            return "one"
        case _:
            return "other"
    return "never"


# An array is written in one case.
@case((X.copy(), 0), (X.copy(), 1))
def writes_by_case(x, n):
    match n:
        case 0:
            x[0] = 10.0
        case 1:
            x *= 2.0
    return x.sum()


# The names match and case are ordinary.
@case((2,))
def soft_keywords(n: int):
    match = n + 1
    case = match * 2
    match case:
        case 6:
            return match, case
    return case
