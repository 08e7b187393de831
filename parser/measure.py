"""Measuring by doing: a few compiler calls and one run for a whole MPI.

The program of `program.py` is compiled, linked and run once. What does not compile or link is named
by the compiler's or linker's own messages, taken out, and the rest is tried again; only messages
that name nothing lead to bisection.
"""

from __future__ import annotations

import re
import shlex
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.parser.preprocess import check_syntax, error_lines, first_error
from mpiglot.parser.process import Result, run
from mpiglot.parser.program import Program, read_table
from mpiglot.parser.start import Starter
from mpiglot.parser.wrapper import Wrapper

_UNDEFINED = re.compile(
    r"undefined reference to [`'\"]([\w$.@]+)"
    r"|undefined symbol: ([\w$.@]+)"
    r"|^\s*\"_([\w$.]+)\", referenced",
    re.M,
)
_OTHER = re.compile(r"symbol lookup error:.*(?:undefined symbol|symbol): (\w+)")
_LOADER = re.compile(r"cannot open shared object file|Library not loaded|image not found")


@dataclass(slots=True)
class Address:
    """Where an address was found when the program ran."""

    symbol: str | None  # exported symbol of exactly this address
    library: str  # the file that holds it


@dataclass(slots=True)
class Measured:
    """What the program found."""

    how: str = "run"  # "run", "launcher", "compiled"
    numbers: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, Address] = field(default_factory=dict)
    linked: set[str] = field(default_factory=set)  # keys of addresses that linked
    stubs: set[str] = field(default_factory=set)  # functions that say that they do nothing
    library_version: str = ""
    warnings: list[str] = field(default_factory=list)


def measure(
    wrapper: Wrapper, program: Program, starter: Starter, error_flags: Sequence[str] = ()
) -> Measured:
    """Compiles, links and runs `program`."""
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
        return _Measurement(wrapper, program, starter, error_flags, Path(folder)).run()


class _Measurement:
    def __init__(
        self,
        wrapper: Wrapper,
        program: Program,
        starter: Starter,
        error_flags: Sequence[str],
        folder: Path,
    ) -> None:
        self.wrapper = wrapper
        self.error_flags = error_flags
        self.program = program
        self.starter = starter
        self.folder = folder
        self.result = Measured()

    def run(self) -> Measured:
        everything = {key for key, _ in self.program.addresses}
        if not self._build():
            self.result.linked = everything
            return self._from_object()
        self.result.linked = {key for key, _ in self.program.addresses}
        self._start()
        if not any(key.startswith("function:") for key in self.result.linked):
            self.result.how, self.result.linked = "compiled", everything
            self.result.warnings.append(
                f"{self.wrapper.name} links with no MPI library: values come from the compiler, "
                "and all that the header declares is taken to be there"
            )
        return self.result

    # ------------------------------------------------------------------------------ building

    def _build(self) -> bool:
        """Builds the program, taking out what cannot be had; False where nothing links at all."""
        for _ in range(6):
            compiled = self._compile(self.program.text())
            if not compiled.ok:
                self._drop_uncompilable(compiled)
                continue
            linked = self._link()
            if linked.ok:
                return True
            if not self._drop_undefined(linked) and not self._bisect():
                self.result.warnings.append(
                    f"no program could be linked ({linked.first_line()}); "
                    "values come from the compiler, and all that the header declares is taken to "
                    "be there"
                )
                return False
        return self._link().ok

    def _compile(self, text: str) -> Result:
        source = self.folder / "probe.c"
        source.write_text(text, encoding="utf-8")
        command = [*self.wrapper.command, *self.wrapper.compile_flags, "-w", "-O0", "-fPIC"]
        return self._tool(
            [*command, *self.error_flags, "-c", str(source), "-o", str(self._object())]
        )

    def _link(self) -> Result:
        command = [*self.wrapper.command, str(self._object()), "-o", str(self._executable())]
        return self._tool([*command, *self.wrapper.link_flags, "-ldl"])

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
            raise EnvironmentProblem(
                f"the measuring program does not compile: {first_error(compiled)}"
            )
        program.numbers = [item for item in program.numbers if item[0] not in wrong]
        program.addresses = [item for item in program.addresses if item[0] not in wrong]

    def _drop_undefined(self, linked: Result) -> bool:
        """Takes out what the linker calls undefined; False where that changes nothing."""
        names = {
            next(g for g in found if g).partition("@")[0]
            for found in _UNDEFINED.findall(linked.err)
        }
        if not names:
            return False
        program = self.program
        kept = [i for i in program.addresses if not _mentions(i, names)]
        version = program.version and "MPI_Get_library_version" not in names
        changed = len(kept) < len(program.addresses) or version != program.version
        program.addresses, program.version = kept, version
        return changed

    def _bisect(self) -> bool:
        """Finds what does not link by trying halves; False where not even an empty program does."""
        everything, version = self.program.addresses, self.program.version
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
        self.result.how = "compiled"
        compiled = self._compile(self.program.table())
        if not compiled.ok:
            raise EnvironmentProblem(f"mpi.h does not compile: {first_error(compiled)}")
        self._numbers(read_table(self._object().read_bytes()))
        return self.result

    def _numbers(self, numbers: list[int] | None) -> None:
        if numbers is None or len(numbers) != len(self.program.numbers):
            raise EnvironmentProblem("the compiler's object file does not hold the measured values")
        keys = [key for key, _ in self.program.numbers]
        self.result.numbers = dict(zip(keys, numbers, strict=True))

    # ------------------------------------------------------------------------------- running

    def _start(self) -> None:
        ended = self.starter.start(self.wrapper, self._executable())
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
            raise EnvironmentProblem(
                f"a program built with {self.wrapper.name} compiles, but {_end(ended)} before it "
                "called MPI: the library cannot be used; see `mpiglot doctor`"
            )
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


def _end(ended: Result) -> str:
    if ended.code < 0:
        return f"crashed ({signal.Signals(-ended.code).name})"
    said = ended.first_line()
    return f"ended with exit code {ended.code}" + (f" ({said})" if ended.err.strip() else "")
