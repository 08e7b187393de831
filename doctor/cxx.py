"""The C++ wrapper beside the examined one: its MPI, and a program that it builds."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.doctor import variables
from mpiglot.doctor.model import Finding, complaint
from mpiglot.doctor.shell import Shell
from mpiglot.parser.installation import Installation, canonical
from mpiglot.parser.process import Result, run
from mpiglot.parser.siblings import cxx_beside
from mpiglot.parser.vendors import vendor

BUILD_LIMIT = 60.0
_PLAIN = ("mpicxx", "mpic++", "mpiCC")
_COMPILERS = ("g++", "clang++", "c++")
_PROGRAM = """#include <mpi.h>
#include <string>
int main(int count, char **words) {
    MPI_Init(&count, &words);
    std::string text(static_cast<std::string::size_type>(count), 'x');
    return text.empty() ? 1 : MPI_Finalize();
}
"""


@dataclass
class CxxWrapper:
    """Tries the C++ wrapper of an installation in a shell; `folder` is for what it builds."""

    shell: Shell
    chosen: Installation
    folder: Path

    def examine(self, plain: bool) -> None:
        """Findings about it; `plain`: the one that a user means who types `mpicxx`."""
        # Debian's mpicc and mpicxx are two links, which may lead to two MPIs.
        own = cxx_beside(canonical(self.chosen.wrapper)) or cxx_beside(self.chosen.wrapper)
        wrapper = (self._on_path() if plain else None) or own
        if wrapper is None or wrapper == self.chosen.wrapper:
            return
        owner = self._owner(wrapper)
        if owner is not None and owner.header not in (None, self.chosen.header):
            self.shell.add(self._differs(owner, wrapper, own))
            return
        tried = self.build(wrapper, self.shell.env)
        if not tried.ok:
            self._broken(wrapper, own, tried)

    def build(self, wrapper: Path, env: Mapping[str, str]) -> Result:
        """Compiles and links a small C++ program."""
        source = self.folder / "cxx.cpp"
        source.write_text(_PROGRAM, encoding="utf-8")
        words = [str(wrapper), *self.chosen.arguments, str(source), "-o", str(self.folder / "cxx")]
        try:
            return run(words, env=env, limit=BUILD_LIMIT)
        except EnvironmentProblem as problem:
            return Result(1, "", str(problem))

    def _on_path(self) -> Path | None:
        for name in _PLAIN:
            found = shutil.which(name, path=self.shell.given.get("PATH"))
            if found is not None:
                return Path(found)
        return None

    def _owner(self, wrapper: Path) -> Installation | None:
        for one in self.shell.diagnosis.installations:
            if wrapper in one.wrappers:
                return one
        return None

    def _differs(self, owner: Installation, wrapper: Path, own: Path | None) -> Finding:
        chosen = self.chosen
        return Finding(
            "compilers-differ",
            "warning",
            f"{chosen.wrapper} compiles for {chosen.release}, but {wrapper} for "
            f"{owner.release}: C and C++ parts do not fit together.",
            f"{own} program.cpp" if own else "",
        )

    def _broken(self, wrapper: Path, own: Path | None, tried: Result) -> None:
        """Follows a failure to its cause: a variable, its compiler, or the wrapper itself."""
        effect = f"{wrapper} cannot build a C++ program ({_said(tried)})"

        def works(removed: Sequence[str]) -> bool:
            return self.build(wrapper, self.shell.changed(removed, {})).ok

        names = variables.culprits(self._suspects(), works)
        if names:
            env = self.shell.env
            self.shell.blame(names, effect, {}, "variable-breaks-building")
            self.shell.env = env  # the programs of C ran with them
            return
        fix = self._other_compiler(wrapper) or self._own_instead(wrapper, own)
        self.shell.add(Finding("cxx-wrapper-fails", "warning", f"{effect}.", fix))

    def _suspects(self) -> list[str]:
        names = {*variables.suspects(self.shell.env), *self._variables()}
        return sorted(name for name in names if name in self.shell.env)

    def _variables(self) -> list[str]:
        rule = vendor(self.chosen.vendor)
        return list(rule.data["compilers"]["cxx"]) if rule else []

    def _other_compiler(self, wrapper: Path) -> str:
        """The line that makes the wrapper call a C++ compiler which is here: tried."""
        for name in self._variables():
            for compiler in _COMPILERS:
                if shutil.which(compiler, path=self.shell.env.get("PATH")) is None:
                    continue
                if self.build(wrapper, {**self.shell.env, name: compiler}).ok:
                    return variables.export({name: compiler})
        return ""

    def _own_instead(self, wrapper: Path, own: Path | None) -> str:
        """The line that puts the installation's own wrapper in front, where that one works."""
        if own is not None and own != wrapper and self.build(own, self.shell.env).ok:
            if own.name != wrapper.name:
                return f"{own} program.cpp"
            return f'export PATH={shlex.quote(str(own.parent))}{os.pathsep}"$PATH"'
        here = self.shell.env.get("PATH")
        if any(shutil.which(one, path=here) for one in _COMPILERS):
            return ""
        return "sudo apt install g++"


def _said(result: Result) -> str:
    return complaint(result.err or result.out) or f"exit code {result.code}"
