"""One planned function as Java statements: each slot of the C function by its fold and kind."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpiglot.blueprints.catalogue import uses
from mpiglot.generators import shapes
from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.java import names
from mpiglot.generators.java.docs import argument_doc, result_doc
from mpiglot.generators.java.model import Body, Parameter
from mpiglot.generators.java.signature import WIDE_KINDS, Signature
from mpiglot.generators.java.types import WIDE, letter, widths
from mpiglot.generators.model import Argument, Result, Slot

#: Length rules that the Java side can compute before the call.
_CHECKED = frozenset({"comm_size", "local_size", "indegree", "outdegree", "cartdim", "sum", "last"})
#: Value sets of the process at the other end.
_PEERS = frozenset({"dest", "source", "process"})
#: Errors on a new one end the program, unless told otherwise.
_WINDOW = "MPI_Win"
#: Bytes: of the memory that a call can take at once (as in Frame.java), of an output, of a status.
_CELLS = 128
_CELL = 8
_STATUS = 32


@dataclass(slots=True)
class Lowering(Signature):
    """The Java form of one function, or of one of two overloads told apart by array types."""

    body: Body = field(default_factory=Body)
    parameters: list[Parameter] = field(default_factory=list)
    returned: str = ""  # token of what C returns
    signature: str = ""  # letters: result, then parameters
    fields: list[Parameter] = field(default_factory=list)  # results: type, name, doc
    values: dict[str, str] = field(default_factory=dict)  # result -> expression
    warnings: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # segments that MPI uses until completion
    word: str = ""  # the library's own word for the object that the call makes
    in_cells: bool = False  # outputs stand in the cells of the call, not in the frame
    used: int = 0  # bytes of cells
    needs_frame: bool = False  # for what is no cell

    # ------------------------------------------------------------------ whole function

    def _frame(self) -> str:
        """Memory for what is no cell."""
        self.needs_frame = True
        return "frame"

    def _place(self, size: int) -> str:
        """Where the next cells begin."""
        at = f"cells + {self.used}" if self.used else "cells"
        self.used += size
        return at

    def _cell(self) -> str:
        """A zeroed cell for an output."""
        at = self._place(_CELL)
        return f"Frame.cell({at})" if self.in_cells else "frame.cell()"

    def _status_at(self) -> str:
        """What a status is converted into."""
        at = self._place(_STATUS)
        return at if self.in_cells else "frame"

    @property
    def fits_cells(self) -> bool:
        """Whether a fixed amount of memory is enough, which can be taken all at once."""
        return 0 < self.used <= _CELLS and not self.needs_frame

    def lower(self) -> None:
        """Fills everything above."""
        f = self.function
        self.returned = self.types.token(f.return_type)
        self.signature = letter(self.returned)
        by_name = {a.name: a for a in f.arguments}
        results = {r.name: r for r in f.results}
        for argument in f.arguments:
            if argument.kind != "main_arguments":
                self._parameter(argument)
        self.body.passes = any(s.fold == "capacity" and not s.argument for s in f.slots)
        self.body.memory = any(a.kept and a.kind.startswith("span") for a in f.arguments)
        for slot in f.slots:
            self._slot(slot, by_name.get(slot.argument or ""), results.get(slot.result or ""))
        for result in f.results:
            self.fields.append(
                Parameter(
                    self.result_type(result), names.parameter(result.name), result_doc(result)
                )
            )
        if self.two_calls:
            self.body.by_presence = self.chooses_by_presence
            if self.chooses_by_presence:
                self.body.large = f"{names.holder(f.large or '')}.PRESENT"
            else:
                self.body.large = " || ".join(f"!{test}" for test in self._fitting())
        self.body.cells = self.in_cells
        self.body.frame = not self.in_cells and (self.used > 0 or self.needs_frame)

    def _fitting(self) -> list[str]:
        """Tests whether the small function can take what the caller gave."""
        tests = []
        slots = {s.argument: s for s in self.function.slots if s.fold in ("value", "reference")}
        for a in self.function.arguments:
            slot = slots.get(a.name)
            if slot is not None and base_type(slot.type) in WIDE:
                continue  # it has 64 bits in the small function too
            if a.narrow and a.kind in WIDE_KINDS:
                tests.append(f"Call.fits({names.parameter(a.name)})")
            elif a.narrow and a.kind == "scalar_ref" and a.element in WIDE_KINDS:
                tests.append(f"Call.fits({names.parameter(a.name)}[0])")
        return tests

    @property
    def chooses_by_presence(self) -> bool:
        """Whether the `_c` twin is taken whenever the library has it."""
        return bool(self.function.large) and (
            self.function.dispatch == "large" or self.form == "large"
        )

    @property
    def two_calls(self) -> bool:
        """Whether this method may call either twin."""
        if not self.function.large or self.form == "small":
            return False
        return self.chooses_by_presence or bool(self._fitting())

    # ------------------------------------------------------------------ parameters

    def _parameter(self, a: Argument) -> None:
        self.parameters.append(
            Parameter(
                self.parameter_type(a), names.parameter(a.name), argument_doc(self.function, a)
            )
        )

    # ------------------------------------------------------------------ slots

    def _pass(self, value: str, letter_: str = "j", small: str = "") -> None:
        """Passes a value to either twin; `small` to the one of 32 bits, if that differs."""
        self.body.arguments.append(small or value)
        self.body.large_arguments.append(value)
        self.signature += letter_

    def _slot(self, slot: Slot, a: Argument | None, r: Result | None) -> None:
        if slot.fold in ("argc", "argv", "state"):
            self._pass("state" if slot.fold == "state" else "0L")
        elif slot.fold == "size" and a is not None:
            self._size(slot, a)
        elif slot.fold == "capacity":
            self._capacity(slot, a)
        elif slot.fold == "string_length":
            self._pass(self._cell())
        elif slot.fold == "string" and r is not None:
            self._string_result(slot, r)
        elif slot.fold == "result" and r is not None:
            self._result(slot, r)
        elif a is not None:
            self._argument(slot, a)
        else:
            raise ValueError(f"{self.function.name}: slot {slot.name} has fold {slot.fold}")

    def _size(self, slot: Slot, a: Argument) -> None:
        if a.kind == "plain":
            name = names.parameter(slot.name)
            self.parameters.append(Parameter("long", name, f"elements of {{@code {a.name}}}"))
            self._pass(f'Call.narrow({name}, "{self.function.name}")')
        else:
            self._pass(f"Call.length({names.parameter(a.name)})")

    def _capacity(self, slot: Slot, a: Argument | None) -> None:
        if a is not None:
            self._pass(f"(long) {names.parameter(a.name)}")
            return
        at = names.parameter(slot.name) + "At"
        self.body.before.append(f"long {at} = {self._cell()};")
        self._pass(at)

    def _string_result(self, slot: Slot, r: Result) -> None:
        at = names.parameter(r.name) + "At"
        if slot.capacity:
            size = f"Capacities.{names.constant(slot.capacity)}"
            self.body.before.append(f"long {at} = {self._frame()}.text({size});")
            self._pass(at)
            self.values[r.name] = f"Frame.getText({at}, {size})"
            return
        counter = next(
            (s for s in self.function.slots if s.fold == "capacity" and s.result == r.name), None
        )
        if counter is not None and counter.argument:
            size = names.parameter(counter.argument)
            self.body.before.append(f"long {at} = {self._frame()}.text({size} + 1L);")
            self.values[r.name] = f"Frame.getText({at}, {size} + 1L)"
        else:
            cell = names.parameter(counter.name if counter else slot.name) + "At"
            self.body.before.append(f"long {at} = {self._cell()};")
            self.body.between.append(f"{at} = {self._frame()}.text(Frame.getInt({cell}) + 1L);")
            self.values[r.name] = f"Frame.getText({at}, Frame.getInt({cell}))"
        self._pass(at)

    def _result(self, slot: Slot, r: Result) -> None:
        at = names.parameter(r.name) + "At"
        self.body.before.append(f"long {at} = {self._cell()};")
        self._pass(at)
        if r.type == _WINDOW:
            self.body.after.append(
                f"Call.returnErrors(Frame.getHandle({at}, Widths.{widths(r.type)}));"
            )
        self.values[r.name] = self._read(slot, r, at)

    def _read(self, slot: Slot, r: Result, at: str) -> str:
        if r.kind == "handle":
            self.word = f"Frame.getHandle({at}, Widths.{widths(r.type)})"
            return f"new {names.handle_class(r.type)}({self.word})"
        if r.kind == "pointer":
            pointer = f"Frame.getPointer({at})"
            keys = [a for a in self.function.arguments if a.values in self.types.keys]
            if keys:
                key = keys[0]
                to_java = f"AttributeValues.{names.parameter(str(key.values))}"
                return f"{to_java}({names.parameter(key.name)}, {pointer})"
            return pointer
        if r.kind == "bool":
            return f"Frame.getInt({at}) != 0"
        if r.kind == "double":
            return f"Frame.getDouble({at})"
        value = self._integer(slot, at)
        return f"{self.types.set_of(r.values)}.toJava({value})" if r.values else value

    def _integer(self, slot: Slot, at: str) -> str:
        """An integer that MPI stored, whichever twin did."""
        small = base_type(slot.type) in WIDE
        large = base_type(slot.large_type or slot.type) in WIDE
        read_small = f"Frame.getLong({at})" if small else f"Frame.getInt({at})"
        if small == large or not self.two_calls:
            return read_small
        return f"(large ? Frame.getLong({at}) : Frame.getInt({at}))"

    def _argument(self, slot: Slot, a: Argument) -> None:
        name = names.parameter(a.name)
        if a.kind in ("int", "count", "aint", "offset", "fint", "enum"):
            self._integer_argument(slot, a, name)
        elif a.kind == "double":
            self._pass(name, "d")
        elif a.kind == "bool":
            self._pass(f"{name} ? 1L : 0L")
        elif a.kind == "handle":
            self._pass(f"{name}.handle()")
        elif a.kind == "handle_ref":
            self._handle_ref(a, name)
        elif a.kind == "scalar_ref":
            self._scalar_ref(slot, a, name)
        elif a.kind in ("buffer", "memory", "address"):
            if a.kept:
                self.kept.append(name)
            self._elements(a, name)
            check = "written" if self._writes(a) else "segment"
            self._pass(f"Call.{check}({name}{self._extent(a)})", "p")
        elif a.kind in ("string", "strings"):
            text = "textOfRoot" if a.root_only else "text"
            function = text if a.kind == "string" else "texts"
            root = "Lengths.ofAtRoot({}, comm, root)" if a.root_only else "{}"
            self._as_many_texts(a.length, name, root.format(f"Call.length({name})"))
            self._at_least(a, name, f"Call.length({name})")
            given = f"{self._frame()}, {name}"
            if limit := self.types.limits.get(self.function.name):
                given += f", Capacities.{names.constant(limit)}"
            self._converted(name, f"Convert.{function}({given})")
        elif a.kind in ("status_out", "status_ref", "status"):
            function = "status" if a.kind == "status_out" else "known"
            place = self._status_at()
            self._converted(name, f"Convert.{function}({place}, {name})")
            if a.kind != "status":
                self.body.always.append(f"Convert.back({name}At, {name});")
        elif a.kind == "statuses_out":
            self._lengths(a, name)
            self._converted(name, f"Convert.statuses({self._frame()}, {name})")
            self.body.always.append(f"Convert.back({name}At, {name});")
        elif a.kind in ("span", "span_out", "span_ref"):
            self._span(slot, a, name)
        elif a.kind == "callback":
            self._callback(a, name)
        else:
            self._plain(slot, a, name)

    @staticmethod
    def _writes(a: Argument) -> bool:
        """Whether the call itself writes there; who exposes memory may let others only read it."""
        return a.mutable and (a.kind == "buffer" or (a.kind == "memory" and not a.kept))

    def _extent(self, a: Argument) -> str:
        """What a buffer must have room for: a count and a datatype, or bytes."""
        return "".join(f", {names.parameter(name)}" for name in self.function.room(a))

    def _elements(self, a: Argument, name: str) -> None:
        """Refuses a null buffer if MPI uses elements: not with MPI_PROC_NULL, or no neighbours."""
        f = self.function
        by_name = {o.name: o for o in f.arguments}
        said = [str(o) for o in (a.count, a.datatype) if o in by_name]
        undefined = a.mutable and f.name in uses.load().undefined_on_rank_0
        if a.kind != "buffer" or not said or undefined:
            return
        if by_name[said[0]].kind == "span":
            said = said[:1]
            if a.mutable and not f.counts_alone(a):  # those of all
                said.append("comm")
        elif any(
            o.values in _PEERS or o.type == "MPI_Message" or "degree(" in f"{o.blocks}{o.length}"
            for o in f.arguments
        ):
            return
        if a.root_only:
            said += ["comm", "root"]
        elif "root" in by_name:
            said.append("root")
        arguments = "".join(f", {names.parameter(o)}" for o in said)
        self.body.checks.append(f'Lengths.elements("{name}", {name}{arguments});')

    def _converted(self, name: str, expression: str) -> None:
        self.body.before.append(f"long {name}At = {expression};")
        self._pass(f"{name}At")

    def _integer_argument(self, slot: Slot, a: Argument, name: str) -> None:
        value = f"{self.types.set_of(a.values)}.toNative({name})" if a.values else name
        one_call = self.chooses_by_presence or not self.two_calls
        if self.parameter_type(a) != "long":
            self._pass(f"(long) {value}")
        elif slot.narrower or (one_call and self.types.token(slot.type) == "i"):
            narrow = "narrowBesideArrays" if self.form == "small" and a.narrow else "narrow"
            self._pass(value, small=f'Call.{narrow}({value}, "{self.function.name}")')
        else:
            self._pass(value)

    def _handle_ref(self, a: Argument, name: str) -> None:
        width = f"Widths.{widths(a.type)}"
        self.body.before += [
            f"long {name}At = {self._cell()};",
            f"Frame.putHandle({name}At, {name}.handle(), {width});",
        ]
        self._pass(f"{name}At")
        done = self.body.words[a.name] = f"Frame.getHandle({name}At, {width})"
        freed = self.types.frees.get(self.function.name)
        if a.type == "MPI_Comm":
            self.body.before.append("Lengths.forget();")
        if a.type in self.types.keepers:
            null = self.types.nulls.get(a.type, "0L")
            call = f"abandon({done}, finished)" if freed else f"update({done}, {null})"
            self.body.before += [f"boolean finished = {name}.isFinished();"] if freed else []
            self.body.always.append(f"{name}.{call};")
        if freed is not None and a.type in self.types.holders_of_memory:
            self.body.after.append(f"Keeping.release({name});")

    def _scalar_ref(self, slot: Slot, a: Argument, name: str) -> None:
        self.body.before += [f"long {name}At = {self._cell()};"]
        if a.element == "bool":
            self.body.before.append(f"Frame.putInt({name}At, {name}[0] ? 1 : 0);")
            self.body.after.append(f"{name}[0] = Frame.getInt({name}At) != 0;")
        else:
            wide = self.parameter_type(a) == "long[]"
            put = "putLong" if wide else "putInt"
            value = f"{name}[0]"
            read = self._integer(slot, f"{name}At")
            if a.values:
                value = f"{self.types.set_of(a.values)}.toNative({value})"
                read = f"{self.types.set_of(a.values)}.toJava({read})"
            self.body.before.append(f"Frame.{put}({name}At, {value});")
            self.body.after.append(f"{name}[0] = {read};")
        self._pass(f"{name}At")

    def _lengths(self, a: Argument, name: str) -> None:
        """Checks that no array is shorter than what MPI reads or writes of it."""
        length = f"Call.length({name})"
        absent = shapes.may_be_absent(self.function, a)
        if absent == "always" and a.element == "handle":  # null are its elements
            absent = "elsewhere" if a.root_only else ""
        if a.kind == "statuses_out" or absent == "always":
            which = "Weights" if "MPI_UNWEIGHTED" in a.sentinels else "IfAny"
            length = f"Lengths.of{which}({name})"
        elif absent:
            which = {"elsewhere": "AtRoot", "in place": "UnlessInPlace"}[absent]
            more = {"elsewhere": ", comm, root", "in place": ", sendbuf"}[absent]
            length = f"Lengths.of{which}({length}{more})"
        for other in a.shares_length:
            shared = f"{length}, Call.length({names.parameter(other)})"
            self.body.checks.append(f'Call.sameLength("{name}", {shared});')
        rule, of = shapes.length_rule(a.length if isinstance(a.length, str) else None)
        if rule in _CHECKED:
            check = f"Lengths.{names.camel(rule)}"
            self.body.checks.append(f'{check}("{name}", {length}, {names.parameter(of)});')
        elif str(a.length).startswith("MPI_"):
            needed = f"MpiConstants.{names.constant(str(a.length))}"
            self.body.checks.append(f'Lengths.atLeast("{name}", {length}, {needed});')
        elif not a.shares_length:
            self._at_least(a, name, length)

    def _at_least(self, a: Argument, name: str, length: str) -> None:
        """Checks that there are as many elements as another argument says."""
        kinds = {o.name: o.kind for o in self.function.arguments}
        if kinds.get(str(a.length)) in ("int", "count"):
            needed = names.parameter(str(a.length))
            self.body.checks.append(f'Lengths.atLeast("{name}", {length}, {needed});')

    def _as_many_texts(self, length: str | list[str] | None, name: str, given: str) -> None:
        """Checks that there are as many texts as C is told of another array (any, if None)."""
        for size in self.function.slots:
            if size.fold == "size" and length in (size.name, None):
                other = f"Call.length({names.parameter(size.argument or '')})"
                self.body.checks.append(f'Call.sameLength("{name}", {given}, {other});')

    def _span(self, slot: Slot, a: Argument, name: str) -> None:
        self._lengths(a, name)
        place = "memory" if a.kept else self._frame()
        expression = self._span_down(slot, a, name, place)
        self.body.before.append(f"long {name}At = {expression};")
        self._pass(f"{name}At")
        if a.kind != "span":
            always = a.type in self.types.keepers or self.function.fills_statuses
            (self.body.always if always else self.body.after).append(self._span_up(slot, a, name))

    def _span_down(self, slot: Slot, a: Argument, name: str, place: str) -> str:
        if a.element == "handle":
            return f"Convert.handles({place}, {name}, Widths.{widths(a.type)})"
        if a.element in ("flag", "range"):
            return f"Convert.{a.element}s({place}, {name})"
        if not self.wide(a):
            if a.values:
                return f"Convert.enums({place}, {name}, {self.types.set_of(a.values)})"
            return f"Convert.ints({place}, {name})"
        if base_type(slot.type) not in WIDE and self.chooses_by_presence:
            small = f'Convert.narrowed({place}, {name}, "{self.function.name}")'
            return f"large ? Convert.longs({place}, {name}) : {small}"
        return f"Convert.longs({place}, {name})"

    def _span_up(self, slot: Slot, a: Argument, name: str) -> str:
        if a.element == "handle" and a.type in self.types.keepers:
            null = self.types.nulls.get(a.type, "0L")
            return f"Convert.back({name}At, {name}, Widths.{widths(a.type)}, {null});"
        if a.element == "handle":
            class_name = names.handle_class(a.type)
            return f"Convert.back({name}At, {name}, Widths.{widths(a.type)}, {class_name}::new);"
        if self.wide(a) and base_type(slot.type) not in WIDE and self.chooses_by_presence:
            return f"Convert.back({name}At, {name}, large);"
        if a.values and not self.wide(a):
            return f"Convert.backEnums({name}At, {name}, {self.types.set_of(a.values)});"
        return f"Convert.back({name}At, {name});"

    def _callback(self, a: Argument, name: str) -> None:
        if a.type in self.types.callbacks:
            self.body.stubs[name] = names.callback_class(a.type)
            self._pass(f"{name}Stub.address()")
        else:
            self.warnings.append(
                f"{self.function.name}: the callback {a.name} is passed as an address"
            )
            self._pass(f"Callbacks.foreign({name})", "p")

    def _plain(self, slot: Slot, a: Argument, name: str) -> None:
        if is_lists_of_texts(a.type):
            self._as_many_texts(None, name, f"Lengths.ofIfAny({name})")
            self._converted(name, f"Convert.textLists({self._frame()}, {name})")
            return
        token = self.types.token(slot.type)
        if token == "r":
            self.warnings.append(
                f"{self.function.name}: {a.name} is passed as raw memory ({a.type})"
            )
            check = "segment" if "const" in slot.type else "written"
            self._pass(f"Call.{check}({name})", "p")
            if a.kept:
                self.kept.append(name)
        else:
            self._pass(name if token in ("j", "d") else f"(long) {name}", letter(token))
