"""The cases in Go."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from mpiglot.generators.go import names as go_names
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.model import Argument
from tests.conformance.translate import (
    HELPERS,
    HERE,
    Case,
    Known,
    Mistake,
    Value,
    Walker,
    defects,
)

ROOT = HERE.parents[1]
_ELEMENTS = {
    "ints": "int32",
    "longs": "int64",
    "doubles": "float64",
    "floats": "float32",
    "chars": "byte",
    "shorts": "int16",
}
_ARRAYS = {
    "ints": "[]int",
    "wides": "[]int",
    "flags": "[]bool",
    "texts": "[]string",
    "statuses": "[]low.Status",
    "ranges": "[][3]int",
    "text lists": "[][]string",
}
_NAMED = re.compile(r"// (\w+) is (MPIX?_\w+)[.:]")


class Go:
    """How Go says it."""

    def __init__(self, inputs: Inputs) -> None:
        self.closed = {s.name for s in inputs.atlas.value_sets if s.kind != "open"}
        self.kinds = {c.name: (c.cls, c.type.strip()) for c in inputs.atlas.constants}
        sets = {s.name: s.constants for s in inputs.atlas.value_sets}
        self.errors = set(sets["error_class"])
        self.names: dict[str, str] = {}
        for name in ("constants.go", "handles.go", "callbacks.go", "buffer.go"):
            text = (ROOT / "go_runtime" / "low" / name).read_text(encoding="utf-8")
            self.names.update({c: go for go, c in _NAMED.findall(text)})

    def end(self) -> str:
        return ""

    def constant(self, name: str) -> Value:
        cls, c_type = self.kinds.get(name, ("", ""))
        if name in self.names:
            kinds = {"handle": c_type, "sentinel": "sentinel", "function": "callback"}
            code = f"low.{self.names[name]}"
            if name in self.errors:
                return Value(f"int({code})", "int")
            return Value(code, kinds.get(cls, "int"))
        if cls in ("sentinel", "function"):
            return Value("nil", "none")
        raise Mistake(f"{name} has no name in Go")

    def text(self, value: str) -> str:
        return json.dumps(value)

    def declare(self, name: str, value: Value) -> list[str]:
        code = f"int({value.code})" if value.kind == "int" else value.code
        if value.kind in ("status",) or not value.kind.startswith("MPI"):
            return [f"{name} := {code}", f"_ = {name}"]
        return [f"var {name} low.{go_names.exported(value.kind)} = {code}", f"_ = {name}"]

    def buffer(self, element: str, length: str, values: Sequence[str] | None) -> str:
        kind = _ELEMENTS[element]
        if values is None:
            return f"make([]{kind}, {length})"
        return f"[]{kind}{{{', '.join(f'{kind}({v})' for v in values)}}}"

    def element(self, buffer: Value, index: str) -> str:
        if buffer.kind == "statuses":
            return f"(&{buffer.code}[{index}])"
        code = f"{buffer.code}[{index}]"
        if buffer.kind in ("buffer doubles", "buffer floats"):
            return f"float64({code})"
        return f"int({code})" if buffer.kind.startswith("buffer ") else code

    def store(self, buffer: Value, index: str, value: str) -> str:
        kind = _ELEMENTS.get(buffer.kind.removeprefix("buffer "))
        made = f"{kind}({value})" if kind and buffer.kind.startswith("buffer ") else value
        return f"{buffer.code}[{index}] = {made}"

    def beyond(self, buffer: Value, index: str) -> str:
        return f"{buffer.code}[{index}:]"

    def array(self, kind: str, length: str, values: Sequence[Value] | None) -> str:
        if kind.startswith("handles "):
            go = f"[]low.{go_names.exported(kind.split()[1])}"
        else:
            go = _ARRAYS[kind]
        if values is None:
            return f"make({go}, {length})"
        if kind == "ranges":
            codes = [v.code.replace("[]int", "[3]int", 1) for v in values]
        else:
            codes = [v.code for v in values]
        return f"{go}{{{', '.join(codes)}}}"

    def equal(self, left: Value, right: Value) -> str:
        if right.parts is not None:
            values = ", ".join(v.code for v in right.parts)
            return f"same({left.code}, {values})"
        return f"{left.code} == {right.code}"

    def contains(self, text: str, part: str) -> str:
        return f"strings.Contains({text}, {part})"

    def length(self, value: Value) -> str:
        return f"len({value.code})"

    def pick(self, condition: str, first: str, second: str) -> str:
        return f"pick({condition}, {first}, {second})"

    def attribute(self, value: Value, name: str) -> Value:
        return Value(f"{value.code}.{name.capitalize()}()", "int")

    def helper(self, name: str, arguments: Sequence[str]) -> Value:
        return Value(f"{go_names.parameters([name])[name]}({', '.join(arguments)})", HELPERS[name])

    def callback(self, name: str) -> Value:
        words = name.split("_")
        return Value(words[0] + "".join(w.capitalize() for w in words[1:]), "callback")

    def check(self, condition: str, text: str) -> str:
        return f"check({condition}, {json.dumps(text)})"

    def condition(self, code: str) -> str:
        return code

    def loop(self, name: str, start: str, end: str) -> list[str]:
        return [f"for {name} := {start}; {name} < {end}; {name}++ {{", f"\t_ = {name}"]

    # ------------------------------------------------------------- calls

    def call(
        self, known: Known, arguments: Sequence[Value], number: int
    ) -> tuple[list[str], list[str]]:
        names = [f"r{number}{chr(97 + i)}" for i in range(len(known.results()))]
        error = [] if known.plan.returns == "double" else [f"e{number}"]
        called = f"low.{go_names.exported(known.plan.name)}({self._given(known, arguments)})"
        lines = [f"{', '.join(self._ordered(known, names) + error)} := {called}"]
        if error:
            lines.append(f"succeeded({error[0]})")
        codes = []
        for name, (_, kind) in zip(names, known.results(), strict=True):
            lines.append(f"_ = {name}")
            codes.append(f"int({name})" if kind == "int" else name)
        return lines, codes

    def fails(
        self, known: Known, arguments: Sequence[Value], classes: Sequence[str], text: str
    ) -> list[str]:
        blanks = ["_"] * len(known.results())
        called = f"low.{go_names.exported(known.plan.name)}({self._given(known, arguments)})"
        return [
            "{",
            f"\t{', '.join([*blanks, 'err'])} := {called}",
            f"\tfailed(err, {json.dumps(text)}, {', '.join(classes)})",
            "}",
        ]

    def works(self, known: Known, arguments: Sequence[Value], number: int) -> list[str]:
        blanks = ["_"] * len(known.results())
        called = f"low.{go_names.exported(known.plan.name)}({self._given(known, arguments)})"
        return [
            f"{', '.join([*blanks, f'e{number}'])} := {called}",
            f"works{number} := e{number} == nil",
        ]

    def _ordered(self, known: Known, names: list[str]) -> list[str]:
        """Go hands a flag that guards the others back after them."""
        if known.plan.shape == "optional":
            return names[1:] + names[:1]
        order = [r.name for r in known.plan.results]
        if known.plan.returns not in ("error", "void") or not order:
            return names
        by_name = dict(zip((name for name, _ in known.results()), names, strict=True))
        return [by_name[name] for name in order]

    def _given(self, known: Known, arguments: Sequence[Value]) -> str:
        pairs = zip(known.arguments, arguments, strict=True)
        return ", ".join(self._argument(a, v) for a, v in pairs)

    def _argument(self, a: Argument, v: Value) -> str:
        if a.kind in ("handle_ref", "scalar_ref"):
            return f"&{v.code}"
        if a.kind in ("buffer", "memory"):
            if v.kind == "none":
                return "low.Buffer{}"
            if v.kind == "int":
                return f"low.Address(uintptr({v.code}))"
            if v.endless:
                return f"roomAt({v.code})"
            return v.code if v.kind == "sentinel" else f"low.Slice({v.code})"
        if a.kind == "address":
            return f"uintptr({v.code})"
        if a.kind == "enum" and a.values in self.closed:
            return f"low.{go_names.type_name(a.values or '')}({v.code})"
        if a.kind == "plain" and v.kind.startswith("buffer "):
            return f"unsafe.Pointer(unsafe.SliceData({v.code}))"
        if a.kind.startswith("span") and v.parts == ():
            element = go_names.exported(a.type) if a.element == "handle" else ""
            kind = {"handle": f"[]low.{element}", "flag": "[]bool", "range": "[][3]int"}
            return kind.get(a.element, "[]int") + "{}"
        return v.code


_HEAD = """// Code generated by mpiglot. DO NOT EDIT.

package main

import (
	"strings"
	"unsafe"

	"mpiglot.dev/mpi/low"
)

var (
	_ = strings.Contains
	_ unsafe.Pointer
)

var cases = []conformanceCase{
"""

_MODULE = """module conformance

go 1.24

require mpiglot.dev/mpi/low v0.0.0

replace mpiglot.dev/mpi/low => {low}
"""


def write(all_cases: Sequence[Case], known: dict[str, Known], inputs: Inputs, folder: Path) -> None:
    """A program, ready to be built, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    language = Go(inputs)
    table, bodies = [], []
    for case in all_cases:
        ids = ", ".join(json.dumps(one) for one in defects(case.name))
        name = go_names.exported("MPI_case_" + case.name)
        table.append(f'\t{{"{case.name}", {name}, {case.ranks}, {case.most}, []string{{{ids}}}}},')
        try:
            lines = Walker(language, known).write(case)
        except Mistake as problem:
            raise Mistake(f"{case.name}, {problem}") from None
        bodies += ["", f"func {name}() {{", *lines, "}"]
    text = _HEAD + "\n".join(table) + "\n}\n" + "\n".join(bodies) + "\n"
    _write(folder / "cases.go", text)
    _write(folder / "go.mod", _MODULE.format(low=ROOT / "go_runtime" / "low"))
    for path in sorted((HERE / "go").glob("*.go")):
        shutil.copyfile(path, folder / path.name)


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
