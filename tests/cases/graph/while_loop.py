"""The condition is a region of its own; the carried values are its arguments."""


def while_loop(first: int, second: int):
    while first < second:
        first += 2
        second += 1
    return first, second


# graph
# module @while_loop {
#   func @while_loop(%first: int, %second: int) -> (int, int) {
#     %first.1, %second.1 = while %first, %second : int, int (%first.2: int, %second.2: int) {
#       %0 = py.lt %first.2, %second.2 : bool
#       region_yield %0, %first.2, %second.2
#     } (%first.3: int, %second.3: int) {
#       %1 = constant {value = 2} : int
#       %first.4 = py.add %first.3, %1 : int
#       %2 = constant {value = 1} : int
#       %second.4 = py.add %second.3, %2 : int
#       region_yield %first.4, %second.4
#     }
#     return %first.1, %second.1
#   }
# }
