"""Base64 of bytes: encoded three at a time, decoded with a table, padding checked.

Source: RFC 4648, section 4.
"""

import numpy as np

ALPHABET = np.frombuffer(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", dtype=np.uint8
)
PAD = np.uint8(61)


def encode(data):
    n = len(data)
    out = np.empty(4 * ((n + 2) // 3), dtype=np.uint8)
    k = 0
    for i in range(0, n - n % 3, 3):
        word = int(data[i]) << 16 | int(data[i + 1]) << 8 | int(data[i + 2])
        for shift in (18, 12, 6, 0):
            out[k] = ALPHABET[word >> shift & 63]
            k += 1
    if n % 3 == 1:
        word = int(data[-1]) << 4
        out[k:] = ALPHABET[word >> 6], ALPHABET[word & 63], PAD, PAD
    elif n % 3 == 2:
        word = (int(data[-2]) << 8 | int(data[-1])) << 2
        out[k:] = ALPHABET[word >> 12], ALPHABET[word >> 6 & 63], ALPHABET[word & 63], PAD
    return out


def decode(text):
    if len(text) % 4:
        raise ValueError("length is not a multiple of four")
    table = np.full(256, -1, dtype=np.int16)
    table[ALPHABET] = np.arange(64)
    padding = 0
    while padding < 2 and padding < len(text) and text[-1 - padding] == PAD:
        padding += 1
    out = []
    buffer = bits = 0
    for c in text[: len(text) - padding]:
        v = table[c]
        if v < 0:
            raise ValueError(f"byte {c} is not of the alphabet")
        buffer = (buffer << 6 | int(v)) & 0xFFFF
        bits += 6
        if bits >= 8:
            bits -= 8
            out.append(buffer >> bits & 0xFF)
    return np.array(out, dtype=np.uint8)


def program(data):
    text = encode(data)
    back = decode(text)
    text[0] = 33
    try:
        decode(text)
    except ValueError as error:
        message = str(error)
    else:
        message = None
    return text, back, np.array_equal(back, data), message


def arguments(size):
    return (np.random.default_rng(2).integers(0, 256, 5 * size + size % 3).astype(np.uint8),)
