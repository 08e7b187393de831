"""The plan's way up for C++: how the arguments of a C call become those of the friendly function.

`WrapperWriter` answers, for each C function, with what the template needs: when the call cannot be
expressed, the friendly arguments, and where the results go. It knows kinds and folds only.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from dataclasses import dataclass, field

from mpiglot.blueprints.model import CallbackType, Parameter
from mpiglot.generators.c_types import base_type, declared, pointer
from mpiglot.generators.cpp.functions import FunctionWriter, type_of
from mpiglot.generators.cpp.names import identifier
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.model import (
    Argument,
    AtlasFunction,
    Plan,
    PlannedFunction,
    Result,
    Slot,
)

_INTEGERS = frozenset({"int", "count", "aint", "offset", "fint"})


@dataclass(slots=True)
class Choice:
    """A callback argument, which goes up as it is or as a callable with its state."""

    name: str
    callable: str
    state: str


@dataclass(slots=True)
class Twin:
    """The small function in the form of its `_c` twin."""

    parameters: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def add(self, slot: Slot) -> None:
        """A parameter, narrower while the call lasts."""
        name, wide = identifier(slot.name), slot.large_type or slot.type
        self.parameters.append(declared(wide, name))
        small = base_type(slot.type)
        if wide == slot.type:
            self.arguments.append(name)
        elif wide.endswith("*"):
            self.before.append(f"auto {name}_small = static_cast<{small}>(*{name});")
            self.arguments.append(f"&{name}_small")
            self.after.append(f"*{name} = {name}_small;")
        else:
            self.arguments.append(f"static_cast<{small}>({name})")


@dataclass(slots=True)
class Wrapper:
    """One C function of the library."""

    name: str
    chapter: str
    returns: str
    parameters: list[str]
    forwarded: list[str]
    number: int = 0
    begins: bool = False
    ends: bool = False
    variadic: bool = False
    friendly: str = ""  # empty: straight to PMPI, `why` says why
    why: str = ""
    null: list[str] = field(default_factory=list)  # pointers that must not be null
    lengths: list[str] = field(default_factory=list)  # integers that must not be negative
    rooms: list[str] = field(default_factory=list)  # rooms for texts that must not be boundless
    functions: list[str] = field(default_factory=list)  # callbacks that must not be null
    choices: list[Choice] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    puts: list[str] = field(default_factory=list)
    guarded: list[str] = field(default_factory=list)  # puts of what a flag guards
    texts: list[str] = field(default_factory=list)  # puts of texts that may not fit
    flag: str = ""
    flag_number: int = 0  # its parameter
    value: bool = False  # the function returns no code but its value
    pin: bool = False  # whether the `_c` twin must be kept from being replaced by the small one
    places: list[str] = field(default_factory=list)  # by parameter: the output to begin with
    left: list[str] = field(default_factory=list)  # outputs of a call that fails
    withheld: list[str] = field(default_factory=list)  # outputs of a flag that says no
    widened: list[str] = field(default_factory=list)  # declarations of wide copies of outputs
    twin: Twin | None = None  # what is called where the layer calls the `_c` function

    @property
    def opening(self) -> str:
        """What stands before the friendly call to make callables of callbacks."""
        return "".join(
            f"pmpi::choose<pmpi::{c.callable}>({c.name}, {c.state}, [&](auto {c.name}) {{ return "
            for c in self.choices
        )

    @property
    def closing(self) -> str:
        return "; })" * len(self.choices)


class WrapperWriter:
    """Writes wrappers for one target."""

    def __init__(self, target: CppTarget) -> None:
        self.target = target
        self.functions = FunctionWriter(target)

    def direct(self, entry: AtlasFunction, why: str) -> Wrapper:
        """A function that no friendly form serves."""
        wrapper = self._outside(entry, [p.name for p in entry.function.parameters])
        wrapper.why = why
        return wrapper

    def routed(self, entry: AtlasFunction, plan: PlannedFunction) -> Wrapper:
        """A function that enters the friendly form of `plan`."""
        wrapper = self._outside(entry, [s.name for s in plan.slots])
        wrapper.friendly = self.target.function_names[plan.name]
        wrapper.chapter = plan.chapter
        large = entry.function.name == plan.large
        _Up(self, wrapper, plan, large).fill()
        return wrapper

    def _outside(self, entry: AtlasFunction, called: list[str]) -> Wrapper:
        function = entry.function
        names = [identifier(name) for name in called]
        parameters = [
            declared(self._c_type(entry, p), name)
            for p, name in zip(function.parameters, names, strict=True)
        ]
        if function.variadic:
            parameters.append("...")
        return Wrapper(
            function.name, function.chapter, pointer(function.returns), parameters, names,
            variadic=function.variadic,
        )  # fmt: skip

    def _c_type(self, entry: AtlasFunction, p: Parameter) -> str:
        """C's type, without the const that some headers lack."""
        return p.type.replace("const ", "") if p.name in entry.const_differs else p.type


class _Up:
    """Fills one wrapper."""

    def __init__(
        self, writer: WrapperWriter, wrapper: Wrapper, plan: PlannedFunction, large: bool
    ) -> None:
        self.target = writer.target
        self.wrapper = wrapper
        self.plan = plan
        self.large = large
        self.overloaded = plan.dispatch == "overload" and not self.target.indistinct(plan)
        self.parameters = {
            p.name: p for p in writer.functions.parameters(plan, large or not self.overloaded)
        }
        self.slots = {
            s.argument: s
            for s in plan.slots
            if s.argument and s.fold not in ("size", "state", "argv", "capacity")
        }
        self.kinds: dict[str, Function[[Argument, str], str]] = {
            "handle": lambda a, c: f"{self._type(a)}{{{c}}}",
            "bool": lambda a, c: f"{c} != 0",
            "enum": lambda a, c: f"static_cast<{self._type(a)}>({c})",
            "span": self._span,
            "span_out": self._span,
            "span_ref": self._span,
            "handle_ref": self._reference,
            "status": self._reference,
            "status_ref": self._reference,
            "scalar_ref": self._changed,
            "status_out": lambda a, c: f"status_out({c})",
            "statuses_out": lambda a, c: f"statuses_out({c})",
            "string": lambda a, c: f"text({c})",
            "main_arguments": self._main,
            "callback": self._callback,
        }

    def fill(self) -> None:
        wrapper, plan = self.wrapper, self.plan
        for slot in plan.slots:
            if slot.fold == "size":
                wrapper.lengths.append(identifier(slot.name))
        wrapper.arguments = [self._argument(a) for a in plan.arguments]
        wrapper.value = plan.returns != "error"
        flag = next((r for r in plan.results if not r.when), None)
        for r in plan.results:
            self._result(r, bool(r.when), plan.shape == "optional" and r is flag)
        wrapper.pin = self._pinned()
        self._places()

    def _pinned(self) -> bool:
        """Whether the program has called the `_c` twin, where values would choose between them."""
        plan = self.plan
        both = self.target.provider(plan) and self.target.has_function(plan.large)
        chosen = plan.dispatch == "fits" or (plan.dispatch == "overload" and not self.overloaded)
        return self.large and bool(both) and chosen and not self._small_sizes()

    def _places(self) -> None:
        """Where the outputs are, in the type in which the layer calls C."""
        plan, wrapper = self.plan, self.wrapper
        outputs = [s for s in plan.slots if self._is_output(s)]
        if not outputs or wrapper.value:
            return
        widens = plan.dispatch == "large" and self.target.twin(plan) is not None and not self.large
        if widens:
            wrapper.twin = Twin()
            for slot in plan.slots:
                wrapper.twin.add(slot)
        guarded = {r.name for r in plan.results if r.when}
        for number, slot in enumerate(plan.slots):
            name = identifier(slot.name)
            if slot not in outputs:
                wrapper.places.append("nullptr")
                continue
            put = f"left({name}, {number});"
            if widens and slot.large_type:
                wide = base_type(slot.large_type)
                wrapper.widened.append(f"const {wide} {name}_before = *{name};")
                wrapper.places.append(f"&{name}_before")
                put = f"left.narrowed<{wide}>({name}, {number});"
            elif slot.fold == "string_length":
                wrapper.places.append("&pmpi::no_length")
                text = next(
                    n
                    for n, s in enumerate(plan.slots)
                    if s.fold == "string" and s.result == slot.result
                )
                put = f"if (pmpi::is_written({text})) {put}"
            else:
                wrapper.places.append(name)
            if slot.fold != "string":  # a text is copied while it is there
                wrapper.left.append(put)
                if slot.result in guarded:
                    wrapper.withheld.append(put)

    def _is_output(self, slot: Slot) -> bool:
        """Whether MPI writes a value there, or a text for which every caller has room."""
        if slot.fold != "string":
            return slot.fold in ("result", "string_length")
        return all(r.room != "asked" for r in self.plan.results if r.name == slot.result)

    def _small_sizes(self) -> bool:
        """Lengths that are an `int` in every twin: they are checked on any way."""
        return any(
            s.fold == "size" and base_type(s.large_type or s.type) == "int" for s in self.plan.slots
        )

    # ------------------------------------------------------------- arguments

    def _argument(self, a: Argument) -> str:
        slot = self.slots.get(a.name)
        c_name = identifier(slot.name if slot else a.name)
        make = self.kinds.get(a.kind)
        return make(a, c_name) if make else c_name

    def _type(self, a: Argument) -> str:
        return type_of(self.parameters[identifier(a.name)])

    def _span(self, a: Argument, c_name: str) -> str:
        return f"pmpi::view<{self._type(a)}>({c_name}, {self._length(a)})"

    def _length(self, a: Argument) -> str:
        """The integer that says how long C's array is; 0 where only a rule says it."""
        owners = [a.name, *a.shares_length]
        for slot in self.plan.slots:
            if slot.fold == "size" and slot.argument in owners:
                return identifier(slot.name)
        length = a.length[0] if isinstance(a.length, list) else a.length
        known = {s.name for s in self.plan.slots if "*" not in s.type and "[" not in s.type}
        return identifier(length) if length in known else "0"

    def _reference(self, a: Argument, c_name: str) -> str:
        self.wrapper.null.append(c_name)
        return f"pmpi::as<{self._type(a)}>({c_name})"

    def _changed(self, a: Argument, c_name: str) -> str:
        self.wrapper.null.append(c_name)
        return f"pmpi::changed<{self._type(a).removesuffix('&')}>({c_name})"

    def _main(self, a: Argument, c_name: str) -> str:
        addresses = [identifier(s.name) for s in self.plan.slots if s.fold in ("argc", "argv")]
        return f"pmpi::addresses({', '.join(addresses)})"

    def _callback(self, a: Argument, c_name: str) -> str:
        if a.state is None:
            self.wrapper.functions.append(c_name)
            return c_name
        name = identifier(a.type.removeprefix("MPI_"))
        self.wrapper.choices.append(Choice(c_name, f"callables::{name}", identifier(a.state)))
        return c_name

    # ------------------------------------------------------------- results

    def _result(self, r: Result, guarded: bool, flag: bool) -> None:
        wrapper = self.wrapper
        slot = next(
            s for s in self.plan.slots if s.result == r.name and s.fold in ("result", "string")
        )
        out = identifier(slot.name)
        number = self.plan.slots.index(slot)
        wrapper.null.append(out)
        if flag:
            wrapper.flag, wrapper.flag_number = out, number
            return
        kept = [x for x in self.plan.results if x.when or self.plan.shape != "optional"]
        value = "got" if len(kept) == 1 else f"got.{identifier(r.name)}"
        puts = wrapper.guarded if guarded else wrapper.puts
        if r.kind == "string":
            self._text(r, slot, out, value, puts)
        elif r.kind == "pointer":
            puts.append(f"put.pointer({out}, {value});")
        elif r.kind == "bool":
            puts.append(f"put.flag({out}, {value}, {number});")
        else:
            puts.append(f"put({out}, {value});")

    def _text(self, r: Result, slot: Slot, out: str, value: str, puts: list[str]) -> None:
        number = self.plan.slots.index(slot)
        told = next(
            (
                s
                for s in self.plan.slots
                if s.result == r.name and s.fold in ("capacity", "string_length")
            ),
            None,
        )
        if told is None or told.argument:
            puts.append(f"put.text({out}, {value}, {number});")
            self.wrapper.rooms += [identifier(told.name)] if told else []
            return
        length = identifier(told.name)
        self.wrapper.null.append(length)
        if told.fold == "string_length":
            puts.append(f"put.text({out}, {length}, {value}, {number});")
        else:
            puts.append(f"put.text_in({out}, {length}, {value});")
            self.wrapper.texts.append(length)
            self.wrapper.lengths.append(f"*{length}")


# --------------------------------------------------------------------------- callbacks with state


@dataclass(slots=True)
class Callable:
    """A C callback with its state, as something the friendly form takes."""

    name: str
    c_name: str
    returns: str
    parameters: list[str]
    arguments: list[str]
    predefined: list[str]  # constants that stand for no function of the program's


def callables(target: CppTarget, plan: Plan) -> list[Callable]:
    """The callback types with state that functions of the target take."""
    used = {
        a.type
        for f in plan.functions
        if f.decision == "generate" and target.provider(f)
        for a in f.arguments
        if a.kind == "callback" and a.state
    }
    known = [target.callbacks[c] for c in sorted(used) if c in target.callbacks]
    return [_callable(target, c) for c in known if any(p.role == "state" for p in c.parameters)]


def _callable(target: CppTarget, callback: CallbackType) -> Callable:
    others = [p for p in callback.parameters if p.role != "state"]
    predefined = sorted(
        name
        for name, (constant, _) in target.constants.items()
        if constant.cls == "function" and base_type(constant.type) == callback.name
    )
    return Callable(
        name=identifier(callback.name.removeprefix("MPI_")),
        c_name=callback.name,
        returns=pointer(callback.returns),
        parameters=[identifier(p.name) for p in others],
        arguments=[
            "state" if p.role == "state"
            else f"down<{pointer(p.type.replace('[]', '*'))}>({identifier(p.name)})"
            for p in callback.parameters
        ],
        predefined=predefined,
    )  # fmt: skip
