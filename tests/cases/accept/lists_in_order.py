"""``heapq`` and ``bisect``: lists that a program keeps in order."""

import bisect
import heapq
from dataclasses import dataclass

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

NAN = float("nan")


# A heap that grows and shrinks while the program runs; equal items among them.
@case(([3, 1, 2, 1],), ([],), ([5],))
def heap_sort(numbers):
    heap = []
    for number in numbers:
        heapq.heappush(heap, number)
    result = []
    while heap:
        result.append(heapq.heappop(heap))
    return result


# The caller's list becomes a heap, and what is in it stays the very object.
@case(([3.5, 1, 2, 1.0],), ([],), ([NAN, 1.0, NAN, 0.5],))
def heap_of_the_caller(numbers):
    heapq.heapify(numbers)
    least = numbers[0] if numbers else None
    heapq.heappush(numbers, 2)
    return least, heapq.heappop(numbers), numbers


# Tuples: the second item decides between equal first ones.
@case((6,), (1,), (0,))
def heap_of_tuples(n: int):
    heap = [(0.0, 0)]
    order = []
    while heap:
        distance, vertex = heapq.heappop(heap)
        order.append((vertex, distance))
        if len(order) > n:
            return order, heap
        for step in (2, 1):
            heapq.heappush(heap, (distance + step % 2, vertex + step))
    return order, heap


# heapreplace and heappushpop keep the length.
@case(([4, 2, 7], 5), ([4, 2, 7], 1), ([], 3), ([2], 2.5))
def heap_exchange(numbers, item):
    heapq.heapify(numbers)
    first = heapq.heappushpop(numbers, item)
    try:
        second = heapq.heapreplace(numbers, item)
    except IndexError:
        second = None
    return first, second, numbers


# An empty heap has no least item.
@case((0,), (2,))
def heap_exhausted(n: int):
    heap = list(range(n))
    heapq.heapify(heap)
    total = 0
    try:
        while True:
            total += heapq.heappop(heap)
    except IndexError:
        return total, heap


# Items without an order: TypeError, the list as heapq leaves it.
@case((1,), (0,))
def heap_without_order(n: int):
    heap = [1, "a"] if n else [1, 2]
    try:
        heapq.heappush(heap, 0)
        heapq.heapify(heap)
    except TypeError:
        return heap, "no order"
    return heap, "order"


@dataclass(order=True)
class Task:
    urgency: int
    number: int = 0


# Objects, by their own '__lt__'.
@case(([3, 1, 2],), ([1, 1],))
def heap_of_objects(urgencies):
    heap = []
    for number, urgency in enumerate(urgencies):
        heapq.heappush(heap, Task(urgency, number))
    first = heapq.heappop(heap)
    first.urgency += 10
    heapq.heappush(heap, first)
    return [(task.urgency, task.number) for task in heap]


# An alias of a heap is the heap.
@case((3,), (0,))
def heap_alias(n: int):
    heap = []
    other = heap
    for i in range(n):
        heapq.heappush(other, -i)
    return heap, other, heap is other


# Arrays in the items of a heap are kept, not copied.
@case((np.array([3.0, 1.0, 2.0]),))
def heap_of_rows(x: f64["n"]):
    heap = []
    rows = []
    for i in range(len(x)):
        row = x[i] * np.ones(2)
        rows.append(row)
        heapq.heappush(heap, (float(x[i]), i, row))
    row *= 10
    _, _, least = heapq.heappop(heap)
    least += 1
    return heap, rows


# A row that is made anew after it went into the heap.
@case((4,), (1,))
def heap_of_fresh_rows(n: int):
    heap = []
    for i in range(n):
        row = np.full(2, float(-i))
        heapq.heappush(heap, (-i, row + 1))
    total = np.zeros(2)
    while heap:
        total = total + heapq.heappop(heap)[1]
    return total


# The largest and smallest items, none of them for n <= 0, in the order of the list among equals.
@case(
    ([3, 1, 2, 3, 1], 2),
    ([3, 1, 2], 0),
    ([3, 1, 2], -1),
    ([3, 1, 2], 1),
    ([], 2),
    ([NAN, 1.0, 2.0, NAN], 2),
)
def extreme_items(numbers, n):
    return heapq.nlargest(n, numbers), heapq.nsmallest(n, numbers)


# By a key, which is called once for each item, in order.
@case((np.array([3.0, -1.0, 2.0, -4.0]), 2), (np.array([]), 1), (np.array([2.0, 2.0]), 5))
def nearest_to_zero(x: f64["n"], k: int):
    calls = []

    def distance(i):
        calls.append(i)
        return abs(x[i])

    return heapq.nsmallest(k, range(len(x)), key=distance), heapq.nlargest(1, x), calls


# Of a generator.
@case((5, 2), (5, 0), (0, 2))
def largest_squares(n: int, k: int):
    return heapq.nlargest(k, (i * i % 7 for i in range(n)))


# --- bisect ---------------------------------------------------------------------------------------


@case(([1, 2, 2, 5], 2), ([1.5, 2.5], 2), ([], 0), ([1, 2], NAN), ([2, 1], 3))
def places(numbers, x):
    return (
        bisect.bisect_left(numbers, x),
        bisect.bisect_right(numbers, x),
        bisect.bisect(numbers, x),
    )


@case((1, 3), (0, 9), (2, None), (-1, None), (3, 1), (0, -1))
def places_between(low, high):
    numbers = [1, 2, 2, 5]
    return bisect.bisect_left(numbers, 2, low, high), bisect.bisect(numbers, 2, lo=low, hi=high)


# In an array, a tuple and a range.
@case((np.array([0.1, 0.5, 1.0]), 0.5), (np.array([]), 0.5))
def places_in_sequences(cumulative: f64["n"], u: float):
    tuple_ = (0.25, 0.5, 0.75)
    found = bisect.bisect_left(cumulative, u), bisect.bisect_right(cumulative, np.float64(u))
    return *found, bisect.bisect(tuple_, u), bisect.bisect_left(range(10), u * 10)


# Rows of an array have no order.
@case((np.zeros((2, 2)),))
def place_among_rows(x: f64["m", "n"]):
    return bisect.bisect_left(x, 1.0)


# By a key.
@case(([3, -4, 5], 4), ([], 1))
def places_by_key(numbers, size):
    numbers.sort(key=abs)
    left = bisect.bisect_left(numbers, size, key=abs)
    bisect.insort(numbers, -size, key=abs)
    bisect.insort_left(numbers, size, key=abs)
    return left, numbers


# A window that is kept in order.
@case((np.array([3, 1, 2, 5, 4]), 3), (np.array([2, 2]), 1))
def sliding_middle(x: i64["n"], width: int):
    window = []
    middles = []
    for i, value in enumerate(x.tolist()):
        bisect.insort(window, value)
        if len(window) > width:
            del window[bisect.bisect_left(window, int(x[i - width]))]
        middles.append(window[len(window) // 2])
    return middles


# Equal items of another type: insort puts the new one behind, insort_left before.
@case(([1, 2, 3],), ([],))
def insertions(numbers):
    bisect.insort(numbers, 2.0)
    bisect.insort_left(numbers, True)
    bisect.insort_right(numbers, 3.0, 0, len(numbers))
    return numbers


# A list that grows while it is gone through.
@case(([1, 4],), ([],))
def grows_in_the_loop(numbers):
    for number in numbers:
        if number < 7:
            bisect.insort(numbers, number + 5)
    return numbers


@case(([3, 1, 2],))
def heap_in_the_loop(numbers):
    seen = []
    for number in numbers:
        seen.append(number)
        if number > 1:
            heapq.heappop(numbers)
    return seen, numbers


@dataclass
class Task:
    """What is put in order by numbers that the program changes."""

    load: float
    data: np.ndarray


def tasks(*loads):
    return [Task(load, np.full(2, load)) for load in loads]


# Objects of the caller's in the order that numbers have only at run time: each write reaches the
# object that is meant.
@case((tasks(3.0, 1.0, 2.0), 2), (tasks(1.0, 1.0), 0), (tasks(5.0), 1), ([], 1))
def objects_of_the_caller(items, k):
    for item in items:
        item.load += k
    items.sort(key=lambda item: item.load % 3)
    for place, item in enumerate(items):
        item.load *= 10
        item.data[0] = place
    ordered = sorted(items, key=lambda item: (-item.load, item.data[1]), reverse=True)
    if ordered:
        ordered[0].load = -1.0
    return [item.load for item in items], [item.data[1] for item in ordered]
# Items that have no order, known while compiling.
@case((3,), (2,))
def without_an_order(n: int):
    try:
        return [[1], [2]] < [[1], 2] if n > 2 else [[1], [2]] < [[2], 2]
    except TypeError as error:
        return str(error)
