"""``staticpy explain`` and ``staticpy rule``: what a code means, from the catalogue."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from staticpy.check import codes_of, unknown_rule
from staticpy.cli.console import warn
from staticpy.cli.exits import OK, USAGE
from staticpy.diagnostics import DiagnosticSpec, catalog, category


def add_parsers(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The arguments of ``explain`` and ``rule``."""
    explain = commands.add_parser("explain", help="explain a code, with examples")
    text = "a code or a name: SPY402; the beginning of codes, SPY4, lists them"
    explain.add_argument("code", metavar="CODE", help=text)
    explain.set_defaults(run=run_explain)
    rule = commands.add_parser("rule", help="list the codes, or describe one")
    rule.add_argument("code", nargs="?", metavar="CODE", help=text)
    rule.add_argument("--all", action="store_true", help="describe all of them")
    rule.add_argument("--output-format", choices=("text", "json"), default="text")
    rule.set_defaults(run=run_rule)


def run_explain(options: argparse.Namespace) -> int:
    """Print the explanation of one code, or the list of those that begin so."""
    specs = _found(options.code)
    if not specs:
        return USAGE
    if len(specs) == 1:
        print(explanation(specs[0]))
    else:
        _print_list(specs)
    return OK


def run_rule(options: argparse.Namespace) -> int:
    """Print one code, all, or the list of them."""
    specs: Sequence[DiagnosticSpec] = catalog.ALL
    if options.code is not None:
        specs = _found(options.code)
        if not specs:
            return USAGE
    is_one = catalog.find(options.code or "") is not None
    if options.output_format == "json":
        values = [_as_json(spec) for spec in specs]
        print(json.dumps(values[0] if is_one else values, indent=2))
    elif is_one or options.all:
        print("\n\n".join(map(explanation, specs)))
    else:
        _print_list(specs)
    return OK


def _print_list(specs: Sequence[DiagnosticSpec]) -> None:
    longest = max(len(spec.slug) for spec in specs)
    widest = max(len(level(spec)) for spec in specs)
    for spec in specs:
        print(f"{spec.code}  {level(spec):{widest}}  {spec.slug:{longest}}  {spec.message}")


def level(spec: DiagnosticSpec) -> str:
    """The severity of a kind, and whether it is in preview."""
    return f"{spec.severity}, preview" if spec.is_preview else str(spec.severity)


def explanation(spec: DiagnosticSpec) -> str:
    """The text of ``staticpy explain``."""
    parts = [
        f"{spec.code} {spec.slug} ({level(spec)})",
        f"Message: {spec.message}\nHelp:    {spec.help}",
        spec.explanation.strip(),
        f"Refused:\n\n{_indented(spec.bad)}",
        f"Accepted:\n\n{_indented(spec.good)}",
    ]
    return "\n\n".join(parts)


def _indented(program: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in program.strip().split("\n"))


def _as_json(spec: DiagnosticSpec) -> dict[str, object]:
    return {
        "code": spec.code,
        "name": spec.slug,
        "severity": str(spec.severity),
        "preview": spec.is_preview,
        "category": category(spec.code),
        "message": spec.message,
        "help": spec.help,
        "explanation": spec.explanation,
        "bad": spec.bad,
        "good": spec.good,
        "nodes": list(spec.nodes),
    }


def _found(selector: str) -> list[DiagnosticSpec]:
    """What a code, the beginning of one, or a name stands for, as for ``--select``."""
    codes = codes_of(selector)
    if not codes:
        warn(unknown_rule(selector))
    return [spec for spec in catalog.ALL if spec.code in codes]
