"""Whether compilers take what was generated for functions that the catalogue does not know.

The rules of the generators decide without a compiler what they can express, so that the output is
the same everywhere. A trial asks the compilers of this machine afterwards.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.blueprints.model import Blueprint
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.policy import Filters
from mpiglot.provision.toolchains import find_go, find_jdk

LIMIT_S = 600
# Compiles the files of a folder; what the compiler says, nothing if it takes them.
Compile = Callable[[Path], str]


@dataclass(slots=True)
class Trial:
    """What the compiler of one language says."""

    language: str
    tried: int
    refused: dict[str, str]  # function -> the compiler's first sentence about it

    def sentences(self) -> list[str]:
        """What a user reads, one line each."""
        said = [f"{name} does not compile: {text}" for name, text in self.refused.items()]
        taken = self.tried - len(self.refused)
        return [
            *said,
            f"{taken} of {self.tried} functions that the catalogue does not know compile",
        ]


def try_out(unit: Unit, inputs: Inputs, compiles: Compile) -> Trial:
    """Compiles what the unit generates, and finds the unknown functions that do not compile."""
    names = _unknown(unit, inputs)

    def said(chosen: Sequence[str]) -> str:
        out = [*unit.filters.exclude, *(n for n in names if n not in chosen)]
        filters = Filters(unit.filters.include, out)
        with tempfile.TemporaryDirectory(prefix="mpiglot-try-") as folder:
            one = replace(unit, folder=Path(folder), filters=filters, beside="")
            produce(one, inputs).write()
            return compiles(Path(folder))

    if not said(names):
        return Trial(unit.language, len(names), {})
    if text := said([]):
        raise EnvironmentProblem(
            f"--try: {unit.language} does not compile without the functions that the catalogue "
            f"does not know either: {text}"
        )
    refused: dict[str, str] = {}
    _narrow(names, said, refused)
    if text := said([n for n in names if n not in refused]):
        raise EnvironmentProblem(
            f"--try: {unit.language} functions compile one by one and not together: {text}"
        )
    return Trial(unit.language, len(names), refused)


def _narrow(
    names: Sequence[str], said: Callable[[Sequence[str]], str], out: dict[str, str]
) -> None:
    """Halves what does not compile until single functions are left."""
    text = said(names) if names else ""
    if not text:
        return
    if len(names) == 1:
        out[names[0]] = text
        return
    half = len(names) // 2
    _narrow(names[:half], said, out)
    _narrow(names[half:], said, out)


def _unknown(unit: Unit, inputs: Inputs) -> list[str]:
    planned = {f.name for f in inputs.plan.functions if f.decision == "generate"}
    return sorted(
        entry.function.name
        for entry in inputs.atlas.functions
        if entry.function.source == "inferred"
        and entry.function.name in planned
        and unit.filters.refusal(entry.function.name) is None
        and (unit.target is None or unit.target in {p.target for p in entry.present})
    )


# --------------------------------------------------------------------------- compilers


def compiler(unit: Unit, inputs: Inputs) -> Compile:
    """The compiler for what the unit generates; an error in one sentence if there is none."""
    if unit.language == "cpp":
        found = next(n.blueprint for n in inputs.blueprints if n.name == unit.target)
        return _cpp(found, str(unit.target))
    if unit.language == "go":
        return _go()
    if unit.language == "java":
        return _java()
    raise UsageError(f"--try compiles cpp, go and java, not {unit.language}.")


def _cpp(target: Blueprint, name: str) -> Compile:
    command = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if not command:
        raise EnvironmentProblem("--try needs a C++ compiler: install g++, or name one in CXX.")
    include = target.toolchain.paths.get("include")
    if not include:
        raise EnvironmentProblem(
            f"--try compiles C++ with the mpi.h of the MPI, and the blueprint of {name} does not "
            "say where that is: probe it without --portable, or leave out --blueprint and --target."
        )
    flags = [f"-I{folder}" for folder in include]

    def compiles(folder: Path) -> str:
        source = folder / "try.cpp"
        source.write_text("#include <mpiglot/mpi.hpp>\n", encoding="utf-8")
        return _run(
            [*shlex.split(command), "-std=c++20", "-fsyntax-only", f"-I{folder}", *flags, source]
        )

    return compiles


def _go() -> Compile:
    go = find_go(os.environ)
    if go is None:
        raise EnvironmentProblem("--try needs Go 1.24 or later to compile Go, and there is none.")
    return lambda folder: _run(
        [go, "build", "-C", folder, "."], CGO_ENABLED="1", GOTOOLCHAIN="local"
    )


def _java() -> Compile:
    jdk = find_jdk(os.environ)
    if jdk is None:
        raise EnvironmentProblem("--try needs a JDK 22 or later to compile Java: there is none.")

    def compiles(folder: Path) -> str:
        # The lower layer has all that is generated of functions.
        files = sorted(p for p in folder.rglob("*.java") if p.parent.name == "low")
        return _run([jdk / "bin" / "javac", "-d", folder / "classes", *files])

    return compiles


def _run(command: Sequence[str | Path], **variables: str) -> str:
    """What the compiler says of its first error, empty if it takes everything."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True, text=True, errors="replace", timeout=LIMIT_S, check=False,
            env={**os.environ, **variables, "LC_ALL": "C"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"--try: {command[0]} took longer than {LIMIT_S} s.") from None
    if done.returncode == 0:
        return ""
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    errors = [line for line in lines if "error:" in line] or [
        line for line in lines if not line.startswith(("#", "In file included"))
    ]
    return (errors or lines or [f"exit code {done.returncode}"])[0].strip()
