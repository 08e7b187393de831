"""Writes the conformance programs: the cases, which belong to no language, in Go and in Java.

    python -m tests.conformance.translate go build/test/go/conformance
    python -m tests.conformance.translate java build/test/java/conformance

Cases stand in cases/*.case in a small part of Python's syntax (cases/README.md), which is parsed
and never run. What a call looks like in a language follows from the plan, as the bindings do.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Protocol

import click

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.cli import run as run_command
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.model import Argument, AtlasFunction, PlannedFunction
from mpiglot.provision.matrix import matrix

HERE = Path(__file__).parent
ELEMENTS = ("ints", "longs", "doubles", "floats", "chars", "shorts")  # makers of buffers
ARRAYS = {"array": "ints", "wide": "wides", "flags": "flags", "enough": "statuses"}


class Mistake(MpiglotError):
    """A case that cannot be translated."""


@dataclass(frozen=True)
class Value:
    """An expression in the other language.

    Kinds: int, bool, double, text, status, none, sentinel, callback; a handle is its C type;
    buffers are `buffer ints`; arrays are ints, wides, flags, texts, statuses, ranges or
    `handles MPI_Comm`.
    """

    code: str
    kind: str
    parts: tuple[Value, ...] | None = None  # of a list that is written down
    endless: bool = False  # a buffer from a place on: how much that is nobody says


@dataclass(frozen=True)
class Known:
    """One function that cases may call."""

    plan: PlannedFunction
    entry: AtlasFunction

    @property
    def arguments(self) -> list[Argument]:
        return [a for a in self.plan.arguments if a.kind != "main_arguments"]

    def results(self) -> list[tuple[str, str]]:
        """Names and kinds of what a call gives, a flag that guards the others first."""
        f = self.plan
        if f.returns not in ("error", "void"):
            kind = f.return_type if f.returns == "handle" else f.returns
            return [("result", kind if kind in ("double", f.return_type) else "int")]
        flags = {r.when for r in f.results if r.when}
        ordered = sorted(f.results, key=lambda r: r.name not in flags)
        return [(r.name, _kind(r.kind, r.type)) for r in ordered]


def _kind(kind: str, c_type: str) -> str:
    plain = {"handle": c_type, "bool": "bool", "string": "text", "double": "double"}
    return plain.get(kind, "int")


class Language(Protocol):
    """What differs between languages."""

    def constant(self, name: str) -> Value: ...
    def text(self, value: str) -> str: ...
    def declare(self, name: str, value: Value) -> list[str]: ...
    def buffer(self, element: str, length: str, values: Sequence[str] | None) -> str: ...
    def element(self, buffer: Value, index: str) -> str: ...
    def store(self, buffer: Value, index: str, value: str) -> str: ...
    def beyond(self, buffer: Value, index: str) -> str: ...
    def array(self, kind: str, length: str, values: Sequence[Value] | None) -> str: ...
    def equal(self, left: Value, right: Value) -> str: ...
    def contains(self, text: str, part: str) -> str: ...
    def length(self, value: Value) -> str: ...
    def pick(self, condition: str, first: str, second: str) -> str: ...
    def attribute(self, value: Value, name: str) -> Value: ...
    def helper(self, name: str, arguments: Sequence[str]) -> Value: ...
    def callback(self, name: str) -> Value: ...
    def call(
        self, known: Known, arguments: Sequence[Value], number: int
    ) -> tuple[list[str], list[str]]: ...
    def fails(
        self, known: Known, arguments: Sequence[Value], classes: Sequence[str], text: str
    ) -> list[str]: ...
    def works(self, known: Known, arguments: Sequence[Value], number: int) -> list[str]: ...
    def check(self, condition: str, text: str) -> str: ...
    def condition(self, code: str) -> str: ...
    def loop(self, name: str, start: str, end: str) -> list[str]: ...
    def end(self) -> str: ...


@dataclass
class Case:
    """One case: the function that states it."""

    name: str
    node: ast.FunctionDef
    ranks: int = 1
    most: int = 0
    forms: int = 0


def cases(folder: Path) -> list[Case]:
    """All cases, in the order of the files and in the files."""
    out: list[Case] = []
    for path in sorted(folder.glob("*.case")):
        for node in ast.parse(path.read_text(encoding="utf-8"), path.name).body:
            if not isinstance(node, ast.FunctionDef):
                raise Mistake(f"{path.name} has something that is no case.")
            case = Case(node.name, node)
            for mark in node.decorator_list:
                name, number = _mark(mark)
                if name not in ("ranks", "most", "forms"):
                    raise Mistake(f"{ast.unparse(mark)} is no mark of a case.")
                setattr(case, name, number)
            out.append(case)
    names = [case.name for case in out]
    if len(set(names)) < len(names):
        raise Mistake("Two cases have the same name.")
    return out


def _mark(node: ast.expr) -> tuple[str, int]:
    match node:
        case ast.Call(ast.Name(name), [ast.Constant(int(number))]):
            return name, number
    raise Mistake(f"{ast.unparse(node)} is no mark of a case.")


class Walker:
    """Writes one case in a language."""

    def __init__(self, language: Language, functions: dict[str, Known]) -> None:
        self.language, self.functions = language, functions
        self.kinds: dict[str, str] = {
            "rank": "int",
            "size": "int",
            "left": "int",
            "right": "int",
            "world": "MPI_Comm",
        }
        self.lines: list[str] = []
        self.number = 0
        self.depth = 1

    def write(self, case: Case) -> list[str]:
        self._block(case.node.body)
        return self.lines

    def _emit(self, *lines: str) -> None:
        self.lines += ["\t" * self.depth + line for line in lines]

    def _next(self) -> int:
        self.number += 1
        return self.number

    # ------------------------------------------------------------- statements

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            try:
                self._statement(statement)
            except Mistake as problem:
                if "line" in str(problem):
                    raise
                raise Mistake(
                    f"line {statement.lineno}, {ast.unparse(statement)[:120]}: {problem}"
                ) from None

    def _inner(self, body: Sequence[ast.stmt]) -> None:
        known = dict(self.kinds)
        self.depth += 1
        self._block(body)
        self.depth -= 1
        self.kinds = known

    def _statement(self, node: ast.stmt) -> None:
        language = self.language
        match node:
            case ast.Expr(ast.Constant(str())) | ast.Pass():
                pass
            case ast.Expr(ast.Call(ast.Name("check"), [condition])):
                code = self.value(condition).code
                self._emit(language.check(code, ast.unparse(condition)))
            case ast.Expr(ast.Call(ast.Name("require"), [ast.Name(name)])):
                self._emit(language.helper("require", [language.text(name)]).code + language.end())
            case ast.Expr(ast.Call(ast.Name("fails"), [classes, ast.Call() as call])):
                self._fails(classes, call)
            case ast.Expr(ast.Call() as call):
                self._call(call, wanted=False)
            case ast.Assign([ast.Tuple(targets)], ast.Call() as call):
                values = self._call(call)
                if len(values) != len(targets):
                    raise Mistake(f"it gives {len(values)} results")
                for target, result in zip(targets, values, strict=True):
                    assert isinstance(target, ast.Name)
                    if target.id != "_":
                        self._assign(target.id, result)
            case ast.Assign([ast.Name(name)], value):
                self._assign(name, self.value(value))
            case ast.Assign([ast.Subscript(target, index)], value):
                buffer = self.value(target)
                self._emit(
                    language.store(buffer, self.value(index).code, self.value(value).code)
                    + language.end()
                )
            case ast.AugAssign(ast.Name(name), operator, value):
                code = self.value(value).code
                self._emit(f"{name} {_OPERATORS[type(operator)]}= {code}{language.end()}")
            case ast.If(test, body, orelse):
                self._emit(f"if {language.condition(self.value(test).code)} {{")
                self._inner(body)
                if orelse:
                    self._emit("} else {")
                    self._inner(orelse)
                self._emit("}")
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body):
                codes = [self.value(b).code for b in bounds]
                first, last = codes if len(codes) == 2 else ["0", codes[0]]
                self._emit(*language.loop(name, first, last))
                self.kinds[name] = "int"
                self._inner(body)
                self._emit("}")
            case ast.While(ast.Constant(True), body):
                self._emit("for {" if language.end() == "" else "for (;;) {")
                self._inner(body)
                self._emit("}")
            case ast.Break() | ast.Continue():
                self._emit(ast.unparse(node) + language.end())
            case _:
                raise Mistake("this statement is not in the language of the cases")

    def _assign(self, name: str, value: Value) -> None:
        if name in self.kinds:
            self._emit(f"{name} = {value.code}{self.language.end()}")
        else:
            self.kinds[name] = value.kind
            self._emit(*self.language.declare(name, value))

    def _fails(self, classes: ast.expr, call: ast.Call) -> None:
        listed = classes.elts if isinstance(classes, ast.Tuple) else [classes]
        names = [self.value(c).code for c in listed]
        known, arguments = self._parts(call)
        self._emit(*self.language.fails(known, arguments, names, ast.unparse(call)))

    # ------------------------------------------------------------- calls

    def _parts(self, call: ast.Call) -> tuple[Known, list[Value]]:
        assert isinstance(call.func, ast.Name)
        known = self.functions.get(call.func.id)
        if known is None:
            raise Mistake(f"nothing is known about {call.func.id}")
        if len(call.args) != len(known.arguments):
            names = ", ".join(a.name for a in known.arguments)
            raise Mistake(f"{call.func.id} takes ({names})")
        values = []
        for given, a in zip(call.args, known.arguments, strict=True):
            if a.kind == "callback" and isinstance(given, ast.Name):
                named = given.id.startswith("MPI")
                values.append(
                    self.language.constant(given.id) if named else self.language.callback(given.id)
                )
            else:
                values.append(self.value(given))
        return known, values

    def _call(self, call: ast.Call, wanted: bool = True) -> list[Value]:
        """Writes a call before the statement that is being written, and gives its results."""
        if not (isinstance(call.func, ast.Name) and call.func.id in self.functions):
            if wanted:
                raise Mistake("only a call of MPI can be taken apart")
            self._emit(self.value(call).code + self.language.end())
            return []
        known, arguments = self._parts(call)
        lines, codes = self.language.call(known, arguments, self._next())
        self._emit(*lines)
        kinds = [kind for _, kind in known.results()]
        return [Value(code, kind) for code, kind in zip(codes, kinds, strict=True)]

    # ------------------------------------------------------------- expressions

    def value(self, node: ast.expr, wide: bool = False) -> Value:
        language = self.language
        match node:
            case ast.Constant(None):
                return Value("nil" if language.end() == "" else "null", "none")
            case ast.Constant(bool(b)):
                return Value("true" if b else "false", "bool")
            case ast.Constant(int(n)):
                return Value(f"{n}L" if language.end() and abs(n) > 2**31 - 1 else str(n), "int")
            case ast.Constant(float(x)):
                return Value(repr(x), "double")
            case ast.Constant(str(text)):
                return Value(language.text(text), "text")
            case ast.Name(name):
                return self._name(name)
            case ast.List(elements):
                parts = tuple(self.value(e) for e in elements)
                return self._listed(parts)
            case ast.ListComp(element, [ast.comprehension(ast.Name(name), ast.Call(_, [end]))]):
                return self._computed(name, end, element, wide)
            case ast.UnaryOp(ast.Not(), operand):
                return Value(f"!({self.value(operand).code})", "bool")
            case ast.UnaryOp(ast.USub(), operand):
                inner = self.value(operand)
                return Value(f"-{inner.code}", inner.kind)
            case ast.BinOp(left, operator, right):
                one, two = self.value(left), self.value(right)
                return Value(f"({one.code} {_OPERATORS[type(operator)]} {two.code})", one.kind)
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return Value("(" + sign.join(self.value(v).code for v in values) + ")", "bool")
            case ast.Compare(left, [comparison], [right]):
                return self._compare(self.value(left), comparison, self.value(right))
            case ast.IfExp(test, body, orelse):
                first, second = self.value(body), self.value(orelse)
                code = language.pick(self.value(test).code, first.code, second.code)
                return Value(code, first.kind)
            case ast.Subscript(target, index):
                return self._element(self.value(target), self.value(index).code)
            case ast.Attribute(target, name):
                return language.attribute(self.value(target), name)
            case ast.Call():
                return self._called(node)
        raise Mistake(f"{ast.unparse(node)} is not in the language of the cases")

    def _name(self, name: str) -> Value:
        if name in self.kinds:
            return Value(name, self.kinds[name])
        if name.startswith("MPI"):
            return self.language.constant(name)
        raise Mistake(f"{name} has no value")

    def _listed(self, parts: tuple[Value, ...]) -> Value:
        kind = parts[0].kind if parts else "int"
        whole = {"int": "ints", "bool": "flags", "text": "texts", "ints": "ranges"}
        kind = whole.get(kind, f"handles {kind}")
        if kind.startswith("handles texts"):
            kind = "text lists"
        return Value(self.language.array(kind, "", parts), kind, parts)

    def _computed(self, name: str, end: ast.expr, element: ast.expr, wide: bool) -> Value:
        array = f"list{self._next()}"
        length = self.value(end).code
        before = dict(self.kinds)
        self.kinds[name] = "int"
        inner = self.value(element)
        kinds = {"int": "wides" if wide else "ints", "bool": "flags"}
        kind = kinds.get(inner.kind, f"handles {inner.kind}")
        made = Value(self.language.array(kind, length, None), kind)
        self._emit(*self.language.declare(array, made))
        self._emit(*self.language.loop(name, "0", length))
        stored = self.language.store(Value(array, kind), name, inner.code)
        self._emit("\t" + stored + self.language.end(), "}")
        self.kinds = before
        return Value(array, kind)

    def _compare(self, a: Value, comparison: ast.cmpop, b: Value) -> Value:
        if isinstance(comparison, ast.In):
            return Value(self.language.contains(b.code, a.code), "bool")
        if isinstance(comparison, ast.Eq):
            return Value(self.language.equal(a, b), "bool")
        if isinstance(comparison, ast.NotEq):
            return Value(f"!({self.language.equal(a, b)})", "bool")
        return Value(f"({a.code} {_COMPARISONS[type(comparison)]} {b.code})", "bool")

    def _element(self, target: Value, index: str) -> Value:
        kinds = {"ints": "int", "wides": "int", "flags": "bool", "statuses": "status"}
        if target.kind.startswith("buffer "):
            kind = "double" if target.kind in ("buffer doubles", "buffer floats") else "int"
        elif target.kind.startswith("handles "):
            kind = target.kind.split()[1]
        else:
            kind = kinds[target.kind]
        return Value(self.language.element(target, index), kind)

    def _called(self, node: ast.Call) -> Value:
        language = self.language
        match node:
            case ast.Call(ast.Name(maker), [content]) if maker in ELEMENTS:
                given = self.value(content)
                values = [p.code for p in given.parts] if given.parts is not None else None
                if values is None and given.kind != "int":
                    raise Mistake(f"{maker} takes a number or a list")
                return Value(language.buffer(maker, given.code, values), f"buffer {maker}")
            case ast.Call(ast.Name("wide"), [ast.ListComp() as content]):
                return self.value(content, wide=True)
            case ast.Call(ast.Name(maker), [content]) if maker in ARRAYS:
                given = self.value(content)
                kind = ARRAYS[maker]
                return Value(language.array(kind, given.code, given.parts), kind)
            case ast.Call(ast.Name("handles"), [ast.Name(handle), content]):
                code = language.array(f"handles {handle}", self.value(content).code, None)
                return Value(code, f"handles {handle}")
            case ast.Call(ast.Name("status"), []):
                return language.helper("newStatus", [])
            case ast.Call(ast.Name("len"), [content]):
                return Value(language.length(self.value(content)), "int")
            case ast.Call(ast.Attribute(target, "at"), [index]):
                buffer = self.value(target)
                code = language.beyond(buffer, self.value(index).code)
                return Value(code, buffer.kind, endless=True)
            case ast.Call(ast.Name("have"), [ast.Name(name)]):
                return language.helper("have", [language.text(name)])
            case ast.Call(ast.Name("works"), [ast.Call() as call]):
                known, passed = self._parts(call)
                number = self._next()
                self._emit(*language.works(known, passed, number))
                return Value(f"works{number}", "bool")
            case ast.Call(ast.Name(name), arguments) if name in self.functions:
                (result,) = self._call(node)
                return result
            case ast.Call(ast.Name(name), arguments) if name in HELPERS:
                return language.helper(name, [self.value(a).code for a in arguments])
        raise Mistake(f"{ast.unparse(node)} is not in the language of the cases")


_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Div: "/", ast.Mod: "%",
    ast.LShift: "<<", ast.BitOr: "|", ast.BitAnd: "&",
}  # fmt: skip
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}

#: What the handwritten halves offer to cases, and the kind of the result.
HELPERS = {
    "calls": "int", "peek": "int", "poke": "none", "table": "text", "path": "text",
    "newStatus": "status", "have": "bool", "command": "text", "arguments": "texts",
    "shared_text": "text", "place_of": "int", "joined_socket": "int", "closed_socket": "none",
    "require": "none",
}  # fmt: skip


def functions(inputs: Inputs) -> dict[str, Known]:
    """What cases may call."""
    entries = {e.function.name: e for e in inputs.atlas.functions}
    return {
        f.name: Known(f, entries[f.name]) for f in inputs.plan.functions if f.decision == "generate"
    }


def defects(name: str) -> list[str]:
    """The defects (provision/matrix.json) with which a case cannot pass."""
    return [
        defect.id
        for defect in matrix().defects
        if any(fnmatchcase(name, pattern) for pattern in defect.cases)
    ]


@click.command()
@click.argument("language", type=click.Choice(["go", "java"]))
@click.argument("folder", type=click.Path(path_type=Path))
def command(language: str, folder: Path) -> int:
    """Write the conformance program of a language into a folder."""
    from tests.conformance import to_go, to_java, twins

    inputs = Inputs.of_known()
    known = functions(inputs)
    stated = cases(HERE / "cases")
    all_cases = stated + twins.cases(known, stated)
    writer = to_go.write if language == "go" else to_java.write
    writer(all_cases, known, inputs, folder)
    return 0


if __name__ == "__main__":
    sys.exit(run_command(command))
