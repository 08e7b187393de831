"""Reads every Python file for mistakes: ruff's rules and format, mypy's types.

The folders of the checkout are packages below `mpiglot` (pyproject.toml), which mypy cannot know;
it reads a tree of links under `build/` that has the shape of the installed package.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

MAPPED = ("blueprints", "ci", "generators", "parser", "templates")
BESIDE = ("benchmarks", "tests")


def link_tree(root: Path) -> Path:
    """Makes the tree of links anew and gives back its folder."""
    tree = root / "build" / "types"
    package = tree / "mpiglot"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for path in sorted((root / "mpiglot").iterdir()):
        if path.name != "__pycache__":
            (package / path.name).symlink_to(path)
    for name in MAPPED:
        (package / name).symlink_to(root / name)
    for name in BESIDE:
        link = tree / name
        link.unlink(missing_ok=True)
        link.symlink_to(root / name)
    return tree


def check_types(root: Path) -> int:
    """Runs mypy over the package and its tests; its messages name the files of the checkout."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(root / "pyproject.toml")]
    command += ["--cache-dir", str(root / ".mypy_cache")]
    for name in ("mpiglot", *BESIDE):
        command += ["-p", name]
    done = subprocess.run(
        command,
        cwd=link_tree(root),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    mapped = rf"^mpiglot/({'|'.join(MAPPED)})/"
    print(re.sub(mapped, r"\1/", done.stdout, flags=re.MULTILINE), end="", flush=True)
    return done.returncode


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    ruff = [sys.executable, "-m", "ruff"]
    brief = ["--quiet", "--output-format", "concise"]
    codes = [
        subprocess.run([*ruff, *words], cwd=root, timeout=300, check=False).returncode
        for words in (["check", *brief], ["format", "--check", *brief])
    ]
    codes.append(check_types(root))
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
