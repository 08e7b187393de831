"""`mpiglot api`: the public declarations of the generated code, and what would break its users."""

from __future__ import annotations

import click

from mpiglot.blueprints.errors import UsageError
from mpiglot.commands._common import answer, answer_json
from mpiglot.exchange import produce
from mpiglot.exchange.host import BUILT_IN
from mpiglot.generators.inputs import Inputs, say
from mpiglot.views import api as lists


@click.command()
@click.argument("language", metavar="[cpp|go|java|all]", default="all")
@click.option("--against", metavar="REV", help="Compare with a git revision instead of printing.")
@click.option("--write", is_flag=True, help="Renew the committed lists in generated/api.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def api(language: str, against: str | None, write: bool, as_json: bool) -> int:
    """Lists the public declarations of what would be generated now.

    With --against, what has gone (each breaks somebody's program) and what has come since then;
    exit code 1 if anything has gone.
    """
    if language not in (*BUILT_IN, "all"):
        raise UsageError(f"{language} is none of {', '.join(BUILT_IN)} and all.")
    languages = BUILT_IN if language == "all" else (language,)
    if not produce.in_checkout():
        raise UsageError("the lists are kept in mpiglot's own checkout; this is none.")
    inputs = Inputs.of_known()
    products = [produce.produce(unit, inputs) for unit in produce.listed_units(languages)]
    texts = lists.texts(products)
    if write:
        lists.write_committed(products)
    if against is None:
        if as_json:
            answer_json({name: text.splitlines() for name, text in texts.items()})
        elif not write:
            answer("".join(texts.values()).rstrip("\n"))
        return 0
    compared = {
        name: lists.changes(lists.at_revision(name, against), text) for name, text in texts.items()
    }
    if as_json:
        answer_json({name: {"gone": g, "new": n} for name, (g, n) in compared.items()})
    else:
        _print(compared, against)
    return 1 if any(gone for gone, _ in compared.values()) else 0


def _print(compared: dict[str, tuple[list[str], list[str]]], against: str) -> None:
    for name, (gone, new) in compared.items():
        say(f"{lists.TITLES[name]}: {len(gone)} gone, {len(new)} new since {against}")
        for line in [*(f"- {g}" for g in gone), *(f"+ {n}" for n in new)]:
            answer(f"{name}: {line}")
