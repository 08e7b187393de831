"""The cases in Java."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from mpiglot.generators.inputs import Inputs
from mpiglot.generators.java import names
from mpiglot.generators.java.generator import types_of
from mpiglot.generators.java.methods import write as lowered
from mpiglot.generators.java.model import Method
from mpiglot.generators.model import Argument
from tests.conformance.translate import HELPERS, HERE, Case, Known, Mistake, Value, Walker, defects

ROOT = HERE.parents[1]
_LOW = ROOT / "generated" / "java" / "src" / "main" / "java" / "dev" / "mpiglot" / "low"
_ARRAYS = {
    "ints": "int[]",
    "wides": "long[]",
    "flags": "boolean[]",
    "texts": "String[]",
    "statuses": "StatusValue[]",
    "ranges": "int[][]",
    "text lists": "String[][]",
}
_NAMED = re.compile(
    r"\{@code (MPIX?_\w+)\}.*?\*/\s*(?:@\w+\s*)*public static final ([\w\[\]]+) (\w+)", re.S
)


class Java:
    """How Java says it."""

    def __init__(self, inputs: Inputs) -> None:
        self.types = types_of(inputs.atlas, inputs.plan.functions)
        self.constants: dict[str, tuple[str, str]] = {}
        for path in sorted(_LOW.glob("*.java")):
            for comment in re.split(r"(?=/\*\*)", path.read_text(encoding="utf-8")):
                found = _NAMED.match(comment.removeprefix("/** ").removeprefix("/**"))
                if found:
                    code = f"{path.stem}.{found[3]}"
                    self.constants.setdefault(found[1], (code, found[2]))
        self.handles = {names.handle_class(h): h for h in self.types.handles}
        self.methods: dict[str, list[Method]] = {}

    def end(self) -> str:
        return ";"

    def constant(self, name: str) -> Value:
        if name in self.constants:
            code, kind = self.constants[name]
            if kind == "int":
                return Value(code, "int")
            if kind == "MemorySegment":
                return Value(code, "sentinel")
            if kind.endswith("[]"):
                return Value(code, "array")
            return Value(code, self.handles.get(kind, "callback"))
        if "IGNORE" in name or "NULL" in name:
            return Value("null", "none")
        raise Mistake(f"{name} has no name in Java")

    def text(self, value: str) -> str:
        return json.dumps(value)

    def declare(self, name: str, value: Value) -> list[str]:
        kinds = {
            "int": "long", "bool": "boolean", "double": "double", "text": "String",
            "status": "StatusValue",
        }  # fmt: skip
        if value.kind.startswith("buffer "):
            java = "MemorySegment"
        elif value.kind.startswith("handles "):
            java = names.handle_class(value.kind.split()[1]) + "[]"
        elif value.kind.startswith("MPI"):
            java = names.handle_class(value.kind)
        else:
            java = kinds.get(value.kind) or _ARRAYS[value.kind]
        return [f"{java} {name} = {value.code};"]

    def buffer(self, element: str, length: str, values: Sequence[str] | None) -> str:
        if values is None:
            return f"Memory.{element}({length})"
        kind = "double" if element in ("doubles", "floats") else "long"
        return f"Memory.{element}Of(new {kind}[] {{{', '.join(values)}}})"

    def element(self, buffer: Value, index: str) -> str:
        if buffer.kind.startswith("buffer "):
            return f"Memory.{buffer.kind[7:-1]}At({buffer.code}, {index})"
        return f"{buffer.code}[(int) ({index})]"

    def store(self, buffer: Value, index: str, value: str) -> str:
        if buffer.kind.startswith("buffer "):
            return f"Memory.{buffer.kind[7:-1]}To({buffer.code}, {index}, {value})"
        cast = "(int) (" if buffer.kind == "ints" else "("
        return f"{buffer.code}[(int) ({index})] = {cast}{value})"

    def beyond(self, buffer: Value, index: str) -> str:
        return f"Memory.{buffer.kind[7:]}From({buffer.code}, {index})"

    def array(self, kind: str, length: str, values: Sequence[Value] | None) -> str:
        java = _ARRAYS.get(kind) or names.handle_class(kind.split()[1]) + "[]"
        if values is None:
            if kind == "statuses":
                return f"Support.statuses({length})"
            if kind.startswith("handles "):
                element = java[:-2]
                return f"Support.filled(new {element}[(int) ({length})], {element}.NULL)"
            return f"new {java[:-2]}[(int) ({length})]"
        if kind == "ints":
            codes = [f"(int) ({v.code})" for v in values]
        else:
            codes = [v.code for v in values]
        return f"new {java} {{{', '.join(codes)}}}"

    def equal(self, left: Value, right: Value) -> str:
        if right.parts is not None:
            kind = left.kind[7:-1] if left.kind.startswith("buffer ") else ""
            values = ", ".join(v.code for v in right.parts)
            if kind:
                number = "double" if kind in ("double", "float") else "long"
                return f"Memory.{kind}sAre({left.code}, new {number}[] {{{values}}})"
            element = "boolean" if left.kind == "flags" else "long"
            return f"Support.same({left.code}, new {element}[] {{{values}}})"
        if left.kind == "text":
            return f"{left.code}.equals({right.code})"
        if left.kind.startswith("MPI"):
            return f"{left.code}.handle() == {right.code}.handle()"
        return f"{left.code} == {right.code}"

    def contains(self, text: str, part: str) -> str:
        return f"{text}.contains({part})"

    def length(self, value: Value) -> str:
        return f"{value.code}.length()" if value.kind == "text" else f"{value.code}.length"

    def pick(self, condition: str, first: str, second: str) -> str:
        return f"({condition} ? {first} : {second})"

    def attribute(self, value: Value, name: str) -> Value:
        return Value(f"{value.code}.{name}()", "int")

    def helper(self, name: str, arguments: Sequence[str]) -> Value:
        return Value(f"Support.{names.camel(name)}({', '.join(arguments)})", HELPERS[name])

    def callback(self, name: str) -> Value:
        return Value(f"Support::{names.camel(name)}", "callback")

    def check(self, condition: str, text: str) -> str:
        return f"Support.check({condition}, {json.dumps(text)});"

    def condition(self, code: str) -> str:
        return f"({code})"

    def loop(self, name: str, start: str, end: str) -> list[str]:
        return [f"for (long {name} = {start}; {name} < {end}; {name}++) {{"]

    # ------------------------------------------------------------- calls

    def call(
        self, known: Known, arguments: Sequence[Value], number: int
    ) -> tuple[list[str], list[str]]:
        before, called, after, method = self._called(known, arguments, number)
        results = known.results()
        if not results:
            return [*before, called + ";", *after], []
        whole = f"r{number}"
        lines = [*before, f"var {whole} = {called};", *after]
        f = known.plan
        if len(results) == 1:
            return lines, [self._converted(whole, results[0][1], method.returns)]
        codes = []
        for name, kind in results:
            p = names.parameter(name)
            if f.shape != "optional":
                codes.append(self._converted(f"{whole}.{p}()", kind, self._type(known, name)))
            elif (name, kind) == results[0]:
                codes.append(f"{whole}.isPresent()")
            elif len(results) == 2:
                boxed = f"{whole}.get()" + (".longValue()" if kind == "int" else "")
                inner = method.returns.removeprefix("Optional<").removesuffix(">")
                if inner == "MemorySegment":
                    boxed = f"{whole}.get().address()"
                codes.append(f"({whole}.isPresent() ? {boxed} : {_zero(kind)})")
            else:
                got = self._converted(f"{whole}.get().{p}()", kind, self._type(known, name))
                codes.append(f"({whole}.isPresent() ? {got} : {_zero(kind)})")
        return lines, codes

    def fails(
        self, known: Known, arguments: Sequence[Value], classes: Sequence[str], text: str
    ) -> list[str]:
        before, called, _, _ = self._called(known, arguments, 0)
        expected = f"{json.dumps(text)}, {', '.join(classes)}"
        return [
            "{",
            *(f"\t{line}" for line in before),
            "\tboolean failed = false;",
            f"\ttry {{ {called}; }} catch (MpiException e) {{",
            f"\t\tfailed = true; Support.failed(e, {expected});",
            "\t}",
            f"\tSupport.check(failed, {json.dumps(text + ' fails')});",
            "}",
        ]

    def works(self, known: Known, arguments: Sequence[Value], number: int) -> list[str]:
        before, called, after, _ = self._called(known, arguments, number)
        tried = f"try {{ {called}; works{number} = true; }} catch (MpiException e) {{ }}"
        return [*before, f"boolean works{number} = false;", tried, *after]

    def _type(self, known: Known, result: str) -> str:
        kinds = {r.name: r.kind for r in known.plan.results}
        return "MemorySegment" if kinds[result] == "pointer" else ""

    def _converted(self, code: str, kind: str, java: str) -> str:
        if java == "MemorySegment":
            return f"{code}.address()"
        return f"((long) {code})" if kind == "int" else code

    def _called(
        self, known: Known, arguments: Sequence[Value], number: int
    ) -> tuple[list[str], str, list[str], Method]:
        f = known.plan
        methods = self.methods.get(f.name)
        if methods is None:
            methods = lowered(f, known.entry, self.types, "").methods
            self.methods[f.name] = methods
        wide = any(v.kind == "wides" for v in arguments)
        method = methods[-1] if wide else methods[0]
        before: list[str] = []
        after: list[str] = []
        codes = []
        for i, (a, v) in enumerate(zip(known.arguments, arguments, strict=True)):
            java = method.parameters[i].type
            if a.kind == "scalar_ref":
                cell = f"cell{number}_{i}"
                cast = {"int[]": "(int) ", "boolean[]": "0 != "}.get(java, "")
                back = f"{cell}[0] ? 1 : 0" if java == "boolean[]" else f"{cell}[0]"
                before.append(f"{java} {cell} = {{{cast}{v.code}}};")
                after.append(f"{v.code} = {back};")
                codes.append(cell)
            else:
                codes.append(self._argument(a, v, java))
        chapter = names.CHAPTERS.get(f.chapter or "extensions", "")
        return before, f"{chapter}.{method.name}({', '.join(codes)})", after, method

    def _argument(self, a: Argument, v: Value, java: str) -> str:
        if v.kind == "none" or v.kind == "sentinel":
            return v.code
        if java == "int":
            return f"(int) ({v.code})"
        if java == "MemorySegment" and v.kind == "int":
            return f"MemorySegment.ofAddress({v.code})"
        if v.parts is not None and java.endswith("[]"):
            cast = "(int) " if java == "int[]" else ""
            return f"new {java} {{{', '.join(f'{cast}({p.code})' for p in v.parts)}}}"
        return v.code


def _zero(kind: str) -> str:
    return {"int": "0L", "bool": "false", "text": '""'}.get(kind, "null")


_HEAD = """// Code generated by mpiglot. DO NOT EDIT.
import static support.Support.left;
import static support.Support.rank;
import static support.Support.right;
import static support.Support.size;
import static support.Support.world;

import dev.mpiglot.low.*;
import dev.mpiglot.mpi.MpiException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import support.Memory;
import support.Support;

@SuppressWarnings({"deprecation", "unused"})
public final class Cases {

"""


def write(all_cases: Sequence[Case], known: dict[str, Known], inputs: Inputs, folder: Path) -> None:
    """The sources of a program in a folder."""
    (folder / "support").mkdir(parents=True, exist_ok=True)
    language = Java(inputs)
    table, bodies = [], []
    for case in all_cases:
        ids = "".join(f", {json.dumps(one)}" for one in defects(case.name))
        name = names.camel("case_" + case.name)
        row = f'"{case.name}", Cases::{name}, {case.ranks}, {case.most}{ids}'
        table.append(f"            new Support.Case({row})")
        try:
            lines = Walker(language, known).write(case)
        except Mistake as problem:
            raise Mistake(f"{case.name}, {problem}") from None
        bodies += [
            f"    private static void {name}() {{",
            *(f"    {x}" for x in lines),
            "    }",
            "",
        ]
    listed = "    public static void main(String[] args) {\n        Support.run(args, List.of(\n"
    text = _HEAD + listed + ",\n".join(table) + "));\n    }\n\n" + "\n".join(bodies) + "}\n"
    text = text.replace("\t", "    ")
    target = folder / "Cases.java"
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")
    for path in sorted((HERE / "java").glob("*.java")):
        shutil.copyfile(path, folder / "support" / path.name)
