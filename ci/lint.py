"""Reads every Python file for mistakes: ruff's rules and format, mypy's types and imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOLS = (
    ("ruff", "check", "--quiet", "--output-format", "concise"),
    ("ruff", "format", "--check", "--quiet"),
    ("mypy",),
)


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    codes = [
        subprocess.run(
            [sys.executable, "-m", *words],
            cwd=root,
            stdin=subprocess.DEVNULL,
            timeout=600,
            check=False,
        ).returncode
        for words in TOOLS
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
