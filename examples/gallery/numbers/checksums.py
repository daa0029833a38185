"""Checksums of bytes: CRC-32 by table and bit by bit, Adler-32, FNV-1a, and xorshift numbers.

Source: RFC 1950; ISO 3309; Fowler, Noll and Vo; Marsaglia, "Xorshift RNGs", 2003.
"""

import numpy as np

POLY = 0xEDB88320


def crc_table():
    table = np.zeros(256, dtype=np.uint32)
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (POLY if crc & 1 else 0)
        table[byte] = crc
    return table


def crc32(data, table):
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> np.uint32(8))
    return crc ^ np.uint32(0xFFFFFFFF)


def crc32_bitwise(data):
    crc = 0xFFFFFFFF
    for byte in data.tolist():
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (POLY & -(crc & 1))
    return ~crc & 0xFFFFFFFF


def adler32(data):
    a, b = 1, 0
    for byte in data:
        a = (a + int(byte)) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def fnv1a(data):
    h = np.uint64(0xCBF29CE484222325)
    prime = np.uint64(0x100000001B3)
    with np.errstate(over="ignore"):
        for byte in data:
            h ^= np.uint64(byte)
            h *= prime
    return h


def xorshift(seed, n):
    x = seed & 0xFFFFFFFF
    for _ in range(n):
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        yield x


def program(data, seed):
    table = crc_table()
    first, second = crc32(data, table), crc32_bitwise(data)
    assert first == second, f"{first:#010x} is not {second:#010x}"
    noise = np.array([x % 256 for x in xorshift(seed, len(data))], dtype=np.uint8)
    mixed = data ^ noise
    parity = 0
    for byte in mixed:
        parity ^= bin(byte).count("1") & 1
    return f"{first:08x}", adler32(data), fnv1a(data), mixed, parity


def arguments(size):
    return np.random.default_rng(2).integers(0, 256, 8 * size, dtype=np.uint8), 2463534242
