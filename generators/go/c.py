"""The C half of the Go layer: how one planned function is called in C.

Each function becomes one C function that takes 64-bit words and addresses and returns a code and
words. `lower` makes its parts out of the slots: per slot what is declared before the call, what is
passed, and what is done after. A function with a large-count twin has two such calls.
"""

from __future__ import annotations

from collections.abc import Collection

from mpiglot.generators.c_types import base_type, is_lists_of_texts
from mpiglot.generators.go.checks import INTEGERS, Call, CFunction, add_checks
from mpiglot.generators.model import Argument, PlannedFunction, Slot

_BY_VALUE = {
    "int": "int",
    "double": "double",
    "MPI_Aint": "MPI_Aint",
    "MPI_Count": "MPI_Count",
    "MPI_Offset": "MPI_Offset",
    "MPI_Fint": "MPI_Fint",
}
_MOST_RESULTS = 12
REQUEST = "MPI_Request"
SESSION = "MPI_Session"  # one that is open is as good as a running MPI


class Inexpressible(Exception):
    """A function that this layer has no form for; the text says why."""


def lower(f: PlannedFunction, handles: Collection[str], integers: Collection[str]) -> CFunction:
    """The C side of `f`; `integers` are further C types that are passed like an int."""
    return _Lowering(f, handles, integers).run()


class _Lowering:
    def __init__(
        self, f: PlannedFunction, handles: Collection[str], integers: Collection[str]
    ) -> None:
        self.f, self.handles, self.integers = f, handles, integers
        self.arguments = {a.name: a for a in f.arguments}
        self.out = CFunction(name=f.name, result="")
        self.size = 0

    def run(self) -> CFunction:
        f, out = self.f, self.out
        out.kept = any(r.type == REQUEST for r in f.results) and f.family in _PENDING
        self._words()
        self._parameters()
        out.guard = f.guard
        out.small = self._call(large=False)
        if f.large:
            out.large, out.large_name = self._call(large=True), f.large
            out.prefer_large = f.dispatch == "large"
        if out.kept and out.arena:
            out.blocks = f"v{self.size}"
            self.size += 1
        if self.size > _MOST_RESULTS:
            raise Inexpressible(f"{self.size} results are more than this layer hands back at once")
        out.result = f"mpg_r{self.size}"
        add_checks(out, f)
        return out

    # ------------------------------------------------------------- signature

    def _words(self) -> None:
        """Gives each result a field. Two words come back in registers: a flag shares one with the
        code, and a status travels apart."""
        out, names = self.out, [r.name for r in self.f.results]
        n = int(self.f.returns not in ("error", "void"))
        if n:
            out.returns = "result"
        flag = next((r.name for r in self.f.results if r.kind == "bool"), "")
        for a in self.f.arguments:
            if a.kind == "status_out":
                out.status = a.name
            elif a.kind in ("handle_ref", "scalar_ref"):  # what the call changes comes back too
                names.append(a.name)
        for name in names:
            out.words[name] = "flag" if name == flag else f"v{n}"
            n += name != flag
            if name in self.arguments:
                out.given.append(f"R.{out.words[name]} = (int64_t){name};")
        self.size = n

    def _parameters(self) -> None:
        for a in self.f.arguments:
            self._add(*_c_parameters(a))
            if a.kind == "callback":
                self.out.slots.append(a.name)
        for r in self.f.results:
            if r.kind == "string":
                self._add((f"char *{r.name}", r.name))
            if r.room == "asked":
                self._add((f"int64_t {r.name}_n", f"{r.name}_n"))

    def _add(self, *pairs: tuple[str, str]) -> None:
        for declared, name in pairs:
            self.out.parameters.append(declared)
            self.out.names.append(name)

    # ------------------------------------------------------------- one call

    def _call(self, large: bool) -> Call:
        types: list[str] = []
        call = Call("")
        for s in self.f.slots:
            c_type = s.large_type if large and s.large_type else s.type
            types.append("void *" if s.fold == "function" else self._cast_type(c_type))
            call.passed.append(self._slot(s, c_type, call))
        returned = self._returned_type()
        variadic = ", ..." if self.f.variadic else ""
        call.cast = f"{returned} (*)({', '.join(types) or 'void'}{variadic})"
        return call

    def _returned_type(self) -> str:
        f = self.f
        if f.returns in ("error", "void"):
            return "void" if f.returns == "void" else "int"
        if f.returns == "handle":
            self.out.returns = f"(int64_t){f.return_type}_out(value)"
            return f.return_type
        if f.return_type == "void *":
            self.out.returns = "(int64_t)(intptr_t)value"
            return f.return_type
        if f.return_type not in _BY_VALUE:
            raise Inexpressible(f"returns a {f.return_type}")
        self.out.returns = "(int64_t)value" if f.returns != "double" else "double"
        return f.return_type

    def _cast_type(self, c_type: str) -> str:
        if "*" in c_type or "[" in c_type or "(" in c_type:
            return "void *"
        plain = base_type(c_type)
        if plain in self.handles or plain in _BY_VALUE:
            return plain
        if plain in self.integers:
            return "int"
        raise Inexpressible(f"a {c_type} is passed by value")

    def _slot(self, s: Slot, c_type: str, call: Call) -> str:
        a = self.arguments.get(s.argument or "")
        match s.fold:
            case "value" if a is not None:
                return self._value(a, c_type)
            case "size" if a is not None and a.kind.startswith("span"):
                return f"({base_type(c_type)}){a.name}_n"
            case "data" if a is not None:
                return self._data(a, c_type, call)
            case "reference" if a is not None:
                return self._reference(a, c_type, call)
            case "result" if s.result:
                return self._result(s.name, s.result, c_type, call)
            case "string" if s.result:
                return s.result
            case "string_length":
                call.before.append(f"int {s.name}_ = 0;")
                return f"&{s.name}_"
            case "capacity":
                return self._capacity(s, a, call)
            case "argc" | "argv":
                return "NULL"
            case "function" if a is not None:
                return f"mpg_function_{a.type}({a.name}, {a.name}_state)"
            case "state" if a is not None:
                return f"(void *)(uintptr_t){a.name}_state"
            case "plain" if a is not None and is_lists_of_texts(a.type):
                self.out.arena = True
                lists = f"mpg_text_lists(&A, {a.name}, {a.name}_counts, {a.name}_n)"
                call.before.append(f"void *{a.name}_ = {lists};")
                return f"({a.name} ? {a.name}_ : mpg.special[MPG_ARGVS_NULL])"
            case "plain" if a is not None and c_type.count("*") == 1 and "[" not in c_type:
                return a.name
        raise Inexpressible(f"{s.name} ({c_type}) has no form here yet")

    def _value(self, a: Argument, c_type: str) -> str:
        if a.kind == "handle":
            return f"{a.type}_in({a.name})"
        if a.kind == "address":
            return f"(void *){a.name}"
        if a.kind == "double":
            return a.name
        if a.kind in INTEGERS or a.kind == "plain":
            return f"({self._cast_type(c_type)}){a.name}"
        raise Inexpressible(f"{a.name} is passed as {a.kind}")

    def _data(self, a: Argument, c_type: str, call: Call) -> str:
        local = f"{a.name}_"
        if a.kind in ("buffer", "memory"):
            return f"mpg_at({a.name}, {a.name}_n)"
        if a.kind == "string":
            return a.name
        if a.kind == "strings":
            self.out.arena = True
            absent = "MPG_ARGV_NULL" if a.nullable else "0"
            texts = f"mpg_texts(&A, {a.name}, {a.name}_n)"
            call.before.append(f"void *{local} = {a.name} ? {texts} : mpg.special[{absent}];")
            return local
        if a.kind == "statuses_out":
            call.after.append(f"mpg_statuses_back({a.name}, {a.name}_n);")
            return f"mpg_statuses({a.name})"
        return self._array(a, base_type(c_type), call)

    def _array(self, a: Argument, element: str, call: Call) -> str:
        local = f"{a.name}_"
        inward, outward = a.kind != "span_out", a.kind != "span"
        length = f"{a.name}_n * 3" if a.element == "range" else f"{a.name}_n"
        if a.element == "handle":
            call.before.append(f"{element} *{local} = {element}_array(&A, {a.name}, {length});")
            back = f"{element}_array_back"
        elif element in ("int", "MPI_Fint") and a.element == "flag":
            call.before.append(f"int *{local} = mpg_flags(&A, {a.name}, {length});")
            back = "mpg_flags_back"
        elif element in ("int", "MPI_Fint"):
            make = "mpg_ints" if inward else "mpg_room"
            call.before.append(f"int *{local} = {make}(&A, {a.name}, {length});")
            back = "mpg_ints_back"
        elif element in _BY_VALUE:
            return self._or_absent(a, a.name)
        else:
            raise Inexpressible(f"{a.name} is an array of {element}")
        self.out.arena = True
        if outward:
            call.after.append(f"{back}({a.name}, {local}, {length});")
        return self._or_absent(a, local)

    def _or_absent(self, a: Argument, expression: str) -> str:
        """The sentinel that stands for an absent array, where there is one."""
        sentinel = sentinel_of(a)
        if not sentinel:
            return expression
        if sentinel == "MPG_UNWEIGHTED":
            return f"mpg_weights({a.name}, {a.name}_n, {expression})"
        return f"({a.name} ? (void *){expression} : mpg.special[{sentinel}])"

    def _reference(self, a: Argument, c_type: str, call: Call) -> str:
        local, element = f"{a.name}_", base_type(c_type)
        if a.kind == "status_ref":
            return a.name
        if a.kind == "status":
            words = ", ".join(f"{a.name}_{i}" for i in range(4))
            call.before.append(f"uint64_t {local}[4] = {{{words}}};")
            return local
        if a.kind == "status_out":
            return a.name
        word = self.out.words[a.name]
        if a.kind == "handle_ref":
            call.before.append(f"{a.type} {local} = {a.type}_in({a.name});")
            call.after.append(f"R.{word} = (int64_t){a.type}_out({local});")
            if a.type == SESSION:
                gone = f"R.code == 0 && (uint64_t)R.{word} != {a.name}"
                call.after.append(f"mpg.sessions -= {gone};")
        elif element in _BY_VALUE:
            call.before.append(f"{element} {local} = ({element}){a.name};")
            call.after.append(f"R.{word} = {local};")
        else:
            raise Inexpressible(f"{a.name} refers to a {element}")
        return f"&{local}"

    def _result(self, name: str, result: str, c_type: str, call: Call) -> str:
        r = next(x for x in self.f.results if x.name == result)
        local, word = f"{name}_", f"R.{self.out.words[result]}"
        element = "void *" if r.kind == "pointer" else base_type(c_type)
        if r.kind == "handle":
            convert = f"(int64_t){element}_out(%s)"
        elif r.kind == "pointer":
            convert = "(int64_t)(intptr_t)%s"
        elif element in _BY_VALUE or element in self.integers:
            element = element if element in _BY_VALUE else "int"
            convert = "%s"
        else:
            raise Inexpressible(f"{name} returns a {element}")
        if self.out.kept and r.type != REQUEST:  # MPI may write it when the operation completes
            self.out.arena = True
            call.before.append(f"{element} *{local} = mpg_alloc(&A, sizeof *{local});")
            call.before.append(f"if ({local}) memset({local}, 0, sizeof *{local});")
            call.after.append(f"{word} = {convert % ('*' + local)};")
            return local
        call.before.append(f"{element} {local} = 0;")
        call.after.append(f"{word} = {convert % local};")
        if r.type == SESSION:
            call.after.append("mpg.sessions += R.code == 0;")
            self.out.opens_session = True
        return f"&{local}"

    def _capacity(self, s: Slot, a: Argument | None, call: Call) -> str:
        if a is not None:
            return f"(int){a.name}"
        if "*" not in s.type or not s.result:
            raise Inexpressible(f"{s.name} tells a capacity that nobody gives")
        call.before.append(f"int {s.name}_ = (int){s.result}_n;")
        call.after.append(f"R.{self.out.words[s.result]} = {s.name}_;")
        return f"&{s.name}_"


_PENDING = ("nonblocking", "persistent")


def sentinel_of(a: Argument) -> str:
    """The constant that stands for an array that is not there."""
    if not a.nullable or not a.kind.startswith("span"):
        return ""
    if a.kind == "span_out" and a.values:
        return "MPG_ERRCODES_IGNORE"
    return "MPG_UNWEIGHTED" if a.kind == "span" and a.element == "int" else ""


def _c_parameters(a: Argument) -> list[tuple[str, str]]:
    n = a.name
    if a.kind in INTEGERS:
        return [(f"int64_t {n}", n)]
    if a.kind == "double":
        return [(f"double {n}", n)]
    if a.kind == "handle":
        return [(f"uint64_t {n}", n)]
    if a.kind == "address":
        return [(f"uintptr_t {n}", n)]
    if a.kind.startswith("span") or a.kind in ("buffer", "memory", "statuses_out", "strings"):
        return [(f"char *{n}", n), (f"int64_t {n}_n", f"{n}_n")]
    if a.kind == "callback":
        return [(f"int64_t {n}", n), (f"uintptr_t {n}_state", f"{n}_state")]
    if a.kind == "main_arguments":
        return []
    if a.kind == "handle_ref":
        return [(f"uint64_t {n}", n)]
    if a.kind == "scalar_ref":
        return [(f"int64_t {n}", n)]
    if a.kind == "status_out":
        return []
    if a.kind == "status":
        return [(f"uint64_t {n}_{i}", f"{n}_{i}") for i in range(4)]
    if a.kind in ("string", "status_ref"):
        return [(f"char *{n}", n)]
    if a.kind == "plain" and is_lists_of_texts(a.type):
        counts = (f"char *{n}_counts", f"{n}_counts")
        return [(f"char *{n}", n), counts, (f"int64_t {n}_n", f"{n}_n")]
    if a.kind == "plain" and a.type.count("*") == 1 and "[" not in a.type:
        return [(f"char *{n}", n)]
    raise Inexpressible(f"{n} is a {a.type or a.kind}, which no function with a form in Go makes")
