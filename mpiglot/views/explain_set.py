"""What `mpiglot show` says of a value set: the named integers that may stand in one place."""

from __future__ import annotations

from typing import Any

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.model import ValueSet
from mpiglot.generators.inputs import Named

_KINDS = {
    "closed": "only these values",
    "open": "these values, or any other integer",
    "flags": "any combination of these values",
}


def find(name: str) -> ValueSet | None:
    """The value set called `name` in the catalogue."""
    return next((s for s in catalogue.load().value_sets if s.name == name), None)


def _values(chosen: ValueSet, named: Named | None) -> list[tuple[str, Any, Any]]:
    """Each constant with its value in the standard ABI and in `named`."""
    abi = {c.name: c.abi_value for c in catalogue.load().constants}
    here = {c.name: c.value for c in named.blueprint.constants} if named else {}
    return [(name, abi.get(name), here.get(name)) for name in chosen.constants]


def as_json(chosen: ValueSet, named: Named | None) -> dict[str, Any]:
    """The value set for programs."""
    rows = _values(chosen, named)
    return {
        "name": chosen.name,
        "kind": "value set",
        "values": chosen.kind,
        "doc": chosen.doc,
        "target": named.name if named else None,
        "constants": [{"name": n, "abi_value": abi, "value": here} for n, abi, here in rows],
        "used_by": _users(chosen),
    }


def _users(chosen: ValueSet) -> list[str]:
    return [
        f"{f.name}.{p.name}"
        for f in catalogue.load().functions
        for p in f.parameters
        if p.values == chosen.name
    ]


def as_text(chosen: ValueSet, named: Named | None) -> str:
    """The value set for a terminal."""
    users = _users(chosen)
    more = f" and {len(users) - 6} more" if len(users) > 6 else ""
    lines = [
        f"{chosen.name}: {chosen.doc}".rstrip(": "),
        _KINDS.get(chosen.kind, chosen.kind),
        "",
        f"  {'':36}{'standard ABI':>14}" + (f"{named.name:>18}" if named else ""),
    ]
    for name, abi, here in _values(chosen, named):
        shown = f"{'absent' if here is None else here:>18}" if named else ""
        lines.append(f"  {name:36}{'' if abi is None else abi:>14}{shown}")
    return "\n".join([*lines, "", f"Used by {', '.join(users[:6])}{more}"] if users else lines)
