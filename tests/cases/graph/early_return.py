"""What follows an `if` that always leaves belongs to its other side; no flag is tested."""


def early_return(n: int):
    if n > 10:
        return 10
    n = n * 2
    return n


# graph
# module @early_return {
#   func @early_return(%n: int) -> int {
#     %0 = constant {value = 10} : int
#     %1 = py.gt %n, %0 : bool
#     %result = if %1 : int {
#       %2 = constant {value = 10} : int
#       region_yield %2
#     } {
#       %3 = constant {value = 2} : int
#       %n.1 = py.mul %n, %3 : int
#       region_yield %n.1
#     }
#     return %result
#   }
# }
