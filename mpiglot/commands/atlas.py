"""`mpiglot atlas`: several MPIs merged into one model, and where they disagree."""

from __future__ import annotations

from pathlib import Path

import click

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.blueprints.model import dumps, to_json
from mpiglot.commands._common import answer, answer_json
from mpiglot.exchange.output import write_file
from mpiglot.generators.conflicts import matters
from mpiglot.generators.inputs import Inputs, blueprint, say
from mpiglot.generators.model import Atlas, Conflict


@click.command()
@click.argument("blueprints", nargs=-1, required=True, metavar="A B ...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the atlas here (-: standard output).",
)
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def atlas(blueprints: tuple[str, ...], output: Path | None, as_json: bool) -> int:
    """Merges blueprints (files or known MPIs) with the catalogue and lists conflicts.

    A conflict is a disagreement about how a call is made or what a name is; values that differ
    from MPI to MPI are none. Exit code 1 if there is one that would make a call wrong.
    """
    named = [blueprint(argument) for argument in blueprints]
    names = [n.name for n in named]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise UsageError(f"{', '.join(twice)} is given more than once.")
    merged = Inputs(named).atlas
    serious = [c for c in merged.conflicts if matters(c, merged)]
    if output == Path("-"):
        click.echo(dumps(merged), nl=False)
        return 1 if serious else 0
    if output is not None:
        try:
            write_file(output, dumps(merged))
        except OSError as error:
            raise EnvironmentProblem(f"cannot write {output}: {error.strerror}.") from error
        say(f"wrote {output}")
    if as_json:
        answer_json(
            {
                "targets": [to_json(t) for t in merged.targets],
                "functions": len(merged.functions),
                "constants": len(merged.constants),
                "types": len(merged.types),
                "conflicts": [{**to_json(c), "matters": c in serious} for c in merged.conflicts],
            }
        )
    else:
        _print(merged, serious)
    return 1 if serious else 0


def _print(merged: Atlas, serious: list[Conflict]) -> None:
    answer(
        f"{len(merged.targets)} MPIs, {len(merged.functions)} functions, "
        f"{len(merged.constants)} constants, {len(merged.types)} types, "
        f"{len(merged.conflicts)} conflicts, {len(serious)} that matter"
    )
    for c in merged.conflicts:
        note = "" if c in serious else ", without consequence"
        answer(f"  {c.name}, {c.what}{note} (taken: {c.taken})")
        for value, targets in sorted(c.values.items()):
            answer(f"    {value}: {targets}")
