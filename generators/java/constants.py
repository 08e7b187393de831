"""Constants, value sets, enumerations and handle types as the Java templates read them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mpiglot.generators.atlas import named_attributes, number_in_bindings, sets_of
from mpiglot.generators.c_types import base_type, signed
from mpiglot.generators.java import names
from mpiglot.generators.java.model import HandleClass, Named
from mpiglot.generators.java.types import Types, widths
from mpiglot.generators.model import Atlas, AtlasConstant
from mpiglot.generators.target import disputed_sets


@dataclass(slots=True)
class SetClass:
    """One value set."""

    name: str
    flags: bool
    constants: list[Named]
    disputed: bool  # libraries of the standard ABI disagree


@dataclass(slots=True)
class EnumClass:
    """A closed value set as an enumeration."""

    name: str
    doc: str
    constants: list[Named]


def integers(atlas: Atlas) -> list[Named]:
    """All integer constants; one name each, the standard's before an extension's."""
    found: dict[str, Named] = {}
    for c in sorted(atlas.constants, key=lambda c: (c.name.startswith("MPIX_"), c.name)):
        number = number_in_bindings(atlas, c)
        if c.cls != "integer" or number is None:
            continue
        wide = base_type(c.type) in ("MPI_Offset", "MPI_Aint", "MPI_Count") or number != _int32(
            number
        )
        name = names.constant(c.name)
        value = f"{signed(number)}L" if wide else str(number)
        found.setdefault(name, Named(name, c.name, value, "long" if wide else "int", _doc(c)))
    return sorted(found.values(), key=lambda n: n.name)


def attributes(atlas: Atlas) -> dict[str, list[Named]]:
    """The predefined attributes that are integers with names, by the set that their keys are of;
    `value` is the set of the names."""
    return {
        names.parameter(keys): [
            Named(names.constant(a.key), a.key, str(a.values).upper()) for a in named
        ]
        for keys, named in named_attributes(atlas).items()
    }


def capacities(atlas: Atlas) -> list[Named]:
    """The constants that say how long a text may be."""
    return [n for n in integers(atlas) if n.c_name.startswith("MPI_MAX_")]


def _int32(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def _doc(c: AtlasConstant) -> str:
    sets = " and ".join(s.replace("_", " ") for s in c.sets)
    where = f", a value of: {sets}" if sets else ""
    own = "" if c.abi_value is not None else "; not in the standard ABI"
    return f"{{@code {c.name}}}{where}{own}."


def sets(atlas: Atlas) -> list[SetClass]:
    """All value sets, with the constants that Java has, those of extensions last."""
    known = {n.name: n for n in integers(atlas)}
    own = {c.name: sets_of(atlas, c) for c in atlas.constants if c.cls == "integer"}
    late = disputed_sets(atlas)
    out = []
    for s in sorted(atlas.value_sets, key=lambda s: s.name):
        more = [n for n, of in own.items() if s.name in of and n not in s.constants]
        named = [(known.get(names.constant(c)), c) for c in [*s.constants, *more] if c in own]
        constants = [replace(n, c_name=c) for n, c in named if n]
        out.append(SetClass(s.name.upper(), s.kind == "flags", constants, s.name in late))
    return out


#: Open sets that are enumerations all the same: `MpiException` answers with one of them.
_NAMED = frozenset({"error_class"})


def enums(atlas: Atlas) -> list[EnumClass]:
    """The closed sets."""
    known = {n.c_name: n for n in integers(atlas)}
    out = []
    for s in sorted(atlas.value_sets, key=lambda s: s.name):
        constants = [c for c in s.constants if c in known]
        if s.name not in _NAMED and (s.kind != "closed" or not constants):
            continue
        short = names.enum_constants(constants)
        values = [Named(short[c], c, f"MpiConstants.{known[c].name}") for c in constants]
        doc = s.doc.strip().rstrip(".") or s.name
        out.append(EnumClass(names.pascal(s.name), doc[:1].upper() + doc[1:], values))
    return out


_SENTINELS = {"void *": "MemorySegment", "int *": "int[]"}


def sentinels(atlas: Atlas) -> list[Named]:
    """Special addresses that stand for a buffer or an array."""
    return [
        Named(names.constant(c.name), c.name, "", _SENTINELS[c.type], _doc(c))
        for c in atlas.constants
        if c.cls == "sentinel" and c.type in _SENTINELS
    ]


def handle_classes(atlas: Atlas, types: Types) -> list[HandleClass]:
    """All handle types with their predefined objects."""
    nulls = {h.name: h.null or "" for h in atlas.handles}
    out = []
    for name in sorted(types.handles):
        own = [c for c in atlas.constants if c.cls == "handle" and base_type(c.type) == name]
        constants: dict[str, Named] = {}
        for c in own:
            short = names.constant(c.name, name)
            constants.setdefault(short, Named(short, c.name, doc=_doc(c)))
        out.append(
            HandleClass(
                names.handle_class(name),
                name,
                name in types.keepers,
                nulls.get(name, ""),
                widths(name),
                sorted(constants.values(), key=lambda n: n.name),
            )
        )
    return out
