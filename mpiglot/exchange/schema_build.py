"""Writes the JSON Schemas of the generators' models: `python -m mpiglot.exchange.schema_build`.

The dataclasses are the source; their comments become the descriptions. Run it after a field was
added to `generators/model.py` or `blueprints/model.py`; a test compares.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import types
import typing
from collections.abc import Iterator
from typing import Any

from mpiglot.exchange.output import write_file
from mpiglot.exchange.schema import FOLDER
from mpiglot.generators import model

_SCALARS: dict[Any, str] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    float: "number",
    type(None): "null",
}
_FIXED = ("schema_version", "protocol")  # always 1 so far


def documents() -> Iterator[tuple[str, str]]:
    """The name and the text of every schema."""
    for name, title, cls in (
        ("atlas", "The atlas: the catalogue and any number of blueprints, merged", model.Atlas),
        ("plan", "The plan: the friendly form of every function", model.Plan),
        ("request", "What mpiglot asks a generator", model.Request),
        ("response", "What a generator answers", model.Response),
    ):
        yield name, json.dumps(_document(name, title, cls), indent=1) + "\n"


def _document(name: str, title: str, cls: type) -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    top = _object(cls, definitions)
    if name == "request":
        top["properties"].update(_REQUEST)
        top["required"] = list(top["properties"])
    elif name == "response":
        top["required"] = ["protocol", "files"]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
        **top,
        "definitions": dict(sorted(definitions.items())),
    }


#: What a request has beside the fields of the model, or says more precisely.
_REQUEST: dict[str, Any] = {
    "target": {
        "description": "name of one target of the atlas; null: all (one build for any MPI)",
        "type": ["string", "null"],
    },
    "options": {
        "description": "what the user gave with --option key=value",
        "type": "object",
        "additionalProperties": {"type": "string"},
    },
    "catalogue": {
        "description": "the catalogue file as it is (catalogue.schema.json)",
        "type": "object",
    },
    "blueprints": {
        "description": "the blueprint files as they are (blueprint.schema.json), by target name",
        "type": "object",
        "additionalProperties": {"type": "object"},
    },
}


def _object(cls: type, definitions: dict[str, Any]) -> dict[str, Any]:
    hints, notes = typing.get_type_hints(cls), _notes(cls)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for f in dataclasses.fields(cls):
        key = "class" if f.name == "cls" else f.name
        described = {"const": 1} if f.name in _FIXED else _schema(hints[f.name], definitions)
        if f.name in notes and "$ref" not in described:
            described = {"description": notes[f.name], **described}
        properties[key] = described
        bare = f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        if bare or f.name == "schema_version":
            required.append(key)
    return {
        "description": " ".join((cls.__doc__ or "").split()),
        "type": "object",
        "properties": properties,
        "required": required,
    }


def _notes(cls: type) -> dict[str, str]:
    """The comments behind the fields."""
    found = re.findall(r"^    (\w+): [^#\n]*#\s*(.*)$", inspect.getsource(cls), re.MULTILINE)
    return {name: note.strip() for name, note in found}


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        parts = [_schema(a, definitions) for a in arguments]
        if all(set(part) == {"type"} for part in parts):
            return {"type": [part["type"] for part in parts]}
        return {"anyOf": parts}
    if origin is list:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}
            definitions[hint.__name__] = _object(hint, definitions)
        return {"$ref": f"#/definitions/{hint.__name__}"}
    return {"type": _SCALARS[hint]}


def main() -> None:
    """Writes the schemas that are not as they should be."""
    for name, text in documents():
        path = FOLDER / f"{name}.schema.json"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_file(path, text)
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
