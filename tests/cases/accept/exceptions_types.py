"""Asking what a value is by trying: handlers of what Python raises for operands of its type."""

from __future__ import annotations

import math

import numpy as np

from staticpy import f64, i64
from tests.support.cases import case

KINDS = ((3,), (2.5,), (np.float32(2),), (np.arange(3.0),), (np.array(4),), ((1, 2),), (None,))


# A number has no items, nor has an array without axes.
@case(*KINDS, ("ab",), ("",), ([],), ({0: 5},), ({1: 5},))
def first_or_itself(x):
    try:
        return x[0]
    except (TypeError, IndexError, KeyError):
        return x


# Nor has it a length.
@case(*KINDS)
def length_or_one(x):
    try:
        return len(x)
    except TypeError as error:
        return str(error)


# What numbers of Python's have not, though arrays have.
@case(*KINDS)
def shape_or_nothing(x):
    try:
        return x.shape, x.astype(int)
    except AttributeError as error:
        return str(error)


# Functions of 'math' take no arrays, and no complex numbers.
@case((4.0,), (-1.0,), (np.array([4.0, 9.0]),), (-1j,), (np.float32(2),))
def root_of_numbers_or_arrays(x):
    try:
        return math.sqrt(x)
    except TypeError:
        return np.sqrt(x)
    except ValueError:
        return None


# NumPy has no such function of floats.
@case((np.arange(3.0), 1), (np.arange(3), 1), (np.arange(3), 1.5))
def bits_where_there_are(x, y):
    try:
        return np.bitwise_or(x, y), x << 1
    except TypeError:
        return np.ldexp(x, 1)


# A result that doesn't fit the array it is to be written to; what came before has happened.
@case((np.arange(3), 1.5), (np.arange(3), 2), (np.arange(3.0), 1.5))
def written_where_it_fits(x, y):
    total = 0
    try:
        total = 1
        np.add(x, y, out=x)
        total = 2
    except TypeError as error:
        return type(error).__name__, total
    finally:
        x[0] = 7
    return total


# The error of NumPy itself, with what it says and its attributes.
@case((np.ones((2, 3)),), (np.ones(2),))
def sums_over_each_axis(x):
    found = []
    for axis in (0, 1, 2):
        try:
            found.append(x.sum(axis=axis))
        except np.exceptions.AxisError as error:
            found.append((error.axis, error.ndim, str(error)))
    return found


# An index of the wrong type, or one too many.
@case(*((np.arange(3), i) for i in (1.5, "a", (0, 1), 1)), ([4, 5], "a"), ("ab", 1.5), (7, 0))
def item_or_reason(x, i):
    try:
        return x[i]
    except IndexError as error:
        return "index", str(error)
    except TypeError as error:
        return "type", str(error)


# What can't be written to.
@case(([1],), ((1,),), (3,), (np.float64(3),), (np.zeros(2),), (np.array(1),), ("ab",))
def write_or_reason(x):
    try:
        x[0] = 5
    except (TypeError, IndexError) as error:
        return str(error)
    return x


# Arguments that are missing, or are none of a function's.
@case((2.0,))
def called_with_too_few(x: float):
    found = []
    for function in (np.add, math.atan2, max, divmod):
        try:
            found.append(function(x))
        except TypeError:
            found.append(function(x, 1))
    return found


# Where no handler takes the error, that of an outer one does.
@case((np.ones(2),), (np.ones(2, int),))
def taken_further_out(x):
    try:
        try:
            return np.left_shift(x, 1)
        except IndexError:
            return x
    except Exception as error:
        return type(error).__name__


# In an item of one of several types, each is tried for itself.
@case(([1, [2, 3], "abc", None, (1,)],), ([np.zeros(3), 2.5],))
def lengths_of_several(items):
    total = 0
    for item in items:
        try:
            total += len(item)
        except TypeError:
            total += 100
    return total


# Types that are known beforehand.
@case((np.arange(3.0), np.arange(3)))
def known_types(x: f64["n"], k: i64["n"]):
    try:
        y = x & 1
    except TypeError:
        y = k & 1
    try:
        z = np.gcd(x, 2)
    except TypeError:
        z = np.gcd(k, 2)
    return y, z
