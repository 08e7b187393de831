"""What the Java templates read: everything spelled out, so that they only lay it out."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.blueprints.catalogue.uses import CallbackUse
from mpiglot.blueprints.model import CallbackType


@dataclass(slots=True)
class Parameter:
    """One parameter of a Java method."""

    type: str
    name: str
    doc: str


@dataclass(slots=True)
class Holder:
    """The class that holds the method handle of one C function."""

    name: str
    c_name: str
    signature: str
    alternatives: list[str]
    binder: str = "function"  # "function", "brief"
    presence: bool = False  # whether callers ask if the library has it
    macro: bool = False  # whether some MPI has a macro instead


@dataclass(slots=True)
class Body:
    """The statements of one Java method, in the order in which they run."""

    checks: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    large_arguments: list[str] = field(default_factory=list)  # to the twin
    large: str = ""  # when the twin is called; empty: no choice
    by_presence: bool = False  # wherever there is one
    between: list[str] = field(default_factory=list)  # after a first call that asked for lengths
    always: list[str] = field(default_factory=list)  # after the call, even if it failed
    after: list[str] = field(default_factory=list)  # after it succeeded
    result: str = ""  # the value returned
    fallback: str = ""  # the value where this MPI has a macro instead of a function
    kept: list[str] = field(default_factory=list)  # segments that outlive the call
    keeper: str = ""  # what keeps them when no request does
    access: bool = False  # it keeps them until another call completes this one
    begun: str = ""  # the handle that keeps them
    frame: bool = False
    cells: bool = False  # a few cells and statuses are all that is needed of the frame
    memory: bool = False  # converted arguments outlive the call
    passes: bool = False  # a first call asks for capacities
    stubs: dict[str, str] = field(default_factory=dict)  # of callbacks: parameter -> class
    things: dict[str, str] = field(default_factory=dict)  # arguments and results in Java
    words: dict[str, str] = field(default_factory=dict)  # handle -> what MPI left of it


@dataclass(slots=True)
class Quick:
    """The short way of a brief call."""

    holder: str
    large_holder: str
    when: str


@dataclass(slots=True)
class Method:
    """One Java method."""

    c_name: str
    name: str
    doc: str
    notes: list[str]
    parameters: list[Parameter]
    returns: str
    return_doc: str
    kind: str  # "error", "tool", "value", "void": what C returns
    holder: str
    large_holder: str
    body: Body
    carrier: str = ""  # Java type of what C returns
    cast: str = ""  # to it from what the method handle returns
    guard: str = ""  # as in the plan
    lifecycle: bool = False
    quick: Quick | None = None
    deprecated: str = ""


@dataclass(slots=True)
class Record:
    """The results of a function that has several."""

    name: str
    c_name: str
    fields: list[Parameter]


@dataclass(slots=True)
class Chapter:
    """One class with the functions of one chapter."""

    name: str
    title: str
    methods: list[Method] = field(default_factory=list)
    holders: list[Holder] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)


@dataclass(slots=True)
class Named:
    """A constant or value: its Java name, C name and value."""

    name: str
    c_name: str
    value: str = ""
    type: str = "int"
    doc: str = ""


@dataclass(slots=True)
class HandleClass:
    """A handle type."""

    name: str
    c_name: str
    keeper: bool
    null: str  # C name of its null constant; empty: none
    width: str  # the constant that says whether it takes eight bytes
    constants: list[Named] = field(default_factory=list)


@dataclass(slots=True)
class CallbackClass:
    """A function type that programs pass to MPI."""

    name: str
    c_name: str
    signature: str
    parameters: list[Parameter]
    c_parameters: list[Parameter]
    before: list[str]
    arguments: list[str]
    after: list[str]
    returns_code: bool
    kind: str  # how long the short way of brief calls stays open
    source: CallbackType
    use: CallbackUse
    null: str = ""  # the constant that stands for no callback, where that is not NULL
