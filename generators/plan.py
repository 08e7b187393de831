"""The plan: how C parameters become arguments and results, once for all languages.

A function and its `_c` twin have one plan when they differ in integer widths only. `fold` below
goes through the C parameters in order and asks a few questions of each (what is it, who else
belongs to it); the answer is a `Slot`, and mostly an `Argument` or a `Result`. What no rule fits
stays `plain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mpiglot.blueprints.model import Function, Parameter
from mpiglot.generators.c_types import base_type
from mpiglot.generators.facts import add_facts
from mpiglot.generators.model import Argument, Atlas, Plan, PlannedFunction, Presence, Result, Slot
from mpiglot.generators.policy import decide, same_shape

_SCALARS = {
    "int": "int",
    "MPI_Count": "count",
    "MPI_Aint": "aint",
    "MPI_Offset": "offset",
    "MPI_Fint": "fint",
    "double": "double",
}
_WIDTH = {"int": 0, "MPI_Aint": 1, "MPI_Offset": 1, "MPI_Count": 2}


def build_plan(atlas: Atlas) -> Plan:
    """Plans every function of the atlas."""
    functions = {f.function.name: f.function for f in atlas.functions}
    presences = {f.function.name: f.present for f in atlas.functions}
    decisions = decide(atlas)
    planner = _Planner(
        handles={t.name for t in atlas.types if t.handle},
        sets={s.name: s.kind for s in atlas.value_sets},
        value_functions={h.toint for h in atlas.handles if h.toint},
    )
    out: list[PlannedFunction] = []
    for name, function in functions.items():
        small = functions.get(function.small_count or "")
        if small is not None and same_shape(small, function):
            continue  # planned with its small twin
        twin = functions.get(function.large_count or "")
        if twin is not None and not same_shape(function, twin):
            twin = None
        planned = planner.plan(function, twin)
        _mark_narrower(planned, presences[name])
        planned.decision, planned.reason, planned.alternatives = decisions.get(
            name, ("generate", "", [])
        )
        if twin is not None and twin.name in decisions and _has_an_int(planned):
            planned.large_alternatives = decisions[twin.name].alternatives
        out.append(planned)
    add_facts(out, atlas.callbacks)
    return Plan(functions=out)


def _mark_narrower(planned: PlannedFunction, present: Iterable[Presence]) -> None:
    """Notes where a header has an `int` and the standard a wider integer."""
    narrower = {name for p in present for name, c_type in p.differs.items() if c_type == "int"}
    for slot in planned.slots:
        slot.narrower = slot.name in narrower and slot.type in _WIDTH and slot.type != "int"


def _has_an_int(planned: PlannedFunction) -> bool:
    """Whether the twin is wider at all: an extent, an MPI_Aint, has 64 bits in both."""
    return any(s.large_type and base_type(s.type) == "int" for s in planned.slots)


@dataclass(slots=True)
class _Planner:
    """What of the atlas the planning of one function needs."""

    handles: set[str]
    sets: Mapping[str, str]
    value_functions: set[str]

    def plan(self, function: Function, twin: Function | None) -> PlannedFunction:
        folder = _Folder(self, function, twin)
        folder.fold()
        return PlannedFunction(
            name=function.name,
            returns=self._returns(function),
            return_type=function.returns,
            large=twin.name if twin else None,
            dispatch=folder.dispatch(),
            arguments=folder.arguments,
            results=folder.results,
            shape=_shape(folder.results),
            slots=folder.slots,
            variadic=function.variadic,
            source=function.source or "catalogue",
            chapter=function.chapter,
            family=function.family,
            collective=function.collective,
            since=function.since,
            deprecated=function.deprecated,
            removed=function.removed,
            before_init=function.before_init,
            brief=function.brief,
            doc=function.doc,
        )

    def _returns(self, function: Function) -> str:
        if function.returns == "void":
            return "void"
        # Extensions that say yes or no.
        given = all(p.direction == "in" for p in function.parameters)
        asks = not function.parameters or (given and "_is_" in function.name)
        query = function.source == "inferred" and asks
        if function.returns == "int" and not query and function.name not in self.value_functions:
            return "error"
        if function.returns in self.handles:
            return "handle"
        return _SCALARS.get(function.returns, "plain")


def _shape(results: list[Result]) -> str:
    """How results are handed back; a flag that only guards the others makes them optional."""
    if any(r.when for r in results):
        return "optional"
    return "void" if not results else "value" if len(results) == 1 else "record"


# --------------------------------------------------------------------------- folding one function


@dataclass(slots=True)
class _Folder:
    """Folds the parameters of one function; `arguments`, `results` and `slots` are the outcome."""

    planner: _Planner
    function: Function
    twin: Function | None
    arguments: list[Argument] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    by_name: dict[str, Parameter] = field(default_factory=dict)
    main: set[str] = field(default_factory=set)  # addresses of argc and argv
    sizes: dict[str, str] = field(default_factory=dict)  # size parameter -> span it comes from
    states: dict[str, str] = field(default_factory=dict)  # state parameter -> callback argument
    capacities: dict[str, str] = field(default_factory=dict)  # length parameter -> string

    def fold(self) -> None:
        parameters = self.function.parameters
        self.by_name = {p.name: p for p in parameters}
        self._find_main_arguments()
        self._find_sizes()
        self._find_states()
        self._find_capacities()
        for i, p in enumerate(parameters):
            large = self.twin.parameters[i].type if self.twin else p.type
            slot = Slot(p.name, p.type, "plain", large_type=None if large == p.type else large)
            self._fold_one(p, large, slot)
            self.slots.append(slot)
        self._guard_with_flag()

    # ------------------------------------------------------------- what belongs together

    def _find_main_arguments(self) -> None:
        """The addresses of main's argc and argv, which MPI may change."""
        for p in self.function.parameters:
            if base_type(p.type) == "char" and p.type.count("*") == 3 and isinstance(p.length, str):
                self.main = {p.name, p.length}

    def _find_sizes(self) -> None:
        """Integers that only say how long an array is: the array's own size says that."""
        for p in self.function.parameters:
            size = p.length[0] if isinstance(p.length, list) else p.length
            if not is_array(p) or size not in self.by_name or size in self.sizes:
                continue
            if base_type(p.type) not in _SCALARS and base_type(p.type) not in self.planner.handles:
                continue
            counted = self.by_name[size]
            if counted.direction != "in" or counted.type not in _SCALARS:
                continue
            may_lack = p.nullable and base_type(p.type) not in self.planner.handles
            if not may_lack and p.role != "status":  # a handle array's elements may be null, not it
                self.sizes[size] = p.name

    def _find_states(self) -> None:
        for p in self.function.parameters:
            if p.callback and p.callback.state:
                self.states.setdefault(p.callback.state, p.name)

    def _find_capacities(self) -> None:
        for p in self.function.parameters:
            if _is_text_out(p) and isinstance(p.length, str):
                length = p.length.removesuffix("+1")
                if length in self.by_name:
                    self.capacities[length] = p.name

    def _guard_with_flag(self) -> None:
        """Results beside a result called `flag` are there only when it is true."""
        flag = next((r for r in self.results if r.kind == "bool" and r.name == "flag"), None)
        if flag is None or len(self.results) == 1:
            return
        for r in self.results:
            if r is not flag:
                r.when = flag.name

    # ------------------------------------------------------------- one parameter

    def _fold_one(self, p: Parameter, large: str, slot: Slot) -> None:
        if p.callback:
            self._argument(
                slot,
                "function",
                Argument(p.name, "callback", p.callback.type, state=p.callback.state),
            )
        elif p.name in self.states:
            slot.fold, slot.argument = "state", self.states[p.name]
        elif p.name in self.sizes:
            slot.fold, slot.argument = "size", self.sizes[p.name]
        elif p.name in self.capacities:
            self._fold_capacity(p, slot)
        elif p.name in self.main:
            self._fold_main_arguments(p, slot)
        elif base_type(p.type) == "MPI_Status":
            self._fold_status(p, slot)
        elif base_type(p.type) == "char":
            self._fold_text(p, slot)
        elif base_type(p.type) == "void":
            self._fold_address(p, slot)
        elif is_array(p):
            self._fold_array(p, large, slot)
        elif "*" in p.type:
            self._fold_pointer(p, large, slot)
        else:
            self._fold_value(p, large, slot)

    def _argument(self, slot: Slot, fold: str, argument: Argument) -> None:
        p = self.by_name[slot.name]
        argument.nullable, argument.root_only, argument.kept = p.nullable, p.root_only, p.kept
        argument.sentinels = list(p.sentinels)
        slot.fold, slot.argument = fold, argument.name
        self.arguments.append(argument)

    def _result(self, slot: Slot, fold: str, result: Result) -> None:
        slot.fold, slot.result = fold, result.name
        self.results.append(result)

    def _fold_capacity(self, p: Parameter, slot: Slot) -> None:
        slot.fold, slot.result = "capacity", self.capacities[p.name]
        if p.direction == "in":
            self._argument(slot, "capacity", Argument(p.name, "int"))
        elif p.direction == "out":
            slot.fold = "string_length"

    def _fold_main_arguments(self, p: Parameter, slot: Slot) -> None:
        if base_type(p.type) == "int":
            self.arguments.append(Argument("arguments", "main_arguments", nullable=True))
        slot.fold, slot.argument = "argc" if base_type(p.type) == "int" else "argv", "arguments"

    def _fold_status(self, p: Parameter, slot: Slot) -> None:
        if is_array(p):
            argument = Argument(p.name, "statuses_out", "MPI_Status", length=p.length)
            if isinstance(p.length, str) and p.length in self.sizes:
                argument.shares_length = [self.sizes[p.length]]
            self._argument(slot, "data", argument)
        elif p.direction == "out":
            self._argument(slot, "reference", Argument(p.name, "status_out", "MPI_Status"))
        elif p.direction == "inout":
            self._argument(slot, "reference", Argument(p.name, "status_ref", "MPI_Status"))
        else:
            self._argument(slot, "reference", Argument(p.name, "status", "MPI_Status"))

    def _fold_text(self, p: Parameter, slot: Slot) -> None:
        levels = p.type.count("*") + p.type.count("[")
        if levels == 1 and p.direction == "in":
            self._argument(slot, "data", Argument(p.name, "string"))
        elif levels == 1 and isinstance(p.length, str):
            self._result(slot, "string", Result(p.name, "string"))
            if p.name not in self.capacities.values():
                slot.capacity = p.length
        elif levels == 2 and p.direction == "in":
            self._argument(slot, "data", Argument(p.name, "strings", p.type, length=p.length))
        else:
            self._argument(slot, "plain", Argument(p.name, "plain", p.type))

    def _fold_address(self, p: Parameter, slot: Slot) -> None:
        if p.indirect and p.direction == "out":
            self._result(slot, "result", Result(p.name, "pointer", "void *"))
            return
        mutable = "const" not in p.type
        if p.type.count("*") > 1 or p.type == "void":
            self._argument(slot, "plain", Argument(p.name, "plain", p.type))
        elif p.group is not None:
            argument = Argument(p.name, "buffer", p.type, mutable=mutable)
            argument.count, argument.datatype = p.group.count, p.group.datatype
            argument.blocks = p.group.blocks
            self._argument(slot, "data", argument)
        elif p.role == "buffer":
            self._argument(
                slot, "data", Argument(p.name, "memory", p.type, mutable=mutable, length=p.length)
            )
        else:
            self._argument(slot, "value", Argument(p.name, "address", p.type))

    def _fold_array(self, p: Parameter, large: str, slot: Slot) -> None:
        base, wide = base_type(p.type), _wider(base_type(p.type), base_type(large))
        is_range = isinstance(p.length, list) and len(p.length) == 2
        element = "range" if is_range else self._kind(p, wide)
        known = base in _SCALARS or base in self.planner.handles
        if not known or p.length is None:
            self._argument(slot, "plain", Argument(p.name, "plain", p.type))
            return
        kind = {"in": "span", "out": "span_out", "inout": "span_ref"}.get(p.direction, "span")
        argument = Argument(
            p.name,
            kind,
            wide,
            element=element,
            values=p.values,
            mutable=p.direction != "in",
            narrow=wide != base,
            length=p.length,
        )
        size = p.length[0] if isinstance(p.length, list) else p.length
        if size in self.sizes:
            argument.length = None if self.sizes[size] == p.name else p.length
            argument.shares_length = [] if self.sizes[size] == p.name else [self.sizes[size]]
        self._argument(slot, "data", argument)

    def _fold_pointer(self, p: Parameter, large: str, slot: Slot) -> None:
        base, wide = base_type(p.type), _wider(base_type(p.type), base_type(large))
        known = base in _SCALARS or base in self.planner.handles or p.values
        # MPI writes after the call returned: a variable of the call would be gone.
        changed_later = p.kept and p.direction == "inout" and base not in self.planner.handles
        if p.type.count("*") > 1 or not known or changed_later:
            self._argument(slot, "plain", Argument(p.name, "plain", p.type))
        elif p.name in self._text_lengths():
            slot.fold, slot.result = "string_length", self._text_lengths()[p.name]
        elif p.direction == "out":
            self._result(slot, "result", Result(p.name, self._kind(p, wide), wide, values=p.values))
        elif base in self.planner.handles and "const" not in p.type:
            self._argument(slot, "reference", Argument(p.name, "handle_ref", base))
        elif p.direction == "inout":
            argument = Argument(
                p.name,
                "scalar_ref",
                wide,
                element=self._kind(p, wide),
                values=p.values,
                narrow=wide != base,
                mutable=True,
            )
            self._argument(slot, "reference", argument)
        else:
            self._argument(slot, "plain", Argument(p.name, "plain", p.type))

    def _fold_value(self, p: Parameter, large: str, slot: Slot) -> None:
        wide = _wider(base_type(p.type), base_type(large))
        known = wide in _SCALARS or wide in self.planner.handles or p.values
        kind = self._kind(p, wide) if known else "plain"
        self._argument(
            slot,
            "value",
            Argument(p.name, kind, wide, values=p.values, narrow=wide != base_type(p.type)),
        )

    def _kind(self, p: Parameter, c_type: str) -> str:
        if c_type in self.planner.handles:
            return "handle"
        if p.role == "flag":
            return "flag" if is_array(p) else "bool"
        if p.values and self.planner.sets.get(p.values) in ("closed", "flags"):
            return "enum"
        return _SCALARS.get(c_type, "plain")

    def _text_lengths(self) -> dict[str, str]:
        """Out lengths beside a text of constant capacity: `resultlen` of MPI_Get_processor_name."""
        texts = [p for p in self.function.parameters if _is_text_out(p) and p.length]
        lengths = [p for p in self.function.parameters if _is_length_out(p)]
        alone = len(texts) == 1 and len(lengths) == 1
        return {lengths[0].name: texts[0].name} if alone else {}

    # ------------------------------------------------------------- which of the twins

    def dispatch(self) -> str:
        """How the call chooses between the small function and its `_c` twin."""
        if self.twin is None:
            return "only"
        if any(a.narrow and a.kind.startswith("span") for a in self.arguments):
            return "overload"
        wide = [s for s in self.slots if s.large_type]
        return "large" if not wide or any(s.fold == "result" for s in wide) else "fits"


def is_array(p: Parameter) -> bool:
    """Whether a parameter points to several elements, not to one."""
    return "[" in p.type or (p.length is not None and "*" in p.type)


def _is_text_out(p: Parameter) -> bool:
    """Whether MPI writes one text here."""
    levels = p.type.count("*") + p.type.count("[")
    return base_type(p.type) == "char" and levels == 1 and p.direction != "in"


def _is_length_out(p: Parameter) -> bool:
    return p.role == "length" and p.direction == "out" and p.type == "int *"


def _wider(small: str, large: str) -> str:
    return large if _WIDTH.get(large, -1) > _WIDTH.get(small, -1) else small
