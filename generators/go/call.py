"""The Go half of a function: its signature, and what happens around the call of its C half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mpiglot.generators import accesses
from mpiglot.generators.c_types import is_lists_of_texts
from mpiglot.generators.go import docs as go_docs
from mpiglot.generators.go import names as go_names
from mpiglot.generators.go.c import REQUEST, WINDOW, Inexpressible, is_asked
from mpiglot.generators.go.checks import CFunction
from mpiglot.generators.model import Argument, PlannedFunction, Result

_TYPES = {
    "int": "int",
    "count": "int",
    "aint": "int",
    "offset": "int",
    "fint": "int",
    "bool": "bool",
    "double": "float64",
    "address": "uintptr",
    "buffer": "Buffer",
    "memory": "Buffer",
    "string": "string",
    "strings": "[]string",
    "status_out": "*Status",
    "status_ref": "*Status",
    "status": "*Status",
    "statuses_out": "[]Status",
    "scalar_ref": "*int",
    "plain": "unsafe.Pointer",
    "pointer": "uintptr",
}
_SPAN_TYPES = {"flag": "[]bool", "range": "[][3]int"}


@dataclass(slots=True)
class GoFunction:
    """Everything the template needs to write one Go function."""

    name: str
    c_name: str
    parameters: str
    results: str
    doc: list[str]
    before: list[str] = field(default_factory=list)
    c_arguments: str = ""
    status: str = ""  # a status that the call fills, unless it is nil
    retry: str = ""  # condition under which the call is made again
    after: list[str] = field(default_factory=list)
    returned: str = ""
    check: str = ""  # "check" or "checkTool"; "" for functions without an error
    unsafe: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """What Go's names depend on besides the function itself."""

    handles: Mapping[str, str]  # MPI_Comm -> Comm
    closed: frozenset[str]  # value sets that are Go types
    near: frozenset[str]  # value sets whose names are few values side by side
    free: Mapping[str, str]  # MPI_Request -> MPI_Request_free
    callbacks: Mapping[str, str]  # MPI_User_function -> UserFunction
    stateless: frozenset[str]  # callback types without a state parameter
    last: frozenset[str]  # callback types that are the last of their state that MPI calls
    capacities: Mapping[str, int]  # MPI_MAX_PORT_NAME -> the most any library has
    few: go_docs.Few  # value sets with few names
    keys: frozenset[str]  # value sets of keys, some of attributes that are integers with names


def lower(f: PlannedFunction, c: CFunction, names: Names) -> GoFunction:
    return _Lowering(f, c, names).run()


class _Lowering:
    def __init__(self, f: PlannedFunction, c: CFunction, names: Names) -> None:
        self.f, self.c, self.names = f, c, names
        wanted = [a.name for a in f.arguments if a.kind != "main_arguments"]
        self.go = go_names.parameters(wanted + [r.name for r in f.results])
        self.out = GoFunction(go_names.exported(f.name), f.name, "", "", [])
        self.passed: list[str] = []
        self.space = False

    def run(self) -> GoFunction:
        f, out = self.f, self.out
        if self.c.kept:
            out.before.append("k := keep()")
        for a in f.arguments:
            self._argument(a)
        for r in f.results:
            if r.kind == "string":
                self._text(r)
            elif r.type == WINDOW:
                word = f"r.{self.c.words[r.name]}"
                out.after.append(f"returnErrors(int64(r.code), Win({word}))")
        if self.c.kept:
            self._keep_until()
        self._complete()
        out.parameters = self._signature()
        out.c_arguments = ", ".join(self.passed)
        self._results()
        out.doc = go_docs.lines(f, out.name, self.go, self.names.few)
        code = " ".join([out.parameters, out.c_arguments, out.results, *out.before, *out.after])
        out.unsafe = "unsafe." in code
        return out

    # ------------------------------------------------------------- arguments

    def _signature(self) -> str:
        parts: list[tuple[str, str]] = [
            (self.go[a.name], self._type(a)) for a in self.f.arguments if a.kind != "main_arguments"
        ]
        return _joined(parts)

    def _type(self, a: Argument) -> str:
        if a.kind in ("handle", "handle_ref"):
            return ("*" if a.kind == "handle_ref" else "") + self.names.handles[a.type]
        if a.kind == "callback":
            return self.names.callbacks[a.type]
        if a.kind == "enum":
            return self._enum(a.values)
        if a.kind == "plain" and is_lists_of_texts(a.type):
            return "[][]string"
        if a.kind.startswith("span"):
            if a.element == "handle":
                return "[]" + self.names.handles[a.type]
            return _SPAN_TYPES.get(a.element, "[]int")
        if a.kind not in _TYPES:
            raise Inexpressible(f"{a.name} is {a.kind}, which has no Go type here yet")
        return _TYPES[a.kind]

    def _enum(self, values: str | None) -> str:
        return go_names.type_name(values) if values and values in self.names.closed else "int"

    def _argument(self, a: Argument) -> None:
        if a.kind == "main_arguments":
            return
        name, out = self.go[a.name], self.out
        if a.kind in ("int", "count", "aint", "offset", "fint", "enum"):
            self.passed.append(self._integer(a, name))
        elif a.kind == "bool":
            self.passed.append(f"cBool({name})")
        elif a.kind == "double":
            self.passed.append(f"C.double({name})")
        elif a.kind == "handle":
            self.passed.append(f"C.uint64_t({name})")
        elif a.kind == "address":
            self.passed.append(f"C.uintptr_t({name})")
        elif a.kind in ("buffer", "memory"):
            self.passed += [_address(f"{name}.p"), f"C.int64_t({name}.n)"]
            self._keep(a, f"{name}.p")
        elif a.kind == "string":
            self.passed.append(_address(f"cText({name})"))
        elif a.kind == "strings":
            out.before.append(f"{name}Texts, {name}N := cTexts({name})")
            self.passed += [_address(f"{name}Texts"), f"{name}N"]
        elif a.kind.startswith("span") or a.kind == "statuses_out":
            self._array(a, name)
        elif a.kind in ("status", "status_out", "status_ref", "scalar_ref", "handle_ref"):
            self._reference(a, name)
        elif a.kind == "callback":
            self._callback(a, name)
        elif a.kind == "plain" and is_lists_of_texts(a.type):
            out.before.append(f"{name}Texts, {name}Counts, {name}N := cTextLists({name})")
            texts = [_address(f"{name}Texts"), _address(f"first({name}Counts)")]
            self.passed += [*texts, f"{name}N"]
        elif a.kind == "plain":
            out.unsafe = True
            self.passed.append(_address(name))
            self._keep(a, name)
        else:
            raise Inexpressible(f"{a.name} is {a.kind}, which has no Go form here yet")

    def _integer(self, a: Argument, name: str) -> str:
        if not a.values:
            return f"C.int64_t({name})"
        value = f"int({name})" if a.kind == "enum" and a.values in self.names.closed else name
        translate = "inNear" if a.values in self.names.near else "in"
        return f"C.int64_t({go_names.variable(a.values)}.{translate}({value}))"

    def _array(self, a: Argument, name: str) -> None:
        out = self.out
        for other in a.shares_length:
            absent = f"{name} != nil && " if a.nullable or a.kind == "statuses_out" else ""
            out.before.insert(
                0,
                f"if {absent}len({name}) != len({self.go[other]}) {{\n\t\treturn @LENGTH@\n\t}}",
            )
        if str(a.length).startswith("MPI_"):
            needed = go_names.exported(str(a.length))
            out.before.append(f"if len({name}) < {needed} {{\n\t\treturn @LENGTH@\n\t}}")
        if a.values and a.kind != "span_out":
            out.before.append(f"{name} = {go_names.variable(a.values)}.inAll({name})")
        if a.values and a.kind != "span":
            out.after.append(f"{go_names.variable(a.values)}.outAll({name})")
        if a.type == REQUEST and a.kind == "span_ref":
            out.before += ["var space [16]Request", f"before := requestsBefore(space[:], {name})"]
            out.after.append(f"allCompleted(before, {name})")
        self.passed += [_address(f"first({name})"), f"C.int64_t(len({name}))"]
        self._keep(a, f"first({name})")

    def _reference(self, a: Argument, name: str) -> None:
        if a.kind == "status_ref":
            self.passed.append(_address(f"unsafe.Pointer({name})"))
            return
        if a.kind == "status":
            self.passed += [f"C.uint64_t({name}.words[{i}])" for i in range(4)]
            return
        if a.kind == "status_out":
            self.out.status = name
            return
        word = self.c.words[a.name]
        if a.kind == "scalar_ref":
            values = go_names.variable(a.values) if a.values else ""
            passed = f"{values}.in(*{name})" if values else f"*{name}"
            self.passed.append(f"C.int64_t({passed})")
            back = f"{values}.out(int64(r.{word}))" if values else f"int(r.{word})"
            self.out.after.append(f"*{name} = {back}")
            return
        self.passed.append(f"C.uint64_t(*{name})")
        go_type = self.names.handles[a.type]
        self.out.after.append(f"*{name} = {go_type}(r.{word})")
        if a.type == REQUEST and self.f.name == self.names.free.get(REQUEST):
            self.out.before += [f"before := requestBefore({name})", "finished := done(before)"]
            self.out.after.append(f"freed(before, *{name}, finished)")
        elif a.type == REQUEST:
            self.out.before.append(f"before := requestBefore({name})")
            self.out.after.append(f"completed(before, *{name})")
        elif self.names.free.get(a.type) == self.f.name:
            self.out.before.append(f"before := *{name}")
            self.out.after.append(f"forget(uint64(before), uint64(*{name}))")

    def _callback(self, a: Argument, name: str) -> None:
        go_type = self.names.callbacks[a.type]
        if a.type in self.names.stateless:
            self.out.before.append(f"{name}Slot := slotsOf{go_type}.take({name}, {name} == nil)")
            self.passed += [f"C.int64_t({name}Slot)", "0"]
            return
        group = [x for x in self.f.arguments if x.kind == "callback" and x.state == a.state]
        if not any(s.fold == "state" for s in self.f.slots):
            raise Inexpressible("its functions get the states that another function is given")
        same = [x for x in group if x.type == a.type]
        if group[0] is a:
            every = ", ".join(self.go[x.name] for x in group)
            self.out.before.append(f"{name}State := newState({every})")
            dropped = f"if {self._code()} != 0 {{\n\t\tdropState({name}State)\n\t}}"
            self.out.after.append(dropped)
        last = a.type in self.names.last  # lets go of the state, even where there is none in Go
        ordinal = same.index(a)
        self.passed.append(str(ordinal) if last else f"present({name} != nil, {ordinal})")
        self.passed.append(f"C.uintptr_t({self.go[group[0].name]}State)")

    # ------------------------------------------------------------- memory that is kept

    def _keep(self, a: Argument, pointer: str) -> None:
        if not a.kept:
            return
        if self.c.kept:
            self.out.before.append(f"k.pin({pointer})")
            return
        if accesses.completed(self.f):
            return
        access = accesses.begun(self.f)
        made = next((r for r in self.f.results if self._owns(r.type)), None)
        if access:
            self.out.after.append(f"pinAccess({self._target(*access)}, {pointer}, {self._code()})")
            return
        owner = f"uint64(r.{self.c.words[made.name]})" if made is not None else self._owner()
        self.out.after.append(f"pinFor({owner}, {pointer}, {self._code()})")

    def _code(self) -> str:
        return "int64(r)" if self.c.only_code else "int64(r.code)"

    def _complete(self) -> None:
        """Lets go of what accesses used that this call completes."""
        access = accesses.completed(self.f)
        if not access:
            return
        self.out.before.append("begun := accessesBegun()")
        begun = f"{self._target(*access)}, begun, {self._code()}"
        self.out.after.append(f"completedAccesses({begun})")

    def _target(self, owner: str, rank: str) -> str:
        """A window or file, and which of its targets."""
        return f"uint64({self.go[owner]}), {self.go[rank] if rank else 'everyTarget'}"

    def _owns(self, handle: str) -> bool:
        return handle in self.names.free and handle not in _NOT_OWNERS

    def _owner(self) -> str:
        """What the memory belongs to where there is no request: a window, a file, a session."""
        for a in self.f.arguments:
            if a.kind == "handle" and self._owns(a.type):
                return f"uint64({self.go[a.name]})"
        return "0"

    def _keep_until(self) -> None:
        request = next(r for r in self.f.results if r.type == REQUEST)
        word = f"r.{self.c.words[request.name]}"
        blocks = f"int64(r.{self.c.blocks})" if self.c.blocks else "0"
        self.out.after.append(f"k.after(int64(r.code), Request({word}), {blocks})")

    # ------------------------------------------------------------- results

    def _text(self, r: Result) -> None:
        name = self.go[r.name]
        slots = self.f.slots
        string = next(s for s in slots if s.fold == "string" and s.result == r.name)
        told = next((s for s in slots if s.fold == "capacity" and s.result == r.name), None)
        if string.capacity:
            capacity = str(self.names.capacities[string.capacity])
        elif told is not None and told.argument:
            capacity = f"max(0, {self.go[told.argument]})"
        else:
            capacity = "255"
            self.out.retry = (self.out.retry + " || " if self.out.retry else "") + (
                f"{name}.grow(int(r.{self.c.words[r.name]}))"
            )
        self.out.before.append(f"{name} := newText({capacity})")
        self.passed.append(_address(f"{name}.at()"))
        if is_asked(self.f, r.name):
            self.passed.append(f"C.int64_t(len({name}.b))")

    def _results(self) -> None:
        f, out = self.f, self.out
        parts: list[tuple[str, str]] = []
        values: list[str] = []
        ordered = sorted(f.results, key=lambda r: f.shape == "optional" and r.name == "flag")
        for r in ordered:
            parts.append((self._result_name(r), self._result_type(r)))
            values.append(self._result_value(r, f"r.{self.c.words[r.name]}"))
        if f.returns not in ("error", "void"):
            self._returned_value(parts, values)
        if f.returns != "double":
            parts.append(("err", "error"))
            tool = "Tool" if f.chapter == "tools" else ""
            out.check = f'check{tool}("{f.name}", {self._code()})'
            values.append(out.check)
        zero = [_zero(t) for _, t in parts[:-1]]
        failure = ", ".join([*zero, f'failed("{f.name}", C.MPG_LENGTH)'])
        out.before = [line.replace("@LENGTH@", failure) for line in out.before]
        out.results = f"({_joined(parts)})" if len(parts) > 1 else parts[0][1]
        out.returned = ", ".join(values)

    def _returned_value(self, parts: list[tuple[str, str]], values: list[str]) -> None:
        f = self.f
        if f.returns == "handle":
            go = self.names.handles[f.return_type]
            parts.append((go_names.parameters(["result"])["result"], go))
            values.append(f"{go}(r.v0)")
        elif f.returns == "double":
            parts.append(("", "float64"))
            values.append("float64(r)")
        elif f.return_type == "void *":
            parts.append(("state", "uintptr"))
            values.append("uintptr(r.v0)")
        else:
            parts.append(("result", "int"))
            values.append("int(r.v0)")

    def _result_name(self, r: Result) -> str:
        if self.f.shape == "optional" and r.name == "flag":
            return "ok" if "ok" not in self.go.values() else "flag"
        name = self.go[r.name]
        return name + "Text" if r.kind == "string" else name

    def _result_type(self, r: Result) -> str:
        if r.kind == "handle":
            return self.names.handles[r.type]
        if r.kind == "enum":
            return self._enum(r.values)
        if r.kind not in _TYPES:
            raise Inexpressible(f"{r.name} is {r.kind}, which has no Go type here yet")
        return _TYPES[r.kind]

    def _result_value(self, r: Result, word: str) -> str:
        if r.kind == "string":
            return f"{self.go[r.name]}.String()"
        if r.kind == "bool":
            return f"{word} != 0"
        if r.kind == "handle":
            return f"{self.names.handles[r.type]}({word})"
        if r.kind == "pointer":
            for a in self.f.arguments:
                if a.values in self.names.keys:
                    named = f"{go_names.attributes(str(a.values))}({self.go[a.name]})"
                    there = f"r.{self.c.words['flag']} != 0"
                    return f"attributeValue({named}, uintptr({word}), {there})"
            return f"uintptr({word})"
        if r.values:
            value = f"{go_names.variable(r.values)}.out(int64({word}))"
            go = self._enum(r.values) if r.kind == "enum" else "int"
            return value if go == "int" else f"{go}({value})"
        return f"int({word})"


_NOT_OWNERS = ("MPI_Comm", "MPI_Datatype", "MPI_Errhandler", "MPI_Group", "MPI_Info", "MPI_Op")
_ZEROS = {"bool": "false", "string": '""', "error": "nil"}


def _address(pointer: str) -> str:
    """An address on its way into C, as that of characters: cgo looks through what a void pointer
    leads to at every call, in search of pointers, which Go's Slice excludes by the type."""
    return f"(*C.char)({pointer})"


def _zero(go_type: str) -> str:
    return _ZEROS.get(go_type, "nil" if go_type[:1] in "*[" else "0")


def _joined(parts: list[tuple[str, str]]) -> str:
    """Go's way to write parameters: neighbours of one type share it."""
    out: list[str] = []
    for i, (name, go_type) in enumerate(parts):
        shared = i + 1 < len(parts) and parts[i + 1][1] == go_type and name
        out.append(name if shared else f"{name} {go_type}".strip())
    return ", ".join(out)
