"""Reads files that may not be good: blueprints and catalogues from elsewhere, with clear refusals.

What passes here is safe to generate from: every name is an identifier, every type is made of
identifiers, stars and brackets, no text has control characters. Whatever goes wrong is one
`UsageError` with the file, the place in it and what to do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal, overload

from mpiglot.blueprints.errors import UsageError
from mpiglot.blueprints.model import (
    SCHEMA_VERSION,
    Blueprint,
    CallbackType,
    Catalogue,
    Function,
    from_json,
)

SCHEMAS = Path(__file__).parent / "schemas"
LARGEST = 64 * 1024 * 1024  # bytes; real ones have half a million

_WORDS = {
    "name": "a C identifier",
    "c_type": "a C type",
    "version": "a version like 3.1",
    "version_or_none": "a version like 3.1",
    "text": "text without control characters",
    "label": "letters, digits and a few signs",
    "part_of_name": "letters, digits and a few signs that can stand in the name of a file",
    "symbol": "the name of a symbol",
}


@overload
def load_checked(source: Path | str, kind: Literal["blueprint"] = ...) -> Blueprint: ...
@overload
def load_checked(source: Path | str, kind: Literal["catalogue"]) -> Catalogue: ...


def load_checked(source: Path | str, kind: str = "blueprint") -> Blueprint | Catalogue:
    """The blueprint (or catalogue) in the file `source`, or in the JSON text `source`."""
    where, text = _text(source, kind)
    data = _json(where, text, kind)
    _recognise(where, data, kind)
    _validate(where, data, kind)
    if kind == "catalogue":
        catalogue = from_json(Catalogue, data)
        _consistent(where, catalogue.functions, catalogue.callbacks)
        return catalogue
    blueprint = from_json(Blueprint, data)
    _consistent(where, blueprint.functions, blueprint.callbacks)
    _sound(where, blueprint)
    return blueprint


def _text(source: Path | str, kind: str) -> tuple[str, str]:
    if isinstance(source, str):
        return f"this {kind}", source
    try:
        with source.open("rb") as file:  # a device has no size and may never end
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(f"{source} is far too large for a {kind}.")
        return str(source), data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source} is no {kind}: it is not text in UTF-8.") from error
    except IsADirectoryError as error:
        raise UsageError(f"{source} is a folder, not a {kind}.") from error
    except OSError as error:
        raise UsageError(f"{source} cannot be read: {error.strerror}.") from error


def _json(where: str, text: str, kind: str) -> Any:
    if not text.strip():
        raise UsageError(f"{where} is empty; write a {kind} again (`mpiglot probe -o FILE`).")
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_no_fraction)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].rstrip()
        if error.msg.startswith("Unterminated string") or re.fullmatch("[a-z]{0,4}", rest):
            raise UsageError(
                f"{where} ends in the middle (line {error.lineno}): it was cut off; "
                f"write it again (`mpiglot probe -o FILE`)."
            ) from error
        raise UsageError(
            f"{where}, line {error.lineno}, is not JSON: {_lower(error.msg)} "
            f"at column {error.colno}."
        ) from error
    except RecursionError as error:
        raise UsageError(f"{where} is no {kind}: it is nested too deeply.") from error
    except ValueError as error:
        raise UsageError(f"{where} is no {kind}: {error}.") from error


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def _no_fraction(word: str) -> None:
    raise ValueError(f"{word} is no integer")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _recognise(where: str, data: Any, kind: str) -> None:
    """Foreign JSON and other versions get a sentence of their own."""
    version = data.get("schema_version") if isinstance(data, dict) else None
    mark = "mpi" if kind == "blueprint" else "value_sets"
    if version is None or (mark not in data and "functions" not in data):
        raise UsageError(f"{where} is JSON, but not a {kind} of mpiglot.")
    if type(version) is int and version > SCHEMA_VERSION:
        raise UsageError(
            f"{where} has schema version {version}; this mpiglot knows {SCHEMA_VERSION}: "
            f"use a newer mpiglot, or probe again with this one."
        )
    if mark not in data:
        raise UsageError(f"{where} is not a {kind} but another file of mpiglot.")


def _validate(where: str, data: Any, kind: str) -> None:
    import fastjsonschema

    try:
        try:
            _validator(kind)(data)
        except fastjsonschema.JsonSchemaValueException:
            _validator(kind, detailed=True)(data)  # compiles longer, says more
    except fastjsonschema.JsonSchemaValueException as error:
        raise UsageError(_complaint(where, data, str(error.message))) from error
    except RecursionError as error:
        raise UsageError(f"{where} is no {kind}: it is nested too deeply.") from error


@cache
def _validator(kind: str, detailed: bool = False) -> Callable[[Any], Any]:
    import fastjsonschema

    text = (SCHEMAS / f"{kind}.schema.json").read_text(encoding="utf-8")
    compiled: Callable[[Any], Any] = fastjsonschema.compile(
        json.loads(text), detailed_exceptions=detailed
    )
    return compiled


def _complaint(where: str, data: Any, message: str) -> str:
    """The validator's message with the place in the file's own words, and what stands there."""
    found = re.match(r"data((?:\.\w+|\[\d+\])*) (.*)", message, re.S)
    if not found:
        return f"{where} is not as it should be: {message[:300]}."
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", found[1])
    value, path = data, []
    for key, index in steps:
        try:
            value = value[key] if key else value[int(index)]
        except (KeyError, IndexError, TypeError):
            break
        name = value.get("name") if isinstance(value, dict) else None
        path.append(key or (f"[{name}]" if _plain(name) else f"[{index}]"))
    place = ".".join(path).replace(".[", "[") or "the whole"
    says = _rule(found[2])
    shown = "" if isinstance(value, (dict, list)) else f" (it is {_shown(value)})"
    return f"{where}: {place} {says}{shown}."


def _plain(name: Any) -> bool:
    return isinstance(name, str) and re.fullmatch(r"[A-Za-z_]\w{0,99}", name, re.ASCII) is not None


def _shown(value: Any) -> str:
    text = json.dumps(value)  # escapes whatever could disturb a terminal
    return text if len(text) <= 60 else text[:57] + '..."'


def _rule(message: str) -> str:
    if "must match pattern" in message:
        pattern = message.split("must match pattern ", 1)[1]
        for name, definition in _definitions().items():
            if definition.get("pattern") == pattern:
                return f"must be {_WORDS.get(name, name.replace('_', ' '))}"
        return "has characters that may not stand there"
    if "cannot be validated by any definition" in message:
        return "has not the form it should have"
    if "must contain" in message:
        keys = re.findall(r"'(\w+)'", message)
        return f"must have {' and '.join(keys) or 'more keys'}"
    return re.sub(r"\s+", " ", message)[:200]


@cache
def _definitions() -> dict[str, Any]:
    text = (SCHEMAS / "blueprint.schema.json").read_text(encoding="utf-8")
    definitions: dict[str, Any] = json.loads(text)["definitions"]
    return definitions


def _consistent(where: str, functions: list[Function], callbacks: list[CallbackType]) -> None:
    """What no schema can say: names are unique, and what is referred to exists."""
    for kind, names in (
        ("functions", [f.name for f in functions]),
        ("callbacks", [c.name for c in callbacks]),
    ):
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise UsageError(f"{where}: {kind} has {twice} twice.")
    everything: Iterable[Function | CallbackType] = [*functions, *callbacks]
    for f in everything:
        present = {p.name for p in f.parameters}
        if len(present) != len(f.parameters):
            raise UsageError(f"{where}: {f.name} has two parameters of one name.")
        for p in f.parameters:
            group = p.group
            if group is None:
                continue
            for sibling in (group.count, group.datatype, group.displacements):
                if sibling is not None and sibling not in present:
                    raise UsageError(
                        f"{where}: {f.name} has no parameter {sibling}, "
                        f"which the group of {p.name} names."
                    )


def _sound(where: str, blueprint: Blueprint) -> None:
    """What no schema can say: values fit the kind of their constant, types close their brackets."""
    for c in blueprint.constants:
        wanted = str if c.cls == "string" else int
        if c.value is not None and type(c.value) is not wanted:
            is_ = "a text" if wanted is str else "an integer"
            raise UsageError(f"{where}: the value of {c.name} must be {is_} (class {c.cls}).")
        for number in (c.value, c.abi_value):
            if isinstance(number, int) and not -(2**63) <= number < 2**64:
                raise UsageError(f"{where}: the value of {c.name} does not fit in 64 bits.")
        if isinstance(c.abi_value, str):
            raise UsageError(f"{where}: the ABI's value of {c.name} must be an integer.")
        _balanced(where, c.name, c.type)
    for t in blueprint.types:
        _balanced(where, t.name, t.underlying or "")
        for f in t.fields:
            _balanced(where, f"{t.name}.{f.name}", f.type)
            if t.size and f.offset + (f.size or 0) > t.size:
                raise UsageError(f"{where}: {f.name} lies behind the end of {t.name}.")
    everything: Iterable[Function | CallbackType] = [*blueprint.functions, *blueprint.callbacks]
    for function in everything:
        _balanced(where, function.name, function.returns)
        for p in function.parameters:
            _balanced(where, f"{function.name}({p.name})", p.type)


def _balanced(where: str, what: str, c_type: str) -> None:
    """Refuses a type whose brackets would close what it stands in."""
    depth: list[str] = []
    for sign in c_type:
        if sign in "([":
            depth.append(sign)
        elif sign in ")]" and (not depth or depth.pop() != {")": "(", "]": "["}[sign]):
            break
    else:
        if not depth:
            return
    raise UsageError(f"{where}: the type of {what} has brackets that do not match ({c_type}).")
