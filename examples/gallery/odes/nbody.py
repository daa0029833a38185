"""Gravity between many bodies by the leapfrog method, with energy and momentum kept in view.

Source: Hut and Makino, "Moving Stars Around", 2003; Plummer's softening.
"""

import numpy as np


def acceleration(pos, mass, G, softening):
    N = pos.shape[0]
    acc = np.zeros_like(pos)
    for i in range(N):
        for j in range(i + 1, N):
            d = pos[j] - pos[i]
            inv_r3 = (d @ d + softening**2) ** (-1.5)
            acc[i] += G * mass[j] * inv_r3 * d
            acc[j] -= G * mass[i] * inv_r3 * d
    return acc


def energy(pos, vel, mass, G):
    kinetic = 0.5 * np.sum(mass * np.sum(vel**2, axis=1))
    dx = pos[:, 0:1].T - pos[:, 0:1]
    dy = pos[:, 1:2].T - pos[:, 1:2]
    dz = pos[:, 2:3].T - pos[:, 2:3]
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    potential = -G * np.sum(np.sum(np.triu(mass[:, None] * mass * inv_r, 1)))
    return kinetic, potential


def program(pos, vel, mass, dt, steps, G=1.0, softening=0.1):
    vel -= np.mean(mass[:, None] * vel, 0) / np.mean(mass)
    acc = acceleration(pos, mass, G, softening)
    KE, PE = energy(pos, vel, mass, G)
    E0 = KE + PE
    drift = 0.0
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos, mass, G, softening)
        vel += acc * dt / 2.0
        KE, PE = energy(pos, vel, mass, G)
        drift = max(drift, abs(KE + PE - E0))
    momentum = mass @ vel
    return KE, PE, drift, momentum


def arguments(size):
    rng = np.random.default_rng(1)
    return rng.normal(size=(size, 3)), rng.normal(size=(size, 3)), rng.random(size), 0.01, 10
