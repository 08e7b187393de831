"""What a planned function does inside in C++: the checks before the call, the call, its value.

`lower` turns the slots of the plan into the argument list of one C call (or of two, of which the
one that fits is made) and says what has to stand around it. It knows kinds and folds only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.cpp.keys import KeyAccounting
from mpiglot.generators.cpp.names import callback_name, identifier
from mpiglot.generators.cpp.signature import SCALARS, Signature
from mpiglot.generators.cpp.target import CppTarget
from mpiglot.generators.cpp.text import broken, spelled
from mpiglot.generators.model import Argument, PlannedFunction, Result, Slot

_WIDTH = {"int": 0, "MPI_Fint": 0, "size": 1, "MPI_Aint": 1, "MPI_Offset": 1, "MPI_Count": 2}


@dataclass(slots=True)
class Branch:
    """One C call with what it needs around it."""

    function: str
    bare: bool  # without a PMPI_ twin; a macro also without an address
    early: bool  # may be called before MPI_Init and after MPI_Finalize
    arguments: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    narrow: list[str] = field(default_factory=list)  # variables for outputs that C has smaller
    after: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """The inside of one C++ function."""

    declarations: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # for results, where only success counts
    guards: list[tuple[str, str]] = field(default_factory=list)  # wrong if so, C error code
    fits: list[str] = field(default_factory=list)  # conditions under which `small` is called
    small: Branch | None = None
    large: Branch | None = None
    asked: list[str] = field(default_factory=list)  # texts whose length a first call asks for
    limited: list[str] = field(default_factory=list)  # callback types that may run out of slots
    value: str = ""
    flag: str = ""  # whether there is a value; `value` is an optional then, made of `guarded`
    guarded: str = ""


class Inexpressible(Exception):
    """A function that C++ cannot express; the text says why."""


def lower(
    function: PlannedFunction,
    signature: Signature,
    target: CppTarget,
    small: str | None,
    large: str | None,
    narrowed: Sequence[str] = (),
) -> Body:
    """The body that calls `small`, `large`, or whichever fits (C functions that the target has);
    arrays in `narrowed` are copied into what the small function takes."""
    return _Lowering(function, signature, target, narrowed).lower(small, large)


def _checks(checks: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """What must fit an `int`, up to three that are looked at together, and tests of all else."""
    ints = [name for small, name in checks if small == "int"]
    others = [f"detail::fits<{small}>({name})" for small, name in checks if small != "int"]
    return [", ".join(ints[i : i + 3]) for i in range(0, len(ints), 3)], others


class _Lowering:
    def __init__(
        self,
        function: PlannedFunction,
        signature: Signature,
        target: CppTarget,
        narrowed: Sequence[str],
    ) -> None:
        self.narrowed = narrowed
        self.function = function
        self.signature = signature
        self.target = target
        self.arguments = {a.name: a for a in function.arguments}
        self.results = {r.name: r for r in function.results}
        self.body = Body()
        self.keys = KeyAccounting(function, target)
        self.expressions: dict[str, Callable[[Slot, Argument, str, Branch], str]] = {
            "value": self._by_value,
            "data": self._data,
            "size": self._size,
            "reference": self._reference,
            "function": self._function,
            "argc": lambda slot, a, c_type, branch: f"{identifier(a.name)}.argc",
            "argv": lambda slot, a, c_type, branch: f"{identifier(a.name)}.argv",
        }
        self.checks: list[tuple[str, str]] = []  # type and name: what must fit the call

    def lower(self, small: str | None, large: str | None) -> Body:
        body = self.body
        if large and self.function.dispatch == "large":
            small = None  # the outputs are wide
        self._prepare_callbacks()
        self._prepare_arrays()
        body.small = self._branch(small, wide=False)
        narrow, self.checks = self.checks, []
        body.large = self._branch(large, wide=True)
        if body.small and body.large and not narrow:
            body.large = None  # nothing that could be too large
        if not body.large:
            self.checks, narrow = narrow, []
        ints, others = _checks(self.checks)
        tests = [f"detail::fit_int({i})" for i in ints] + others
        body.guards += [(f"!{test}", "MPI_ERR_COUNT") for test in tests]
        if body.large and body.small:
            ints, others = _checks(narrow)
            body.fits = [f"detail::small_enough({i})" for i in ints or [""]] + others
        self._check_lengths()
        self._declare_results()
        body.value = self._value()
        return body

    # ------------------------------------------------------------- one call

    def _branch(self, c_name: str | None, wide: bool) -> Branch | None:
        if c_name is None:
            return None
        macro = self.target.status.get(c_name) == "macro"
        bare = macro or c_name in self.target.twinless
        branch = Branch(c_name, bare, c_name in self.target.early)
        for slot in self.function.slots:
            c_type = slot.large_type if wide and slot.large_type else slot.type
            if slot.name in self.target.loose.get(self.function.name, ()):
                c_type = c_type.replace("const ", "")
            branch.arguments.append(self._expression(slot, c_type, branch))
        if self.keys.counts:
            branch.before += self.keys.before()
            branch.after.append(self.keys.after())
        return branch

    def _expression(self, slot: Slot, c_type: str, branch: Branch) -> str:
        if slot.fold in self.expressions:
            argument = self.arguments.get(slot.argument or "")
            if argument is None:
                raise Inexpressible(f"{slot.name} belongs to {slot.argument}, which is no argument")
            return self.expressions[slot.fold](slot, argument, c_type, branch)
        if slot.fold == "plain":
            if slot.name not in self.arguments:
                raise Inexpressible(f"nothing is passed for {slot.name}")
            ours = self.arguments[slot.name].type
            if is_lists_of_texts(ours):
                return f"{identifier(slot.name)}.data()"
            if "const" in ours and "const" not in c_type:
                return f"const_cast<{spelled(c_type)}>({identifier(slot.name)})"
            return identifier(slot.name)
        if slot.fold == "state":
            stateful = any(self._has_state(a) for a in self.function.arguments)
            return "state" if stateful else "nullptr"
        if slot.fold == "capacity" and slot.argument:
            return identifier(slot.argument)
        return self._output(slot, c_type, branch)

    def _fit(self, wide: str, small: str, name: str) -> str:
        """`name`, narrowed with a check where C's type is smaller than ours."""
        if wide == small:
            return name
        if _WIDTH.get(small, 3) < _WIDTH.get(wide, 3):
            check = (SCALARS.get(small, small), name)
            if check not in self.checks:
                self.checks.append(check)
        return f"static_cast<{SCALARS.get(small, small)}>({name})"

    # ------------------------------------------------------------- what the caller passes

    def _by_value(self, slot: Slot, a: Argument, c_type: str, branch: Branch) -> str:
        name = identifier(a.name)
        if a.kind == "handle":
            return f"{name}.native"
        if a.kind == "enum" and self._is_disputed(a.values):
            return f"detail::to_library({name})"
        if a.kind in ("bool", "enum"):
            return f"static_cast<{spelled(base_type(c_type))}>({name})"
        if a.kind == "address":
            return self._without_const(name, a.type, c_type)
        return self._fit(a.type or c_type, base_type(c_type), name)

    def _data(self, slot: Slot, a: Argument, c_type: str, branch: Branch) -> str:
        name = identifier(a.name)
        if a.kind in ("buffer", "memory"):
            declared = a.type if a.kind == "buffer" else ("void *" if a.mutable else "const void *")
            return self._without_const(name, declared, c_type)
        if a.kind == "strings":
            return f"{name}.data()"
        if a.name in self.narrowed:
            return f"small_{name}.data()"
        if a.kind == "string":
            data = f"{name}.data()"
            return data if "const" in c_type else f"const_cast<char*>({data})"
        if a.kind == "statuses_out":
            return f"{name}.native"
        const = "const " if a.kind == "span" and "const" in c_type else ""
        if a.element in ("handle", "enum"):
            return self._native_span(name, base_type(c_type), a.kind == "span", bool(const))
        if a.element == "range":
            return f"detail::rows({name})"
        if a.kind == "span" and not const:
            element = SCALARS.get(base_type(c_type), base_type(c_type))
            return f"const_cast<{element}*>({name}.data())"
        return f"{name}.data()"

    def _native_span(self, name: str, c_type: str, ours_const: bool, theirs_const: bool) -> str:
        pointer = f"detail::native<{'const ' if ours_const else ''}{c_type}>({name})"
        return f"const_cast<{c_type}*>({pointer})" if ours_const and not theirs_const else pointer

    def _size(self, slot: Slot, a: Argument, c_type: str, branch: Branch) -> str:
        count = f"{identifier(a.name)}.count()"
        return count if c_type == "MPI_Count" else self._fit("size", base_type(c_type), count)

    def _reference(self, slot: Slot, a: Argument, c_type: str, branch: Branch) -> str:
        name = identifier(a.name)
        if a.kind == "status_out":
            return f"{name}.native"
        if a.kind == "status":
            pointer = f"&{name}.native"
            return pointer if "const" in c_type else f"const_cast<MPI_Status*>({pointer})"
        if a.kind in ("handle_ref", "status_ref"):
            return f"&{name}.native"
        if base_type(c_type) == a.type:
            return f"&{name}"
        self._fit(a.type, base_type(c_type), name)
        return f"detail::in_place_as<{SCALARS[base_type(c_type)]}>({name})"

    def _function(self, slot: Slot, a: Argument, c_type: str, branch: Branch) -> str:
        if not self._has_state(a):
            return f"{identifier(a.name)}_entry.function"
        index = [x.name for x in self.function.arguments if self._has_state(x)].index(a.name)
        entry = "key_entry" if self.keys.makes else "entry"
        return f"detail::{entry}<{callback_name(a.type)}, {index}>(*state)"

    def _has_state(self, a: Argument) -> bool:
        """Whether MPI hands a state pointer to the function, by which it finds the callable."""
        callback = self.target.callbacks.get(a.type)
        return (
            a.kind == "callback"
            and a.state is not None
            and callback is not None
            and any(p.role == "state" for p in callback.parameters)
        )

    def _is_disputed(self, values: str | None) -> bool:
        """Whether the values of an enumeration depend on the library that is loaded."""
        known = self.target.enums.get(values or "")
        return known is not None and any(c in self.target.disputed.values for c in known.constants)

    @staticmethod
    def _without_const(name: str, ours: str, theirs: str) -> str:
        return f"const_cast<void*>({name})" if "const" in ours and "const" not in theirs else name

    # ------------------------------------------------------------- what MPI writes

    def _output(self, slot: Slot, c_type: str, branch: Branch) -> str:
        result = self.results.get(slot.result or "")
        if result is None:
            raise Inexpressible(f"{slot.name} is part of {slot.result}, which is no result")
        name = identifier(result.name)
        if slot.fold == "capacity":
            if name not in self.body.asked:
                self.body.asked.append(name)
            return f"&{name}.length"
        if slot.fold == "string_length":
            return f"&{name}_length"
        if slot.fold == "string":
            return name if slot.capacity else f"{name}.data()"
        if result.kind in SCALARS.values() or base_type(c_type) == result.type:
            return f"&{name}"
        if result.type in SCALARS and base_type(c_type) in SCALARS:
            branch.narrow.append(f"{SCALARS[base_type(c_type)]} small_{name}")
            branch.after.append(f"{name} = small_{name};")
            return f"&small_{name}"
        return f"&{name}"

    def _declare_results(self) -> None:
        lines = self.body.declarations
        slots = {s.result: s for s in self.function.slots if s.fold in ("result", "string")}
        for r in self.function.results:
            name = identifier(r.name)
            if r.kind == "string":
                text = [f"  {line}" for line in self._text(r, slots.get(r.name), name)]
                lines += text
                self.body.places += text
                continue
            c_type, initial = self._place(r)
            lines.append(f"  {c_type} {name}{initial};")
            # MPIs have been seen to leave a flag as it is, and anything that a tool asks for; all
            # else, and what comes with a handle made, is set by what goes well.
            made = self.function.results[0].kind == "handle"
            left = r.kind == "bool" or (self.function.chapter == "tools" and not made)
            self.body.places.append(f"  {c_type} {name}{initial if left else ''};")

    def _place(self, r: Result) -> tuple[str, str]:
        """The variable in which MPI leaves a result, and what is in it if MPI leaves nothing."""
        if r.kind == "handle":
            null = self.target.null(r.type)
            return r.type, f" = {null}" if null else "{}"
        if r.kind == "pointer":
            return "void*", " = nullptr"
        if r.kind in ("bool", "enum"):
            return spelled(r.type or "int"), "{}"
        return SCALARS.get(r.type, spelled(r.type)), "{}"

    def _text(self, r: Result, slot: Slot | None, name: str) -> list[str]:
        if slot is None:
            raise Inexpressible(f"nothing fills the text {r.name}")
        if slot.capacity:
            lines = [f"char {name}[{slot.capacity}];", f"{name}[0] = '\\0';"]
            if any(s.fold == "string_length" and s.result == r.name for s in self.function.slots):
                lines.append(f"int {name}_length = 0;")
            return lines
        if name in self.body.asked:
            return [f"detail::asked_text<String> {name};"]
        told = [s for s in self.function.slots if s.fold == "capacity" and s.result == r.name]
        capacity = next((s.argument for s in told), None)
        if capacity is None:
            raise Inexpressible(f"nobody says how long the text {r.name} may be")
        return [f"detail::sized_text<String> {name}({identifier(capacity)});"]

    # ------------------------------------------------------------- around the call

    def _prepare_arrays(self) -> None:
        for slot in self.function.slots:
            if slot.fold == "data" and slot.argument in self.narrowed:
                name = identifier(slot.argument or "")
                small = SCALARS[base_type(slot.type)]
                line = f"  detail::narrowed<{small}> small_{name}({name});"
                self.body.declarations.append(line)
                self.body.places.append(line)
                self.body.guards.append((f"!small_{name}.fits()", "MPI_ERR_COUNT"))

    def _prepare_callbacks(self) -> None:
        lines = self.body.declarations
        callbacks = [a for a in self.function.arguments if a.kind == "callback"]
        templates = {p.name: p.template for p in self.signature.parameters if p.template}
        if not callbacks:
            return
        for a in callbacks:
            if a.type not in self.target.callbacks:
                raise Inexpressible(f"the callback type {a.type} is not known")
        stateful = [a for a in callbacks if self._has_state(a)]
        if stateful:
            # A callback that frees the state ends its life, or counting; otherwise MPI's end does.
            keep = "lend" if any(self.target.releases(a.type) for a in stateful) else "keep"
            if self.keys.makes:
                kinds = [f"      {callback_name(a.type)}" for a in stateful]
                keep = "make_key<\n" + ",\n".join(kinds) + ">"
            moved = [
                f"static_cast<{templates[identifier(a.name)]}&&>({identifier(a.name)})"
                for a in stateful
            ]
            lines.append(
                broken(f"auto* const state = detail::{keep}(detail::make_closure(", moved, "));", 2)
            )
            self.body.guards.append(("state == nullptr", "MPI_ERR_NO_MEM"))
        for a in callbacks:
            if a not in stateful:
                name = identifier(a.name)
                lines.append(f"  const auto {name}_entry =")
                head = f"detail::stateless_entry<{callback_name(a.type)}>("
                lines.append(broken(head, [f"static_cast<{templates[name]}&&>({name})"], ");", 6))
                self.body.guards.append((f"{name}_entry.refused", "MPI_ERR_NO_MEM"))
                if self.function.source == "catalogue":  # extensions have optional ones
                    self.body.guards.append((f"{name}_entry.function == nullptr", "MPI_ERR_ARG"))
                self.body.limited.append(callback_name(a.type))

    def _check_lengths(self) -> None:
        """Arrays that must be as long as another one are; several are looked at together."""
        equal: dict[str, list[str]] = {}  # by the array that says how long the others must be
        absent: list[str] = []  # arrays that may be a sentinel, each with the array it belongs to
        for a in self.function.arguments:
            for other in a.shares_length:
                if other not in self.arguments or not self.arguments[other].kind.startswith("span"):
                    continue
                mine, theirs = identifier(a.name), identifier(other)
                if a.kind == "statuses_out":
                    self.body.guards.append((f"{mine}.size < {theirs}.size()", "MPI_ERR_ARG"))
                elif a.kind.startswith("span") and a.nullable:
                    absent += [mine, theirs]
                elif a.kind.startswith("span"):
                    equal.setdefault(theirs, []).append(mine)
        for first, others in equal.items():
            one = f"{others[0]}.size() != {first}.size()"
            many = f"!detail::equally_long({', '.join([first, *others])})"
            self.body.guards.append((one if len(others) == 1 else many, "MPI_ERR_ARG"))
        if absent:
            self.body.guards.append((f"!detail::as_long({', '.join(absent)})", "MPI_ERR_ARG"))

    def _value(self) -> str:
        function = self.function
        parts = []
        flag = ""
        for r in function.results:
            expression = self._up(r)
            if function.shape == "optional" and not r.when:
                flag = expression
            else:
                parts.append(expression)
        if not parts:
            return ""
        value = parts[0] if len(parts) == 1 else "{" + ", ".join(parts) + "}"
        if function.shape != "optional":
            return value
        inner = self.signature.value.removeprefix("std::optional<").removesuffix(">")
        self.body.flag = flag
        self.body.guarded = inner + value if value.startswith("{") else value
        return f"detail::when<{inner}>({flag}, {value})"

    def _up(self, r: Result) -> str:
        name = identifier(r.name)
        if r.kind == "bool":
            return f"{name} != 0"
        if r.kind == "enum" and self._is_disputed(r.values):
            return f"detail::from_library<mpi::{identifier(r.values or '')}>({name})"
        if r.kind == "enum" and r.values in self.target.enums:
            return f"static_cast<mpi::{identifier(r.values)}>({name})"
        if r.kind == "handle":
            return f"{self.target.handles[r.type]}{{{name}}}"
        if r.kind != "string":
            return name
        slot = next(s for s in self.function.slots if s.fold == "string" and s.result == r.name)
        if not slot.capacity:
            return f"{name}.take()"
        if any(s.fold == "string_length" and s.result == r.name for s in self.function.slots):
            return f"String({name}, static_cast<std::size_t>({name}_length))"
        return f"String({name})"
