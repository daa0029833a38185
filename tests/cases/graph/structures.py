"""Tuples, lists and dicts are compile-time structures; the graph sees their leaves."""

from staticpy import f64


def structures(pair: tuple[f64["n"], int]):
    x, n = pair
    state = {"x": x, "steps": [n, n + 1]}
    return state["x"] * state["steps"][1], {"n": state["steps"]}


# graph
# module @structures {
#   func @structures(%pair_0: f64[n], %pair_1: int) -> (f64[n], int, int) {
#     %0 = constant {value = 1} : int
#     %1 = py.add %pair_1, %0 : int
#     %2 = from_python %1 {dtype = f64} : f64
#     %3, %4 = broadcast %pair_0, %2 : f64[n], f64[n]
#     %5 = multiply %3, %4 : f64[n]
#     return %5, %pair_1, %1
#   }
# }
