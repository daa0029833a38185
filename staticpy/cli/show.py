"""``staticpy show FILE:FUNCTION``: one function of a file at one stage of the road.

In: a file and the qualified name of an annotated function in it. Out: its syntax tree, its graph as
lowered, its graph after the passes, the source that is generated from it, or its native code; or
the same of its gradient. Nothing is run.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

from staticpy.check import Checker, SettingsError, lacking_for, load, show, source_diagnostic
from staticpy.cli.console import add_color, lines_on_disk, wants_color, warn
from staticpy.cli.exits import FINDINGS, OK, USAGE
from staticpy.diagnostics import Diagnostic, Diagnostics, render_full
from staticpy.source import SourceError, SourceFile, SourceUnit, from_text, read_text

STAGES = ("ast", "ir", "opt", "source", "kernels", "llvm", "asm")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of ``staticpy show``."""
    parser = commands.add_parser(
        "show",
        help="show an annotated function at a stage of its compilation",
        description="Show one function of a file at one stage. Its parameters need annotations.",
    )
    parser.add_argument("target", metavar="FILE:FUNCTION", help="model.py:loss, model.py:Net.run")
    parser.add_argument(
        "--stage",
        choices=STAGES,
        default="ir",
        help="ast: the syntax tree; ir: the graph as lowered (default); opt: after the passes; "
        "source: the generated Python; kernels: the loops of its native code; llvm: that code as "
        "LLVM has optimised it; asm: as the processor runs it",
    )
    parser.add_argument(
        "--grad", action="store_true", help="its gradient, as staticpy.grad makes it"
    )
    parser.add_argument(
        "--argnums",
        type=_numbers,
        metavar="N[,N...]",
        help="with --grad, the numbers of the parameters to differentiate by (default: 0)",
    )
    add_color(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the stage, or why there is none."""
    file, _, name = options.target.rpartition(":")
    file = file.removesuffix(":")  # FILE::FUNCTION, as pytest writes it
    if not file or not name:
        warn(f"'{options.target}' is not FILE:FUNCTION")
        return USAGE
    if options.grad and options.stage == "ast":
        warn("a gradient has no syntax tree: its stages are those from ir on")
        return USAGE
    if options.argnums is not None and not options.grad:
        warn("'--argnums' needs '--grad'")
        return USAGE
    lacking = lacking_for(options.stage)
    if lacking:
        warn(lacking)
        return USAGE
    try:
        text = read_text(file)
        source = from_text(text, file)
    except SourceError as error:
        if error.kind == "UNREADABLE_FILE":
            warn(f"cannot read '{file}': {error.fields['reason']}")
            return USAGE
        return _refuse([source_diagnostic(error, file)], options)
    unit = _unit(source, name)
    if unit is None:
        return USAGE
    if options.stage == "ast":
        print(ast.dump(unit.node, indent=2))
        return OK
    argnums = (options.argnums or 0) if options.grad else None
    wrong = _wrong(argnums, unit)
    if wrong:
        warn(wrong)
        return USAGE
    try:
        project = Checker(load(Path.cwd())).open_project
    except SettingsError as error:
        warn(str(error))
        return USAGE
    shown, diagnostics = show(text, file, name, options.stage, argnums, project)
    if shown is None:
        return _refuse(diagnostics, options)
    print(shown)
    return OK


def _numbers(text: str) -> int | tuple[int, ...]:
    """``argnums`` of a command line: a number, or several."""
    try:
        numbers = tuple(map(int, text.split(",")))
    except ValueError:
        why = f"{text!r} is no number, nor several with commas between them"
        raise argparse.ArgumentTypeError(why) from None
    return numbers if "," in text else numbers[0]


def _wrong(argnums: int | tuple[int, ...] | None, unit: SourceUnit) -> str:
    """What ``staticpy.grad`` would raise for a call with all parameters; "" if nothing."""
    numbers = argnums if isinstance(argnums, tuple) else () if argnums is None else (argnums,)
    count = len(unit.node.args.posonlyargs) + len(unit.node.args.args)
    for number in numbers:
        if not -count <= number < count:
            return f"there is no parameter {number} by position: '{unit.qualname}' has {count}"
    if len({number % count for number in numbers}) < len(numbers):
        return "'--argnums' names one parameter twice"
    return ""


def _unit(source: SourceFile, name: str) -> SourceUnit | None:
    unit = next((unit for unit in source.units if unit.qualname == name), None)
    if unit is None:
        known = ", ".join(unit.qualname for unit in source.units) or "none"
        warn(f"there is no function '{name}' in '{source.file}'; it has: {known}")
    return unit


def _refuse(diagnostics: Diagnostics | list[Diagnostic], options: argparse.Namespace) -> int:
    print(render_full(diagnostics, lines_on_disk, color=wants_color(options.color, sys.stdout)))
    return FINDINGS
