"""Keeps the committed blueprints up to date: `python -m mpiglot.parser.known [--check] [NAME ...]`.

Joins the blueprints of `blueprints/known` with the catalogue as it is now, which needs no MPI;
`--probe` measures those MPIs again that are on this machine.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mpiglot.blueprints import catalogue, model
from mpiglot.blueprints.errors import MpiglotError
from mpiglot.parser import choice
from mpiglot.parser.files import write_whole
from mpiglot.parser.identity import effective_standard
from mpiglot.parser.join import refresh

FOLDER = Path(model.__file__).resolve().parent / "known"


def refreshed(path: Path) -> str:
    """The text of a committed blueprint, joined with the catalogue as it is now."""
    blueprint = model.load(model.Blueprint, path)
    refresh(blueprint)
    blueprint.mpi.standard = effective_standard(blueprint.functions, catalogue.load())
    data = model.to_json(blueprint)
    choice.make_portable(data)
    return model.dumps(data)


def probed(name: str) -> str:
    """The text of a blueprint measured now."""
    from mpiglot.parser.probe import probe

    data = model.to_json(probe(choice.wrapper(name)).blueprint)
    choice.make_portable(data)
    return model.dumps(data)


def main(arguments: list[str]) -> int:
    """Writes (or with --check compares) all committed blueprints or the named ones."""
    names = [a for a in arguments if not a.startswith("-")]
    if not {*arguments} <= {*names, "--check", "--probe"}:
        print("usage: python -m mpiglot.parser.known [--check] [--probe] [MPI]...", file=sys.stderr)
        return 2
    different = []
    for path in sorted(FOLDER.glob("*.json")):
        if names and path.stem not in names:
            continue
        try:
            text = probed(path.stem) if "--probe" in arguments else refreshed(path)
        except MpiglotError as problem:
            print(f"{path.stem}: left as it is: {problem}", file=sys.stderr)
            continue
        if text != path.read_text(encoding="utf-8"):
            different.append(path.stem)
            if "--check" not in arguments:
                write_whole(path, text)
    print("changed: " + (", ".join(different) or "none"))
    return 1 if different and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
