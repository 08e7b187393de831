"""Whether the C++ that was generated for an MPI compiles, and what of it does not.

The compiler of the MPI reads what was generated; without one, the identifiers are compared with
those of the blueprint. Each complaint stands in the text of a function, a constant or a callback
type: that item is left out, with its reason, and the rest is generated anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.blueprints.model import Blueprint, dumps
from mpiglot.exchange.produce import Product, Unit, produce
from mpiglot.generators.cpp.generator import EXTERN_C
from mpiglot.generators.inputs import Inputs, Named
from mpiglot.generators.model import Atlas, File, Plan
from mpiglot.parser import floor
from mpiglot.parser.cache import Cache, Entry
from mpiglot.parser.process import run
from mpiglot.parser.siblings import COMPILERS, WRAPPERS, cxx_beside
from mpiglot.parser.wrapper import environment_of

LIMIT_S = 300.0
_CPP = ("cpp", "pmpi")  # the PMPI library is the layer, and functions that call it
_ROUNDS = 40  # what was left out may show what else is wrong
_CAREFUL = 20  # of them blame nothing for what follows from another mistake
_GCC = ("-ftrack-macro-expansion=0", "-fmax-errors=0")  # an error stands where a macro is used
# What may change how a header reads. A blueprint is data from elsewhere: it gets no plugin loaded
# and no file written.
_FLAG = re.compile(
    r"-([IDU].|m(32|64|x32|abi=|arch=|cpu=|long-double|pi-abi$)|f(short-enums|short-wchar|pack-struct"
    r"|unsigned-char|signed-char|openmp)|-?sysroot=|-target=|stdlib=libc)"
)
_WITH_WORD = ("-I", "-isystem", "-D", "-U", "-target", "--sysroot")
_PLACE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: (?P<what>.*)$")
_NAME = re.compile(r"\bMPIX?_\w+")
_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:\\\n|[^\n])*', re.MULTILINE | re.DOTALL
)
_MADE_HERE = re.compile(
    r"\b(?:using|constexpr [\w:*]+(?: ?\*)?|inline int MPIGLOT_PLAIN\(|mpi::not_implemented)"
    r"[ (]*(MPIX?_\w+)"
)
_CALLBACK = re.compile(r"^/// (MPIX?_\w+): a callable")


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with one line of a generated file, or of mpi.h."""

    path: str  # of the generated file, or the whole path of another one
    line: int
    what: str
    name: str = ""  # of MPI, which is in the code and not in the header


@dataclass(slots=True)
class Proof:
    """What was generated in the end, and what was left out of it."""

    product: Product
    left_out: dict[str, str]  # function, constant or callback type -> reason


Check = Callable[[Sequence[File]], list[Complaint]]


def made(unit: Unit, inputs: Inputs, checked: bool) -> Proof:
    """What a unit generates; C++ for one MPI without what does not compile, if it is `checked`."""
    if not checked or unit.language not in _CPP or unit.plugin is not None:
        return Proof(produce(unit, inputs), {})
    return prove(unit, inputs)


def prove(unit: Unit, inputs: Inputs) -> Proof:
    """Generates C++ of which everything compiles."""
    named = next((n for n in inputs.blueprints if n.name == unit.target), None)
    if named is None:
        return Proof(produce(unit, inputs), {})  # which says what is wrong
    found = named.blueprint
    floor.check(found, str(unit.target))
    _check_handles(found, str(unit.target))
    compiler = _compiler(found)
    check = _check(found, compiler)
    if compiler is not None and found.mpi.abi != "mpich" and _lacks_linkage(compiler):
        unit = replace(unit, options={**unit.options, EXTERN_C: "yes"})
    atlas, plan = inputs.atlas, inputs.plan
    refused: dict[str, str] = {}
    gone: set[str] = set()
    for number in range(_ROUNDS):
        product = produce(unit, inputs, atlas, plan)
        complaints = check(product.files)
        if not complaints:
            return _proof(product, refused, named)
        items = _items(complaints, product.files, found, plan, number < _CAREFUL)
        again = items.keys() & refused.keys()
        if not items or not (items.keys() - refused.keys() or again - gone):
            break
        refused = {**items, **refused}
        gone |= again  # a function whose mere signature does not compile
        atlas = _without(inputs.atlas, str(unit.target), refused)
        plan = _skipping(inputs.plan, gone, refused)
    raise EnvironmentProblem(_sentence(str(unit.target), complaints))


def _check_handles(blueprint: Blueprint, target: str) -> None:
    handles = {h.name for h in catalogue.load().handles}
    for t in blueprint.types:
        if t.name in handles and t.kind == "struct":
            raise EnvironmentProblem(
                f"no C++ can be generated for {target}: its {t.name} is a structure, and a handle "
                "must be a number or a pointer"
            )


def _proof(product: Product, refused: dict[str, str], named: Named) -> Proof:
    said = {*product.warnings, *map(": ".join, refused.items())}
    product.warnings = product.manifest["warnings"] = sorted(said)
    _remember(named, refused)
    return Proof(product, dict(sorted(refused.items())))


# --------------------------------------------------------------------------- for `mpiglot show`


def recall(named: Named) -> dict[str, str]:
    """What the last generation of C++ for this blueprint has left out, and why."""
    entry = Cache().find(_key(named))
    try:
        data = json.loads(entry.text) if entry else {}
    except ValueError:
        return {}
    return {str(name): str(reason) for name, reason in data.items()}


def _remember(named: Named, refused: dict[str, str]) -> None:
    if refused or recall(named):
        Cache().keep(_key(named), Entry(json.dumps(refused)), [])


def _key(named: Named) -> str:
    return "cpp-" + hashlib.sha256(dumps(named.blueprint).encode("utf-8")).hexdigest()


def _sentence(target: str, complaints: Sequence[Complaint]) -> str:
    first = complaints[0]
    place = f"{first.path}:{first.line}: " if first.line else ""
    return f"the C++ for {target} does not compile, whatever is left out of it: {place}{first.what}"


# --------------------------------------------------------------------------- what is left out


def _without(atlas: Atlas, target: str, refused: dict[str, str]) -> Atlas:
    """The atlas with a target that cannot serve some functions and constants."""
    functions = [
        replace(
            f,
            present=[replace(p, status="refused") if p.target == target else p for p in f.present],
        )
        if f.function.name in refused
        else f
        for f in atlas.functions
    ]
    constants = [
        replace(c, values=[v for v in c.values if v.target != target]) if c.name in refused else c
        for c in atlas.constants
    ]
    return replace(atlas, functions=functions, constants=constants)


def _skipping(plan: Plan, gone: set[str], refused: dict[str, str]) -> Plan:
    functions = [
        replace(f, decision="skip", reason=refused[f.name]) if f.name in gone else f
        for f in plan.functions
    ]
    return replace(plan, functions=functions)


def _items(
    complaints: Iterable[Complaint],
    files: Sequence[File],
    blueprint: Blueprint,
    plan: Plan,
    careful: bool,
) -> dict[str, str]:
    """The functions and constants in whose text something is wrong, and what.

    If `careful`, these are the ones that the compiler names; else the first one.
    """
    lines = {f.path: f.content.splitlines() for f in files}
    functions = {f.name for f in blueprint.functions}
    constants = {c.name for c in blueprint.constants}
    callbacks: dict[str, list[str]] = {}
    for f in plan.functions:
        for a in f.arguments:
            if a.kind == "callback":
                callbacks.setdefault(a.type, []).append(f.name)
    out: dict[str, str] = {}
    sure: dict[str, str] = {}
    for complaint in complaints:
        text = lines.get(complaint.path)
        if text is None or (careful and out and not _NAME.search(complaint.what)):
            continue
        for name in _named(text, complaint.line, functions | constants, callbacks):
            for one in callbacks.get(name, [name]):
                reason = _reason(one, complaint.what)
                if careful and re.search(rf"\b{one}\b", complaint.what):
                    sure.setdefault(one, reason)
                elif not (careful and out):
                    out.setdefault(one, reason)
    return sure or out


def _reason(name: str, what: str) -> str:
    plain = re.sub(r"[\u2018\u2019\"`]", "'", re.sub(r"; did you mean.*$", "", what))
    if re.match(rf"('{name}' was not declared|use of undeclared identifier '{name}')", plain):
        return "left out: the header declares it for C only"
    return f"left out: it does not compile in C++ ({plain})"


def _named(
    text: Sequence[str], line: int, known: set[str], callbacks: dict[str, list[str]]
) -> list[str]:
    """The items that a line is about: those on it, else those of the paragraph it stands in."""
    here = [n for n in _NAME.findall(_NOT_CODE.sub("", text[line - 1])) if n in known]
    if here:
        return here
    begin = end = line - 1
    while begin > 0 and text[begin - 1].strip():
        begin -= 1
    while end + 1 < len(text) and text[end + 1].strip():
        end += 1
    paragraph = "\n".join(text[begin : end + 1])
    called = re.findall(r"\bMPIGLOT_(?:MPI|EARLY|PLAIN)\((MPIX?_\w+)\)", paragraph)
    if called := [n for n in called if n in known]:
        return called
    for above in reversed(text[:line]):  # a callback type is several paragraphs
        if match := _CALLBACK.match(above):
            return [match[1]] if match[1] in callbacks else []
    by_name = {n.lower().removeprefix("mpi_"): n for n in known}
    of_cpp = re.findall(r"\bnothrow::(\w+)\(", paragraph) or re.findall(
        r"^(?:\[\[nodiscard\]\] )?inline [^(]*?\b(\w+)\(", paragraph, re.MULTILINE
    )
    return [by_name[n] for n in of_cpp if n in by_name]


# --------------------------------------------------------------------------- the two checks


def _check(blueprint: Blueprint, compiler: list[str] | None) -> Check:
    """The check that is possible here: the compiler's where the header is."""
    if compiler is None:
        return lambda files: unknown_names(files, blueprint)
    return lambda files: _compile(files, compiler)


def _compiler(blueprint: Blueprint) -> list[str] | None:
    """The C++ compiler that belongs to the MPI's C compiler, with the flags for its header."""
    paths = blueprint.toolchain.paths
    command = [str(word) for word in paths.get("command", [])]
    include = [str(folder) for folder in paths.get("include", [])]
    if not command or not all(Path(folder).is_dir() for folder in include):
        return None
    chosen = os.environ.get("CXX")
    words = shlex.split(chosen) if chosen else _beside(command)
    if not words or shutil.which(words[0]) is None:
        return None
    flags = _flags([*command[1:], *map(str, paths.get("flags", []))])
    flags += [f"-I{folder}" for folder in include if f"-I{folder}" not in flags]
    needed = environment_of(Path(shutil.which(words[0]) or words[0]), os.environ)
    compiler = [*(["env", *map("=".join, needed.items())] if needed else []), *words]
    compiler += ["-std=c++20", "-fsyntax-only", "-w", *flags]
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
        source = Path(folder) / "header.cpp"
        text = "#if !__has_include(<mpi.h>)\n#error\n#endif\n"
        text += "static_assert(__cplusplus > 201703L);\n"
        source.write_text(text, encoding="utf-8")
        for more in (_GCC, ()):
            if run([*compiler, *more, str(source)], limit=LIMIT_S).ok:
                return [*compiler, *more]
    return None


def _beside(command: Sequence[str]) -> list[str]:
    """The C++ compiler beside a C compiler, which may be the last word of a command."""
    beside = (cxx_beside(word, (*WRAPPERS, *COMPILERS)) for word in reversed(command))
    found = next((str(one) for one in beside if one), None)
    found = found or shutil.which("c++") or shutil.which("g++")
    return [found] if found else []


def _flags(flags: Sequence[str]) -> list[str]:
    out: list[str] = []
    words = iter(flags)
    for word in words:
        if word in _WITH_WORD:
            out += [word, next(words, "")]
        elif _FLAG.match(word):
            out.append(word)
    return out


def _compile(files: Sequence[File], compiler: Sequence[str]) -> list[Complaint]:
    """What the compiler says of all headers together."""
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
        root = Path(folder).resolve()
        headers = [f for f in files if f.path.endswith(".hpp")]
        sources = [f for f in files if f.path.endswith(".cpp")]
        for f in (*headers, *sources):
            path = root / f.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f.content, encoding="utf-8")
        source = root / "all.cpp"
        includes = "".join(f"#include <{f.path}>\n" for f in (*headers, *sources))
        source.write_text(f"#include <mpiglot/mpi.hpp>\n{includes}", encoding="utf-8")
        done = run([*compiler, f"-I{root}", str(source)], env=_plain(), limit=LIMIT_S)
    if done.ok:
        return []
    found = [*_places(done.err + done.out, root)]
    return found or [Complaint("", 0, done.first_line())]


def _lacks_linkage(compiler: Sequence[str]) -> bool:
    """True if the header declares C functions as if they were C++'s."""
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
        source = Path(folder) / "linkage.cpp"
        source.write_text(
            '#include <mpi.h>\nextern "C" int MPI_Finalize(void);\n', encoding="utf-8"
        )
        done = run([*compiler, str(source)], env=_plain(), limit=LIMIT_S)
    return not done.ok and "linkage" in done.err


def _plain() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}


def _places(text: str, root: Path) -> Iterator[Complaint]:
    for line in text.splitlines():
        if match := _PLACE.match(line):
            path = match["file"]
            if Path(path).is_absolute() and Path(path).is_relative_to(root):
                path = str(Path(path).relative_to(root))
            yield Complaint(path, int(match["line"]), match["what"])


def unknown_names(files: Sequence[File], blueprint: Blueprint) -> list[Complaint]:
    """The names of MPI in the code that the header does not have."""
    known = {f.name for f in blueprint.functions} | {c.name for c in blueprint.constants}
    known |= {c.name for c in blueprint.callbacks} | {t.name for t in blueprint.types}
    known |= {f.name for t in blueprint.types for f in t.fields}
    texts = {
        f.path: _NOT_CODE.sub(lambda m: "\n" * m[0].count("\n"), f.content)
        for f in files
        if f.path.endswith(".hpp")
    }
    for text in texts.values():
        known.update(_MADE_HERE.findall(text))
    return [
        Complaint(path, number, f"the header does not declare {name}", name)
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        for name in _NAME.findall(line)
        if name not in known
    ]
