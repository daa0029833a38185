"""Dictionary coding in the manner of LZ77, with hash chains to find matches.

Source: Ziv and Lempel, 1977; the chains as in RFC 1951, section 4.
"""

import numpy as np

MIN_MATCH, MAX_MATCH, WINDOW = 3, 18, 256


def hash3(data, i):
    return (int(data[i]) * 0x9E5F ^ int(data[i + 1]) * 0x79B1 ^ int(data[i + 2]) * 0x3D4D) & 0xFF


def longest_match(data, pos, candidate, chain):
    best_length, best_distance = 0, 0
    for _ in range(16):
        if candidate < 0 or pos - candidate > WINDOW:
            break
        length = 0
        limit = min(MAX_MATCH, len(data) - pos)
        while length < limit and data[candidate + length] == data[pos + length]:
            length += 1
        if length > best_length:
            best_length, best_distance = length, pos - candidate
            if length == limit:
                break
        candidate = chain[candidate]
    return best_length, best_distance


def compress(data):
    head = np.full(256, -1, dtype=np.int64)
    chain = np.full(len(data), -1, dtype=np.int64)
    tokens = []
    pos = 0
    while pos < len(data):
        length, distance = 0, 0
        if pos + MIN_MATCH <= len(data):
            length, distance = longest_match(data, pos, head[hash3(data, pos)], chain)
        if length >= MIN_MATCH:
            tokens.append((length, distance))
        else:
            length = 1
            tokens.append((0, int(data[pos])))
        for p in range(pos, min(pos + length, len(data) - MIN_MATCH + 1)):
            h = hash3(data, p)
            chain[p] = head[h]
            head[h] = p
        pos += length
    return tokens


def decompress(tokens):
    out = []
    for length, value in tokens:
        if length == 0:
            out.append(value)
        else:
            for _ in range(length):
                out.append(out[-value])
    return np.array(out, dtype=np.uint8)


def program(data):
    tokens = compress(data)
    size = sum(1 if length == 0 else 2 for length, _ in tokens)
    return tokens, size / len(data), bool((decompress(tokens) == data).all())


def arguments(size):
    rng = np.random.default_rng(3)
    words = [rng.integers(97, 123, n) for n in (3, 5, 7)]
    text = np.concatenate([words[k] for k in rng.integers(0, 3, 3 * size)])
    return (text.astype(np.uint8),)
