"""The data that travels from the probe to the generators: plain dataclasses, one per JSON object.

Every class knows its JSON form through `to_json` and `from_json` below: fields in declaration
order, empty optional fields left out, arrays of named things sorted by name. What each key means
is documented in `blueprints/README.md` and checked by the JSON Schemas beside this file.
"""

from __future__ import annotations

import json
import types as _types
import typing
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

SCHEMA_VERSION = 1

T = TypeVar("T")


# --------------------------------------------------------------------------- shared by all models


@dataclass(slots=True)
class Group:
    """What belongs to a buffer: the parameters that hold its element count and its datatype."""

    count: str | None = None
    datatype: str | None = None
    displacements: str | None = None
    blocks: str | None = None  # how often `count` elements stand in the buffer, if not once


@dataclass(slots=True)
class Callback:
    """What belongs to a callback parameter: its function type, the parameter with its state."""

    type: str = ""
    state: str | None = None


@dataclass(slots=True)
class Parameter:
    """One parameter of a function: as the header has it, and as the standard means it."""

    name: str  # canonical (the standard's) name
    type: str  # C type as written: "const void *", "int []", "int [][3]", "MPI_Comm *"
    direction: str = ""  # "in", "out", "inout"
    role: str = ""  # see blueprints/README.md
    c_name: str | None = None  # the header's own name (blueprints only)
    length: str | list[str] | None = None  # sibling, constant, literal or rule
    group: Group | None = None  # on buffers
    callback: Callback | None = None  # on function pointers
    values: str | None = None  # value set of an integer with named values
    nullable: bool = False  # NULL (or the sentinel that stands for it) may be passed
    sentinels: list[str] = field(default_factory=list)  # which: "NULL", "MPI_IN_PLACE", ...
    root_only: bool = False  # significant at the root only
    kept: bool = False  # MPI uses the memory until the operation completes
    indirect: bool = False  # a `void *` that really is a `void **` (baseptr ...)


@dataclass(slots=True)
class Function:
    """One function: the C prototype, what it means, and in a blueprint what is installed."""

    name: str
    returns: str
    parameters: list[Parameter] = field(default_factory=list)
    variadic: bool = False
    # blueprint only
    status: str = ""  # "links", "declared" (no symbol), "stub", "macro"
    source: str = ""  # "catalogue" or "inferred"
    pmpi: bool = True  # false: it links, but its PMPI_ twin does not
    expansion: str | None = None  # of a function-like macro
    macro: str | None = None  # kind: "cast", "arithmetic", "call", "alias", "trap"
    # meaning
    chapter: str = ""
    family: str = ""  # "blocking", "nonblocking", "persistent", "local"
    collective: bool = False
    since: str = ""
    deprecated: str | None = None  # version of the standard that deprecated it
    removed: str | None = None  # version of the standard that removed it
    before_init: str = ""  # version since which it may be called before init and after finalize
    brief: bool = False  # local, done in a moment, waits for nothing
    doc: str = ""  # one line: what the function does
    large_count: str | None = None  # name of the `_c` twin
    small_count: str | None = None  # on a `_c` twin: the function it is a twin of


@dataclass(slots=True)
class Constant:
    """One named constant."""

    name: str
    cls: str  # JSON key "class": "integer", "handle", "sentinel", "string", "type", "function"
    type: str  # "int", "MPI_Comm", "void *", ...
    value: int | str | None = None  # None: an address that differs from run to run
    constant_expression: bool = False
    symbol: str | None = None  # exported symbol behind an address constant
    access: str | None = None  # "address" (&symbol), "load" (its content), "call" (symbol())
    links: bool = True
    origin: str = ""  # "macro", "enum", "variable"
    # catalogue
    abi_value: int | str | None = None  # value in the MPI-5 standard ABI
    sets: list[str] = field(default_factory=list)
    purpose: str = ""  # of an integer in no set: "limit", "version", "fortran"
    since: str = ""
    deprecated: str | None = None
    removed: str | None = None


@dataclass(slots=True)
class Field:
    """One field of a struct."""

    name: str
    type: str
    offset: int
    size: int = 0


@dataclass(slots=True)
class Type:
    """One C type of the installation."""

    name: str
    kind: str  # "integer", "pointer", "struct", "enum", "function"
    size: int = 0
    alignment: int = 0
    underlying: str | None = None  # "int", "struct ompi_communicator_t *", ...
    signed: bool | None = None
    handle: bool = False
    fields: list[Field] = field(default_factory=list)


@dataclass(slots=True)
class CallbackType:
    """A function type a program passes to MPI."""

    name: str
    returns: str = "void"
    parameters: list[Parameter] = field(default_factory=list)
    variadic: bool = False
    since: str = ""
    deprecated: str | None = None
    removed: str | None = None


@dataclass(slots=True)
class Omission:
    """A name of the header that is deliberately not in the blueprint, and why."""

    name: str
    reason: str


# --------------------------------------------------------------------------- blueprint


@dataclass(slots=True)
class Mpi:
    vendor: str = ""  # "MPICH", "Open MPI", "Intel MPI", "SimGrid", ... or "unknown"
    version: str = ""
    standard: str = ""  # effective: the newest version whose functions (nearly) all link
    standard_reported: str = ""  # MPI_VERSION.MPI_SUBVERSION of the header
    abi: str = ""  # "mpich", "ompi", "abi", "smpi", "unknown"
    library_version: str = ""
    soname: str = ""
    header_fingerprint: str = ""  # sha256 of the preprocessed, normalised declarations


@dataclass(slots=True)
class Platform:
    architecture: str = ""
    system: str = ""
    data_model: str = ""
    byte_order: str = ""


@dataclass(slots=True)
class Toolchain:
    wrapper: str = ""  # base name
    compiler: str = ""
    compile_flags: list[str] = field(default_factory=list)  # without paths
    link_flags: list[str] = field(default_factory=list)  # without paths
    paths: dict[str, Any] = field(default_factory=dict)  # dropped by --portable


@dataclass(slots=True)
class Blueprint:
    """What one installation of MPI has."""

    mpi: Mpi
    platform: Platform
    toolchain: Toolchain
    measured: str = "run"  # or "launcher", "object" (nothing starts), "compiled" (nothing links)
    types: list[Type] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    callbacks: list[CallbackType] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    schema_version: int = SCHEMA_VERSION


# --------------------------------------------------------------------------- catalogue


@dataclass(slots=True)
class ValueSet:
    """Named constants that may stand in one place."""

    name: str  # snake_case: "source", "access_mode", "thread_level", ...
    kind: str  # "closed" (only these), "open" (other integers too), "flags" (or-ed together)
    constants: list[str] = field(default_factory=list)
    doc: str = ""


@dataclass(slots=True)
class Handle:
    """A handle type and the functions and constants that go with it."""

    name: str  # "MPI_Comm"
    null: str | None = None
    free: str | None = None
    c2f: str | None = None
    f2c: str | None = None
    toint: str | None = None
    fromint: str | None = None


@dataclass(slots=True)
class Attribute:
    """A predefined attribute: its key and the C type that the returned pointer points to."""

    key: str  # "MPI_TAG_UB"
    object: str  # "MPI_Comm", "MPI_Win"
    type: str  # "int *", "MPI_Aint *", "void *"
    values: str | None = None


@dataclass(slots=True)
class Deviation:
    """Where the catalogue says something other than the Forum's own data, and why."""

    function: str
    parameter: str
    key: str  # "direction", "role", "length", "root_only", "type"
    forum: str
    catalogue: str
    reason: str


@dataclass(slots=True)
class Catalogue:
    """What the standard says, the same for every MPI."""

    standard: str
    functions: list[Function] = field(default_factory=list)
    callbacks: list[CallbackType] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    handles: list[Handle] = field(default_factory=list)
    value_sets: list[ValueSet] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    deviations: list[Deviation] = field(default_factory=list)
    schema_version: int = SCHEMA_VERSION


# --------------------------------------------------------------------------- JSON

_KEYS = {"cls": "class"}  # Python field -> JSON key, where they differ


def to_json(value: Any) -> Any:
    """The JSON form of a model object."""
    if is_dataclass(value) and not isinstance(value, type):
        out: dict[str, Any] = {}
        for f in fields(value):
            v = getattr(value, f.name)
            if _is_default(f, v):
                continue
            out[_KEYS.get(f.name, f.name)] = to_json(v)
        if "schema_version" in out:
            out = {"schema_version": out.pop("schema_version"), **out}
        return out
    if isinstance(value, list):
        return [to_json(v) for v in value]
    return value


_ALWAYS = {"schema_version", "parameters", "types", "constants"}
_ALWAYS |= {"functions", "callbacks", "links", "value"}


def _is_default(f: Any, v: Any) -> bool:
    if f.name in _ALWAYS:
        return False
    if f.default is not MISSING:
        return bool(v == f.default and type(v) is type(f.default))
    if f.default_factory is not MISSING:
        return not v
    return False


def from_json(cls: type[T], data: Any) -> T:
    """The model object of class `cls` that `data` describes; unknown keys are ignored."""
    return typing.cast(T, _reader(cls)(data))


_readers: dict[type, Any] = {}


def _reader(cls: type) -> Any:
    """A function that builds `cls` from JSON; made once per class, since blueprints are large."""
    if cls in _readers:
        return _readers[cls]
    hints = typing.get_type_hints(cls)
    nested: list[tuple[str, str, Any, bool]] = []
    plain: dict[str, str] = {}  # key -> field
    for f in fields(typing.cast(Any, cls)):
        key = _KEYS.get(f.name, f.name)
        hint = hints[f.name]
        if typing.get_origin(hint) in (typing.Union, _types.UnionType):
            hint = next((a for a in typing.get_args(hint) if is_dataclass(a)), object)
        many = typing.get_origin(hint) is list
        item = typing.get_args(hint)[0] if many else hint
        if isinstance(item, type) and is_dataclass(item):
            nested.append((f.name, key, _reader(item), many))
        else:
            plain[key] = f.name

    def read(data: dict[str, Any]) -> Any:
        kwargs = {plain[key]: value for key, value in data.items() if key in plain}
        for name, key, reader, many in nested:
            v = data.get(key)
            if v is not None:
                kwargs[name] = [reader(x) for x in v] if many else reader(v)
        return cls(**kwargs)

    _readers[cls] = read
    return read


def dumps(value: Any) -> str:
    """The text of a model object's file: a line per function, constant or type; always the same."""
    data = to_json(value) if is_dataclass(value) else value
    lines = ["{"]
    items = list(data.items())
    for i, (key, v) in enumerate(items):
        comma = "," if i + 1 < len(items) else ""
        if isinstance(v, list) and v and isinstance(v[0], dict):
            lines.append(f" {json.dumps(key)}: [")
            lines += [f"  {_compact(x)}{',' if j + 1 < len(v) else ''}" for j, x in enumerate(v)]
            lines.append(f" ]{comma}")
        else:
            lines.append(f" {json.dumps(key)}: {_compact(v)}{comma}")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def load(cls: type[T], path: Path) -> T:
    """Reads a file that is known to be good; `blueprints.check` is for files that may not be."""
    return from_json(cls, json.loads(path.read_text(encoding="utf-8")))
