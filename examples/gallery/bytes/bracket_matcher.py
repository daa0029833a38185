"""The structure of a JSON text in bytes: brackets matched, quotes honoured, depth of each byte.

Source: Langdale and Lemire, "Parsing gigabytes of JSON per second", 2019, by elements.
"""

import numpy as np

PAIRS = {ord("}"): ord("{"), ord("]"): ord("[")}
OPENING = (ord("{"), ord("["))
QUOTE, BACKSLASH = 34, 92


def program(data):
    partner = np.full(len(data), -1, dtype=np.int32)
    depth = np.zeros(len(data), dtype=np.uint8)
    stack = []
    in_string = escaped = False
    opened_at = -1
    deepest = 0
    for i, byte in enumerate(data):
        depth[i] = len(stack)
        if in_string:
            if escaped:
                escaped = False
            elif byte == BACKSLASH:
                escaped = True
            elif byte == QUOTE:
                in_string = False
                partner[opened_at], partner[i] = i, opened_at
            continue
        if byte == QUOTE:
            in_string, opened_at = True, i
        elif byte in OPENING:
            stack.append(i)
            deepest = max(deepest, len(stack))
        elif int(byte) in PAIRS:
            if not stack or data[stack[-1]] != PAIRS[int(byte)]:
                return False, i, partner, depth
            j = stack.pop()
            partner[i] = j
            partner[j] = i
    if in_string:
        return False, opened_at, partner, depth
    if stack:
        return False, stack[-1], partner, depth
    return True, deepest, partner, depth


def arguments(size):
    text = r'{"a": [1, {"b\"]": "[[{"}, 2], "c": []}'
    text = "[" + ", ".join([text] * size) + ("]" if size != 4 else "}")
    return (np.array(list(text.encode()), dtype=np.uint8),)
