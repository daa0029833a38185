"""A nested function is lowered where it is called, with the variables as they are then."""


def closures(n: int):
    k = 1

    def shifted(v):
        return v + k

    k = n
    return shifted(5)


# graph
# module @closures {
#   func @closures(%n: int) -> int {
#     %0 = constant {value = 5} : int
#     %1 = py.add %0, %n : int
#     return %1
#   }
# }
