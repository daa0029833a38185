"""Huffman codes: the tree with a heap, the codes by recursion, bits packed and read back.

Source: Huffman, "A method for the construction of minimum-redundancy codes", 1952.
"""

import heapq

import numpy as np


def build(frequencies):
    heap = []
    left, right = [], []
    for symbol in range(256):
        if frequencies[symbol] > 0:
            heapq.heappush(heap, (int(frequencies[symbol]), symbol))
    following = 256
    while len(heap) > 1:
        fa, a = heapq.heappop(heap)
        fb, b = heapq.heappop(heap)
        left.append(a)
        right.append(b)
        heapq.heappush(heap, (fa + fb, following))
        following += 1
    return heap[0][1], left, right


def walk(node, left, right, prefix, codes):
    if node < 256:
        codes[node] = prefix or "0"
        return
    walk(left[node - 256], left, right, prefix + "0", codes)
    walk(right[node - 256], left, right, prefix + "1", codes)


def decode(bits, count, root, left, right):
    out = np.empty(count, dtype=np.uint8)
    pos = 0
    for k in range(count):
        node = root
        while node >= 256:
            node = (right if bits[pos] else left)[node - 256]
            pos += 1
        if root < 256:
            pos += 1
        out[k] = node
    return out, pos


def program(data):
    frequencies = np.bincount(data, minlength=256)
    root, left, right = build(frequencies)
    codes = {}
    walk(root, left, right, "", codes)
    text = "".join([codes[int(b)] for b in data])
    bits = np.array([int(c) for c in text], dtype=np.uint8)
    packed = np.packbits(bits)
    back, used = decode(np.unpackbits(packed), len(data), root, left, right)
    p = frequencies[frequencies > 0] / len(data)
    entropy = -(p * np.log2(p)).sum()
    return packed, np.array_equal(back, data), used / len(data), entropy


def arguments(size):
    return (np.random.default_rng(1).geometric(0.4, 5 * size).astype(np.uint8),)
