"""What differs from library to library, as tables: constants, handles, sentinels, layouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mpiglot.generators.atlas import number_in_bindings, sets_of
from mpiglot.generators.c_types import base_type, signed
from mpiglot.generators.go import names as go_names
from mpiglot.generators.model import Atlas, AtlasConstant, Representation, Target
from mpiglot.generators.policy import not_loadable

_STATUS_WORDS = 32  # bytes of a Status in Go


@dataclass(slots=True)
class Library:
    target: Target
    text: str  # what its version text says before the version
    status_size: int
    offsets: dict[str, int]  # field of a status -> where it lies
    profile: int = 0


@dataclass(slots=True)
class Choice:
    """What a constant is on the libraries of the mask."""

    mask: int
    value: int = 0
    symbol: str = ""
    load: bool = False


@dataclass(slots=True)
class Named:
    """A constant as the templates need it."""

    c_name: str
    name: str
    abi: int = 0
    type: str = ""
    choices: list[Choice] = field(default_factory=list)
    null: str = ""
    index: int = 0
    doc: str = ""
    sets: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Profile:
    """Which handle types are integers and which are pointers, on some of the libraries."""

    number: int
    integers: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Tables:
    libraries: list[Library] = field(default_factory=list)
    profiles: list[Profile] = field(default_factory=list)
    integers: list[Named] = field(default_factory=list)
    handles: list[Named] = field(default_factory=list)
    specials: list[Named] = field(default_factory=list)
    capacities: dict[str, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    bits: dict[str, int] = field(default_factory=dict)  # target -> bit


def build(atlas: Atlas, handle_names: Mapping[str, str], callbacks: Iterable[str]) -> Tables:
    """The tables for every target of the atlas whose library can be loaded at run time."""
    out = Tables()
    kinds = _handle_kinds(atlas)
    for target in atlas.targets:
        reason = not_loadable(target)
        if reason:
            out.warnings.append(f"{target.name}: {reason}")
            continue
        try:
            library = _library(atlas, target)
        except ValueError as error:
            out.warnings.append(f"{target.name}: {error}")
            continue
        library.profile = _profile(out.profiles, kinds, target.name, sorted(handle_names))
        out.bits[target.name] = 1 << len(out.libraries)
        out.libraries.append(library)
    _complete(out.profiles, sorted(handle_names))
    wanted = set(callbacks)
    for c in atlas.constants:
        if c.cls == "integer":
            _integer(out, atlas, c)
        elif c.cls == "handle" and c.type in handle_names:
            out.handles.append(_handle(out, atlas, c, kinds))
        elif c.cls == "sentinel" and "F08" not in c.name and "Fint" not in c.type:
            out.specials.append(Named(c.name, "MPG" + c.name[3:], choices=_choices(out, c, {})))
        elif c.cls == "function":
            _function(out, c, wanted)
    for i, special in enumerate(out.specials):
        special.index = i + 1  # 0 is a plain address
    return out


# --------------------------------------------------------------------------- libraries


def _library(atlas: Atlas, target: Target) -> Library:
    status = _representation(atlas, "MPI_Status", target.name)
    if status is None or status.size > _STATUS_WORDS:
        raise ValueError("its status has a size that is not known or too large")
    offsets = {f.name: f.offset for f in status.fields}
    missing = {"MPI_SOURCE", "MPI_TAG", "MPI_ERROR"} - offsets.keys()
    if missing:
        raise ValueError(f"the layout of its status is not known ({', '.join(sorted(missing))})")
    text = target.leading_text()
    if not text:
        raise ValueError("its version text is not known")
    return Library(target, text, status.size, offsets)


def _representation(atlas: Atlas, name: str, target: str) -> Representation | None:
    for t in atlas.types:
        if t.name == name:
            return next((r for r in t.representations if r.target == target), None)
    return None


def _handle_kinds(atlas: Atlas) -> dict[str, dict[str, str]]:
    """Handle type -> target -> "integer" (4 bytes) or "pointer" (8)."""
    out: dict[str, dict[str, str]] = {}
    for t in atlas.types:
        if t.handle:
            out[t.name] = {
                r.target: "integer" if r.size == 4 else "pointer" for r in t.representations
            }
    return out


def _profile(
    profiles: list[Profile], kinds: Mapping[str, Mapping[str, str]], target: str, names: list[str]
) -> int:
    """The number of the profile that fits a target; types it lacks fit any."""
    integers = {n for n in names if kinds.get(n, {}).get(target) == "integer"}
    pointers = {n for n in names if kinds.get(n, {}).get(target) == "pointer"}
    for p in profiles:
        if not (integers & set(p.pointers)) and not (pointers & set(p.integers)):
            p.integers = sorted(set(p.integers) | integers)
            p.pointers = sorted(set(p.pointers) | pointers)
            return p.number
    profiles.append(Profile(len(profiles), sorted(integers), sorted(pointers)))
    return len(profiles) - 1


def _complete(profiles: list[Profile], names: list[str]) -> None:
    """Types that no library of a profile has are whatever most of its handles are."""
    for p in profiles:
        rest = [n for n in names if n not in p.integers and n not in p.pointers]
        p.pointers = sorted([*p.pointers, *rest])


# --------------------------------------------------------------------------- constants


def _choices(out: Tables, c: AtlasConstant, kinds: Mapping[str, Mapping[str, str]]) -> list[Choice]:
    """The values of a constant, targets with the same one together."""
    found: dict[tuple[int, str, bool], int] = {}
    for v in c.values:
        bit = out.bits.get(v.target)
        if bit is None:
            continue
        if v.symbol:
            key = (0, v.symbol, v.access == "load")
        elif isinstance(v.value, int):
            narrow = kinds.get(c.type, {}).get(v.target) == "integer"
            mask = 0xFFFFFFFF if narrow else 0xFFFFFFFFFFFFFFFF
            key = (signed(v.value) if c.cls == "integer" else v.value & mask, "", False)
        else:
            continue
        found[key] = found.get(key, 0) | bit
    return [Choice(mask, *key) for key, mask in sorted(found.items(), key=lambda item: item[1])]


def _integer(out: Tables, atlas: Atlas, c: AtlasConstant) -> None:
    choices, sets = _choices(out, c, {}), sets_of(atlas, c)
    values = sorted({choice.value for choice in choices})
    if c.name.startswith("MPI_MAX_") or c.name.startswith("MPI_T_MAX_"):
        known = [*values, c.abi_value] if isinstance(c.abi_value, int) else values
        out.capacities[c.name] = max(known, default=0)
    if not isinstance(c.abi_value, int) and len(values) != 1 and not sets:
        out.warnings.append(f"{c.name}: not in the standard ABI, and its value differs")
        return
    number = number_in_bindings(atlas, c)
    if number is None:
        return  # no target has it
    out.integers.append(
        Named(c.name, go_names.exported(c.name), abi=number, choices=choices, sets=sets)
    )


def _handle(
    out: Tables, atlas: Atlas, c: AtlasConstant, kinds: Mapping[str, Mapping[str, str]]
) -> Named:
    null = next((h.null for h in atlas.handles if h.name == c.type), None)
    return Named(
        c.name,
        go_names.exported(c.name),
        type=c.type,
        choices=_choices(out, c, kinds),
        null=go_names.exported(null) if null and null != c.name else "",
    )


def _function(out: Tables, c: AtlasConstant, callbacks: set[str]) -> None:
    """Of predefined functions only the null ones are needed: what nil stands for."""
    callback = base_type(c.type)
    if callback not in callbacks or c.abi_value != 0:
        return
    out.specials.append(Named(c.name, null_function(callback), choices=_choices(out, c, {})))


def null_function(callback: str) -> str:
    """The C name under which the null function of a callback type is kept."""
    return f"MPG_NULL_{callback}"
