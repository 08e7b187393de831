"""Measuring by doing: a few compiler calls and one run for a whole MPI.

The program of `program.py` is compiled, linked and run once. What does not compile or link is named
by the compiler's or linker's own messages, taken out, and the rest is tried again; only messages
that name nothing lead to bisection. Where the program cannot be started, the table is read from the
object file, and symbol tables say where things lie.
"""

from __future__ import annotations

import re
import shlex
import signal
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser import symbols
from mpiglot.parser.preprocess import (
    CLANG_ERRORS,
    GCC_ERRORS,
    check_syntax,
    error_lines,
    first_error,
    nameless,
)
from mpiglot.parser.process import NotStarted, Result, run
from mpiglot.parser.program import Program, read_table
from mpiglot.parser.start import Starter
from mpiglot.parser.symbols import Address
from mpiglot.parser.wrapper import Wrapper, linker_words

_UNDEFINED = re.compile(
    r"undefined reference to [`'\"]([\w$.@]+)"
    r"|undefined symbol: ([\w$.@]+)"
    r"|^\s*\"_([\w$.]+)\", referenced",
    re.M,
)
_OTHER = re.compile(r"symbol lookup error:.*(?:undefined symbol|symbol): (\w+)")
_NEEDING = re.compile(r"([^\s/()]+\.(?:a|so)[\w.]*)(?:\(|: undefined)")
_NOT_FOUND = re.compile(r"warning: (\S+), needed by (\S+), not found")
_SHOWN = 4
_LOADER = re.compile(r"cannot open shared object file|Library not loaded|image not found")


@dataclass(slots=True)
class Measured:
    """What the program found."""

    wrapper: Wrapper  # what built the program: with its flags, or by itself
    how: str = "run"  # "run", "launcher", "object", "compiled"
    numbers: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, Address] = field(default_factory=dict)
    linked: set[str] = field(default_factory=set)  # keys of addresses that linked
    stubs: set[str] = field(default_factory=set)  # functions that say that they do nothing
    library_version: str = ""
    warnings: list[str] = field(default_factory=list)


def measure(
    wrapper: Wrapper,
    program: Program,
    starter: Starter,
    error_flags: Sequence[str] = (),
    progress: Callable[[str], None] = lambda _: None,
    accept_unlinked: bool = False,
) -> Measured:
    """Compiles, links and runs `program`.

    A library that nothing links with is an error, unless `accept_unlinked`: then all that the
    header declares is taken to be there.
    """
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as name:
        folder = Path(name)
        one = _Measurement(wrapper, program, starter, error_flags, folder, progress)
        return one.run(accept_unlinked)


class _Measurement:
    def __init__(
        self,
        wrapper: Wrapper,
        program: Program,
        starter: Starter,
        error_flags: Sequence[str],
        folder: Path,
        progress: Callable[[str], None],
    ) -> None:
        self.wrapper = wrapper
        self.progress = progress
        self.linker_flags: list[str] = []
        self.error_flags = error_flags
        self.program = program
        self.starter = starter
        self.folder = folder
        self.result = Measured(wrapper)
        self.everything = (list(program.addresses), program.version)

    def run(self, accept_unlinked: bool) -> Measured:
        why = self._build()
        self.result.wrapper = self.wrapper
        if why and not accept_unlinked:
            raise EnvironmentProblem(
                f"{why}; with --accept-unlinked values come from the compiler, and all that the "
                "header declares is taken to be there"
            )
        if why:
            self.program.addresses, self.program.version = self.everything
            self.result.linked = {key for key, _ in self.program.addresses}
            self.result.how = "compiled"
            self.result.warnings.append(
                f"{why}: values come from the compiler, and all that the header declares is taken "
                "to be there"
            )
            return self._from_object()
        self.result.linked = {key for key, _ in self.program.addresses}
        self._start()
        return self.result

    # ------------------------------------------------------------------------------ building

    def _build(self) -> str:
        """Builds the program, taking out what cannot be had; says why no MPI can be linked."""
        name = self.wrapper.name
        while True:
            compiled = self._compile(self.program.text())
            if not compiled.ok:
                self._drop_uncompilable(compiled)
                continue
            linked = self._link()
            if linked.ok:
                if self._functions():
                    return ""
                if not self._by_itself("links with no MPI library"):
                    return f"{name} links with no MPI library"
            elif not self._drop_undefined(linked):
                said = nameless(linked.first_line(), self.folder)
                if self._by_itself(f"does not link ({said})"):
                    continue
                lacking = _lacking(linked)
                if lacking:
                    return f"no program can be linked with {name}: {lacking}"
                if not self._bisect():
                    return f"no program can be linked with {name} ({said})"

    def _functions(self) -> bool:
        """Whether a function is left in the program, or never was one in it."""
        before = any(key.startswith("function:") for key, _ in self.everything[0])
        return not before or any(key.startswith("function:") for key, _ in self.program.addresses)

    def _by_itself(self, why: str) -> bool:
        """Makes the wrapper itself the compiler and begins anew; False where it was already."""
        if not self.wrapper.answers:
            return False
        itself = self.wrapper.itself(why)
        if not itself.compiles():
            return False
        self.wrapper = itself
        families = (self.error_flags, GCC_ERRORS, CLANG_ERRORS)  # it may call another compiler
        fitting = (flags for flags in families if itself.compiles(options=flags))
        self.error_flags = next(fitting, ())
        addresses, self.program.version = self.everything
        self.program.addresses = list(addresses)
        return True

    def _compile(self, text: str, *options: str) -> Result:
        source = self.folder / "probe.c"
        source.write_text(text, encoding="utf-8")
        command = [*self.wrapper.command, *self.wrapper.compile_flags, "-w", "-O0", "-fPIC"]
        return self._tool(
            [*command, *self.error_flags, *options, "-c", str(source), "-o", str(self._object())]
        )

    def _link(self, *options: str) -> Result:
        command = [*self.wrapper.command, str(self._object()), "-o", str(self._executable())]
        # What the user adds may be needed by a static library in front of it.
        given = linker_words(self.wrapper.arguments)
        flags = [*self.wrapper.link_flags, *given, "-ldl", *self.linker_flags, *options]
        return self._tool([*command, *flags])

    def _tool(self, command: Sequence[str]) -> Result:
        # A compiler that is stopped leaves its own files behind: they go with the folder.
        env = {**self.wrapper.env(), "TMPDIR": str(self.folder)}
        return run(command, cwd=self.folder, env=env)

    def _object(self) -> Path:
        return self.folder / "probe.o"

    def _executable(self) -> Path:
        return self.folder / "probe"

    def _drop_uncompilable(self, compiled: Result) -> None:
        """Takes out the items that the compiler found errors in."""
        lines = error_lines(compiled, self.folder / "probe.c")
        program = self.program
        wrong = {program.number_lines.get(n) or program.address_lines.get(n) for n in lines}
        wrong.discard(None)
        if not wrong:
            header = check_syntax(self.wrapper)
            if not header.ok:
                raise EnvironmentProblem(f"mpi.h does not compile: {first_error(header)}")
            said = first_error(compiled, self.folder)
            raise EnvironmentProblem(f"the measuring program does not compile: {said}")
        program.numbers = [item for item in program.numbers if item[0] not in wrong]
        program.addresses = [item for item in program.addresses if item[0] not in wrong]

    def _drop_undefined(self, linked: Result) -> bool:
        """Takes out what the linker calls undefined; False where that changes nothing."""
        names = _undefined(linked)
        if not names:
            return False
        if "--error-limit=0" in linked.err:  # LLVM's linker names twenty
            self.linker_flags = ["-Wl,--error-limit=0"]
        program = self.program
        kept = [i for i in program.addresses if not _mentions(i, names)]
        version = program.version and "MPI_Get_library_version" not in names
        changed = len(kept) < len(program.addresses) or version != program.version
        program.addresses, program.version = kept, version
        return changed

    def _bisect(self) -> bool:
        """Finds what does not link by trying halves; False where not even an empty program does."""
        everything, version = self.program.addresses, self.program.version
        self.progress("looking for what does not link, by halves: the linker names nothing")
        self.program.addresses, self.program.version = [], False
        if not self._links():
            self.program.addresses, self.program.version = everything, version
            return False
        good = self._good(everything)
        self.program.addresses = []
        self.program.version = version
        if version and not self._links():
            self.program.version = False
        self.program.addresses = good
        return True

    def _good(self, items: list[tuple[str, str]]) -> list[tuple[str, str]]:
        self.progress(f"looking for what does not link, by halves: {len(items)} left to try")
        self.program.addresses = items
        if not items or self._links():
            return items
        if len(items) == 1:
            return []
        middle = len(items) // 2
        return self._good(items[:middle]) + self._good(items[middle:])

    def _links(self) -> bool:
        return self._compile(self.program.text()).ok and self._link().ok

    def _from_object(self) -> Measured:
        """The numbers out of the object file, where no program can be had."""
        lto = ["-fno-lto"] if any(f.startswith("-flto") for f in self.wrapper.compile_flags) else []
        compiled = self._compile(self.program.table(), *lto)
        if not compiled.ok:
            said = first_error(compiled, self.folder)
            raise EnvironmentProblem(f"mpi.h does not compile: {said}")
        self._numbers(read_table(self._object().read_bytes()))
        return self.result

    def _from_tables(self, why: str) -> None:
        """What the program would say if it could be started, out of object file and tables."""
        trace = self._link("-Wl,-t")
        keys = [key for key, _ in self.program.addresses]
        self.result.addresses = symbols.addresses(keys, self._executable(), trace.out + trace.err)
        self._from_object()
        self.result.how = "object"
        self.result.warnings.append(
            f"a program built with {self.wrapper.name} {why}: values come from its object file and "
            "from symbol tables, and the library's version is not known; --launcher COMMAND starts "
            "it another way"
        )

    def _numbers(self, numbers: list[int] | None) -> None:
        if numbers is None or len(numbers) != len(self.program.numbers):
            raise EnvironmentProblem("the compiler's object file does not hold the measured values")
        keys = [key for key, _ in self.program.numbers]
        self.result.numbers = dict(zip(keys, numbers, strict=True))

    # ------------------------------------------------------------------------------- running

    def _start(self) -> None:
        self.progress("running the measuring program")
        try:
            ended = self.starter.start(self.wrapper, self._executable())
        except NotStarted as problem:
            if self.starter.launcher:
                raise
            self._from_tables(f"cannot be started here ({problem.reason})")
            return
        if not ended.ok and _LOADER.search(ended.err + ended.out):
            raise EnvironmentProblem(
                f"a program built with {self.wrapper.name} does not find its library: "
                f"{ended.first_line()}; set LD_LIBRARY_PATH"
            )
        other = _OTHER.search(ended.err)
        if not ended.ok and other:
            raise EnvironmentProblem(
                f"a program built with {self.wrapper.name} loads another library than it was "
                f"linked with (no {other[1]} in it): correct LD_LIBRARY_PATH or LD_PRELOAD; "
                "see `mpiglot doctor`"
            )
        lines = [w[8:] for w in ended.out.splitlines() if w.startswith("mpiglot ")]
        if "M" not in lines and self.starter.launcher:
            raise EnvironmentProblem(
                f"the measuring program does not run under "
                f"`{shlex.join(self.starter.launcher)}`, which {_end(ended)}: name another "
                "launcher, or none: few MPIs need one"
            )
        if "M" not in lines:
            self._from_tables(f"compiles, but {_end(ended)} before it called MPI")
            return
        self.result.how = self.starter.how
        self._take(lines)
        if "E" not in lines:
            self.result.warnings.append(
                f"MPI_Get_library_version does not work: the program {_end(ended)} in it"
            )

    def _take(self, lines: list[str]) -> None:
        numbers: list[int] = []
        keys = [key for key, _ in self.program.addresses]
        for line in lines:
            kind, _, rest = line.partition(" ")
            if kind == "N":
                numbers.append(int(rest.partition(" ")[2]))
            elif kind == "A":
                item, exact, symbol, library = rest.split(" ", 3)
                name = symbol if exact == "1" and symbol != "-" else None
                self.result.addresses[keys[int(item)]] = Address(name, library)
            elif kind == "L":
                self.result.library_version = rest.replace("\1", "\n").strip()
        self._numbers(numbers)


def _mentions(item: tuple[str, str], names: set[str]) -> bool:
    """Whether an item's key (kind:name:symbol) is about one of these symbols."""
    return not names.isdisjoint(item[0].split(":")[1:])


def _undefined(linked: Result) -> set[str]:
    """The symbols that a linker calls undefined."""
    return {
        next(g for g in found if g).partition("@")[0] for found in _UNDEFINED.findall(linked.err)
    }


def _lacking(linked: Result) -> str:
    """Says which library needs what; empty where the linker does not name it."""
    lost = dict.fromkeys(_NOT_FOUND.findall(linked.err))
    if lost:
        said = ", ".join(f"{one}, which {Path(by).name} needs" for one, by in lost)
        return f"the linker does not find {said}"
    names = sorted(_undefined(linked))
    if not names:
        return ""
    needing = list(dict.fromkeys(_NEEDING.findall(linked.err)))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    verb = "need" if len(needing) > 1 else "needs"
    return (
        f"{', '.join(needing[:_SHOWN]) or 'its library'} {verb} "
        f"{', '.join(names[:_SHOWN])}{more}, which nothing that it links with defines: name the "
        "libraries that do (--mpicc 'WRAPPER -lNAME')"
    )


def _end(ended: Result) -> str:
    if ended.code < 0:
        return f"crashed ({signal.Signals(-ended.code).name})"
    said = ended.first_line()
    return f"ended with exit code {ended.code}" + (f" ({said})" if ended.err.strip() else "")
