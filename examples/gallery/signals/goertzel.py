"""DTMF decoding: the power at eight frequencies by Goertzel's algorithm.

Source: Goertzel, "An algorithm for the evaluation of finite trigonometric series", 1958; ITU-T
Q.23.
"""

import math

import numpy as np

ROWS = (697, 770, 852, 941)
COLUMNS = (1209, 1336, 1477, 1633)
KEYS = "123A456B789C*0#D"


def power(samples, freq, rate):
    coeff = 2 * math.cos(2 * math.pi * freq / rate)
    s_prev = s_prev2 = 0.0
    for x in samples:
        s = x + coeff * s_prev - s_prev2
        s_prev2, s_prev = s_prev, s
    return s_prev2**2 + s_prev**2 - coeff * s_prev * s_prev2


def decode(frame, rate):
    row_powers = [power(frame, f, rate) for f in ROWS]
    col_powers = [power(frame, f, rate) for f in COLUMNS]
    r, c = int(np.argmax(row_powers)), int(np.argmax(col_powers))
    total = sum(row_powers) + sum(col_powers)
    if total == 0 or (row_powers[r] + col_powers[c]) / total < 0.8:
        return -1
    return 4 * r + c


def program(signal, rate=8000, frame_length=205):
    codes = []
    for start in range(0, len(signal) - frame_length + 1, frame_length):
        code = decode(signal[start : start + frame_length], rate)
        if code >= 0 and (not codes or codes[-1] != code):
            codes.append(code)
    return codes, [ord(KEYS[i]) for i in (0, 5, 10, 15)]


def arguments(size):
    rng = np.random.default_rng(2)
    t = np.arange(205) / 8000
    parts = [np.zeros(205)]
    for _ in range(max(1, size // 3)):
        low, high = rng.choice(ROWS), rng.choice(COLUMNS)
        tone = np.sin(2 * np.pi * low * t) + np.sin(2 * np.pi * high * t)
        parts += [tone + 0.1 * rng.normal(size=205), 0.1 * rng.normal(size=205)]
    return (np.concatenate(parts),)
