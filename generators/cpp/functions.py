"""What the chapter template says of each planned function on one target, as data.

C++ has most of the plan's arguments in a form of its own (`Parameter`), C gets each of its
parameters in one of a few forms (`Passed`), and what comes back is a `Value`. The template
`cpp/expressions.jinja` has the C++ for every form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from mpiglot.generators import shapes
from mpiglot.generators.c_types import as_is, base_type, is_lists_of_texts, pointer
from mpiglot.generators.cpp.names import SCALARS, callback_name, constant_name, identifier
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.jinja import environment
from mpiglot.generators.model import Argument, PlannedFunction, Result, Slot

_FIXED = {"string": "String", "pointer": "void*", "bool": "bool"}
_NUMBERS = frozenset({"int", "count", "aint", "offset", "fint"})
_OPTIONAL = ("status_out", "statuses_out", "main_arguments")
_TOGETHER = 3  # numbers of which one instruction tells whether all fit


class Inexpressible(Exception):
    """A function that C++ cannot express; the text says why."""


@dataclass(slots=True)
class Parameter:
    """One C++ parameter."""

    name: str
    form: str  # the plan's kind; "lists" for lists of texts, "c" for what has C's type
    type: str = ""  # of values, references, elements
    optional: bool = False
    template: str = ""  # of callables: the template parameter


@dataclass(slots=True)
class Passed:
    """What C gets for one of its parameters."""

    form: str
    name: str = ""
    type: str = ""
    index: int = 0  # of a callable with state among its like
    checked: bool = False  # its value may not fit


@dataclass(slots=True)
class Value:
    """One thing that comes back."""

    name: str
    kind: str
    type: str  # in C++
    native: str = ""  # in C
    null: str = ""
    enumeration: str = ""
    disputed: bool = False  # its values depend on the library
    guarded: bool = False
    set_on_success: bool = True  # by every MPI
    room: str = ""
    capacity: str = ""
    length_told: bool = False


@dataclass(slots=True)
class Call:
    """One C function and what it is called with."""

    function: str
    bare: bool  # without a PMPI_ twin; a macro also without an address
    early: bool  # may be called before MPI_Init and after MPI_Finalize
    passed: list[Passed]

    @property
    def narrow(self) -> list[Passed]:
        """The outputs that C has smaller."""
        return [p for p in self.passed if p.form == "narrow"]

    @property
    def numbers(self) -> list[list[Passed]]:
        """What must fit an `int`, in groups that are looked at together."""
        ints = [p for p in self._checked() if p.type == "int"]
        return [ints[i : i + _TOGETHER] for i in range(0, len(ints), _TOGETHER)]

    @property
    def others(self) -> list[Passed]:
        """What must fit another type."""
        return [p for p in self._checked() if p.type != "int"]

    def _checked(self) -> list[Passed]:
        """What may not fit, once each."""
        unique: dict[tuple[bool, str, str], Passed] = {}
        for p in self.passed:
            if p.checked:
                unique.setdefault((p.form == "count", p.name, p.type), p)
        return list(unique.values())


@dataclass(slots=True)
class CppFunction:
    """One C++ function, which both layers have."""

    plan: PlannedFunction
    name: str
    c_name: str
    parameters: list[Parameter]
    values: list[Value]
    returned: str = ""  # the type of what a function without a code gives back
    calls: list[Call] = field(default_factory=list)  # none: this MPI lacks it; two: what fits
    small: str | None = None
    large: str | None = None
    wide: bool = False  # the second of two overloads, for arrays of 64 bits
    copied: list[Passed] = field(default_factory=list)  # arrays that C gets in a smaller type
    again: bool = False  # declared as a template, so that the other overload goes first
    stateful: list[Passed] = field(default_factory=list)  # callables; `form` is their type
    stateless: list[Passed] = field(default_factory=list)  # those to which MPI hands no state
    keeper: str = ""  # the function that keeps those with state
    equal: dict[str, list[str]] = field(default_factory=dict)  # arrays as long as the key
    absent: list[str] = field(default_factory=list)  # the same in pairs, where one may be missing
    statuses: list[tuple[str, str]] = field(default_factory=list)  # and the arrays they are for
    needs: str = ""
    holds: list[tuple[str, str]] = field(default_factory=list)  # argument, what it must hold
    stand_ins: list[tuple[list[str], list[str]]] = field(default_factory=list)
    provided: bool = False  # in another form, if not in this one

    @property
    def key(self) -> str:
        """The key of attributes that the function makes or is given."""
        return identifier(self.plan.key)

    @property
    def kept(self) -> list[Value]:
        """What the result is made of."""
        return [v for v in self.values if v.guarded or self.plan.shape != "optional"]

    @property
    def flag(self) -> Value | None:
        """The flag that says whether there is anything."""
        return next((v for v in self.values if v not in self.kept), None)

    @property
    def asked(self) -> list[Value]:
        """The texts whose length a first call tells."""
        return [v for v in self.values if v.room == "asked"]

    @property
    def has_text(self) -> bool:
        return any(v.kind == "string" for v in self.values)

    @property
    def templates(self) -> list[str]:
        return [p.template for p in self.parameters if p.template]

    @property
    def simple(self) -> bool:
        """Whether a call is all there is to do."""
        return not (self.values or self.plan.key_use)

    @property
    def direct(self) -> bool:
        """Whether layer 2 calls C itself: compilers make least of it if the check stands before
        the values are used, in the same function, and they need to be nothing in case of an
        error."""
        if not self.calls or self.asked or self.templates or self.returned:
            return False
        return self.plan.returns == "error" and bool(self.values or self.plan.key_use)


def type_of(p: Parameter) -> str:
    """The C++ type of a parameter."""
    macros: Any = environment().get_template("cpp/expressions.jinja").module
    return str(macros.type_of(p))


class FunctionWriter:
    """Finds what the template needs, for one target."""

    def __init__(self, target: CppTarget) -> None:
        self.target = target

    def functions(self, f: PlannedFunction) -> Iterator[CppFunction]:
        """The C++ function, or two, one for each width of arrays."""
        if f.dispatch == "overload" and self.target.indistinct(f):
            yield self._one(replace(f, dispatch="fits"), wide=True)
        elif f.dispatch == "overload":
            yield self._one(replace(f, large=None), wide=False)
            yield replace(self._one(f, wide=True), again=True)
        else:
            yield self._one(f, wide=True)

    def parameters(self, f: PlannedFunction, wide: bool = True) -> list[Parameter]:
        """The C++ parameters; of two overloads those of the one for arrays of 64 bits if `wide`."""
        slots = {s.argument: s for s in f.slots if s.fold in ("data", "value", "reference")}
        out = [self._parameter(f, a, slots.get(a.name), wide) for a in f.arguments]
        required = [i for i, p in enumerate(out) if not p.optional]
        for p in out[: required[-1] if required else 0]:  # a default needs others behind it
            p.optional = False
        return out

    def _parameter(
        self, f: PlannedFunction, a: Argument, slot: Slot | None, wide: bool
    ) -> Parameter:
        name = identifier(a.name)
        out = Parameter(name, a.kind, optional=a.kind in _OPTIONAL)
        if a.kind == "callback":
            out.template = "".join(word.capitalize() for word in a.name.split("_"))
        elif a.kind == "plain" and is_lists_of_texts(a.type):
            out.form = "lists"
        elif a.kind in ("plain", "buffer", "address", "memory"):
            ours = "" if a.mutable else "const "
            c_type = f"{ours}void *" if a.kind == "memory" else self.target.existing(a.type)
            out.form, out.type = "c", as_is(pointer(c_type))
        elif a.kind.startswith("span") and a.element == "range":
            out.type = "rank_range"
        elif a.kind.startswith("span"):
            c_type = a.type if wide or slot is None else base_type(slot.type)
            out.type = self._type(f, a.element, c_type, a.values)
        elif a.kind == "handle_ref":
            out.type = self.target.handles[a.type]
        else:
            out.type = self._type(f, a.kind, a.type, a.values)
        return out

    def _type(self, f: PlannedFunction, kind: str, c_type: str, values: str | None) -> str:
        """The C++ type of a value."""
        if kind == "enum" and values in self.target.enums:
            spelling = identifier(values)
            used = [a.name for a in f.arguments] + [r.name for r in f.results]
            hidden = spelling in map(identifier, used)
            return f"mpi::{spelling}" if hidden else spelling
        if kind == "handle":
            return self.target.handles[c_type]
        return SCALARS.get(c_type) or as_is(pointer(self.target.existing(c_type))) or "int"

    # ------------------------------------------------------------- one function

    def _one(self, f: PlannedFunction, wide: bool) -> CppFunction:
        overload = wide and f.dispatch == "overload"
        small, large = self.target.provider(f), self.target.twin(f)
        copied = _copied(f) if overload and not large else []
        if overload and not copied:
            small = None
        missing = (f.large if overload else None) or f.name
        out = CppFunction(
            f, self.target.function_names[f.name], f.name if small else missing,
            self.parameters(f, wide), [self._value(f, r) for r in f.results],
            small=small, large=large, wide=overload, needs=self.target.needs(missing),
            provided=bool(self.target.provider(f)),
            copied=[Passed("copied", identifier(s.argument or ""), SCALARS[base_type(s.type)])
                    for s in f.slots if s.fold == "data" and s.argument in copied],
        )  # fmt: skip
        if f.returns not in ("error", "void"):
            out.returned = self._type(f, f.returns, f.return_type, None)
        if small or large:
            self._callables(out)
            _lengths(out)
            out.calls = self._calls(out)
        out.holds = [(a.name, of) for a in f.arguments if (of := shapes.holds(f, a))]
        out.stand_ins = _stand_ins(f, self.target)
        return out

    def _calls(self, out: CppFunction) -> list[Call]:
        """The call of C, or both."""
        wide_outputs = out.large and out.plan.dispatch == "large"
        calls = [] if wide_outputs or not out.small else [self._call(out, out.small, False)]
        if out.large and (not calls or calls[0].numbers or calls[0].others):
            calls.append(self._call(out, out.large, True))
        return calls

    def _call(self, out: CppFunction, c_name: str, large: bool) -> Call:
        target, passed = self.target, []
        for slot in out.plan.slots:
            standard = slot.large_type if large and slot.large_type else slot.type
            c_type = target.type_of(out.plan.name, c_name, slot.name, standard)
            one = self._passed(out, slot, c_type)
            one.checked = slot.narrows in (("both",) if large else ("both", "small"))
            one.checked |= c_type == "int" and standard != "int"
            passed.append(one)
        return Call(c_name, target.is_bare(c_name), c_name in target.early, passed)

    def _callables(self, out: CppFunction) -> None:
        """Callables and where they live: those with state in one closure."""
        for a in (a for a in out.plan.arguments if a.kind == "callback"):
            if a.type not in self.target.callbacks:
                raise Inexpressible(f"the callback type {a.type} is not known")
            template = next(p.template for p in out.parameters if p.name == identifier(a.name))
            into = out.stateful if a.state_role else out.stateless
            into.append(Passed(template, identifier(a.name), callback_name(a.type), len(into)))
        ends = any(a.state_role == "last" for a in out.plan.arguments)
        # A callback that frees the state ends its life, or counting; otherwise MPI's end does.
        out.keeper = "make_key" if out.plan.key_use == "makes" else "lend" if ends else "keep"

    # ------------------------------------------------------------- what C gets

    def _passed(self, out: CppFunction, slot: Slot, c_type: str) -> Passed:
        base = base_type(c_type)
        number = SCALARS.get(base, base)
        if slot.fold == "state":
            return Passed("state" if out.stateful else "null")
        if slot.result is not None and not (slot.fold == "capacity" and slot.argument):
            return self._output(out, slot, base)
        a = next((a for a in out.plan.arguments if a.name == (slot.argument or slot.name)), None)
        if a is None and slot.fold == "plain":
            raise Inexpressible(f"nothing is passed for {slot.name}")
        if a is None:
            raise Inexpressible(f"{slot.name} belongs to {slot.argument}, which is no argument")
        name = identifier(a.name)
        if slot.fold == "function":
            of = [*out.stateful, *out.stateless]
            entry = next(c for c in of if c.name == name)
            form = "entry" if entry in out.stateful else "found_entry"
            return replace(entry, form="key_entry" if out.plan.key_use == "makes" else form)
        if slot.fold == "size":
            return Passed("size" if c_type == "MPI_Count" else "count", name, number)
        if slot.fold == "data" and any(c.name == name for c in out.copied):
            return Passed("copied", name)
        if slot.fold in ("data", "plain"):
            return _data(slot, a, name, c_type)
        if slot.fold == "reference" and a.kind == "scalar_ref":
            return Passed("address" if base == a.type else "in_place", name, number)
        if slot.fold == "reference" and a.kind != "status_out":
            const = a.kind == "status" and "const" not in c_type
            return Passed("unconst_native_address" if const else "native_address", name, base)
        if a.kind in ("handle", "status_out"):
            return Passed("native", name)
        if a.kind == "enum" and self.target.is_disputed(a.values):
            return Passed("to_library", name, "" if base == "int" else pointer(base))
        if a.kind in ("bool", "enum") or (a.kind in _NUMBERS and a.type and base != a.type):
            return Passed("cast", name, pointer(base) if a.kind in ("bool", "enum") else number)
        if a.kind == "address":
            return _without_const(name, a.type, c_type)
        return Passed(slot.fold if slot.fold in ("argc", "argv") else "name", name)

    def _output(self, out: CppFunction, slot: Slot, base: str) -> Passed:
        value = next((r for r in out.plan.results if r.name == slot.result), None)
        if value is None:
            raise Inexpressible(f"{slot.name} is part of {slot.result}, which is no result")
        name = identifier(value.name)
        if slot.fold in ("capacity", "string_length"):
            return Passed("asked_length" if slot.fold == "capacity" else "told_length", name)
        if slot.fold == "string":
            return Passed("name" if slot.capacity else "data", name)
        smaller = value.kind not in ("int", "double") and base != value.type
        if smaller and value.type in SCALARS and base in SCALARS:
            return Passed("narrow", name, SCALARS[base])
        return Passed("address", name)

    # ------------------------------------------------------------- what comes back

    def _value(self, f: PlannedFunction, r: Result) -> Value:
        if r.kind == "string" and not any(
            s.fold == "string" and s.result == r.name for s in f.slots
        ):
            raise Inexpressible(f"nothing fills the text {r.name}")
        if r.kind == "string" and not r.room:
            raise Inexpressible(f"nobody says how long the text {r.name} may be")
        known = r.kind == "enum" and r.values in self.target.enums
        return Value(
            identifier(r.name), r.kind,
            type=_FIXED[r.kind] if r.kind in _FIXED else self._type(f, r.kind, r.type, r.values),
            native=SCALARS.get(r.type) or pointer(r.type or "int"),
            null=self.target.null(r.type) if r.kind == "handle" else "",
            enumeration=identifier(r.values or "") if known else "",
            disputed=known and self.target.is_disputed(r.values),
            guarded=bool(r.when),
            # MPIs have been seen to leave a flag as it is, and anything that a tool asks for; all
            # else, and what comes with a handle made, is set by what goes well.
            set_on_success=r.kind != "bool"
            and (f.chapter != "tools" or f.results[0].kind == "handle"),
            room=r.room,
            capacity=r.capacity if r.room == "constant" else identifier(r.capacity),
            length_told=r.length_told,
        )  # fmt: skip


def _data(slot: Slot, a: Argument, name: str, c_type: str) -> Passed:
    """An address, or the elements of an array."""
    base, const = base_type(c_type), "const" in c_type
    if a.kind in ("buffer", "memory"):
        ours = a.type if a.kind == "buffer" or a.mutable else "const void *"
        return _without_const(name, ours, c_type)
    if a.kind == "plain" and not is_lists_of_texts(a.type):
        return _without_const(name, a.type, c_type)
    if a.kind == "statuses_out":
        return Passed("native", name)
    if a.element in ("handle", "enum"):
        form = "native_elements" if a.kind != "span" else "const_native_elements"
        return Passed(form if const or a.kind != "span" else "unconst_native_elements", name, base)
    if a.element == "range":
        return Passed("rows", name)
    if a.kind in ("string", "span") and not const:
        return Passed("unconst_data", name, SCALARS.get(base, base))
    return Passed("data", name)


def _without_const(name: str, ours: str, theirs: str) -> Passed:
    """An address; some headers lack the const that the standard has."""
    unconst = "const" in ours and "const" not in theirs
    return Passed("unconst" if unconst else "name", name, pointer(theirs))


def _lengths(out: CppFunction) -> None:
    """Arrays that must be as long as another one is; several are looked at together."""
    spans = {a.name for a in out.plan.arguments if a.kind.startswith("span")}
    for a in out.plan.arguments:
        for other in spans.intersection(a.shares_length):
            mine, theirs = identifier(a.name), identifier(other)
            if a.kind == "statuses_out":
                out.statuses.append((mine, theirs))
            elif a.kind.startswith("span") and a.nullable:
                out.absent += [mine, theirs]
            elif a.kind.startswith("span"):
                out.equal.setdefault(theirs, []).append(mine)


def _copied(f: PlannedFunction) -> list[str]:
    """The arrays to copy for the small function, if none outlives the call or is written."""
    arrays = [a for a in f.arguments if a.narrow and a.kind.startswith("span")]
    if any(a.kind != "span" or a.kept for a in arrays):
        return []
    return [a.name for a in arrays]


def _stand_ins(f: PlannedFunction, target: CppTarget) -> list[tuple[list[str], list[str]]]:
    """Which constants may stand in place of which arguments."""
    places: dict[tuple[str, ...], list[str]] = {}
    for argument, constants in target.stand_ins(f).items():
        names = tuple(constant_name(c, target.constants[c][0].type) for c in constants)
        places.setdefault(names, []).append(argument)
    return [(list(names), where) for names, where in places.items() if names]
