"""A bank with several tellers, as events in time.

Source: Law and Kelton, "Simulation Modeling and Analysis", section 1.4.
"""

import heapq
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np


class Kind(Enum):
    ARRIVAL = auto()
    DEPARTURE = auto()


@dataclass
class Statistics:
    served: int = 0
    waited: float = 0.0
    longest_queue: int = 0
    area: float = 0.0
    last: float = 0.0

    def advance(self, now, length):
        self.area += length * (now - self.last)
        self.last = now
        self.longest_queue = max(self.longest_queue, length)


def program(rng, tellers, rate, service, until):
    stats = Statistics()
    events = []
    serial = 0
    queue = []
    idle = list(range(tellers))
    heapq.heappush(events, (rng.exponential(1 / rate), serial, Kind.ARRIVAL.value, -1))
    while events:
        now, _, kind, teller = heapq.heappop(events)
        if now > until:
            break
        stats.advance(now, len(queue))
        if kind == Kind.ARRIVAL.value:
            queue.append(now)
            serial += 1
            heapq.heappush(
                events, (now + rng.exponential(1 / rate), serial, Kind.ARRIVAL.value, -1)
            )
        else:
            idle.append(teller)
            stats.served += 1
        while queue and idle:
            arrived = queue.pop(0)
            stats.waited += now - arrived
            serial += 1
            done = now + rng.gamma(2.0, service / 2)
            heapq.heappush(events, (done, serial, Kind.DEPARTURE.value, idle.pop()))
    if stats.served == 0:
        return stats, None
    return stats, stats.waited / stats.served


def arguments(size):
    return np.random.default_rng(2), 2, 1.5, 1.2, 2.0 * size
