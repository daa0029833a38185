"""`+=` on an array writes into its buffer, which the caller sees."""

from staticpy import f64


def in_place(x: f64["n"]):
    x += 1
    return x


# graph
# module @in_place {
#   func @in_place(%x: f64[n]) -> f64[n] {
#     %0 = constant {value = 1} : int
#     %x.1 = iadd %x, %0 : f64[n]
#     return %x.1
#   }
# }
