"""`mpiglot probe`: reads an installed MPI and writes its blueprint."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from mpiglot.blueprints import model
from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.commands._progress import progress
from mpiglot.parser import choice
from mpiglot.parser.cache import Cache, Entry, key_of
from mpiglot.parser.files import write_whole
from mpiglot.parser.start import Starter, command_of
from mpiglot.parser.wrapper import Wrapper


@dataclass(slots=True)
class Outcome:
    """A blueprint as it is written, and how it was come by."""

    data: dict[str, Any]
    cached: bool
    seconds: float
    warnings: list[str] = field(default_factory=list)


@click.command()
@click.argument("spec", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File (--all: folder).")
@click.option("--mpicc", metavar="WRAPPER", help="Compiler wrapper: name, path, folder or command.")
@click.option("--mpi", metavar="NAME", help="An MPI by name, such as openmpi-5.0.11.")
@click.option("--launcher", metavar="COMMAND", help="Start the measuring program with this.")
@click.option(
    "--accept-unlinked", is_flag=True, help="Believe the header where no program can be linked."
)
@click.option("--header", type=click.Choice(["native", "abi"]), help="Which header, if it has two.")
@click.option("--all", "everything", is_flag=True, help="All headers of the installation.")
@click.option("--portable", is_flag=True, help="Without paths: the same on every machine.")
@click.option("--no-cache", is_flag=True, help="Measure even if nothing has changed.")
@click.option("--json", "as_json", is_flag=True, help="Say what was written as JSON (with -o).")
def probe(
    spec: str | None,
    output: Path | None,
    mpicc: str | None,
    mpi: str | None,
    launcher: str | None,
    accept_unlinked: bool,
    header: str | None,
    everything: bool,
    portable: bool,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Finds the installed MPI, measures it and writes its blueprint.

    SPEC is a compiler wrapper, the folder of an installation, or a name such as openmpi-5.0.11.
    Without -o the blueprint goes to standard output. Exit code 3 if there is no MPI or it cannot be
    used.
    """
    named = [one for one in (spec, mpicc, mpi) if one]
    if len(named) > 1:
        raise UsageError("SPEC, --mpicc and --mpi each say which MPI is meant; give one of them")
    if everything and header:
        raise UsageError("--all writes every header, --header chooses one; give one of them")
    if everything and output is None:
        raise UsageError("--all writes several blueprints; name a folder for them with -o")
    with progress("looking for MPI"):
        first = choice.wrapper(named[0] if named else None)
        second = first.second()
        chosen = choice.headers(first) if everything else [choice.header(first, header)]
    summaries = []
    for wrapper in chosen:
        with progress("looking for MPI") as tell:
            outcome = _outcome(wrapper, launcher, accept_unlinked, not no_cache, tell)
        if portable:
            choice.make_portable(outcome.data)
        text = model.dumps(outcome.data)
        target = _target(output, outcome.data, everything)
        if target is None:
            click.echo(text, nl=False)
        else:
            write_whole(target, text)
        for warning in outcome.warnings:
            click.echo(f"mpiglot: warning: {warning}", err=True)
        summaries.append(_summary(outcome, target))
    if as_json and output is not None:
        click.echo(json.dumps(summaries if everything else summaries[0], indent=1))
        return
    for summary in summaries:
        click.echo(_sentence(summary), err=True)
    if second is not None and not everything and header is None:
        click.echo(
            "This installation also has the standard ABI's header: --header abi, or --all.",
            err=True,
        )


def _outcome(
    wrapper: Wrapper,
    launcher: str | None,
    accept_unlinked: bool,
    cached: bool,
    tell: Callable[[str], None],
) -> Outcome:
    """The blueprint of `wrapper`, out of the cache where it still holds."""
    start = time.monotonic()
    command = command_of(launcher)
    cache, key = Cache(), key_of(wrapper, command, accept_unlinked)
    entry = cache.find(key) if cached else None
    if entry is not None:
        data: dict[str, Any] = json.loads(entry.text)
        return Outcome(data, True, time.monotonic() - start, entry.warnings)
    from mpiglot.parser.probe import probe as measure  # brings libclang along

    probed = measure(wrapper, Starter(command), tell, accept_unlinked)
    text = model.dumps(probed.blueprint)
    files = [*probed.files, *([probed.library] if probed.library else [])]
    cache.keep(key, Entry(text, probed.warnings), files)
    return Outcome(json.loads(text), False, time.monotonic() - start, probed.warnings)


def _target(output: Path | None, data: dict[str, Any], everything: bool) -> Path | None:
    if output is None or str(output) == "-":
        return None
    if not everything:
        return output
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise EnvironmentProblem(f"{output} cannot be made: {problem.strerror}") from None
    return output / f"{choice.name_of(data)}.json"


def _summary(outcome: Outcome, target: Path | None) -> dict[str, Any]:
    data = outcome.data
    return {
        "name": choice.name_of(data),
        "file": None if target is None else str(target),
        "vendor": data["mpi"].get("vendor", ""),
        "version": data["mpi"].get("version", ""),
        "standard": data["mpi"].get("standard", ""),
        "abi": data["mpi"].get("abi", ""),
        "measured": data.get("measured", "run"),
        "functions": len(data["functions"]),
        "constants": len(data["constants"]),
        "types": len(data["types"]),
        "callbacks": len(data["callbacks"]),
        "cached": outcome.cached,
        "seconds": round(outcome.seconds, 2),
        "warnings": outcome.warnings,
    }


def _sentence(summary: dict[str, Any]) -> str:
    how = "from the cache" if summary["cached"] else f"in {summary['seconds']:.1f} s"
    where = f" -> {summary['file']}" if summary["file"] else ""
    return (
        f"{summary['name']} (MPI {summary['standard'] or '?'}): {summary['functions']} functions, "
        f"{summary['constants']} constants, {summary['types']} types, "
        f"{summary['callbacks']} callbacks, {how}{where}"
    )
