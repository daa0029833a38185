"""Automata and machines: cells, ants, sand, spins, mazes, machines with states in an enum."""

from __future__ import annotations

from enum import Enum, IntEnum, auto

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

GRID = np.array([[0, 1, 1, 0], [1, 0, 1, 1], [0, 0, 1, 0]])
MAZE = np.array([[0, 0, 1, 0], [1, 0, 1, 1], [0, 0, 0, 0]])
UNIFORM = np.array([0.11, 0.92, 0.47, 0.35, 0.78, 0.02, 0.66, 0.59])


# An elementary automaton by its rule number, a row a generation.
@case((30, 9, 4), (110, 5, 3), (0, 3, 2), (255, 4, 0))
def elementary(rule: int, width: int, steps: int):
    rows = np.zeros((steps + 1, width), dtype=np.int64)
    rows[0, width // 2] = 1
    for t in range(steps):
        for i in range(width):
            left, right = rows[t, i - 1], rows[t, (i + 1) % width]
            pattern = 4 * left + 2 * rows[t, i] + right
            rows[t + 1, i] = (rule >> pattern) & 1
    return rows


# ... the same by a table of bits and one indexing a generation.
@case((90, np.array([0, 0, 1, 0, 0, 0]), 5), (184, np.array([1, 1, 0, 1]), 2))
def elementary_by_table(rule: int, row: i64["n"], steps: int):
    table = np.array([(rule >> k) & 1 for k in range(8)])
    for _ in range(steps):
        row = table[4 * np.roll(row, 1) + 2 * row + np.roll(row, -1)]
    return row


# Langton's ant turns on the caller's grid.
@case((np.zeros((5, 5), dtype=int), 12), (GRID, 3), (np.zeros((1, 1), dtype=int), 3))
def ant(grid: i64["m", "n"], steps: int):
    m, n = grid.shape
    row, column, dr, dc = m // 2, n // 2, -1, 0
    for _ in range(steps):
        if grid[row, column]:
            dr, dc = -dc, dr
        else:
            dr, dc = dc, -dr
        grid[row, column] ^= 1
        row, column = (row + dr) % m, (column + dc) % n
    return row, column


# A pile of sand topples until it is stable; what falls off the edge is lost.
@case((np.array([[0, 0, 0], [0, 9, 0], [0, 0, 0]]),), (np.full((2, 2), 4),), (GRID,))
def sandpile(sand: i64["m", "n"]):
    topples = 0
    while (sand >= 4).any():
        rows, columns = np.nonzero(sand >= 4)
        for r, c in zip(rows, columns, strict=True):
            sand[r, c] -= 4
            topples += 1
            if r > 0:
                sand[r - 1, c] += 1
            if r + 1 < sand.shape[0]:
                sand[r + 1, c] += 1
            if c > 0:
                sand[r, c - 1] += 1
            if c + 1 < sand.shape[1]:
                sand[r, c + 1] += 1
    return topples


# Spins, with the sites and dice given.
@case(
    (2 * GRID - 1, np.array([0, 5, 11, 3]), UNIFORM, 0.5),
    (2 * GRID - 1, np.array([12]), UNIFORM, 0.5),
)
def spins(lattice: i64["m", "n"], sites: i64["k"], dice: f64["d"], beta: float):
    m, n = lattice.shape
    energy = 0
    for number, site in enumerate(sites):
        r, c = divmod(int(site), n)
        around = (
            lattice[(r + 1) % m, c]
            + lattice[r - 1, c]
            + lattice[r, (c + 1) % n]
            + lattice[r, c - 1]
        )
        change = 2 * lattice[r, c] * around
        if change <= 0 or dice[number] < np.exp(-beta * change):
            lattice[r, c] *= -1
            energy += int(change)
    return energy, int(lattice.sum())


# A forest burns: masks of what burns and what catches fire.
@case((GRID, 1, 2), (GRID, 0, 0), (np.ones((3, 3), dtype=int), 1, 1))
def forest_fire(trees: i64["m", "n"], row: int, column: int):
    burning = np.zeros(trees.shape, dtype=bool)
    burning[row, column] = trees[row, column] == 1
    days = 0
    while burning.any():
        trees[burning] = 2
        catches = np.zeros_like(burning)
        catches[1:] |= burning[:-1]
        catches[:-1] |= burning[1:]
        catches[:, 1:] |= burning[:, :-1]
        catches[:, :-1] |= burning[:, 1:]
        burning = catches & (trees == 1)
        days += 1
    return days, trees


# The shortest way out of a maze: a queue of pairs.
@case((MAZE, (0, 0), (2, 0)), (MAZE, (0, 0), (0, 3)), (np.zeros((2, 2), dtype=int), (1, 1), (1, 1)))
def maze(walls, start, goal):
    seen = np.full(walls.shape, -1)
    seen[start] = 0
    queue = [start]
    at = 0
    while at < len(queue):
        r, c = queue[at]
        at += 1
        if (r, c) == goal:
            return int(seen[r, c])
        for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            i, j = r + dr, c + dc
            if not (0 <= i < walls.shape[0] and 0 <= j < walls.shape[1]):
                continue
            if walls[i, j] == 0 and seen[i, j] == -1:
                seen[i, j] = seen[r, c] + 1
                queue.append((i, j))
    return None


# Sums of every rectangle from the top left corner, and of one rectangle by four of them.
@case((GRID, 0, 1, 3, 3), (GRID, 0, 0, 3, 4), (GRID, 2, 2, 2, 2))
def rectangle_sums(grid: i64["m", "n"], top: int, left: int, bottom: int, right: int):
    sums = np.zeros((grid.shape[0] + 1, grid.shape[1] + 1), dtype=np.int64)
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            sums[i + 1, j + 1] = grid[i, j] + sums[i, j + 1] + sums[i + 1, j] - sums[i, j]
    return sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]


class Light(Enum):
    RED = 30
    GREEN = 25
    YELLOW = 5

    def next(self):
        if self is Light.RED:
            return Light.GREEN
        return Light.YELLOW if self is Light.GREEN else Light.RED


# A traffic light whose states are known while compiling.
@case((Light.RED, 3), (Light.YELLOW, 1))
def traffic_light(light, cycles):
    total, names = 0, []
    for _ in range(3):
        total += cycles * light.value
        names.append(light.name)
        light = light.next()
    return light, total, names


class Gate(IntEnum):
    LOCKED = 0
    OPEN = auto()


COIN, PUSH, KICK = 0, 1, 2


# A turnstile: events of run time, states as ints.
@case(
    (np.array([0, 1, 1, 0, 0, 1]),),
    (np.array([1, 1]),),
    (np.array([0, 7]),),
    (np.array([], dtype=int),),
)
def turnstile(events: i64["n"]):
    state, passed, coins = int(Gate.LOCKED), 0, 0
    for event in events:
        match int(event):
            case 0:
                coins += 1
                state = int(Gate.OPEN)
            case 1 if state == Gate.OPEN:
                passed += 1
                state = int(Gate.LOCKED)
            case 1:
                pass
            case other:
                raise ValueError(f"unknown event {other}")
    return state, passed, coins


# A vending machine as transitions in a dict, known while compiling.
@case((("coin", "coin", "button"),), (("button",),), (("coin", "refund", "button"),))
def vending_machine(inputs):
    moves = {
        ("idle", "coin"): ("paid", 0),
        ("paid", "coin"): ("paid", 1),
        ("paid", "button"): ("idle", 10),
        ("paid", "refund"): ("idle", 1),
    }
    state, given = "idle", []
    for word in inputs:
        state, item = moves.get((state, word), (state, -1))
        given.append(item)
    return state, given


class Elevator:
    """Moves a floor a step towards the first call in its list."""

    def __init__(self, floor=0):
        self.floor = floor
        self.calls = []
        self.travelled = 0

    def call(self, floor):
        if floor not in self.calls:
            self.calls.append(floor)

    def step(self):
        if not self.calls:
            return "idle"
        goal = self.calls[0]
        if goal == self.floor:
            self.calls.pop(0)
            return "open"
        self.floor += 1 if goal > self.floor else -1
        self.travelled += 1
        return "moving"


# An elevator made here with calls of run time.
@case((3, -1), (0, 0), (2, 2))
def elevator(first: int, second: int):
    cabin = Elevator()
    cabin.call(first)
    cabin.call(second)
    opened = steps = 0
    while (state := cabin.step()) != "idle":
        opened += state == "open"
        steps += 1
        if steps > 50:
            break
    return cabin.floor, cabin.travelled, opened, steps


# A machine that writes on a tape: the busy beaver of two states.
@case((20,), (3,), (0,))
def tape_machine(limit: int):
    rules = [[(1, 1, 1), (1, -1, 1)], [(1, -1, 0), (1, 1, -1)]]
    tape = np.zeros(15, dtype=np.int64)
    head, state, steps = 7, 0, 0
    while state >= 0 and steps < limit:
        if state == 0:
            write, move, state = rules[0][0] if tape[head] == 0 else rules[0][1]
        else:
            write, move, state = rules[1][0] if tape[head] == 0 else rules[1][1]
        tape[head] = write
        head += move
        steps += 1
    return int(tape.sum()), steps, state


# Percolation: sets as arrays of parents, joined by their roots.
@case((GRID,), (np.ones((2, 3), dtype=int),), (np.zeros((2, 2), dtype=int),))
def percolates(open_cells: i64["m", "n"]):
    m, n = open_cells.shape
    parent = np.arange(m * n + 2)

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(i, j):
        parent[root(i)] = root(j)

    for r in range(m):
        for c in range(n):
            if not open_cells[r, c]:
                continue
            cell = r * n + c
            if r == 0:
                join(cell, m * n)
            if r == m - 1:
                join(cell, m * n + 1)
            if r > 0 and open_cells[r - 1, c]:
                join(cell, cell - n)
            if c > 0 and open_cells[r, c - 1]:
                join(cell, cell - 1)
    return bool(root(m * n) == root(m * n + 1))
