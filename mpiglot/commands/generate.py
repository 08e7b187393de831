"""`mpiglot generate`: bindings in a language, from the known MPIs and the one at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mpiglot.commands import _floor as floor
from mpiglot.commands import _proof as proof
from mpiglot.commands import _trial as trial
from mpiglot.commands._common import answer, answer_json
from mpiglot.commands._progress import progress
from mpiglot.commands._units import Wish, unit_options, units_of
from mpiglot.exchange import produce
from mpiglot.exchange.output import MANIFEST
from mpiglot.generators.conflicts import about
from mpiglot.generators.inputs import Inputs, known, say
from mpiglot.views import api


@click.command()
@click.argument("language", metavar="cpp|go|java|all|NAME")
@unit_options
@click.option("--overwrite", is_flag=True, help="Replace generated files that were edited.")
@click.option("--try", "trying", is_flag=True, help="Compile what the catalogue does not know.")
@click.option("--no-check", is_flag=True, help="Do not compile the C++ that is generated.")
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def generate(
    language: str, overwrite: bool, trying: bool, no_check: bool, as_json: bool, **wishes: Any
) -> int:
    """Generates bindings for a language, or with all for C++, Go and Java.

    NAME is a foreign generator, the executable mpiglot-gen-NAME, or pmpi: the library that sends
    any program's calls through the C++ layer (docs/guide/pmpi.md). C++ and pmpi are for one MPI:
    --target, --blueprint, or the installed one; Go and Java serve every MPI with one build. In a
    checkout, without options, it renews the committed `generated/`. Files in -o that were edited
    since they were generated are replaced with --overwrite only. Exit code 1 if blueprints disagree
    on how a function is called: each such conflict is said.

    C++ that goes to -o is compiled (syntax only) with the MPI's compiler. What does not compile is
    left out and named, with exit code 1; the rest is written. --no-check writes everything.

    --try compiles the functions that the catalogue does not know with the compilers of this
    machine, and says which to --exclude; exit code 1 if there are any.
    """
    wish = Wish(language, **wishes)
    with progress("looking for MPI"):
        units, inputs = units_of(wish)
    compilers = [trial.compiler(unit, inputs) for unit in units] if trying else []
    # All of them before any is written: what fails leaves everything as it was.
    # What is committed is compiled by the tests.
    checked = wish.output is not None and not no_check
    proofs = []
    with progress("generating") as tell:
        for unit in units:
            tell(f"generating {unit.folder}")
            proofs.append(proof.made(unit, inputs, checked))
    products = [one.product for one in proofs]
    listed = produce.listed_products(products, inputs) if wish.output is None else []
    rows: list[dict[str, Any]] = []
    for product, left_out in ((one.product, one.left_out) for one in proofs):
        # What is committed has its history: conflicts of a merge are simply generated anew.
        written = product.write(overwrite=overwrite or wish.output is None)
        for path in written.replaced:
            say(f"{product.unit.folder / path} was edited after being generated: replaced.")
        for path in written.kept:
            say(f"{product.unit.folder / path} is no longer generated but was edited: kept.")
        rows.append(
            {
                "generator": product.manifest["generator"],
                "target": product.unit.target,
                "folder": str(_short(product.unit.folder)),
                "files": len(product.written()),
                "changed": written.changed,
                "removed": written.removed,
                "warnings": product.warnings,
                "conflicts": _conflicts(product, inputs),
                "left_out": left_out,
            }
        )
    api.write_committed(listed)
    if listed and any(unit.language == "cpp" for unit in units):
        floor.write()
    conflicts = sorted({sentence for row in rows for sentence in row["conflicts"]})
    for sentence in conflicts:
        say(f"conflict: {sentence}")
    trials = [trial.try_out(unit, inputs, one) for unit, one in zip(units, compilers, strict=False)]
    for row, tried in zip(rows, trials, strict=False):
        row["tried"] = {"functions": tried.tried, "refused": tried.refused}
    lacking = any(one.left_out for one in proofs)
    code = 1 if conflicts or lacking or any(tried.refused for tried in trials) else 0
    if as_json:
        answer_json(rows)
        return code
    own = _own(inputs)
    for row in rows:
        answer(
            f"{row['folder']}: {row['files']} files, {len(row['changed'])} changed, "
            f"{len(row['removed'])} removed"
        )
        for sentence in row["warnings"]:
            if sentence.partition(":")[0] in own | row["left_out"].keys():
                say(f"{row['generator']}: {sentence}")
        if row["warnings"]:
            say(f"{row['generator']}: {len(row['warnings'])} remarks, listed in {MANIFEST}")
    for tried in trials:
        for sentence in tried.sentences():
            answer(f"{tried.language}: {sentence}")
    if refused := sorted({name for tried in trials for name in tried.refused}):
        answer("leave them out: " + " ".join(f"--exclude {name}" for name in refused))
    return code


def _conflicts(product: produce.Product, inputs: Inputs) -> list[str]:
    target = product.unit.target
    return about(inputs.atlas, None if target is None else [target])


def _own(inputs: Inputs) -> set[str]:
    """The MPIs that are not known here, and the functions that only they have."""
    return {t.name for t in inputs.atlas.targets if t.name not in known()} | {
        entry.function.name
        for entry in inputs.atlas.functions
        if entry.function.source == "inferred"
        and not {p.target for p in entry.present} & {*known()}
    }


def _short(folder: Path) -> Path:
    try:
        return folder.resolve().relative_to(Path.cwd())
    except ValueError:
        return folder
