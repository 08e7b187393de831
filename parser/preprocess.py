"""The header as the wrapper's own compiler sees it: preprocessed text and live macros."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.process import Result, run
from mpiglot.parser.wrapper import Wrapper

INCLUDES = """\
#include <stddef.h>
#include <mpi.h>
#ifdef __has_include
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif
"""

CLANG_ERRORS = ("-ferror-limit=0", "-fno-caret-diagnostics")
GCC_ERRORS = ("-fmax-errors=0", "-fno-diagnostics-show-caret", "-ftrack-macro-expansion=0")
# Behind the header: what a wrapper prints to standard output beside its compiler is none of it.
_END = "mpiglot_end_of_header"
_DEFINE = re.compile(r"#define (\w+)(\(([^)]*)\))?(?: (.*))?$")
_MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"')
_ABSENT = re.compile(r"\bmpi\.h['\"]?(?: file not found|: No such file)")
_PLACE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: (?P<what>.*)$", re.M
)


@dataclass(slots=True)
class Macro:
    """A macro that is defined when the header has been read."""

    name: str
    parameters: list[str] | None  # None: object-like
    body: str
    file: str

    @property
    def builtin(self) -> bool:
        return self.file.startswith("<built-in")

    @property
    def from_command(self) -> bool:
        return self.file.startswith("<")

    def directive(self) -> str:
        """The line that defines it."""
        head = self.name if self.parameters is None else f"{self.name}({','.join(self.parameters)})"
        return f"#define {head} {self.body}"


@dataclass(slots=True)
class Preprocessed:
    """What preprocessing `mpi.h` gave."""

    text: str  # declarations only: no directives but line markers
    macros: dict[str, Macro] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)

    def value(self, name: str) -> str:
        """The body of a macro, "" where there is none."""
        macro = self.macros.get(name)
        return macro.body if macro else ""

    @property
    def error_flags(self) -> list[str]:
        """Flags that make the compiler report every error, each at the line of its own."""
        if "__clang__" in self.macros:
            return list(CLANG_ERRORS)
        return list(GCC_ERRORS) if "__GNUC__" in self.macros else []

    def place(self, number: int) -> str:
        """Where a line of the text came from, as `file:line`."""
        file, line = "mpi.h", 0
        for text in self.text.splitlines()[:number]:
            marker = _MARKER.match(text)
            line = int(marker[1]) - 1 if marker else line + 1
            file = marker[2] if marker else file
        return f"{file}:{line}"

    def defines(self) -> str:
        """All macros of headers as `#define` lines."""
        return "\n".join(m.directive() for m in self.macros.values() if not m.from_command)


def preprocess(wrapper: Wrapper) -> tuple[Preprocessed, Wrapper]:
    """`mpi.h` (and `mpi-ext.h` where it exists) as the wrapper's compiler reads it.

    Where the flags that the wrapper shows do not lead to a header, the wrapper itself is asked: the
    second result is what has to be used from then on.
    """
    try:
        return _read(wrapper), wrapper
    except EnvironmentProblem as problem:
        if not wrapper.answers:
            raise
        try:
            itself = wrapper.itself(f"does not read mpi.h ({_reason(problem)})")
            return _read(itself), itself
        except EnvironmentProblem:
            raise problem from None


def _read(wrapper: Wrapper) -> Preprocessed:
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as name:
        folder = Path(name)
        source = folder / "header.c"
        source.write_text(f"{INCLUDES}{_END}\n", encoding="utf-8")
        result = _preprocessor(wrapper, "-dD", source)
        found = split(_framed(result.out))
        if not (result.ok and found.macros):
            plain = _preprocessor(wrapper, "-w", source)
            if plain.ok:
                result, found = plain, split(_framed(plain.out))
                found.macros = _listed(wrapper, source) if _leads_to_mpi(found) else {}
        if not result.ok and _ABSENT.search(result.err):
            raise EnvironmentProblem(
                f"{wrapper.path} leads to no mpi.h: install the files for development of this MPI "
                "(libmpich-dev or libopenmpi-dev on Debian), or name another wrapper with --mpicc"
            )
        if not result.ok:
            said = first_error(result, folder)
            raise EnvironmentProblem(f"{wrapper.name}: mpi.h cannot be read: {said}")
    if not _leads_to_mpi(found):
        raise EnvironmentProblem(
            f"{wrapper.path} is no MPI compiler wrapper: asked to read mpi.h it prints something "
            "else; name another with --mpicc"
        )
    return found


def _leads_to_mpi(found: Preprocessed) -> bool:
    return any(Path(name).name in ("mpi.h", "mpi_abi.h") for name in found.files)


def _preprocessor(wrapper: Wrapper, option: str, source: Path) -> Result:
    command = [*wrapper.command, *wrapper.compile_flags, "-E", option, str(source)]
    return run(command, env=wrapper.env())


def _framed(text: str) -> str:
    """The compiler's own output: from its first line marker to the end of the header."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if _MARKER.match(line)), 0)
    last = next((i for i, line in enumerate(lines) if line.strip() == _END), len(lines))
    return "\n".join(lines[first:last]) + "\n"


def _listed(wrapper: Wrapper, source: Path) -> dict[str, Macro]:
    """The macros of a compiler that has no `-dD` but lists them with `-dM`."""
    empty = source.with_name("empty.c")
    empty.write_text("\n", encoding="utf-8")
    before, after = (_preprocessor(wrapper, "-dM", file) for file in (empty, source))
    found = split(after.out).macros if after.ok else {}
    if not found:
        raise EnvironmentProblem(
            f"the compiler of {wrapper.name} lists no macros (neither with -dD nor with -dM): "
            "name another wrapper of this MPI with --mpicc"
        )
    own = split(before.out).macros
    for name, macro in found.items():
        given = name in own and own[name].body == macro.body
        flag = name.startswith(("MPI", "PMPI"))  # no compiler has a macro of this name
        macro.file = ("<command-line>" if flag else "<built-in>") if given else "mpi.h"
    return found


def _reason(problem: EnvironmentProblem) -> str:
    said = str(problem)
    return said.partition("cannot be read: ")[2] or said.partition(": install")[0]


def split(text: str) -> Preprocessed:
    """Takes the output of `-E -dD` apart into declarations and the macros alive at the end."""
    kept: list[str] = []
    macros: dict[str, Macro] = {}
    files: dict[str, None] = {}
    file = ""
    for line in text.splitlines():
        if not line.startswith("#"):
            kept.append(line)
            continue
        marker = _MARKER.match(line)
        if marker:
            file = marker[2]
            files[file] = None
            kept.append(line)
            continue
        kept.append("")
        define = _DEFINE.match(line)
        if define:
            inner = define[3]
            names = None if define[2] is None else _names(inner)
            macros.pop(define[1], None)
            macros[define[1]] = Macro(define[1], names, (define[4] or "").strip(), file)
        elif line.startswith("#undef "):
            macros.pop(line[len("#undef ") :].strip(), None)
    return Preprocessed("\n".join(kept), macros, [f for f in files if not f.startswith("<")])


def check_syntax(wrapper: Wrapper, includes: str = INCLUDES) -> Result:
    """What the wrapper's compiler says about the header."""
    command = [*wrapper.command, *wrapper.compile_flags, "-w", "-fsyntax-only", "-x", "c", "-"]
    return run(command, env=wrapper.env(), stdin=includes)


def first_error(result: Result, folder: Path | None = None) -> str:
    """The first error of a compiler as `file:line: message`.

    A file in `folder`, which is about to be removed, is not named.
    """
    found = _PLACE.search(result.err)
    if found is None:
        return nameless(result.first_line(), folder)
    if folder is not None and Path(found["file"]).parent == folder:
        return found["what"]
    return f"{found['file']}:{found['line']}: {found['what']}"


def nameless(text: str, folder: Path | None) -> str:
    """A message without the files of a folder that is about to be removed."""
    if folder is None:
        return text
    return re.sub(rf"{re.escape(str(folder))}/[\w.-]+", "the measuring program", text)


def in_header(result: Result, files: list[str]) -> bool:
    """Whether a compiler found its first error in one of these headers."""
    found = _PLACE.search(result.err)
    return found is not None and found["file"] in files


def error_lines(result: Result, file: Path) -> set[int]:
    """The lines of `file` that a compiler found errors in."""
    return {int(m["line"]) for m in _PLACE.finditer(result.err) if Path(m["file"]) == file}


def _names(inner: str) -> list[str]:
    return [name.strip() for name in inner.split(",")] if inner.strip() else []
