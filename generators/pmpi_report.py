"""Merges reports of the PMPI library over ranks and runs.

`python -m mpiglot.generators.pmpi_report FILE...` prints, for each function that was called, how
often it went through its C++ wrapper and how often around it and why. `--functions` names the
`pmpi/functions.json` of the generated folder and adds which functions were never called.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from mpiglot.errors import MpiglotError, UsageError


@dataclass(slots=True)
class Calls:
    """How often one function was called."""

    routed: int = 0
    bypassed: dict[str, int] = field(default_factory=dict)  # by reason


@dataclass(slots=True)
class Merged:
    """All reports together."""

    processes: int = 0
    functions: dict[str, Calls] = field(default_factory=dict)

    @property
    def routed(self) -> int:
        return sum(c.routed for c in self.functions.values())

    @property
    def bypassed(self) -> int:
        return sum(sum(c.bypassed.values()) for c in self.functions.values())


def merge(files: Iterable[Path]) -> Merged:
    """The sum over processes; of several lines of one process the last one counts."""
    latest: dict[str, dict[str, Any]] = {}
    for path in files:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as problem:
            raise UsageError(f"{path} cannot be read: {problem.strerror}.") from problem
        for number, line in enumerate(lines, 1):
            try:
                data = json.loads(line)
                latest[data["process"]] = data["calls"]
            except (ValueError, TypeError, KeyError) as problem:
                raise UsageError(f"{path}, line {number}: no line of such a report.") from problem
    out = Merged(processes=len(latest))
    for calls in latest.values():
        for name, counts in calls.items():
            own = out.functions.setdefault(name, Calls())
            own.routed += counts["routed"]
            for reason, count in counts.get("bypassed", {}).items():
                own.bypassed[reason] = own.bypassed.get(reason, 0) + count
    return out


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
        f"{merged.processes} processes, {len(merged.functions)} functions called, {through} of "
        f"them through the C++ layer: {merged.routed} calls routed, {merged.bypassed} bypassed."
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


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--functions", type=click.Path(path_type=Path), help="pmpi/functions.json.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def main(files: tuple[Path, ...], functions: Path | None, as_json: bool) -> None:
    """Merges reports of the PMPI library over ranks and runs."""
    try:
        merged = merge(files)
        known = None
        if functions is not None:
            known = json.loads(functions.read_text(encoding="utf-8"))["functions"]
    except (MpiglotError, OSError, ValueError, KeyError) as problem:
        raise click.UsageError(str(problem)) from problem
    if as_json:
        answer = {
            name: {"routed": c.routed, "bypassed": dict(sorted(c.bypassed.items()))}
            for name, c in sorted(merged.functions.items())
        }
        click.echo(json.dumps({"processes": merged.processes, "functions": answer}, indent=1))
    else:
        click.echo(text(merged, known))


if __name__ == "__main__":
    main()
