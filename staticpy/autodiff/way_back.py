"""The way back through a whole graph, as a graph of its own.

Before:
    func @f(%x: f64[n], %y: f64[n]) -> (f64[n]) {
      %0 = multiply %x, %y : f64[n]
      return %0
    }
After, by ``%x``:
    func @f(%x: f64[n], %y: f64[n], %seed: f64[n]) -> (f64[n]) {
      %0, %1 = vjp %x, %seed {outputs = 1} (%x.1: f64[n]) {
        %2 = multiply %x.1, %y : f64[n]
        region_yield %2
      }
      return %1
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from staticpy import ops
from staticpy.autodiff.calls import mark_calls
from staticpy.autodiff.pullbacks import require_no_trace
from staticpy.ir import (
    Block,
    Builder,
    Function,
    Module,
    Region,
    TensorType,
    Value,
    copy_body,
    copy_module,
    is_mutable_memory,
    rewriter,
    walk,
)


def way_back(module: Module, by: Sequence[int]) -> Module:
    """A module whose entry takes the arguments of ``module.main`` and a cotangent for each of its
    results, and gives those of the arguments ``by``. ``module`` stays as it is.
    """
    made = copy_module(module)
    main, block, primals = made.main, Block(), Block()
    values: dict[Value, Value] = {}
    for number, argument in enumerate(main.args):
        outer = block.add_arg(argument.type, argument.name)
        inner = primals.add_arg(argument.type, argument.name) if number in by else outer
        values[argument] = inner
    builder = Builder(primals)
    results = copy_body(main.block, builder, values, lambda span: span)
    builder.emit(ops.region_yield, results)
    _drop_unrecorded(primals)
    require_no_trace(primals, filter(_is_object, (values[each] for each in main.args)))
    given = [block.args[number] for number in by]
    given += [block.add_arg(result.type, "seed") for result in results]
    builder = Builder(block)
    builder.span = main.span
    attrs = {"outputs": len(results)}
    differentiated = builder.emit(ops.vjp, given, attrs, [Region(primals)])
    builder.emit(ops.return_, differentiated.results[len(results) :])
    made.add(Function(main.name, block, main.span))
    return made


def require_rerunnable(module: Module) -> None:
    """Refuse a module of which something could tell that it is run again.

    Raises:
        DiagnosticError: NO_PULLBACK.
    """
    mark_calls(module)
    require_no_trace(module.main.block, module.main.args)


def _drop_unrecorded(block: Block) -> None:
    """Remove what is done in ``with no_grad()`` for its effects alone: it was done."""
    for operation in list(walk(block)):
        is_unread = not any(result.uses for result in operation.results)
        if operation.op is ops.no_gradient and is_unread:
            rewriter.erase(operation)


def _is_object(value: Value) -> bool:
    """Whether an argument is an object, which is not copied for the way back. A generator of random
    numbers is, and draws the same once more.
    """
    is_generator = bool(value.uses) and all(each.name == "random.draw" for each in value.users)
    is_object = is_mutable_memory(value.type) and not isinstance(value.type, TensorType)
    return is_object and not is_generator
