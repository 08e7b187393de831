"""`mpiglot diff`: what a program would notice between two MPIs, or from release to release."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby, pairwise

import click

from mpiglot.blueprints.diff import compare, noticeable
from mpiglot.blueprints.diff_report import as_json as json_report
from mpiglot.blueprints.diff_report import as_markdown, as_text
from mpiglot.blueprints.errors import UsageError
from mpiglot.commands._common import answer
from mpiglot.generators.inputs import Named, blueprint, known

_FORMATS = {
    "text": as_text,
    "json": json_report,
    "markdown": as_markdown,
}


@click.command()
@click.argument("names", metavar="[A B]", nargs=-1)
@click.option("--since", metavar="A", help="From A on, each known release and the one before it.")
@click.option(
    "--format", "form", type=click.Choice(list(_FORMATS)), default="text", help="How to answer."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def diff(names: tuple[str, ...], since: str | None, form: str, as_json: bool) -> int:
    """Shows what differs between two blueprints, each a file or the name of a known MPI.

    Added, removed and changed functions, constants, types and callbacks, and the installation's
    own facts. --since takes the name of a known MPI (mpich-4.0.2), or its version where only one
    vendor has it. Exit code 1 if a program can tell any two apart.
    """
    form = "json" if as_json else form
    if since is not None:
        if names:
            raise UsageError("--since takes no further blueprints.")
        return _answer(list(pairwise(_series_from(since))), form, several=True)
    if len(names) != 2:
        raise UsageError("diff takes two blueprints, or --since and one.")
    return _answer([(blueprint(names[0]), blueprint(names[1]))], form, several=False)


def _answer(pairs: list[tuple[Named, Named]], form: str, *, several: bool) -> int:
    texts, differ = [], False
    for a, b in pairs:
        changes = compare(a.blueprint, b.blueprint)
        differ |= noticeable(changes)
        texts.append(_FORMATS[form]((a.name, b.name), (a.blueprint, b.blueprint), changes))
    if several and form == "json":
        answer(json.dumps([json.loads(text) for text in texts], indent=1, ensure_ascii=False))
    else:
        answer("\n\n".join(texts))
    return 1 if differ else 0


def every_series() -> Iterator[list[Named]]:
    """The known releases of each vendor and binary interface, the oldest first."""

    def kind(one: Named) -> tuple[str, str]:
        return one.blueprint.mpi.vendor, one.blueprint.mpi.abi

    for _, members in groupby(sorted(map(blueprint, known()), key=kind), key=kind):
        yield sorted(members, key=lambda one: _numbers(one.blueprint.mpi.version))


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _series_from(since: str) -> list[Named]:
    """The release that `since` names, and the later ones of its series."""
    found = [
        series[index:]
        for series in every_series()
        for index, one in enumerate(series)
        if since in (one.name, one.blueprint.mpi.version)
    ]
    exact = [series for series in found if series[0].name == since]
    if not found:
        raise UsageError(f"{since} is no known MPI; they are {', '.join(known())}.")
    if len(found) > 1 and not exact:
        names = ", ".join(series[0].name for series in found)
        raise UsageError(f"{since} is a release of several: {names}. Give one of these names.")
    series = (exact or found)[0]
    if len(series) == 1:
        raise UsageError(f"{series[0].name} is the newest known release of its series.")
    return series
