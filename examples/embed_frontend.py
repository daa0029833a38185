"""staticpy's frontend inside a compiler of your own: text and types → SSA → our pass → our backend
(C).
"""

import sys

from staticpy import ops
from staticpy.diagnostics import DiagnosticError, catalog
from staticpy.frontend import build_module
from staticpy.ir import FLOAT, Builder, Module, Operation, Value, print_module, rewriter, walk
from staticpy.passes import PassManager, dce, inline

TEXT = """
def energy(mass: float, speed: float):
    return 0.5 * mass * speed**2 + potential(mass)

def potential(mass):
    return mass * 9.81 * 2.0
"""

OPERATORS = {"py.add": "+", "py.sub": "-", "py.mul": "*", "py.truediv": "/"}


def square_by_product(module: Module) -> None:
    """A pass: ``x ** 2`` becomes ``x * x``."""
    for function in module.functions.values():
        for operation in walk(function.block):
            if operation.name == "py.pow" and is_constant(operation.operands[1], 2):
                builder = Builder(function.block)
                builder.before(operation)
                base = operation.operands[0]
                product = builder.emit(ops.REGISTRY["py.mul"], [base, base])
                rewriter.replace(operation, product.results)


def is_constant(value: Value, number: float) -> bool:
    """Whether a value is known to be ``number``."""
    made_by = value.defining_op
    return made_by is not None and made_by.op is ops.constant and made_by.attrs["value"] == number


def to_c(module: Module) -> str:
    """A backend: the main function of a module of floats as C."""
    names = {argument: argument.name for argument in module.main.args}
    parameters = ", ".join(f"double {name}" for name in names.values())
    lines = [f"double {module.entry}({parameters}) {{"]
    for operation in module.main.block.operations:
        operands = [names[operand] for operand in operation.operands]
        if operation.op is ops.return_:
            lines.append(f"    return {operands[0]};")
        else:
            names[operation.result] = f"v{len(names)}"
            text = expression(operation, operands)
            lines.append(f"    double {names[operation.result]} = {text};")
    return "\n".join([*lines, "}"])


def expression(operation: Operation, operands: list[str]) -> str:
    """One operation as a C expression."""
    if operation.op is ops.constant:
        return repr(operation.attrs["value"])
    if operation.name in OPERATORS:
        return f" {OPERATORS[operation.name]} ".join(operands)
    what = f"the operation '{operation.name}'"
    raise DiagnosticError(catalog.UNSUPPORTED_BY_BACKEND, operation.span, backend="c", what=what)


def main() -> None:
    module = build_module(TEXT, FLOAT, FLOAT, name="energy")
    print(print_module(module))
    PassManager([inline, square_by_product, dce], verify_each=True).run(module)
    print(to_c(module))
    loaded = [name for name in sys.modules if name.startswith("staticpy.backends")]
    print("backends loaded:", loaded)


if __name__ == "__main__":
    main()
