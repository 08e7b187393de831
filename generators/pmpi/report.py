"""Merges reports of the PMPI library over ranks and runs.

`python -m mpiglot.generators.pmpi.report FILE...` prints, for each function that was called, how
often it went through its C++ wrapper and how often around it and why. `--functions` names the
`pmpi/functions.json` of the generated folder and adds which functions were never called.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from mpiglot.blueprints.errors import UsageError


@dataclass(slots=True)
class Calls:
    """How often one function was called."""

    routed: int = 0
    bypassed: dict[str, int] = field(default_factory=dict)  # by reason


@dataclass(slots=True)
class Merged:
    """All reports together."""

    processes: int = 0
    silent: int = 0  # ranks of the same runs that left no line
    functions: dict[str, Calls] = field(default_factory=dict)

    @property
    def routed(self) -> int:
        return sum(c.routed for c in self.functions.values())

    @property
    def bypassed(self) -> int:
        return sum(sum(c.bypassed.values()) for c in self.functions.values())


def merge(files: Iterable[Path]) -> Merged:
    """The sum over processes; of several lines of one process the last one counts."""
    latest: dict[str, _Line] = {}
    for path in files:
        try:
            content = path.read_bytes()
        except OSError as problem:
            raise UsageError(f"{path} cannot be read: {problem.strerror}.") from problem
        for number, raw in enumerate(content.splitlines(), 1):
            try:
                line = _Line.of(json.loads(raw))
            except (ValueError, TypeError, KeyError, AttributeError) as problem:
                raise UsageError(f"{path}, line {number}: no line of such a report.") from problem
            latest[line.process] = line
    out = Merged(processes=len(latest), silent=_silent(latest.values()))
    for line in latest.values():
        for name, counts in line.calls.items():
            own = out.functions.setdefault(name, Calls())
            own.routed += counts.routed
            for reason, count in counts.bypassed.items():
                own.bypassed[reason] = own.bypassed.get(reason, 0) + count
    return out


@dataclass(slots=True)
class _Line:
    """What one process says."""

    process: str
    rank: int
    size: int
    calls: dict[str, Calls]

    @staticmethod
    def of(data: dict[str, Any]) -> _Line:
        calls = {
            name: Calls(
                int(counts["routed"]),
                {reason: int(n) for reason, n in counts.get("bypassed", {}).items()},
            )
            for name, counts in data["calls"].items()
        }
        return _Line(str(data["process"]), int(data["rank"]), int(data["size"]), calls)


def _silent(lines: Iterable[_Line]) -> int:
    """Ranks without a line: of as many runs of each size as its most frequent rank shows."""
    worlds: dict[int, Counter[int]] = {}
    for line in lines:
        if 0 <= line.rank < line.size:
            worlds.setdefault(line.size, Counter())[line.rank] += 1
    return sum(size * max(ranks.values()) - sum(ranks.values()) for size, ranks in worlds.items())


def text(merged: Merged, known: dict[str, dict[str, str]] | None) -> str:
    """The report for people."""
    lines = []
    width = max((len(n) for n in merged.functions), default=0)
    for name in sorted(merged.functions):
        calls = merged.functions[name]
        why = "".join(
            f", {count} bypassed ({why})" for why, count in sorted(calls.bypassed.items())
        )
        lines.append(f"{name:<{width}}  {calls.routed} routed{why}")
    through = sum(1 for c in merged.functions.values() if c.routed)
    lines.append(
        f"{_number(merged.processes, 'process', 'processes')}, "
        f"{_number(len(merged.functions), 'function', 'functions')} called, {through} of "
        f"them through the C++ layer: {merged.routed} calls routed, {merged.bypassed} bypassed."
    )
    if merged.silent:
        lines.append(
            f"{_number(merged.silent, 'rank', 'ranks')} of the same runs left no report: a process "
            "that is killed writes none."
        )
    if known is not None:
        never = sorted(set(known) - set(merged.functions))
        lines.append(f"{len(never)} of {len(known)} never called: {', '.join(never) or 'none'}.")
        lines += [
            f"{name} has no wrapper: {entry['none']}."
            for name, entry in sorted(known.items())
            if "none" in entry
        ]
    return "\n".join(lines)


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--functions", type=click.Path(path_type=Path), help="pmpi/functions.json.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def main(files: tuple[Path, ...], functions: Path | None, as_json: bool) -> None:
    """Merges reports of the PMPI library over ranks and runs."""
    try:
        merged = merge(files)
        known = _known(functions) if functions else None
    except UsageError as problem:
        click.echo(f"mpiglot: {problem}", err=True)
        sys.exit(problem.exit_code)
    if as_json:
        answer = {
            name: {"routed": c.routed, "bypassed": dict(sorted(c.bypassed.items()))}
            for name, c in sorted(merged.functions.items())
        }
        counts = {"processes": merged.processes, "silent": merged.silent}
        click.echo(json.dumps({**counts, "functions": answer}, indent=1))
    else:
        click.echo(text(merged, known))


def _known(path: Path) -> dict[str, dict[str, str]]:
    """The functions of `pmpi/functions.json`."""
    try:
        functions = json.loads(path.read_bytes())["functions"]
        return {name: dict(entry) for name, entry in functions.items()}
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}.") from problem
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise UsageError(f"{path}: no listing of the library's functions.") from problem


if __name__ == "__main__":
    main()
