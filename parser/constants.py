"""Which macros are constant expressions: those that C++ accepts in `constexpr auto x = MACRO;`.

The wrapper's own compiler decides, in one call for all macros. Where it knows no C++, the narrower
C rule takes its place: integer constant expressions, the values of an enumeration.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from mpiglot.parser.preprocess import INCLUDES, error_lines
from mpiglot.parser.process import Running
from mpiglot.parser.wrapper import Wrapper

# The C++ bindings that some headers still bring along are of no use here and slow.
_CXX = ["-x", "c++", "-std=c++17", "-DMPICH_SKIP_MPICXX", "-DOMPI_SKIP_MPICXX"]


class ConstantExpressions:
    """The question, put to the compiler while other things are measured."""

    def __init__(self, wrapper: Wrapper, error_flags: Sequence[str], names: Sequence[str]) -> None:
        self._names = names
        self._folder = tempfile.TemporaryDirectory(prefix="mpiglot-")
        self._command = [*wrapper.command, *wrapper.compile_flags, "-w", "-fsyntax-only"]
        self._command += error_flags
        self._env = wrapper.env()
        self._running = self._start("constants.cpp", _CXX, "constexpr auto mg_{} = {};")

    def __enter__(self) -> ConstantExpressions:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._running.stop()
        self._folder.cleanup()

    def answer(self) -> set[str]:
        """The names that are constant expressions."""
        found = self._accepted("constants.cpp")
        if found is None:
            self._running = self._start("constants.c", [], "enum {{ mg_{} = ({}) }};")
            found = self._accepted("constants.c")
        return found or set()

    def _start(self, file: str, flags: list[str], line: str) -> Running:
        source = Path(self._folder.name) / file
        lines = [line.format(i, name) for i, name in enumerate(self._names)]
        source.write_text(INCLUDES + "\n".join(lines) + "\n", encoding="utf-8")
        env = {**self._env, "TMPDIR": self._folder.name}
        return Running([*self._command, *flags, str(source)], env=env)

    def _accepted(self, file: str) -> set[str] | None:
        """The names whose line compiles; None where the header itself does not."""
        result = self._running.wait()
        if result.ok:
            return set(self._names)
        first = INCLUDES.count("\n") + 1
        wrong = error_lines(result, Path(self._folder.name) / file)
        if not wrong or min(wrong) < first:
            return None
        return {name for i, name in enumerate(self._names) if first + i not in wrong}
