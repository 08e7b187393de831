"""`mpiglot check`: whether generated files are what would be generated now."""

from __future__ import annotations

from typing import Any

import click

from mpiglot.commands import _proof as proof
from mpiglot.commands._common import answer, answer_json
from mpiglot.commands._progress import progress
from mpiglot.commands._units import Wish, unit_options, units_of
from mpiglot.exchange import produce
from mpiglot.generators.inputs import say
from mpiglot.views import api


@click.command()
@click.argument("language", metavar="cpp|go|java|all|NAME", default="all")
@unit_options
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def check(language: str, as_json: bool, **wishes: Any) -> int:
    """Generates in memory and prints how the files on disk differ; writes nothing.

    Takes the same options as generate. Exit code 1 if anything differs.
    """
    wish = Wish(language, **wishes)
    products = []
    with progress("looking for MPI") as tell:
        units, inputs = units_of(wish)
        for unit in units:
            tell(f"generating what {unit.folder} would be")
            products.append(proof.made(unit, inputs, wish.output is not None).product)
    lines = [line for product in products for line in produce.differences(product)]
    if wish.output is None:
        lines += api.committed_differences(produce.listed_products(products, inputs))
    if as_json:
        answer_json({"clean": not lines, "diff": lines})
    elif lines:
        answer("\n".join(lines))
    else:
        say(f"{len(products)} generated trees are as they would be generated now.")
    return 1 if lines else 0
