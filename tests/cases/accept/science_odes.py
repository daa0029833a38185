"""Differential equations: steppers, adaptive steps, events, implicit schemes, histories."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from staticpy import f64
from tests.support.cases import case


# Predator and prey as a pair of floats.
@case((10.0, 5.0, 20), (10.0, 0.0, 3), (1.0, 1.0, 0))
def lotka_volterra(prey: float, predator: float, steps: int):
    dt = 0.01
    for _ in range(steps):
        prey, predator = (
            prey + dt * (1.1 * prey - 0.4 * prey * predator),
            predator + dt * (0.1 * prey * predator - 0.4 * predator),
        )
    return prey, predator


def lorenz(t, state):
    x, y, z = state
    return np.array([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])


def decay(t, state):
    return -state * (1.0 + t)


def runge_kutta_step(derivative, t, state, h):
    k1 = derivative(t, state)
    k2 = derivative(t + h / 2, state + h / 2 * k1)
    k3 = derivative(t + h / 2, state + h / 2 * k2)
    k4 = derivative(t + h, state + h * k3)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


# The same stepper for two systems.
@case((np.array([1.0, 1.0, 1.0]), 5), (np.array([0.0, 0.0, 0.0]), 2))
def one_stepper_for_two_systems(start: f64[3], steps: int):
    chaotic = faded = start
    t = 0.0
    for _ in range(steps):
        chaotic = runge_kutta_step(lorenz, t, chaotic, 0.01)
        faded = runge_kutta_step(decay, t, faded, 0.01)
        t += 0.01
    return chaotic, faded, t


# The whole trajectory, a row a step.
@case((np.array([1.0, 0.0]), 6), (np.array([1.0, 0.0]), 0))
def trajectory_of_an_oscillator(start: f64[2], steps: int):
    path = np.empty((steps + 1, 2))
    path[0] = start
    for i in range(steps):
        position, velocity = path[i]
        velocity = velocity - 0.1 * position
        path[i + 1, 0] = position + 0.1 * velocity
        path[i + 1, 1] = velocity
    return path


# The step is halved where two orders disagree, and doubled where they agree well.
@case((1.0, 2.0, 1e-3), (1.0, 2.0, 1e-5), (0.0, 1.0, 1e-6), (1.0, 0.0, 1e-3))
def adaptive_steps(y: float, end: float, tolerance: float):
    t, h = 0.0, 0.5
    taken = rejected = 0
    while t < end:
        h = min(h, end - t)
        k1 = -2.0 * t * y
        k2 = -2.0 * (t + h) * (y + h * k1)
        error = abs(h * (k2 - k1) / 2)
        if error > tolerance and h > 1e-4:
            h /= 2
            rejected += 1
            continue
        y += h * (k1 + k2) / 2
        t += h
        taken += 1
        if error < tolerance / 10:
            h *= 2
    return y, taken, rejected


# Implicit Euler: Newton's method in each step, which may fail to converge.
@case((1.0, 5, 20), (1.0, 5, 1), (-3.0, 2, 50))
def implicit_euler(y: float, steps: int, limit: int):
    h = 0.5
    for step in range(steps):
        guess = y
        for _ in range(limit):
            residual = guess - y + h * guess**3
            change = residual / (1 + 3 * h * guess**2)
            guess -= change
            if abs(change) < 1e-12:
                break
        else:
            raise ArithmeticError(f"step {step}: no convergence after {limit} rounds")
        y = guess
    return y


# A ball that bounces: the time of each bounce is kept.
@case((10.0, 0.8), (1.0, 0.5), (0.0, 0.9))
def bouncing_ball(height: float, restitution: float):
    velocity, t, bounces = 0.0, 0.0, []
    while t < 5.0 and len(bounces) < 4:
        velocity -= 9.81 * 0.01
        height += velocity * 0.01
        t += 0.01
        if height < 0.0:
            height = -height
            velocity = -restitution * velocity
            bounces.append(round(t, 2))
    return bounces, height


@dataclass
class Epidemic:
    susceptible: float
    infected: float
    recovered: float = 0.0

    @property
    def total(self):
        return self.susceptible + self.infected + self.recovered

    def step(self, contagion, recovery, dt):
        new = contagion * self.susceptible * self.infected / self.total * dt
        healed = recovery * self.infected * dt
        self.susceptible -= new
        self.infected += new - healed
        self.recovered += healed
        return new


# An epidemic as a dataclass that is made here, and its peak.
@case((990.0, 10.0, 30), (0.0, 1.0, 5))
def epidemic(susceptible: float, infected: float, days: int):
    state = Epidemic(susceptible, infected)
    peak, when = state.infected, 0
    for day in range(days):
        state.step(0.8, 0.2, 0.5)
        if state.infected > peak:
            peak, when = state.infected, day
    return state, peak, when


# ... that is an argument: the caller sees how far it went.
@case((Epidemic(90.0, 10.0), 5.0), (Epidemic(0.0, 0.0), 5.0))
def epidemic_of_the_caller(state, threshold):
    rounds = 0
    while state.infected > threshold and rounds < 40:
        state.step(0.3, 0.4, 1.0)
        rounds += 1
    return rounds, state.total


# Adams-Bashforth: the last two derivatives are carried.
@case((1.0, 10), (1.0, 1), (1.0, 0))
def two_step_method(y: float, steps: int):
    h, before = 0.1, None
    for i in range(steps):
        slope = math.cos(i * h) * y
        if before is None:
            y += h * slope
        else:
            y += h * (1.5 * slope - 0.5 * before)
        before = slope
    return y


# A stochastic equation with the random numbers given.
@case((1.0, np.array([0.3, -1.2, 0.7, 0.0])), (1.0, np.zeros(0)))
def random_growth(value: float, noise: f64["n"]):
    path = [value]
    for z in noise:
        value = value + 0.05 * value * 0.1 + 0.2 * value * math.sqrt(0.1) * z
        path.append(value)
    return np.array(path), max(path)


# Crank-Nicolson: a tridiagonal system in each step, solved in place.
@case((np.array([0.0, 1.0, 2.0, 1.0, 0.0]), 3), (np.zeros(3), 1))
def heat_implicitly(u: f64["n"], steps: int):
    n = len(u)
    r = 0.5
    for _ in range(steps):
        right = u.copy()
        right[1:-1] += r / 2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        upper = np.zeros(n)
        for i in range(1, n - 1):
            pivot = 1 + r + r / 2 * upper[i - 1]
            upper[i] = -r / 2 / pivot
            right[i] = (right[i] + r / 2 * right[i - 1]) / pivot
        for i in range(n - 2, 0, -1):
            right[i] -= upper[i] * right[i + 1]
        u[:] = right
    return u.sum()


# A boundary value by shooting: bisection over the first slope.
@case((1.0, 40), (-2.0, 5))
def shooting(target: float, rounds: int):
    def end(slope):
        y, dy = 0.0, slope
        for _ in range(10):
            dy -= 0.1 * y
            y += 0.1 * dy
        return y

    low, high = -10.0, 10.0
    for _ in range(rounds):
        middle = (low + high) / 2
        if end(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# Planets: velocities first, then positions, written in place for the caller.
@case(
    (np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), np.zeros((3, 2)), 3),
    (np.array([[0.0, 0.0]]), np.array([[1.0, -1.0]]), 2),
)
def planets(x: f64["n", 2], v: f64["n", 2], steps: int):
    masses = np.arange(1.0, len(x) + 1)
    for _ in range(steps):
        for i in range(len(x)):
            for j in range(len(x)):
                if i == j:
                    continue
                difference = x[j] - x[i]
                distance = np.sqrt(difference @ difference + 0.01)
                v[i] += 0.01 * masses[j] * difference / distance**3
        x += 0.01 * v
    return 0.5 * (masses * (v**2).sum(axis=1)).sum()
