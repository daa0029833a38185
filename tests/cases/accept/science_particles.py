"""Particles: dataclasses and vectors with operators, collisions, chains, flocks, cells."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from staticpy import f64
from tests.support.cases import case


@dataclass(frozen=True)
class Vector:
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


@dataclass
class Particle:
    position: Vector
    velocity: Vector
    mass: float = 1.0
    hits: int = 0

    def drift(self, dt):
        self.position = self.position + dt * self.velocity

    @property
    def energy(self):
        return 0.5 * self.mass * self.velocity.dot(self.velocity)


# Vectors by their operators.
@case((3.0, 4.0), (0.0, -0.0))
def vectors(x: float, y: float):
    a, b = Vector(x, y), Vector(1.0, -1.0)
    return abs(a), a + b * 2, 2 * a - b, -a, a.dot(b), a == Vector(x, y), replace(a, y=7.0)


# A particle in a box bounces off its walls.
@case((0.5, 3.0, 10), (0.0, 0.0, 2))
def particle_in_a_box(x: float, speed: float, steps: int):
    particle = Particle(Vector(x, 0.5), Vector(speed, -speed / 2))
    for _ in range(steps):
        particle.drift(0.1)
        p, v = particle.position, particle.velocity
        if p.x < 0 or p.x > 1:
            v = Vector(-v.x, v.y)
            particle.hits += 1
        if p.y < 0 or p.y > 1:
            v = Vector(v.x, -v.y)
            particle.hits += 1
        particle.velocity = v
    return particle, particle.energy


# Two particles of the caller collide: their velocities are exchanged along the line between them.
@case(
    (Particle(Vector(0.0, 0.0), Vector(1.0, 0.0)), Particle(Vector(1.0, 0.0), Vector(-1.0, 0.0))),
    (
        Particle(Vector(0.0, 0.0), Vector(1.0, 0.0)),
        Particle(Vector(5.0, 0.0), Vector(0.0, 0.0), 2.0),
    ),
    (
        Particle(Vector(0.0, 0.0), Vector(1.0, 1.0)),
        Particle(Vector(0.5, 0.5), Vector(0.0, 0.0), 3.0),
    ),
)
def collision(a, b):
    away = b.position - a.position
    distance = abs(away)
    if distance > 1.5:
        return False
    normal = away * (1 / distance)
    closing = (a.velocity - b.velocity).dot(normal)
    if closing <= 0:
        return False
    push = 2 * closing / (a.mass + b.mass)
    a.velocity = a.velocity - normal * (push * b.mass)
    b.velocity = b.velocity + normal * (push * a.mass)
    a.hits += 1
    b.hits += 1
    return True


@dataclass
class World:
    particles: list = field(default_factory=list)
    time: float = 0.0

    def add(self, *particles):
        self.particles.extend(particles)
        return self

    def step(self, dt):
        for particle in self.particles:
            particle.drift(dt)
        self.time += dt

    def momentum(self):
        total = Vector(0.0, 0.0)
        for particle in self.particles:
            total = total + particle.velocity * particle.mass
        return total


# A world that holds particles made here.
@case((3, 2.0), (0, 1.0))
def world_of_particles(steps: int, speed: float):
    world = World().add(
        Particle(Vector(0.0, 0.0), Vector(speed, 0.0)),
        Particle(Vector(1.0, 1.0), Vector(0.0, -speed), mass=3.0),
    )
    for _ in range(steps):
        world.step(0.25)
    first, second = world.particles
    return world.time, first.position, second.position.y, world.momentum()


# ... of the caller: every particle of it moves.
@case((World([Particle(Vector(0.0, 1.0), Vector(1.0, 1.0))]), 2), (World(), 1))
def world_of_the_caller(world, steps):
    for _ in range(steps):
        world.step(0.5)
    return len(world.particles), world.momentum()


# A chain of springs: forces by slices of one array, both ends fixed.
@case((np.array([0.0, 1.5, 2.0, 3.0]), 4), (np.array([0.0, 1.0]), 3))
def chain_of_springs(x: f64["n"], steps: int):
    v = np.zeros_like(x)
    energies = []
    for _ in range(steps):
        stretch = np.diff(x) - 1.0
        force = np.zeros_like(x)
        force[:-1] += stretch
        force[1:] -= stretch
        force[[0, -1]] = 0.0
        v += 0.1 * force
        x += 0.1 * v
        energies.append(float((stretch**2).sum() + (v**2).sum()) / 2)
    return energies


# A flock: each heads for the mean of those near it.
@case((np.array([0.0, 0.1, 3.0]), np.array([1.0, -1.0, 0.5]), 3), (np.zeros(1), np.ones(1), 2))
def flock(x: f64["n"], v: f64["n"], steps: int):
    for _ in range(steps):
        heading = v.copy()
        for i in range(len(x)):
            near = np.abs(x - x[i]) < 1.0
            v[i] = 0.5 * v[i] + 0.5 * heading[near].mean()
        x += 0.1 * v
    return v.std()


# Particles by cell: a dict with compile-time cells, counted at run time.
@case((np.array([0.1, 0.9, 0.95, 0.5]),), (np.zeros(0),))
def particles_by_cell(x: f64["n"]):
    cells = {"left": 0, "middle": 0, "right": 0}
    for value in x:
        if value < 1 / 3:
            cells["left"] += 1
        elif value < 2 / 3:
            cells["middle"] += 1
        else:
            cells["right"] += 1
    return cells, max(cells.values())


# Distances of all pairs, once by broadcasting and once by loops.
@case((np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]]),), (np.zeros((1, 2)),))
def distances(points: f64["n", 2]):
    apart = points[:, None] - points[None]
    at_once = np.sqrt((apart**2).sum(axis=-1))
    by_loops = np.zeros((len(points), len(points)))
    for i in range(len(points)):
        for j in range(i):
            d = math.dist((points[i, 0], points[i, 1]), (points[j, 0], points[j, 1]))
            by_loops[i, j] = by_loops[j, i] = d
    return np.abs(at_once - by_loops).max() < 1e-12, at_once


# Those that left the box are taken out: sizes that depend on data.
@case((np.array([0.2, 0.8, 0.5]), np.array([1.0, 1.0, -0.1]), 3), (np.zeros(0), np.zeros(0), 1))
def evaporation(x: f64["n"], v: f64["n"], steps: int):
    lost = 0
    for _ in range(steps):
        x = x + 0.2 * v
        inside = (x >= 0) & (x <= 1)
        lost += len(x) - int(inside.sum())
        x, v = x[inside], v[inside]
    return x, v, lost


class Thermostat:
    """Scales velocities to a temperature; each use is counted on the class."""

    uses = 0

    def __init__(self, target):
        self.target = target
        self.log = []

    def __call__(self, v):
        now = (v**2).mean()
        factor = math.sqrt(self.target / now) if now > 0 else 1.0
        v *= factor
        self.log.append(round(factor, 3))
        return factor


# An object that is called, writes to the caller's array and keeps a list.
@case((Thermostat(2.0), np.array([1.0, -1.0])), (Thermostat(1.0), np.zeros(2)))
def thermostat(control, v):
    control(v)
    control(v)
    return control.log, v
