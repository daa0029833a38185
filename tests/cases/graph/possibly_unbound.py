"""A variable that one path does not bind has a flag; its read raises as CPython does."""


def possibly_unbound(n: int):
    if n > 0:
        y = n
    return y


# graph
# module @possibly_unbound {
#   func @possibly_unbound(%n: int) -> int {
#     %0 = constant {value = 0} : int
#     %1 = py.gt %n, %0 : bool
#     %bound_y = if %1 : bool {
#       %2 = constant {value = true} : bool
#       region_yield %2
#     } {
#       %3 = constant {value = false} : bool
#       region_yield %3
#     }
#     if %bound_y {
#       region_yield
#     } {
#       raise {exception = "UnboundLocalError", args = ("cannot access local variable 'y' where it is not associated with a value",)}
#       region_yield
#     }
#     return %n
#   }
# }
