"""Programs with ``try``; see ``programs``."""

from __future__ import annotations

import math

import numpy as np

from tests.autodiff.programs import X, differentiable


@differentiable((2.0,))
def caught_or_not(x):
    try:
        y = 1.0 / x
    except ZeroDivisionError:
        y = 3.0 * x
    return y * x * x


@differentiable((X, 1), (X, 7))
def an_index_out_of_range(x, i):
    try:
        y = x * 2
        z = y[i]
    except IndexError:
        y = x * 3
        z = x[0]
    return y.sum() * z


@differentiable((0.5,), (-0.5,))
def raised_by_the_program(x):
    try:
        if x < 0:
            raise ValueError("no")
        y = math.log(x)
    except ValueError as error:
        y = x * len(str(error))
    else:
        y = y * 2
    finally:
        w = x * x
    return y * w


@differentiable((X, np.array([0, 5, 1])), (X, np.array([], int)), (X, np.array([9])))
def caught_in_a_loop(x, places):
    total = x[2]
    for i in places:
        try:
            total = total + np.sin(x[i]) * total + x[i]
        except IndexError:
            total = total * 0.5 + x[0]
    return total + x[1]


@differentiable((2.0, 0), (2.0, 1), (2.0, 2))
def tries_in_tries(x, n):
    try:
        try:
            y = x * [1, 2][n]
            z = x**n / (n - 1)
        except ZeroDivisionError:
            z = x * 7
            y = x
    except IndexError:
        y = z = x * x
    return y * z


@differentiable((X, 3), (X, 9))
def caught_in_a_helper(x, n):
    def get(i):
        try:
            return x[i] * 2
        except IndexError:
            return 0.0

    return get(0) * get(n) + get(1)


@differentiable((X, 3), (X, 9))
def raised_again(x, n):
    try:
        try:
            y = x[n] * x[0]
        except IndexError as error:
            raise KeyError("a") from error
    except KeyError:
        y = x[1]
    return y * y


@differentiable((X, "2"), (X, "a"))
def stores_around_a_try(x, text):
    y = np.zeros(4)
    y[1:] = x[1:] * 2
    try:
        n = float(text)
        scratch = x.copy()
        scratch[0] = y[1] * n
        z = scratch * scratch
    except (ValueError, TypeError):
        y[0] = y[1] * x[0]
        z = y * x
    finally:
        y[2] = x[3] * y[3]
    return (y * z).sum()


@differentiable((X, 2))
def written_before_it_is_sure(x, n):
    y = x * 1.0
    try:
        y[0] = x[1] * 2
        y[n] = 0.0
    finally:
        y[1] = y[0] * x[2]
    return (y * y).sum()


@differentiable((X, [1.0, 0.0, 2.0, 0.0]))
def sums_in_tries(x, divisors):
    total = 0.0
    for i in range(4):
        try:
            total = total + float(x[i]) / divisors[i]
        except ZeroDivisionError:
            total = total * 0.5
    return total * total


@differentiable((X, 3), (X, 2), (X, 9))
def stores_at_the_end_of_tries(x, n):
    y = np.zeros(n)
    count = 0
    for i in range(4):
        try:
            y[i] += x[i] * x[0]
            count += 1
        except IndexError:
            y[0] = y[0] * x[i]
    return (y * y).sum() * count


@differentiable((X, ["1", "a", "2.5"]))
def lists_that_grow_in_tries(x, texts):
    out = []
    bad = 0
    for i in range(2):
        for text in texts:
            try:
                value = float(text)
                out.append(value * x[i])
            except ValueError:
                bad += 1
                out.append(x[3])
    product = x[0]
    for value in out:
        product = product * value + bad
    return product


@differentiable((X, 3), (X, 0))
def passed_over(x, n):
    total = x[0]
    for i in range(n + 3):
        try:  # noqa: SIM105 - what is tested
            total = total * x[i]
        except IndexError:
            pass
    return total


# --- bodies that end half way ---------------------------------------------------------------------


@differentiable((X,), (X - 0.8,), (-X,))
def sums_of_logarithms(x):
    total = 0.0
    for i in range(4):
        try:
            total = total * 1.5 + x[i]
            total = total + math.log(x[i])
        except ValueError:
            total = total - x[i] * x[0]
    return total * x[1]


@differentiable((X, 2), (X, 4), (X, 7))
def written_half_way(x, n):
    y = np.zeros(4)
    count = 0
    try:
        y[0] = x[1] * 2
        count += 1
        y[n] = x[0] * x[2]
        y[3] = y[0] * x[3]
        count += 1
    except IndexError:
        y[1] = y[0] * x[1]
    return (y * x).sum() * count + y[0]


@differentiable((X, 2), (X, 9))
def a_loop_that_raises(x, n):
    total = 1.0
    try:
        for i in range(n):
            total = total * x[i] + i
    except IndexError:
        total = total * total
    return total * x[0]


@differentiable((X, 0.5), (X, 1.0), (X, 50.0))
def a_loop_that_raises_in_its_test(x, limit):
    total = x[0]
    i = 0
    try:
        while total < limit + x[i]:
            total = total * 1.5 + x[i] * x[i]
            i += 1
    except IndexError:
        total = total * x[1] + i
    return total * x[2]


@differentiable((X, 1), (X, 2), (X, 3), (X, 8))
def loops_in_loops_in_tries(x, n):
    y = x * 1.0
    total = 0.0
    for k in range(3):
        try:
            for i in range(k + 1):
                for j in range(n):
                    if j == 2 and k == 2:
                        raise ValueError(k)
                    y[i + j] += y[j] * x[i]
                    total = total + y[i + j]
                    if total > 9:
                        break
                y[0] = y[0] * 0.5
        except (IndexError, ValueError) as error:
            total = total * 0.25 + len(str(error)) * x[k]
        else:
            total = total + 1
    return total * y.sum()


@differentiable((X, [0, 1, 9, 2]), (X, []), (X, [0, 0, 3]))
def containers_that_change_half_way(x, places):
    seen = {}
    done = []
    last = x[3]
    for i in places:
        try:
            done.append(x[i] * last)
            seen[i] = done[-1] + x[0]
            last = done.pop()
            done.append(last * x[1])
        except IndexError:
            done.append(last)
    total = last
    for value in done:
        total = total * value + value
    for value in seen.values():
        total = total + value * value
    return total


@differentiable((X, 2), (X, 5))
def arrays_that_change_half_way(x, n):
    y = x * 1.0
    rows = np.zeros((2, 4))
    try:
        y += x * x
        rows[0] = y
        rows[1, :n] = x[: n + 1][1:] * y[:n]
        y *= rows[0]
    except ValueError:
        y = y + rows[0] * x
    return (y * rows).sum() + y[0]


@differentiable((X, 0), (X, 1), (X, 2), (X, 3))
def tries_in_tries_that_end_half_way(x, n):
    y = [x[0], x[1]]
    z = 1.0
    try:
        y[0] = y[0] * x[2]
        try:
            y[1] = y[0] * x[1]
            if n == 1:
                raise KeyError("a")
            z = z * y[1] + y[n]
            y[n] = z * 0.5
        except KeyError:
            y[0] = y[0] * y[1]
        finally:
            z = z + y[0] * x[3]
        y[1] = y[n] * z
    except IndexError:
        y[0] = y[0] * z
    return y[0] * y[1] * z


class LimitError(Exception):
    """What is out of range."""

    def __init__(self, limit):
        super().__init__("too much", limit)
        self.limit = limit


class EmptyError(LimitError, ValueError):
    """There is nothing at all."""


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.entries = 0

    def take(self, amount):
        self.entries += 1
        if self.balance < 0.1:
            raise EmptyError(0)
        if amount > self.balance:
            raise LimitError(self.balance)
        self.balance = self.balance - amount


@differentiable((X, 4), (X * 3, 4), (X * 0.04, 2))
def an_object_that_changes_half_way(x, n):
    account = Account(x[3] * 2)
    missed = 0.0
    for i in range(n):
        try:
            account.take(x[i])
            missed = missed + x[0]
            account.take(x[i] * 0.5)
        except LimitError:
            missed = missed + account.balance * x[i]
    return account.balance * account.balance + missed * account.entries


@differentiable((X, 1), (X, 3))
def whiles_in_whiles_in_a_try(x, n):
    y = x * 1.0
    total = 0.0
    i = 0
    try:
        while y[i] < 20:
            j = 0
            while y[j] * x[i] < 1 or j < n:
                y[j] = y[j] + x[j + i] * 0.5
                total = total + y[j]
                j += 1
            total = total * x[i]
            i += 1
    except IndexError:
        total = total * y[0] + i
    return total * y.sum() + x[0]


@differentiable((X, 0), (X, 2))
def until_there_is_nothing_left(x, n):
    todo = [x[0], x[1] * 2, x[2]]
    total = 1.0
    while True:
        try:
            value = todo.pop()
            total = total * value + value
            if n:
                todo.append(total * 0.1)
                n -= 1
        except IndexError:
            break
    return total * total


class Limit(ValueError):
    """What the programs raise, with what was computed so far."""

    def __init__(self, limit):
        super().__init__("limit")
        self.limit = limit
        self.twice = limit * 2


class Other(Exception):
    """Another one, whose attribute has the same name."""

    def __init__(self, limit):
        self.limit = limit

    def __eq__(self, other):
        return True

    __hash__ = None  # so that a dict finds none of them


@differentiable((0.5,), (1.5,))
def what_an_exception_keeps(x):
    try:
        if x < 1:
            raise Limit(x * x)
        y = x
    except Limit as error:
        y = error.limit * x + error.twice
    return y * x


@differentiable((0.5, 2), (1.5, 2), (0.5, 0))
def an_exception_that_is_changed(x, n):
    try:
        try:
            if x < 1:
                raise Limit(x * x)
            y = x
        except Limit as error:
            error.limit = error.limit * error.twice
            for _ in range(n):
                error.limit = error.limit + x
            raise
    except Limit as error:
        y = error.limit * x + error.twice
    return y * x


@differentiable((X,))
def several_classes_in_a_loop(x):
    total = x[0]
    for i in range(len(x)):
        try:
            total = total * x[i]
            if x[i] > 1:
                raise Limit(total * x[i])
            if x[i] > 0.6:
                raise Other(total * total)
        except Limit as error:
            total = total + error.limit
        except Other as error:
            total = total - error.limit * x[0]
    return total


@differentiable((X,))
def raised_by_a_function_that_is_called(x):
    def check(y, i):
        if y > 1:
            raise Limit(y * x[i])
        return y * 2

    total = 0.0
    for i in range(len(x)):
        try:
            total = total + check(x[i], i)
        except Limit as error:
            total = total + error.limit
    return total


@differentiable((X,))
def raised_on_and_raised_again(x):
    try:
        try:
            raise Other(x[0] * x[1])
        except Other as error:
            raise Limit(error.limit * x[2]) from error
    except Limit as error:
        y = error.limit
    try:
        try:
            raise Limit(x[3])
        except Limit as error:
            z = error.limit * x[1]
            raise
        finally:
            w = x[2]
    except Limit as error:
        return error.limit * y * z * w


@differentiable((X, 3))
def kept_beside_writes(x, n):
    b = x * 1.0
    for i in range(n):
        try:
            b[i] = b[i] * 2
            if i == 1:
                raise Limit(b[i] * b[0])
            b[i + 1] *= 3
        except Limit as error:
            b[0] = error.limit
    return (b * b).sum()
