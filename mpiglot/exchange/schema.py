"""Checks the JSON of generators against the schemas in `blueprints/schemas`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import mpiglot.blueprints

FOLDER = Path(str(mpiglot.blueprints.__file__)).parent / "schemas"


@cache
def _validator(kind: str) -> Callable[[Any], Any]:
    import fastjsonschema

    text = (FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8")
    validator: Callable[[Any], Any] = fastjsonschema.compile(json.loads(text))
    return validator


def complaint(kind: str, data: Any) -> str | None:
    """What is wrong with `data` as an "atlas", "plan", "request" or "response"; None if nothing."""
    import fastjsonschema

    try:
        _validator(kind)(data)
    except fastjsonschema.JsonSchemaValueException as error:
        return str(error.message)
    return None
