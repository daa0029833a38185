"""A temperature held by a PID controller with clamping, an actuator with a dead time, and logs.

Source: Åström and Hägglund, "PID Controllers", chapter 3.
"""

import numpy as np


class PID:
    def __init__(self, kp, ki, kd, limits=(None, None)):
        self.kp, self.ki, self.kd = kp, ki, kd
        self.limits = limits
        self._integral = 0.0
        self._previous = None

    def clamp(self, value):
        low, high = self.limits
        if low is not None and value < low:
            return low
        elif high is not None and value > high:
            return high
        return value

    def __call__(self, error, dt):
        self._integral = self.clamp(self._integral + self.ki * error * dt)
        derivative = 0.0 if self._previous is None else (error - self._previous) / dt
        self._previous = error
        return self.clamp(self.kp * error + self._integral + self.kd * derivative)


class Room:
    def __init__(self, temperature, outside):
        self.temperature = temperature
        self.outside = outside

    def step(self, power, dt):
        self.temperature += dt * (0.8 * power - 0.1 * (self.temperature - self.outside(self)))


def settle_time(log, target, dt, band=0.5):
    for k in range(len(log) - 1, -1, -1):
        if abs(log[k] - target) > band:
            return (k + 1) * dt if k + 1 < len(log) else None
    return 0.0


def program(targets, steps, dt=0.1, delay=3):
    hour = 0

    def weather(room):
        return 5.0 + 3.0 * np.sin(hour / 24)

    pid = PID(2.0, 0.5, 0.1, limits=(0.0, 10.0))
    room = Room(12.0, weather)
    pipeline = [0.0] * delay
    summary = []
    for target in targets:
        log = np.empty(steps)
        for k in range(steps):
            hour += 1
            pipeline.append(pid(target - room.temperature, dt))
            room.step(pipeline.pop(0), dt)
            log[k] = room.temperature
        overshoot = max(0.0, float(log.max()) - target)
        summary.append(
            {"target": target, "overshoot": overshoot, "settled": settle_time(log, target, dt)}
        )
    return summary, room.temperature


def arguments(size):
    return [20.0, 18.0, 22.5], 20 * size
