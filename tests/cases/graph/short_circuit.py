"""`and` gives one of its operands; a chained comparison evaluates its middle once."""


def short_circuit(a: int, b: int):
    return (a and b), 0 < a + b < 9


# graph
# module @short_circuit {
#   func @short_circuit(%a: int, %b: int) -> (int, bool) {
#     %0 = truth %a : bool
#     %1 = if %0 : int {
#       region_yield %b
#     } {
#       region_yield %a
#     }
#     %2 = py.add %a, %b : int
#     %3 = constant {value = 0} : int
#     %4 = py.lt %3, %2 : bool
#     %5 = if %4 : bool {
#       %6 = constant {value = 9} : int
#       %7 = py.lt %2, %6 : bool
#       region_yield %7
#     } {
#       region_yield %4
#     }
#     return %1, %5
#   }
# }
