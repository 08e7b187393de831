"""What the C side of a function is made of, and what must hold before MPI is called."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.generators import shapes
from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.model import Argument, PlannedFunction

INTEGERS = frozenset(("int", "bool", "enum", "fint", "count", "aint", "offset"))
_WIDE = frozenset(("MPI_Aint", "MPI_Count", "MPI_Offset"))
_HANDLE_LENGTHS = ("comm_size", "local_size", "indegree", "outdegree", "cartdim")
_ARRAY_LENGTHS = ("sum", "last")
_AT_ROOT = "mpg_at_root(MPI_Comm_in(comm), root)"


@dataclass(slots=True)
class Call:
    """One call of the C function, small or large."""

    cast: str  # "int (*)(void *, int)"
    passed: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CFunction:
    """Everything the templates need to write the C side of one function."""

    name: str
    result: str  # "mpg_r1"
    words: dict[str, str] = field(default_factory=dict)  # result name -> its field, "v0" or "flag"
    given: list[str] = field(default_factory=list)  # what comes back unchanged if MPI is not called
    status: str = ""  # the argument that is a status which the call fills
    parameters: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    guard: str = ""  # "running", "early" (or a library that allows it without), or none
    checks: list[str] = field(default_factory=list)  # what must hold, else MPG_RANGE
    refusals: list[tuple[str, str]] = field(default_factory=list)  # a check, and whose values
    rooms: list[str] = field(default_factory=list)  # what must hold, else MPG_LENGTH
    fits: str = ""  # what must hold for the small function to be called
    needs: list[tuple[str, str, str]] = field(default_factory=list)  # array, length, where
    slots: list[str] = field(default_factory=list)  # callbacks, for which there may be no slot
    arena: bool = False
    kept: bool = False  # what was converted lives until the request is done
    blocks: str = ""  # the field with the kept blocks, if anything is converted
    opens_session: bool = False
    small: Call | None = None
    large: Call | None = None
    large_name: str = ""
    prefer_large: bool = False
    returns: str = "code"  # "code", or the C expression of the word that a value becomes

    @property
    def only_code(self) -> bool:
        """Whether nothing but the code comes back."""
        return self.result == "mpg_r0" and not self.words and not self.status

    @property
    def usual(self) -> str:
        """What holds at nearly every call of a function that needs no conversions: such a call is
        made at once. Nothing if the function has no such short way."""
        if self.guard != "running" or self.arena or self.slots or self.needs:
            return ""
        if self.returns != "code":
            return ""
        first = ["G" if self.prefer_large else "F", "mpg.running"]
        fits = [self.fits] if self.fits and not self.prefer_large else []
        return " && ".join([*first, *self.checks, *fits, *self.rooms])


def add_checks(out: CFunction, f: PlannedFunction) -> None:
    """Adds what must hold: integers fit their C types, arrays are long enough."""
    arguments = {a.name: a for a in f.arguments}
    _ranges(out, f, arguments)
    for a in f.arguments:
        if room := f.room(a):
            holds = "mpg_roomy" if len(room) == 2 else "mpg_holds"
            out.rooms.append(f"{holds}({a.name}, {a.name}_n, {', '.join(room)})")
        elif counted := _counted(f, a, arguments):
            out.rooms.append(counted)
        out.rooms += _packed(f, a)
        need = _length(a, arguments) or _lists(f, a)
        if need:
            out.needs.append((a.name, need, _counts(a)))


def _ranges(out: CFunction, f: PlannedFunction, arguments: dict[str, Argument]) -> None:
    """Integers must fit their C type; those with a wide twin decide which one is called."""
    fits: list[str] = []
    for given in f.arguments:  # a text with a NUL is none, and a list of it has length -1
        if given.kind == "string":
            out.checks.append(given.name)
        elif given.kind == "strings" or (given.kind == "plain" and is_lists_of_texts(given.type)):
            out.checks.append(f"{given.name}_n >= 0")
        elif given.kind == "callback" and not given.nullable:
            out.checks.append(f"{given.name} != -1")
    for s in f.slots:
        a = arguments.get(s.argument or "")
        if a is not None and s.narrower:
            (fits if f.large else out.checks).append(f"mpg_fits({a.name})")
        if a is None or base_type(s.type) in _WIDE:
            if a is not None and a.values and s.fold == "value":
                out.checks.append(f"{a.name} != INT64_MIN")
            continue
        changed = s.fold == "reference" and a.kind == "scalar_ref"
        if changed or (s.fold in ("value", "capacity") and a.kind in INTEGERS):
            (fits if s.large_type else out.checks).append(f"mpg_fits({a.name})")
            out.refusals.append((f"mpg_fits({a.name})", a.values or ""))
        elif s.fold == "size":
            (fits if s.large_type else out.checks).append(f"mpg_fits({a.name}_n)")
    for s in f.slots:
        a = arguments.get(s.argument or "")
        if a is None or not s.large_type or base_type(s.type) != "int":
            continue
        if s.fold == "data" and a.kind in ("span", "span_ref"):
            fits.append(f"mpg_all_fit({a.name}, {a.name}_n)")
    out.fits = " && ".join(fits)


def _counted(f: PlannedFunction, a: Argument, arguments: dict[str, Argument]) -> str:
    """A buffer with elements of several processes must be there, in C: libraries follow the null
    pointer. Empty if its counts are not its own."""
    counts = arguments.get(str(a.count))
    if a.kind != "buffer" or counts is None or counts.kind != "span" or not f.counts_alone(a):
        return ""
    there = f"mpg_there({a.name}, {a.name}_n, {counts.name}, {counts.name}_n)"
    return f"({there} || !{_AT_ROOT})" if a.root_only else there


def _packed(f: PlannedFunction, a: Argument) -> list[str]:
    """A position must be within the memory of what is packed, in C: MPICH writes behind it."""
    places = [o.name for o in f.arguments if o.kind == "scalar_ref" and o.name == "position"]
    if a.kind != "memory" or not places or not f.room(a):
        return []
    buffer = next(o for o in f.arguments if o.kind == "buffer")
    # Elements may be shorter or longer in a representation that the caller names.
    native = not any(o.name == "datarep" for o in f.arguments)
    elements = f"{buffer.count}, {buffer.datatype}" if native else "0, 0"
    return [f"mpg_within({a.name}_n, {', '.join(f.room(a))}, {places[0]}, {elements})"]


def _lists(f: PlannedFunction, a: Argument) -> str:
    """How many texts or handles there must be where another array says how many, in C."""
    if a.kind == "plain" and is_lists_of_texts(a.type):
        lengths = [s.argument for s in f.slots if s.fold == "size"]
    elif a.kind == "strings" or (a.kind == "span" and a.root_only and a.element == "handle"):
        lengths = [s.argument for s in f.slots if s.fold == "size" and a.length == s.name]
        lengths = lengths or [o for o in a.shares_length if a.nullable]
    else:
        return ""
    return f"{lengths[0]}_n" if lengths and lengths[0] != a.name else ""


def _counts(a: Argument) -> str:
    """Where the length of an array counts, in C."""
    absent = a.absent
    if a.kind == "plain":
        absent = "always"
    elif absent == "always" and a.root_only:  # null are its elements
        absent = "elsewhere"
    others = {
        "always": "",
        "elsewhere": f" || {_AT_ROOT}",
        "in place": " || sendbuf_n != -MPG_IN_PLACE",
    }
    return f"({a.name}{others[absent]})" if others.get(absent) else a.name if absent else ""


def _length(a: Argument, arguments: dict[str, Argument]) -> str:
    """How long an array must be, in C, where something else than itself tells that."""
    if not a.kind.startswith("span") or not isinstance(a.length, str):
        return ""
    rule, of = shapes.length_rule(a.length)
    other = arguments.get(of or a.length)
    if other is None:
        return ""
    if not rule:
        return other.name if other.kind in ("int", "count") else ""
    if other.kind == "handle" and rule in _HANDLE_LENGTHS:
        return f"mpg_length_{rule}({other.type}_in({other.name}))"
    if other.kind == "span" and rule in _ARRAY_LENGTHS:
        return f"mpg_length_{rule}({other.name}, {other.name}_n)"
    return ""
