"""Reads every handwritten file for style and mistakes; `TOOLS` says by what.

Go's vet and Java's compiler, with all its warnings, read what they compile: the parts "Go build"
and "Java build" of `ci/test`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision.toolchains import find_go, obtain_actionlint, obtain_go

#: Folders of what is installed, built or remembered.
PASSED_OVER = frozenset(
    {".git", ".hypothesis", ".mpi", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tools"}
    | {".venv", "__pycache__", "build"}
)
#: Where C and C++ is written by hand. Files that say DO NOT EDIT at their top are generated.
FOLDERS = ("benchmarks", "cpp_runtime", "doctor", "go_runtime", "parser", "tests")
SUFFIXES = frozenset({".c", ".cpp", ".h", ".hpp", ".ipp"})
AT_ONCE = 100  # files for one clang-format
SHELL = re.compile(rb"#!.*\b(?:ba)?sh$")


@dataclass(frozen=True)
class Checkout:
    """The files to read, and where the tools are."""

    root: Path
    files: tuple[str, ...]
    tools: Path

    @classmethod
    def of(cls, root: Path, tools: Path | None = None) -> Checkout:
        """All files of a folder, whether or not it is a repository."""
        names = []
        for folder, below, files in os.walk(root):
            below[:] = sorted(set(below) - PASSED_OVER)
            names += [str((Path(folder) / file).relative_to(root)) for file in sorted(files)]
        return cls(root, tuple(names), tools or root / ".tools")

    def top(self, file: str, lines: int) -> bytes:
        """The first lines of a file, b"" where there is none."""
        path = self.root / file
        if not path.is_file():
            return b""
        with path.open("rb") as text:
            return b"".join(text.readline(200) for _ in range(lines))

    def go(self) -> Path:
        """The Go of this machine, or one of our own."""
        return find_go(os.environ) or obtain_go(self.tools, _say)


@dataclass(frozen=True)
class Command:
    """What reads files; `quiet` if only its silence says that there is no mistake."""

    words: tuple[str, ...]
    quiet: bool = False

    def finds_nothing(self, root: Path) -> bool:
        """Runs it and passes on what it says of mistakes."""
        done = subprocess.run(
            self.words,
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=600,
            check=False,
        )
        nothing = done.returncode == 0 and not (self.quiet and done.stdout)
        if not nothing:
            print(done.stdout.decode(errors="replace"), end="", flush=True)
        return nothing


@dataclass(frozen=True)
class Tool:
    """A linter: the files that it reads, its settings, its commands for some of the files."""

    name: str
    reads: Callable[[Checkout, str], bool]
    commands: Callable[[Checkout, Sequence[str]], Iterator[Command]]
    settings: tuple[str, ...] = ()

    def chosen(self, checkout: Checkout, only: Sequence[str]) -> list[str]:
        """Its files, or those among some; all where its settings or version have changed."""
        wanted = set(only)
        every = not wanted or bool(wanted & {*self.settings, "ci/requirements.lock"})
        names = [file for file in checkout.files if every or file in wanted]
        return [file for file in names if self.reads(checkout, file)]


def _say(sentence: str) -> None:
    print(f"set-up: {sentence}", file=sys.stderr)


def _installed(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _is(*patterns: str) -> Callable[[Checkout, str], bool]:
    return lambda _, file: any(fnmatch(file, pattern) for pattern in patterns)


def is_handwritten_c(checkout: Checkout, file: str) -> bool:
    """Whether the format of a file of C or C++ is checked."""
    path = Path(file)
    ours = path.suffix in SUFFIXES and path.parts[0] in FOLDERS
    return ours and b"DO NOT EDIT" not in checkout.top(file, 2)


def is_script(checkout: Checkout, file: str) -> bool:
    """Whether a shell is to read a file: its suffix or its first line says so."""
    return file.endswith(".sh") or bool(SHELL.match(checkout.top(file, 1).rstrip()))


def _ruff_check(_: Checkout, files: Sequence[str]) -> Iterator[Command]:
    words = ("-m", "ruff", "check", "--quiet", "--output-format", "concise")
    yield Command((sys.executable, *words, *files))


def _ruff_format(_: Checkout, files: Sequence[str]) -> Iterator[Command]:
    yield Command((sys.executable, "-m", "ruff", "format", "--check", "--quiet", *files))


def _mypy(_: Checkout, __: Sequence[str]) -> Iterator[Command]:
    yield Command((sys.executable, "-m", "mypy"))  # types hang together


def _clang_format(_: Checkout, files: Sequence[str]) -> Iterator[Command]:
    words = (_installed("clang-format"), "--dry-run", "-Werror", "--ferror-limit=1")
    for first in range(0, len(files), AT_ONCE):
        yield Command((*words, *files[first : first + AT_ONCE]))


def _shellcheck(_: Checkout, files: Sequence[str]) -> Iterator[Command]:
    yield Command((_installed("shellcheck"), "--format=gcc", *files))


def _gersemi(_: Checkout, files: Sequence[str]) -> Iterator[Command]:
    yield Command((_installed("gersemi"), "--check", "--quiet", *files))


def _gofmt(checkout: Checkout, files: Sequence[str]) -> Iterator[Command]:
    yield Command((str(checkout.go().with_name("gofmt")), "-l", *files), quiet=True)


def _zizmor(_: Checkout, files: Sequence[str]) -> Iterator[Command]:
    words = ("--offline", "--quiet", "--no-progress", "--min-severity=medium")
    yield Command((_installed("zizmor"), *words, *files))


def _actionlint(checkout: Checkout, files: Sequence[str]) -> Iterator[Command]:
    program = obtain_actionlint(checkout.tools, checkout.go(), _say)
    words = (f"-shellcheck={_installed('shellcheck')}", "-pyflakes=")
    yield Command((str(program), *words, *files))


_PYTHON = _is("*.py")
_WORKFLOW = _is(".github/workflows/*.yml", ".github/workflows/*.yaml")
_CMAKE = _is("CMakeLists.txt", "*/CMakeLists.txt", "*.cmake", "*.cmake.in")
TOOLS = (
    Tool("ruff check", _PYTHON, _ruff_check, ("pyproject.toml",)),
    Tool("ruff format", _PYTHON, _ruff_format, ("pyproject.toml",)),
    Tool("mypy", _PYTHON, _mypy, ("pyproject.toml",)),
    Tool("clang-format", is_handwritten_c, _clang_format, (".clang-format",)),
    Tool("ShellCheck", is_script, _shellcheck, (".shellcheckrc",)),
    Tool("gersemi", _CMAKE, _gersemi, (".gersemirc",)),
    Tool("gofmt", _is("*.go"), _gofmt),
    Tool("zizmor", _WORKFLOW, _zizmor),
    Tool("actionlint", _WORKFLOW, _actionlint, ("provision/tools.json",)),
)


def complaining(checkout: Checkout, only: Sequence[str] = ()) -> list[str]:
    """The tools that find a mistake in all files, or in some; what they say is printed."""
    result = []
    for tool in TOOLS:
        files = tool.chosen(checkout, only)
        commands = list(tool.commands(checkout, files)) if files else []
        if not all([command.finds_nothing(checkout.root) for command in commands]):
            result.append(tool.name)
    return result


def main(only: Sequence[str] = ()) -> int:
    """Reads all files, or those of some names."""
    try:
        names = complaining(Checkout.of(Path(__file__).resolve().parent.parent), only)
    except EnvironmentProblem as problem:
        print(f"ci/lint: {problem}", file=sys.stderr)
        return 3
    found = f"mistakes found by {', '.join(names)}" if names else "no mistakes found"
    print(f"ci/lint: {found}", file=sys.stderr)
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
