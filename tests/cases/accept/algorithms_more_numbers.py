"""Algorithms on numbers, texts and structures: number theory, search, simulation, parsing."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

X = np.array([3.0, -1.0, 2.0, 0.5, 8.0])
K = np.array([5, 3, 5, 1, 3, 5])


# Factors with their multiplicities.
@case((360,), (97,), (1,))
def prime_factors(n: int):
    factors = []
    d = 2
    while d * d <= n:
        count = 0
        while n % d == 0:
            n //= d
            count += 1
        if count:
            factors.append((d, count))
        d += 1 if d == 2 else 2
    if n > 1:
        factors.append((n, 1))
    return factors


# Extended Euclid, and the inverse modulo m.
def extended(a, b):
    x, y, u, v = 1, 0, 0, 1
    while b:
        q, r = divmod(a, b)
        a, b = b, r
        x, u = u, x - q * u
        y, v = v, y - q * v
    return a, x, y


@case((3, 11), (10, 17), (4, 8))
def modular_inverse(a: int, m: int):
    g, x, _ = extended(a, m)
    if g != 1:
        raise ValueError(f"{a} has no inverse modulo {m}")
    assert a * (x % m) % m == 1
    return x % m


# Miller-Rabin on fixed bases.
def is_probable_prime(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7):
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d //= 2
        s += 1
    for base in (2, 3, 5, 7):
        x = pow(base, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@case((97,), (561,), (2**61 - 1,), (1,), (7,))
def miller_rabin(n: int):
    return is_probable_prime(n)


# The sieve as a list of flags.
@case((30,), (2,), (1,))
def sieve(n: int):
    flags = [True] * (n + 1)
    primes = []
    for i in range(2, n + 1):
        if not flags[i]:
            continue
        primes.append(i)
        for j in range(i * i, n + 1, i):
            flags[j] = False
    return primes


# Digits, their sum, palindromes.
@case((12321,), (10,), (0,))
def digits(n: int):
    result = []
    rest = n
    while rest:
        rest, digit = divmod(rest, 10)
        result.append(digit)
    return result[::-1], sum(result), result == result[::-1]


# Continued fractions.
@case((math.pi, 5), (0.5, 5), (2.0, 3))
def continued_fraction(x: float, terms: int):
    parts = []
    for _ in range(terms):
        whole = math.floor(x)
        parts.append(whole)
        if abs(x - whole) < 1e-9:
            break
        x = 1.0 / (x - whole)
    p, q = 1, 0
    for part in reversed(parts):
        p, q = part * p + q, p
    return parts, p, q


# Rational numbers by a class.
class Fraction:
    def __init__(self, p, q):
        g = math.gcd(p, q)
        self.p, self.q = p // g, q // g

    def __add__(self, other):
        return Fraction(self.p * other.q + other.p * self.q, self.q * other.q)

    def __mul__(self, other):
        return Fraction(self.p * other.p, self.q * other.q)

    def pair(self):
        return self.p, self.q


@case((1, 6), (2, 3))
def fractions(a: int, b: int):
    half = Fraction(1, 2)
    total = Fraction(a, b) + half * half
    harmonic = reduce(lambda x, y: x + y, [Fraction(1, k) for k in range(1, 6)])
    return total.pair(), harmonic.pair()


# Big integers: 2**n + 1 by repeated doubling, and its digits.
@case((64,), (200,), (0,))
def big_power(n: int):
    value = 1
    for _ in range(n):
        value += value
    return value + 1, len(str(value)), value % 1_000_007


# Newton's square root of a big integer.
@case((10**40,), (10**40 - 1,), (0,))
def integer_root(n: int):
    if n == 0:
        return 0
    x = 1 << (n.bit_length() + 1) // 2
    while True:
        y = (x + n // x) // 2
        if y >= x:
            assert x == math.isqrt(n)
            return x
        x = y


# Collatz: the longest chain below n.
@case((30,), (1,))
def longest_chain(n: int):
    best, steps_of_best = 0, -1
    for start in range(1, n + 1):
        k, steps = start, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        if steps > steps_of_best:
            best, steps_of_best = start, steps
    return best, steps_of_best


# Counting by a dict with run-time keys.
@case((K,), (K[:0],))
def counts(k: i64["n"]):
    table = {}
    for item in k.tolist():
        table[item] = table.get(item, 0) + 1
    best = None
    for key, count in table.items():
        if best is None or count > best[1]:
            best = (key, count)
    return table, best


# Change-making by dynamic programming.
@case((11,), (0,), (3,))
def coins(amount: int):
    unreachable = 10**9
    fewest = [0] + [unreachable] * amount
    for value in range(1, amount + 1):
        for coin in (5, 4, 2):
            if coin <= value and fewest[value - coin] + 1 < fewest[value]:
                fewest[value] = fewest[value - coin] + 1
    return fewest[amount] if fewest[amount] < unreachable else None


# The edit distance of two compile-time texts, weighted by run-time costs.
def distance(a, b, insertion, replacement):
    row = [j * insertion for j in range(len(b) + 1)]
    for i, x in enumerate(a):
        previous, row[0] = row[0], (i + 1) * insertion
        for j, y in enumerate(b):
            change = previous + (0 if x == y else replacement)
            previous = row[j + 1]
            row[j + 1] = min(change, row[j] + insertion, previous + insertion)
    return row[-1]


@case((1, 1), (2, 3))
def edit_distance(insertion: int, replacement: int):
    return distance("kitten", "sitting", insertion, replacement), distance("", "ab", insertion, 1)


# The longest increasing run of values.
@case((X,), (X[:1],), (X[:0],))
def longest_rising_run(x: f64["n"]):
    best = run = 0
    for i in range(len(x)):
        run = run + 1 if i > 0 and x[i] > x[i - 1] else 1
        if run > best:
            best, end = run, i
    return best, x[end - best + 1 : end + 1] if best else x


# Kadane's largest sum, with its bounds.
@case((X - 2.0,), (-np.abs(X),))
def largest_sum(x: f64["n"]):
    best, best_range = None, None
    total, start = 0.0, 0
    for i, value in enumerate(x):
        total += float(value)
        if best is None or total > best:
            best, best_range = total, (start, i)
        if total < 0.0:
            total, start = 0.0, i + 1
    return best, best_range


# A stack machine.
def evaluated(program, x):
    stack = []
    for step in program.split():
        match step:
            case "x":
                stack.append(x)
            case "+":
                b, a = stack.pop(), stack.pop()
                stack.append(a + b)
            case "*":
                b, a = stack.pop(), stack.pop()
                stack.append(a * b)
            case "dup":
                stack.append(stack[-1])
            case number:
                stack.append(float(number))
    (result,) = stack
    return result


@case((3.0,), (-0.5,))
def stack_machine(x: float):
    return evaluated("x dup * 2 x * + 1 +", x), evaluated("x", x)


@case((3.0,))
def stack_is_empty(x: float):
    return evaluated("x +", x)


# Brackets that match, by a stack of a run-time length.
@case((3, 3), (3, 2), (0, 0), (2, 3))
def balanced(opened: int, closed: int):
    stack = []
    for _ in range(opened):
        stack.append("(")
    for _ in range(closed):
        if not stack:
            return False
        stack.pop()
    return not stack


# A queue: the shortest way on a grid with walls.
@case((0,), (2,), (9,))
def shortest_way(wall: int):
    size = 4
    steps = {(0, 0): 0}
    queue = [(0, 0)]
    while queue:
        x, y = queue.pop(0)
        if (x, y) == (size - 1, size - 1):
            return steps[(x, y)]
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            cell = (x + dx, y + dy)
            inside = 0 <= cell[0] < size and 0 <= cell[1] < size
            if inside and cell not in steps and not (cell[0] == 1 and cell[1] != wall):
                steps[cell] = steps[x, y] + 1
                queue.append(cell)
    return None


# A linear congruential generator as an object; Monte Carlo.
class Generator:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (1103515245 * self.state + 12345) % 2**31
        return self.state / 2**31


@case((1, 50), (7, 0))
def monte_carlo_pi(seed: int, n: int):
    draw = Generator(seed)
    hits = 0
    for _ in range(n):
        if draw.next() ** 2 + draw.next() ** 2 < 1.0:
            hits += 1
    return 4.0 * hits / n if n else None


# The date of Easter.
@case((2024,), (2000,), (1818,))
def easter(year: int):
    century, golden = year // 100, year % 19
    correction = century - (century - 17) // 25
    moon = (correction - correction // 3 - century // 4 + 19 * golden + 15) % 30
    moon -= moon // 28 * (1 - moon // 28 * (29 // (moon + 1)) * ((21 - golden) // 11))
    day = (year + year // 4 + moon + 2 - century + century // 4) % 7
    sunday = moon - day
    month = 3 + (sunday + 40) // 44
    return month, sunday + 28 - 31 * (month // 4)


# Josephus.
@case((7, 3), (1, 5), (5, 1))
def josephus(n: int, k: int):
    circle = list(range(n))
    position = 0
    order = []
    while circle:
        position = (position + k - 1) % len(circle)
        order.append(circle.pop(position))
    return order


# Interval arithmetic on tuples.
def add(a, b):
    return a[0] + b[0], a[1] + b[1]


def times(a, b):
    products = [x * y for x in a for y in b]
    return min(products), max(products)


@case((1.0, 2.0), (-1.0, 3.0))
def intervals(low: float, high: float):
    x = (low, high)
    return add(times(x, x), times(x, (-2.0, -2.0))), times(add(x, (1.0, 1.0)), (0.5, 1.5))


# Look and say.
@case((5,), (1,), (0,))
def look_and_say(n: int):
    row = [1]
    for _ in range(n):
        following = []
        i = 0
        while i < len(row):
            j = i
            while j < len(row) and row[j] == row[i]:
                j += 1
            following += [j - i, row[i]]
            i = j
        row = following
    return row


# Gray codes.
@case((3,), (0,))
def gray_codes(bits: int):
    return [i ^ (i >> 1) for i in range(1 << bits)], [f"{i ^ (i >> 1):03b}" for i in range(2)]
