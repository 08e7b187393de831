"""Which macros are constant expressions: those that C++ accepts in `constexpr auto x = MACRO;`.

The wrapper's own compiler decides, in one call for all macros. Where it knows no C++, the narrower
C rule takes its place: integer constant expressions, the values of an enumeration.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from mpiglot.parser.preprocess import INCLUDES, error_lines
from mpiglot.parser.process import run
from mpiglot.parser.wrapper import Wrapper

# The C++ bindings that some headers still bring along are of no use here and slow.
_WITHOUT_CXX = ["-DMPICH_SKIP_MPICXX", "-DOMPI_SKIP_MPICXX"]


def constant_expressions(
    wrapper: Wrapper, error_flags: Sequence[str], names: Sequence[str]
) -> set[str]:
    """The names among `names` that are constant expressions."""
    quiet = ["-w", "-fsyntax-only", *error_flags]
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
        found = _accepted(
            wrapper,
            names,
            Path(folder) / "constants.cpp",
            [*quiet, "-x", "c++", "-std=c++17", *_WITHOUT_CXX],
            "constexpr auto mg_{} = {};",
        )
        if found is None:
            source = Path(folder) / "constants.c"
            found = _accepted(wrapper, names, source, quiet, "enum {{ mg_{} = ({}) }};")
    return found or set()


def _accepted(
    wrapper: Wrapper, names: Sequence[str], source: Path, flags: list[str], line: str
) -> set[str] | None:
    """The names whose line compiles; None where the header itself does not."""
    lines = [line.format(i, name) for i, name in enumerate(names)]
    source.write_text(INCLUDES + "\n".join(lines) + "\n", encoding="utf-8")
    command = [*wrapper.command, *wrapper.compile_flags, *flags, str(source)]
    result = run(command, env=wrapper.env())
    if result.ok:
        return set(names)
    first = INCLUDES.count("\n") + 1
    wrong = error_lines(result, source)
    if not wrong or min(wrong) < first:
        return None
    return {name for i, name in enumerate(names) if first + i not in wrong}
