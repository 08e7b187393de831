"""Builds `blueprints/catalogue.json` from prototypes, rules and overlay; same input, same bytes.

    python -m mpiglot.blueprints.catalogue.build [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .. import model
from . import engine
from .vocabulary import HANDLE_ROLES

HERE = Path(__file__).parent
TARGET = HERE.parent / "catalogue.json"


def build() -> model.Catalogue:
    data = json.loads((HERE / "prototypes.json").read_text(encoding="utf-8"))
    overlay = json.loads((HERE / "overlay.json").read_text(encoding="utf-8"))
    prototypes: dict[str, Any] = {**data["functions"], **overlay["functions"]}
    callback_types = set(data["callbacks"])
    catalogue = model.Catalogue(standard="5.0")
    for name, entry in sorted(prototypes.items()):
        function = model.Function(
            name=name,
            returns=entry["returns"],
            parameters=[model.Parameter(name=n, type=t) for n, t in entry["parameters"]],
            variadic=entry.get("variadic", False),
        )
        engine.annotate(function, HANDLE_ROLES, callback_types, prototypes)
        catalogue.functions.append(function)
    return catalogue


def main(arguments: list[str]) -> int:
    text = model.dumps(build())
    if "--check" in arguments:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
            print("catalogue.json is not what its inputs give: build it again", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
