"""Reads every handwritten file for style: Python (ruff, mypy), C and C++ (clang-format)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

PYTHON = (
    ("ruff", "check", "--quiet", "--output-format", "concise"),
    ("ruff", "format", "--check", "--quiet"),
    ("mypy",),
)
#: Where C and C++ is written by hand. Files that say DO NOT EDIT at their top are generated.
FOLDERS = ("benchmarks", "cpp_runtime", "go_runtime", "parser", "tests")
SUFFIXES = frozenset({".c", ".cpp", ".h", ".hpp", ".ipp"})
AT_ONCE = 100  # files for one clang-format


def handwritten(root: Path, files: Sequence[str] = ()) -> Iterator[Path]:
    """The files of C and C++ whose format is checked: all, or those among some."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if files and str(path.relative_to(root)) not in files:
                continue
            if path.suffix in SUFFIXES and path.is_file():
                with path.open(encoding="utf-8") as lines:
                    top = f"{lines.readline()}{lines.readline()}"
                if "DO NOT EDIT" not in top:
                    yield path


def commands(root: Path, only: Sequence[str] = ()) -> Iterator[list[str]]:
    """What reads all files, or some."""
    for words in PYTHON:
        python = [file for file in only if file.endswith(".py")]
        if python or not only:  # types hang together
            yield [sys.executable, "-m", *words, *(python if words[0] != "mypy" else [])]
    formatter = str(Path(sys.executable).with_name("clang-format"))
    files = [str(path.relative_to(root)) for path in handwritten(root, only)]
    for first in range(0, len(files), AT_ONCE):
        some = files[first : first + AT_ONCE]
        yield [formatter, "--dry-run", "-Werror", "--ferror-limit=1", *some]


def main(only: Sequence[str] = ()) -> int:
    """Reads all files, or those of some names."""
    root = Path(__file__).resolve().parent.parent
    codes = [
        subprocess.run(
            words, cwd=root, stdin=subprocess.DEVNULL, timeout=600, check=False
        ).returncode
        for words in commands(root, only)
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
