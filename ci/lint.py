"""Reads every handwritten file for style: Python (ruff, mypy), C and C++ (clang-format)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
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


def handwritten(root: Path) -> Iterator[Path]:
    """The files of C and C++ whose format is checked."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                with path.open(encoding="utf-8") as lines:
                    top = f"{lines.readline()}{lines.readline()}"
                if "DO NOT EDIT" not in top:
                    yield path


def commands(root: Path) -> Iterator[list[str]]:
    for words in PYTHON:
        yield [sys.executable, "-m", *words]
    formatter = str(Path(sys.executable).with_name("clang-format"))
    files = [str(path.relative_to(root)) for path in handwritten(root)]
    for first in range(0, len(files), AT_ONCE):
        some = files[first : first + AT_ONCE]
        yield [formatter, "--dry-run", "-Werror", "--ferror-limit=1", *some]


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    codes = [
        subprocess.run(
            words, cwd=root, stdin=subprocess.DEVNULL, timeout=600, check=False
        ).returncode
        for words in commands(root)
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
