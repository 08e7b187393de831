"""`mpiglot doctor`: which MPI is here, what a program of it really loads, and what is wrong."""

from __future__ import annotations

import json
import os
import shutil
import textwrap
from collections.abc import Iterator

import click

from mpiglot.blueprints.errors import UsageError
from mpiglot.commands._progress import progress
from mpiglot.doctor import Diagnosis, Finding, examine
from mpiglot.parser.installation import Installation
from mpiglot.provision.matrix import Defect, matrix

_COLORS = {"error": "red", "warning": "yellow", "info": "cyan"}
_HELP = """Says which MPIs are here, which one is used and why, and what is wrong with it.

SPEC is a compiler wrapper (mpicc.mpich, /opt/mpich/bin/mpicc), the folder of an installation, or
a name such as mpich-5.0.2; without it: MPICC, else the first wrapper on PATH.

A small program is built and run on two ranks, in this shell's environment as it is. What stops it
is followed to its cause, and each finding says what to type.

\b
  mpiglot doctor
  mpiglot doctor mpicc.mpich --launcher mpiexec
  mpiglot doctor --json | jq '.findings[].fix'

Exit code: 0 all is well, 1 findings (notes do not count), 2 usage, 3 no MPI or no compiler.
"""


@click.command("doctor", help=_HELP)
@click.argument("spec", required=False)
@click.option("--mpicc", help="The compiler wrapper to examine (the same as SPEC).")
@click.option("--launcher", help="Start the program with this launcher (and its options) instead.")
@click.option("--ranks", default=2, show_default=True, help="Number of ranks.")
@click.option("--timeout", default=30.0, show_default=True, help="Seconds for each run.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor(
    spec: str | None,
    mpicc: str | None,
    launcher: str | None,
    ranks: int,
    timeout: float,
    as_json: bool,
) -> int:
    """The command itself."""
    if spec and mpicc:
        raise UsageError("give the MPI once: as SPEC or with --mpicc")
    if not 0 < timeout < 1e6:  # not a number either
        raise UsageError("--timeout wants a number of seconds above 0")
    with progress("building and running a small program"):
        diagnosis = examine(spec or mpicc, launcher=launcher, ranks=ranks, limit=timeout)
    if as_json:
        data = diagnosis.to_json()
        data["defects"] = [one.id for one in _defects(diagnosis.chosen)]
        click.echo(json.dumps(data, indent=2))
    else:
        color = False if os.environ.get("NO_COLOR") else None
        for line in _text(diagnosis):
            click.echo(line, color=color)
    return diagnosis.exit_code


def _text(diagnosis: Diagnosis) -> Iterator[str]:
    chosen = diagnosis.chosen
    if chosen is not None:
        yield from _chosen(diagnosis, chosen)
        yield ""
    others = [one for one in diagnosis.installations if not _is(one, chosen)]
    if others:
        yield "also here:"
        yield from _table(others)
        yield ""
    findings = [one for one in diagnosis.findings if one.severity != "info"]
    notes = [one for one in diagnosis.findings if one.severity == "info"]
    for one in findings + notes:
        yield from _finding(one)
    if not findings:
        yield click.style("no findings", fg="green") + (": all is well" if chosen else "")
    else:
        yield f"{len(findings)} finding{'s' if len(findings) > 1 else ''}"


def _chosen(diagnosis: Diagnosis, chosen: Installation) -> Iterator[str]:
    rows = [
        ("MPI", f"{chosen.release} ({chosen.name})"),
        ("wrapper", " ".join(chosen.command)),
        ("why", chosen.why),
        ("compiler", chosen.compiler or "the wrapper itself"),
        ("header", str(chosen.header)),
        ("links with", f"{chosen.library} ({chosen.soname})" if chosen.library else "unknown"),
        ("launcher", str(diagnosis.launcher or "none found")),
    ]
    trial = diagnosis.run
    if trial is not None:
        report = trial.reports[0] if trial.reports else None
        if report is not None:
            rows += [
                ("loads", report.library),
                ("says", textwrap.shorten(report.library_version, 70) or "nothing"),
                ("MPI standard", report.version or "unknown"),
                ("ABI family", diagnosis.abi or "unknown"),
                ("thread level", report.thread_level or "unknown"),
            ]
        seen = ", ".join(f"rank {r.rank} of {r.size} on {r.host}" for r in trial.reports)
        state = {"right": "right", "alone": "every rank alone"}.get(trial.verdict, trial.verdict)
        rows.append(("run", f"{state} in {trial.seconds:.2f} s: {seen or 'no rank reported'}"))
    if diagnosis.set_here:
        rows.append(("run with", " ".join(f"{k}={v}" for k, v in diagnosis.set_here.items())))
    if diagnosis.unset_here:
        rows.append(("run without", " ".join(diagnosis.unset_here)))
    for label, value in rows:
        yield f"{label:<13}{value}"
    harmful = [one for one in _defects(chosen) if one.harms]
    if harmful:
        text = f"{len(harmful)} that harm (`mpiglot show NAME` says more): "
        text += ", ".join(dict.fromkeys(name for one in harmful for name in one.functions))
        yield from textwrap.wrap(
            text,
            87,
            initial_indent=f"{'defects':<13}",
            subsequent_indent=" " * 13,
            break_on_hyphens=False,
        )


def _defects(chosen: Installation | None) -> list[Defect]:
    """What is known to be wrong with an MPI."""
    if chosen is None:
        return []
    return matrix().defects_of_release(chosen.vendor, chosen.version, chosen.name)


def _table(installations: list[Installation]) -> Iterator[str]:
    rows = []
    for one in installations:
        state = one.problem or (str(one.launcher) if one.launcher else "no launcher")
        rows.append((one.name, one.abi, " ".join(one.command), state))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "  ".join([*cells, row[3]])


def _finding(one: Finding) -> Iterator[str]:
    width = max(60, min(shutil.get_terminal_size((100, 24)).columns, 100))
    label = click.style(one.severity, fg=_COLORS[one.severity], bold=one.severity == "error")
    yield f"{label} [{one.id}]"
    yield from textwrap.wrap(
        one.message,
        width,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    for number, line in enumerate(one.fix.splitlines()):
        yield ("  type: " if number == 0 else "        ") + line
    yield ""


def _is(one: Installation, chosen: Installation | None) -> bool:
    if chosen is None:
        return False
    return one.name == chosen.name and one.header == chosen.header
