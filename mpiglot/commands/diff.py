"""`mpiglot diff`: what a program would notice between two MPIs."""

from __future__ import annotations

import click

from mpiglot.blueprints.diff import compare
from mpiglot.blueprints.diff_report import as_json as json_report
from mpiglot.blueprints.diff_report import as_markdown, as_text
from mpiglot.commands._common import answer
from mpiglot.generators.inputs import blueprint

_FORMATS = {
    "text": as_text,
    "json": json_report,
    "markdown": as_markdown,
}


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option(
    "--format", "form", type=click.Choice(list(_FORMATS)), default="text", help="How to answer."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def diff(before: str, after: str, form: str, as_json: bool) -> int:
    """Shows what differs between two blueprints, each a file or the name of a known MPI.

    Added, removed and changed functions, constants, types and callbacks, and the installation's
    own facts. Exit code 1 if there is any difference.
    """
    a, b = blueprint(before), blueprint(after)
    changes = compare(a.blueprint, b.blueprint)
    report = _FORMATS["json" if as_json else form]
    answer(report((a.name, b.name), (a.blueprint, b.blueprint), changes))
    return 1 if changes else 0
