"""`try`: handlers of run-time errors, `else`, `finally`, in loops and in functions."""

from __future__ import annotations

import numpy as np

from staticpy import f64
from tests.support.cases import case

X = np.array([0.5, -1.0, 2.0])


# A handler binds another value.
@case((6, 2), (6, 0))
def division_with_a_handler(a: int, b: int):
    try:
        result = a // b
    except ZeroDivisionError:
        result = -1
    return result


# The value is of another type.
@case((6, 2), (6, 0))
def handler_of_another_type(a: int, b: int):
    try:
        result = a / b
    except ZeroDivisionError:
        result = None
    return result


# What was bound before the error stays.
@case((6, 2), (6, 0), (0, 0))
def partial_progress(a: int, b: int):
    done = 0
    try:
        done = 1
        first = a // b
        done = 2
        second = b // a
        done = 3
    except ZeroDivisionError:
        pass
    return done


# A variable that only the body binds.
@case((6, 2), (6, 0))
def bound_in_the_body_only(a: int, b: int):
    try:
        value = a // b
    except ZeroDivisionError:
        a = 0
    return value + a


# The first handler that fits is taken.
@case((0, 1), (2, 1), (7, 1), (1, 0))
def several_handlers(i: int, b: int):
    items = (10, 20, 30)
    try:
        result = X[i] * (4 // b)
    except IndexError:
        result = -1.0
    except ZeroDivisionError:
        result = -2.0
    except (KeyError, ValueError):
        result = -3.0
    return result


# A tuple of classes.
@case((0, 0), (5, 1), (1, 1))
def tuple_of_classes(i: int, b: int):
    try:
        return X[i] / (1 // b)
    except (IndexError, ZeroDivisionError):
        return 0.0


# A base class catches its subclasses.
@case((0, 0), (5, 1), (1, 1))
def base_classes(i: int, b: int):
    try:
        return X[i] / (1 // b)
    except LookupError:
        return -1.0
    except ArithmeticError:
        return -2.0


# A bare `except`.
@case((0,), (2,))
def bare_except(n: int):
    try:
        n = 10 // n
    except:
        n = -1
    return n


# `except Exception as error`: its class, its text, its arguments.
@case((0,), (9,), (1,))
def caught_exception_is_read(i: int):
    try:
        value = X[i] / (1 // i)
        text = "none"
    except Exception as error:
        value = -1.0
        text = type(error).__name__
    return value, text


# The name of the exception is unbound after the handler.
@case((0,), (1,))
def name_is_unbound_after_the_handler(n: int):
    error = "before"
    try:
        n = 1 // n
    except ZeroDivisionError as error:
        n = -1
    return n, error


# A handler for something else lets it through.
@case((0,), (1,))
def no_handler_fits(n: int):
    try:
        n = 1 // n
    except (IndexError, KeyError):
        n = -1
    return n


# else: where the body raised nothing.
@case((0,), (2,))
def try_with_else(n: int):
    log = []
    try:
        value = 10 // n
    except ZeroDivisionError:
        log.append("error")
        value = 0
    else:
        log.append("fine")
        value += 1
    log.append(value)
    return log


# An error in the else isn't caught here.
@case((1, 0), (0, 0), (1, 1))
def error_in_the_else(a: int, b: int):
    try:
        value = 10 // a
    except ZeroDivisionError:
        value = -1
    else:
        value = value // b
    return value


# finally runs in any case.
@case((0,), (2,))
def finally_runs_always(n: int):
    log = []
    try:
        try:
            log.append(10 // n)
        finally:
            log.append("finally")
    except ZeroDivisionError:
        log.append("handled")
    return log


# finally before a return.
@case((3,), (-3,))
def finally_before_a_return(n: int):
    log = []

    def run():
        try:
            if n > 0:
                return n
        finally:
            log.append("left")
        return -n

    return run(), log


# finally changes a value that was already taken for the return.
@case((1,))
def value_of_a_return_is_taken_first(n: int):
    def run():
        value = n
        try:
            return value
        finally:
            value += 10

    return run()


# try, except, else, finally together.
@case((0,), (5,), (2,))
def all_parts(n: int):
    log = []
    try:
        log.append("try")
        item = (7, 8, 9)[n] if n < 3 else X[n]
        part = 1 // n
    except ZeroDivisionError:
        log.append("zero")
    except IndexError:
        log.append("index")
    else:
        log.append("else")
    finally:
        log.append("finally")
    return log


# try in a loop: each round is on its own.
@case((X, 4), (X, 0))
def try_in_a_loop(x: f64["n"], n: int):
    total = 0.0
    errors = 0
    for i in range(n + 1):
        try:
            total += float(x[i])
        except IndexError:
            errors += 1
    return total, errors


# break, continue and return out of a try.
@case((0,), (1,), (2,), (9,))
def exits_out_of_a_try(n: int):
    log = []
    for i in range(4):
        try:
            if i == n:
                break
            if i % 2:
                continue
            log.append(12 // (i - 2))
        except ZeroDivisionError:
            log.append("zero")
            if n > 5:
                return log, i
        finally:
            log.append(i)
    return log, -1


# A loop in a try: it ends at the error.
@case((5,), (2,), (0,))
def loop_in_a_try(n: int):
    total = 0
    try:
        for i in range(n):
            total += 6 // (3 - i)
    except ZeroDivisionError:
        total = -total
    return total, n


# A `while` that tries until it works.
@case((1,), (3,))
def tries_until_it_works(n: int):
    attempts = 0
    while True:
        attempts += 1
        try:
            result = 12 // (attempts - n)
            break
        except ZeroDivisionError:
            n -= 1
    return attempts, result, n


# Handlers that raise something else.
@case((0,), (2,))
def handler_raises(n: int):
    try:
        value = 10 // n
    except ZeroDivisionError:
        raise ValueError("n must not be 0")
    return value


# A handler raises again.
@case((0,), (2,))
def raised_again(n: int):
    log = []
    try:
        try:
            log.append(10 // n)
        except ZeroDivisionError:
            log.append("first")
            raise
    except ArithmeticError:
        log.append("second")
    return log


# Handlers inside of handlers.
@case((0, 0), (0, 2), (2, 0))
def nested_handlers(a: int, b: int):
    try:
        value = 10 // a
    except ZeroDivisionError:
        try:
            value = 100 // b
        except ZeroDivisionError:
            value = -1
    return value


# A handler of no class catches nothing.
@case((2,), (0,))
def no_class_to_catch(n: int):
    try:
        found = 6 // n
    except ():
        return -1
    else:
        found += 1
    return found
# What a caught exception was given, as a number.
@case((3,), (0,), (-1,), (2**70,))
def arguments_as_numbers(n: int):
    try:
        if n <= 0:
            raise ValueError(n, "12")
        raise KeyError("x", n)
    except ValueError as error:
        return int(error.args[0]) * 10 + int(error.args[1]), float(error.args[0]) / 2
    except KeyError as error:
        try:
            return int(error.args[0])
        except ValueError:
            return complex(error.args[1])
