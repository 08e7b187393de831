"""What the generators read: the atlas (all MPIs merged) and the plan (their friendly form).

The atlas says what exists where. The plan says once, for every language, how the C parameters of a
function become arguments and results (`docs/architecture.md` has the table of folds). Languages
choose names and spelling; they decide nothing about meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mpiglot.blueprints.model import (
    SCHEMA_VERSION,
    Attribute,
    CallbackType,
    Field,
    Function,
    Handle,
    ValueSet,
)

#: Functions of windows and communicators that a process gets through without the others' calls.
ALONE = re.compile(r"MPI_(Win_(lock|unlock|flush|post)|Comm_free|(Comm|Win|File)_set_info)")

# --------------------------------------------------------------------------- atlas


@dataclass(slots=True)
class Target:
    """One blueprint of the atlas."""

    name: str  # "mpich-4.0.2", "mpich-5.0.2-abi"
    vendor: str
    version: str
    abi: str
    standard: str
    reported: str = ""  # the standard that MPI_Get_version tells
    library_version: str = ""
    soname: str = ""
    absent_callbacks: list[str] = field(default_factory=list)  # types that its header lacks
    data_model: str = ""  # "LP64", "ILP32"

    def leading_text(self) -> str:
        """What the library says of itself before its version, of which it may tell a part only."""
        parts = self.version.split(".")
        for n in range(len(parts), 0, -1):
            at = self.library_version.find(".".join(parts[:n]))
            if at > 0:
                return self.library_version[:at].strip()
        return ""


@dataclass(slots=True)
class Presence:
    """How one target has one function."""

    target: str
    status: str  # "links", "declared", "stub", "macro"
    macro: str | None = None  # "cast", "arithmetic", "trap"
    expansion: str | None = None
    pmpi: bool = True  # false: it links, but its PMPI_ twin does not
    # what its prototype has otherwise than the atlas: "arity", "returns", or a parameter -> C type
    differs: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class AtlasFunction:
    """One function, its meaning, and where it is. Absent targets have no entry in `present`."""

    function: Function
    present: list[Presence] = field(default_factory=list)
    const_differs: list[str] = field(
        default_factory=list
    )  # parameters that some header has without const


@dataclass(slots=True)
class ConstantValue:
    """What a constant is on one target: a value, or a symbol's address or content."""

    target: str
    value: int | str | None = None
    symbol: str | None = None
    access: str | None = None  # "address" or "load"
    constant_expression: bool = False
    type: str | None = None  # its C type here, where it is not the one of the atlas


@dataclass(slots=True)
class AtlasConstant:
    """One constant over all targets."""

    name: str
    cls: str  # "integer", "handle", "sentinel", "string", "type", "function"
    type: str
    abi_value: int | str | None = None
    sets: list[str] = field(default_factory=list)
    since: str = ""
    deprecated: str | None = None
    values: list[ConstantValue] = field(default_factory=list)


@dataclass(slots=True)
class Representation:
    """What a C type is on one target."""

    target: str
    kind: str  # "integer", "pointer", "struct", "enum", "function"
    size: int
    alignment: int
    underlying: str | None = None
    signed: bool | None = None
    fields: list[Field] = field(default_factory=list)


@dataclass(slots=True)
class AtlasType:
    """One type over all targets."""

    name: str
    handle: bool = False
    representations: list[Representation] = field(default_factory=list)


@dataclass(slots=True)
class Conflict:
    """Two blueprints (or a blueprint and the catalogue) that disagree."""

    name: str
    what: str  # "returns", "arity", "parameter 3 type", ...
    values: dict[str, str] = field(default_factory=dict)  # value -> targets, comma separated
    taken: str = ""  # the value the atlas goes on with


@dataclass(slots=True)
class Atlas:
    """The catalogue and any number of blueprints, merged."""

    standard: str
    targets: list[Target] = field(default_factory=list)
    types: list[AtlasType] = field(default_factory=list)
    constants: list[AtlasConstant] = field(default_factory=list)
    functions: list[AtlasFunction] = field(default_factory=list)
    callbacks: list[CallbackType] = field(default_factory=list)
    handles: list[Handle] = field(default_factory=list)
    value_sets: list[ValueSet] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    schema_version: int = SCHEMA_VERSION


# --------------------------------------------------------------------------- plan


@dataclass(slots=True)
class Argument:
    """One thing the caller passes.

    `kind` is one of
    int, count, aint, offset, fint, double, bool   scalars ("count": wide in every language)
    scalar_ref    an integer that the call changes (position, keyval); `element` is its kind
    enum          an integer of a closed or flags value set (`values` names it)
    handle        a handle by value (`type`: "MPI_Comm")
    handle_ref    a handle that the call changes (freed, completed)
    buffer        an address whose elements a count and a datatype describe
    memory        an address with no datatype beside it (Win_create base, attach, Free_mem)
    address       an uninterpreted address (attribute values, extra state without callback)
    string        text in
    strings       NULL-terminated or counted array of texts (argv)
    span          array in; `element` is the kind, `type` the handle or C type of one element
    span_out      array that the call fills, given by the caller
    span_ref      array that the call changes (requests)
    status_out    status of the operation, may be ignored
    statuses_out  array of statuses, may be ignored
    status        status in (const MPI_Status *)
    status_ref    status that the call changes (Status_set_*)
    callback      function with its state (`type`: "MPI_User_function"; `state`: slot of its state)
    main_arguments  argc and argv of main, which may be left out
    plain         anything else, as the C type has it
    """

    name: str
    kind: str
    type: str = ""  # handle, callback or C type
    element: str = (
        ""  # of spans: "int", "count", "aint", "flag", "handle", "enum", "range" (int [3]), "plain"
    )
    values: str | None = None
    mutable: bool = False  # buffers and memory: MPI writes to it
    length: str | list[str] | None = (
        None  # of spans whose length no argument carries: rule or constant
    )
    shares_length: list[str] = field(default_factory=list)  # other spans that must be as long
    count: str | None = None  # of buffers: names of the arguments that describe the elements
    datatype: str | None = None
    blocks: str | None = None  # of buffers: rule, how often so many elements stand in it
    nullable: bool = False
    sentinels: list[str] = field(default_factory=list)  # constants that may stand here
    root_only: bool = False
    kept: bool = False
    narrow: bool = False  # of wide kinds: the small function takes a narrower type here
    state: str | None = (
        None  # of callbacks: the slot that carries its state, None where MPI has none
    )
    # of callbacks: how MPI hands the state over: "passed" (beside other arguments), "last" (nothing
    # else: this callback frees the state), "" (never, or nobody knows in which argument)
    state_role: str = ""
    # where an array may be null or empty: "always", "elsewhere" (not at the root), "in place"
    # (where sendbuf is MPI_IN_PLACE), "" (nowhere)
    absent: str = ""


@dataclass(slots=True)
class Result:
    """One thing the caller gets back; kinds as above, plus "string" and "pointer"."""

    name: str
    kind: str
    type: str = ""
    values: str | None = None
    when: str | None = None  # valid only if this result (a flag) is true
    # of texts: who says how much room they need: "constant" and "argument" (`capacity` names it),
    # "asked" (a first call with no room tells it)
    room: str = ""
    capacity: str = ""
    length_told: bool = False  # of texts: MPI stores the length


@dataclass(slots=True)
class Slot:
    """How one C parameter is filled, and what becomes of it.

    `fold` is one of
    value         the argument itself
    data          first element of the argument (span, string, buffer)
    size          number of elements of the argument (span)
    reference     address of the argument (handle_ref, scalar_ref, status_out, status_ref)
    result        address of a temporary that becomes the result
    string        address of characters that become the result: `capacity` of them (a constant), or
                  as many as the slot with fold `capacity` says
    string_length address of the length that MPI stores for such a string (`result` names it)
    capacity      capacity of such a string (`result` names it), told to MPI: the argument's value,
                  or, without argument, an in/out length that a first call with 0 asks for
    function      the C function that calls the callback argument
    state         what lets that C function find it
    argc, argv    address of main's argument, or NULL
    plain         passed through
    """

    name: str
    type: str  # C type in the small function
    fold: str
    argument: str | None = None
    result: str | None = None
    large_type: str | None = None  # C type in the `_c` twin, where it differs
    capacity: str | None = None  # of strings: the constant that is their capacity
    # where the argument's value may not fit the C type: "small" (the twin's type holds it), "both"
    narrows: str = ""
    narrower: bool = False  # some MPI's small function takes no more than an `int` here


@dataclass(slots=True)
class PlannedFunction:
    """One function in its friendly form; a `_c` twin has no plan of its own, it is `large` here."""

    name: str
    returns: str  # "error", or kind of the value returned ("double", "aint", "handle", ...)
    return_type: str = "int"  # C type returned
    large: str | None = None
    # names that stand in for the twin where an MPI lacks it: MPI_Type_size_x for MPI_Type_size_c
    large_alternatives: list[str] = field(default_factory=list)
    # how the twin is chosen: "only" (there is none), "fits" (when a value does not fit),
    # "overload" (by array type), "large" (always: results are wide, or both have the same types)
    dispatch: str = "only"
    arguments: list[Argument] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    shape: str = "void"  # "void", "value", "optional", "record"
    slots: list[Slot] = field(default_factory=list)
    variadic: bool = False
    decision: str = "generate"  # "generate", "alias", "skip"
    reason: str = ""
    alternatives: list[str] = field(
        default_factory=list
    )  # MPIX_ names that stand in where it lacks
    source: str = "catalogue"
    chapter: str = ""
    family: str = ""
    collective: bool = False
    since: str = ""
    deprecated: str | None = None
    removed: str | None = None
    before_init: str = ""  # version since which it may be called without a running MPI
    brief: bool = False  # local, done in a moment, waits for nothing
    doc: str = ""
    # of blocking functions: "nonblocking" and "persistent" -> the function that is this form of it
    forms: dict[str, str] = field(default_factory=dict)
    # the result or argument that owns the memory that MPI uses after the call: a request, window,
    # file or session, "" where there is none
    memory_owner: str = ""
    results_on_error: bool = False  # after an error the results say which operation it concerns
    # what is done with a key of attributes: "makes" (with callbacks), "sets" an attribute, "frees"
    key_use: str = ""
    key: str = ""  # the argument or result that is a key of attributes
    key_kind: str = ""  # what the key belongs to: "comm", "type", "win"

    def inputs(self) -> list[str]:
        """The names of the arguments without the place for a status."""
        return [a.name for a in self.arguments if a.kind != "status_out"]

    @property
    def guard(self) -> str:
        """What a call must be preceded by: "running" (MPI runs), "early" (it runs, or the library
        knows the standard that allows the call without), or nothing."""
        if not self.before_init:
            return "running"
        return "early" if _number(self.before_init) > _number(self.since) else ""

    @property
    def waits(self) -> bool:
        """Whether a call may wait for what other processes do next, and gives no request. Not what
        completes requests, nor what MPI does without the other process."""
        there = self.collective or self.chapter in ("pt2pt", "rma")
        ends = any(a.type == "MPI_Request" for a in self.arguments)
        alone = self.chapter in ("environment", "extensions", "sessions") or ALONE.match(self.name)
        return self.family == "blocking" and there and not ends and not alone

    @property
    def fills_statuses(self) -> bool:
        """Whether its outputs tell which of several operations failed, if the call does."""
        return any(a.kind == "statuses_out" for a in self.arguments)

    def room(self, buffer: Argument) -> tuple[str, ...]:
        """The arguments that say how much a buffer holds at least, on every process: count and
        datatype, or bytes; none unless they are single values."""
        kinds = {a.name: a.kind for a in self.arguments}
        if buffer.kind == "memory" and kinds.get(str(buffer.length)) in ("count", "aint"):
            return (str(buffer.length),)
        if buffer.kind != "buffer" or buffer.root_only:
            return ()
        said = (str(buffer.count), str(buffer.datatype))
        return said if all(kinds.get(s) in ("int", "count", "handle") for s in said) else ()

    def counts_alone(self, buffer: Argument) -> bool:
        """Whether what counts its elements counts those of no other buffer."""
        return sum(a.count == buffer.count for a in self.arguments) == 1


def _number(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


@dataclass(slots=True)
class Plan:
    """The friendly form of every function of the atlas."""

    functions: list[PlannedFunction] = field(default_factory=list)
    schema_version: int = SCHEMA_VERSION


# --------------------------------------------------------------------------- generator interface


@dataclass(slots=True)
class Request:
    """What a generator is asked; the same for the built-in ones and, as JSON, for foreign ones."""

    language: str
    atlas: Atlas
    plan: Plan
    target: str | None = None  # name of one target; None: all (one build for any MPI)
    options: dict[str, str] = field(default_factory=dict)
    tool_version: str = ""
    protocol: int = 1


@dataclass(slots=True)
class File:
    """One generated file, its path relative to the output folder."""

    path: str
    content: str


@dataclass(slots=True)
class Response:
    """What a generator answers."""

    files: list[File] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    protocol: int = 1
