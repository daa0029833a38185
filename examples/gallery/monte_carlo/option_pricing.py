"""Options: an Asian call with a control variate, and Longstaff and Schwartz's American put.

Source: Glasserman, "Monte Carlo Methods in Financial Engineering", sections 4.1, 4.2 and 8.6.
"""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Market:
    spot: float
    rate: float
    vol: float

    def discount(self, t):
        return math.exp(-self.rate * t)


def black_scholes(market, strike, T):
    def N(x):
        return 0.5 * (1 + math.erf(x / math.sqrt(2)))

    sd = market.vol * math.sqrt(T)
    d1 = (math.log(market.spot / strike) + (market.rate + market.vol**2 / 2) * T) / sd
    return market.spot * N(d1) - strike * market.discount(T) * N(d1 - sd)


def paths(market, T, steps, z):
    dt = T / steps
    log_s = np.cumsum(
        (market.rate - 0.5 * market.vol**2) * dt + market.vol * np.sqrt(dt) * z, axis=1
    )
    return market.spot * np.exp(log_s)


def asian_call(market, strike, T, steps, n, rng):
    z = rng.standard_normal((n, steps))
    s = np.concatenate([paths(market, T, steps, z), paths(market, T, steps, -z)])
    payoff = market.discount(T) * np.maximum(s.mean(axis=1) - strike, 0)
    control = market.discount(T) * np.maximum(s[:, -1] - strike, 0)
    c = np.cov(payoff, control)
    b = c[0, 1] / c[1, 1] if c[1, 1] > 0 else 0.0
    adjusted = payoff - b * (control - black_scholes(market, strike, T))
    return adjusted.mean(), adjusted.std(ddof=1) / math.sqrt(len(adjusted))


def american_put(market, strike, T, steps, n, rng):
    s = paths(market, T, steps, rng.standard_normal((n, steps)))
    df = market.discount(T / steps)
    cash = np.maximum(strike - s[:, -1], 0)
    for t in range(steps - 2, -1, -1):
        cash *= df
        itm = np.where(s[:, t] < strike)[0]
        if len(itm) < 4:
            continue
        x = s[itm, t] / strike
        basis = np.column_stack([np.ones_like(x), x, x**2])
        coef, *_ = np.linalg.lstsq(basis, cash[itm], rcond=None)
        exercise = strike - s[itm, t]
        stop = exercise > basis @ coef
        cash[itm[stop]] = exercise[stop]
    return max(strike - market.spot, df * cash.mean())


def program(market, strike, T, n, rng):
    call, error = asian_call(market, strike, T, 12, n, rng)
    return {
        "asian call": call,
        "error": error,
        "american put": american_put(market, strike, T, 10, n, rng),
    }


def arguments(size):
    return Market(100.0, 0.05, 0.2), 100.0, 1.0, 20 * size, np.random.default_rng(3)
